"""Notes of what happens while a step is applied, for whoever wants to tell it: states only say where it led.

An effect notes what moves; nobody hears of it but within :func:`heard`. States and what is legal never
depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_NOTES: ContextVar[list[Any] | None] = ContextVar("notes", default=None)


def note(what: Any) -> None:
    """Keep what happens for whoever listens, in the game's own words."""
    notes = _NOTES.get()
    if notes is not None:
        notes.append(what)


@contextmanager
def heard() -> Iterator[list[Any]]:
    """Collect what is noted within; an outer listener does not hear it."""
    notes: list[Any] = []
    token = _NOTES.set(notes)
    try:
        yield notes
    finally:
        _NOTES.reset(token)


def unheard(tried: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what ``tried`` returns; nobody hears what it notes, for it only tries what could happen."""
    if _NOTES.get() is None:
        return tried(*args, **kwargs)
    with heard():
        return tried(*args, **kwargs)
