"""Walks of knights between other events, and a lower bound for the cost of all walks.

Own knights are alike, so none is ever in another's way: one that stands in the way walks on in place of the
other, at the same cost.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from engines.torres import ways
from engines.torres.cells import CELLS, FULL, NEXT, NOWHERE, cells
from engines.torres.ground import Ground, survey

Walks = tuple[tuple[int, int], ...]
"""Walks as (from, to); no walk starts where another ends."""
Walked = tuple[Walks, int, int]
"""Walks, the own knights' spaces after them, and the action points they take."""


class Wish(msgspec.Struct, frozen=True):
    """A condition of an event: no own knight stands on the spaces ``free``, one stands on each of ``held``,
    and one on some space of ``beside``, unless it is empty. ``after`` is the ground after an event that
    changes it.
    """

    free: int = 0
    held: int = 0
    beside: int = 0
    after: Ground | None = None


class Walkers:
    """The own knights on a ground, and their walks."""

    def __init__(self, ground: Ground, knights: int, pieces: int, descend: bool) -> None:
        """Take the board; ``pieces`` are the spaces of all other pieces, ``descend`` an option (TO-3.3)."""
        self.ground = ground
        self.knights = knights
        self.pieces = pieces
        self.descend = descend

    def wished(self, wish: Wish, left: int) -> Iterator[Walked]:
        """Yield every set of walks of at most ``left`` points that makes ``wish`` true, without walks that
        could come later.
        """
        if not wish.beside:
            yield from self._find_walks(wish, wish.held, left)
            return
        done = set()
        for made in self._find_walks(wish, wish.held, left):
            if made[1] & wish.beside:
                done.add(made[0])
                yield made
        for cell in cells(wish.beside & ~self.knights & ~wish.free):
            for made in self._find_walks(wish, wish.held | 1 << cell, left):
                if made[0] not in done:
                    done.add(made[0])
                    yield made

    def _find_walks(self, wish: Wish, held: int, left: int) -> Iterator[Walked]:
        for walks, knights, points in self._leave(wish.free, left):
            for made in self._come((walks, knights, points), held, left):
                yield from self._hurry(made, wish.free | held, wish.after, left)

    def _leave(self, free: int, left: int) -> list[Walked]:
        """Return the ways to clear the spaces ``free`` of knights."""
        found: list[Walked] = [((), self.knights, 0)]
        for cell in cells(free & self.knights):
            found = [
                ((*walks, (cell, target)), knights & ~(1 << cell) | 1 << target, points + cost)
                for walks, knights, points in found
                for target, cost in self._find_goals(cell, left - points)
                if not (knights | free) >> target & 1
            ]
        return found

    def _come(self, made: Walked, held: int, left: int) -> list[Walked]:
        """Return the ways to bring knights to the spaces ``held``."""
        found = [made]
        for cell in cells(held & ~made[1]):
            found = [
                ((*walks, (source, cell)), knights & ~(1 << source) | 1 << cell, points + cost)
                for walks, knights, points in found
                for source in cells(knights & self.knights & ~held)
                if (cost := self._find_cost(source, cell, left - points))
            ]
        return found

    def _hurry(
        self, made: Walked, keep: int, after: Ground | None, left: int, since: int = NOWHERE
    ) -> Iterator[Walked]:
        """Yield the walks with further ones that the event would make longer.

        They are walks of knights on spaces after ``since``, neither from nor to the spaces ``keep``.
        """
        yield made
        walks, knights, points = made
        spare = left - points
        if after is None or spare <= 0:
            return
        for source in cells(knights & self.knights & ~keep):
            if source <= since:
                continue
            soon = ways.reach(self.ground, self.pieces, source, spare, self.descend)
            late = ways.reach(after, self.pieces, source, spare, self.descend)
            if soon == late:
                continue
            within = 0
            for cost, layer in enumerate(soon, 1):
                within |= late[cost - 1] if cost <= len(late) else 0
                for target in cells(layer & ~(within | knights | keep | self.knights)):
                    then = knights & ~(1 << source) | 1 << target
                    more = ((*walks, (source, target)), then, points + cost)
                    yield from self._hurry(more, keep, after, left, source)

    def shared_out(self, targets: int, left: int) -> Iterator[tuple[Walks, int]]:
        """Yield every way to take all knights to ``targets``, a space for each, and its cost."""
        sources = list(cells(self.knights & ~targets))
        found: list[Walked] = [((), targets & ~self.knights, 0)]
        for at, source in enumerate(sources):
            rest = len(sources) - at - 1
            found = [
                ((*walks, (source, target)), open_ & ~(1 << target), points + cost)
                for walks, open_, points in found
                for target, cost in self._find_goals(source, left - points - rest)
                if open_ >> target & 1
            ]
        for walks, _, points in found:
            yield walks, points

    def reachable(self, left: int) -> int:
        """Return the spaces that an own knight stands on, or can walk to with ``left`` points."""
        found = self.knights
        for cell in cells(self.knights):
            found |= ways.reachable(self.ground, self.pieces, cell, left, self.descend)
        return found

    def _find_goals(self, cell: int, left: int) -> Iterator[tuple[int, int]]:
        """Yield the spaces that the knight on ``cell`` can walk to, and the cost."""
        if left > 0:
            for cost, layer in enumerate(ways.reach(self.ground, self.pieces, cell, left, self.descend), 1):
                for target in cells(layer):
                    yield target, cost

    def _find_cost(self, cell: int, target: int, left: int) -> int:
        """Return the cost of a walk, 0 if it is too long."""
        return ways.cost(self.ground, self.pieces, cell, target, left, self.descend) if left > 0 else 0


# A lower bound for walks, whatever is built meanwhile

FAR = 8
"""A cost beyond any turn, which has at most 7 action points."""

Rings = tuple[int, ...]
"""Sets of spaces: from those in set number *n*, at most *n* action points may lead to some space."""


class Bound:
    """A lower bound for the cost of walks until all knights stand on ``targets``.

    It allows every step that is possible at any moment of the turn. It keeps a search short.
    """

    def __init__(self, low: bytes, high: bytes, pieces: int, targets: int) -> None:
        """Measure the distances to ``targets`` on heights from ``low`` to ``high``; ``pieces`` are the spaces
        of pieces that do not move.
        """
        self.targets = targets
        self._rings = {target: _find_rings(low, high, pieces, target) for target in cells(targets)}
        near = [0] * FAR
        for ring in self._rings.values():
            near = [some | more for some, more in zip(near, ring, strict=True)]
        self.near = tuple(near)
        """Set number *n* has the spaces with a target at most *n* action points away."""

    def walk(self, knights: int, new: int = 0, carried: int = 0) -> int:
        """Return the fewest action points; ``new`` knights are to be placed, ``carried`` moved by a card."""
        back = [_find_first(self.near, 1 << cell) for cell in cells(knights & ~self.targets)]
        return max(self.forth(knights, new + carried), _sum_least(back, carried))

    def forth(self, knights: int, spared: int) -> int:
        """Return the least cost to occupy all targets; ``spared`` of them need no walking."""
        forth = [_find_first(self._rings[target], knights) for target in cells(self.targets & ~knights)]
        return _sum_least(forth, spared)


@lru_cache(2048)
def _find_rings(low: bytes, high: bytes, pieces: int, target: int) -> Rings:
    """Return the rings round ``target``, up to :data:`FAR` - 1."""
    into = _find_sources(low, high, pieces)
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


@lru_cache(512)
def _find_sources(low: bytes, high: bytes, pieces: int) -> tuple[int, ...]:
    """Return by space the spaces from which one action point may lead there (TO-3.2, TO-3.3)."""
    found = [0] * CELLS
    most = survey(high)
    for cell in cells(FULL & ~pieces):
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


def _find_first(sets: Rings, mask: int) -> int:
    """Return the number of the first set that meets ``mask``."""
    for points, ring in enumerate(sets):
        if ring & mask:
            return points
    return FAR


def _sum_least(steps: list[int], spared: int) -> int:
    """Return the sum of ``steps`` without the ``spared`` largest."""
    return sum(sorted(steps)[:-spared]) if spared else sum(steps)
