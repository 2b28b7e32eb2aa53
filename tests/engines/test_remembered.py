"""What is remembered of a report when people go back is the same fact the second time."""

from random import Random

import pytest
from msgspec.structs import replace

from engines.contract import Decide, Level, Report
from engines.search import true_choices
from tests.engines.tables import TABLES, every
from tests.engines.walks import seed

TURNED_UP = [name for name, table in TABLES.items() if table.setup.level is not Level.SCORE]
"""Where no final table is told by hand, which people may tell otherwise."""
PASSES = 1


def passed(table, state, world, told, rng):
    """One pass to the end in a world: its reports go into ``told`` by what they are about, each of which the
    world answers as it was answered before; returns the states on the way with the worlds they stood in. What
    is in no world is drawn by what it is about.
    """
    game, way, about_now = table.game, [], set()
    while not state.termination:
        way.append((state, world))
        pending = game.rules.pending(state)
        if isinstance(pending, Report):
            about = game.rules.seen(state)
            choices = [game.worlds.answer(world, state, Random(about or rng.random()))]
            before = told.get(about)
            if world is None and before and not game.rules.why_not(state, before):
                choices = [before]
            if about:
                assert about not in about_now, f"{about}: two reports of one match"
                about_now.add(about)
                if world is not None:
                    assert told.setdefault(about, choices[0]) == choices[0], about
                told[about] = choices[0]
        else:
            choices = [
                table.choose(game, state, world, seat, true_choices(game, world, state, seat, rng), rng)
                for seat in pending.seats
            ]
        for choice in choices:
            world = game.worlds.advance(world, state, choice, rng)
        sealed = isinstance(pending, Decide) and len(pending.seats) > 1
        state = game.rules.reveal(state, choices) if sealed else game.rules.apply(state, *choices)
    return way


def gone_back(table, state, rng):
    """A match is played, gone back in, and played on otherwise, in the world as it lay there."""
    told = {}
    way = passed(table, state, table.game.worlds.sample(state, rng), told, rng)
    for _ in range(PASSES):
        at = rng.randrange(len(way))
        state, world = way[at]
        way = way[:at] + passed(table, state, world, dict(told), rng)


@pytest.mark.parametrize("name", every(TURNED_UP))
def test_what_is_told_again_is_the_same_fact(name):
    table = TABLES[name]
    gone_back(table, table.game.rules.start(table.setup), Random(seed()))


@pytest.mark.parametrize("name", [name for name in TURNED_UP if name.startswith("castles_of_tuscany")])
def test_yield_cards_that_were_shuffled_again_are_no_longer_known(name):
    """With few of them left they are, in every match."""
    table = TABLES[name]
    state = replace(table.game.rules.start(table.setup), yields=2)
    gone_back(table, state, Random(seed()))
