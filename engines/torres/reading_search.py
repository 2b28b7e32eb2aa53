"""The cheapest turns that lead from one board to another: the order of events, and the walks in between.

The two boards differ by a few blocks. Without a card, all of them came from an own stack. A card accounts for
one: it was slid under a knight (TO-4.2), came from the supply (TO-4.3), or was moved (TO-4.7); then it is
missing elsewhere, unless one was placed there in the same turn. That much is a *plan*.

A row of *events* carries out a plan: a block placed, a knight placed, a card played. Knights walk in between.
A knight walks only for a reason, because it could also walk later:

- it leaves a space that the event needs free,
- it comes to a space where the event needs an own knight,
- the event makes its way longer,
- it goes to its final space after the last event.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush

import msgspec

from engines.torres import ways
from engines.torres.cells import CELLS, FULL, NEXT, NOWHERE, OVER, cells
from engines.torres.ground import TALLEST, Ground, targets, with_block, without_block
from engines.torres.reading_walks import FAR, Bound, Walkers, Walks, Wish
from engines.torres.stacks import can_place
from engines.torres.state import BLOCK, DIAGONAL, DOORS, JUMP, KNIGHTS, LEAP, MOVE, REPOSITION, UNDER, State

OTHERS = 2_000
"""The most situations of a search for further turns."""
KNIGHT_CARDS = (JUMP, DOORS, DIAGONAL, REPOSITION, LEAP)
NO_CARD = -1


class TurnPlan(msgspec.Struct, frozen=True):
    """The spaces of blocks from own stacks, in order and with repeats, and a card.

    ``card`` is a card's number or :data:`NO_CARD`; ``source`` and ``target`` are the spaces of the block that
    it moves or adds, :data:`NOWHERE` for other cards.
    """

    blocks: tuple[int, ...]
    card: int = NO_CARD
    source: int = NOWHERE
    target: int = NOWHERE


def plans(before: Ground, wanted: bytes, card: int, pieces: int, most: int) -> Iterator[TurnPlan]:
    """Yield every plan with ``card`` that turns ``before`` into the heights ``wanted`` in some legal order.

    ``pieces`` are the spaces of pieces that do not move: no block goes there or comes from there. ``most`` is
    the most blocks from own stacks.
    """
    change = [wanted[cell] - before.heights[cell] for cell in range(CELLS)]
    added = 1 if card in (UNDER, BLOCK) else 0
    if sum(change) > max(most, 0) + added or any(change[cell] for cell in cells(pieces)):
        return
    for plan in _list_plans(change, before, card, pieces):
        if _fits(before, plan, plan.blocks, plan.target != NOWHERE):
            yield plan


def _list_plans(change: list[int], before: Ground, card: int, pieces: int) -> Iterator[TurnPlan]:
    """Yield the plans that fit the numbers of blocks."""
    lower = [cell for cell in range(CELLS) if change[cell] < 0]
    higher = [cell for cell in range(CELLS) if change[cell] > 0]
    if card != MOVE:
        if lower:
            return
        blocks = _list_blocks(change)
        if card not in (UNDER, BLOCK):
            yield TurnPlan(blocks, card)
            return
        for target in higher:
            yield TurnPlan(_drop(blocks, target), card, target=target)
        return
    if len(lower) > 1 or any(change[cell] < -1 for cell in lower):
        return
    for source in lower or range(CELLS):
        if pieces >> source & 1:
            continue
        for target in higher:
            if target != source:
                change[source] += 1
                change[target] -= 1
                yield TurnPlan(_list_blocks(change), MOVE, source, target)
                change[source] -= 1
                change[target] += 1


def _list_blocks(change: list[int]) -> tuple[int, ...]:
    return tuple(cell for cell in range(CELLS) for _ in range(change[cell]))


def _drop(blocks: tuple[int, ...], cell: int) -> tuple[int, ...]:
    at = blocks.index(cell)
    return blocks[:at] + blocks[at + 1 :]


def _play_card(ground: Ground, plan: TurnPlan) -> Ground | None:
    """Return the ground after the plan's card, or None if the blocks forbid it."""
    target = plan.target
    if plan.card == UNDER:
        return with_block(ground, target) if ground.under_room >> target & 1 else None
    if plan.card == BLOCK:
        return with_block(ground, target) if ground.room >> target & 1 else None
    if plan.card == MOVE:
        if not ground.heights[plan.source] or not targets(ground, plan.source) >> target & 1:
            return None
        return with_block(without_block(ground, plan.source), target)
    return ground


@lru_cache(8192)
def _fits(ground: Ground, plan: TurnPlan, blocks: tuple[int, ...], card_due: bool) -> bool:
    """Return True if some order keeps TO-3.5 to TO-3.7 and the card's clause, knights ignored.

    ``card_due`` is True while the card is to come.
    """
    if not blocks and not card_due:
        return True
    for cell in dict.fromkeys(blocks):
        if (ground.room >> cell & 1) and _fits(with_block(ground, cell), plan, _drop(blocks, cell), card_due):
            return True
    if card_due:
        after = _play_card(ground, plan)
        return after is not None and _fits(after, plan, blocks, False)
    return False


def _find_bounds(before: bytes, wanted: bytes, plan: TurnPlan) -> tuple[bytes, bytes]:
    """Return the least and the greatest height of each space during the plan."""
    low, high = bytearray(map(min, before, wanted)), bytearray(map(max, before, wanted))
    if plan.card == MOVE and plan.source in plan.blocks:
        low[plan.source] = max(before[plan.source] - 1, 0)
        high[plan.source] = min(before[plan.source] + plan.blocks.count(plan.source), TALLEST)
    return bytes(low), bytes(high)


# The order of events


class PlannedEvent(msgspec.Struct, frozen=True):
    """A block (``kind`` "B"), a new knight ("N"), a card ("C"), or the end ("") with the last walks.

    ``source`` and ``target`` are the spaces of the card; a block and a new knight only have a target.
    """

    walks: Walks
    kind: str
    source: int = NOWHERE
    target: int = NOWHERE


class Way(msgspec.Struct, frozen=True):
    """A turn: its events in order, its card, and its action points."""

    events: tuple[PlannedEvent, ...]
    card: int
    points: int


class Effort:
    """A budget of situations, shared by all searches for one reading."""

    def __init__(self, nodes: int) -> None:
        """Allow ``nodes`` situations."""
        self.nodes = nodes


class _Node(msgspec.Struct, frozen=True):
    """A situation: the events to come, the ground, and the spaces of own knights."""

    blocks: tuple[int, ...]
    card_due: bool  # the card's event is still to come
    new: int
    knights: int
    ground: Ground
    under: int


class _Found(msgspec.Struct, frozen=True):
    """A situation that was reached: its points, the last event, and the situation before."""

    node: _Node | None  # None: the turn is done
    points: int
    event: PlannedEvent | None
    before: _Found | None

    def way(self, card: int) -> Way:
        """Return all events up to here."""
        events = []
        at: _Found | None = self
        while at is not None and at.event is not None:
            events.append(at.event)
            at = at.before
        return Way(tuple(reversed(events)), card, self.points)


class TurnSearch:
    """The cheapest turns of ``state`` that carry out ``plan`` and leave the own knights on ``knights``."""

    def __init__(self, state: State, plan: TurnPlan, knights: int, wanted: bytes, limit: int) -> None:
        """Prepare the search; ``wanted`` are the final heights, ``limit`` the most action points."""
        own = state.knights[state.seat]
        self.state = state
        self.plan = plan
        self.limit = limit
        self.pieces = state.taken() & ~own
        self.descend = state.variant.descend
        self.knights = knights
        self.bound = Bound(*_find_bounds(state.ground.heights, wanted, plan), self.pieces, knights)
        self.takes_knight = plan.card in KNIGHT_CARDS
        self.start = _Node(
            blocks=plan.blocks,
            card_due=self.takes_knight or plan.target != NOWHERE,
            new=knights.bit_count() - own.bit_count(),
            knights=own,
            ground=state.ground,
            under=state.under,
        )

    def _is_possible(self) -> bool:
        """Return True if numbers alone allow the plan."""
        if self.plan.card == BLOCK and not self.state.supply():
            return False
        return self.start.new >= 0 and self.knights.bit_count() <= KNIGHTS

    def _estimate(self, node: _Node) -> int:
        """Return a lower bound for the action points from here on."""
        walk = self.bound.walk(node.knights, node.new, int(node.card_due and self.takes_knight))
        return len(node.blocks) + 2 * node.new + walk

    # The search itself

    def ways(self, effort: Effort) -> Iterator[Way]:
        """Yield turns with the fewest action points; stop :data:`OTHERS` situations after the first."""
        if not self._is_possible():
            return
        most, until = self.limit, 0
        first = _Found(self.start, 0, None, None)
        todo: list[tuple[int, int, int, _Found]] = [(self._estimate(self.start), 0, 0, first)]
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
            for event, points, node in self._go_on(found.node, self.limit - found.points):
                effort.nodes -= 1
                spent = found.points + points
                least = spent if node is None else spent + self._estimate(node)
                if least <= self.limit:
                    number += 1
                    # Of equally cheap ones the furthest comes first.
                    heappush(todo, (least, -spent, number, _Found(node, spent, event, found)))

    def _go_on(self, node: _Node, left: int) -> Iterator[tuple[PlannedEvent, int, _Node | None]]:
        """Yield each next event, its cost, and the situation after it."""
        left -= len(node.blocks) + 2 * node.new  # what remains for walking
        if not node.blocks and not node.card_due and not node.new:
            for walks, points in self._make_walkers(node).shared_out(self.knights, left):
                yield PlannedEvent(walks, ""), points, None
            return
        for cell in dict.fromkeys(node.blocks):
            yield from self._place_block(node, cell, left)
        if node.card_due:
            yield from (
                self._take_knight(node, left) if self.takes_knight else self._play_block_card(node, left)
            )
        if node.new:
            yield from self._place_knight(node, left)

    # Events

    def _place_block(self, node: _Node, cell: int, left: int) -> Iterator[tuple[PlannedEvent, int, _Node]]:
        state = self.state
        placed = state.placed + len(self.plan.blocks) - len(node.blocks)
        if not node.ground.room >> cell & 1:
            return
        if not can_place(state.stacks[state.seat], placed, node.under):
            return
        after = with_block(node.ground, cell)
        blocks = _drop(node.blocks, cell)
        wish = Wish(free=1 << cell, after=after)
        for walks, knights, points in self._make_walkers(node).wished(wish, left):
            then = _Node(blocks, node.card_due, node.new, knights, after, node.under)
            yield PlannedEvent(walks, "B", target=cell), points + 1, then

    def _play_block_card(self, node: _Node, left: int) -> Iterator[tuple[PlannedEvent, int, _Node]]:
        """Yield the ways to play a card that lays or moves a block."""
        plan = self.plan
        after = _play_card(node.ground, plan)
        if after is None:
            return
        free, held, under = 1 << plan.target, 0, node.under
        if plan.card == UNDER:
            state = self.state
            placed = len(plan.blocks) - len(node.blocks)
            if state.own_blocks() - placed < 1:
                return
            free, held, under = 0, 1 << plan.target, under + 1
        if plan.source != NOWHERE:
            free |= 1 << plan.source
        for walks, knights, points in self._make_walkers(node).wished(Wish(free, held, after=after), left):
            then = _Node(node.blocks, False, node.new, knights, after, under)
            yield PlannedEvent(walks, "C", plan.source, plan.target), points, then

    def _place_knight(self, node: _Node, left: int) -> Iterator[tuple[PlannedEvent, int, _Node]]:
        """Yield the ways to place a new knight where the rest of the walks can still be paid (TO-3.1)."""
        ground, taken = node.ground, int(node.card_due and self.takes_knight)
        walkers = self._make_walkers(node)
        near = FULL if taken else self.bound.near[min(left, FAR - 1)]  # a card may take it far from here
        for cell in cells(near & ~self.pieces):
            beside = self._find_as_high(ground, cell)
            if not beside or self.bound.walk(node.knights | 1 << cell, node.new - 1, taken) > left:
                continue
            for walks, knights, points in walkers.wished(Wish(1 << cell, beside=beside), left):
                then = _Node(
                    node.blocks, node.card_due, node.new - 1, knights | 1 << cell, ground, node.under
                )
                yield PlannedEvent(walks, "N", target=cell), points + 2, then

    def _take_knight(self, node: _Node, left: int) -> Iterator[tuple[PlannedEvent, int, _Node]]:
        """Yield the ways to play a card that takes a knight from one space to another."""
        walkers = self._make_walkers(node)
        for source, target, wish in self._find_takes(node, walkers, left):
            if self._leads_too_far(node, left, source, target):
                continue
            for walks, knights, points in walkers.wished(wish, left):
                moved = knights & ~(1 << source) | 1 << target
                then = _Node(node.blocks, False, node.new, moved, node.ground, node.under)
                yield PlannedEvent(walks, "C", source, target), points, then

    def _leads_too_far(self, node: _Node, left: int, source: int, target: int) -> bool:
        """Return True if a card from ``source`` to ``target`` certainly leaves too much walking."""
        if node.knights >> source & 1:
            return self.bound.walk(node.knights & ~(1 << source) | 1 << target, node.new) > left
        # An unknown knight walks to the source first, for at least a point.
        return self.bound.forth(node.knights | 1 << target, node.new) >= left

    def _find_takes(self, node: _Node, walkers: Walkers, left: int) -> Iterator[tuple[int, int, Wish]]:
        """Yield source, target and condition of each way in which the card may take a knight."""
        ground, near = node.ground, self.bound.near[min(left, FAR - 1)] & ~self.pieces
        if self.plan.card == REPOSITION:  # it takes a knight from anywhere, so none walks to it before
            for source in cells(node.knights):
                for target in cells(near & ~(1 << source)):
                    beside = self._find_as_high(ground, target) & ~(1 << source)
                    if beside:
                        yield source, target, Wish(1 << target, 1 << source, beside)
            return
        for source in cells(walkers.reachable(left)):
            held = 1 << source
            if self.plan.card == LEAP:
                low = near & ~ground.above[ground.heights[source] + 1]
                for over, target in OVER[source]:
                    if low >> target & 1:
                        also = 0 if self.pieces >> over & 1 else 1 << over
                        yield source, target, Wish(1 << target, held | also)
            else:
                for target in cells(self._find_takes_to(ground, source) & near & ~held):
                    yield source, target, Wish(1 << target, held)

    def _find_takes_to(self, ground: Ground, source: int) -> int:
        if self.plan.card == JUMP:
            return ways.jump(ground, self.pieces, source)
        if self.plan.card == DOORS:
            return ways.door_to_door(ground, self.pieces, source, self.descend)
        return ways.diagonal(ground, self.pieces, source)

    def _find_as_high(self, ground: Ground, cell: int) -> int:
        """Return the spaces from which a knight allows to place another on ``cell`` (TO-3.1)."""
        beside = NEXT[cell] & ~self.pieces
        return beside & ground.above[ground.heights[cell] - 1] if ground.heights[cell] else beside

    def _make_walkers(self, node: _Node) -> Walkers:
        return Walkers(node.ground, node.knights, self.pieces, self.descend)
