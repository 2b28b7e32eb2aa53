"""The tables at which every registered game is tried, from what the game says of itself.

A new game needs nothing here; where random players would hardly play it, :data:`PLAYERS` names a better one.
"""

from collections.abc import Callable, Iterable
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec import Struct

import engines
from engines.conformance import setups
from engines.contract import Choice, Setup
from engines.facts import Facts, playable, with_facts
from engines.match import Match
from tests.engines import tower_toy, toy
from tests.engines.castles_of_tuscany import players as tuscany
from tests.engines.marrakesh import players as marrakesh
from tests.engines.torres import walking
from tests.engines.walks import Made, seed, seldom_pass, walk

PLAYERS = {"torres": walking.busy, "castles_of_tuscany": tuscany.busy, "marrakesh": marrakesh.busy}


class Table(Struct, frozen=True):
    """A game about to be played, and who plays it."""

    game: Any
    setup: Setup
    choose: Callable[..., Any] = seldom_pass

    def walk(self, number: int) -> tuple[Made, ...]:
        """One random match: every promise is tried on the same ones."""
        return _walked(self, number)

    def walks(self, count: int) -> list[tuple[Made, ...]]:
        """So many of them."""
        first = seed()
        return [self.walk(number) for number in range(first, first + count)]

    def steps(self, count: int) -> list[Made]:
        """All that was done in so many of them."""
        return [step for match in self.walks(count) for step in match]

    @property
    def live(self) -> Match:
        """The walk of today, played into a match step by step: take a branch to change it."""
        return played(self, seed())


@cache
def _walked(table: Table, number: int) -> tuple[Made, ...]:
    return tuple(walk(table.game, table.setup, Random(number), table.choose))


@cache
def played(table: Table, number: int) -> Match:
    """A walk of which each step is played into a match by its text, and read back to what it did."""
    game, match, begun = table.game, Match(table.game, table.setup), list[Choice]()
    for step in table.walk(number):
        if len(step.choices) > 1:
            for seat, choice in step.choices.items():
                match.play(game.notation.text([choice]), seat)
            continue
        begun += step.choices.values()
        if not game.rules.pending(step.after).open:
            read = match.play(game.notation.text(begun))
            assert read.after.state == step.after
            assert read.step.text == game.notation.text(read.choices)
            begun = []
    return match


STAKES = Setup(options=(("stakes", "yes"),))
ASKING = with_facts(Facts.of(tower_toy.SCHEMA).confirm({"turns": 5}), Setup())
"""What a pebble is worth is asked for in the match."""
TOYS = {
    "toy": Table(toy.GAME, Setup()),
    "toy stakes": Table(toy.GAME, STAKES),
    "toy fists": Table(toy.GAME, Setup(options=(*STAKES.options, ("fists", "yes")))),
    "tower toy": Table(tower_toy.GAME, playable(tower_toy.SCHEMA, Setup())),
    "tower toy asking": Table(tower_toy.GAME, ASKING),
}
TABLES = TOYS | {
    f"{game_id} {name}": Table(engines.game(game_id), setup, PLAYERS.get(game_id, seldom_pass))
    for game_id in engines.GAMES
    for name, setup in setups(engines.game(game_id)).items()
}
NIGHTLY = {
    *("san_gimignano full 2 must yes yes target 200 no", "san_gimignano table 2 must yes yes target 200 no"),
    *("torres full 3", "castles_of_tuscany full 3", "marrakesh full 3"),
}
"""Long matches at tables much like others of their game: `make soak` tries what is promised there too."""


def every(tables: Iterable[str] = TABLES) -> list[Any]:
    """Return the names of tables as a test's parameters."""
    return [pytest.param(name, marks=[pytest.mark.soak] * (name in NIGHTLY)) for name in tables]
