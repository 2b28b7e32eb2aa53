"""A board beside its text: the picture for choosing a cell, and for showing where a table differs.

A cell is 9×6 px and holds its height at the left and its piece at the right. An empty cell is a dot. A bold
dot says that a cell can be chosen, and where height and piece leave no room for it, a line over the piece.
The cursor inverts its cell; so does a question about one. Where the table differs, a plus in a bright cell is
too much there, a minus in a frame is missing. Boards of few cells are drawn two or three times as large. Rows
of hexes stand half a cell apart.
"""

from __future__ import annotations

from PIL import Image, ImageDraw

from device.screen import GridPage, ListPage, Sign
from device.screen.pixels import marks
from device.screen.pixels.canvas import (
    GUTTER,
    MARGIN,
    TOP,
    WIDTH,
    Folded,
    large,
    rows,
    scores,
    signs,
    small,
    stamp,
)
from device.screen.pixels.fit import cut, shorten, wrap
from device.screen.pixels.fonts import SMALL
from engines.board import EMPTY, Board, Cell

CELL = (9, 6)
_ROOM = (8 * CELL[0], 8 * CELL[1])
_LARGEST = 3
_FOLDS = 2  # lines of a word beside the board, at most
_LINES = 3  # beside the board, under whose turn it is


def as_list(page: GridPage) -> ListPage | None:
    """The words of a page as a list, where the cursor is on one and they do not all fit beside the board, or
    something is told above them.

    A board with signs stays.
    """
    words = page.words
    if page.cursor >= 0 or not words or page.signs:
        return None
    grey = _grey(page)
    folded = Folded(words, WIDTH - _beside(page.board) - GUTTER, grey)
    if not page.told and all(folded.whole(at, _FOLDS) for at in range(len(words))):
        return None
    return ListPage(page.header, page.prompt, words, page.word, grey, page.told)


def _grey(page: GridPage) -> tuple[int, ...]:
    """The places among the words of those that cannot be chosen now."""
    words = [at for at, place in enumerate(page.cells) if place < 0]
    return tuple(number for number, at in enumerate(words) if at in page.grey)


def draw(canvas: Image.Image, page: GridPage) -> None:
    """The board; beside it whose turn it is and what the cursor is on. The prompt is in the top line, with
    the scores where there is room for them.
    """
    right = signs(canvas, page.header)
    end = small().write(canvas, MARGIN, -1, shorten(page.prompt, small(), right + 1 - MARGIN))
    scores(canvas, page.header.right, right, end, end)
    canvas.paste(_picture(page), (0, TOP - 1))
    left = _beside(page.board)
    small().write(canvas, left, TOP, cut(page.header.left, small(), WIDTH - left))
    if page.cursor >= 0:
        _cell(canvas, page, left)
    elif page.items:
        rows(canvas, page.words, page.word, left, TOP + SMALL, _LINES, _grey(page))
    else:
        _lines(canvas, page.about, left)


def _scale(board: Board) -> int:
    wide, high = _size(board)
    return max(1, min(_ROOM[0] // wide, _ROOM[1] // high, _LARGEST))


def _size(board: Board) -> tuple[int, int]:
    """Width and height in px before it is enlarged, without the dots around the last cells."""
    halves = max(map(board.halves, range(len(board.cells)))) + 2
    return halves * CELL[0] // 2, CELL[1] * board.rows


def _beside(board: Board) -> int:
    """Where the text begins, px from the left."""
    return _scale(board) * _size(board)[0] + 4


def _cell(canvas: Image.Image, page: GridPage, left: int) -> None:
    """The name of the cell under the cursor, what stands there, and what choosing it is called."""
    name = page.board.name(page.cursor)
    room = WIDTH - left
    lines = wrap(page.items[page.at].replace(name, ""), small(), room)
    if len(lines) > 1:  # nothing of it is left out: the name is small, and three lines take the player's, too
        lines = (" ".join([name, *page.about[:1]]), *lines)[-_LINES - 1 :]
        top = TOP + (_LINES + 1 - len(lines)) * SMALL
        canvas.paste(0, (left, top, WIDTH, TOP + (_LINES + 1) * SMALL))
        for line, text in enumerate(lines):
            small().write(canvas, left, top + line * SMALL, cut(text, small(), room, mark=""))
        return
    right = large().write(canvas, left, TOP + SMALL, name) + 1
    called = lines[0]  # without the name, which stands large above
    beside = list(page.about[:2])
    if not called and beside and small().measure(beside[-1]) > WIDTH - right:
        called = beside.pop()
    for line, text in enumerate(beside, 1):
        small().write(canvas, right, TOP + line * SMALL, cut(text, small(), WIDTH - right, mark=""))
    small().write(canvas, left, TOP + 3 * SMALL, shorten(called, small(), room))


def _lines(canvas: Image.Image, lines: tuple[str, ...], left: int) -> None:
    if len(lines) > _LINES:
        lines = (*lines[: _LINES - 1], "…")
    for line, text in enumerate(lines, 1):
        small().write(canvas, left, TOP + line * SMALL, shorten(text, small(), WIDTH - left))


def _picture(page: GridPage) -> Image.Image:
    board = page.board
    legal = {*page.cells, *page.further} - {page.cursor}
    wide, high = _size(board)
    image = Image.new("1", (wide + 1, high + 1))
    for at, cell in enumerate(board.cells):
        if cell:
            _stand(image, _area(board, at), cell, at in legal)
    for at, sign in page.signs:
        if 0 <= at < len(board.cells):
            _point_out(image, board, at, sign)
    if page.cursor >= 0:
        _invert(image, _area(board, page.cursor))
    scale = _scale(board)
    return image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)


def _area(board: Board, at: int) -> tuple[int, int, int, int]:
    """A cell with the dots around it, which it shares with its neighbours."""
    x, y = board.halves(at) * CELL[0] // 2, at // board.columns * CELL[1]
    return x, y, x + CELL[0], y + CELL[1] + 1


def _invert(image: Image.Image, area: tuple[int, int, int, int]) -> None:
    there = image.crop(area)
    image.paste(1, area)
    image.paste(0, area, there)


def _point_out(image: Image.Image, board: Board, at: int, sign: Sign) -> None:
    """Show on a cell how it differs, in place of what stands there; words say that."""
    area = _area(board, at)
    if sign is not Sign.ASKED:
        image.paste(0, area)
        stamp(image, area[0] + 2, area[1] + 1, marks.differs(sign))
    if sign is Sign.MISSING:
        ImageDraw.Draw(image).rectangle((*area[:2], area[2] - 1, area[3] - 1), outline=1)
    else:
        _invert(image, area)


def _stand(image: Image.Image, area: tuple[int, int, int, int], cell: Cell, legal: bool) -> None:
    x, y = area[0] + 1, area[1] + 1
    pen = ImageDraw.Draw(image)
    figure = marks.height(cell.height)
    piece = x + 4 + (cell.height > 0) * (figure.width - 3)
    if cell.height:
        stamp(image, x, y, figure)
    if cell.piece:
        stamp(image, piece, y, marks.piece(cell.piece))
    if legal and cell.height and cell.piece:
        pen.line((piece, y - 1, piece + 2, y - 1), fill=1)
    elif legal or cell == EMPTY:
        dot = x + (3 if cell == EMPTY else 5 if cell.height else 0)
        pen.rectangle((dot, y + 2, dot + legal, y + 2 + legal), fill=1)
