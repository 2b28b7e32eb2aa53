"""SG-6 and SG-7: the ending phase and the end."""

import pytest

from engines.contract import winners
from tests.engines.san_gimignano.table import GAME, LATE, at, field, play, points, tokens

ENDED = "market=6,8 hand.a=?5 hand.b=?5 phase=ending"


def test_sg_6_1_begins_when_the_deck_runs_out():
    state = at(f"{LATE} deck=?2 market=6,8 hand.a=?3 hand.b=?9")
    assert field(play(state, "P d m6"), "phase") == "building"
    assert field(play(state, "P d d"), "phase") == "ending"


def test_sg_6_1_begins_when_the_refill_takes_the_last_card():
    state = play(at(f"{LATE} deck=?3 market=6,8 hand.a=?3 hand.b=?8"), "P m6 m8", "8 8 6")
    assert (field(state, "phase"), field(state, "market"), state.seat) == ("ending", "6,8,8", 1)


def test_sg_6_2_extending_draws_nothing():
    state = play(at(f"{ENDED} a=8x3 marker=a"), "E 8x3 +2")
    assert (field(state, "hand.a"), field(state, "a"), state.seat) == ("?3", "8x5", 1)


def test_sg_6_3_a_draw_that_empties_the_deck_is_finished_from_the_market():
    state = at(f"{LATE} deck=?1 market=6,8 hand.a=8,8 hand.b=?11", "X 8 8 > d")
    assert (state.deck, state.ending, tokens(state)) == (0, False, ["m6"])
    state = play(state, "m6")
    assert (state.ending, state.seat) == (True, 1)


def test_sg_6_3_so_is_the_refill():
    towers = "a=10x3,10x3,10x4,9x3,9x3,9x3 b=6x3,7x3 marker=a"
    state = play(at(f"{towers} deck=?3 market=8 hand.a=7,7,?9 hand.b=?5 turn=b"), "P m8 d")
    assert GAME.rules.pending(state).question == "market"
    state = play(state, "8 7")
    assert (field(state, "market"), state.ending, state.seat) == ("7,8", True, 0)


@pytest.mark.parametrize(
    ("towers", "won"),
    [
        ("a=8x3 b=9x3 marker=b", (1,)),
        ("a=8x3 b=9x3 marker=a", (0,)),
        ("a=7-9*,5-7 b=6x3 marker=b", (0,)),  # 5 + 2 × 6 to 6 + 10
        ("", (0, 1)),
    ],
)
def test_sg_7_2_the_most_points_win(towers, won):
    assert winners(GAME, at(f"market=5 {towers}")) == won


def test_sg_7_2_on_a_tie_the_markers_holder_wins():
    state = at("market=5 a=10x3*,6x3 b=6x3,5x3 marker=b")  # 5 + 10 + 6 to 6 + 5 + 10
    assert [sum(seat.values()) for seat in points(state)] == [21, 21]
    assert winners(GAME, state) == (1,)


def test_a_double_pass_in_the_ending_phase_ends_it():
    state = play(at(ENDED), "pass", "pass")
    assert state.termination == "double_pass"
