"""The 64 spaces of the board: names, numbers, sets of them as bitmasks, neighbours.

A space is a number, 8 × row + column, with a1 at the top left 0 and h8 at the bottom right 63; a set of
spaces is an int with bit *n* for space *n*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SIDE = 8
CELLS = SIDE * SIDE
FULL = (1 << CELLS) - 1
NOWHERE = -1
_COLUMN = sum(1 << SIDE * row for row in range(SIDE))
_NOT_A, _NOT_H = FULL ^ _COLUMN, FULL ^ (_COLUMN << SIDE - 1)

NAMES = tuple(f"{column}{row}" for row in range(1, SIDE + 1) for column in "abcdefgh")
NUMBERS = {name: cell for cell, name in enumerate(NAMES)}


def spread(mask: int) -> int:
    """Return all spaces orthogonally beside one of ``mask``; those of ``mask`` itself may be among them."""
    return ((mask & _NOT_H) << 1 | (mask & _NOT_A) >> 1 | mask << SIDE | mask >> SIDE) & FULL


def cells(mask: int) -> Iterator[int]:
    """Yield the spaces of a set, a1 first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def mask_of(spaces: Iterable[int]) -> int:
    """Return the set of these spaces."""
    mask = 0
    for cell in spaces:
        mask |= 1 << cell
    return mask


def names(mask: int) -> str:
    """Write a set of spaces: ``c4,d5``; ``-`` for none."""
    return ",".join(NAMES[cell] for cell in cells(mask)) or "-"


def distance(one: int, other: int) -> int:
    """Return the orthogonal steps between two spaces (TO-6.1)."""
    return abs(one % SIDE - other % SIDE) + abs(one // SIDE - other // SIDE)


def grown(seed: int, within: int) -> int:
    """Return the spaces connected to ``seed`` inside ``within``, which contains it."""
    reached = 0
    while seed != reached:
        reached = seed
        seed = (seed | spread(seed)) & within
    return reached


NEXT = tuple(spread(1 << cell) for cell in range(CELLS))
"""The spaces orthogonally beside each space."""
CORNERS = tuple(
    mask_of(
        other
        for other in range(CELLS)
        if abs(other % SIDE - cell % SIDE) == 1 and abs(other // SIDE - cell // SIDE) == 1
    )
    for cell in range(CELLS)
)
"""The spaces diagonally beside each space."""


def _find_behind(cell: int) -> tuple[tuple[int, int], ...]:
    row, column = divmod(cell, SIDE)
    found = []
    for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
        if 0 <= row + 2 * down < SIDE and 0 <= column + 2 * right < SIDE:
            step = down * SIDE + right
            found.append((cell + step, cell + 2 * step))
    return tuple(found)


OVER = tuple(map(_find_behind, range(CELLS)))
"""The straight leaps from each space: (the space in between, the landing)."""
