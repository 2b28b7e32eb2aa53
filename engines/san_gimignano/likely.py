"""The answer that a cursor starts at: by habit and by what everybody sees, whatever it is worth."""

from __future__ import annotations

from engines.contract import Choice
from engines.san_gimignano.book import BOOK
from engines.san_gimignano.cards import HIGH, read_owned
from engines.san_gimignano.state import State
from engines.san_gimignano.turns import BUILD, PURCHASE

_ACTIONS = {PURCHASE: 0, BUILD: 1}


@BOOK.method
def likely(state: State, choice: Choice) -> int:
    """Rank answers by habit.

    Who cannot purchase builds; of plain towers the highest rank comes first; the other player's towers come
    before one's own. All choices of another question are alike.
    """
    asked, token = choice.question, choice.token
    if asked == "action":
        return _ACTIONS.get(token, len(_ACTIONS))
    if asked == "build":
        return HIGH - int(token) if token.isdecimal() else HIGH
    owned = read_owned(token) if asked == "target" else None
    return int(owned is not None and owned[0] == state.seat)
