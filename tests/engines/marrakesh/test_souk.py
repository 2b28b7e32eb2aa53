"""The souk (MK-9): the exchange office, and one good of a stack in a turn."""

import pytest
from msgspec.structs import replace

from engines.marrakesh import souk
from engines.marrakesh.book import BOOK
from engines.marrakesh.state import IN_TURN, Frame
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
    told,
)

SLIPPER = told(good={"slipper1": (0, 0, 1, 2, 1, 0, 0), "dagger2": (1, 1, 1, 6, 0, 1, 1)})


def sold(state, colour):
    """The state after the exchange of one keshi, up to the first question."""
    return BOOK.settled(souk.sell(state, colour))


def with_lines(state, *lines):
    """The state in which the office's lines are known."""
    return replace(state, lines=lines)


# The exchange office


def test_mk_9_2_a_purple_keshi_for_two_dates():
    """Mary's exchange; the table tells what the office shows once a season and colour."""
    state = sold(seated(board="2u1l"), "u")
    assert (asked(state), keshis(state)) == ("line", "1l1u")
    assert BOOK.pending(state).figures == (("colour", "u"), ("season", 1))
    state = play(state, "2d")
    assert (asked(state), resources(state), state.lines) == ("", "2d", ("", "2d", ""))
    state = sold(state, "u")
    assert (asked(state), resources(state), keshis(state)) == ("", "4d", "1l")


# Luxury goods


def test_mk_12_3_in_a_turn_each_stack_gives_its_good_once():
    goods = ("slipper1", "dagger1", "lamp1", "tajine1", "necklace1")
    turn = (IN_TURN,)
    had = replace(seated(board="9o", goods=goods, copy=SLIPPER), frames=turn)
    assert not souk.can_buy(replace(had, began=(0, 0)))
    assert souk.can_buy(replace(had, began=(0, 5)))
    state = replace(had, frames=(*turn, Frame("good", "free", 1)))
    assert tokens(state) == ["none"]
    outside = replace(state, frames=state.frames[1:])
    assert refused(state, tokens(outside)[0]) == ("good.new", "MK-12.3", {"n": 5})
    assert agreed(state)
    assert not any(refused(outside, token) for token in tokens(outside))


# Positions


@pytest.mark.parametrize(("frame", "scrolls", "possible"), [
    (("line", "l"), (), True), (("line", "u"), (), False), (("line", "t"), (), False),
    (("good", "", 0), (), True), (("good", "", 1), (), True), (("good", "", 2), (), False),
    (("good", "+", 1), (34,), True), (("good", "+", 1), (33,), False), (("good", "", 0), (34,), True),
    (("sell_more",), (46,), True), (("sell_more",), (45,), False),
])  # fmt: skip
def test_what_a_position_may_ask(frame, scrolls, possible):
    state = with_lines(seated(board="3l", scrolls=scrolls), "", "1d", "")
    assert fits(state, souk.Frame(*frame)) is possible
