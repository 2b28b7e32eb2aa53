"""The souk (MK-9): the exchange office, luxury goods, and the scrolls that change them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.errors import Impossible
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
    overruled,
    play,
    refused,
    resources,
    seated,
    tokens,
    told,
    under_1,
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


def test_mk_9_2_without_a_keshi_nothing_is_exchanged():
    state = seated(board="2u8g")
    assert [colour for colour in "luo" if souk.can_sell(state, colour)] == ["u"]


@pytest.mark.parametrize(("line", "got", "points"), [
    ("1d1v", "1d", [("offices", 1, "yellow")]), ("1n2v", "1n", [("offices", 2, "yellow")]),
    ("1w2n", "1w2n", []),
])  # fmt: skip
def test_mk_17_3_a_line_gives_all_it_shows(line, got, points):
    state = sold(with_lines(seated(board="1l"), line, "", ""), "l")
    assert (asked(state), resources(state), gains(state)) == ("", got, points)


def test_a_line_s_river_step_may_be_lengthened_by_the_water_it_gives():
    state = sold(with_lines(seated(board="1o"), "", "", "1w1r"), "o")
    assert (asked(state), tokens(state)) == ("sail", ["1", "2"])


def test_a_line_s_stair_step_is_taken_on_either_stair():
    state = sold(with_lines(seated(board="1o"), "", "", "1w1s"), "o")
    assert (asked(state), resources(state)) == ("stair", "1w")
    assert play(state, "palace").sides[0].palace == 1


def test_scroll_18_each_exchange_gives_a_resource_of_choice_besides():
    state = sold(with_lines(seated(board="1l", scrolls=(18,)), "1d1r", "", ""), "l")
    assert (asked(state), resources(state)) == ("resource", "1d")
    state = play(state, "water")
    assert (asked(state), resources(state)) == ("sail", "1w1d")


def test_mk_9_1_an_assistant_exchanges_once():
    assert asked(sold(with_lines(seated(board="3l"), "1d", "", ""), "l")) == ""


def test_scroll_46_an_assistant_exchanges_several():
    state = sold(with_lines(seated(board="2l1o", scrolls=(46,)), "1d", "", "1w"), "l")
    assert (asked(state), tokens(state)) == ("sell_more", ["l", "o", "none"])
    assert refused(state, "u") == ("sell_more.keshi", "MK-9.2", {"colour": "u"})
    assert agreed(state)
    state = play(state, "o")
    assert (tokens(state), resources(state)) == (["l", "none"], "1w1d")
    assert asked(play(state, "none")) == ""
    assert asked(play(state, "l")) == ""  # none is left


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


def test_mk_9_3_a_good_costs_all_that_it_shows():
    state = bought(seated(board="1l2u1o", copy=SLIPPER))
    state = play(state, DAGGER)
    assert (keshis(state), resources(state), gains(state)) == ("1u", "1d1n", [("souk", 6, "dagger 2")])


def test_mk_9_3_a_good_that_is_too_dear_is_refused_with_its_price():
    state = bought(seated(board="1l2o", copy=SLIPPER))
    prices = {"colours": "1u", "n": 3}
    assert refused(state, DAGGER) == ("good.price", "MK-9.3", {"good": DAGGER, **prices})
    assert agreed(state)


def test_mk_9_3_without_a_keshi_for_it_no_good_of_an_unknown_price_is_bought():
    """Only a position that was set up asks it."""
    state = replace(seated(copy=unknown()), frames=(Frame("good"),))
    why = {"good": "lamp.new", "variant": "good.empty"}
    assert refused(state, "lamp.new") == ("good.price", "MK-9.3", why)
    assert agreed(state)


def test_mk_9_3_a_good_that_somebody_has_is_gone():
    state = bought(seated(Side(goods=("slipper1",)), board="1o", copy=SLIPPER))
    assert refused(state, CHEAP) == ("good.taken", "MK-9.3", {"good": CHEAP})
    assert agreed(state)


def test_mk_9_1_a_purchase_that_has_begun_is_made():
    state = bought(under_1(seated(board="1o")))
    assert refused(state, "none") == ("good.done", "MK-9.1", {})


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


def test_mk_9_3_without_keshis_nothing_can_be_bought():
    assert not souk.can_buy(seated(board="8g"))
    assert not souk.can_buy(seated(board="8g", copy=unknown()))
    assert souk.can_buy(seated(board="1o", copy=unknown()))
    dear = told(good=dict.fromkeys(souk.tiles.GOODS, (3, 3, 3, 9, 0, 0, 0)))
    assert not souk.can_buy(seated(board="3l3u2o", copy=dear))


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


def test_scroll_34_an_assistant_buys_several():
    state = play(bought(seated(board="1l3u3o", copy=SLIPPER, scrolls=(34,))), CHEAP)
    assert (asked(state), tokens(state)[-1]) == ("good", "none")
    assert agreed(state)
    state = play(state, DAGGER)
    assert (asked(state), state.sides[0].goods) == ("good", ("slipper1", "dagger2"))
    state = play(state, "none")
    assert (asked(state), gains(state)) == ("", [("souk", 2, "slipper 1"), ("souk", 6, "dagger 2")])


def test_scroll_34_once_nothing_can_be_bought_nobody_is_asked():
    state = play(bought(seated(board="1o", copy=SLIPPER, scrolls=(34,))), CHEAP)
    assert asked(state) == ""


def test_mk_12_5_without_an_assistant_it_is_one_purchase():
    state = after(seated(board="1l2u2o", copy=SLIPPER, scrolls=(34,)), "act")
    assert asked(play(state, f"s.buy {CHEAP}")) == ""


# Overruled


def test_a_good_that_is_too_dear_is_bought_all_the_same_for_what_is_there():
    state = overruled(bought(seated(board="2l1o", copy=SLIPPER)), DAGGER)
    assert (keshis(state), state.sides[0].goods, state.waived) == ("1l", ("dagger2",), ("MK-9.3",))


def test_a_good_that_somebody_has_is_bought_by_nobody_else():
    state = bought(seated(Side(goods=("slipper1",)), board="1o", copy=SLIPPER))
    with pytest.raises(Impossible):
        overruled(state, CHEAP)


def test_a_keshi_that_is_not_there_is_not_exchanged():
    state = sold(with_lines(seated(board="2l", scrolls=(46,)), "1d", "", ""), "l")
    with pytest.raises(Impossible):
        overruled(state, "u")


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
