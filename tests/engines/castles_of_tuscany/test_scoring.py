"""Both tracks, what is left over, and who wins (CT-7)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.castles_of_tuscany.state import COUNTED, FINISHED, Gain
from engines.contract import ADJUSTMENT, Level, totals
from tests.engines.castles_of_tuscany.sitting import GAME, RULES, having, play, seated, start

SCORING = GAME.scoring
TEN, TWENTY = Gain(1, "areas", 10, "b1"), Gain(2, "areas", 10, "d1")


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


def test_ct_7_2_the_green_total_is_added_at_the_end_of_each_round_and_not_reset():
    """Green 10 after round 1: orange 10; green 20 after round 2: orange 30."""
    first = having(seated(), gains=(TEN,))
    assert (points(first), greens(first), SCORING.parts_over(first)) == ([0, 0], (10, 0), 0)
    second = replace(first, round=2)
    assert (points(second), greens(second), SCORING.parts_over(second)) == ([10, 0], (10, 0), 1)
    second = having(second, gains=(TEN, TWENTY))
    assert (points(second), greens(second)) == ([10, 0], (20, 0))
    third = replace(second, round=3)
    assert (points(third), greens(third), SCORING.parts_over(third)) == ([30, 0], (20, 0), 2)
    ended = having(over(third), hand=0)
    assert (points(ended), greens(ended), SCORING.parts_over(ended)) == ([50, 1], (20, 0), 3)


def test_ct_7_1_what_shows_the_orange_track_counts_there_at_once_and_once():
    reward = Gain(1, "yields", 3, "o3", orange=True)
    state = having(seated(), gains=(reward, Gain(1, "inns", 2, "points", orange=True)))
    assert (points(state), greens(state)) == ([5, 0], (0, 0))
    assert told(state) == [("yields", 3, "yield card 3"), ("inns", 2, "wild hex 2")]
    assert points(replace(state, round=3)) == [5, 0]


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


def test_a_tile_placed_at_the_table_is_booked_with_its_space_once_the_round_is_over():
    """The quarries on c5 and c6 are all of the region: 3 VP, and the 6 of side 1."""
    state = having(seated(), filled="c4", stored="q", hand=5)
    assert greens(play(state, "Pc5 q cc")) == (0, 0)
    after = play(having(state, filled="c6", stored="q"), "Pc5 q cc")
    assert greens(after) == (9, 0)
    assert told(after) == []
    assert told(replace(after, round=2)) == [("areas", 3, "c5 quarry 3"), ("bonus", 6, "all quarry 6")]


def test_ct_7_3_what_is_left_over_scores_after_round_3():
    state = having(seated(), stored="v w", marble=1, workers=3, hand=8)
    assert points(state) == [0, 0]
    assert points(replace(state, round=3)) == [0, 0]
    assert told(over(state), part=3) == [
        ("stored", 2, "village, wild hex"),
        ("marble", 1, "1 × 1"),
        ("workers", 3, "3 × 1"),
        ("cards", 2, "8 ÷ 3"),
    ]
    assert told(having(over(state), hand=2))[-1] == ("workers", 3, "3 × 1")


def test_points_given_by_hand_count():
    state = RULES.adjust(having(replace(seated(), round=2), gains=(TEN,)), 1, 12)
    assert points(state) == [10, 12]
    assert [place.seats for place in SCORING.ranking(state)] == [(1,), (0,)]
    assert SCORING.bookings(state)[-1].category == ADJUSTMENT
    assert greens(state) == (10, 0)


# CT-7.4, step by step


def ended(seats, *sides):
    """A match that is over: (empty spaces, green, cards, orange besides) by seat."""
    state = over(seated(seats))
    for seat, (empty, green, hand, orange) in enumerate(sides):
        gains = (Gain(3, "areas", green, "b1"), Gain(3, "yields", orange, "o1", orange=True))
        filled = (1 << 30 - empty) - 1
        fields = {"gains": gains, "hand": hand, "marble": 0, "workers": 0, "squares": 0}
        state = having(replace(state, sides=state.sides), seat, **fields)
        side = replace(state.sides[seat], filled=filled)
        state = replace(state, sides=(*state.sides[:seat], side, *state.sides[seat + 1 :]))
    return state


def ranked(state):
    return [
        (place.number, place.seats, [(tie.name, tie.figures) for tie in place.ties])
        for place in SCORING.ranking(state)
    ]


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


def test_told_figures_break_ties():
    level = play(start(2, Level.SCORE), "84 30 0 0 0 1 4  83 31 0 0 0 0 4")
    assert ranked(level)[0] == (1, (0,), [("empty", ((0, 4), (1, 4))), ("green", ((0, 30), (1, 31)))])
    cards = play(start(2, Level.SCORE), "84 30 0 0 0 1 4  84 30 0 0 0 0 4")
    assert ranked(cards)[0][1] == (1,)


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
