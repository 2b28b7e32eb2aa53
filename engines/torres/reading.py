"""The turn between two boards: what a camera saw, read as steps of the seat to move.

A turn changes little: a few blocks lie where none lay, a few knights stand elsewhere. From that difference
follow the few sets of visible actions that make it (:mod:`.reading_plans`); a search finds the cheapest order
in which the rules allow them, walks in between included (:mod:`.reading_search`); and the engine itself plays
what was found (:mod:`.reading_steps`), so that no explanation is ever illegal. Action cards count only where
nothing without one explains the board (TO-3.9).

What leaves no trace is not part of an explanation: cards taken, score steps, a block put down and moved again
for no gain. Nor is the stack that blocks came from: it is settled when the turn ends, and until people say
otherwise the smallest that suffices goes (:func:`.stacks.results`).
"""

from __future__ import annotations

from engines.contract import Exact, Interpretation, Several
from engines.torres.layout import Layout
from engines.torres.reading_doubts import out_of_step
from engines.torres.reading_turns import DOUBTS, Reader
from engines.torres.state import State


def explain(state: State, seen: Layout) -> Interpretation | None:
    """How the seat to move can have come from ``state`` to ``seen`` in what is left of its turn.

    None where no turn is being played: then a single step says it all.
    """
    if state.frames or state.termination:
        return None
    reader = Reader(state)
    turns = reader.turns(seen)
    if len(turns) == 1:
        return Exact(turns[0].choices)
    if turns:
        return Several(tuple(turn.choices for turn in turns))
    return out_of_step(Reader(state, DOUBTS), seen)
