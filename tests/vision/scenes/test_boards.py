"""The positions are real: played by the engine, one turn apart, or provably out of step."""

from __future__ import annotations

from random import Random

import pytest

from engines import notation
from engines.contract import OutOfStep
from engines.kit.rulebook import question
from engines.torres import layouts
from tests.vision.scenes.boards import COLOURS, GAME, SPOILERS, described, meaning, position

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


def test_a_turn_is_five_points_and_three_blocks_at_most():
    for number in NUMBERS:
        made = played(number)
        more = sum(made.seen.heights) - sum(made.state.ground.heights)
        assert 0 <= more <= 3
        assert len(made.turn) <= 5


def test_boards_are_early_and_late_low_and_high():
    made = [played(number) for number in range(60)]
    assert {one.state.phase for one in made} == {1, 2, 3}
    tallest = [max(one.seen.heights) for one in made]
    assert min(tallest) <= 2
    assert max(tallest) >= 7


def test_every_way_to_spoil_a_board_is_used():
    left = {spoiler.__name__ for spoiler in SPOILERS}
    for number in range(40):
        made = played(number)
        for spoiler in SPOILERS:
            changed = spoiler(made.state, made.seen, Random(number))
            if changed and changed != made.seen and isinstance(meaning(made.state, changed), OutOfStep):
                left.discard(spoiler.__name__)
    assert not left


def test_a_described_layout_names_rows_from_the_north_and_pieces_by_colour():
    seen = layouts.read("2..1//..1..1/.......1/1/..1..1//....1 a=d1,e2 b=c3 king=h4")
    told = described(seen, COLOURS)
    assert told["heights"][0] == [2, 0, 0, 1, 0, 0, 0, 0]
    assert told["heights"][3] == [0] * 7 + [1]
    assert told["pieces"] == {"h4": "king", "d1": "red", "e2": "red", "c3": "blue"}


def test_the_same_number_makes_the_same_position():
    one, other = played(3), played(3)
    assert (one.seen, one.turn, GAME.position.write(one.state)) == (
        other.seen,
        other.turn,
        GAME.position.write(other.state),
    )
