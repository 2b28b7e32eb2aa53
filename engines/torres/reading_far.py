"""How far knights are from where they must get, at the least: the bound that keeps a search short.

Every step is allowed here that some moment of the turn might allow. Own knights are never in the way: they
are all alike, so one that stands in the way goes on in the other's place, and that costs the same.
"""

from __future__ import annotations

from functools import lru_cache

from engines.torres.cells import CELLS, NEXT, cells
from engines.torres.ground import survey

FAR = 8
"""Stands for further than any turn leads: its action points are at most 7."""


@lru_cache(512)
def _into(low: bytes, high: bytes, pieces: int) -> tuple[int, ...]:
    """For each space those from which one action point may lead there (TO-3.2, TO-3.3)."""
    found = [0] * CELLS
    most = survey(high)
    free = [cell for cell in range(CELLS) if not pieces >> cell & 1]
    for cell in free:
        for beside in cells(NEXT[cell]):
            if low[cell] <= high[beside] + 1:
                found[cell] |= 1 << beside
    for castle, border in zip(most.castles, most.borders, strict=True):
        doors = [
            cell
            for cell in cells(castle | border)
            if any(high[column] > low[cell] for column in cells(NEXT[cell] & castle))
        ]
        for cell in doors:
            if not pieces >> cell & 1:
                for other in doors:
                    if high[other] >= low[cell]:
                        found[cell] |= 1 << other
    return tuple(found)


Rings = tuple[int, ...]
"""The *n*-th set: the spaces from which at most *n* action points may lead to some space."""


@lru_cache(2048)
def rings(low: bytes, high: bytes, pieces: int, target: int) -> Rings:
    """The rings round ``target``, up to :data:`FAR` - 1, while heights lie from ``low`` to ``high``."""
    into = _into(low, high, pieces)
    reached = edge = 1 << target
    found = [reached]
    while len(found) < FAR:
        new = 0
        for cell in cells(edge):
            new |= into[cell]
        edge = new & ~reached
        reached |= edge
        found.append(reached)
    return tuple(found)


class Bound:
    """The least that walking can still cost until all knights stand on ``targets``."""

    def __init__(self, low: bytes, high: bytes, pieces: int, targets: int) -> None:
        """``pieces`` are the spaces of pieces that do not move, ``targets`` where own knights must end."""
        self.targets = targets
        self._rings = {target: rings(low, high, pieces, target) for target in cells(targets)}
        near = [0] * FAR
        for ring in self._rings.values():
            near = [some | more for some, more in zip(near, ring, strict=True)]
        self.near = tuple(near)
        """The *n*-th set: the spaces with some target at most *n* action points away."""

    def walk(self, knights: int, new: int = 0, carried: int = 0) -> int:
        """Action points at the least; ``new`` knights are still to be placed, ``carried`` taken by a card."""
        back = [_first(self.near, 1 << cell) for cell in cells(knights & ~self.targets)]
        return max(self.forth(knights, new + carried), _least(back, carried))

    def forth(self, knights: int, spared: int) -> int:
        """The same from the targets' side alone; ``spared`` of them may be reached without walking."""
        forth = [_first(self._rings[target], knights) for target in cells(self.targets & ~knights)]
        return _least(forth, spared)


def _first(sets: Rings, mask: int) -> int:
    """The number of the first set that meets ``mask``."""
    for points, ring in enumerate(sets):
        if ring & mask:
            return points
    return FAR


def _least(ways: list[int], spared: int) -> int:
    """The sum of ``ways`` without the longest ``spared``."""
    if not spared:
        return sum(ways)
    ways.sort()
    return sum(ways[:-spared])
