"""The river (MK-7), its rapids (MK-15.1) and the scrolls that change them."""

from __future__ import annotations

from msgspec.structs import replace

from engines.marrakesh import river
from engines.marrakesh.book import BOOK
from engines.marrakesh.facts import RAPIDS
from engines.marrakesh.state import Side
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    agreed,
    asked,
    gains,
    play,
    refused,
    resources,
    seated,
    tokens,
)

JETTY = river.jetty(COPY)
"""15: the made-up river has 14 spaces, rapids before 3, 6, 9 and 12, and spots of 7, 5, 4 and 3 VP."""


def at(*spaces, spots=()):
    """Other seats with their fishermen on these spaces."""
    spots = dict(enumerate(spots))
    return [Side(fisherman=space, spot=spots.get(n, 0), resources=0) for n, space in enumerate(spaces)]


# Moves


def test_mk_7_1_the_action_moves_a_step_a_fish():
    assert not river.can(seated())
    assert not river.can(seated(board="3g1r"))
    assert river.can(seated(board="1t"))
    state = seated(board="5t2g")
    assert BOOK.settled(river.act(state)).sides[0].fisherman == 5


def test_mk_7_1_every_move_may_be_lengthened_by_water_paid_a_step_each():
    state = after(seated(fisherman=4, resources="2w1d1n"), "river3")
    assert asked(state) == "sail"
    assert tokens(state) == ["7", "8", "9"]
    more = (("more.8", "1w"), ("more.9", "2w"))
    assert BOOK.pending(state).figures == (("n", 3), ("space", 4), ("water", 2), *more)
    assert resources(play(state, "7")) == "2w1d1n"
    state = play(state, "9")
    assert (state.sides[0].fisherman, resources(state)) == (9, "1d1n")


def test_mk_7_1_steps_of_one_bonus_are_one_move():
    """Back from 3, which is taken: two moves of a step each would go to 1, then to 2."""
    state = seated(*at(2, 3), fisherman=1)
    assert after(state, "river2").sides[0].fisherman == 1
    assert after(state, "river", "river2").sides[0].fisherman == 1
    assert after(state, "river3").sides[0].fisherman == 4


# Taken spaces


def test_mk_7_2_from_a_taken_space_back_to_the_nearest_free_one():
    state = seated(*at(7, 6, 4), fisherman=3)
    assert after(state, "river4").sides[0].fisherman == 5
    assert after(state, "river3").sides[0].fisherman == 5
    assert after(state, "river").sides[0].fisherman == 3
    assert after(state, "river5").sides[0].fisherman == 8


def test_mk_7_2_a_rapid_is_crossed_only_at_rest_beyond_it():
    """The rapid lies before space 3."""
    state = after(seated(*at(3), fisherman=1, scrolls=(17,)), "river2")
    assert (state.sides[0].fisherman, river.crossed(state, 0), gains(state)) == (2, (), [])


def test_mk_7_2_by_option_who_comes_later_stands_behind():
    state = after(seated(*at(7, 2), fisherman=3, shared=True), "river4")
    assert (state.sides[0].fisherman, state.sides[0].spot) == (7, 1)
    state = after(replace(state, seat=2), "river5")
    assert [(side.fisherman, side.spot) for side in state.sides] == [(7, 1), (7, 0), (7, 2)]
    assert river.foremost(state) == (1, 0, 2)
    state = after(replace(state, seat=1), "river")
    assert river.foremost(state) == (1, 0, 2)
    state = after(replace(state, seat=0), "river")
    assert [side.spot for side in state.sides] == [1, 0, 2]


# The jetty


def test_mk_7_3_the_example_of_five_fish_two_water_and_the_spot_of_four():
    """The first water brings the fisherman to the jetty, 4 VP; the second is 1 VP."""
    state = seated(*at(JETTY, JETTY, spots=(1, 2)), fisherman=JETTY - 6, board="5t", resources="2w")
    state = BOOK.settled(river.act(state))
    assert tokens(state) == [str(JETTY - 1), "jetty", "jetty+1"]
    state = play(state, "jetty+1")
    assert gains(state) == [("river", 4, "jetty"), ("river", 1, "further")]
    assert (state.sides[0].fisherman, state.sides[0].spot, resources(state)) == (JETTY, 3, "")


def test_mk_7_3_the_best_spot_that_is_free():
    state = seated(*at(JETTY, JETTY, spots=(1, 3)), fisherman=13)
    state = after(state, "river2")
    assert (state.sides[0].spot, gains(state)) == (2, [("river", 5, "jetty")])


def test_mk_7_3_without_a_free_spot_the_jetty_gives_nothing_but_further_steps():
    copy = replace(COPY, jetty=(6,))
    state = after(seated(*at(JETTY, spots=(1,)), fisherman=13, copy=copy), "river5")
    assert (state.sides[0].fisherman, state.sides[0].spot) == (JETTY, 0)
    assert gains(state) == [("river", 3, "further")]


def test_mk_7_3_each_further_step_is_a_point_paid_ones_too():
    state = after(seated(fisherman=JETTY, spot=1, resources="2w"), "river2")
    assert tokens(state) == ["jetty+2", "jetty+3", "jetty+4"]
    assert agreed(state)
    assert refused(state, "jetty")[0] == "sail.short"
    state = play(state, "jetty+3")
    assert (state.sides[0].spot, gains(state), resources(state)) == (1, [("river", 3, "further")], "1w")


def test_mk_7_3_the_jetty_is_past_all_rapids_and_nobody_is_pushed_back_there():
    state = after(seated(*at(JETTY, spots=(1,)), fisherman=14), "river")
    assert state.sides[0].fisherman == JETTY
    assert river.crossed(state, 0) == (0, 1, 2, 3)
    last = replace(COPY, rapids=(3, 6, 9, JETTY))
    assert river.crossed(replace(state, copy=last), 0) == (0, 1, 2, 3)
    assert river.crossed(after(seated(fisherman=13, copy=last), "river"), 0) == (0, 1, 2)


def test_mk_7_3_pawns_at_the_jetty_rank_by_their_spots():
    sides = at(JETTY, 0, 14, spots=(1,))
    assert river.foremost(seated(*sides, fisherman=JETTY, spot=2)) == (1, 0, 3)
    assert river.foremost(seated(*sides, fisherman=JETTY, spot=0)) == (1, 0, 3)
    assert river.foremost(seated(*at(0, 3), fisherman=0)) == (2,)


# Rapids


def test_mk_15_1_the_example_of_three_rapids_whose_middle_one_gives_a_resource():
    state = after(seated(fisherman=9), "rapids_a")
    assert (asked(state), tokens(state)) == ("rapid", ["vp", "any", "goods"])
    assert BOOK.domain(state).tokens == ("vp", "any", "goods", "vp3")
    state = play(state, "any")
    assert asked(state) == "resource"
    state = play(state, "dinar")
    assert (resources(state), state.sides[0].fisherman) == ("1n", 9)


def test_mk_15_1_the_bonus_of_each_kind():
    state = after(seated(fisherman=JETTY), "rapids_a")
    assert gains(play(state, "vp")) == [("rapids", 1, "rapid1")]
    assert gains(play(state, "vp3")) == [("rapids", 3, "rapid4")]
    assert asked(play(state, "goods")) == "goods"
    assert set(COPY.rapid_bonus) == set(RAPIDS)


def test_mk_15_1_one_rapid_crossed_gives_its_bonus_by_itself_and_none_nothing():
    state = after(seated(fisherman=4), "rapids_a")
    assert (asked(state), gains(state)) == ("", [("rapids", 1, "rapid1")])
    state = seated(fisherman=2)
    assert after(state, "rapids_a") == state


def test_mk_15_1_rapids_are_told_by_what_they_give_and_refused_where_not_crossed():
    copy = replace(COPY, rapid_bonus=("vp", "any", "vp", "goods"))
    state = after(seated(fisherman=10, copy=copy), "rapids_a")
    assert tokens(state) == ["vp", "any"]
    assert refused(state, "goods") == (
        "rapid.crossed",
        "MK-15.1",
        {"reward": "goods", "space": 10, "rapid": 12},
    )
    assert agreed(state)
