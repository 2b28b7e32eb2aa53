"""Where a cursor starts: by habit, whatever it is worth."""

import pytest

from engines.contract import Choice
from tests.engines.san_gimignano.table import GAME, at, play, tokens


def ranked(state):
    """Return what is legal, the likeliest first."""
    return sorted(GAME.rules.legal(state), key=lambda choice: GAME.rules.likely(state, choice))


@pytest.mark.parametrize(("seat", "built"), [("a", "B 10x3"), ("b", "pass, B 10x3")])
def test_a_cursor_comes_to_the_other_player_s_towers_first(seat, built):
    state = at("a=7x3 b=8x3 marker=a market=6,9 hand.a=10,10,10,?2 hand.b=10,10,10,?2")
    for step in built.split(", "):
        state = play(state, step)
    state = GAME.rules.apply(state, Choice("donazione", "use"))
    first = {token: GAME.rules.likely(state, Choice("target", token)) for token in tokens(state)}
    assert first == {"a7x3": int(seat == "a"), "b8x3": int(seat == "b")}
    assert GAME.rules.likely(state, Choice("donazione", "use")) == 0


def test_who_cannot_purchase_builds():
    assert ranked(at("market=5 hand.a=?5 hand.b=?5"))[0].token == "P"
    assert ranked(at("market=5 hand.a=?7 hand.b=?5"))[0].token == "B"


def test_of_plain_towers_the_highest_comes_first():
    state = GAME.rules.apply(at("market=5 hand.a=?7 hand.b=?5"), Choice("action", "B"))
    assert [choice.token for choice in ranked(state)][:3] == ["10", "9", "8"]
