"""Pages as pixels: the whole look of the 128×64 display, as one pure function.

Everything is laid out on a canvas of 125×61 px, which :func:`draw` then places 0 to 3 px from the upper left
corner: the picture can wander against burn-in, and no text is ever clipped. From the top:

* the header, one 12 px line over a rule: whose turn, scores, and the mark of the last entry;
* the body, 48 px: four lines of 12 px, or two of 24 px, or a prompt over a figure of 24 px.

:mod:`device.screen.pixels.beside` draws pictures beside their text: boards, cameras' pictures, codes.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PIL import Image, ImageDraw

from device.screen import (
    CountsPage,
    CropPage,
    GridPage,
    HeaderMark,
    ListPage,
    NoticePage,
    Page,
    QrPage,
    TablePage,
    TextPage,
    WheelPage,
)
from device.screen.pixels import beside, marks
from device.screen.pixels.canvas import (
    GUTTER,
    HEIGHT,
    MARGIN,
    SIZE,
    TOP,
    WIDTH,
    Folded,
    clamp,
    draw_arrows,
    draw_box,
    draw_header,
    draw_lines,
    draw_rows,
    draw_unsaved,
    fold,
    large,
    small,
    stamp,
)
from device.screen.pixels.fit import balance, cut, is_tall, shorten_names, wrap
from device.screen.pixels.fonts import LARGE, SMALL, Font

_LINES = 4  # of the body
_TOLD = 4  # left of ``told``, behind its bar
_ABOVE = 3  # lines at most above a figure or counts
_CLOSE = 9  # px from line to line if five must fit, and a px more from item to item
_GAP = 4  # between cells side by side
_LABEL = 60  # px for the label of a count being changed
_OK = "OK"


def draw(page: Page, shift: tuple[int, int] = (0, 0)) -> Image.Image:
    """Draw a page for the display: a picture of mode ``"1"``, 128×64, in which 1 is lit.

    ``shift`` moves the whole picture right and down, 0 to 3 px each. Page numbers and the indexes of lists,
    wheels and counts are clamped.
    """
    canvas = Image.new("1", (WIDTH, HEIGHT))
    last = pages_of(page) - 1
    if isinstance(page, GridPage):
        page = beside.as_list(page) or page
    if isinstance(page, GridPage):
        beside.draw_board(canvas, page)
    elif not isinstance(page, QrPage):  # which needs every line there is
        shown = page.header
        if last and isinstance(page, TextPage | TablePage):
            shown = msgspec.structs.replace(shown, right=f"{clamp(page.page, last) + 1}/{last + 1}", own="")
        draw_header(canvas, shown)
    match page:
        case ListPage():
            _draw_list(canvas, page)
        case WheelPage():
            _draw_wheel(canvas, page)
        case CropPage():
            beside.draw_crop(canvas, page)
        case CountsPage():
            _draw_counts(canvas, page)
        case TextPage():
            _write_text(canvas, _wrap_text(page), clamp(page.page, last))
            if page.until_ok and page.page >= last:
                _draw_ok(canvas)
        case TablePage():
            _draw_table(canvas, page)
        case NoticePage():
            _draw_notice(canvas, page)
        case QrPage():
            beside.draw_code(canvas, page)
    if page.header.mark is HeaderMark.SAVING and not isinstance(
        page, QrPage
    ):  # which tells nothing of a match
        draw_unsaved(canvas, page.header)
    image = Image.new("1", SIZE)
    image.paste(canvas, shift)
    return image


def pages_of(page: Page) -> int:
    """Count the screens of a page, at least 1.

    Texts and tables have as many as they need. A notice that is too long has 2; so has a page without room
    for its question, alone or with ``told``.
    """
    match page:
        case ListPage():
            above = _fit_above(page)
            prompt = above.prompt or len(_wrap(page.prompt)) < _LINES
            return 1 if above.told is not None and prompt else 2
        case NoticePage():
            face, lines = _wrap_notice(page.text, _measure_notice(page))
            return 1 if face.height * len(lines) <= _measure_notice(page) else 2
        case GridPage() if page.told:
            words = beside.as_list(page)
            return pages_of(words) if words else 2
        case WheelPage() | CountsPage():
            told = wrap(page.told, small(), WIDTH - _TOLD) if page.told else ()
            room = _ABOVE - is_tall(page.told, page.prompt)
            return 2 if told and len(told) + len(_wrap(page.prompt)) > room else 1
        case TextPage():
            return max(1, _count_screens(_wrap_text(page)))
        case TablePage():
            return max(1, bool(page.totals) + _count_note_pages(page) + len(_lay_rows(page)))
        case _:
            return 1


def _write_prompt(
    canvas: Image.Image, prompt: Sequence[str], aside: str = "", y: int = TOP, pitch: int = SMALL
) -> int:
    """Write lines from ``y``, with ``aside`` at the right end if the last leaves room.

    Return the top of the next line.
    """
    y = draw_lines(canvas, prompt, MARGIN, y, pitch)
    room = WIDTH - small().measure(aside)
    if prompt and small().measure(prompt[-1]) <= room - MARGIN - 4:
        small().write(canvas, room, y - pitch, aside)
    return y


def _draw_asked(canvas: Image.Image, page: WheelPage | CountsPage, aside: str = "") -> int:
    """Draw ``told`` and the prompt above a figure or counts, which leave two lines, or three closer ones;
    return the top of the figure or counts.
    """
    told = wrap(page.told, small(), WIDTH - _TOLD) if page.told else ()
    prompt = fold(page.prompt, WIDTH - MARGIN, 2)
    close = len(told) + len(prompt) >= _ABOVE and not is_tall(page.told, page.prompt)
    pitch, y = (_CLOSE, TOP - 2) if close else (SMALL, TOP)
    return max(_write_prompt(canvas, prompt, aside, _draw_told(canvas, told, y, pitch), pitch), TOP + SMALL)


# Choices --------------------------------------------------------------------------------------------------


def _draw_list(canvas: Image.Image, page: ListPage) -> None:
    above = _fit_above(page)
    if above.told is None:
        _write_text(canvas, _wrap(page.told), 0)
        return
    pitch, y = (SMALL, TOP) if above.lines == _LINES else (_CLOSE, TOP - 2)
    y = _draw_told(canvas, above.told, y, pitch)
    last, count = len(page.items) - 1, above.lines - len(above.told) - len(above.prompt)
    aside = f"{clamp(page.index, last) + 1}/{last + 1}" if last >= count else ""
    y = _write_prompt(canvas, above.prompt, aside, y, pitch)
    index = clamp(page.index, last)
    if page.items and len(Folded(page.items, WIDTH - GUTTER, page.grey)[index]) > _LINES:
        _draw_long(canvas, page.items[index], index in page.grey)
    else:
        draw_rows(canvas, page.items, index, 0, y, count, page.grey, min(SMALL, pitch + 1))


def _draw_told(canvas: Image.Image, told: Sequence[str], y: int, pitch: int = SMALL) -> int:
    """Draw ``told`` behind its bar; return the top of the next line."""
    end = draw_lines(canvas, told, _TOLD, y, pitch)
    if told:
        ImageDraw.Draw(canvas).rectangle((0, y + 2, 1, end - 2), fill=1)
    return end


def _draw_long(canvas: Image.Image, item: str, grey: bool) -> None:
    """Draw an item that needs more than all lines: over the whole body, its lines closer together.

    A still longer one, such as an entry of many figures, ends in an ellipsis: OK shows it whole.
    """
    count = _LINES + (not is_tall(item))
    lines = fold(f"({item})" if grey else item, WIDTH - MARGIN - 1, count)
    draw_box(canvas, 0, TOP - 1, WIDTH, HEIGHT - TOP + 1, fill=not grey)
    for line, text in enumerate(lines):
        small().write(canvas, MARGIN, TOP - 2 + line * (HEIGHT - TOP - 10) // (count - 1), text, int(grey))


def _wrap(text: str) -> tuple[str, ...]:
    return wrap(text, small(), WIDTH - MARGIN) if text else ()


class _Above(msgspec.Struct, frozen=True):
    """The lines above a list's items, of all ``lines`` of the body; ``told`` is None if there is no room."""

    lines: int
    told: tuple[str, ...] | None
    prompt: tuple[str, ...]


def _fit_above(page: ListPage) -> _Above:
    """Fit ``told`` and the prompt above the item with the cursor, which is shown whole.

    Below ``told`` stand two lines of items, if there are two: to make room lines move closer, then verbs do
    without their prompt. Without ``told``, too, lines move closer before the prompt gives way.
    """
    index = clamp(page.index, len(page.items) - 1)
    item = len(Folded(page.items, WIDTH - GUTTER, page.grey)[index]) if page.items else 1
    prompt = _wrap(page.prompt)
    heights = (_LINES,) if is_tall(page.told, page.prompt, *page.items) else (_LINES, _LINES + 1)
    if not page.told:
        whole = (lines for lines in heights if len(prompt) + item <= lines)
        return next((_Above(lines, (), prompt) for lines in whole), _Above(_LINES, (), ()))
    told = wrap(page.told, small(), WIDTH - _TOLD)
    least = 2 if len(heights) > 1 else 1  # of items, if lines may stand closer
    room = max(item, min(least, len(page.items)))
    for asked in (prompt, ()) if page.spoken else (prompt,):
        for lines in heights:
            if len(told) + len(asked) + room <= lines:
                return _Above(lines, told, asked)
    return _Above(_LINES, None, ())


def _draw_figure(canvas: Image.Image, text: str, centre: int, room: int, top: int) -> tuple[int, int]:
    """Draw a framed figure in the middle of the body below ``top``; return the frame's left and right."""
    face = large() if large().measure(text) <= room else small()
    lines = [text] if face.height == LARGE else fold(text, room, 2)
    width = max(*map(face.measure, lines), 2 * large().cell) + 8
    left = centre - width // 2
    middle = (top + HEIGHT) // 2
    height = min(30, HEIGHT - top)
    draw_box(canvas, left, middle - height // 2, width, height, fill=False)
    y = middle - len(lines) * face.height // 2
    for line in lines:
        face.write(canvas, left + (width - face.measure(line)) // 2, y, line)
        y += face.height
    return left, left + width


def _draw_wheel(canvas: Image.Image, page: WheelPage) -> None:
    top, items = _draw_asked(canvas, page), page.items
    if not items:
        return
    index = clamp(page.index, len(items) - 1)
    left, right = _draw_figure(canvas, items[index], WIDTH // 2, WIDTH - 32, top)
    gap, edge, middle = 7, 6, (top + HEIGHT) // 2
    measure = small().measure
    before, after = list(items[:index]), list(items[index + 1 :])
    while before and left - gap - measure(before[-1]) >= (edge if before[1:] else 0):
        text = before.pop()
        left -= gap + measure(text)
        small().write(canvas, left, middle - SMALL // 2, text)
    while after and right + gap + measure(after[0]) <= WIDTH - (edge if after[1:] else 0):
        text = after.pop(0)
        right = small().write(canvas, right + gap, middle - SMALL // 2, text)
    if before:
        stamp(canvas, 0, middle - 4, marks.draw_arrow("left"))
    if after:
        stamp(canvas, WIDTH - 4, middle - 4, marks.draw_arrow("right"))


def _draw_counts(canvas: Image.Image, page: CountsPage) -> None:
    ends = [page.more, page.done] if page.caps else [page.done]
    last = len(page.labels) + len(ends) - 1
    index = clamp(page.index, last)
    if page.editing and index < len(page.labels):
        _draw_count(canvas, page, index)
        return
    top = _draw_asked(canvas, page, f"= {sum(page.counts)}")
    lines = (HEIGHT - top) // SMALL
    figures = [str(count) for count in page.counts]
    cells = [*zip(page.labels, figures, strict=True), *((end, "") for end in ends)]
    rows = _lay_grid(page.labels, figures, len(cells), lines, page.more) or _lay_flow(cells)
    here = next(row for row, places in enumerate(rows) if index in places)
    first = clamp(here - 1, max(0, len(rows) - lines))
    for row, places in enumerate(rows[first : first + lines]):
        y = top + row * SMALL
        for cell, (x, width) in places.items():
            ink = 0 if cell == index else 1
            if cell == index:
                draw_box(canvas, x, y, width, SMALL, fill=True)
            label, figure = cells[cell]
            right = x + width - 1 - small().measure(figure)
            small().write(canvas, right, y, figure, ink)
            small().write(canvas, x + MARGIN, y, cut(label, small(), right - x - MARGIN - 3), ink)
    draw_arrows(canvas, top, lines, above=first > 0, below=first + lines < len(rows))


_Row = dict[int, tuple[int, int]]
"""The left edge of each cell of a row, and its width, in px."""


def _lay_grid(labels: Sequence[str], figures: Sequence[str], count: int, lines: int, more: str) -> list[_Row]:
    """Lay ``count`` cells into the fewest columns that need at most ``lines`` lines; no rows if none do.

    A cell is no wider than its text, so that a figure stands nearer to its own label than to the next.
    """
    measure = small().measure
    figure = max((measure(text) for text in figures), default=0)
    width = max([measure(more) + 3, *(measure(label) + 5 + figure for label in labels)]) + MARGIN + 1
    for columns in range(1, 5):
        stride = (WIDTH + _GAP) // columns
        if stride - _GAP >= width and count <= lines * columns:
            starts = range(0, count, columns)
            return [
                {cell: ((cell - start) * stride, width) for cell in range(start, min(start + columns, count))}
                for start in starts
            ]
    return []


def _lay_flow(cells: Sequence[tuple[str, str]]) -> list[_Row]:
    """Lay cells one after the other like words, each as wide as its text, beside the arrows of a list."""
    measure, room = small().measure, WIDTH - GUTTER
    rows: list[_Row] = [{}]
    x = 0
    for number, (label, figure) in enumerate(cells):
        width = min(measure(label) + 4 + measure(figure) + MARGIN + 1, room)
        if x + width > room:
            rows.append({})
            x = 0
        rows[-1][number] = x, width
        x += width + _GAP
    return rows


def _draw_count(canvas: Image.Image, page: CountsPage, index: int) -> None:
    """Draw one count that is turned up or down: its label, and the figure large between two arrows."""
    top = _draw_asked(canvas, page, f"= {sum(page.counts)}")
    caps = [f"≤ {page.caps[index]}"] if index < len(page.caps) else []
    label = fold(page.labels[index], _LABEL, (HEIGHT - top) // SMALL - len(caps))
    y = HEIGHT - SMALL * max(2, len(label) + len(caps))
    _write_prompt(canvas, (*label, *caps), y=y)
    left, right = _draw_figure(canvas, str(page.counts[index]), WIDTH - 33, 36, top)
    middle = (top + HEIGHT) // 2 - 4
    stamp(canvas, left - 7, middle, marks.draw_arrow("left"))
    stamp(canvas, right + 3, middle, marks.draw_arrow("right"))


# Texts ----------------------------------------------------------------------------------------------------


def _wrap_text(page: TextPage) -> tuple[str, ...]:
    """Return the lines of a text; the last screen has room for the sign that it stays until OK."""
    lines = _wrap(page.text)
    full = len(lines) % _LINES == 0 and lines[-1:]
    taken = page.until_ok and full and MARGIN + small().measure(full[0]) + _GAP > WIDTH - _measure_ok()
    return (*lines, "") if taken else lines


def _measure_ok() -> int:
    return small().measure(_OK) + 2 * MARGIN


def _draw_ok(canvas: Image.Image) -> None:
    """Draw OK in the lower right corner, bright as a chosen line."""
    width = _measure_ok()
    draw_box(canvas, WIDTH - width, HEIGHT - SMALL, width, SMALL, fill=True)
    small().write(canvas, WIDTH - width + MARGIN, HEIGHT - SMALL, _OK, 0)


def _count_screens(lines: Sequence[str]) -> int:
    return -(-len(lines) // _LINES)


def _write_text(canvas: Image.Image, lines: Sequence[str], number: int) -> None:
    """Draw one screen of a text."""
    draw_lines(canvas, lines[_LINES * number :][:_LINES], MARGIN, TOP)


def _draw_notice(canvas: Image.Image, page: NoticePage) -> None:
    bar = page.fraction >= 0
    room = _measure_notice(page)
    face, lines = _wrap_notice(page.text, room)
    if len(lines) * face.height > room:
        lines = fold(page.text, WIDTH - 4, room // SMALL)
    ink = 0 if page.urgent else 1
    ImageDraw.Draw(canvas).rectangle(
        (0, SMALL - 1, WIDTH - 1, HEIGHT - 1), outline=1, fill=1 if page.urgent else None
    )
    y = TOP - 1 + (room - face.height * len(lines)) // 2 + bar
    for line in lines:
        face.write(canvas, (WIDTH - face.measure(line)) // 2, y, line, ink)
        y += face.height
    if bar:
        pen = ImageDraw.Draw(canvas)
        left, right, y = 6, WIDTH - 7, HEIGHT - 9
        pen.rectangle((left, y, right, y + 5), outline=ink)
        filled = round(min(page.fraction, 1.0) * (right - left - 3))
        if filled:
            pen.rectangle((left + 2, y + 2, left + 1 + filled, y + 3), fill=ink)


def _measure_notice(page: NoticePage) -> int:
    return (_LINES - (page.fraction >= 0)) * SMALL


def _wrap_notice(text: str, height: int) -> tuple[Font, Sequence[str]]:
    """Break a notice into lines: in large letters if its words stay whole, else in small ones."""
    words = text.split()
    lines = balance(text, large(), WIDTH - 4)
    if len(lines) * LARGE <= height and all(large().measure(word) <= WIDTH - 4 for word in words):
        return large(), lines
    return small(), balance(text, small(), WIDTH - 4)


# Tables ---------------------------------------------------------------------------------------------------


def _draw_table(canvas: Image.Image, page: TablePage) -> None:
    number = clamp(page.page, pages_of(page) - 1)
    if page.totals:
        if number == 0:
            _draw_totals(canvas, page.columns, page.totals)
            return
        number -= 1
    if number < _count_note_pages(page):
        _write_text(canvas, _wrap(page.note), number)
        return
    number -= _count_note_pages(page)
    label, figure = _measure_columns(page)
    for column, name in enumerate(shorten_names(page.columns, small(), figure - _GAP), 1):
        _write_right(canvas, label + column * figure, TOP, name)
    y = TOP + SMALL
    for lines, figures in _lay_rows(page)[number] if page.rows else ():
        y = draw_lines(canvas, lines, MARGIN, y)
        for column, text in enumerate(figures, 1):
            _write_right(canvas, label + column * figure, y - SMALL, text)


def _lay_rows(page: TablePage) -> list[list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    """Return the rows screen by screen, three lines each: a label in all the lines it needs, and figures."""
    room = _measure_columns(page)[0]  # the margin stands in the gap before the figures
    screens: list[list[tuple[tuple[str, ...], tuple[str, ...]]]] = []
    left = 0
    for label, *figures in page.rows:
        lines = wrap(label, small(), max(room, small().cell))
        if len(lines) > 2:  # over the whole width, above the figures
            lines = (*fold(label, WIDTH - MARGIN, 2), "")
        if len(lines) > left:
            screens.append([])
            left = 3
        screens[-1].append((lines, tuple(figures)))
        left -= len(lines)
    return screens


def _count_note_pages(page: TablePage) -> int:
    return _count_screens(_wrap(page.note))


def _write_right(canvas: Image.Image, right: int, y: int, text: str) -> None:
    small().write(canvas, right - small().measure(text), y, text)


def _measure_columns(page: TablePage) -> tuple[int, int]:
    """Return the width of the labels and of each figure column, px.

    Figures stay whole first, then labels or at least their words, then names.
    """
    measure, count = small().measure, max(len(page.columns), 1)
    least = max([measure("n"), *(measure(text) for row in page.rows for text in row[1:])]) + _GAP
    wish = max([least, *(measure(name) + _GAP for name in page.columns)])
    labels = [row[0] for row in page.rows if row]
    for texts in (labels, [word for label in labels for word in label.split()]):
        figure = min(wish, (WIDTH - max(map(measure, texts), default=0)) // count)
        if figure >= max(least, measure("nnn") + _GAP):
            break
    figure = min(max(least, figure), WIDTH // count)
    return WIDTH - count * figure, figure


def _draw_totals(canvas: Image.Image, names: Sequence[str], totals: Sequence[str]) -> None:
    """Draw final figures at 24 px: up to three side by side below their names, more in two rows beside."""
    count = len(totals)
    across = count if count <= 3 else -(-count // 2)
    rule = 3 if count > 3 else 0
    cell = (WIDTH + rule) // across - rule
    faces = [large() if large().measure(total) <= cell else small() for total in totals]
    widths = [face.measure(total) for face, total in zip(faces, totals, strict=True)]
    room = cell - 2 if count <= 3 else cell - max(widths)
    titles = shorten_names(names[:count], small(), room)
    for i, (face, total, width) in enumerate(zip(faces, totals, widths, strict=True)):
        title = titles[i] if i < len(titles) else ""
        x, y = i % across * (cell + rule), TOP + i // across * LARGE
        if count <= 3:
            small().write(canvas, x + (cell - small().measure(title)) // 2, TOP + 3, title)
            face.write(canvas, x + (cell - width) // 2, TOP + 16, total)
        else:
            face.write(canvas, x + cell - width, y + (LARGE - face.height) // 2, total)
            small().write(canvas, x, y + 8, title)
            if x:
                ImageDraw.Draw(canvas).line((x - 2, TOP + 1, x - 2, HEIGHT - 1), fill=1)
