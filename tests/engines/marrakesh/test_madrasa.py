"""The madrasa (MK-12): scrolls bought, and what version 1 of the rules let do."""

import pytest
from msgspec.structs import replace

from engines.marrakesh import madrasa
from engines.marrakesh.book import BOOK
from engines.marrakesh.state import IN_TURN
from tests.engines.marrakesh.sitting import (
    agreed,
    asked,
    fits,
    keshis,
    play,
    refused,
    resources,
    seated,
    tokens,
    under_1,
)


def studying(**fields):
    """The state that asks for a scroll."""
    return BOOK.settled(madrasa.act(seated(**fields)))


def numbers(state):
    """The scrolls on offer by colour: the first and how many."""
    shown = [int(token) for token in tokens(state) if token.isdigit()]
    colours = {colour: [n for n in shown if n in madrasa._NUMBERS[colour]] for colour in madrasa._NUMBERS}
    return {colour: len(found) for colour, found in colours.items() if found}


def test_mk_12_1_six_scholars_and_three_dates_are_two_scrolls():
    """Lucas buys one for 5 scholars and 2 dates, and one for 1 scholar and 1 date."""
    state = play(studying(board="6y", resources="3d"), "49")
    assert (asked(state), resources(state), numbers(state)) == ("scroll", "1d", {"gray": 21})
    assert BOOK.pending(state).figures == (("n", 1), ("turned", ""))
    assert refused(state, "22")[2] == {"colour": "yellow", "needed": 3, "n": 1, "all": 6}
    assert agreed(state)
    state = play(state, "13")
    assert (asked(state), resources(state), state.sides[0].scrolls) == ("", "", (49, 13))
    assert keshis(state) == "6y"


def test_mk_6_5_no_scroll_need_be_bought():
    state = madrasa.act(seated(board="4y", resources="1d"))
    assert tokens(state)[-1] == "done"
    assert asked(play(state, "done")) == ""
    before = under_1(state)
    assert tokens(before)[-1] != "done"
    assert refused(before, "done") == ("scroll.done", "MK-12.1", {})


def in_turn(state, scrolls=0, goods=0):
    """The same in a turn of assistants that began with so many scrolls and luxury goods."""
    return replace(state, began=(scrolls, goods), frames=(IN_TURN, *state.frames))


def test_under_version_1_any_number_of_scrolls_of_a_colour():
    state = play(under_1(in_turn(studying(board="8y", resources="9d"))), "19 20 21 13")
    assert state.sides[0].scrolls == (19, 20, 21, 13)


# Positions


@pytest.mark.parametrize(("frame", "possible"), [
    (("scroll", "", 0), True), (("scroll", "+", 8), True), (("scroll", "+", 9), False),
    (("scroll", "gray", 0), True), (("scroll", "blue", 0), False), (("scroll", "", -1), False),
    (("learn", "", 3), True), (("learn", "", 7), True), (("learn", "", 5), False),
])  # fmt: skip
def test_what_a_position_may_ask(frame, possible):
    assert fits(seated(board="2y"), madrasa.Frame(*frame)) is possible
