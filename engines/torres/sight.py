"""A camera's sight: the board, and the turn that leads from one board to another."""

from __future__ import annotations

from engines.contract import Choice, Interpretation
from engines.torres.action_cards import BOTTOM, TOP
from engines.torres.layouts import NAME, Layout, board, differences, of, read
from engines.torres.state import State
from engines.torres.turns import END, SCORES, STACKS

__all__ = ["NAME", "board", "differences", "explain", "of", "read", "visible"]

_UNSEEN = frozenset({"leave", "starter", "final_phase"})
_UNSEEN_ACTIONS = frozenset({TOP, BOTTOM, *SCORES, END, STACKS})
_UNSEEN_CARDS = frozenset({"ap6", "ap7"})


def visible(choice: Choice) -> bool:
    """Return True for choices that move blocks, knights or the king."""
    if choice.question == "action":
        return choice.token not in _UNSEEN_ACTIONS
    if choice.question == "card":
        return choice.token not in _UNSEEN_CARDS
    return choice.question not in _UNSEEN and not choice.question.startswith(("track", "master"))


def explain(state: State, seen: Layout) -> Interpretation | None:
    """Explain a board with :mod:`engines.torres.reading`, which only a table with a camera imports."""
    from engines.torres import reading  # noqa: PLC0415

    return reading.explain(state, seen)
