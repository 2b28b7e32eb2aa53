"""Options chosen and held against a position, told of a game that there is not."""

import pytest
from msgspec import Struct

from engines.contract import Level, Option, Setup
from engines.errors import BadSetup
from engines.kit.options import agree, chosen, opening

OPTIONS = (
    Option("wind", ("no", "yes"), "X-1"),
    Option("storm", ("mild", "wild"), "X-2", needs=("wind", ("yes",))),
)
USUAL = {"wind": "no", "storm": "mild"}


def choose(**told):
    return chosen("Kites", OPTIONS, Setup(options=tuple(told.items())))


def test_what_is_not_told_has_its_default():
    assert choose() == USUAL
    assert choose(wind="yes", storm="wild") == {"wind": "yes", "storm": "wild"}


def test_what_makes_no_difference_has_its_default():
    assert choose(storm="wild") == USUAL


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"rain": "yes"}, "Kites has no option 'rain'; it has wind, storm$"),
        ({"storm": "calm"}, r"option storm is mild or wild, not 'calm' \(X-2\)$"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(told, message):
    with pytest.raises(BadSetup, match=message):
        choose(**told)


def test_a_position_brings_its_own_options_and_must_have_what_the_match_says():
    windy = {"wind": "yes", "storm": "wild"}
    agree(OPTIONS, Setup(), USUAL, windy, Level.TABLE)
    agree(OPTIONS, Setup(level=Level.TABLE), windy, windy, Level.TABLE)
    with pytest.raises(BadSetup, match=r"the position has storm mild, the match wild \(X-2\)"):
        agree(OPTIONS, Setup(), windy, windy | {"storm": "mild"}, Level.FULL)
    with pytest.raises(BadSetup, match="the position has level full, the match score"):
        agree(OPTIONS, Setup(level=Level.SCORE), USUAL, USUAL, Level.FULL)


class Flown(Struct, frozen=True):
    storm: str
    adjusted: tuple[int, ...] = (0, 0)


def opened(setup):
    return opening(
        "Kites",
        "X-0",
        setup,
        lambda text, facts: Flown(text),
        seats=(2, 3),
        options=OPTIONS,
        there=lambda state: {"wind": "yes", "storm": state.storm},
        levels=(Level.FULL, Level.SCORE),
    )


def test_an_opening_is_what_was_chosen_or_a_position():
    assert opened(Setup()) == (USUAL, None)
    assert opened(Setup(position="wild")) == (USUAL, Flown("wild"))


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        (Setup(4), r"Kites is for 2 or 3 players \(X-0\)"),
        (Setup(2, 2), "the seat that starts is none of 2"),
        (Setup(options=(("rain", "yes"),)), "Kites has no option 'rain'"),
        (Setup(3, position="wild"), "the position has 2 seats, the match 3"),
        (Setup(position="wild", level=Level.SCORE), "the position has level full, the match score"),
        (Setup(position="mild", options=(("wind", "yes"), ("storm", "wild"))), "the position has storm mild"),
        (Setup(level=Level.TABLE), "Kites is followed full or score, not table"),
    ],
)
def test_an_opening_that_cannot_be_says_why(setup, message):
    with pytest.raises(BadSetup, match=message):
        opened(setup)
