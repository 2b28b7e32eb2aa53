"""Rulings in the words of the log, one line each; the first word names the ruling.

============================== ===================================================================
line                           what it says
============================== ===================================================================
``undo 17``                    group 17 no longer counts; if it was a ruling, it has no effect
``rollback 40``                record 40 and all play after it no longer count; reports stay seen
``amend 40 B 8x3``             record 40 was entered wrongly: this is what happened
``strike 40``                  record 40 never happened
``insert 40 b P d d``          this happened before record 40 and was not entered
``override SG-3.2 late rule``  the next entry of the group stands although these clauses forbid it
``adjust a -5 slow play``      points by hand, with a reason
``give a +2 worker fell off``  goods by hand, given or returned, with a reason
``pause``, ``resume``          the match and its clocks stop, and go on
``call SG-5.2 unclear``        somebody asks for a judge, with or without a reason
``answered you may not``       the call is settled, with or without an answer in words
``judged void wrong set-up``   the match's result at its event: as it stands, void, or by points
``by ab``, ``by judge Bea``    the people who agreed to the rest of the group
``agree a``                    seat a confirms the final score
``dispute a 60:66``            seat a disputes it, and counts these points
``abandon``, ``over …``        the match ends unfinished, or finished by this termination
============================== ===================================================================

A record is named by its number, a group by the group's. A new ruling is a class here and in :data:`Ruling`:
its fields define the form of the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, get_args, get_type_hints

import msgspec

from engines.contract import SEATS

JUDGE = "judge"
"""The judge of a refereed match, in place of the players' letters."""


class FieldForm(msgspec.Struct, frozen=True):
    """The form of a field in a line: a regular expression, and the functions between text and value."""

    pattern: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str


def seat_letter(seat: int | None) -> str:
    """Return ``a`` for seat 0 and so on; ``*`` for the table."""
    return "*" if seat is None else SEATS[seat]


_WORDS = r"\S+(?: \S+)*"
_NUMBER = FieldForm("[1-9][0-9]*", int)
_SEAT = FieldForm(f"[{SEATS}]", SEATS.index, seat_letter)
_ACTOR = FieldForm(rf"[{SEATS}*]", lambda letter: None if letter == "*" else SEATS.index(letter), seat_letter)
_TEXT = FieldForm(_WORDS)
_REASON = FieldForm(f"(?:{_WORDS})?")
_CLAUSES = FieldForm(r"[A-Z]+-[0-9.]+(?:,[A-Z]+-[0-9.]+)*", lambda text: tuple(text.split(",")), ",".join)
_POINTS = FieldForm(r"[+-][1-9][0-9]{0,3}", int, "{:+d}".format)
_GOOD = FieldForm("[a-z_]+")
_SCORES = FieldForm(
    r"(?:0|-?[1-9][0-9]{0,3})(?::(?:0|-?[1-9][0-9]{0,3}))*",
    lambda text: tuple(map(int, text.split(":"))),
    lambda points: ":".join(map(str, points)),
)
_WHO = FieldForm(rf"{JUDGE}(?: \S+)*|(?=.){''.join(f'{seat}?' for seat in SEATS)}")
_HOW = FieldForm(rf"stands|void|scores|{_SCORES.pattern}")
_WORD = FieldForm(r"\S+")


class _Ruling(msgspec.Struct, frozen=True, tag=True):
    """The base of rulings: ``str`` gives the line, :func:`parse_ruling` reads it."""

    def __str__(self) -> str:
        word, forms = _list_forms(type(self))
        return " ".join([word, *(form.write(getattr(self, name)) for name, form in forms)]).rstrip()


class Undo(_Ruling, frozen=True):
    """A group that no longer counts; if it was an undo itself, the group that it cancelled counts again."""

    group: Annotated[int, _NUMBER]


class Rollback(_Ruling, frozen=True):
    """A return to the point before ``record``: it and all steps and reports after it no longer count."""

    record: Annotated[int, _NUMBER]


class Amend(_Ruling, frozen=True):
    """A new ``text`` of the step or report ``record``."""

    record: Annotated[int, _NUMBER]
    text: Annotated[str, _TEXT]


class Strike(_Ruling, frozen=True):
    """A step or report, ``record``, that no longer counts; what came after it does."""

    record: Annotated[int, _NUMBER]


class Insert(_Ruling, frozen=True):
    """A step of ``seat``, or a report if it is None, that belongs right before ``record``."""

    record: Annotated[int, _NUMBER]
    seat: Annotated[int | None, _ACTOR]
    text: Annotated[str, _TEXT]


class Override(_Ruling, frozen=True):
    """Permission for the next step, amendment or insertion of the group to stand although ``clauses`` forbid
    it.
    """

    clauses: Annotated[tuple[str, ...], _CLAUSES]
    reason: Annotated[str, _REASON] = ""


MOST_BY_HAND = 50
"""The most points or pieces to give or take at once by hand."""


class Adjust(_Ruling, frozen=True):
    """``points``, not 0, for ``seat`` by hand."""

    seat: Annotated[int, _SEAT]
    points: Annotated[int, _POINTS]
    reason: Annotated[str, _REASON] = ""


class Give(_Ruling, frozen=True):
    """``number``, not 0, of a good for ``seat`` by hand; below 0 they are returned."""

    seat: Annotated[int, _SEAT]
    number: Annotated[int, _POINTS]
    good: Annotated[str, _GOOD]
    reason: Annotated[str, _REASON] = ""


class Pause(_Ruling, frozen=True):
    """A pause of the match."""


class Resume(_Ruling, frozen=True):
    """The end of a pause."""


class Call(_Ruling, frozen=True):
    """A call for a judge; the match stops until it is answered."""

    reason: Annotated[str, _REASON] = ""


class Answered(_Ruling, frozen=True):
    """The answer to a call; the match goes on."""

    reason: Annotated[str, _REASON] = ""


class Judged(_Ruling, frozen=True):
    """A judge's ruling on the match's result at its event: ``stands``, ``void``, points by seat, or
    ``scores`` if ``reason`` tells them. It changes nothing in the match itself.
    """

    how: Annotated[str, _HOW]
    reason: Annotated[str, _REASON] = ""


class By(_Ruling, frozen=True):
    """The people who agreed to the rest of the group: seats as letters, or :data:`JUDGE`, perhaps with a
    name.
    """

    who: Annotated[str, _WHO]


class Agree(_Ruling, frozen=True):
    """A confirmation of the final score by ``seat``."""

    seat: Annotated[int, _SEAT]


class Dispute(_Ruling, frozen=True):
    """Another final score in the view of ``seat``: ``points`` by seat."""

    seat: Annotated[int, _SEAT]
    points: Annotated[tuple[int, ...], _SCORES]


class Abandon(_Ruling, frozen=True):
    """The end of an unfinished match, with the ``reason`` if people gave one."""

    reason: Annotated[str, _REASON] = ""


class Over(_Ruling, frozen=True):
    """The end of a finished match; ``termination`` is the engine's word."""

    termination: Annotated[str, _WORD]


Edit = Amend | Strike | Insert
"""The rulings that correct an entry anywhere in the match."""

Ruling = (
    Undo
    | Rollback
    | Edit
    | Override
    | Adjust
    | Give
    | Pause
    | Resume
    | Call
    | Answered
    | Judged
    | By
    | Agree
    | Dispute
    | Abandon
    | Over
)


@cache
def _list_forms(kind: type[_Ruling]) -> tuple[str, tuple[tuple[str, FieldForm], ...]]:
    """Return the first word of a ruling's line, and the form of each further field in order."""
    hints = get_type_hints(kind, include_extras=True)
    forms = tuple((name, get_args(hints[name])[1]) for name in kind.__struct_fields__)
    return kind.__name__.lower(), forms


KINDS: dict[str, type[_Ruling]] = {_list_forms(kind)[0]: kind for kind in get_args(Ruling)}
"""Every ruling by the first word of its line."""


def parse_ruling(payload: str) -> Ruling:
    """Read a ruling's line; ``str`` of the result gives the line back.

    Raises ValueError for an unknown word, for missing or extra words, and for more than one line.
    """
    if len(payload.splitlines()) != 1 or payload.split() != payload.split(" "):
        raise ValueError(f"not a ruling: {payload!r} is not one plain line")
    word, _, rest = payload.partition(" ")
    if word not in KINDS:
        raise ValueError(f"unknown ruling '{word}'; known are {', '.join(KINDS)}")
    values: list[Any] = []
    _, forms = _list_forms(KINDS[word])
    for at, (name, form) in enumerate(forms, 1):
        text, _, left = (rest, "", "") if at == len(forms) else rest.partition(" ")
        if not re.fullmatch(form.pattern, text):
            raise ValueError(f"ruling {payload!r}: {text!r} is not its {name}")
        values.append(form.read(text))
        rest = left
    if rest and not forms:
        raise ValueError(f"ruling {payload!r}: '{word}' stands alone")
    return KINDS[word](*values)  # type: ignore[return-value]
