"""Ways of a knight: on foot, through a castle's doors, and by the cards (TO-3.1 to TO-3.3, TO-4).

``taken`` are the spaces with a piece, ``level`` is the height of the knight's space.
"""

from __future__ import annotations

from functools import lru_cache

from engines.torres.cells import CELLS, CORNERS, NEXT, OVER, cells, grown, spread
from engines.torres.ground import TALLEST, Ground


def through(ground: Ground, cell: int, descend: bool = False, card: bool = False) -> int:
    """Return the spaces, taken or not, that the doors beside ``cell`` lead to (TO-3.3), with ``card`` at any
    height (TO-4.4).

    With ``descend`` the way inside must lead through columns taller than its end.
    """
    level = ground.heights[cell]
    doors = NEXT[cell] & ground.above[level]
    if not doors:
        return 0
    found = 0
    for castle in ground.castles:
        entered = castle & doors
        if entered:
            found |= _find_out(ground, castle, entered, TALLEST - 1 if card else level, descend)
    return found & ~(1 << cell)


def _find_out(ground: Ground, castle: int, entered: int, limit: int, descend: bool) -> int:
    """Return the spaces up to level ``limit`` that a castle's doors lead to from the columns ``entered``."""
    above, found = ground.above, 0
    for level in range(limit + 1):
        inside = castle & above[level]
        if not inside:
            break
        if descend:
            begun = entered & inside
            if not begun:
                continue
            inside = grown(begun, inside)
        found |= spread(inside) & ~above[level]
    return found


def doors(ground: Ground, castle: int) -> int:
    """Return the spaces with a door to a castle: those beside a taller column of it (TO-3.3)."""
    return _find_out(ground, castle, castle, TALLEST - 1, False)


def steps(ground: Ground, taken: int, cell: int, descend: bool = False) -> int:
    """Return the spaces that one action point leads to: beside, up one level at most (TO-3.2), or through a
    castle (TO-3.3).
    """
    on_foot = NEXT[cell] & ~ground.above[ground.heights[cell] + 1]
    return (on_foot | through(ground, cell, descend)) & ~taken


@lru_cache(1024)
def reach(ground: Ground, taken: int, cell: int, points: int, descend: bool = False) -> tuple[int, ...]:
    """Return the spaces that a knight on ``cell`` reaches with up to ``points`` action points (TO-3.2,
    TO-3.3).

    The set number *n*, from 0, has the spaces that cost *n* + 1; there are no empty sets.
    """
    above, castles = ground.above, ground.castles
    seen = taken | 1 << cell
    frontier, found = 1 << cell, []
    opened = [-1] * len(castles)
    for _ in range(points):
        new, rest, level = 0, frontier, 0
        while rest:
            here = rest & ~above[level]
            if here:
                beside = spread(here)
                new |= beside & ~above[level + 1]
                doors = beside & above[level]
                if doors and descend:
                    for one in cells(here):
                        new |= through(ground, one, True)
                elif doors:
                    for at, castle in enumerate(castles):
                        if castle & doors and level > opened[at]:
                            opened[at] = level
                            new |= _find_out(ground, castle, castle, level, False)
                rest &= above[level]
            level += 1
        frontier = new & ~seen
        if not frontier:
            break
        seen |= frontier
        found.append(frontier)
    return tuple(found)


def reachable(ground: Ground, taken: int, cell: int, points: int, descend: bool = False) -> int:
    """Return all of :func:`reach` as one set."""
    found = 0
    for layer in reach(ground, taken, cell, points, descend):
        found |= layer
    return found


def cost(
    ground: Ground, taken: int, cell: int, target: int, points: int = CELLS, descend: bool = False
) -> int:
    """Return the fewest action points from ``cell`` to ``target``, 0 if no way of ``points`` leads there."""
    for spent, layer in enumerate(reach(ground, taken, cell, points, descend), 1):
        if layer >> target & 1:
            return spent
    return 0


def beside_own(ground: Ground, taken: int, knights: int) -> int:
    """Return the spaces where a new knight may be placed beside ``knights`` (TO-3.1)."""
    found = 0
    for cell in cells(knights):
        found |= NEXT[cell] & ~ground.above[ground.heights[cell]]
    return found & ~taken


def jump(ground: Ground, taken: int, cell: int) -> int:
    """Return the spaces that a jump leads to (TO-4.1)."""
    level = ground.heights[cell]
    return NEXT[cell] & ~taken & ground.above[level + 1] & ~ground.above[level + 2]


def door_to_door(ground: Ground, taken: int, cell: int, descend: bool = False) -> int:
    """Return the spaces that the card leads to through a castle (TO-4.4)."""
    return through(ground, cell, descend, card=True) & ~taken


def diagonal(ground: Ground, taken: int, cell: int) -> int:
    """Return the spaces that a diagonal step leads to (TO-4.5)."""
    return CORNERS[cell] & ~taken & ~ground.above[ground.heights[cell] + 1]


def reposition(ground: Ground, taken: int, cell: int, knights: int) -> int:
    """Return the spaces for a knight taken up from ``cell`` (TO-4.8); ``knights`` are all of the seat's."""
    return beside_own(ground, taken, knights & ~(1 << cell))


def leap(ground: Ground, taken: int, cell: int) -> int:
    """Return the spaces that a leap over a piece leads to (TO-4.9)."""
    low = ~ground.above[ground.heights[cell] + 1] & ~taken
    found = 0
    for over, landing in OVER[cell]:
        if taken >> over & 1:
            found |= 1 << landing & low
    return found
