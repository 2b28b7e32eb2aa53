"""A picture beside its text: a board, a small piece of a camera's picture, or a QR code.

A board is there to choose a cell, and to show where a table differs.

A cell is 9×6 px and holds its height at the left and its piece at the right. An empty cell is a dot. A bold
dot marks a possible cell, or a line over the piece if height and piece leave no room for it. The cursor
inverts its cell; so does a question about one. If the table differs, a plus in a bright cell marks something
extra, a minus in a frame something missing. Boards of few cells are drawn two or three times as large. Rows
of hexes stand half a cell apart.

With something printed on its cells, a cell is its ground's letter, 5×5 px. If a piece lies there, the letter
is dark on a bright block, with dots at both sides if the piece is not like the ground: no colour is needed. A
line below marks a possible cell. The cursor is a frame round its cell; so is a question about one. A plus in
place of the letter marks something extra, a minus something missing. Boards of many rows take the whole
height, and all their text stands beside them.

One bit a pixel cannot show a photograph. Stretched to full contrast and dithered, it shows what matters:
edges, and how many of them stand above one another. A code is dark on lit, as cameras need it.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Sequence

from PIL import Image, ImageDraw, ImageOps

from device.screen import CropPage, GridPage, ListPage, QrPage, Sign
from device.screen.pixels import marks
from device.screen.pixels.canvas import (
    GUTTER,
    HEIGHT,
    MARGIN,
    TOP,
    WIDTH,
    Folded,
    draw_box,
    draw_lines,
    draw_rows,
    draw_signs,
    draw_top,
    fold,
    large,
    small,
    stamp,
)
from device.screen.pixels.fit import cut, is_tall, unwrap, wrap
from device.screen.pixels.fonts import LARGE, SMALL
from engines.board import EMPTY, Board, Cell

Lines = tuple[str, ...]

CELL = (9, 6)
_ROOM = (8 * CELL[0], 8 * CELL[1])
_LARGEST = 3
_FOLDS = 2  # lines of a word beside the board, at most
_LINES = 4  # beside the board
_CLOSE = 9  # px from line to line if one more must fit
_GAP = 4  # px between the board and its text


def as_list(page: GridPage) -> ListPage | None:
    """Turn a page into a list of its words, or return None if its board is to stay.

    It becomes a list if the cursor is on a word, and ``told`` has text or the words do not all fit beside the
    board. A board with signs stays.
    """
    words = page.words
    if page.cursor >= 0 or not words or page.signs:
        return None
    grey = _list_grey(page)
    beside = Folded(words, WIDTH - _find_text_edge(page.board) - GUTTER, grey)
    if not page.told and all(beside.whole(at, _FOLDS) for at in range(len(words))):
        return None
    return ListPage(page.header, page.prompt, words, page.word, grey, page.told)


def _list_grey(page: GridPage) -> tuple[int, ...]:
    """Return the indexes, among the words, of those that cannot be chosen now."""
    words = [at for at, place in enumerate(page.places) if place < 0]
    return tuple(number for number, at in enumerate(words) if at in page.grey)


def draw_board(canvas: Image.Image, page: GridPage) -> None:
    """Draw the board, the text of the cursor beside it, and above it the prompt and, if they fit, scores."""
    right, left, begin = draw_signs(canvas, page.header), _find_text_edge(page.board), MARGIN
    if page.board.grounds:
        begin = left if _is_high(page.board) else MARGIN
        _draw_grounds(canvas, page, _list_legal(page))
    else:
        canvas.paste(_draw_picture(page), (0, TOP - 1))
    cell = _CellText(page, WIDTH - left) if page.cursor >= 0 else None
    lettered = None if page.board.grounds else _lay_out_beside(page, right, left, cell)
    rest = cell.lines if cell else _FOLDS if page.items else 1
    first, above = lettered or _lay_out_head(page, right, left, begin, rest)
    if lettered:
        begin = left
    if not page.board.grounds:
        _draw_axes(canvas, page.board, left - _GAP, letters=bool(lettered))
    draw_top(canvas, (first,), page.header, right, begin)
    texts = (*above, *cell.all) if cell else above
    pitch = _CLOSE if cell and len(texts) > _LINES and not is_tall(*texts) else SMALL
    y = _write_column(canvas, left, TOP, above, pitch, spare=1 if cell or page.items else 0)
    count = (HEIGHT - y) // SMALL
    if cell:
        cell.draw(canvas, left, y, pitch)
    elif page.items:
        draw_rows(canvas, page.words, page.word, left, y, count, _list_grey(page))
    else:
        _write_column(canvas, left, y, _fit_remarks(page, WIDTH - left, count))


def _lay_out_head(page: GridPage, right: int, left: int, begin: int, rest: int) -> tuple[str, Lines]:
    """Lay out the prompt and whose turn it is: the top line, from ``begin`` on, and the lines beside the
    board.

    Beside the board ``rest`` other lines need room below them. The name stands beside the board, else before
    the prompt, which goes on beside the board; else as much of it as fits beside the board. An answer with
    its verb needs no prompt. Lines move closer before anything is cut.
    """
    name, room = page.header.left.partition(": ")[0], WIDTH - left
    begun = wrap(name, small(), room)[:1]
    ways = [(page.prompt, (name,)), (f"{name}: {page.prompt}", ()), (page.prompt, begun)] if name else []
    ways += [(page.prompt, ()), *[(name, ())] * (bool(name) and _asks_by_itself(page))]
    for lines in (_LINES, _LINES + 1):
        for prompt, turn in ways:
            first, *more = wrap(prompt, small(), right + 1 - begin)
            asked = unwrap(more)
            above = (*(wrap(asked, small(), room) if asked else ()), *turn)
            words = [*asked.split(), *turn]
            if len(above) + rest <= lines and all(small().measure(word) <= room for word in words):
                return first, above
    return first, above


def _asks_by_itself(page: GridPage) -> bool:
    """Return True if the answer under the cursor includes its verb."""
    return page.cursor >= 0 and page.items[page.index] != page.board.name(page.cursor)


def _lay_out_beside(
    page: GridPage, right: int, left: int, cell: _CellText | None
) -> tuple[str, Lines] | None:
    """Return the text beside a board with its columns' letters above. If an answer includes its verb, it is
    the name alone, if that fits whole; otherwise the prompt, with the name if it fits. None without room.
    """
    name, room = page.header.left.partition(": ")[0], WIDTH - left
    words = Folded(page.words, room, _list_grey(page))
    rest = cell.lines if cell else len(page.about) + sum(len(words[at]) for at in range(len(page.words)))
    if _asks_by_itself(page):
        first = name if small().measure(name) <= right + 1 - left else ""
        return (first, ()) if rest <= _LINES else None
    for text in (f"{name}: {page.prompt}".strip(": "), page.prompt):
        first, *_ = wrap(text, small(), right + 1 - left)
        more = text.removeprefix(first)
        above = wrap(more, small(), room) if more else ()
        unbroken = more[:1] in ("", " ") and all(small().measure(word) <= room for word in more.split())
        if unbroken and len(above) + rest <= _LINES:
            return first, above
    return None


def _write_column(
    canvas: Image.Image, left: int, y: int, lines: Sequence[str], pitch: int = SMALL, *, spare: int = 0
) -> int:
    """Write lines beside the board, the last one cut if there are more; return the top of the next line.

    ``spare`` lines stay free below them.
    """
    count = (HEIGHT - y - SMALL) // pitch + 1 - spare
    if len(lines) > count:
        lines = (*lines[: count - 1], cut(unwrap(lines[count - 1 :]), small(), WIDTH - left))
    return draw_lines(canvas, lines, left, y, pitch)


def _draw_axes(canvas: Image.Image, board: Board, x: int, *, letters: bool) -> None:
    """Write the numbers of the first and the last row right of the board, which show the corner a1.

    With ``letters`` also name all columns above it.
    """
    column, row = (side * _scale(board) for side in CELL)
    for number in range(board.columns) if letters else ():
        middle = (board.halves(number) + 1) * column // 2
        stamp(canvas, middle - 2, 5, marks.draw_letter(board.name(number)[0]))
    for number in {1, board.rows}:
        stamp(canvas, x, TOP - 1 + (number - 1) * row + (row - 4) // 2, marks.draw_height(number))


def _scale(board: Board) -> int:
    wide, high = _measure(board)
    return max(1, min(_ROOM[0] // wide, _ROOM[1] // high, _LARGEST))


def _measure(board: Board) -> tuple[int, int]:
    """Return width and height of the board in px before it is enlarged, without the dots at its rim."""
    halves = max(map(board.halves, range(len(board.cells)))) + 2
    return halves * CELL[0] // 2, CELL[1] * board.rows


def _find_text_edge(board: Board) -> int:
    """Return the text's left edge, px."""
    if board.grounds:
        return _find_grounds_edge(board)
    return _scale(board) * _measure(board)[0] + _GAP


class _CellText:
    """The words to choose the cell under the cursor, with its name and contents among them."""

    def __init__(self, page: GridPage, room: int) -> None:
        name = page.board.name(page.cursor) if page.named else ""
        item = f"({page.items[page.index]})" if page.index in page.grey else page.items[page.index]
        before, _, after = item.partition(name) if name else (item, "", "")
        lead, end = before * (before == "("), after * (after == ")")
        self.name = f"{lead}{name}{end}"
        self.above = [line for line in wrap(before.removeprefix(lead), small(), room) if line]
        free = room - large().measure(self.name) - 1
        self.beside = [text for text in page.about[:2] if small().measure(text) <= free]
        others = [text for text in page.about if text not in self.beside]
        texts = (*others, after.removesuffix(end))
        self.below = [line for text in texts for line in wrap(text, small(), room) if line]
        standing = " ".join(filter(None, [self.name, *self.beside]))
        self.small = wrap(standing, small(), room) if standing else ()
        if self.lines > _LINES and name not in item:  # a whole column: the board shows which cell is meant
            self.name, self.small = "", wrap(" ".join(self.beside), small(), room) if self.beside else ()

    @property
    def all(self) -> Lines:
        """Its lines, as few as possible."""
        return (*self.above, *self.small, *self.below)

    @property
    def lines(self) -> int:
        """The fewest lines that it takes."""
        return len(self.all)

    def draw(self, canvas: Image.Image, left: int, y: int, pitch: int = SMALL) -> None:
        """Draw the cell's lines from (``left``, ``y``); the name is large if everything else still fits."""
        if not self.name or y + LARGE + (len(self.above) + len(self.below)) * SMALL > HEIGHT:
            _write_column(canvas, left, y, self.all, pitch)
            return
        y = _write_column(canvas, left, y, self.above)
        right = large().write(canvas, left, y, self.name) + 1
        for line, text in enumerate(self.beside):
            small().write(canvas, right, y + line * SMALL, text)
        _write_column(canvas, left, y + LARGE, self.below)


def _fit_remarks(page: GridPage, width: int, count: int) -> Lines:
    """Return remarks in ``count`` lines: one each, else side by side and the number of the rest."""
    texts = page.about
    if len(texts) <= count and all(small().measure(text) <= width for text in texts):
        return texts
    for shown in range(len(texts), 0, -1):
        more = (page.more.format(n=len(texts) - shown),) if shown < len(texts) else ()
        lines = (*wrap(" ".join(texts[:shown]), small(), width), *more)
        if len(lines) <= count:
            return lines
    return ()


def _list_legal(page: GridPage) -> set[int]:
    """Return the possible places, without the cursor's."""
    possible = {place for at, place in enumerate(page.places) if at not in page.grey}
    return (possible | {*page.further}) - {page.cursor}


def _draw_picture(page: GridPage) -> Image.Image:
    board, legal = page.board, _list_legal(page)
    wide, high = _measure(board)
    image = Image.new("1", (wide + 1, high + 1))
    for at, cell in enumerate(board.cells):
        if cell:
            _draw_cell(image, _find_area(board, at), cell, at in legal)
    for at, sign in page.signs:
        _point_out(image, board, at, sign)
    if page.cursor >= 0:
        _invert(image, _find_area(board, page.cursor))
    scale = _scale(board)
    return image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)


def _find_area(board: Board, at: int) -> tuple[int, int, int, int]:
    """Return the corners of a cell with the dots around it, which it shares with its neighbours."""
    x, y = board.halves(at) * CELL[0] // 2, at // board.columns * CELL[1]
    return x, y, x + CELL[0], y + CELL[1] + 1


def _invert(image: Image.Image, area: tuple[int, int, int, int]) -> None:
    there = image.crop(area)
    image.paste(1, area)
    image.paste(0, area, there)


def _point_out(image: Image.Image, board: Board, at: int, sign: Sign) -> None:
    """Show on a cell how it differs, in place of its piece; the words beside it name the piece."""
    area = _find_area(board, at)
    if sign is not Sign.ASKED:
        image.paste(0, area)
        stamp(image, area[0] + 2, area[1] + 1, marks.draw_difference(sign))
    if sign is Sign.MISSING:
        ImageDraw.Draw(image).rectangle((*area[:2], area[2] - 1, area[3] - 1), outline=1)
    else:
        _invert(image, area)


def _draw_cell(image: Image.Image, area: tuple[int, int, int, int], cell: Cell, legal: bool) -> None:
    x, y = area[0] + 1, area[1] + 1
    pen = ImageDraw.Draw(image)
    figure = marks.draw_height(cell.height)
    piece = x + 4 + (cell.height > 0) * (figure.width - 3)
    if cell.height:
        stamp(image, x, y, figure)
    if cell.piece:
        stamp(image, piece, y, marks.draw_piece(cell.piece))
    if legal and cell.height and cell.piece:
        pen.line((piece, y - 1, piece + 2, y - 1), fill=1)
    elif legal or cell == EMPTY:
        dot = x + (3 if cell == EMPTY else 5 if cell.height else 0)
        pen.rectangle((dot, y + 2, dot + legal, y + 2 + legal), fill=1)


# Boards with something printed on their cells

_BLOCK = 7  # px, the side of a cell without the room to the next one
_ACROSS, _DOWN = 12, 8  # px from cell to cell, at most
_LEAST = 9  # px across, so that the frame of the cursor cuts no letter
_GROUNDS_ROOM = 68  # px for a board with room for nine letters beside it
_EDGE = 2  # px of the cursor's frame outside its cell


def _draw_grounds(canvas: Image.Image, page: GridPage, legal: Collection[int]) -> None:
    """Draw a board at the left edge; ``legal`` are the possible places besides the cursor's."""
    board, shown = page.board, dict(page.signs)
    framed = {page.cursor, *(place for place, sign in shown.items() if sign is Sign.ASKED)}
    if _is_high(board):
        canvas.paste(0, (0, 0, _find_grounds_edge(board) - 1, HEIGHT))
    places = [place for place, cell in enumerate(board.cells) if cell]
    for place in sorted(places, key=framed.__contains__):
        x, y = _find_corner(board, place)
        if place in framed:
            side = _BLOCK + 2 * _EDGE
            canvas.paste(0, (x - _EDGE - 1, y - _EDGE, x + side - 1, y + side - _EDGE))
            draw_box(canvas, x - _EDGE, y - _EDGE, side, side, fill=False)
        _draw_ground(canvas, x, y, board.cells[place] or Cell(), shown.get(place))
        if place in legal:
            ImageDraw.Draw(canvas).line((x + 2, y + _BLOCK, x + _BLOCK - 3, y + _BLOCK), fill=1)


def _find_grounds_edge(board: Board) -> int:
    """Return the text's left edge, px."""
    right = max(_find_corner(board, place)[0] for place in range(len(board.cells)))
    return right + _BLOCK + 2 * _EDGE


def _is_high(board: Board) -> bool:
    """Return True if a board takes the whole height."""
    return (board.rows - 1) * _DOWN + _BLOCK > HEIGHT - TOP


def _find_corner(board: Board, place: int) -> tuple[int, int]:
    """Return the upper left corner of a cell."""
    halves = max(map(board.halves, range(len(board.cells)))) + 2
    across = max(_LEAST, min(_ACROSS, 2 * _GROUNDS_ROOM // halves))
    top = _EDGE if _is_high(board) else TOP - 1
    down = min(_DOWN, (HEIGHT - top - _EDGE - _BLOCK) // max(1, board.rows - 1))
    return _EDGE + board.halves(place) * across // 2, top + place // board.columns * down


def _draw_ground(canvas: Image.Image, x: int, y: int, cell: Cell, sign: Sign | None) -> None:
    told = sign and sign is not Sign.ASKED
    letter = marks.draw_difference(sign) if sign and told else marks.draw_letter(cell.ground)
    bright = sign is not Sign.MISSING if told else bool(cell.piece)
    if bright:
        draw_box(canvas, x, y, _BLOCK, _BLOCK, fill=True)
    if bright and not told and not cell.covered:
        pen = ImageDraw.Draw(canvas)
        pen.point([(edge, y + dot) for edge in (x - 1, x + _BLOCK) for dot in (1, 3, 5)], fill=1)
    if sign is Sign.MISSING:
        draw_box(canvas, x - 1, y - 1, _BLOCK + 2, _BLOCK + 2, fill=False)
    stamp(canvas, x + 1, y + 1, letter, int(not bright))


# Pictures and codes

ROOM_PX = (56, 48)
"""The largest picture, px."""
_CUT = 2  # per cent of the darkest and the brightest pixels that stretching gives up

QUIET = 2
"""Lit modules around the code; the standard wants four, cameras are content with two."""


def draw_crop(canvas: Image.Image, page: CropPage) -> None:
    """Draw the picture at the left under the header, the prompt and the lines beside it.

    An unreadable picture leaves its place empty: people can answer from the table.
    """
    left = ROOM_PX[0] + MARGIN + 2
    if (shown := dither(page.picture)) is not None:
        canvas.paste(shown, ((ROOM_PX[0] - shown.width) // 2, TOP + (ROOM_PX[1] - shown.height) // 2))
    y = draw_lines(canvas, fold(page.prompt, WIDTH - left, 2), left, TOP)
    draw_rows(canvas, page.items, page.index, left, y, (HEIGHT - y) // SMALL)


def dither(picture: bytes) -> Image.Image | None:
    """Return a PNG as large as it fits, of mode ``"1"``; None if it is no picture."""
    try:
        with Image.open(io.BytesIO(picture), formats=["PNG"]) as file:
            grey = file.convert("L")
    except (OSError, ValueError, SyntaxError):
        return None
    fitted = ImageOps.contain(grey, ROOM_PX, Image.Resampling.LANCZOS)
    return ImageOps.autocontrast(fitted, cutoff=_CUT).convert("1")


def draw_code(canvas: Image.Image, page: QrPage) -> None:
    """Draw the code at the left, as large as it fits, its text beside it."""
    import segno  # noqa: PLC0415 – the first picture does not wait for it

    code = segno.make(page.text, error="l", micro=False, boost_error=False)
    side, _ = code.symbol_size(border=QUIET)
    rows = list(code.matrix_iter(max(1, HEIGHT // side), QUIET))
    drawn = Image.new("1", (len(rows), len(rows)))
    drawn.putdata([not dark for row in rows for dark in row])
    canvas.paste(drawn)
    left = drawn.width + 4
    shown = [*wrap(page.text, small(), WIDTH - left)[: HEIGHT // SMALL - 1]]
    words = page.header.words
    stamps = [words.simulated] * page.header.simulated or [words.sample] * page.header.sample
    draw_lines(canvas, [*shown, *stamps], left, 0)
