"""What a refusal advises is what somebody can have."""

import pytest

from tests.engines.torres.table import GAME, answer, at, turn

FAR = "a=a1 b=f6 king=h4"


@pytest.mark.parametrize(
    ("position", "path", "token", "remedy"),
    [
        # An action card may give one point or two more, unless one was played already or that one was.
        (turn(left=0, deck_a=9), "", "Bd3", "more.either"),
        (turn(left=0, deck_a=8, played_a="ap6"), "", "Bd3", "more.ap7"),
        (turn(left=0, deck_a=8, played_a="ap7"), "", "Bd3", "more.ap6"),
        (turn(left=0, deck_a=8, played_a="jump", carded="yes", stacks="3-3-2-2"), "", "Bd3", None),
        (turn(left=0, stacks="3-3-2-2"), "", "Mc3", None),
        (turn(left=0, deck_a=9), "", "N", "more.ap7"),
        (turn(left=1, deck_a=9), "", "N", "more.either"),
        # Nobody ever has more than seven.
        (turn(pieces=FAR, deck_a=9), "Ma1", "d5", "more.either"),
        (turn(pieces=FAR, deck_a=9), "Ma1", "h3", "more.ap7"),
        (turn(pieces=FAR, deck_a=9), "Ma1", "h5", None),
        (turn(left=3, deck_a=9), "", "S4", "more.either"),
        (turn(left=3), "", "S4", "steps.fewer"),
        (turn(left=0, stacks="3-3-2-2"), "", "S1", None),
    ],
)  # fmt: skip
def test_more_action_points_are_advised_where_somebody_can_have_them(position, path, token, remedy):
    state = at(position, path)
    assert dict(GAME.rules.why_not(state, answer(state, token)).figures).get("remedy") == remedy
