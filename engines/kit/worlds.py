"""The worlds of a game in which everything lies open: there is one truth, and the referee knows it."""

from __future__ import annotations

from random import Random
from typing import TypeVar

from engines.contract import Choice, Domain, Report, Rules, Worlds
from engines.search import DRAWS, NothingTrue

S = TypeVar("S")


class Open(Worlds[S, None]):
    """No world adds anything; the table reports whatever is legal, each of it as likely."""

    def __init__(self, rules: Rules[S]) -> None:
        """Serve the game with these ``rules``."""
        self.rules = rules

    def sample(self, state: S, rng: Random, /) -> None:
        """Return None: there is nothing to draw."""

    def true(self, world: None, state: S, choice: Choice, seat: int | None = None, /) -> bool:
        """Return True: what is legal is true."""
        return True

    def answer(self, world: None, state: S, rng: Random, /) -> Choice:
        """Return a legal answer. Raises :class:`engines.search.NothingTrue` where there is none."""
        asked = self.rules.pending(state)
        assert isinstance(asked, Report)
        if isinstance(asked.domain, Domain):
            legal = self.rules.legal(state)
            if not legal:
                raise NothingTrue
            return rng.choice(legal)
        for _ in range(DRAWS):
            drawn = Choice(asked.question, asked.domain.draw(rng))
            if not self.rules.why_not(state, drawn):
                return drawn
        raise NothingTrue

    def advance(self, world: None, state: S, choice: Choice, rng: Random, /) -> None:
        """Return None: there is nothing to change."""
