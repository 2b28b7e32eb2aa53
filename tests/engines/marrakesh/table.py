"""Tables set by hand: a sample's copy, and what lies before the first of two players."""

from __future__ import annotations

from msgspec.structs import replace

from engines.facts import sample
from engines.marrakesh.facts import SCHEMA, printing
from engines.marrakesh.keshis import keshis
from engines.marrakesh.state import Side, State, Variant

COPY = printing(sample(SCHEMA))
"""Every tile of it is known."""


def told(**facts):
    """The sample with other ``facts``; ``__`` stands for the point in a name, None for what is unknown."""
    known = dict(COPY.known)
    for name, value in facts.items():
        known[name.replace("__", ".")] = value
    return replace(COPY, known=tuple(pair for pair in known.items() if pair[1] is not None))


def before(*, board=None, **fields):
    """A side whose ``board`` counts keshis by colour."""
    return Side(board=keshis(board or {}), **fields)


def table(side, *others, copy=COPY, **fields):
    """A state in which the first seat, with this side, is asked."""
    sides = (side, *(others or (Side(),)))
    fields = {"variant": Variant(len(sides)), "adjusted": (0,) * len(sides)} | fields
    return State(copy=copy, sides=sides, **fields)
