"""Notes of what happens while a step is applied, for its telling: a state shows only the result.

An effect notes what moves; only :func:`heard` collects the notes. States and legal answers never depend on
them.
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
    """Note what happens, in the game's own terms, if somebody listens."""
    notes = _NOTES.get()
    if notes is not None:
        notes.append(what)


@contextmanager
def heard() -> Iterator[list[Any]]:
    """Collect the notes made within; an outer listener does not hear them."""
    notes: list[Any] = []
    token = _NOTES.set(notes)
    try:
        yield notes
    finally:
        _NOTES.reset(token)


def unheard(tried: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of ``tried`` and drop its notes, because it only tries what could happen."""
    if _NOTES.get() is None:
        return tried(*args, **kwargs)
    with heard():
        return tried(*args, **kwargs)
