"""A board with something printed on its cells, so that ground and piece differ without colour.

A cell is its ground's letter, 5×5 px. If a piece lies there, the letter is dark on a bright block, with dots
at both sides if the piece is not like the ground. A line below marks a possible cell. The cursor is a frame
round its cell; so is a question about one. A plus in place of the letter marks something extra, a minus
something missing. Boards of many rows take the whole height, and all their text stands beside them.
"""

from __future__ import annotations

from collections.abc import Collection

from PIL import Image, ImageDraw

from device.screen import GridPage, Sign
from device.screen.pixels import marks
from device.screen.pixels.canvas import HEIGHT, TOP, box, stamp
from engines.board import Board, Cell

BLOCK = 7  # px, the side of a cell without the room to the next one
_ACROSS, _DOWN = 12, 8  # px from cell to cell, at most
_LEAST = 9  # px across, so that the frame of the cursor cuts no letter
_ROOM = 68  # px for a board with room for nine letters beside it
_EDGE = 2  # px of the cursor's frame outside its cell


def draw(canvas: Image.Image, page: GridPage, legal: Collection[int]) -> None:
    """Draw the board at the left edge; ``legal`` are the possible places besides the cursor's."""
    board, shown = page.board, dict(page.signs)
    framed = {page.cursor, *(place for place, sign in shown.items() if sign is Sign.ASKED)}
    if tall(board):
        canvas.paste(0, (0, 0, beside(board) - 1, HEIGHT))
    places = [place for place, cell in enumerate(board.cells) if cell]
    for place in sorted(places, key=framed.__contains__):
        x, y = _corner(board, place)
        if place in framed:
            side = BLOCK + 2 * _EDGE
            canvas.paste(0, (x - _EDGE - 1, y - _EDGE, x + side - 1, y + side - _EDGE))
            box(canvas, x - _EDGE, y - _EDGE, side, side, fill=False)
        _stand(canvas, x, y, board.cells[place] or Cell(), shown.get(place))
        if place in legal:
            ImageDraw.Draw(canvas).line((x + 2, y + BLOCK, x + BLOCK - 3, y + BLOCK), fill=1)


def beside(board: Board) -> int:
    """Return the text's left edge, px."""
    right = max(_corner(board, place)[0] for place in range(len(board.cells)))
    return right + BLOCK + 2 * _EDGE


def tall(board: Board) -> bool:
    """Return True if a board takes the whole height."""
    return (board.rows - 1) * _DOWN + BLOCK > HEIGHT - TOP


def _corner(board: Board, place: int) -> tuple[int, int]:
    """Return the upper left corner of a cell."""
    halves = max(map(board.halves, range(len(board.cells)))) + 2
    across = max(_LEAST, min(_ACROSS, 2 * _ROOM // halves))
    top = _EDGE if tall(board) else TOP - 1
    down = min(_DOWN, (HEIGHT - top - _EDGE - BLOCK) // max(1, board.rows - 1))
    return _EDGE + board.halves(place) * across // 2, top + place // board.columns * down


def _stand(canvas: Image.Image, x: int, y: int, cell: Cell, sign: Sign | None) -> None:
    told = sign and sign is not Sign.ASKED
    letter = marks.differs(sign) if sign and told else marks.letter(cell.ground)
    bright = sign is not Sign.MISSING if told else bool(cell.piece)
    if bright:
        box(canvas, x, y, BLOCK, BLOCK, fill=True)
    if bright and not told and not cell.covered:
        pen = ImageDraw.Draw(canvas)
        pen.point([(edge, y + dot) for edge in (x - 1, x + BLOCK) for dot in (1, 3, 5)], fill=1)
    if sign is Sign.MISSING:
        box(canvas, x - 1, y - 1, BLOCK + 2, BLOCK + 2, fill=False)
    stamp(canvas, x + 1, y + 1, letter, int(not bright))
