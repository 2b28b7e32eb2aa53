"""A board of squares or hexes: the blocks, piece and ground of each cell.

A cell's name is its column's letter and its row's number: ``a1`` is top left, ``i9`` the last. Its *place*
is its number row by row, 0 for a1. Hexes stand in rows, every second row half a cell further right. A board
of any outline leaves cells out::

    a1  b1  c1        b2 touches a2, c2, b1, c1, b3 and c3
      a2  b2  c2
    a3  b3  c3
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

import msgspec

SIDE = 9
"""The most columns and the most rows that have names."""

KING = "K"

_NAME = re.compile(r"([a-i])([1-9])(?!\d)")
# Capitals and signs before the name say what happens there (``Bd3``); with small letters it is another word.
_TOKEN = re.compile(r"[^a-z]*([a-i])([1-9])")


class Cell(msgspec.Struct, frozen=True):
    """A cell: the ``height`` in blocks, the ``piece`` on it, and the ``ground`` printed there.

    A piece is a seat's letter, :data:`KING` or a sign that the game's texts name (``piece.X``); a ground is a
    letter that the texts name (``ground.X``). Both may be empty. A piece of the kind of its ground begins
    with the ground's letter (``fa`` on ``f``).
    """

    height: int = 0
    piece: str = ""
    ground: str = ""

    @property
    def covered(self) -> bool:
        """True if a piece of the ground's kind lies there."""
        return bool(self.ground) and self.piece.startswith(self.ground)


EMPTY = Cell()


class BoardShape(StrEnum):
    """The form of a board's cells, which decides which of them touch."""

    SQUARES = "squares"
    HEXES = "hexes"  # the even rows, 2 4 6 8, stand half a cell further right
    HEXES_ODD = "hexes_odd"  # the odd rows do


class Board(msgspec.Struct, frozen=True):
    """``columns`` × ``rows`` cells, 1 to 9 of each, row by row from a1; a gap is None.

    Raises :class:`ValueError` for other sizes, a wrong number of cells, or a negative height.
    """

    columns: int
    rows: int
    cells: tuple[Cell | None, ...]
    shape: BoardShape = BoardShape.SQUARES

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= SIDE and 1 <= self.rows <= SIDE):
            raise ValueError(f"a board of {self.columns} × {self.rows} cells; 1 to {SIDE} have names")
        if len(self.cells) != self.columns * self.rows:
            raise ValueError(f"{len(self.cells)} cells for a board of {self.columns} × {self.rows}")
        if any(cell and cell.height < 0 for cell in self.cells):
            raise ValueError("a cell is lower than the ground")

    def name(self, place: int) -> str:
        """Return the name of a place: ``d3``."""
        row, column = divmod(place, self.columns)
        return f"{chr(ord('a') + column)}{row + 1}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all cells, row by row."""
        return tuple(self.name(place) for place, cell in enumerate(self.cells) if cell)

    @property
    def grounds(self) -> tuple[str, ...]:
        """The different grounds printed on the cells, in the order of reading."""
        return tuple(dict.fromkeys(cell.ground for cell in self.cells if cell and cell.ground))

    def place(self, token: str) -> int | None:
        """Return the place of the cell that a token names, ``d3`` or ``Bd3``; None if it names no cell."""
        spot = _read_spot(token)
        return self._find_place(*spot) if spot else None

    def places(self, tokens: Iterable[str]) -> dict[str, int | None]:
        """Return the :meth:`place` of each token."""
        found: dict[str, int | None] = {}
        columns, rows, cells = self.columns, self.rows, self.cells
        for token in tokens:
            column, row = _read_spot(token) or (columns, rows)
            there = column < columns and row < rows and cells[row * columns + column]
            found[token] = row * columns + column if there else None
        return found

    def named(self, text: str) -> tuple[int, ...]:
        """Return all places that a text names: one for ``+2Bd3``, two for ``-d3-e3``."""
        places = (self._find_place(*_read_name(found)) for found in _NAME.finditer(text))
        return tuple(place for place in places if place is not None)

    def apart(self, one: int, other: int) -> int:
        """Return the distance of two places in steps from cell to touching cell, gaps included."""
        return _measure_steps(self.shape, self.columns, one, other)

    def halves(self, place: int) -> int:
        """Return the half cells between the left edge and a place."""
        return _count_halves(self.shape, self.columns, place)

    def beside(self, place: int) -> tuple[int, ...]:
        """Return the places of the cells that touch ``place``: up to 4 of squares, up to 6 of hexes."""
        return tuple(to for to, cell in enumerate(self.cells) if cell and self.apart(place, to) == 1)

    def _find_place(self, column: int, row: int) -> int | None:
        place = row * self.columns + column
        return place if column < self.columns and row < self.rows and self.cells[place] else None


def _read_name(name: re.Match[str]) -> tuple[int, int]:
    letter, number = name.groups()
    return ord(letter) - ord("a"), int(number) - 1


def _count_halves(shape: BoardShape, columns: int, place: int) -> int:
    row, column = divmod(place, columns)
    further = shape is not BoardShape.SQUARES and row % 2 == (shape is BoardShape.HEXES)
    return 2 * column + further


@lru_cache(1 << 14)
def _measure_steps(shape: BoardShape, columns: int, one: int, other: int) -> int:
    down = abs(one // columns - other // columns)
    across = abs(_count_halves(shape, columns, one) - _count_halves(shape, columns, other))
    return down + (across // 2 if shape is BoardShape.SQUARES else max(0, across - down) // 2)


@lru_cache(4096)
def _read_spot(token: str) -> tuple[int, int] | None:
    """Return column and row, from 0, of the cell that a token names; None if it names no cell."""
    found = _TOKEN.fullmatch(token)
    return _read_name(found) if found else None


def blank(columns: int, rows: int) -> Board:
    """Return an empty board; raises as :class:`Board`."""
    return Board(columns, rows, (EMPTY,) * (columns * rows))


@lru_cache
def board_around(tokens: tuple[str, ...]) -> Board | None:
    """Return the smallest blank board with all cells that ``tokens`` name; None if they name none."""
    named = [spot for token in tokens if (spot := _read_spot(token))]
    if not named:
        return None
    return blank(max(column for column, _ in named) + 1, max(row for _, row in named) + 1)


def starts(rows: Sequence[int]) -> tuple[int, ...]:
    """Return the offset of each row from the first, in half hexes to the right; ``rows`` are lengths.

    A row is centred below the one above; a row of the same length stands half a hex further right.
    """
    found = [0]
    for above, below in pairwise(rows):
        found.append(found[-1] + (above - below or 1))
    return tuple(found)


def in_rows(rows: Sequence[int], cells: Sequence[Cell]) -> Board:
    """Make a board of hexes in rows of these lengths, set off by :func:`starts`; raises as :class:`Board`."""
    begins = starts(rows)
    left = min(begins)
    columns = max((begin - left) // 2 + length for begin, length in zip(begins, rows, strict=True))
    placed: list[Cell | None] = []
    taken = 0
    for begin, length in zip(begins, rows, strict=True):
        before = (begin - left) // 2
        after = columns - before - length
        placed += [*[None] * before, *cells[taken : taken + length], *[None] * after]
        taken += length
    return Board(
        columns,
        len(rows),
        tuple(placed),
        BoardShape.HEXES_ODD if (begins[0] - left) % 2 else BoardShape.HEXES,
    )
