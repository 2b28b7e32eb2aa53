"""A turn found by the search, as choices that the engine itself lets pass one by one."""

from __future__ import annotations

from collections import deque

from engines.contract import Choice
from engines.kit.rulebook import question
from engines.torres import cards as c
from engines.torres import ways
from engines.torres.action_cards import CARD
from engines.torres.book import BOOK
from engines.torres.cells import NAMES, NOWHERE, cells
from engines.torres.knights import NEW
from engines.torres.layout import Layout, of
from engines.torres.reading_search import Way
from engines.torres.reading_walks import Walks
from engines.torres.state import State, taken

Choices = tuple[Choice, ...]


class _Blocked(Exception):
    """The engine refuses a step; the search has thought wrongly."""


class _Turn:
    """A turn as it is carried out: the state it has come to and the choices that led there."""

    def __init__(self, state: State) -> None:
        """Nothing has been done yet."""
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
        """All of these walks, in an order in which nobody is in another's way.

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
        """Whether the knight can go there and no own one makes it a longer way."""
        state = self.state
        held, own = taken(state), state.knights[state.seat]
        cost = ways.cost(state.ground, held, source, target, descend=state.variant.descend)
        alone = ways.cost(state.ground, held & ~own, source, target, descend=state.variant.descend)
        return 0 < cost == alone

    def _instead(self, todo: list[tuple[int, int]]) -> tuple[int, int]:
        """A walk by the own knight nearest to the goal of one that is in nobody else's way."""
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
        """The spaces between the two on a shortest way, own knights being no obstacle."""
        state = self.state
        held = taken(state) & ~state.knights[state.seat]
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


def choices(state: State, way: Way, seen: Layout) -> Choices | None:
    """The way's choices from ``state`` on; None where the engine refuses one, or they lead elsewhere than
    to ``seen``.
    """
    turn = _Turn(state)
    try:
        if way.card in c.MORE_POINTS:
            turn.do(CARD, c.CARDS[way.card])
        for event in way.events:
            turn.walk(event.walks)
            if event.kind == "B":
                turn.do(f"B{NAMES[event.target]}")
            elif event.kind == "N":
                turn.do(NEW, NAMES[event.target])
            elif event.kind == "C":
                spaces = [NAMES[cell] for cell in (event.source, event.target) if cell != NOWHERE]
                turn.do(CARD, c.CARDS[way.card], *spaces)
    except _Blocked:
        return None
    return tuple(turn.choices) if of(turn.state) == seen else None


def steps(found: Choices) -> list[Choices]:
    """The choices step by step; each begins with the question what to do."""
    begins = [at for at, choice in enumerate(found) if choice.question == "action"]
    ends = [*begins[1:], len(found)]
    return [found[at:end] for at, end in zip(begins, ends, strict=False)]
