"""All explanations of one board, the plainest first: the plans, searched, carried out and compared."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import msgspec

from engines.torres import cards as c
from engines.torres import reading_steps
from engines.torres.cells import NOWHERE
from engines.torres.layout import Layout, of
from engines.torres.reading_plans import NO_CARD, plans
from engines.torres.reading_search import KNIGHT_CARDS, Effort, Search, Way
from engines.torres.reading_steps import Choices
from engines.torres.state import State, possible_cards, taken

MOST = 5
"""How many explanations people are given to choose from."""
EFFORT = 100_000
"""How many situations a reading may look at before it is called out of step; a bound, not a target."""
DOUBTS = 50_000
"""How many in search of the nearest board that can be explained."""


class Turn(msgspec.Struct, frozen=True):
    """One explanation: its choices, the action points it takes, and the card it needs, if any."""

    choices: Choices
    points: int
    card: int = NO_CARD

    @property
    def rank(self) -> tuple[bool, int, int, Choices]:
        """What people would think of first comes first: no card, few action points, few steps."""
        return self.card != NO_CARD, self.points, len(reading_steps.steps(self.choices)), self.choices


class Reader:
    """Reads boards as turns that go on from one state, with one bounded effort for all of them."""

    def __init__(self, state: State, nodes: int = EFFORT) -> None:
        """``state`` must ask for an action."""
        self.state = state
        self.effort = Effort(nodes)
        self.before = of(state)
        self.pieces = taken(state) & ~state.knights[state.seat]

    def turns(self, seen: Layout, cards: bool = True) -> list[Turn]:
        """The explanations of ``seen``, at most :data:`MOST`, the plainest first.

        With ``cards`` false only those without an action card.
        """
        if not self.own_alone(seen):
            return []
        found = self._by(seen, NO_CARD)
        if not found and cards and not self.state.carded:
            held = possible_cards(self.state)
            found = [
                turn for card in range(len(c.CARDS)) if held >> card & 1 for turn in self._by(seen, card)
            ]
        found.sort(key=lambda turn: turn.rank)
        different = {tuple(sorted(reading_steps.steps(turn.choices))): turn for turn in reversed(found)}
        return sorted(different.values(), key=lambda turn: turn.rank)[:MOST]

    def own_alone(self, seen: Layout) -> bool:
        """Whether no piece of anybody else has moved."""
        seat = self.state.seat
        others = [
            there == here
            for at, (there, here) in enumerate(zip(seen.knights, self.before.knights, strict=True))
            if at != seat
        ]
        return all(others) and seen.king == self.before.king

    def _by(self, seen: Layout, card: int) -> list[Turn]:
        """Explanations in which ``card`` was played."""
        state = self.state
        own = seen.knights[state.seat]
        limit = state.left + c.MORE_POINTS.get(card, 0)
        most = min(limit, max(state.stacks[state.seat], default=0) - state.placed)
        found = []
        for plan in plans(state.ground, seen.heights, card, self.pieces, most):
            ways = Search(state, plan, own, seen.heights, limit).ways(self.effort)
            first = next(ways, None)
            if first is not None:
                found.append((first, ways))
        turns: list[Turn] = []
        for first, others in sorted(found, key=lambda one: one[0].points):
            if len(turns) < MOST:
                turns += self._told(chain([first], others), seen)
        return turns

    def _told(self, ways: Iterable[Way], seen: Layout) -> list[Turn]:
        """The ways as choices, each only once."""
        told: dict[object, Turn] = {}
        for way in ways:
            key = _gist(way)
            if key not in told:
                choices = reading_steps.choices(self.state, way, seen)
                if choices is not None:
                    told[key] = Turn(choices, way.points, way.card)
                if len(told) == MOST:
                    break
        return list(told.values())


def _gist(way: Way) -> object:
    """Who ends up where and what the card did: two ways with the same gist differ in detours alone."""
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
