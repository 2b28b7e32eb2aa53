"""The cheapest turns that lead from one board to another: what is done in which order, and who walks when.

A turn is a row of *events*: a block placed, a knight placed, a card played. Between them knights walk, and a
knight walks only for a reason, for else it could as well walk later:

- it leaves the space that the event needs free,
- it comes to a space where the event needs an own knight,
- the event is in its way: what it reaches now would cost more afterwards,
- after the last event: it goes to where it was seen.

Own knights are all alike, so no own knight is ever in the way of another (see :mod:`.reading_far`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush

import msgspec

from engines.torres import cards as c
from engines.torres import stacks as piles
from engines.torres import ways
from engines.torres.cells import FULL, NEXT, NOWHERE, OVER, cells
from engines.torres.ground import Ground, with_block
from engines.torres.reading_far import Bound
from engines.torres.reading_plans import Plan, bounds, left_after, with_card
from engines.torres.reading_walks import Walkers, Walks, Wish
from engines.torres.state import KNIGHTS, State, own_blocks, supply, taken

OTHERS = 2_000
"""How many situations may come up in search of other turns, once there is one."""
KNIGHT_CARDS = (c.JUMP, c.DOORS, c.DIAGONAL, c.REPOSITION, c.LEAP)


class Event(msgspec.Struct, frozen=True):
    """A block (``kind`` "B"), a new knight ("N"), a card ("C"), or the end ("") with the last walks.

    ``source`` and ``target`` are spaces, as the card has them; a block and a new knight have a target only.
    """

    walks: Walks
    kind: str
    source: int = NOWHERE
    target: int = NOWHERE


class Way(msgspec.Struct, frozen=True):
    """A turn that leads there: its events in order, the card, and the action points it takes."""

    events: tuple[Event, ...]
    card: int
    points: int


class Effort:
    """How much more may be tried; shared by all searches for one reading, so that it is bounded."""

    def __init__(self, nodes: int) -> None:
        """``nodes`` is how many situations may still come up."""
        self.nodes = nodes


class _Node(msgspec.Struct, frozen=True):
    """A situation: what is still to be done and where the knights stand."""

    blocks: tuple[int, ...]
    carded: bool  # the card's event is still to come
    new: int
    knights: int
    ground: Ground
    under: int


class _Found(msgspec.Struct, frozen=True):
    """A situation reached: for how many points, by which event, out of which."""

    node: _Node | None  # None: the turn is done
    points: int
    event: Event | None
    before: _Found | None

    def way(self, card: int) -> Way:
        """All events up to here."""
        events = []
        at: _Found | None = self
        while at is not None and at.event is not None:
            events.append(at.event)
            at = at.before
        return Way(tuple(reversed(events)), card, self.points)


class Search:
    """The cheapest turns of ``state`` that carry out ``plan`` and leave the own knights on ``knights``."""

    def __init__(self, state: State, plan: Plan, knights: int, wanted: bytes, limit: int) -> None:
        """``wanted`` are the heights in the end, ``limit`` the most action points."""
        own = state.knights[state.seat]
        self.state = state
        self.plan = plan
        self.limit = limit
        self.pieces = taken(state) & ~own
        self.descend = state.variant.descend
        self.knights = knights
        self.bound = Bound(*bounds(state.ground.heights, wanted, plan), self.pieces, knights)
        self.carries = plan.card in KNIGHT_CARDS
        self.start = _Node(
            blocks=plan.blocks,
            carded=self.carries or plan.target != NOWHERE,
            new=knights.bit_count() - own.bit_count(),
            knights=own,
            ground=state.ground,
            under=state.under,
        )
        self.possible = self._possible()

    def _possible(self) -> bool:
        """Whether numbers alone allow it."""
        start, state = self.start, self.state
        if start.new < 0 or self.knights.bit_count() > KNIGHTS or self.knights & self.pieces:
            return False
        if self.plan.blocks:
            most = max(state.stacks[state.seat], default=0)
            if state.placed + len(self.plan.blocks) > most:
                return False
        if self.plan.card == c.UNDER and own_blocks(state) < 1:
            return False
        if self.plan.card == c.BLOCK and supply(state) < 1:
            return False
        return self._least(start) <= self.limit

    def _least(self, node: _Node) -> int:
        """Action points that are needed from here on at the least."""
        walk = self.bound.walk(node.knights, node.new, int(node.carded and self.carries))
        return len(node.blocks) + 2 * node.new + walk

    # The search itself

    def ways(self, effort: Effort) -> Iterator[Way]:
        """The turns that take the fewest action points; then those, up to the limit, in which only other
        knights went to other spaces in the end.
        """
        if not self.possible:
            return
        most, until = self.limit, 0
        first = _Found(self.start, 0, None, None)
        todo: list[tuple[int, int, int, _Found]] = [(self._least(self.start), 0, 0, first)]
        seen, number = set(), 0
        while todo and effort.nodes > until:
            least, _, _, found = heappop(todo)
            if found.node is None:
                if most == self.limit:
                    most, until = least, max(effort.nodes - OTHERS, 0)
                yield found.way(self.plan.card)
                continue
            if least > most or found.node in seen:
                continue
            seen.add(found.node)
            for event, points, node in self._onward(found.node, self.limit - found.points):
                effort.nodes -= 1
                spent = found.points + points
                least = spent if node is None else spent + self._least(node)
                if least <= self.limit:
                    number += 1
                    # Of equally cheap ones first what is furthest.
                    heappush(todo, (least, -spent, number, _Found(node, spent, event, found)))

    def _onward(self, node: _Node, left: int) -> Iterator[tuple[Event, int, _Node | None]]:
        """What can come next, what it costs, and what is then."""
        left -= len(node.blocks) + 2 * node.new  # what remains for walking
        if not node.blocks and not node.carded and not node.new:
            for walks, points in self._walkers(node).shared_out(self.knights, left):
                yield Event(walks, ""), points, None
            return
        for cell in dict.fromkeys(node.blocks):
            yield from self._block(node, cell, left)
        if node.carded:
            yield from self._carry(node, left) if self.carries else self._card(node, left)
        if node.new:
            yield from self._place(node, left)

    # Events

    def _block(self, node: _Node, cell: int, left: int) -> Iterator[tuple[Event, int, _Node]]:
        state = self.state
        placed = state.placed + len(self.plan.blocks) - len(node.blocks)
        if not node.ground.room >> cell & 1:
            return
        if not piles.can_place(state.stacks[state.seat], placed, node.under):
            return
        after = with_block(node.ground, cell)
        blocks = left_after(node.blocks, cell)
        wish = Wish(free=1 << cell, after=after)
        for walks, knights, points in self._walkers(node).wished(wish, left):
            then = _Node(blocks, node.carded, node.new, knights, after, node.under)
            yield Event(walks, "B", target=cell), points + 1, then

    def _card(self, node: _Node, left: int) -> Iterator[tuple[Event, int, _Node]]:
        """A card that lays or moves a block."""
        plan = self.plan
        after = with_card(node.ground, plan)
        if after is None:
            return
        free, held, under = 1 << plan.target, 0, node.under
        if plan.card == c.UNDER:
            state = self.state
            placed = len(plan.blocks) - len(node.blocks)
            if own_blocks(state) - placed < 1:
                return
            free, held, under = 0, 1 << plan.target, under + 1
        if plan.source != NOWHERE:
            free |= 1 << plan.source
        for walks, knights, points in self._walkers(node).wished(Wish(free, held, after=after), left):
            then = _Node(node.blocks, False, node.new, knights, after, under)
            yield Event(walks, "C", plan.source, plan.target), points, then

    def _place(self, node: _Node, left: int) -> Iterator[tuple[Event, int, _Node]]:
        """A new knight, wherever there is still a way from to where one was seen (TO-3.1)."""
        ground, carried = node.ground, int(node.carded and self.carries)
        walkers = self._walkers(node)
        near = FULL if carried else self.bound.near[min(left, 7)]  # a card may take it far from here
        for cell in cells(near & ~self.pieces):
            beside = self._as_high(ground, cell)
            if not beside or self.bound.walk(node.knights | 1 << cell, node.new - 1, carried) > left:
                continue
            for walks, knights, points in walkers.wished(Wish(1 << cell, beside=beside), left):
                then = _Node(node.blocks, node.carded, node.new - 1, knights | 1 << cell, ground, node.under)
                yield Event(walks, "N", target=cell), points + 2, then

    def _carry(self, node: _Node, left: int) -> Iterator[tuple[Event, int, _Node]]:
        """A card that takes a knight from one space to another."""
        walkers = self._walkers(node)
        for source, target, wish in self._carried(node, walkers, left):
            if self._too_far(node, left, source, target):
                continue
            for walks, knights, points in walkers.wished(wish, left):
                moved = knights & ~(1 << source) | 1 << target
                then = _Node(node.blocks, False, node.new, moved, node.ground, node.under)
                yield Event(walks, "C", source, target), points, then

    def _too_far(self, node: _Node, left: int, source: int, target: int) -> bool:
        """Whether a card from ``source`` to ``target`` is certain to leave too much walking."""
        if node.knights >> source & 1:
            return self.bound.walk(node.knights & ~(1 << source) | 1 << target, node.new) > left
        # One of them walks to the source first, for a point at least; which, is not said.
        return self.bound.forth(node.knights | 1 << target, node.new) >= left

    def _carried(self, node: _Node, walkers: Walkers, left: int) -> Iterator[tuple[int, int, Wish]]:
        """From where to where the card may take a knight, and what has to be so before."""
        ground, near = node.ground, self.bound.near[min(left, 7)] & ~self.pieces
        if self.plan.card == c.REPOSITION:  # it takes a knight from anywhere, so none needs to walk before
            for source in cells(node.knights):
                for target in cells(near & ~(1 << source)):
                    beside = self._as_high(ground, target) & ~(1 << source)
                    if beside:
                        yield source, target, Wish(1 << target, 1 << source, beside)
            return
        for source in cells(walkers.reachable(left)):
            held = 1 << source
            if self.plan.card == c.LEAP:
                low = near & ~ground.above[ground.heights[source] + 1]
                for over, target in OVER[source]:
                    if low >> target & 1:
                        also = 0 if self.pieces >> over & 1 else 1 << over
                        yield source, target, Wish(1 << target, held | also)
            else:
                for target in cells(_CARRIES[self.plan.card](self, ground, source) & near & ~held):
                    yield source, target, Wish(1 << target, held)

    def _as_high(self, ground: Ground, cell: int) -> int:
        """Where a knight must stand for another to be placed on ``cell`` (TO-3.1)."""
        beside = NEXT[cell] & ~self.pieces
        return beside & ground.above[ground.heights[cell] - 1] if ground.heights[cell] else beside

    def _walkers(self, node: _Node) -> Walkers:
        return Walkers(node.ground, node.knights, self.pieces, self.descend)


def _jump(search: Search, ground: Ground, cell: int) -> int:
    return ways.jump(ground, search.pieces, cell)


def _doors(search: Search, ground: Ground, cell: int) -> int:
    return ways.door_to_door(ground, search.pieces, cell, search.descend)


def _diagonal(search: Search, ground: Ground, cell: int) -> int:
    return ways.diagonal(ground, search.pieces, cell)


_CARRIES: dict[int, Callable[[Search, Ground, int], int]] = {
    c.JUMP: _jump,
    c.DOORS: _doors,
    c.DIAGONAL: _diagonal,
}
