"""Pages as pixels: the whole look of the 128×64 display, as one pure function.

Everything is laid out on a canvas of 125×61 px, which :func:`draw` then places 0 to 3 px from the upper left
corner: the picture can wander against burn-in and no text is ever clipped. From the top:

* the header, one 12 px line over a rule: whose turn, scores, and the mark of the last entry;
* the body, 48 px: four lines of 12 px, or two of 24 px, or a prompt over a figure of 24 px.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec
from PIL import Image, ImageDraw

from device.pages import CountsPage, Header, ListPage, NoticePage, Page, TablePage, TextPage, WheelPage
from device.screen import marks
from device.screen.fit import ELLIPSIS, balance, cut, shorten, wrap
from device.screen.fonts import LARGE, SMALL, Font, font

SIZE = (128, 64)
SHIFT = 3  # px the canvas can wander, both ways
WIDTH, HEIGHT = SIZE[0] - SHIFT, SIZE[1] - SHIFT
TOP = HEIGHT - 4 * SMALL  # of the body

_MARGIN = 2  # left of all text
_GUTTER = 9  # right of a list that goes on, for its arrows
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
    header = page.header
    if last and isinstance(page, TextPage | TablePage):
        header = msgspec.structs.replace(header, right=f"{_clamp(page.page, last) + 1}/{last + 1}")
    _header(canvas, header)
    match page:
        case ListPage():
            _list(canvas, page)
        case WheelPage():
            _prompt(canvas, page.prompt)
            _wheel(canvas, page.items, page.index)
        case CountsPage():
            _counts(canvas, page)
        case TextPage():
            _text(canvas, page)
        case TablePage():
            _table(canvas, page)
        case NoticePage():
            _notice(canvas, page)
    image = Image.new("1", SIZE)
    image.paste(canvas, shift)
    return image


def pages_of(page: Page) -> int:
    """How many screens a page takes, at least 1; only texts and tables take more."""
    match page:
        case TextPage():
            return max(1, -(-len(_text_lines(page)) // 4))
        case TablePage():
            return max(1, bool(page.totals) + -(-len(page.rows) // 3))
        case _:
            return 1


def _clamp(index: int, last: int) -> int:
    return max(0, min(index, last))


def _small() -> Font:
    return font(SMALL)


def _large() -> Font:
    return font(LARGE)


def _box(canvas: Image.Image, x: int, y: int, width: int, height: int, *, fill: bool) -> None:
    """A rectangle with its corner dots left out, so that it looks round; filled or one dot wide."""
    pen = ImageDraw.Draw(canvas)
    right, bottom = x + width - 1, y + height - 1
    pen.rectangle((x, y, right, bottom), outline=1, fill=1 if fill else None)
    pen.point([(x, y), (right, y), (x, bottom), (right, bottom)], fill=0)


def _stamp(canvas: Image.Image, x: int, y: int, sign: Image.Image, ink: int = 1) -> None:
    canvas.paste(ink, (x, y, x + sign.width, y + sign.height), sign)


# Header ---------------------------------------------------------------------------------------------------


def _header(canvas: Image.Image, header: Header) -> None:
    write = partial(_small().write, canvas)
    measure = _small().measure
    ImageDraw.Draw(canvas).line((0, SMALL - 1, WIDTH - 1, SMALL - 1), fill=1)
    sign = marks.mark(header.mark)
    if sign:
        _stamp(canvas, WIDTH - marks.WIDTH, 1, sign)
    # The mark's place stays free, so that the scores do not jump when it comes and goes.
    right = WIDTH - marks.WIDTH - 3
    warning = cut(f"!{header.warning}", _small(), 54) if header.warning else ""
    for word in ("SIM" if header.simulated else "", warning):
        if word:
            width = measure(word) + 3
            right -= width
            _box(canvas, right, 0, width, SMALL - 2, fill=True)
            write(right + 2, -1, word, 0)
            right -= 3
    # Half of the scores would look like all of them: whole, or not at all.
    start = right - measure(header.right)
    if header.right and start >= _MARGIN + min(measure(header.left), measure("nn")) + 4:
        write(start, -1, header.right)
        right = start - 4
    write(_MARGIN, -1, cut(header.left, _small(), right - _MARGIN))


def _prompt(canvas: Image.Image, prompt: str, aside: str = "") -> None:
    """The line under the header; ``aside`` stands at its right end where the prompt leaves room."""
    room = WIDTH - _small().measure(aside)
    if aside and _small().measure(prompt) <= room - _MARGIN - 4:
        _small().write(canvas, room, TOP, aside)
    _small().write(canvas, _MARGIN, TOP, shorten(prompt, _small(), WIDTH - _MARGIN))


# Choices --------------------------------------------------------------------------------------------------


def _list(canvas: Image.Image, page: ListPage) -> None:
    rows = 3 if page.prompt else 4
    last = len(page.items) - 1
    index = _clamp(page.index, last)
    first = _clamp(index - rows // 2, max(0, last + 1 - rows))
    top = TOP
    if page.prompt:
        _prompt(canvas, page.prompt, f"{index + 1}/{last + 1}" if last >= rows else "")
        top += SMALL
    width = WIDTH - _GUTTER if last >= rows else WIDTH
    for row, item in enumerate(page.items[first : first + rows]):
        chosen = first + row == index
        y = top + row * SMALL
        if chosen:
            _box(canvas, 0, y, width, SMALL, fill=True)
        text = shorten(item, _small(), width - _MARGIN - 1)
        _small().write(canvas, _MARGIN, y, text, 0 if chosen else 1)
    _arrows(canvas, top, rows, above=first > 0, below=first + rows <= last)


def _arrows(canvas: Image.Image, top: int, rows: int, *, above: bool, below: bool) -> None:
    if above:
        _stamp(canvas, WIDTH - 7, top + 4, marks.arrow("up"))
    if below:
        _stamp(canvas, WIDTH - 7, top + rows * SMALL - 8, marks.arrow("down"))


def _figure(canvas: Image.Image, text: str, centre: int, room: int) -> tuple[int, int]:
    """A framed figure in the middle of the lower body; gives the frame's left and right."""
    face = _large() if _large().measure(text) <= room else _small()
    text = shorten(text, face, room)
    width = max(face.measure(text), 2 * _large().cell) + 8
    left = centre - width // 2
    middle = TOP + SMALL + 3 * SMALL // 2
    _box(canvas, left, middle - 15, width, 30, fill=False)
    face.write(canvas, left + (width - face.measure(text)) // 2, middle - face.height // 2, text)
    return left, left + width


def _wheel(canvas: Image.Image, items: Sequence[str], index: int) -> None:
    if not items:
        return
    index = _clamp(index, len(items) - 1)
    left, right = _figure(canvas, items[index], WIDTH // 2, WIDTH - 32)
    gap, edge, y = 7, 6, TOP + SMALL + SMALL
    middle = TOP + SMALL + 3 * SMALL // 2 - 4
    measure = _small().measure
    before, after = list(items[:index]), list(items[index + 1 :])
    while before and left - gap - measure(before[-1]) >= (edge if before[1:] else 0):
        text = before.pop()
        left -= gap + measure(text)
        _small().write(canvas, left, y, text)
    while after and right + gap + measure(after[0]) <= WIDTH - (edge if after[1:] else 0):
        text = after.pop(0)
        right = _small().write(canvas, right + gap, y, text)
    if before:
        _stamp(canvas, 0, middle, marks.arrow("left"))
    if after:
        _stamp(canvas, WIDTH - 4, middle, marks.arrow("right"))


def _counts(canvas: Image.Image, page: CountsPage) -> None:
    index = _clamp(page.index, len(page.labels))
    if page.editing and index < len(page.labels):
        _count(canvas, page, index)
        return
    _prompt(canvas, page.prompt, f"= {sum(page.counts)}")
    figures = [str(count) for count in page.counts]
    columns, stride, width = _grid(page.labels, figures)
    last_row = len(page.labels) // columns
    first = _clamp(index // columns - 1, max(0, last_row - 2))
    top = TOP + SMALL
    for cell in range(first * columns, min((first + 3) * columns, len(page.labels) + 1)):
        x, y = cell % columns * stride, top + (cell // columns - first) * SMALL
        ink = 0 if cell == index else 1
        if cell == index:
            _box(canvas, x, y, width, SMALL, fill=True)
        label, figure = (page.labels[cell], figures[cell]) if cell < len(page.labels) else (_DONE, "")
        right = x + width - 1 - _small().measure(figure)
        _small().write(canvas, right, y, figure, ink)
        _small().write(canvas, x + _MARGIN, y, cut(label, _small(), right - x - _MARGIN - 3), ink)
    _arrows(canvas, top, 3, above=first > 0, below=first + 2 < last_row)


def _grid(labels: Sequence[str], figures: Sequence[str]) -> tuple[int, int, int]:
    """How many cells stand side by side, their distance and width in px: the fewest that need no scrolling.

    A cell is no wider than its text, so that a figure stands nearer to its own label than to the next.
    """
    measure = _small().measure
    figure = max((measure(text) for text in figures), default=0)
    width = max([measure(_DONE) + 3, *(measure(label) + 5 + figure for label in labels)]) + _MARGIN + 1
    for columns in range(1, 5):
        stride = (WIDTH + _GAP) // columns
        if stride - _GAP >= width and len(labels) < 3 * columns:
            return columns, stride, width
    room = WIDTH - _GUTTER + _GAP
    columns = max(1, room // (width + _GAP))
    return columns, room // columns, min(width, room - _GAP)


def _count(canvas: Image.Image, page: CountsPage, index: int) -> None:
    """One count being turned up or down: its label, and the figure large between two arrows."""
    _prompt(canvas, page.prompt, f"= {sum(page.counts)}")
    _small().write(canvas, _MARGIN, TOP + 2 * SMALL, shorten(page.labels[index], _small(), 60))
    left, right = _figure(canvas, str(page.counts[index]), WIDTH - 33, 36)
    middle = TOP + SMALL + 3 * SMALL // 2 - 4
    _stamp(canvas, left - 7, middle, marks.arrow("left"))
    _stamp(canvas, right + 3, middle, marks.arrow("right"))


# Texts ----------------------------------------------------------------------------------------------------


def _text_lines(page: TextPage) -> tuple[str, ...]:
    return wrap(page.text, _small(), WIDTH - _MARGIN)


def _text(canvas: Image.Image, page: TextPage) -> None:
    first = 4 * _clamp(page.page, pages_of(page) - 1)
    for row, line in enumerate(_text_lines(page)[first : first + 4]):
        _small().write(canvas, _MARGIN, TOP + row * SMALL, line)


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
    lines = balance(text, _large(), WIDTH - 4)
    if len(lines) * LARGE <= height and all(_large().measure(word) <= WIDTH - 4 for word in words):
        return _large(), lines
    lines = balance(text, _small(), WIDTH - 4)
    room = height // SMALL
    if len(lines) > room:
        last = lines[room - 1]
        while " " in last and _small().measure(last + ELLIPSIS) > WIDTH - 4:
            last = last.rpartition(" ")[0]
        lines = (*lines[: room - 1], cut(last + ELLIPSIS, _small(), WIDTH - 4))
    return _small(), lines


# Tables ---------------------------------------------------------------------------------------------------


def _table(canvas: Image.Image, page: TablePage) -> None:
    number = _clamp(page.page, pages_of(page) - 1)
    if page.totals:
        if number == 0:
            _totals(canvas, page.columns, page.totals)
            return
        number -= 1
    count = max(len(page.columns), 1)
    label, figure = _table_widths(page, count)
    for column, name in enumerate(page.columns):
        _right(canvas, label + (column + 1) * figure, TOP, cut(name, _small(), figure - 4, mark=""))
    for row, (name, *figures) in enumerate(page.rows[3 * number : 3 * number + 3]):
        y = TOP + (row + 1) * SMALL
        _small().write(canvas, _MARGIN, y, cut(name, _small(), label, mark=""))
        for column, text in enumerate(figures):
            _right(canvas, label + (column + 1) * figure, y, shorten(text, _small(), figure))


def _right(canvas: Image.Image, right: int, y: int, text: str) -> None:
    _small().write(canvas, right - _small().measure(text), y, text)


def _table_widths(page: TablePage, count: int) -> tuple[int, int]:
    """Width of the labels and of each figure column, px: figures whole, then labels, then names."""
    measure = _small().measure
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
        face = _large() if _large().measure(total) <= cell else _small()
        figure = shorten(total, face, cell)
        width = face.measure(figure)
        if count <= 3:
            title = cut(name, _small(), cell - 2)
            _small().write(canvas, x + (cell - _small().measure(title)) // 2, TOP + 3, title)
            face.write(canvas, x + (cell - width) // 2, TOP + 16, figure)
        else:
            face.write(canvas, x + cell - width, y + (LARGE - face.height) // 2, figure)
            _small().write(canvas, x, y + 8, cut(name, _small(), cell - width, mark=""))
            if x:
                ImageDraw.Draw(canvas).line((x - 2, TOP + 1, x - 2, HEIGHT - 1), fill=1)
