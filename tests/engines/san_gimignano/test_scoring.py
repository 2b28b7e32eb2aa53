"""SG-8: points, category by category."""

import pytest

from engines.contract import Level, Setup, winners
from engines.errors import Refused
from engines.match import Match
from engines.san_gimignano.scoring import CATEGORIES
from tests.engines.san_gimignano.table import GAME, at, field, play, points, start

FIGURE_2 = "10x3* 9x3 8x3* 6x3* 5-9 . 7x3* 6-10* 6-8* 7-9* . a"


def score(a="-", b="-", marker="-"):
    return points(at(f"market=5 a={a} b={b} marker={marker}"))


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
