"""The shell of a position text: a line of ``name=value`` fields, without those at their usual values.

A game defines the fields, the form of each, and the faults that the resulting state can have::

    def parse(text):
        fields = Fields(given(text), USUAL)
        return State(market=fields.read("market", cards), …)

    def read(text):
        return standing(parse(text), problems)

A function that reads a value raises :class:`engines.errors.Malformed`; :meth:`Fields.read` names the field.
Everything here raises :class:`engines.errors.BadPosition`, in one line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from engines.contract import SEATS, Option, Problem
from engines.errors import BadPosition, Malformed, nearest
from engines.kit import forms
from engines.kit.forms import Form, named

S = TypeVar("S")
T = TypeVar("T")


# Writing


def joined(*parts: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of all ``parts``, in order; raises ValueError for a name in two of them, for example
    an option with the name of something on the board.
    """
    found: dict[str, str] = {}
    for part in parts:
        for name in part:
            if name in found:
                raise ValueError(f"two fields of a position are named {name!r}")
        found |= part
    return found


def line(fields: Mapping[str, str], usual: Mapping[str, str], always: Collection[str]) -> str:
    """Return the line of these fields; it leaves out ``usual`` values except those of ``always``."""
    kept = [f"{name}={value}" for name, value in fields.items() if name in always or value != usual[name]]
    return " ".join(kept)


# Reading


def given(text: str) -> dict[str, str]:
    """Return the fields that a line names, in order."""
    found: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals:
            raise BadPosition("position: {word!r} is not a field like name=value", word=word)
        if name in found:
            raise BadPosition(
                "position: {name} is there twice, as {a!r} and {b!r}", name=name, a=found[name], b=value
            )
        found[name] = value
    return found


class Fields:
    """The fields of a line, read one by one."""

    def __init__(self, told: Mapping[str, str], usual: Mapping[str, str]) -> None:
        """Keep the fields ``told``, and the ``usual`` values of all others; refuse an unknown field."""
        for name in told:
            if name not in usual:
                if near := nearest(name, usual):
                    raise BadPosition(
                        "position: no field {name!r}; did you mean {near}?", name=name, near=near
                    )
                fields = ", ".join(usual)
                raise BadPosition(
                    "position: no field {name!r}; fields are {fields}", name=name, fields=fields
                )
        self.told = told
        self._values = {**usual, **told}

    def __getitem__(self, name: str) -> str:
        """Return the text of the field."""
        return self._values[name]

    def read(self, name: str, read: Callable[[str], T]) -> T:
        """Return the field, read by ``read``."""
        try:
            return read(self[name])
        except Malformed as error:
            raise BadPosition("position: {name}: {why}", name=name, why=error) from error

    def all(self, forms: Mapping[str, Form], seats: int = 0, behind: str = "") -> dict[str, Any]:
        """Return the values that :func:`written` wrote with these forms, by attribute."""
        found: dict[str, Any] = {}
        for name, form in forms.items():
            if form.by_seat:
                each = (named(name, letter) for letter in SEATS[:seats])
                found[form.attribute or name] = tuple([self.read(one, form.read) for one in each])
            else:
                found[form.attribute or name] = self.read(name + behind, form.read)
        return found

    @staticmethod
    def seats(told: Mapping[str, str]) -> int:
        """Return the number of seats that a line tells, 2 by default."""
        seats: int = Fields(told, {"seats": "2"} | dict(told)).read("seats", forms.number(2, len(SEATS)).read)
        return seats

    def options(self, declared: Iterable[Option]) -> dict[str, str]:
        """Return the value of each of these options by name."""
        return {each.name: self.read(each.name, forms.word(*each.values).read) for each in declared}


def standing(state: S, problems: Callable[[S], Sequence[Problem]]) -> S:
    """Return the state; raises BadPosition if it has ``problems``."""
    if found := problems(state):
        first = found[0]
        figures = ", ".join(f"{name} {value}" for name, value in first.figures)
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        said = f"{first.check} ({first.clause}){': ' if figures else ''}{figures}{more}"
        raise BadPosition(f"position, {first.where}: {said}", found)
    return state
