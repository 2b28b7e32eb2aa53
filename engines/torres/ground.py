"""The blocks on the board: heights, castles, and the spaces for a block.

All of it follows from the heights; pieces matter only if their spaces are passed in.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engines.torres.cells import CELLS, FULL, NEXT, cells, grown, spread

BLOCKS = 92  # TO-1.1
LEAST_CASTLES = 6  # TO-4.7
TALLEST = (BLOCKS - LEAST_CASTLES + 2) // 2
"""The height of the tallest possible column: with as much area (TO-3.7) and five more castles it takes all
blocks.
"""
SPARE = 3
"""Levels above the tallest column, so that a step or a jump up needs no special case."""
USUAL = 12 + SPARE
"""The levels that a ground has at first; higher columns add to them."""
START = ("d1", "c3", "f3", "h4", "a5", "c6", "f6", "e8")  # TO-1.2


class Ground(msgspec.Struct, frozen=True, eq=False):
    """Heights by space, and what follows from them; grounds with equal heights are equal.

    ``castles`` are the castles' spaces (TO-1.7), in the order of their first spaces, ``borders`` the spaces
    beside each. ``above[k]`` are the spaces higher than ``k``, up to 2 more than the tallest. ``beside`` are
    the spaces without a block beside any castle, ``widening`` those beside exactly one, ``roofs`` the columns
    that may grow (TO-3.7).
    """

    heights: bytes
    castles: tuple[int, ...]
    borders: tuple[int, ...]
    above: tuple[int, ...]
    beside: int
    widening: int
    roofs: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ground) and self.heights == other.heights

    def __hash__(self) -> int:
        return hash(self.heights)

    @property
    def blocks(self) -> int:
        """The number of blocks on the board."""
        return sum(self.heights)

    @property
    def room(self) -> int:
        """The spaces for a block by TO-3.5 to TO-3.7, pieces ignored."""
        return self.widening | self.roofs

    @property
    def founding(self) -> int:
        """The spaces where a block founds a castle: without a block there or beside (TO-4.2, TO-4.7)."""
        return FULL & ~self.above[0] & ~self.beside

    @property
    def under_room(self) -> int:
        """The spaces where a block may be slid under a knight: in a castle, or to found one (TO-4.2)."""
        return self.founding | self.roofs


def _find_beside(borders: tuple[int, ...]) -> tuple[int, int]:
    """Return the spaces beside any castle, and those beside exactly one."""
    one = more = 0
    for border in borders:
        more |= one & border
        one |= border
    return one, one & ~more


def _find_roofs(castle: int, above: tuple[int, ...]) -> int:
    """Return the columns of a castle that may be one higher."""
    area = castle.bit_count()
    if area < len(above):
        return castle & ~above[area - 1]
    return castle & ~above[TALLEST - 1] if len(above) > TALLEST else castle


def _make_ground(heights: bytes, castles: tuple[int, ...], above: tuple[int, ...]) -> Ground:
    borders = tuple([spread(castle) & ~castle for castle in castles])
    roofs = 0
    for castle in castles:
        roofs |= _find_roofs(castle, above)
    return Ground(heights, castles, borders, above, *_find_beside(borders), roofs)


def survey(heights: bytes) -> Ground:
    """Return the ground with these 64 heights, 0 to :data:`TALLEST` each."""
    levels = max(max(heights) + SPARE, USUAL)
    above = [0] * levels
    for cell, height in enumerate(heights):
        for level in range(height):
            above[level] |= 1 << cell
    return _make_ground(heights, _find_parts(above[0]), tuple(above))


def _find_parts(mask: int) -> tuple[int, ...]:
    """Return the connected parts of a set of spaces."""
    parts = []
    while mask:
        part = grown(mask & -mask, mask)
        parts.append(part)
        mask &= ~part
    return tuple(parts)


EMPTY = survey(bytes(CELLS))


def with_block(ground: Ground, cell: int) -> Ground:
    """Return the ground with one more block on ``cell``, legal or not."""
    castles, borders, bit = ground.castles, ground.borders, 1 << cell
    columns, levels = bytearray(ground.heights), list(ground.above)
    height = columns[cell]
    columns[cell] += 1
    levels[height] |= bit
    if height + SPARE >= len(levels):
        levels.append(0)
    raised, above = bytes(columns), tuple(levels)
    if height:
        castle = castle_at(ground, cell)
        roofs = ground.roofs & ~castle | _find_roofs(castle, above)
        return Ground(raised, castles, borders, above, ground.beside, ground.widening, roofs)
    if ground.widening & bit:
        at = 0
        while not borders[at] & bit:
            at += 1
        old = castles[at]
        castle = old | bit
        if bit > old & -old:
            new = NEXT[cell] & ~(borders[at] | castle)
            castles = (*castles[:at], castle, *castles[at + 1 :])
            borders = (*borders[:at], (borders[at] | new) ^ bit, *borders[at + 1 :])
            beside, roofs = ground.beside, ground.roofs & ~castle | _find_roofs(castle, above)
            widening = ground.widening & ~(new & beside) ^ bit | new & ~beside
            return Ground(raised, castles, borders, above, (beside | new) ^ bit, widening, roofs)
    joined = bit
    for castle, border in zip(castles, borders, strict=True):
        if border & bit:
            joined |= castle
    apart = [castle for castle in castles if not castle & joined]
    return _make_ground(raised, tuple(sorted([*apart, joined], key=_find_first)), above)


def _find_first(castle: int) -> int:
    return castle & -castle


def without_block(ground: Ground, cell: int) -> Ground:
    """Return the ground without the top block of ``cell``, which must have one."""
    heights, above = ground.heights, ground.above
    height, bit = heights[cell] - 1, 1 << cell
    lowered = heights[:cell] + bytes((height,)) + heights[cell + 1 :]
    above = (*above[:height], above[height] & ~bit, *above[height + 1 :])
    castle = castle_at(ground, cell)
    if height:
        roofs = ground.roofs & ~castle | _find_roofs(castle, above)
        return Ground(lowered, ground.castles, ground.borders, above, ground.beside, ground.widening, roofs)
    apart = [other for other in ground.castles if other != castle]
    return _make_ground(lowered, tuple(sorted([*apart, *_find_parts(castle & ~bit)], key=_find_first)), above)


def castle_at(ground: Ground, cell: int) -> int:
    """Return the castle of a space, 0 for a space without a block."""
    bit = 1 << cell
    for castle in ground.castles:
        if castle & bit:
            return castle
    return 0


def tallest(ground: Ground, castle: int) -> int:
    """Return the height of the tallest column of a castle."""
    height = 0
    while height < TALLEST and ground.above[height] & castle:
        height += 1
    return height


def targets(ground: Ground, source: int) -> int:
    """Return the spaces where the top block of ``source`` may go by TO-4.7, pieces ignored."""
    if not ground.heights[source]:
        return 0
    lifted = without_block(ground, source)
    before, after = len(ground.castles), len(lifted.castles)
    if after > before:
        return 0
    least = min(before, LEAST_CASTLES)
    found = lifted.founding if after < least else lifted.room | lifted.founding
    rest = castle_at(ground, source) & lifted.above[0]
    short = tallest(lifted, rest) - rest.bit_count()
    if short > 1:
        return 0
    if rest and short > 0:  # the castle needs the block's area back
        found &= lifted.widening & spread(rest)
    return found & ~(1 << source)


def sources(ground: Ground, pieces: int) -> Iterator[int]:
    """Yield the spaces whose top block may go somewhere by TO-4.7; ``pieces`` are the spaces of pieces."""
    founding = ground.founding & ~pieces
    for castle in ground.castles:
        area, high = castle.bit_count(), tallest(ground, castle)
        for cell in cells(castle & ~pieces):
            # If there is room to found a castle, a block that comes off without harm can go there.
            if ground.heights[cell] > 1:
                easy = high <= area
            else:
                easy = area == 1 or (high < area and _comes_off(castle, cell))
            if (easy and founding) or targets(ground, cell) & ~pieces:
                yield cell


def _comes_off(castle: int, cell: int) -> bool:
    """Return True if a castle stays connected without one of its spaces."""
    rest = castle & ~(1 << cell)
    beside = rest & NEXT[cell]
    if not beside & (beside - 1):
        return True
    return grown(beside & -beside, rest) == rest
