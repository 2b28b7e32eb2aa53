"""All explanations of one board, the plainest first, each as choices that the engine itself lets pass.

What leaves no trace is not part of an explanation: cards taken, score steps, a block put down and moved again
for no gain. A card that saves no action point is one only where people are asked anyway. Nor is the stack
that blocks came from: it is settled when the turn ends, and until people say otherwise the smallest that
suffices goes (:func:`.stacks.results`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

import msgspec

from engines.contract import Choice
from engines.kit import question
from engines.torres import cards as c
from engines.torres import ways
from engines.torres.action_cards import CARD
from engines.torres.book import BOOK
from engines.torres.cells import NAMES, NOWHERE, cells
from engines.torres.knights import NEW
from engines.torres.layouts import Layout, of
from engines.torres.reading_search import KNIGHT_CARDS, NO_CARD, Effort, TurnSearch, Way, plans
from engines.torres.reading_walks import Walks
from engines.torres.state import State

MOST_TURNS = 5
"""How many explanations people are given to choose from, but for the plainest with each card."""
EFFORT = 50_000
"""The most situations a reading looks at before it is called out of step: a bound, not a target. Of the
recorded boards the hardest takes 32,090; a second is enough for about 60,000."""
EACH = 30_000
"""The most of them in one search, without a card or with one."""

Choices = tuple[Choice, ...]


class ExplainedTurn(msgspec.Struct, frozen=True):
    """One explanation: its choices, the action points it takes, the state it leads to, and the card it needs,
    if any.
    """

    choices: Choices
    points: int
    end: State
    card: int = NO_CARD

    @property
    def rank(self) -> tuple[bool, int, int, Choices]:
        """Rank a turn as people would think of it: no card, few action points, few steps first."""
        steps = sum(choice.question == "action" for choice in self.choices)
        return self.card != NO_CARD, self.points, steps, self.choices


class TurnReader:
    """Reads boards as turns that go on from one state, with one bounded effort for all of them."""

    def __init__(self, state: State, nodes: int = EFFORT) -> None:
        """Read turns from ``state``, which must ask for an action."""
        self.state = state
        self.effort = nodes
        self.before = of(state)
        self.pieces = state.taken() & ~state.knights[state.seat]

    def turns(self, seen: Layout) -> list[ExplainedTurn]:
        """Return the explanations of ``seen``, the plainest first; of those that lead to the same state one.

        A card counts where nothing without one explains the board, and where it saves action points; where
        several turns are told, people being asked which it was, also where it costs none more. The plainest
        turn with each card is always among them: more than :data:`MOST_TURNS` only where more cards are.
        """
        found = self._by(seen, NO_CARD)
        least = min((turn.points for turn in found), default=None)
        told = _different(found + self._with_cards(seen, least))
        if least is not None and len(told) > 1:
            told = _different(found + self._with_cards(seen, least + 1))
        return told

    def plainest(self, seen: Layout, cards: bool = True) -> ExplainedTurn | None:
        """Return the plainest explanation of ``seen``, if any; with ``cards`` false one without a card."""
        found = self._by(seen, NO_CARD) or (self._with_cards(seen) if cards else [])
        return min(found, key=lambda turn: turn.rank, default=None)

    def own_alone(self, seen: Layout) -> bool:
        """Return True if no piece of anybody else has moved."""
        others = [*seen.knights], [*self.before.knights]
        for knights in others:
            del knights[self.state.seat]
        return others[0] == others[1] and seen.king == self.before.king

    def _with_cards(self, seen: Layout, below: int | None = None) -> list[ExplainedTurn]:
        """Return explanations with a card; for fewer than ``below`` action points, if those do without."""
        held = 0 if self.state.carded else self.state.possible_cards()
        if below is not None:
            held &= ~sum(1 << card for card in c.MORE_POINTS)
        return [turn for card in cells(held) for turn in self._by(seen, card, below)]

    def _by(self, seen: Layout, card: int, below: int | None = None) -> list[ExplainedTurn]:
        """Return explanations in which ``card`` was played, for fewer than ``below`` action points."""
        if self.effort <= 0 or not self.own_alone(seen):
            return []
        turns, spent = _searched(self.state, seen, card, below)
        self.effort -= spent
        return [*turns]


@lru_cache(256)
def _searched(
    state: State, seen: Layout, card: int, below: int | None
) -> tuple[tuple[ExplainedTurn, ...], int]:
    """Return explanations of ``seen`` from ``state`` on, and how many situations were looked at.

    The boards that one reading is judged by are near each other: the same ones are asked for again and again.
    """
    effort, pieces = Effort(EACH), state.taken() & ~state.knights[state.seat]
    limit = state.left + c.MORE_POINTS.get(card, 0) if below is None else below - 1
    blocks = min(limit, max(state.stacks[state.seat], default=0) - state.placed)
    found = []
    for plan in plans(state.ground, seen.heights, card, pieces, blocks):
        ways = TurnSearch(state, plan, seen.knights[state.seat], seen.heights, limit).ways(effort)
        first = next(ways, None)
        if first is not None:
            found.append((first, ways))
    turns: list[ExplainedTurn] = []
    for first, others in sorted(found, key=lambda one: one[0].points):
        if len(turns) < MOST_TURNS:
            turns += _told(state, chain([first], others), seen)
    return tuple(turns), EACH - effort.nodes


def _told(state: State, ways: Iterable[Way], seen: Layout) -> list[ExplainedTurn]:
    """Return the ways as turns, each only once."""
    told: dict[object, ExplainedTurn] = {}
    for way in ways:
        key = _gist(way)
        if key not in told:
            turn = _played(state, way, seen)
            if turn is not None:
                told[key] = turn
            if len(told) == MOST_TURNS:
                break
    return list(told.values())


def _different(found: Iterable[ExplainedTurn]) -> list[ExplainedTurn]:
    """Return the turns to tell, the plainest first: of those that lead to the same state one, of each card
    one at least.
    """
    ends: dict[State, ExplainedTurn] = {}
    for turn in sorted(found, key=lambda turn: turn.rank):
        ends.setdefault(turn.end, turn)
    different = list(ends.values())
    plainest = {turn.card: turn for turn in reversed(different)}
    others = [turn for turn in different if plainest[turn.card] is not turn]
    told = [*plainest.values(), *others[: max(MOST_TURNS - len(plainest), 0)]]
    return sorted(told, key=lambda turn: turn.rank)


def _gist(way: Way) -> object:
    """Return who ends up where and what the card did: ways that agree in it differ in detours alone."""
    came: dict[int, int] = {}
    card = None
    for event in way.events:
        gone = [(came.pop(source, source), target) for source, target in event.walks]
        came |= {target: origin for origin, target in gone}
        if event.kind == "N":
            came[event.target] = NOWHERE - event.target - 1
        elif event.kind == "C":
            card = (event.source, event.target)
            if way.card in KNIGHT_CARDS:
                came[event.target] = came.pop(event.source, event.source)
    return card, tuple(sorted(came.items()))


# A way as the engine plays it


def _played(state: State, way: Way, seen: Layout) -> ExplainedTurn | None:
    """Return the way from ``state`` on; None where the engine refuses a choice, or they lead elsewhere."""
    played = _Played(state)
    try:
        if way.card in c.MORE_POINTS:
            played.do(CARD, c.CARDS[way.card])
        for event in way.events:
            played.walk(event.walks)
            if event.kind == "B":
                played.do(f"B{NAMES[event.target]}")
            elif event.kind == "N":
                played.do(NEW, NAMES[event.target])
            elif event.kind == "C":
                spaces = [NAMES[cell] for cell in (event.source, event.target) if cell != NOWHERE]
                played.do(CARD, c.CARDS[way.card], *spaces)
    except _Blocked:
        return None
    if of(played.state) != seen:
        return None
    return ExplainedTurn(tuple(played.choices), way.points, played.state, way.card)


class _Blocked(Exception):
    """The engine refuses a step; the search has thought wrongly."""


class _Played:
    """A turn as it is carried out: the state it has come to and the choices that led there."""

    def __init__(self, state: State) -> None:
        """Start from ``state``; nothing has been done yet."""
        self.state = state
        self.seat = state.seat
        self.choices: list[Choice] = []

    def do(self, *tokens: str) -> None:
        """Answer the questions asked, one after the other; raises _Blocked where the rules forbid it."""
        for token in tokens:
            if self.state.termination or self.state.seat != self.seat:
                raise _Blocked
            choice = Choice(question(self.state), token)
            if BOOK.why_not(self.state, choice):
                raise _Blocked
            self.state = BOOK.apply(self.state, choice)
            self.choices.append(choice)

    def walk(self, walks: Walks) -> None:
        """Do all of these walks, in an order in which nobody is in another's way.

        Where an own knight stands in the way it goes on in the other's place.
        """
        todo = list(walks)
        while todo:
            clear = next((pair for pair in todo if self._clear(*pair)), None)
            if clear is None:
                clear = self._instead(todo)
            todo.remove(clear)
            self.do(f"M{NAMES[clear[0]]}", NAMES[clear[1]])

    def _clear(self, source: int, target: int) -> bool:
        """Return True if the knight can go there and no own one makes it a longer way."""
        state = self.state
        held, own = state.taken(), state.knights[state.seat]
        cost = ways.cost(state.ground, held, source, target, descend=state.variant.descend)
        alone = ways.cost(state.ground, held & ~own, source, target, descend=state.variant.descend)
        return 0 < cost == alone

    def _instead(self, todo: list[tuple[int, int]]) -> tuple[int, int]:
        """Return a walk by the own knight nearest to the goal of one that is in nobody else's way."""
        own = self.state.knights[self.state.seat]
        source, target = todo[0]
        between = [cell for cell in self._path(source, target) if own >> cell & 1]
        if not between:
            raise _Blocked
        other = between[-1]
        goal = next((there for here, there in todo if here == other), other)
        if goal != other:
            todo.remove((other, goal))
        todo[todo.index((source, target))] = (source, goal)
        todo.append((other, target))
        return other, target

    def _path(self, source: int, target: int) -> list[int]:
        """Return the spaces between the two on a shortest way, own knights being no obstacle."""
        state = self.state
        held = state.taken() & ~state.knights[state.seat]
        came, todo = {source: NOWHERE}, deque([source])
        while todo and target not in came:
            here = todo.popleft()
            for cell in cells(ways.steps(state.ground, held, here, state.variant.descend)):
                if cell not in came:
                    came[cell] = here
                    todo.append(cell)
        path, at = [], came.get(target, NOWHERE)
        while at not in (NOWHERE, source):
            path.append(at)
            at = came[at]
        return path[::-1]
