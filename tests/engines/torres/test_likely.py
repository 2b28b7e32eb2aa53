"""Where a cursor comes first: blocks near the own knights, the way up, the end of the turn last."""

import pytest

from engines.contract import Choice
from tests.engines.torres.table import GAME, at, turn

STAND = turn("d3=2 c4=1 b4=1", "a=c3,f5 b=a5 king=h4", left=3)
"""Knights of a on c3, level 1, in a castle with d3, c4 and b4, and on f5, level 0, beside f6."""


def rank(state, question, token):
    return GAME.rules.likely(state, Choice(question, token))


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("Bc4", 0),  # beside c3, on its level
        ("Bf4", 0),  # beside f5, on its level, though not in an own castle
        ("Bd3", 2),  # beside c3, but higher already
        ("Bc2", 1),  # beside c3, but lower: it widens the castle
        ("Ba4", 1),
        ("Bb4", 2),
        ("Bd1", 3),
        ("Bf6", 3),  # f5 stands beside that castle, not in it
    ],
)
def test_blocks_near_the_own_knights(token, expected):
    assert rank(at(STAND), "action", token) == expected


def test_the_card_places_its_block_alike():
    state = at(turn("d3=2 c4=1 b4=1", "a=c3,f5 b=a5 king=h4", deck_a=9), "card block")
    assert [rank(state, "block", cell) for cell in ("c4", "c2", "b4", "d1")] == [0, 1, 2, 3]


def test_knights_go_up_and_on_one_level_to_other_castles():
    state = at(STAND, "Mc3")
    order = sorted(("c2", "f6", "d3", "e6", "c4"), key=lambda cell: rank(state, "to", cell))
    assert order == ["d3", "f6", "c4", "e6", "c2"]  # f6 is no own castle; e6 is not beside one
    assert rank(state, "place", "d3") < rank(state, "place", "c4") < rank(state, "place", "c2")
    assert rank(state, "leap_to", "d3") < rank(state, "leap_to", "c4")
    assert rank(state, "move_to", "d3") == rank(state, "move_to", "c4") == 0  # there a block goes


def test_the_end_of_the_turn_comes_last_while_points_are_left_and_then_first():
    some, none = at(STAND), at(turn(left=0, deck_a=9))
    for token in ("end", "stacks"):
        assert rank(some, "action", token) > rank(some, "action", "Ttop") == 0
        assert rank(none, "action", token) == 0 < rank(none, "action", "card")
