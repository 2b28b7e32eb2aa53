"""A board as a picture for paper: SVG inside a page, without styles or external resources."""

from __future__ import annotations

import html
from collections.abc import Callable

from engines.board import Board, BoardShape
from engines.texts import plain

CELL = 20
"""The side of a square or the width of a hex, in units of the picture."""

EDGE = 12
"""The room for the names of columns and rows."""


def svg(board: Board, piece: Callable[[str], str]) -> str:
    """Draw the board with its heights (the higher, the darker) and pieces; ``piece`` returns a piece's short
    name.

    A ground is shown by its letter, on grey if a piece of its kind lies there; another piece stands before
    it. Columns are named above, rows at the left, as on the box.
    """
    offset = 0 if board.shape is BoardShape.SQUARES else CELL // 2
    width, height = EDGE + board.columns * CELL + offset + 1, EDGE + board.rows * CELL + 1
    drawn = [_text(EDGE + (at + 0.5) * CELL, 9, board.name(at)[0]) for at in range(board.columns)]
    drawn += [_text(5, EDGE + (row + 0.7) * CELL, str(row + 1)) for row in range(board.rows)]
    for place, cell in enumerate(board.cells):
        if cell is None:
            continue
        x, y = EDGE + board.halves(place) * CELL / 2, EDGE + place // board.columns * CELL
        shade = 170 if cell.covered else 255 - 12 * min(cell.height, 12)
        drawn.append(
            f'<rect x="{x:g}" y="{y}" width="{CELL}" height="{CELL}" fill="rgb({shade},{shade},{shade})" '
            'stroke="#444"/>'
        )
        if cell.height:
            drawn.append(_text(x + 5, y + 9, str(cell.height)))
        if cell.ground:
            drawn.append(
                _text(x + (14 if cell.piece and not cell.covered else 10), y + 13, cell.ground.upper())
            )
        if cell.piece and cell.ground and not cell.covered:
            drawn.append(f'<circle cx="{x + 6:g}" cy="{y + 10}" r="5" fill="#fff" stroke="#000"/>')
            drawn.append(_text(x + 6, y + 13, piece(cell.piece)))
        elif cell.piece and not cell.ground:
            drawn.append(f'<circle cx="{x + 13:g}" cy="{y + 13}" r="6" fill="#fff" stroke="#000"/>')
            drawn.append(_text(x + 13, y + 16, piece(cell.piece)))
    return f'<svg viewBox="0 0 {width} {height}" role="img">{"".join(drawn)}</svg>'


def escape(text: str) -> str:
    """Escape people's text for a page: no markup, and no marks that turn the direction of other text."""
    return html.escape(plain(text))


def _text(x: float, y: float, said: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="8" text-anchor="middle">{escape(said)}</text>'
