"""SG-8: points, category by category."""

from __future__ import annotations

import pytest

from engines.contract import Level, Setup, winners
from engines.errors import Refused
from engines.match import Match
from engines.san_gimignano.scoring import CATEGORIES
from tests.engines.san_gimignano.table import GAME, at, field, play, points, start

FIGURE_2 = "10x3* 9x3 8x3* 6x3* 5-9 . 7x3* 6-10* 6-8* 7-9* . a"


def score(a="-", b="-", marker="-"):
    return points(at(f"market=5 a={a} b={b} marker={marker}"))


def test_sg_8_1_five_a_completed_tower():
    assert score("6-8*,5-7*,6-8", "6-8", "b")[0]["completion"] == 10
    assert "completion" not in score("6-8", "6-8*", "b")[0]


def test_sg_8_2_two_a_storey_of_plain_sevens_alone():
    assert score("7x3,7x4*", "8-10", "a")[0]["blessing"] == 14
    assert score("7x3", "6-8", "a")[1].keys() == {"colourful"}


def test_sg_8_3_the_highest_of_a_rank_scores_it_once():
    assert score("8x3,9x3,9x4", "8x5", "b") == [{"plain": 9}, {"plain": 8, "highest": 10}]
    assert score("8x4,8x3", "9x3", "a")[0]["plain"] == 8


def test_sg_8_3_a_tie_scores_for_both():
    assert [seat["plain"] for seat in score("8x4,6x3", "8x4*", "a")] == [14, 8]


def test_sg_8_3_colourful_towers_do_not_compete():
    assert "plain" not in score("6-10", "10x3", "a")[0]


def test_sg_8_4_the_number_of_colourful_towers_times_their_storeys():
    assert score("5-7,8-10,6-9*", "-", "a")[0]["colourful"] == 3 * 10
    assert score("5-10", "-", "a")[0]["colourful"] == 6


def test_sg_8_5_ten_to_the_markers_holder():
    assert score("6-8", "5-9", "a")[0]["highest"] == 10
    assert "highest" not in score("6-8", "5-9", "a")[1]


def test_sg_8_6_the_worked_example_as_a_position():
    state = at("market=5 a=10x3*,9x3*,8x3*,6x3,5-9 b=7x3*,6-10*,6-8*,7-9* marker=a")
    assert points(state) == [
        {"completion": 15, "plain": 33, "colourful": 5, "highest": 10},
        {"completion": 20, "blessing": 6, "plain": 7, "colourful": 33},
    ]
    assert [sum(seat.values()) for seat in points(state)] == [63, 66]
    assert winners(GAME, state) == (1,)


def test_bookings_come_in_the_rules_order_with_their_sums():
    booked = GAME.scoring.bookings(at("market=5 a=10x3*,9x3,7x3,5-9 b=7x3,8-10 marker=b"))
    assert [(b.seat, b.category, b.points, b.clause, b.figures) for b in booked] == [
        (0, "completion", 5, "SG-8.1", "1 × 5"),
        (0, "blessing", 6, "SG-8.2", "3 × 2"),
        (1, "blessing", 6, "SG-8.2", "3 × 2"),
        (0, "plain", 26, "SG-8.3", "10 + 9 + 7"),
        (1, "plain", 7, "SG-8.3", "7"),
        (0, "colourful", 5, "SG-8.4", "1 × 5"),
        (1, "colourful", 3, "SG-8.4", "1 × 3"),
        (1, "highest", 10, "SG-8.5", "marker"),
    ]
    assert {b.category for b in booked} == set(CATEGORIES) - {"monumento", "cappella", "penalty"}


# The score level: the final layout is reported, no play followed.


def test_sg_8_6_as_a_final_layout():
    state = play(start(Level.SCORE), FIGURE_2)
    assert state.termination == "counted"
    assert GAME.rules.pending(state).clause == "SG-7.2"
    assert (field(state, "a"), field(state, "marker")) == ("5-9,6x3*,8x3*,9x3,10x3*", "a")
    assert [sum(seat.values()) for seat in points(state)] == [63, 66]
    assert winners(GAME, state) == (1,)


def test_an_empty_table_is_counted_too():
    state = play(start(Level.SCORE), ". . -")
    assert points(state) == [{}, {}]
    assert winners(GAME, state) == (0, 1)


@pytest.mark.parametrize(
    ("layout", "check"),
    [
        ("5x3 5-7 5-8 . 5x3 . a", "final.cards"),  # an eighth 5
        ("10x8 . 10x3 . a", "final.cards"),
        ("10x8 . 8-10 7-10 6-10 . a", "final.cards"),
        ("10x3 . . -", "final.marker"),
    ],
)
def test_a_layout_that_cannot_be_is_refused_by_conservation(layout, check):
    match = Match(GAME, Setup(level=Level.SCORE))
    with pytest.raises(Refused) as caught:
        match.play(layout)
    assert caught.value.refusal.check == check
    assert match.steps == []


def test_the_last_layout_that_can_be_is_counted():
    state = play(start(Level.SCORE), "10x7 . 8-10 7-10 6-10 . a")
    assert state.termination == "counted"
