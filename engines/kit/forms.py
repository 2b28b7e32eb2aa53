"""A position text: the forms of its fields, and the line of them.

A game defines the fields, the form of each, and the faults that the resulting state can have. The line
has a ``name=value`` for each field that is not at its usual value::

    def parse(text, facts=()):
        fields = Fields(given(text), USUAL)
        return State(market=fields.read("market", cards), …)

    read, status = reading(parse, BOOK)

A function that reads a value raises :class:`engines.errors.Malformed`; :meth:`Fields.read` names the field in
a :class:`engines.errors.BadPosition`, in one line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS, Level, Multiset, Option, Problem, Told
from engines.errors import BadPosition, Malformed, nearest
from engines.kit.rulebook import Rulebook
from engines.kit.rulebook import S as P

S = TypeVar("S")
T = TypeVar("T")

NONE = "-"
"""The sign of an empty list, of nobody and of nothing."""


def listed(words: Iterable[object], between: str = ",") -> str:
    """Write words as ``5,8,8``, or ``-`` if there are none."""
    return between.join(map(str, words)) or NONE


def words(value: str, between: str = ",") -> list[str]:
    """Return the words of a list; ``-`` has none."""
    return [] if value == NONE else value.split(between)


class Form(msgspec.Struct, frozen=True):
    """A field's text form; ``read`` raises Malformed.

    It belongs to the ``attribute`` of the value, empty for the attribute with the field's name. With
    ``by_seat`` there is a field for each seat, and the attribute has a value for each.
    """

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    attribute: str = ""
    by_seat: bool = False

    def of(self, attribute: str) -> Form:
        """Return the form for this attribute."""
        return replace(self, attribute=attribute)

    def of_seats(self, attribute: str = "") -> Form:
        """Return the form for each seat's value of this attribute."""
        return replace(self, attribute=attribute, by_seat=True)


def written(forms: Mapping[str, Form], held: object, behind: str = "") -> dict[str, str]:
    """Return the fields of a value by the names of their ``forms``, with the suffix ``behind``."""
    found: dict[str, str] = {}
    for name, form in forms.items():
        value = getattr(held, form.attribute or name)
        if form.by_seat:
            found |= {named(name, letter): form.write(one) for letter, one in zip(SEATS, value, strict=False)}
        else:
            found[name + behind] = form.write(value)
    return found


def named(name: str, letter: str) -> str:
    """Return the name of a seat's field, ``deck.a``; without a name it is the seat's letter."""
    return f"{name}.{letter}" if name else letter


def number(least: int, most: int) -> Form:
    """Return the form of a number from ``least`` to ``most``, within 0 to 9999."""

    def read(value: str) -> int:
        if not re.fullmatch(r"[0-9]{1,4}", value) or not least <= int(value) <= most:
            raise Malformed("{value!r} is not a number from {least} to {most}", value, least, most)
        return int(value)

    return Form(str, read)


def word(*allowed: str) -> Form:
    """Return the form of one of some words."""
    return Form(str, lambda value: one_of(value, allowed))


def level(*levels: Level) -> Form:
    """Return the form of one of these levels."""
    return Form(str, lambda value: Level(one_of(value, levels)))


def seat(seats: int) -> Form:
    """Return the form of one of ``seats`` seats, written as its letter."""
    return Form(SEATS.__getitem__, lambda value: SEATS.index(one_of(value, tuple(SEATS[:seats]))))


def holder(seats: int) -> Form:
    """Return the form of one of ``seats`` seats, or of nobody, -1."""
    letters = (NONE, *SEATS[:seats])
    return Form(lambda held: letters[held + 1], lambda value: letters.index(one_of(value, letters)) - 1)


def ended(*how: str) -> Form:
    """Return the form of a match's termination, empty while it goes on."""
    return Form(lambda value: value or NONE, lambda value: one_of(value, (NONE, *how)).strip(NONE))


def points(seats: int) -> Form:
    """Return the form of the points of ``seats`` seats, ``5,-3``; ``-`` if none has any."""

    def read(value: str) -> tuple[int, ...]:
        parts = words(value) or ["0"] * seats
        if len(parts) != seats or not all(re.fullmatch(r"-?[0-9]{1,6}", part) for part in parts):
            raise Malformed("{value!r} is not {n} numbers like 5,-3", value, seats)
        return tuple(map(int, parts))

    return Form(listed, read)


def several(form: Form, between: str = ",") -> Form:
    """Return the form of any number of values, each of that form."""
    return Form(
        lambda values: listed(map(form.write, values), between),
        lambda value: tuple(map(form.read, words(value, between))),
    )


def bag(kinds: str, example: str, none: str = "0") -> Form:
    """Return the form of pieces of these kinds, ``2t1g``, and of ``none``."""
    held = Multiset("", tuple(kinds), 0, bags.FULL)

    def read(value: str) -> Bag:
        if value != none and not (value != "0" and held.holds(value)):
            raise Malformed(
                "{value!r} is not 0 to {most} of {kinds} like {like}, or {none}",
                value,
                bags.FULL,
                " ".join(kinds),
                example,
                none,
            )
        return 0 if value == none else held.read(value)

    return Form(lambda there: held.write(there) if there else none, read)


def members(names: Sequence[str], between: str = ",") -> Form:
    """Return the form of a set of these names, as bits."""

    def write(bits: int) -> str:
        return listed((name for at, name in enumerate(names) if bits >> at & 1), between)

    def read(value: str) -> int:
        found = words(value, between) if between else value.strip("-")
        if len(set(found)) < len(found):
            raise Malformed("{value!r} names one twice", value)
        return sum(1 << names.index(one_of(word, names)) for word in found)

    return Form(write, read)


def numbered(most: int, digits: int = 1) -> Form:
    """Return the form of tiles by the numbers that are printed on them."""
    numbers = [f"{number:0{digits}}" for number in range(1, most + 1)]
    return Form(
        lambda there: listed(numbers[tile - 1] for tile in there),
        lambda value: tuple(numbers.index(one_of(word, numbers)) + 1 for word in words(value)),
    )


def counts(how_many: int, most: int) -> Form:
    """Return the form of ``how_many`` numbers, ``2.0.0.1``."""

    def read(value: str) -> tuple[int, ...]:
        pattern = rf"\d{{1,2}}(\.\d{{1,2}}){{{how_many - 1}}}"
        found = tuple(map(int, matching(value, pattern, "{value!r} is no row of numbers").split(".")))
        if max(found) > most:
            raise Malformed("{value!r} has a number above {most}", value, most)
        return found

    return Form(lambda numbers: listed(numbers, "."), read)


def row(how_many: int, may_lie: Callable[[str], object], wrong: str) -> Form:
    """Return the form of ``how_many`` words, ``-`` for an empty one; ``wrong`` is the error for others."""

    def read(value: str) -> tuple[str, ...]:
        found = ["" if word == "-" else word for word in value.split(",")]
        if len(found) != how_many or not all(word == "" or may_lie(word) for word in found):
            raise Malformed(wrong, value=value)
        return tuple(found)

    return Form(lambda there: ",".join(word or "-" for word in there), read)


def text(pattern: str, wrong: str) -> Form:
    """Return the form of a text that matches ``pattern``; ``wrong`` is the error for others."""
    return Form(str, lambda value: matching(value, pattern, wrong))


def one_of(word: str, allowed: Collection[str]) -> str:
    """Return the word; raises Malformed if it is not allowed."""
    if word not in allowed:
        raise Malformed("{word!r} is not one of {known}", word, ", ".join(allowed))
    return word


def matching(value: str, pattern: str, wrong: str) -> str:
    """Return the value; raises Malformed with the text ``wrong`` if it does not match ``pattern``."""
    if not re.fullmatch(pattern, value):
        raise Malformed(wrong, value=value)
    return value


CLAUSES = several(text(r"[A-Za-z0-9.-]{1,16}", "{value!r} is no clause's id"))
"""Clause ids, ``SG-3.2,SG-4.1``."""


def either(false: str, true: str) -> Form:
    """Return the form of a yes or no, written as one of two words."""
    return Form(lambda value: true if value else false, lambda value: one_of(value, (false, true)) == true)


YES = either("no", "yes")


# Writing a line


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


# Reading a line


def given(text: str) -> dict[str, str]:
    """Return the fields that a line names, in order."""
    found: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals:
            raise BadPosition("position: {word!r} is not a field like name=value", word)
        if name in found:
            raise BadPosition("position: {name} is there twice, as {a!r} and {b!r}", name, found[name], value)
        found[name] = value
    return found


class Fields:
    """The fields of a line, read one by one."""

    def __init__(self, told: Mapping[str, str], usual: Mapping[str, str]) -> None:
        """Keep the fields ``told``, and the ``usual`` values of all others; refuse an unknown field."""
        for name in told:
            if name not in usual:
                if near := nearest(name, usual):
                    raise BadPosition("position: no field {name!r}; did you mean {near}?", name, near)
                fields = ", ".join(usual)
                raise BadPosition("position: no field {name!r}; fields are {fields}", name, fields)
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
            raise BadPosition("position: {name}: {why}", name, error) from error

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
        seats: int = Fields(told, {"seats": "2"} | dict(told)).read("seats", number(2, len(SEATS)).read)
        return seats

    def options(self, declared: Iterable[Option]) -> dict[str, str]:
        """Return the value of each of these options by name."""
        return {each.name: self.read(each.name, word(*each.values).read) for each in declared}


def standing(state: S, problems: Callable[[S], Sequence[Problem]]) -> S:
    """Return the state; raises BadPosition if it has ``problems``."""
    if found := problems(state):
        first = found[0]
        figures = ", ".join(f"{name} {value}" for name, value in first.figures)
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        said = f"{first.check} ({first.clause}){': ' if figures else ''}{figures}{more}"
        raise BadPosition(f"position, {first.where}: {said}", problems=found)
    return state


def reading(
    parse: Callable[[str, Told], P], book: Rulebook[P]
) -> tuple[Callable[..., P], Callable[..., list[Problem]]]:
    """Return the functions that read the state of a line, and its problems by ``book``; both raise
    BadPosition for a line that cannot be read, the first also for one with problems. ``parse`` returns the
    state, faulty or not.
    """

    def read(text: str, facts: Told = ()) -> P:
        return standing(parse(text, facts), book.problems)

    def status(text: str, facts: Told = ()) -> list[Problem]:
        return book.problems(parse(text, facts))

    return read, status
