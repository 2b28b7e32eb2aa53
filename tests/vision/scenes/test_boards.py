"""The positions are real: played by the engine, one turn apart, or provably out of step."""

from __future__ import annotations

from random import Random

import pytest

from engines import notation
from engines.contract import OutOfStep
from engines.kit.rulebook import question
from engines.torres import layouts
from tests.vision.scenes.boards import GAME, meaning, position

pytestmark = pytest.mark.pictures

NUMBERS = range(25)


def played(number: int, illegal: bool = False):
    return position(Random(f"test {number}"), illegal)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_turn_as_written_leads_to_what_is_seen(number):
    made = played(number)
    state = made.state
    assert [*layouts.status(layouts.of(state))] == []
    assert question(state) == "action"
    assert state.left == 5
    for step in made.turn:
        assert step[0] in "BMN", f"{step} is no ordinary action that shows"
        _, state = notation.read(GAME, state, step)
    assert layouts.of(state) == made.seen
    assert made.seen != layouts.of(made.state)
    assert state.seat == made.state.seat


@pytest.mark.parametrize("number", NUMBERS)
def test_the_engine_explains_a_legal_board_and_no_other(number):
    assert not isinstance(meaning(played(number).state, played(number).seen), OutOfStep)
    spoilt = played(number, illegal=True)
    assert not spoilt.legal
    assert spoilt.turn == ()
    assert isinstance(meaning(spoilt.state, spoilt.seen), OutOfStep)
