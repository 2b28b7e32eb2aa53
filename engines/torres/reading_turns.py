"""All explanations of one board, the plainest first, as choices that the engine allows.

An explanation has no actions without a trace: cards taken, score steps, a block placed and moved again for
no gain. A card that saves no action point is part of one only if people are asked anyway. The stack of the
blocks is left open: the end of the turn settles it, by default the smallest that suffices
(:func:`.stacks.results`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

import msgspec

from engines.contract import Choice
from engines.kit import question
from engines.torres import ways
from engines.torres.action_cards import CARD
from engines.torres.book import BOOK
from engines.torres.cells import NAMES, NOWHERE, cells
from engines.torres.knights import NEW
from engines.torres.layouts import Layout, of
from engines.torres.reading_search import KNIGHT_CARDS, NO_CARD, Effort, TurnSearch, Way, plans
from engines.torres.reading_walks import Walks
from engines.torres.state import CARDS, MORE_POINTS, State

MOST_TURNS = 5
"""The most explanations for people to choose from; the plainest with each card is always one."""
EFFORT = 50_000
"""The most situations a reading looks at before it counts as out of step. The hardest of the recorded boards
takes 32,090; a second is enough for about 60,000."""
EACH = 30_000
"""The most situations of one search, without a card or with one."""

Choices = tuple[Choice, ...]


class ExplainedTurn(msgspec.Struct, frozen=True):
    """One explanation: its choices, its action points, the state it leads to, and its card, if any."""

    choices: Choices
    points: int
    end: State
    card: int = NO_CARD

    @property
    def rank(self) -> tuple[bool, int, int, Choices]:
        """A key that sorts plain turns first: no card, few action points, few steps."""
        steps = sum(choice.question == "action" for choice in self.choices)
        return self.card != NO_CARD, self.points, steps, self.choices


class TurnReader:
    """A reader of boards as turns that go on from one state, with one bounded effort for all."""

    def __init__(self, state: State, nodes: int = EFFORT) -> None:
        """Read turns from ``state``, which must ask for an action."""
        self.state = state
        self.effort = nodes
        self.before = of(state)
        self.pieces = state.taken() & ~state.knights[state.seat]

    def turns(self, seen: Layout) -> list[ExplainedTurn]:
        """Return the explanations of ``seen``, the plainest first, one for each state that they lead to.

        A card counts if no turn without one explains the board, or if it saves action points; if people must
        choose among several turns, also if it costs none more. The plainest turn with each card is always
        among them, so there may be more than :data:`MOST_TURNS`.
        """
        found = self._explain_by(seen, NO_CARD)
        least = min((turn.points for turn in found), default=None)
        told = _list_different(found + self._explain_with_cards(seen, least))
        if least is not None and len(told) > 1:
            told = _list_different(found + self._explain_with_cards(seen, least + 1))
        return told

    def plainest(self, seen: Layout, cards: bool = True) -> ExplainedTurn | None:
        """Return the plainest explanation of ``seen``, if any; without ``cards`` only one without a card."""
        found = self._explain_by(seen, NO_CARD) or (self._explain_with_cards(seen) if cards else [])
        return min(found, key=lambda turn: turn.rank, default=None)

    def own_alone(self, seen: Layout) -> bool:
        """Return True if only own knights have moved."""
        others = [*seen.knights], [*self.before.knights]
        for knights in others:
            del knights[self.state.seat]
        return others[0] == others[1] and seen.king == self.before.king

    def _explain_with_cards(self, seen: Layout, below: int | None = None) -> list[ExplainedTurn]:
        """Return explanations with a card, for fewer than ``below`` action points if given."""
        held = 0 if self.state.carded else self.state.possible_cards()
        if below is not None:
            held &= ~sum(1 << card for card in MORE_POINTS)
        return [turn for card in cells(held) for turn in self._explain_by(seen, card, below)]

    def _explain_by(self, seen: Layout, card: int, below: int | None = None) -> list[ExplainedTurn]:
        """Return explanations with this card, for fewer than ``below`` action points if given."""
        if self.effort <= 0 or not self.own_alone(seen):
            return []
        turns, spent = _search(self.state, seen, card, below)
        self.effort -= spent
        return [*turns]


@lru_cache(256)
def _search(
    state: State, seen: Layout, card: int, below: int | None
) -> tuple[tuple[ExplainedTurn, ...], int]:
    """Return explanations of ``seen`` from ``state`` on, and the number of situations looked at.

    One reading asks again and again for the same boards near each other.
    """
    effort, pieces = Effort(EACH), state.taken() & ~state.knights[state.seat]
    limit = state.left + MORE_POINTS.get(card, 0) if below is None else below - 1
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
            turns += _list_turns(state, chain([first], others), seen)
    return tuple(turns), EACH - effort.nodes


def _list_turns(state: State, ways: Iterable[Way], seen: Layout) -> list[ExplainedTurn]:
    """Return the ways as turns, without doubles."""
    told: dict[object, ExplainedTurn] = {}
    for way in ways:
        key = _find_gist(way)
        if key not in told:
            turn = _play(state, way, seen)
            if turn is not None:
                told[key] = turn
            if len(told) == MOST_TURNS:
                break
    return list(told.values())


def _list_different(found: Iterable[ExplainedTurn]) -> list[ExplainedTurn]:
    """Return the turns to tell, the plainest first: one for each end state, at least one with each card."""
    ends: dict[State, ExplainedTurn] = {}
    for turn in sorted(found, key=lambda turn: turn.rank):
        ends.setdefault(turn.end, turn)
    different = list(ends.values())
    plainest = {turn.card: turn for turn in reversed(different)}
    others = [turn for turn in different if plainest[turn.card] is not turn]
    told = [*plainest.values(), *others[: max(MOST_TURNS - len(plainest), 0)]]
    return sorted(told, key=lambda turn: turn.rank)


def _find_gist(way: Way) -> object:
    """Return the knights' ends and the effect of the card: ways with the same gist differ only in detours."""
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


def _play(state: State, way: Way, seen: Layout) -> ExplainedTurn | None:
    """Return the turn of a way; None if the engine refuses a choice, or if they lead elsewhere."""
    played = _Played(state)
    try:
        if way.card in MORE_POINTS:
            played.do(CARD, CARDS[way.card])
        for event in way.events:
            played.walk(event.walks)
            if event.kind == "B":
                played.do(f"B{NAMES[event.target]}")
            elif event.kind == "N":
                played.do(NEW, NAMES[event.target])
            elif event.kind == "C":
                spaces = [NAMES[cell] for cell in (event.source, event.target) if cell != NOWHERE]
                played.do(CARD, CARDS[way.card], *spaces)
    except _Blocked:
        return None
    if of(played.state) != seen:
        return None
    return ExplainedTurn(tuple(played.choices), way.points, played.state, way.card)


class _Blocked(Exception):
    """The engine refuses a step that the search found."""


class _Played:
    """A turn that is being played: its state and the choices so far."""

    def __init__(self, state: State) -> None:
        """Start from ``state``."""
        self.state = state
        self.seat = state.seat
        self.choices: list[Choice] = []

    def do(self, *tokens: str) -> None:
        """Answer the questions with ``tokens``, one after another; raises _Blocked if a rule forbids one."""
        for token in tokens:
            if self.state.termination or self.state.seat != self.seat:
                raise _Blocked
            choice = Choice(question(self.state), token)
            if BOOK.why_not(self.state, choice):
                raise _Blocked
            self.state = BOOK.apply(self.state, choice)
            self.choices.append(choice)

    def walk(self, walks: Walks) -> None:
        """Play these walks in an order in which no knight is in another's way.

        An own knight that stands in the way walks on in place of the other.
        """
        todo = list(walks)
        while todo:
            clear = next((pair for pair in todo if self._is_clear(*pair)), None)
            if clear is None:
                clear = self._walk_instead(todo)
            todo.remove(clear)
            self.do(f"M{NAMES[clear[0]]}", NAMES[clear[1]])

    def _is_clear(self, source: int, target: int) -> bool:
        """Return True if the knight can go there and no own one makes the way longer."""
        state = self.state
        held, own = state.taken(), state.knights[state.seat]
        cost = ways.cost(state.ground, held, source, target, descend=state.variant.descend)
        alone = ways.cost(state.ground, held & ~own, source, target, descend=state.variant.descend)
        return 0 < cost == alone

    def _walk_instead(self, todo: list[tuple[int, int]]) -> tuple[int, int]:
        """Return a walk of the own knight in the way that is nearest to the goal, and change ``todo``."""
        own = self.state.knights[self.state.seat]
        source, target = todo[0]
        between = [cell for cell in self._find_path(source, target) if own >> cell & 1]
        if not between:
            raise _Blocked
        other = between[-1]
        goal = next((there for here, there in todo if here == other), other)
        if goal != other:
            todo.remove((other, goal))
        todo[todo.index((source, target))] = (source, goal)
        todo.append((other, target))
        return other, target

    def _find_path(self, source: int, target: int) -> list[int]:
        """Return the spaces between the two on a shortest way; own knights are no obstacle."""
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
