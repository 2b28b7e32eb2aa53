"""Matches in parts: what a deal or a phase brought stands from the moment that it is over."""

from random import Random

import pytest

import engines
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
