"""Pages as pixels: the whole look of the 128×64 display, as one pure function.

Everything is laid out on a canvas of 125×61 px, which :func:`draw` then places 0 to 3 px from the upper left
corner: the picture can wander against burn-in and no text is ever clipped. From the top:

* the header, one 12 px line over a rule: whose turn, scores, and the mark of the last entry;
* the body, 48 px: four lines of 12 px, or two of 24 px, or a prompt over a figure of 24 px.

A board beside its text is in :mod:`device.screen.pixels.grid`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PIL import Image, ImageDraw

from device.screen import (
    CountsPage,
    CropPage,
    GridPage,
    ListPage,
    Mark,
    NoticePage,
    Page,
    TablePage,
    TextPage,
    WheelPage,
)
from device.screen.pixels import crop, grid, marks
from device.screen.pixels.canvas import (
    GUTTER,
    HEIGHT,
    MARGIN,
    SHIFT,
    SIZE,
    TOP,
    WIDTH,
    Folded,
    arrows,
    box,
    clamp,
    header,
    large,
    rows,
    small,
    stamp,
    unsaved,
)
from device.screen.pixels.fit import ELLIPSIS, balance, cut, shorten, wrap
from device.screen.pixels.fonts import LARGE, SMALL, Font

_LINES = 4  # of the body
_TOLD = 4  # left of what was told, behind its bar
_GAP = 4  # between cells side by side
_DONE = "done"


def draw(page: Page, shift: tuple[int, int] = (0, 0)) -> Image.Image:
    """A page as the display shows it: a picture of mode ``"1"``, 128×64, 1 being lit.

    ``shift`` moves the whole picture right and down, 0 to 3 px each. Indices and page numbers outside the
    page are clamped. Raises :class:`ValueError` for any other shift.
    """
    if not all(0 <= step <= SHIFT for step in shift):
        raise ValueError(f"shift {shift} is not within 0 to {SHIFT} px")
    canvas = Image.new("1", (WIDTH, HEIGHT))
    last = pages_of(page) - 1
    if isinstance(page, GridPage):
        page = grid.as_list(page) or page
    if isinstance(page, GridPage):
        grid.draw(canvas, page)
    else:
        shown = page.header
        if last and isinstance(page, TextPage | TablePage):
            shown = msgspec.structs.replace(shown, right=f"{clamp(page.page, last) + 1}/{last + 1}")
        header(canvas, shown)
    match page:
        case ListPage():
            _list(canvas, page)
        case WheelPage():
            _prompt(canvas, page.prompt)
            _wheel(canvas, page.items, page.index)
        case CropPage():
            crop.draw(canvas, page)
        case CountsPage():
            _counts(canvas, page)
        case TextPage():
            _text(canvas, page.text, clamp(page.page, pages_of(page) - 1))
        case TablePage():
            _table(canvas, page)
        case NoticePage():
            _notice(canvas, page)
    if page.header.mark is Mark.SAVING:
        unsaved(canvas, page.header)
    image = Image.new("1", SIZE)
    image.paste(canvas, shift)
    return image


def pages_of(page: Page) -> int:
    """How many screens a page takes, at least 1; only texts and tables take more, and a page that told
    something for which it has no room.
    """
    match page:
        case ListPage():
            return 1 if _above(page)[0] is not None else 2
        case GridPage() if page.told:
            words = grid.as_list(page)
            return pages_of(words) if words else 2
        case TextPage():
            return max(1, _screens(page.text))
        case TablePage():
            return max(1, bool(page.totals) + _pages_of_note(page) + -(-len(page.rows) // 3))
        case _:
            return 1


def _prompt(canvas: Image.Image, prompt: str, aside: str = "") -> None:
    """The line under the header; ``aside`` stands at its right end where the prompt leaves room."""
    room = WIDTH - small().measure(aside)
    if aside and small().measure(prompt) <= room - MARGIN - 4:
        small().write(canvas, room, TOP, aside)
    small().write(canvas, MARGIN, TOP, shorten(prompt, small(), WIDTH - MARGIN))


# Choices --------------------------------------------------------------------------------------------------


def _list(canvas: Image.Image, page: ListPage) -> None:
    told, prompt = _above(page)
    if told is None:
        _text(canvas, page.told, 0)
        return
    y = TOP
    if told:
        ImageDraw.Draw(canvas).rectangle((0, TOP + 1, 1, TOP + len(told) * SMALL - 2), fill=1)
    for line in told:
        small().write(canvas, _TOLD, y, line)
        y += SMALL
    for line in prompt:
        small().write(canvas, MARGIN, y, line)
        y += SMALL
    count = (HEIGHT - y) // SMALL
    last = len(page.items) - 1
    place = f"{clamp(page.index, last) + 1}/{last + 1}"
    room = WIDTH - small().measure(place)
    if prompt and last >= count and small().measure(prompt[-1]) <= room - MARGIN - 4:
        small().write(canvas, room, y - SMALL, place)
    rows(canvas, page.items, page.index, 0, y, count, page.grey)


def _above(page: ListPage) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """The lines of what was told and of the prompt, above the item with the cursor, which is whole.

    None for what was told where there is no room for it. The prompt gives way to it.
    """
    index = clamp(page.index, len(page.items) - 1)
    item = Folded(page.items, WIDTH - GUTTER, page.grey)[index] if page.items else ()
    room = _LINES - max(1, len(item))
    told = wrap(page.told, small(), WIDTH - _TOLD) if page.told else ()
    if len(told) > room:
        return None, ()
    prompt = wrap(page.prompt, small(), WIDTH - MARGIN) if page.prompt else ()
    if len(prompt) > room - len(told):
        return told, ()
    return told, prompt


def _figure(canvas: Image.Image, text: str, centre: int, room: int) -> tuple[int, int]:
    """A framed figure in the middle of the lower body; gives the frame's left and right."""
    face = large() if large().measure(text) <= room else small()
    text = shorten(text, face, room)
    width = max(face.measure(text), 2 * large().cell) + 8
    left = centre - width // 2
    middle = TOP + SMALL + 3 * SMALL // 2
    box(canvas, left, middle - 15, width, 30, fill=False)
    face.write(canvas, left + (width - face.measure(text)) // 2, middle - face.height // 2, text)
    return left, left + width


def _wheel(canvas: Image.Image, items: Sequence[str], index: int) -> None:
    if not items:
        return
    index = clamp(index, len(items) - 1)
    left, right = _figure(canvas, items[index], WIDTH // 2, WIDTH - 32)
    gap, edge, y = 7, 6, TOP + SMALL + SMALL
    middle = TOP + SMALL + 3 * SMALL // 2 - 4
    measure = small().measure
    before, after = list(items[:index]), list(items[index + 1 :])
    while before and left - gap - measure(before[-1]) >= (edge if before[1:] else 0):
        text = before.pop()
        left -= gap + measure(text)
        small().write(canvas, left, y, text)
    while after and right + gap + measure(after[0]) <= WIDTH - (edge if after[1:] else 0):
        text = after.pop(0)
        right = small().write(canvas, right + gap, y, text)
    if before:
        stamp(canvas, 0, middle, marks.arrow("left"))
    if after:
        stamp(canvas, WIDTH - 4, middle, marks.arrow("right"))


def _counts(canvas: Image.Image, page: CountsPage) -> None:
    ends = [_DONE, ELLIPSIS] if page.caps else [_DONE]
    last = len(page.labels) + len(ends) - 1
    index = clamp(page.index, last)
    if page.editing and index < len(page.labels):
        _count(canvas, page, index)
        return
    _prompt(canvas, page.prompt, f"= {sum(page.counts)}")
    figures = [str(count) for count in page.counts]
    cells = [*zip(page.labels, figures, strict=True), *((end, "") for end in ends)]
    columns, stride, width = _grid(page.labels, figures, len(cells))
    last_row = last // columns
    first = clamp(index // columns - 1, max(0, last_row - 2))
    top = TOP + SMALL
    for cell in range(first * columns, min((first + 3) * columns, len(cells))):
        x, y = cell % columns * stride, top + (cell // columns - first) * SMALL
        ink = 0 if cell == index else 1
        if cell == index:
            box(canvas, x, y, width, SMALL, fill=True)
        label, figure = cells[cell]
        right = x + width - 1 - small().measure(figure)
        small().write(canvas, right, y, figure, ink)
        small().write(canvas, x + MARGIN, y, cut(label, small(), right - x - MARGIN - 3), ink)
    arrows(canvas, top, 3, above=first > 0, below=first + 2 < last_row)


def _grid(labels: Sequence[str], figures: Sequence[str], count: int) -> tuple[int, int, int]:
    """How many cells of ``count`` stand side by side, their distance and width in px: the fewest columns that
    need no scrolling.

    A cell is no wider than its text, so that a figure stands nearer to its own label than to the next.
    """
    measure = small().measure
    figure = max((measure(text) for text in figures), default=0)
    width = max([measure(_DONE) + 3, *(measure(label) + 5 + figure for label in labels)]) + MARGIN + 1
    for columns in range(1, 5):
        stride = (WIDTH + _GAP) // columns
        if stride - _GAP >= width and count <= 3 * columns:
            return columns, stride, width
    room = WIDTH - GUTTER + _GAP
    columns = max(1, room // (width + _GAP))
    return columns, room // columns, min(width, room - _GAP)


def _count(canvas: Image.Image, page: CountsPage, index: int) -> None:
    """One count being turned up or down: its label, and the figure large between two arrows."""
    _prompt(canvas, page.prompt, f"= {sum(page.counts)}")
    small().write(canvas, MARGIN, TOP + 2 * SMALL, shorten(page.labels[index], small(), 60))
    if index < len(page.caps):
        small().write(canvas, MARGIN, TOP + 3 * SMALL, f"≤ {page.caps[index]}")
    left, right = _figure(canvas, str(page.counts[index]), WIDTH - 33, 36)
    middle = TOP + SMALL + 3 * SMALL // 2 - 4
    stamp(canvas, left - 7, middle, marks.arrow("left"))
    stamp(canvas, right + 3, middle, marks.arrow("right"))


# Texts ----------------------------------------------------------------------------------------------------


def _screens(text: str) -> int:
    return -(-len(wrap(text, small(), WIDTH - MARGIN)) // 4)


def _text(canvas: Image.Image, text: str, number: int) -> None:
    """One screen of a text."""
    for row, line in enumerate(wrap(text, small(), WIDTH - MARGIN)[4 * number : 4 * number + 4]):
        small().write(canvas, MARGIN, TOP + row * SMALL, line)


def _notice(canvas: Image.Image, page: NoticePage) -> None:
    bar = page.fraction >= 0
    face, lines = _notice_lines(page.text, 36 if bar else 4 * SMALL)
    height = face.height * len(lines)
    ink = 0 if page.urgent else 1
    ImageDraw.Draw(canvas).rectangle(
        (0, SMALL - 1, WIDTH - 1, HEIGHT - 1), outline=1, fill=1 if page.urgent else None
    )
    y = TOP - 1 + ((36 if bar else 4 * SMALL) - height) // 2 + bar
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


def _notice_lines(text: str, height: int) -> tuple[Font, Sequence[str]]:
    """A short notice in large letters where its words stay whole, a longer one in small letters."""
    words = text.split()
    lines = balance(text, large(), WIDTH - 4)
    if len(lines) * LARGE <= height and all(large().measure(word) <= WIDTH - 4 for word in words):
        return large(), lines
    lines = balance(text, small(), WIDTH - 4)
    room = height // SMALL
    if len(lines) > room:
        last = lines[room - 1]
        while " " in last and small().measure(last + ELLIPSIS) > WIDTH - 4:
            last = last.rpartition(" ")[0]
        lines = (*lines[: room - 1], cut(last + ELLIPSIS, small(), WIDTH - 4))
    return small(), lines


# Tables ---------------------------------------------------------------------------------------------------


def _table(canvas: Image.Image, page: TablePage) -> None:
    number = clamp(page.page, pages_of(page) - 1)
    if page.totals:
        if number == 0:
            _totals(canvas, page.columns, page.totals)
            return
        number -= 1
    if number < _pages_of_note(page):
        _text(canvas, page.note, number)
        return
    number -= _pages_of_note(page)
    count = max(len(page.columns), 1)
    label, figure = _table_widths(page, count)
    for column, name in enumerate(page.columns):
        _right(canvas, label + (column + 1) * figure, TOP, cut(name, small(), figure - 4, mark=""))
    for row, (name, *figures) in enumerate(page.rows[3 * number : 3 * number + 3]):
        y = TOP + (row + 1) * SMALL
        small().write(canvas, MARGIN, y, cut(name, small(), label, mark=""))
        for column, text in enumerate(figures):
            _right(canvas, label + (column + 1) * figure, y, shorten(text, small(), figure))


def _pages_of_note(page: TablePage) -> int:
    return _screens(page.note) if page.note else 0


def _right(canvas: Image.Image, right: int, y: int, text: str) -> None:
    small().write(canvas, right - small().measure(text), y, text)


def _table_widths(page: TablePage, count: int) -> tuple[int, int]:
    """Width of the labels and of each figure column, px: figures whole, then labels, then names."""
    measure = small().measure
    least = max([measure("nn"), *(measure(text) for row in page.rows for text in row[1:])]) + 4
    wish = max([least, *(measure(name) + 4 for name in page.columns)])
    labels = max((measure(row[0]) for row in page.rows if row), default=0)
    figure = min(max(least, min(wish, (WIDTH - labels) // count)), WIDTH // count)
    return max(0, WIDTH - count * figure), figure


def _totals(canvas: Image.Image, names: Sequence[str], totals: Sequence[str]) -> None:
    """Final figures at 24 px: up to three side by side under their names, more in two rows beside them."""
    count = len(totals)
    across = count if count <= 3 else -(-count // 2)
    rule = 3 if count > 3 else 0
    cell = (WIDTH + rule) // across - rule
    for i, total in enumerate(totals):
        name = names[i] if i < len(names) else ""
        x, y = i % across * (cell + rule), TOP + i // across * LARGE
        face = large() if large().measure(total) <= cell else small()
        figure = shorten(total, face, cell)
        width = face.measure(figure)
        if count <= 3:
            title = cut(name, small(), cell - 2)
            small().write(canvas, x + (cell - small().measure(title)) // 2, TOP + 3, title)
            face.write(canvas, x + (cell - width) // 2, TOP + 16, figure)
        else:
            face.write(canvas, x + cell - width, y + (LARGE - face.height) // 2, figure)
            small().write(canvas, x, y + 8, cut(name, small(), cell - width, mark=""))
            if x:
                ImageDraw.Draw(canvas).line((x - 2, TOP + 1, x - 2, HEIGHT - 1), fill=1)
