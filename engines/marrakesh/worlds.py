"""Answers of a table that the referee cannot know: what the tower holds back, and what is printed where.

Nothing of it is settled before it is asked, and nothing is asked twice, so a world holds nothing.
"""

from __future__ import annotations

from functools import cache
from random import Random

from engines import bags
from engines.contract import Choice, Printed
from engines.fact_kinds import write_word
from engines.facts import Facts
from engines.facts import sample as sample_of
from engines.kit import Open, question
from engines.marrakesh.book import BOOK
from engines.marrakesh.facts import SCHEMA
from engines.marrakesh.state import State
from engines.marrakesh.tower import TRAY

STAYS = 0.3
"""The chance of a keshi to stay in the tower: nobody measured it; some stay and most come out (MK-4.1)."""
LINES = ("2d", "1n", "2w", "1w1n", "1d1r", "1n1v", "1w1s")
"""What a line of an exchange office may give (MK-9.2, MK-17.3)."""


class SampledTable(Open[State]):
    """Reports of a table as it may be."""

    def answer(self, world: None, state: State, rng: Random, /) -> Choice:
        """Answer the tray after a throw, an exchange office's line, a fact of the copy; else whatever is
        legal.
        """
        asked = question(state)
        if asked == "tray":
            there = bags.elements(state.inside + state.thrown)
            return Choice(asked, TRAY.write(bags.bag(kind for kind in there if rng.random() >= STAYS)))
        if asked == "line":
            return Choice(asked, rng.choice(LINES))
        if asked == "print":
            domain = BOOK.domain(state)
            assert isinstance(domain, Printed)
            return Choice(asked, write_word(domain.kind, _sample()[domain.name]))
        return super().answer(world, state, rng)


@cache
def _sample() -> Facts:
    """Return the facts of public lists, and a sample of the others."""
    return sample_of(SCHEMA)


WORLDS = SampledTable(BOOK)
