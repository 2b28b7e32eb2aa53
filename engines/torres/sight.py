"""What a camera sees of Torres: the board, and the turn that leads from one to another."""

from __future__ import annotations

from engines.contract import Interpretation
from engines.torres.layout import NAME, SEAT, Layout, board, differences, of, read, visible
from engines.torres.state import State

__all__ = ["NAME", "SEAT", "board", "differences", "explain", "of", "read", "visible"]


def explain(state: State, seen: Layout) -> Interpretation | None:
    """See :mod:`engines.torres.reading`, which only a table with a camera needs."""
    from engines.torres import reading  # noqa: PLC0415

    return reading.explain(state, seen)
