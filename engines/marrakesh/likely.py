"""Where a cursor comes first: by habit, whatever it is worth."""

from __future__ import annotations

from engines.contract import Choice
from engines.marrakesh.book import BOOK
from engines.marrakesh.state import State

_LAST = ("done", "none", "no")
"""What ends or declines."""


@BOOK.method
def likely(state: State, choice: Choice) -> int:
    """Two keshis are claimed before one, scrolls are bought before others are turned up, and what ends or
    declines comes last. All choices of another question are alike.
    """
    token = choice.token
    if token in _LAST or token.endswith(".leave"):
        return 2
    return int((choice.question == "claim" and token[0] == "1") or token.startswith("turn_"))
