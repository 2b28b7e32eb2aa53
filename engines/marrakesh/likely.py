"""The answer that a cursor comes to first, by habit, whatever it is worth; and what declines for free."""

from __future__ import annotations

from engines import bags
from engines.contract import Choice, Label
from engines.marrakesh.book import BOOK
from engines.marrakesh.claiming import free
from engines.marrakesh.keshis import LETTERS
from engines.marrakesh.medina import is_won
from engines.marrakesh.sahara import FREE
from engines.marrakesh.scoring import RETURNED
from engines.marrakesh.state import State

_LAST = ("done", "none", "no")
"""What ends or declines."""


@BOOK.method
def likely(state: State, choice: Choice) -> int:
    """Rank answers by habit.

    Two keshis are claimed where two can be, scrolls are bought before others are turned up, as many resources
    as count are returned, and what ends or declines comes last. All choices of another question are alike.
    """
    token = choice.token
    if token in _LAST or token.endswith(".leave"):
        return 2
    if choice.question == "claim" and token[0] == "1":
        kind = LETTERS.index(token[1])
        return int(bags.count(state.tray, kind) > 1 and free(state.own, kind) > 1)
    if choice.question == "returned":
        return RETURNED - int(token)
    return int(token.startswith("turn_"))


_DECLINED = {
    "learn": "none",
    "sector": "none",
    "give_back": "none",
    "oasis_number": "none",
    "oasis": "done",
    "good": "none",
    "workshop": "done",
}
"""Questions about what is offered free, and the answer that lets it go."""


@BOOK.method
def gives_up(state: State, choice: Choice) -> Label | None:
    """Ask once more before something won is not taken: a scroll, an action, an exchange, an oasis (MK-12.4,
    MK-14.5, MK-15.2), a luxury good, a gate.
    """
    question, token, frame = choice.question, choice.token, state.frames[-1]
    paid = question in ("oasis", "good") and frame.what != FREE
    paid |= question == "workshop" and not is_won(frame)
    return None if paid or _DECLINED.get(question) != token else Label(f"gives_up.{question}")
