"""Setting up (MK-1.5)."""

from __future__ import annotations

from tests.engines.marrakesh.lines import GAME, answer, setup


def test_what_is_left_in_the_bag_goes_by_itself():
    """Four draw two each of eight: the last player's last keshi is told by the others."""
    state = GAME.rules.start(setup(4))
    for token in "tgkwybp":
        assert GAME.rules.pending(state).question == "stock"
        state = GAME.rules.apply(state, answer(state, token))
    assert [side.stock.replace("-", "") for side in state.sides] == ["tg", "kw", "yb", "pr"]
    assert GAME.rules.pending(state).question == "turn_up"
