"""What people rule, in the words of the log: one line per ruling, the first word says which.

============================== ===================================================================
line                           what it says
============================== ===================================================================
``undo 17``                    group 17 no longer counts; if it was a ruling, it is as if never given
``rollback 40``                record 40 and all play after it no longer count; reports stay seen
``amend 40 B 8x3``             record 40 was entered wrongly: this is what happened
``strike 40``                  record 40 never happened
``insert 40 b P d d``          this happened before record 40 and was not entered
``override SG-3.2 late rule``  what follows in the group stands although these clauses forbid it
``adjust a -5 slow play``      points by hand, with a reason
``pause``, ``resume``          the match and its clocks stop, and go on
``call SG-5.2 unclear``        somebody asks for a judge, with a reason or without one
``answered``                   the call is settled
``by ab``, ``by judge``        who agreed to what follows in the group
``agree a``                    seat a confirms the final score
``dispute a 60:66``            seat a does not: its own view of it
``abandon``, ``over …``        the match ends unfinished, or finished and how
============================== ===================================================================

A record is named by its number, a group by that of the group. A new ruling is a new value here and a line in
``_WORDS``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from engines.contract import SEATS

JUDGE = "judge"
"""Who rules in a refereed match, where it is not the players by their letters."""


class Undo(msgspec.Struct, frozen=True, tag=True):
    """Group ``group`` no longer counts; if it was an undo itself, what it cancelled counts again."""

    group: int

    def __str__(self) -> str:
        """The line as recorded."""
        return f"undo {self.group}"


class Rollback(msgspec.Struct, frozen=True, tag=True):
    """Record ``record`` and all steps and reports after it no longer count."""

    record: int

    def __str__(self) -> str:
        """The line as recorded."""
        return f"rollback {self.record}"


class Amend(msgspec.Struct, frozen=True, tag=True):
    """The step or report ``record`` reads ``text`` from now on."""

    record: int
    text: str

    def __str__(self) -> str:
        """The line as recorded."""
        return f"amend {self.record} {self.text}"


class Strike(msgspec.Struct, frozen=True, tag=True):
    """The step or report ``record`` no longer counts; what came after it does."""

    record: int

    def __str__(self) -> str:
        """The line as recorded."""
        return f"strike {self.record}"


class Insert(msgspec.Struct, frozen=True, tag=True):
    """A step of ``seat``, or with None a report, that belongs right before ``record``."""

    record: int
    seat: int | None
    text: str

    def __str__(self) -> str:
        """The line as recorded."""
        return f"insert {self.record} {seat_letter(self.seat)} {self.text}"


class Override(msgspec.Struct, frozen=True, tag=True):
    """The next step, amendment or insertion of the group stands although ``clauses`` forbid it."""

    clauses: tuple[str, ...]
    reason: str = ""

    def __str__(self) -> str:
        """The line as recorded."""
        return f"override {','.join(self.clauses)} {self.reason}".rstrip()


class Adjust(msgspec.Struct, frozen=True, tag=True):
    """``points``, not 0, for ``seat`` by hand."""

    seat: int
    points: int
    reason: str = ""

    def __str__(self) -> str:
        """The line as recorded."""
        return f"adjust {SEATS[self.seat]} {self.points:+d} {self.reason}".rstrip()


class Pause(msgspec.Struct, frozen=True, tag=True):
    """The match stops for a while."""

    def __str__(self) -> str:
        """The line as recorded."""
        return "pause"


class Resume(msgspec.Struct, frozen=True, tag=True):
    """The match goes on."""

    def __str__(self) -> str:
        """The line as recorded."""
        return "resume"


class Call(msgspec.Struct, frozen=True, tag=True):
    """A judge is asked for; the match stops until the call is answered."""

    reason: str = ""

    def __str__(self) -> str:
        """The line as recorded."""
        return f"call {self.reason}".rstrip()


class Answered(msgspec.Struct, frozen=True, tag=True):
    """The call is settled, and the match goes on."""

    def __str__(self) -> str:
        """The line as recorded."""
        return "answered"


class By(msgspec.Struct, frozen=True, tag=True):
    """Who agreed to the rest of the group: seats as letters, or :data:`JUDGE`."""

    who: str

    def __str__(self) -> str:
        """The line as recorded."""
        return f"by {self.who}"


class Agree(msgspec.Struct, frozen=True, tag=True):
    """Seat ``seat`` confirms the final score."""

    seat: int

    def __str__(self) -> str:
        """The line as recorded."""
        return f"agree {SEATS[self.seat]}"


class Dispute(msgspec.Struct, frozen=True, tag=True):
    """Seat ``seat`` sees the final score otherwise: ``points`` by seat, as it counts them."""

    seat: int
    points: tuple[int, ...]

    def __str__(self) -> str:
        """The line as recorded."""
        return f"dispute {SEATS[self.seat]} {':'.join(map(str, self.points))}"


class Abandon(msgspec.Struct, frozen=True, tag=True):
    """The match ends unfinished, for ``reason`` if one was given."""

    reason: str = ""

    def __str__(self) -> str:
        """The line as recorded."""
        return f"abandon {self.reason}".rstrip()


class Over(msgspec.Struct, frozen=True, tag=True):
    """The match is finished; ``termination`` says how, in the engine's word."""

    termination: str

    def __str__(self) -> str:
        """The line as recorded."""
        return f"over {self.termination}"


Edit = Amend | Strike | Insert
"""The rulings that correct an entry, wherever in the match it stands."""

Ruling = (
    Undo
    | Rollback
    | Edit
    | Override
    | Adjust
    | Pause
    | Resume
    | Call
    | Answered
    | By
    | Agree
    | Dispute
    | Abandon
    | Over
)


def seat_letter(seat: int | None) -> str:
    """``a`` for seat 0; ``*`` for the table."""
    return "*" if seat is None else SEATS[seat]


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise ValueError("wants a number from 1 on first")
    return int(text)


def _seat(text: str) -> int:
    if len(text) != 1 or text not in SEATS:
        raise ValueError(f"wants a seat, one of {' '.join(SEATS)}")
    return SEATS.index(text)


def _words(rest: str, count: int) -> Sequence[str]:
    """The first ``count`` words, of which the last takes all that is left."""
    words = rest.split(" ", count - 1)
    return [*words, *[""] * (count - len(words))]


def _text(rest: str) -> str:
    if not rest:
        raise ValueError("wants a step's notation")
    return rest


def _amend(rest: str) -> Ruling:
    record, text = _words(rest, 2)
    return Amend(_number(record), _text(text))


def _insert(rest: str) -> Ruling:
    record, seat, text = _words(rest, 3)
    return Insert(_number(record), None if seat == "*" else _seat(seat), _text(text))


def _override(rest: str) -> Ruling:
    clauses, reason = _words(rest, 2)
    if not re.fullmatch(r"[A-Z]+-[\d.]+(,[A-Z]+-[\d.]+)*", clauses):
        raise ValueError("wants clauses, as in 'override SG-3.2,SG-6.2 nobody noticed'")
    return Override(tuple(clauses.split(",")), reason)


def _adjust(rest: str) -> Ruling:
    seat, points, reason = _words(rest, 3)
    if not re.fullmatch(r"[+-][1-9]\d{0,3}", points, re.ASCII):
        raise ValueError("wants a seat and points, as in 'adjust a -5 slow play'")
    return Adjust(_seat(seat), int(points), reason)


def _by(rest: str) -> Ruling:
    if rest != JUDGE and (not rest or set(rest) - set(SEATS) or "".join(sorted(set(rest))) != rest):
        raise ValueError("wants seats in their order, as in 'by ab', or 'by judge'")
    return By(rest)


def _dispute(rest: str) -> Ruling:
    seat, points = _words(rest, 2)
    if not re.fullmatch(r"-?\d{1,4}(:-?\d{1,4})*", points, re.ASCII):
        raise ValueError("wants a seat and the points it counts, as in 'dispute a 60:66'")
    return Dispute(_seat(seat), tuple(map(int, points.split(":"))))


def _over(rest: str) -> Ruling:
    if not rest or " " in rest:
        raise ValueError("wants one word that says how it ended, as in 'over double_pass'")
    return Over(rest)


def _alone(ruling: Ruling) -> Callable[[str], Ruling]:
    def parse(rest: str) -> Ruling:
        if rest:
            raise ValueError("stands alone")
        return ruling

    return parse


_WORDS: dict[str, Callable[[str], Ruling]] = {
    "undo": lambda rest: Undo(_number(rest)),
    "rollback": lambda rest: Rollback(_number(rest)),
    "amend": _amend,
    "strike": lambda rest: Strike(_number(rest)),
    "insert": _insert,
    "override": _override,
    "adjust": _adjust,
    "pause": _alone(Pause()),
    "resume": _alone(Resume()),
    "call": Call,
    "answered": _alone(Answered()),
    "by": _by,
    "agree": lambda rest: Agree(_seat(rest)),
    "dispute": _dispute,
    "abandon": Abandon,
    "over": _over,
}


def parse_ruling(payload: str) -> Ruling:
    """Read a ruling's line; ``str`` of the result gives the line back.

    Raises ValueError for a word nobody knows, for words missing or left over, and for more than one line.
    """
    word, _, rest = payload.partition(" ")
    if len(payload.splitlines()) != 1 or payload.split() != payload.split(" "):
        raise ValueError(f"not a ruling: {payload!r} is not one plain line")
    if word not in _WORDS:
        raise ValueError(f"unknown ruling '{word}'; known are {', '.join(_WORDS)}")
    try:
        ruling = _WORDS[word](rest)
    except ValueError as error:
        raise ValueError(f"ruling {payload!r}: '{word}' {error}") from None
    if str(ruling) != payload:
        raise ValueError(f"ruling {payload!r}: is written {str(ruling)!r}")
    return ruling
