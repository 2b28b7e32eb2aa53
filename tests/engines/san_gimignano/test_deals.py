"""SG-10: several deals in one match."""

from random import Random

import pytest

from engines.contract import Level, Setup
from engines.errors import BadPosition
from engines.san_gimignano import scoring
from tests.engines.san_gimignano.table import GAME, at, play
from tests.engines.san_gimignano.truth import scores
from tests.engines.walks import seed, walk

NOBLES = (("nobles", "yes"),)
SETUPS = [
    Setup(),
    Setup(options=NOBLES),
    Setup(start=1, options=(*NOBLES, ("pietra_guard", "yes"), ("donazione", "must"), ("deals", "2"))),
    Setup(level=Level.TABLE, options=(*NOBLES, ("pietra_guard", "yes"))),
    Setup(level=Level.SCORE),
    Setup(level=Level.SCORE, options=(*NOBLES, ("deals", "2"))),
]
CLOSED = "market=5 a=5-7*,5-7*,6-8*,6x3* closer=a phase=ending passes=1"
"""20 by completion, 6 for the rank and 27 by colourful towers: 53 and what a test adds."""


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


@pytest.mark.parametrize(
    "text",
    [
        "deals=100",
        "deals=target",
        "deals=2 target=60",
        "deals=2 dealer=-",
        "deals=2 past=8x3",
        "deals=2 past=8x3;-;a;-;-",
        "deals=2 past=8x3;-;a;-;5;-",
        "adjusted=5,x",
    ],
)
def test_what_cannot_be_read(text):
    with pytest.raises(BadPosition) as caught:
        GAME.position.status(f"market=5 {text}")
    assert str(caught.value).startswith("position")


def test_points_agree_with_an_independent_count():
    """SG-8, SG-9 and SG-10.2, over whole random matches."""
    for number in range(seed(), seed() + 12):
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
