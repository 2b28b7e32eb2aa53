"""The madrasa (MK-12): scrolls bought, and what version 1 of the rules let do."""

import pytest
from msgspec.structs import replace

from engines.marrakesh import madrasa
from engines.marrakesh.book import BOOK
from engines.marrakesh.state import IN_TURN
from tests.engines.marrakesh.sitting import (
    asked,
    fits,
    play,
    refused,
    seated,
    tokens,
    under_1,
)


def studying(**fields):
    """The state that asks for a scroll."""
    return BOOK.settled(madrasa.act(seated(**fields)))


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
