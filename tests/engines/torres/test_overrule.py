"""What people may do against the rules: illegal choices that stand, points by hand, a hand told."""

import pytest

from engines.errors import Impossible, Malformed
from tests.engines.torres.table import (
    GAME,
    answer,
    at,
    play,
    start,
    turn,
)


def test_a_block_beyond_the_last_is_impossible():
    """TO-1.1: own stacks and supply are empty."""
    spare = turn("c3=10 d3=12 d4=12 c4=12 d5=12 e5=11", stacks="0-0-0-0", waived="TO-3.7",
                 **{"stacks.b": "3-3-3-3"})  # fmt: skip
    state = at(spare)
    assert state.supply() == 4
    for cell in ("Bh8", "Bg8", "Bh7", "Bg7"):
        refusal = GAME.rules.why_not(state, answer(state, cell))
        assert refusal.check == "block.stack"
        state = GAME.rules.overrule(state, answer(state, cell), refusal.clause)
    assert state.supply() == 0
    state = at(GAME.position.write(state))
    choice = answer(state, "Bf8")
    with pytest.raises(Impossible):
        GAME.rules.overrule(state, choice, GAME.rules.why_not(state, choice).clause)


def test_a_clause_waived_is_passed_over_and_others_are_not():
    text = turn("d1=2", waived="TO-3.7")
    assert GAME.position.status(text) == []
    assert [p.check for p in GAME.position.status(text.replace("TO-3.7", "TO-3.6"))] == ["layout.height"]
    assert [p.check for p in GAME.position.status(turn(pieces="a=c3 b=c3 king=h4", waived="TO-1.8"))] == [
        "layout.two"
    ]


# Points by hand


def test_the_track_knows_points_by_hand():
    """Seat b was moved to 2: a's second score step goes past it (TO-3.11)."""
    state = play(GAME.rules.adjust(at(turn()), 1, 2), "S 2")
    assert state.totals() == [3, 2]


def test_two_markers_may_share_a_space_by_hand_alone():
    state = GAME.rules.adjust(play(at(turn()), "S 2"), 1, 2)
    assert state.totals() == [2, 2]
    assert GAME.position.status(GAME.position.write(state)) == []
    text = turn(points_a="s2/-/-", points_b="s2/-/-")
    assert [p.check for p in GAME.position.status(text)] == ["position.track"]


def test_they_still_may_once_the_points_by_hand_are_taken_back():
    state = at(turn(points_a="s2/-/-", points_b="s2/-/-", adjusted="0,1"))
    state = GAME.rules.adjust(state, 1, -1)
    assert (state.totals(), state.adjusted) == ([2, 2], (0, 0))
    assert GAME.position.status(GAME.position.write(state)) == []


# A hand told by its player


@pytest.mark.parametrize("held", ["ap7", "ap7,jump", "+ap7,+jump", "ap7,+ap7", "ap7,+trump", "ap6,+jump", ""])
def test_a_hand_that_cannot_be(held):
    state = at(turn(deck_a=7, fresh=1, left=4, played_a="ap6"))
    with pytest.raises(Malformed):
        GAME.rules.legal_for(state, 0, held)


def test_the_start_has_nothing_to_tell():
    assert GAME.rules.legal_for(start(), 0, "-") == GAME.rules.legal(start())
