"""Matches in parts: what a deal or a phase brought stands from then on. Modules as parts of a game."""

from inspect import signature
from random import Random
from types import SimpleNamespace

import pytest

import engines
from engines import contract
from engines.contract import Level, Over, Setup
from tests.engines.torres import walking
from tests.engines.walks import seed, seldom_pass, walk

SAN_GIMIGNANO, TORRES = engines.game("san_gimignano"), engines.game("torres")
SEVERAL = {
    "san_gimignano deals": (SAN_GIMIGNANO, Setup(options=(("deals", "2"),)), 2, {"deal"}),
    "torres master": (TORRES, walking.SETUPS["master"], 3, {"king"}),
    "torres four": (TORRES, walking.SETUPS["four"], 3, {"king", "starter"}),
    "torres two": (TORRES, walking.SETUPS["two"], 3, {"king"}),
}
WHOLE = {
    "san_gimignano deal": (SAN_GIMIGNANO, Setup()),
    "torres counted": (TORRES, Setup(level=Level.SCORE)),
}


def booked(game, state, parts):
    """The points of the first so many parts."""
    return [one for one in game.scoring.bookings(state) if 0 < one.part <= parts]


@pytest.mark.parametrize(("game", "setup", "parts", "between"), SEVERAL.values(), ids=SEVERAL)
def test_a_part_that_is_over_changes_no_more(game, setup, parts, between):
    """``between`` is what is asked before the next begins."""
    choose = walking.busy if game is TORRES else seldom_pass
    over, stands = 0, []
    for made in walk(game, setup, Random(seed()), choose):
        now = game.scoring.parts_over(made.after)
        assert over <= now <= over + 1
        assert booked(game, made.after, over) == stands
        asked = game.rules.pending(made.after)
        begun = isinstance(asked, Over) or (
            asked.question in between and game.rules.pending(made.state).question not in between
        )
        assert (now > over) == begun
        if begun:
            over, stands = now, booked(game, made.after, now)
        # Nothing is booked to a part that has not begun.
        assert all(one.part <= over + 1 for one in game.scoring.bookings(made.after))
    assert over == parts


@pytest.mark.parametrize(("game", "setup"), WHOLE.values(), ids=WHOLE)
def test_a_match_that_is_one_whole_has_none_before_its_end(game, setup):
    for made in walk(game, setup, Random(seed())):
        assert made.after.termination or game.scoring.parts_over(made.after) == 0


# A module as a part of a game: what it does not say is as in most games, what it says counts

COUNTS = {"CATEGORIES": ("wool",), "bookings": lambda _: (), "ranking": lambda _: ("first",)}
SEES = {"NAME": "sheep", "of": lambda state: state, "read": len, "differences": lambda *_: ()}


def test_a_scoring_counts_nothing_beside_and_has_one_part_and_all_categories():
    part = contract.scoring(SimpleNamespace(**COUNTS))
    assert (part.tallies(0), part.counted(0), part.parts_over(0)) == ((), ("wool",), 0)
    assert (part.CATEGORIES, part.ranking(0)) == (("wool",), ("first",))


@pytest.mark.parametrize("game_id", engines.GAMES)
def test_a_name_of_the_contract_in_a_part_takes_what_the_contract_does(game_id):
    game = engines.game(game_id)
    for part in (game.scoring, game.notation, game.telling):
        protocol = type(part).__mro__[1]
        for name in (name for name in dir(protocol) if name[0] != "_" and callable(getattr(part, name))):
            wanted = len(signature(getattr(protocol, name)).parameters) - 1
            signature(getattr(part, name)).bind(*range(wanted))


def test_a_sight_lies_before_all_and_any_choice_may_show():
    part = contract.sight(SimpleNamespace(**SEES))
    assert (part.NAME, part.SEAT, part.visible(None), part.board(0, 0)) == ("sheep", None, True, None)
    assert (part.explain(0, 0), part.read("abc")) == (None, 3)
