"""SG-8: points, category by category."""

from engines.contract import winners
from engines.san_gimignano.scoring import CATEGORIES
from tests.engines.san_gimignano.table import GAME, at, points


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
