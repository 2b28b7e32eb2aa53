"""The madrasa (MK-12): scrolls bought, turned up and won."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.marrakesh import madrasa
from engines.marrakesh.book import BOOK
from engines.marrakesh.state import IN_TURN, Frame, Side
from tests.engines.marrakesh.sitting import (
    after,
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


@pytest.mark.parametrize(("scholars", "held", "colours"), [
    (1, "1d", ["gray"]), (3, "1d", ["gray", "yellow"]), (5, "1d", ["gray", "yellow"]),
    (5, "2d", ["gray", "yellow", "pink"]), (7, "3d", ["gray", "yellow", "pink", "orange"]),
    (6, "3d", ["gray", "yellow", "pink"]), (2, "3d", ["gray"]), (8, "2d", ["gray", "yellow", "pink"]),
])  # fmt: skip
def test_mk_12_1_a_scroll_needs_scholars_and_dates(scholars, held, colours):
    state = studying(board=f"{scholars}y", resources=held)
    assert list(numbers(state)) == colours
    assert agreed(state)


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


def test_mk_12_1_a_scholar_supports_one_scroll_in_an_action():
    state = play(studying(board="4y", resources="5d"), "22 13")
    assert (asked(state), state.sides[0].scrolls) == ("", (22, 13))


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


def test_mk_12_3_in_a_turn_each_stack_gives_its_top_once():
    state = play(in_turn(studying(board="8y", resources="9d")), "19 20 21")
    assert not [token for token in tokens(state) if token.isdigit() and int(token) <= 21]
    assert "22" in tokens(state)
    assert refused(state, "13") == ("scroll.new", "MK-12.3", {"colour": "gray", "n": 3})
    assert agreed(state)
    won = BOOK.ask(replace(state, frames=state.frames[:1]), Frame("learn", n=madrasa.ANY))
    assert "13" not in tokens(won)
    assert "22" in tokens(won)
    assert refused(won, "13")[:2] == ("scroll.new", "MK-12.3")
    assert "turn_gray" not in tokens(in_turn(studying(board="8y", resources="9d9n", scrolls=(19, 20, 21))))


def test_mk_12_3_what_is_won_outside_a_turn_is_turned_up_at_once():
    state = BOOK.ask(seated(scrolls=(19, 20, 21), resources="1d"), Frame("learn", n=madrasa.ANY))
    assert "13" in tokens(state)


def test_under_version_1_any_number_of_scrolls_of_a_colour():
    state = play(under_1(in_turn(studying(board="8y", resources="9d"))), "19 20 21 13")
    assert state.sides[0].scrolls == (19, 20, 21, 13)


def test_mk_12_1_scholars_deployed_meanwhile_support_further_scrolls():
    """Scroll 05 gives a gray keshi here."""
    state = studying(board="1y", resources="2d")
    state = play(state, "5")
    assert (asked(state), keshis(state), numbers(state)) == ("scroll", "2y", {"gray": 20})


# New scrolls for a dinar


def test_mk_12_2_new_ones_of_a_colour_for_a_dinar_of_which_one_is_bought():
    state = studying(board="4y", resources="2d1n")
    assert [token for token in tokens(state) if token.startswith("turn")] == ["turn_gray", "turn_yellow"]
    assert agreed(state)
    state = play(state, "turn_yellow")
    assert (asked(state), resources(state), numbers(state)) == ("scroll", "2d", {"yellow": 21})
    assert refused(state, "13") == ("scroll.turned", "MK-12.2", {"colour": "yellow"})
    assert refused(state, "done") == ("scroll.turned", "MK-12.2", {"colour": "yellow"})
    assert BOOK.pending(state).figures == (("n", 4), ("turned", "yellow"))
    assert agreed(state)
    state = play(state, "22")
    assert numbers(state) == {"gray": 21}
    assert refused(state, "turn_gray")[:2] == ("scroll.turn", "MK-12.2")


def test_mk_12_2_once_a_round():
    state = studying(board="4y", resources="2d1n", refreshed=True)
    assert refused(state, "turn_gray") == ("scroll.turn", "MK-12.2", {})
    assert agreed(state)


def test_mk_12_2_only_before_the_first_purchase_of_the_round():
    state = play(studying(board="2y", resources="3d1n"), "13 14")
    state = BOOK.settled(madrasa.act(state))
    assert refused(state, "turn_gray") == ("scroll.turn", "MK-12.2", {})


def test_mk_12_2_with_scroll_33_the_dates_of_the_scroll_are_kept():
    state = studying(board="1y", resources="1w1d", scrolls=(33,))
    state = play(state, "turn_gray")
    assert (asked(state), resources(state)) == ("scroll", "1d")
    short = studying(board="1y", resources="1d", scrolls=(33,))
    assert refused(short, "turn_gray") == ("scroll.dinar", "MK-12.2", {"colour": "gray"})


# Scrolls won


def test_mk_14_6_a_scroll_for_exactly_three_scholars_without_any_and_without_dates():
    state = after(seated(Side(scrolls=(22,)), resources="1d1n"), "learn3")
    assert (asked(state), tokens(state)) == ("learn", [*map(str, range(23, 43)), "none"])
    assert refused(state, "13") == ("learn.needs", "MK-14.6", {"needed": 3, "n": 1})
    assert refused(state, "22") == ("scroll.taken", "MK-12.4", {"scroll": 22, "seat": 1})
    assert agreed(state)
    state = play(state, "35")
    assert (asked(state), resources(state), state.sides[0].scrolls) == ("", "1d1n", (35,))
    assert not state.sides[0].refreshed


def test_a_scroll_won_acts_at_once_or_is_declined():
    state = after(seated(), "learn3")
    assert keshis(play(state, "37")) == "2l"  # a pair of yellow ones here
    assert play(state, "none").sides[0].scrolls == ()


# Overruled


# Positions


@pytest.mark.parametrize(("frame", "possible"), [
    (("scroll", "", 0), True), (("scroll", "+", 8), True), (("scroll", "+", 9), False),
    (("scroll", "gray", 0), True), (("scroll", "blue", 0), False), (("scroll", "", -1), False),
    (("learn", "", 3), True), (("learn", "", 7), True), (("learn", "", 5), False),
])  # fmt: skip
def test_what_a_position_may_ask(frame, possible):
    assert fits(seated(board="2y"), madrasa.Frame(*frame)) is possible
