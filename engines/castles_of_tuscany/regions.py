"""Regions: three boards put together, their spaces and areas (CT-1.5).

A board is the ten kinds of its hexes, row by row from the left. An *outline* is the number of hexes in each
row: ``(5, 5)``, ``(3, 4, 3)``. A board may lie turned by half, ``B1'``, with its rows and hexes in reverse
order. Neighbouring rows are centred; of two with the same length the lower stands half a hex further right.
A *seam* is the shift of the next board to the right of the one above, in steps of a whole hex (of half a hex
if rows would not interlock otherwise).

A set of spaces is an int, bit *n* for the *n*-th space from the top left, row by row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

import msgspec

from engines.board import SIDE, BoardShape, starts
from engines.castles_of_tuscany.kinds import KINDS

HEXES = 10
BOARDS = 3
SPACES = HEXES * BOARDS
SETS = "ABC"
OF_EACH_SET = 4
NAMES = tuple(f"{letter}{n}" for letter in SETS for n in range(1, OF_EACH_SET + 1))
"""``A1`` to ``C4``."""
SEAMS = (-1, 0, 1)
TURNED = "'"
"""The sign behind the name of a board that is turned by half."""

Outline = tuple[int, ...]


def board(name: str) -> str:
    """Return the name of a board without its turn: ``B1`` for ``B1'``."""
    return name.removesuffix(TURNED)


def seams(outline: Outline, above: str = "") -> tuple[int, ...]:
    """Return the legal seams below a board: half a hex to the left or right of its last row (CT-1.5)."""
    last = starts(_list_rows(outline, above))[-1]
    step = 2 if _is_whole(outline) else 1
    return (last - 1) // step, (last + 1) // step


def interlocking(outline: Outline) -> tuple[int, ...]:
    """Return the legal seams under version 1 of the rules, which allowed one and a half hexes, too."""
    return SEAMS if _is_whole(outline) else tuple(seam for seam in SEAMS if seam)


def _list_rows(outline: Outline, name: str) -> Outline:
    return outline[::-1] if name.endswith(TURNED) else outline


def _is_whole(outline: Outline) -> bool:
    """Return True if boards interlock without a shift, and so at whole hexes."""
    first, last = starts(outline)[0], starts(outline)[-1]
    return (first - last) % 2 == 1


class Region(msgspec.Struct, frozen=True):
    """The thirty spaces of a player by number: their names, kinds and places.

    ``places`` are those on a board of ``columns`` × ``rows`` (:class:`engines.board.Board`), ``beside`` the
    sets of neighbours, ``of_kind`` the sets of spaces by number of kind, ``areas`` the sets of connected
    spaces of one colour (CT-4.1).
    """

    names: tuple[str, ...]
    kinds: str
    places: tuple[int, ...]
    columns: int
    rows: int
    shape: BoardShape
    beside: tuple[int, ...]
    of_kind: tuple[int, ...]
    areas: tuple[int, ...]

    @property
    def spots(self) -> tuple[tuple[int, int], ...]:
        """The place of each space: its row from the top, and half hexes from the left."""
        odd = self.shape is BoardShape.HEXES_ODD
        found = (divmod(place, self.columns) for place in self.places)
        return tuple((row, 2 * column + (row % 2 != odd)) for row, column in found)

    def number(self, name: str) -> int:
        """Return the number of a space by name, -1 if there is none."""
        return self.names.index(name) if name in self.names else -1

    def area(self, space: int) -> int:
        """Return the area of a space."""
        return next(area for area in self.areas if area >> space & 1)

    def next_to(self, spaces: int) -> int:
        """Return the spaces that touch any of ``spaces``."""
        found = 0
        for space in cells(spaces):
            found |= self.beside[space]
        return found


def cells(spaces: int) -> Iterator[int]:
    """Yield the numbers in a set, in order."""
    while spaces:
        low = spaces & -spaces
        yield low.bit_length() - 1
        spaces ^= low


def put_together(
    names: tuple[str, ...], seams: tuple[int, ...], known: Mapping[str, str], outline: Outline
) -> Region:
    """Return the region of three named boards from the top, with two seams; ``known`` has their hexes."""
    hexes = (known[board(name)] for name in names)
    turned = tuple(
        each[::-1] if name.endswith(TURNED) else each for each, name in zip(hexes, names, strict=True)
    )
    return region(turned, seams, tuple(_list_rows(outline, name) for name in names))


@lru_cache(2048)
def region(boards: tuple[str, ...], seams: tuple[int, ...], outlines: tuple[Outline, ...]) -> Region:
    """Return the region of three boards (ten letters each), as they lie, from the top, with two seams."""
    step = 2 if _is_whole(outlines[0]) else 1
    at = 0
    rows: list[tuple[int, str]] = []
    for hexes, outline, seam in zip(boards, outlines, (0, *seams), strict=True):
        at += step * seam
        taken = 0
        for begin, length in zip(starts(outline), outline, strict=True):
            rows.append((at + begin, hexes[taken : taken + length]))
            taken += length
    left = min(begin for begin, _ in rows)
    spots = [
        (row, begin - left + 2 * n, kind)
        for row, (begin, kinds) in enumerate(rows)
        for n, kind in enumerate(kinds)
    ]
    columns = max(halves for _, halves, _ in spots) // 2 + 1
    names = tuple(f"{chr(ord('a') + halves // 2)}{row + 1}" for row, halves, _ in spots)
    kinds = "".join(kind for *_, kind in spots)
    there = {(row, halves): 1 << n for n, (row, halves, _) in enumerate(spots)}
    beside = tuple(
        sum(there.get((row + down, halves + across), 0) for down, across in _TOUCHING)
        for row, halves, _ in spots
    )
    of_kind = tuple(sum(1 << n for n, one in enumerate(kinds) if one == kind) for kind in KINDS)
    odd_right = (rows[0][0] - left) % 2
    return Region(
        names,
        kinds,
        tuple(row * columns + halves // 2 for row, halves, _ in spots),
        columns,
        len(rows),
        BoardShape.HEXES_ODD if odd_right else BoardShape.HEXES,
        beside,
        of_kind,
        tuple(_find_areas(of_kind, beside)),
    )


_TOUCHING = ((0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""The neighbours of a hex: rows down, and half hexes to the right."""


def _find_areas(colours: Iterable[int], beside: tuple[int, ...]) -> Iterator[int]:
    for colour in colours:
        left = colour
        while left:
            area = grown = left & -left
            while grown:
                further = 0
                for space in cells(grown):
                    further |= beside[space]
                grown = further & left & ~area
                area |= grown
            yield area
            left &= ~area


def is_outline(rows: Outline) -> bool:
    """Return True if rows of these lengths are a board: they have ten hexes, neighbouring rows stand half a
    hex apart, and all spaces have names in every region.
    """
    interlock = all(above == below or (above - below) % 2 for above, below in pairwise(rows))
    named = BOARDS * len(rows) <= SIDE and (widest(rows) + 1) // 2 <= SIDE
    return sum(rows) == HEXES and interlock and named


def widest(outline: Outline) -> int:
    """Return the greatest width of regions of this outline, in half hexes."""
    wide = max(begin + 2 * length for begin, length in zip(starts(outline), outline, strict=True))
    narrow = min(starts(outline))
    shifts = (*seams(outline), *seams(outline, TURNED), *interlocking(outline))
    return wide - narrow + (BOARDS - 1) * max(map(abs, shifts)) * (2 if _is_whole(outline) else 1)
