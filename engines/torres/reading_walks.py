"""Who walks where before something else is done, own knights being no obstacle to each other."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engines.torres import ways
from engines.torres.cells import NOWHERE, cells
from engines.torres.ground import Ground

Walks = tuple[tuple[int, int], ...]
"""Who walks where: (from, to). Nobody starts where another ends."""
Walked = tuple[Walks, int, int]
"""Walks, the own knights' spaces after them, and the action points they take."""


class Wish(msgspec.Struct, frozen=True):
    """What has to be so before an event: the spaces ``free`` hold no own knight, those ``held`` all do, and
    one of those ``beside`` does, if any are named. ``after`` is the ground after an event that changes it.
    """

    free: int = 0
    held: int = 0
    beside: int = 0
    after: Ground | None = None


class Walkers:
    """The own knights on some ground, and how far they may go."""

    def __init__(self, ground: Ground, knights: int, pieces: int, descend: bool) -> None:
        """``pieces`` are the spaces of all other pieces, ``descend`` an option (TO-3.3)."""
        self.ground = ground
        self.knights = knights
        self.pieces = pieces
        self.descend = descend

    def wished(self, wish: Wish, left: int) -> Iterator[Walked]:
        """Every set of walks of at most ``left`` points that makes ``wish`` true and has no walk in it that
        could as well come later.
        """
        if not wish.beside:
            yield from self._exactly(wish, wish.held, left)
            return
        done = set()
        for made in self._exactly(wish, wish.held, left):
            if made[1] & wish.beside:
                done.add(made[0])
                yield made
        for cell in cells(wish.beside & ~self.knights & ~wish.free):
            for made in self._exactly(wish, wish.held | 1 << cell, left):
                if made[0] not in done:
                    done.add(made[0])
                    yield made

    def _exactly(self, wish: Wish, held: int, left: int) -> Iterator[Walked]:
        for walks, knights, points in self._leave(wish.free, left):
            for made in self._come((walks, knights, points), held, left):
                yield from self._hurry(made, wish.free | held, wish.after, left)

    def _leave(self, free: int, left: int) -> list[Walked]:
        """Knights leave the spaces ``free``."""
        found: list[Walked] = [((), self.knights, 0)]
        for cell in cells(free & self.knights):
            found = [
                ((*walks, (cell, target)), knights & ~(1 << cell) | 1 << target, points + cost)
                for walks, knights, points in found
                for target, cost in self._goals(cell, left - points)
                if not (knights | free | self.knights) >> target & 1
            ]
        return found

    def _come(self, made: Walked, held: int, left: int) -> list[Walked]:
        """Knights come to the spaces ``held``."""
        found = [made]
        for cell in cells(held & ~made[1]):
            found = [
                ((*walks, (source, cell)), knights & ~(1 << source) | 1 << cell, points + cost)
                for walks, knights, points in found
                for source in cells(knights & self.knights & ~held)
                if (cost := self._cost(source, cell, left - points))
            ]
        return found

    def _hurry(
        self, made: Walked, keep: int, after: Ground | None, left: int, since: int = NOWHERE
    ) -> Iterator[Walked]:
        """Knights, those on spaces after ``since``, also go now to where the event would be in their way;
        nobody may come to or go from the spaces ``keep``.
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
        """Every way to take all knights to ``targets``, as many spaces as there are knights, and its cost."""
        sources = list(cells(self.knights & ~targets))
        found: list[Walked] = [((), targets & ~self.knights, 0)]
        for at, source in enumerate(sources):
            rest = len(sources) - at - 1
            found = [
                ((*walks, (source, target)), open_ & ~(1 << target), points + cost)
                for walks, open_, points in found
                for target, cost in self._goals(source, left - points - rest)
                if open_ >> target & 1
            ]
        for walks, _, points in found:
            yield walks, points

    def reachable(self, left: int) -> int:
        """Every space that some own knight stands on or walks to with ``left`` points."""
        found = self.knights
        for cell in cells(self.knights):
            found |= ways.reachable(self.ground, self.pieces, cell, left, self.descend)
        return found

    def _goals(self, cell: int, left: int) -> Iterator[tuple[int, int]]:
        """Where the knight on ``cell`` may walk, and the cost."""
        if left > 0:
            for cost, layer in enumerate(ways.reach(self.ground, self.pieces, cell, left, self.descend), 1):
                for target in cells(layer):
                    yield target, cost

    def _cost(self, cell: int, target: int, left: int) -> int:
        """The cost of one such walk, 0 where it is too long."""
        return ways.cost(self.ground, self.pieces, cell, target, left, self.descend) if left > 0 else 0
