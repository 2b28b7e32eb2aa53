"""SG-10: several deals in one match."""

from random import Random

import pytest

from engines import matchfile
from engines.contract import Level, Report, Setup, winners
from engines.errors import BadPosition
from engines.match import Match
from engines.san_gimignano import scoring
from tests.engines.san_gimignano.table import GAME, at, field, play, tokens
from tests.engines.san_gimignano.test_overrule import SETUPS
from tests.engines.san_gimignano.truth import scores
from tests.engines.walks import seed, walk

CLOSED = "market=5 a=5-7*,5-7*,6-8*,6x3* closer=a phase=ending passes=1"
"""20 by completion, 6 for the rank and 27 by colourful towers: 53 and what a test adds."""


def totals(state):
    points = [0, 0]
    for booking in GAME.scoring.bookings(state):
        points[booking.seat] += booking.points
    return points


def test_sg_10_1_between_deals_the_table_is_asked_to_deal():
    state = play(at("market=5 hand.a=?5 hand.b=?5 a=8x3 marker=a passes=1 deals=2 dealer=a"), "pass")
    asked = GAME.rules.pending(state)
    assert isinstance(asked, Report)
    assert (asked.question, asked.open, tokens(state)) == ("deal", False, ["deal"])
    assert asked.figures == (("n", 2), ("seat", 1), ("points_a", 18), ("points_b", 0))
    assert not state.termination
    assert totals(state) == [18, 0]


def test_sg_10_1_the_deal_alternates_and_points_are_kept():
    state = play(GAME.rules.start(Setup(options=(("deals", "3"),))), "6 7 8 9")
    first = [state.seat]
    for number in (2, 3):
        state = play(state, "B 8x3", "decline", "pass", "pass", "deal", "6 7 8 9")
        first.append(state.seat)
        assert field(state, "past").count("8x3") == number - 1
        assert (field(state, "a"), field(state, "hand.a"), state.passes) == ("-", "?5", 0)
    assert first == [0, 1, 0]
    state = play(state, "B 8x3", "decline", "pass", "pass")
    assert state.termination == "deals_played"
    assert GAME.rules.pending(state).clause == "SG-10.1"
    parts = [(b.part, b.seat, b.category, b.points) for b in GAME.scoring.bookings(state)]
    assert parts == [
        (part, seat, category, points)
        for part, seat in ((1, 0), (2, 1), (3, 0))
        for category, points in (("plain", 8), ("highest", 10))
    ]
    assert winners(GAME, state) == (0,)


def test_one_deal_has_no_parts_and_ends_as_ever():
    state = play(at("market=5 a=8x3 marker=a closer=b b=5-7*,5-7*,5-7*,5-7* phase=ending passes=1"), "pass")
    assert state.termination == "double_pass"
    assert {booking.part for booking in GAME.scoring.bookings(state)} == {0}
    assert "penalty" not in {booking.category for booking in GAME.scoring.bookings(state)}


@pytest.mark.parametrize(
    ("position", "penalty"),
    [
        (f"{CLOSED} b=10x3*,9x3,8x3,7x3 marker=b deals=2", True),  # 53 to 55
        (f"{CLOSED} b=10x3*,9x3,8x3,7x3 marker=b deals=2 closer_penalty=no", False),
        (f"{CLOSED} b=10x3,9x3,8x3,7x3 marker=b deals=2", False),  # 53 to 50
        (f"{CLOSED} b=10x3*,9x3,8x3,7x3 marker=b deals=2".replace("closer=a", "closer=-"), False),
        (f"{CLOSED} b=10x3,9x3,8x3,7x3,8-10 marker=b deals=2", True),  # 53 each, and the marker decides
        (f"{CLOSED} b=10x3*,9x3*,8x3,7x3,8-10 marker=a deals=2", False),  # 63 to 53
    ],
)
def test_sg_10_2_a_closer_who_did_not_win_the_deal_loses_ten(position, penalty):
    state = play(at(position), "pass")
    booked = [b for b in GAME.scoring.bookings(state) if b.category == "penalty"]
    expected = [(0, -10, "SG-10.2", 1)] if penalty else []
    assert [(b.seat, b.points, b.clause, b.part) for b in booked] == expected


BEATEN = """market=5 a=5-7*,5-7*,5-8*,6x3* b=10x3*,9x3*,8x3*,7x3 marker=b closer=a phase=ending passes=1
    deals=target past=8x3;-;a;-;-;-"""
"""18 and 56 to 65: 74 less the closer's 10."""


@pytest.mark.parametrize(
    ("more", "over"),
    [
        ("target=65", True),
        ("target=66", False),
        ("target=74", False),
        ("target=74 closer_penalty=no", True),
        ("target=75 closer_penalty=no", False),
        ("target=74 adjusted=10,0", True),
    ],
)
def test_sg_10_1_the_target_is_checked_after_a_whole_deal_and_its_penalty(more, over):
    state = at(f"{BEATEN} {more}", "pass")
    assert state.termination == ("target_reached" if over else "")
    assert over or GAME.rules.pending(state).question == "deal"


def test_sg_10_1_equal_totals_share():
    text = "market=5 hand.a=?5 hand.b=?5 a=8x3 marker=a passes=1 deals=2 past=-;8x3;b;-;-;-"
    state = play(at(text), "pass")
    assert state.termination == "deals_played"
    assert totals(state) == [18, 18]
    assert winners(GAME, state) == (0, 1)


def test_the_level_score_asks_who_closed_and_goes_on():
    state = GAME.rules.start(Setup(level=Level.SCORE, options=(("deals", "2"), ("nobles", "yes"))))
    state = play(state, "8x4s* 5-9s7* 6-8* 8-10* . 10x5 . a a b a")
    assert GAME.rules.pending(state).question == "deal"
    assert field(state, "used.a") == "pietra,pietra,monumento"
    booked = {(b.seat, b.category): b.points for b in GAME.scoring.bookings(state)}
    assert booked[0, "monumento"] == 7
    assert booked[1, "cappella"] == 5
    assert (0, "penalty") not in booked
    state = play(state, "deal", ". . - - - -")
    assert state.termination == "deals_played"
    assert winners(GAME, state) == (0,)


def test_a_match_waits_between_deals_and_replays():
    match = Match(GAME, Setup(options=(("deals", "2"),)))
    for text in ("6 7 8 9", "B 8x3", "decline", "pass", "pass"):
        match.play(text)
    assert match.pending.question == "deal"
    assert matchfile.result(match).startswith("unfinished, a 18, b 0")
    for text in ("deal", "6 7 8 9", "pass", "pass"):
        match.play(text)
    assert matchfile.result(match) == "deals_played, a 18, b 0, won by a"
    assert [step.seat for step in match.steps][5:8] == [None, None, 1]


@pytest.mark.parametrize(
    "text",
    [
        "deals=1",
        "deals=100",
        "deals=many",
        "deals=target",
        "deals=target target=x",
        "deals=2 target=60",
        "deals=2 dealer=-",
        "deals=2 past=8x3",
        "deals=2 past=8x3;-;a;-;-",
        "deals=2 past=8x3;-;c;-;-;-",
        "deals=2 past=8x3;-;a;-;5;-",
        "adjusted=5",
        "adjusted=5,x",
        "waived=a;b",
    ],
)
def test_what_cannot_be_read(text):
    with pytest.raises(BadPosition) as caught:
        GAME.position.status(f"market=5 {text}")
    assert str(caught.value).startswith("position")


@pytest.mark.parametrize("text", ["over=deals_played passes=2", "passes=2 doing=deal:n0:p-:t-:s-:new"])
def test_a_match_of_one_deal_has_no_next(text):
    assert "position.deals" in {problem.check for problem in GAME.position.status(f"market=5 {text}")}


def test_points_agree_with_an_independent_count():
    """SG-8, SG-9 and SG-10.2, over whole random matches."""
    for number in range(seed(), seed() + 24):
        *_, last = walk(GAME, SETUPS[number % len(SETUPS)], Random(number))
        state = last.after
        played = [*state.deals.past] if state.deals else []
        for part, table in enumerate([*played, scoring.table(state)], 1 if state.deals else 0):
            counted = scores(table)
            if not state.deals:
                for mine in counted:
                    mine.pop("penalty", None)
            for seat in (0, 1):
                booked = {
                    b.category: b.points
                    for b in GAME.scoring.bookings(state)
                    if (b.seat, b.part) == (seat, part)
                }
                assert booked == {name: points for name, points in counted[seat].items() if points}
