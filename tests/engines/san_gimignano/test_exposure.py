"""What lets somebody see what was hidden: no undo takes it back. And what is known for certain."""

import pytest

from tests.engines.san_gimignano.table import GAME, LATE, answer, at

OPEN = "market=6 hand.a=?5 hand.b=?5"
NINE = "market=6 hand.a=?2 a=9x3 marker=a"
DOING = "doing=donazione:n3:p-:t9x3:s-:new"


@pytest.mark.parametrize(
    ("position", "path", "token", "exposes"),
    [
        ("market=6,8 hand.a=?2", "P", "d", True),
        ("market=6,8 hand.a=?2", "P", "m6", False),
        ("market=6,8 hand.a=?2 deck=7,?40", "P", "d", False),  # a destroyed tower's card: all saw it
        ("level=table market=6,8 hand.a=?2 deck=7,?40", "P", "d2", True),
        (f"{LATE} market=6,8 hand.a=?5 hand.b=?8 deck=?0,5", "P", "d", False),  # the Guard's 5
        ("market=- hand.a=?5 hand.b=?5 doing=market:n4:p-:t-:s-:new", "", "8", True),
        (OPEN, "", "B", False),
        ("market=6 hand.a=?5 hand.b=?5 shared=8,8", "B 8", "x3", False),  # shown by its owner
        (f"{NINE} hand.b=?3 {DOING}", "", "use", False),  # a Guard may still stop it
        (f"{NINE} hand.b=8,9 {DOING}", "", "use", True),
        (f"{NINE} hand.b=8,9 {DOING}", "", "decline", False),
        (f"{NINE} hand.b=?3 doing=guard:n3:p-:t-:sb:new", "", "allow", True),
        (f"{NINE} hand.b=?3 doing=guard:n3:p-:t-:sb:new", "", "guard", False),
        ("market=6 hand.a=?2 b=8x3 marker=b doing=guard:n0:p-:t8x3:sb:new hand.b=?3", "", "allow", False),
        ("donazione=must market=6 hand.a=9,9,9,?2 hand.b=8,8", "B 9", "x3", True),
        # The advanced game, and several deals
        (f"{OPEN} nobles=?10", "P", "n", True),
        (f"{LATE} market=8 hand.a=?3 hand.b=?10 deck=?0,?,? nobles=?10", "P", "d", True),
        (f"{OPEN} nobles.b=?2 a=9x3 marker=a doing=guard:n3:p-:t-:sb:new", "", "allow", False),
        (f"{OPEN} nobles.b=?2 a=9x3 marker=a doing=traded:n3:p-:t9x3:s-:new", "", "n1", True),
        (f"{OPEN} nobles.a=?2 a=9x3 marker=a doing=returned:n2:p-:t9x3:s-:open", "", "n1", True),
        ("market=5 passes=1 deals=2", "", "pass", False),
        ("market=5 passes=2 deals=2 doing=deal:n0:p-:t-:s-:new", "", "deal", True),
    ],
)
def test_what_exposes(position, path, token, exposes):
    state = at(position, path)
    choice = answer(state, token)
    assert GAME.rules.why_not(state, choice) is None
    assert GAME.rules.exposes(state, choice) is exposes
