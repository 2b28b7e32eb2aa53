"""The souk (MK-9): the exchange office, luxury goods, and the scrolls that change them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.marrakesh import souk
from engines.marrakesh.book import BOOK
from engines.marrakesh.state import IN_TURN, Frame, Side
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    agreed,
    asked,
    fits,
    gains,
    keshis,
    play,
    refused,
    resources,
    seated,
    tokens,
    told,
    unknown,
)

SLIPPER = told(good={"slipper1": (0, 0, 1, 2, 1, 0, 0), "dagger2": (1, 1, 1, 6, 0, 1, 1)})
CHEAP, DAGGER = "slipper.1o2v1w", "dagger.1l1u1o6v1d1n"


def sold(state, colour):
    """The state after the exchange of one keshi, up to the first question."""
    return BOOK.settled(souk.sell(state, colour))


def bought(state):
    """The state that asks for a good."""
    return BOOK.settled(souk.buy(state))


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


@pytest.mark.parametrize(("line", "got", "points"), [
    ("1d1v", "1d", [("offices", 1, "yellow")]), ("1n2v", "1n", [("offices", 2, "yellow")]),
    ("1w2n", "1w2n", []),
])  # fmt: skip
def test_mk_17_3_a_line_gives_all_it_shows(line, got, points):
    state = sold(with_lines(seated(board="1l"), line, "", ""), "l")
    assert (asked(state), resources(state), gains(state)) == ("", got, points)


def test_mk_12_5_without_an_assistant_it_is_one_exchange():
    state = after(with_lines(seated(board="3l", scrolls=(46,)), "1d", "", ""), "act")
    state = play(state, "s.sell_l")
    assert (asked(state), keshis(state)) == ("", "2l")


# Luxury goods


def test_mk_9_3_a_slipper_for_an_orange_keshi():
    """Jan's purchase: 1 orange for 1 water and 2 VP."""
    state = bought(seated(board="1o", copy=SLIPPER))
    assert CHEAP in tokens(state)
    state = play(state, CHEAP)
    assert (asked(state), keshis(state), resources(state)) == ("", "", "1w")
    assert gains(state) == [("souk", 2, "slipper 1")]
    assert state.sides[0].goods == ("slipper1",)


def test_mk_6_5_no_good_need_be_bought():
    state = bought(seated(board="1o"))
    assert tokens(state)[-1] == "none"
    assert asked(play(state, "none")) == ""


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


def test_mk_1_8_the_price_of_a_good_is_told_when_it_is_bought():
    state = play(bought(seated(board="1o", copy=unknown(COPY, "good.lamp3"))), "lamp.new")
    assert (asked(state), BOOK.domain(state).name, keshis(state)) == ("print", "good.lamp3", "1o")
    state = play(state, "0,0,1,3,0,0,1")
    assert (asked(state), keshis(state), resources(state)) == ("", "", "1n")
    assert gains(state) == [("souk", 3, "lamp 3")]


def test_mk_1_8_a_good_that_turns_out_too_dear_is_not_bought_and_none_need_be():
    state = play(bought(seated(board="1o", copy=unknown(COPY, "good.lamp3"))), "lamp.new 0,0,2,3,0,0,1")
    assert (asked(state), keshis(state), gains(state)) == ("good", "1o", [])
    assert refused(state, "lamp.2o3v1n")[2] == {"good": "lamp.2o3v1n", "n": 2, "colours": "1o"}
    assert agreed(state)
    assert asked(play(state, "none")) == ""


def test_mk_1_8_the_goods_of_a_kind_that_nobody_knows_are_offered_once():
    state = bought(seated(board="1o", copy=unknown()))
    assert tokens(state) == [*(f"{kind}.new" for kind in souk.tiles.LUXURY), "none"]
    state = play(state, "slipper.new 0,0,1,2,0,0,0")
    assert state.sides[0].goods == ("slipper1",)
    state = bought(seated(Side(goods=state.sides[0].goods), board="2o", copy=state.copy))
    assert tokens(state) == [*(f"{kind}.new" for kind in souk.tiles.LUXURY), "none"]
    assert play(state, "slipper.new 0,0,1,2,0,0,0").sides[0].goods == ("slipper2",)


def test_goods_that_are_alike_are_offered_once_and_bought_one_after_the_other():
    copy = told(good=dict.fromkeys(("lamp1", "lamp4"), (0, 0, 1, 2, 0, 0, 0)))
    state = bought(seated(board="3o", copy=copy, scrolls=(34,)))
    assert tokens(state).count("lamp.1o2v") == 1
    state = play(state, "lamp.1o2v lamp.1o2v")
    assert state.sides[0].goods == ("lamp1", "lamp4")
    assert refused(state, "lamp.1o2v")[0] == "good.taken"


# Overruled


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
