"""Both tracks, what is left over, and who wins (CT-7)."""

import pytest
from msgspec.structs import replace

from engines.castles_of_tuscany.state import COUNTED, FINISHED, Gain
from engines.contract import Level, totals
from tests.engines.castles_of_tuscany.sitting import GAME, having, play, seated, start

SCORING = GAME.scoring


def points(state):
    return totals(SCORING.bookings(state), state.variant.seats)


def greens(state):
    (tally,) = SCORING.tallies(state)
    return tally.figures


def told(state, seat=0, part=None):
    return [
        (one.category, one.points, one.figures)
        for one in SCORING.bookings(state)
        if one.seat == seat and part in (None, one.part)
    ]


def over(state, **fields):
    """The match after its last turn (CT-6.4)."""
    return replace(state, round=4, termination=FINISHED, **fields)


def test_figures_lead_to_the_tile():
    gains = (
        Gain(1, "areas", 3, "d1"),
        Gain(1, "farms", 2, "d3"),
        Gain(1, "bonus", 6, "v"),
        Gain(1, "storage", 2, "storage"),
        Gain(2, "areas", 1, "c5"),
        Gain(2, "yields", 2, "g2"),
    )
    state = having(seated(), gains=gains)
    assert told(state) == []
    first = [
        ("areas", 3, "d1 village 3"),
        ("bonus", 6, "all village 6"),
        ("farms", 2, "d3 farm 2"),
        ("storage", 2, "extra storage 2"),
    ]
    assert told(replace(state, round=2)) == first
    third = replace(state, round=3)
    assert told(third, part=1) == first
    assert told(third, part=2) == [
        ("areas", 3, "round 1: 3"),
        ("areas", 1, "c5 quarry 1"),
        ("bonus", 6, "round 1: 6"),
        ("farms", 2, "round 1: 2"),
        ("storage", 2, "round 1: 2"),
        ("yields", 2, "yield card 2"),
    ]
    assert {one.category: one.clause for one in SCORING.bookings(third)} == {
        "areas": "CT-4.1",
        "bonus": "CT-4.2",
        "farms": "CT-5.4",
        "storage": "CT-5.9",
        "yields": "CT-5.8",
    }


# No play followed


def test_told_figures_are_the_score():
    """Orange 84, green 30, 2 in storage, 1 marble, no worker, 7 cards, 4 empty spaces."""
    state = start(2, Level.SCORE)
    assert points(state) == [0, 0]
    half = play(state, "84 30")
    assert points(half) == [114, 0]
    done = play(half, "2 1 0 7 4 84 31 2 0 0 5 3")
    assert done.termination == COUNTED
    assert told(done) == [
        ("orange", 84, ""),
        ("green", 30, ""),
        ("stored", 2, "2 × 1"),
        ("marble", 1, "1 × 1"),
        ("cards", 2, "7 ÷ 3"),
    ]
    assert points(done) == [119, 118]
    assert greens(done) == (30, 31)
    assert SCORING.parts_over(done) == 0
    assert {one.part for one in SCORING.bookings(done)} == {0}


@pytest.mark.parametrize(("a", "b", "first", "why"), [
    ("80,30,2,0,0,3,6", "79,30,2,0,0,3,9", (0,), []),
    ("80,30,2,0,0,3,6", "80,30,2,0,0,3,7", (1,), ["empty"]),
    ("80,30,2,0,0,3,6", "81,29,2,0,0,3,6", (1,), ["empty", "green"]),
    ("80,30,2,0,0,4,6", "80,30,2,0,0,3,6", (1,), ["empty", "green", "hand"]),
    ("80,30,2,0,0,3,6", "80,30,1,1,0,3,6", (0, 1), ["empty", "green", "hand"]),
])  # fmt: skip
def test_ct_7_4_positions_are_ranked(a, b, first, why):
    """Orange, green, storage, marble, workers, cards, empty spaces of two seats; what they are level in."""
    copy = "draw=2 farms=4 outline=5.5 storage=2 boards=- bonus=- cards=- yields=-"
    state = GAME.position.read(f"seats=2 {copy} level=score counted.a={a} counted.b={b}")
    best = SCORING.ranking(state)[0]
    assert (best.seats, [tie.name for tie in best.ties]) == (first, why)


@pytest.mark.parametrize("level", [Level.FULL, Level.SCORE])
def test_a_match_counts_in_what_it_can_score_in(level):
    counted = SCORING.counted(start(2, level))
    assert set(counted) < set(SCORING.CATEGORIES)
    assert counted[-4:] == ("stored", "marble", "workers", "cards")
    assert ("orange" in counted) == (level is Level.SCORE)
    assert ("areas" in counted) == (level is Level.FULL)
