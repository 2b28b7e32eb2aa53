"""A board of squares as anybody can look at it, for pictures: what stands where, by the names of its cells.

A cell is named by its column's letter and its row's number: ``a1`` is top left, ``h8`` the furthest. Its
*place* is its number row by row, 0 for a1.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

SIDE = 8
"""The most columns, and rows, that cells have names for."""

KING = "K"

_NAME = re.compile(r"([a-h])([1-8])(?!\d)")
# Capitals and signs before the name say what happens there (``Bd3``); small letters make another word of it.
_TOKEN = re.compile(r"[^a-z]*([a-h])([1-8])")


class Cell(msgspec.Struct, frozen=True):
    """How many blocks lie on a cell (0 to 12), and the piece there: a seat's letter, :data:`KING` or none."""

    height: int = 0
    piece: str = ""


EMPTY = Cell()


class Board(msgspec.Struct, frozen=True):
    """``columns`` × ``rows`` cells, 1 to 8 of each, row by row from a1.

    Raises :class:`ValueError` for other sizes, for a number of cells that does not fit, and for cells that
    are lower than the ground.
    """

    columns: int
    rows: int
    cells: tuple[Cell, ...]

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= SIDE and 1 <= self.rows <= SIDE):
            raise ValueError(f"a board of {self.columns} × {self.rows} cells; 1 to {SIDE} have names")
        if len(self.cells) != self.columns * self.rows:
            raise ValueError(f"{len(self.cells)} cells for a board of {self.columns} × {self.rows}")
        if any(cell.height < 0 for cell in self.cells):
            raise ValueError("a cell is lower than the ground")

    def name(self, place: int) -> str:
        """The name of a place: ``d3``."""
        row, column = divmod(place, self.columns)
        return f"{chr(ord('a') + column)}{row + 1}"

    def place(self, token: str) -> int | None:
        """The place that a choice's token belongs to, of ``d3`` as of ``Bd3``; None for a word."""
        found = _TOKEN.fullmatch(token)
        return self._at(*found.groups()) if found else None

    def named(self, text: str) -> tuple[int, ...]:
        """Every place that a text in words of the notation names: one in ``+2Bd3``, two in ``-d3-e3``."""
        places = (self._at(*found.groups()) for found in _NAME.finditer(text))
        return tuple(place for place in places if place is not None)

    def apart(self, one: int, other: int) -> int:
        """How many steps along rows and columns lie between two places."""
        (row, column), (to_row, to_column) = divmod(one, self.columns), divmod(other, self.columns)
        return abs(row - to_row) + abs(column - to_column)

    def _at(self, letter: str, number: str) -> int | None:
        column, row = ord(letter) - ord("a"), int(number) - 1
        return row * self.columns + column if column < self.columns and row < self.rows else None


def blank(columns: int, rows: int) -> Board:
    """A board with nothing on it; raises as :class:`Board`."""
    return Board(columns, rows, (EMPTY,) * (columns * rows))


@lru_cache
def around(tokens: tuple[str, ...]) -> Board | None:
    """The smallest blank board with a place for every cell that ``tokens`` name; None where none does."""
    named = [found.groups() for token in tokens if (found := _TOKEN.fullmatch(token))]
    if not named:
        return None
    return blank(max(ord(letter) for letter, _ in named) - ord("a") + 1, max(int(row) for _, row in named))
