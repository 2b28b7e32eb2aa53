"""SG-5: what a plain tower does when it is built."""

import pytest

from engines.contract import Decide
from tests.engines.san_gimignano.table import GAME, LATE, at, field, play, start, tokens

OPEN = "market=5,6 hand.a=?5 hand.b=?5"


def question(state):
    return GAME.rules.pending(state).question


@pytest.mark.parametrize("built", ["B 8x3", "B 9x3"])
def test_sg_5_1_it_may_be_declined_whole(built):
    state = play(at(OPEN), built)
    assert tokens(state) == ["use", "decline"]
    declined = play(state, "decline")
    assert (declined.seat, field(declined, "hand.a"), field(declined, "hand.b")) == (1, "?2", "?5")


def test_sg_5_1_must_skips_the_question():
    market = "10 8 6 8"
    state = play(start(donazione="must"), market, "B 8x3")
    assert question(state) == "draw"
    assert question(play(start(donazione="must"), market, "B 9x3")) == "guard"
    state = play(start(donazione="must"), market, "B 7x3", "B 10x3")
    assert question(state) == "guard"
    assert field(play(state, "allow"), "a") == "-"
    assert "donazione=must" in GAME.position.write(state)


def test_sg_5_3_contract_a_plain_six_is_passed_over_a_colourful_one_is_not():
    state = play(at(f"{OPEN} b=6x3,6-8 marker=b"), "B 10x3", "use")
    assert GAME.rules.pending(state).figures == (("variant", 10), ("tower", "6-8"))
    assert play(at(f"{OPEN} b=6x3 marker=b"), "B 10x3").seat == 1


def test_sg_5_5_income_draws_as_many_as_built_each_seen_before_the_next():
    state = at(OPEN, "B 8 x3 use")
    assert GAME.rules.pending(state).figures == (("n", 3),)
    state = play(state, "m5 d m6", "7 7 9 9")
    assert (field(state, "hand.a"), field(state, "market"), state.seat) == ("5,6,?3", "7,7,9,9", 1)


def test_sg_5_6_trade_draws_n_and_returns_one_fewer():
    state = play(at(OPEN), "B 9x4", "use", "allow")
    assert (field(state, "hand.a"), field(state, "hand.b"), state.seat) == ("?2", "?4", 1)


@pytest.mark.parametrize(
    ("mine", "theirs", "height", "after"),
    [
        (5, 2, 3, ("?2", "?2")),  # all two are drawn, two returned
        (5, 1, 4, ("?0", "?2")),  # one drawn, three to return, two held
        (3, 1, 3, ("?0", "?1")),  # one drawn, two to return, one held
        (7, 4, 5, ("?2", "?4")),
        (3, 3, 3, ("?1", "?2")),
    ],
)
def test_sg_5_6_n_less_one_stands_where_fewer_were_drawn(mine, theirs, height, after):
    state = play(at(f"market=5,6 hand.a=?{mine} hand.b=?{theirs}"), f"B 9x{height}", "use", "allow")
    assert (field(state, "hand.a"), field(state, "hand.b")) == after


def test_sg_5_6_with_an_empty_hand_nothing_is_asked_and_cards_are_given_all_the_same():
    state = play(at("market=5,6 hand.a=?5 hand.b=?0"), "B 9x3", "use")
    assert (field(state, "hand.a"), field(state, "hand.b"), state.seat) == ("?0", "?2", 1)


def test_sg_11_1_after_a_trade_known_cards_are_in_one_of_the_hands():
    state = play(at("market=5,6 hand.a=7,?3 hand.b=8,10,?3"), "B 9x3", "use", "allow")
    assert (field(state, "shared"), field(state, "hand.a"), field(state, "hand.b")) == ("7,8,10", "?2", "?4")
    state = play(state, "X 8 10 > d d")
    assert (field(state, "shared"), field(state, "hand.b")) == ("7", "?4")


def test_sg_5_2_the_guard_cancels_a_trade_whole():
    state = play(at("market=6 hand.a=?5 hand.b=5,8,?3"), "B 9x3", "use")
    assert GAME.rules.pending(state) == Decide(
        (1,), "guard", GAME.rules.pending(state).domain, False, (("variant", 9),)
    )
    state = play(state, "guard")
    assert (field(state, "hand.a"), field(state, "hand.b")) == ("?2", "8,?3")
    assert (field(state, "deck"), field(state, "a"), state.seat) == ("?34,5", "9x3", 1)


def test_sg_5_2_the_guard_saves_a_tower_and_no_other_is_named():
    state = play(at(f"{OPEN} b=7x3,8x3 marker=b"), "B 10x3", "use b8x3", "guard")
    assert (field(state, "b"), field(state, "hand.b"), state.seat) == ("7x3,8x3", "?4", 1)
    assert field(state, "deck").endswith(",5")


def test_sg_5_2_is_asked_whenever_the_hand_may_hold_a_five():
    assert question(play(at(OPEN), "B 9x3", "use")) == "guard"
    known = at("market=6 hand.a=?5 hand.b=8,8,10")
    assert play(known, "B 9x3", "use").seat == 1
    none_left = at("market=6 hand.a=?5 hand.b=?3 a=5x5* marker=a")
    assert play(none_left, "B 9x3", "use").seat == 1


def test_sg_5_2_a_five_that_may_have_been_traded_is_asked_for():
    state = at("market=6 hand.a=?5 hand.b=?3 b=5x4 shared=5 marker=b")
    assert question(play(state, "B 9x3", "use")) == "guard"


def test_sg_5_7_the_highest_no_higher_than_the_ten_is_destroyed():
    state = play(at(f"{OPEN} a=7x3 b=8x4,9x5,6-8 marker=b"), "B 10x4", "use")
    assert GAME.rules.pending(state).figures == (("variant", 10), ("tower", "8x4"))
    assert field(play(state, "allow"), "b") == "6-8,9x5"


def test_sg_5_7_among_equals_the_builder_names_one():
    state = play(at(f"{OPEN} a=7x3,5-7 b=8x3,8x3,9x3* marker=b"), "B 10x3")
    state = at(GAME.position.write(state), "use")
    assert tokens(state) == ["a5-7", "a7x3", "b8x3"]
    state = play(state, "b8x3", "allow")
    assert field(state, "b") == "8x3,9x3*"


@pytest.mark.parametrize("standing", ["", "b=8x3* marker=b", "b=8x4 marker=b", "b=6x3 marker=b"])
def test_sg_5_7_no_candidate_nothing_happens(standing):
    assert play(at(f"{OPEN} {standing}"), "B 10x3").seat == 1


def test_sg_5_8_destroyed_cards_lie_on_the_deck_lowest_uppermost():
    state = play(at(f"{OPEN} b=6-8 marker=b turn=a deck=9,?29"), "B 10x3", "use", "allow")
    assert field(state, "deck") == "6,7,8,9,?29"
    state = play(state, "P d d")
    assert (field(state, "hand.b"), field(state, "deck")) == ("6,7,?5", "8,9,?29")


def test_sg_5_8_drawn_ones_are_known_and_the_guards_five_comes_last():
    late = f"{LATE} market=8,8 hand.a=?5 hand.b=?6 deck=?2,5"
    state = play(at(late), "P d d")
    assert (field(state, "deck"), field(state, "hand.a")) == ("?0,5", "?7")
    state = play(state, "P d")
    assert (field(state, "hand.b"), state.ending) == ("5,?6", True)
