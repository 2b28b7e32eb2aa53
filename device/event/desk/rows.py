"""The rows that the desk keeps, a value for each, and what they add up to: how it stands with each table.

A row is never changed. One that corrects another names it in ``replaces``; what nothing replaces counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec


class Role(StrEnum):
    """The rights of an account: ``viewer`` looks, ``judge`` also takes results in and rules, ``organiser``
    all; ``closed`` is an account that may not log in any more.
    """

    ORGANISER = "organiser"
    JUDGE = "judge"
    VIEWER = "viewer"
    CLOSED = "closed"


class Ways(StrEnum):
    """The ways to rule a table: its result ``stands``, is ``void``, or the judge gives the ``scores``."""

    STANDS = "stands"
    VOID = "void"
    SCORES = "scores"


class State(StrEnum):
    """The states of a table in a round: those before ``in`` wait for somebody."""

    OUTSTANDING = "outstanding"
    UNFINISHED = "unfinished"
    DISPUTED = "disputed"
    DOUBTFUL = "doubtful"
    IN = "in"
    RULED = "ruled"


class Roll(StrEnum):
    """Somebody's place in a round: only who is ``here`` is drawn; ``standby`` takes a seat that
    is left, ``late`` is still to come, ``gone`` does not play in it.
    """

    HERE = "here"
    STANDBY = "standby"
    LATE = "late"
    GONE = "gone"


class DeskRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row: its number, when it was made (ms since 1970) and by whom; 0 and "" before it is kept."""

    id: int = 0
    at: int = 0
    who: str = ""


class Correctable(DeskRow, frozen=True, kw_only=True):
    """A row that may take the place of another, which it names."""

    replaces: int | None = None


class Scored(Correctable, frozen=True, kw_only=True):
    """A row that tells names, points and places at a table in a round, by seat."""

    round: int
    table: str
    names: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    places: tuple[int, ...] = ()


class Attendee(Correctable, frozen=True, kw_only=True):
    """Somebody who plays; ``gone`` is who does no more."""

    name: str
    club: str = ""
    gone: bool = False


class SeatRow(msgspec.Struct, frozen=True):
    """A planned seat in a round; ``seat`` is its letter."""

    round: int
    table: str
    seat: str
    person: str


class Plan(Correctable, frozen=True, kw_only=True):
    """Everybody's seat in a round."""

    round: int
    seats: tuple[SeatRow, ...]


class Presence(Correctable, frozen=True, kw_only=True):
    """One answer to a roll call: the place of a person in a round."""

    round: int
    person: str
    roll: Roll


class Setting(Correctable, frozen=True, kw_only=True):
    """Something that the event is run by: its name and its value as text."""

    name: str
    value: str


class RoundClock(Correctable, frozen=True, kw_only=True):
    """The time that a round had left, in seconds, when the row was made, and whether it runs since."""

    round: int
    left_s: int
    running: bool

    def left(self, now_ms: int) -> int:
        """Return the seconds that are left, below 0 for how long the time has been up."""
        return self.left_s - ((now_ms - self.at) // 1000 if self.running else 0)


class TableResult(Scored, frozen=True, kw_only=True):
    """The result of a table in a round; points and places are empty where nobody can tell them.

    ``source`` is ``box`` or ``typed``. Of a box's match: its ``file`` and ``game``, the hash of its first
    record as ``match`` and of the last as ``tip``, who signed it, how far, and the phrase; ``heeds`` is the
    judge's last word that its people answered (:func:`word_of`), ``disputed`` what they said against the
    score, ``doubts`` what somebody should look at.
    """

    source: str
    finished: bool = True
    file: str = ""
    game: str = ""
    match: str = ""
    tip: str = ""
    records: int = 0
    signer: str = ""
    signed: str = ""
    phrase: str = ""
    heeds: str = ""
    disputed: str = ""
    doubts: tuple[str, ...] = ()


class Call(Correctable, frozen=True, kw_only=True):
    """A judge called to a table, or the answer, which replaces the call: who gave it is the judge. A box's
    has the hash of its ``match`` and the number of the ``record`` there.
    """

    round: int
    table: str
    said: str
    answered: bool = False
    match: str = ""
    record: int = 0


class DeskRuling(Scored, frozen=True, kw_only=True):
    """A judge's word on a table in a round, and on which result, None where there was none; ``match`` is the
    hash of the box's match that it is on, empty for none.
    """

    result: int | None
    ruled: Ways
    reason: str
    match: str = ""


class PointsByHand(Correctable, frozen=True, kw_only=True):
    """Points that a judge gives somebody by hand, or takes where below 0, in the box's ``match``, which goes
    on: they count once its people have agreed there.
    """

    round: int
    table: str
    match: str
    name: str
    points: int
    reason: str


JudgesRow = Call | DeskRuling | PointsByHand
"""The rows that a box is told as a judge's word."""
_WORDS: Final[dict[type, str]] = {Call: "call", DeskRuling: "ruling", PointsByHand: "points"}


def word_of(row: JudgesRow) -> str:
    """Return what a judge's row is known by at the box; no other desk gives the same."""
    return f"{_WORDS[type(row)]}-{row.id}-{row.at}"


class DeskAccount(Correctable, frozen=True, kw_only=True):
    """An account: who may log in, as what, and the hash of the password."""

    name: str
    role: Role
    hash: str


class Visit(Correctable, frozen=True, kw_only=True):
    """A session: the digest of its cookie, the account's row it was opened with, the token of its forms, when
    it ends (ms since 1970).
    """

    digest: str
    account: int
    csrf: str
    ends: int


class LiveRecord(DeskRow, frozen=True, kw_only=True):
    """A record of a match as its box told it over the broker, a ``line`` as in a journal; the header is 0.

    ``open`` is whether everybody may read it; one that was revealed later has a second row.
    """

    match: str
    seq: int
    open: bool
    line: str


class AuditRow(DeskRow, frozen=True, kw_only=True):
    """Something that was done, or refused; ``about`` is the row that a later one answers, if it does."""

    kind: str
    what: str
    about: int | None = None


KINDS: Final[dict[str, type[DeskRow]]] = {
    "people": Attendee,
    "plans": Plan,
    "presence": Presence,
    "clocks": RoundClock,
    "calls": Call,
    "results": TableResult,
    "rulings": DeskRuling,
    "points": PointsByHand,
    "settings": Setting,
    "audit": AuditRow,
    "accounts": DeskAccount,
    "sessions": Visit,
    "live": LiveRecord,
}
"""The kinds of rows, by the names of their tables."""


class TableState(msgspec.Struct, frozen=True):
    """A table in a round: who is planned there, what counts of what is known."""

    round: int
    table: str
    seats: tuple[SeatRow, ...] = ()
    result: TableResult | None = None
    ruling: DeskRuling | None = None

    @property
    def late(self) -> bool:
        """Return True if the result came, or was corrected, after the ruling, and does not have it."""
        ruling, result = self.ruling, self.result
        return bool(ruling and result and ruling.result != result.id and result.heeds != word_of(ruling))

    @property
    def state(self) -> State:
        """Return how it stands with the table."""
        if self.ruling:
            return State.DOUBTFUL if self.late else State.RULED
        if not (result := self.result):
            return State.OUTSTANDING
        if not result.finished:
            return State.UNFINISHED
        if result.disputed:
            return State.DISPUTED
        return State.DOUBTFUL if self.doubts else State.IN

    @property
    def done(self) -> bool:
        """Return True for a table that waits for nobody."""
        return self.state in (State.IN, State.RULED)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Return what makes the result doubtful, among it who sat there against the plan as it is now."""
        if self.result is None:
            return ()
        return tuple(dict.fromkeys((*self.result.doubts, *differing(self.seats, self.result.names))))

    @property
    def counts(self) -> Scored | None:
        """Return what tells names, scores and places: None where nothing does, or the result is void.

        A ruling counts until there is another, also where a result came after it.
        """
        if self.ruling is None or self.ruling.ruled is Ways.STANDS:
            return self.result
        return self.ruling if self.ruling.ruled is Ways.SCORES else None

    @property
    def why(self) -> str:
        """Return what somebody should look at, in words; empty where nothing is."""
        said = []
        if self.late:
            said.append("a result came after the ruling: rule again")
        if self.result and self.state in (State.UNFINISHED, State.DISPUTED, State.DOUBTFUL):
            if not self.result.finished:
                said.append(f"not finished: it goes up to record {self.result.records}")
            said += [one for one in (self.result.disputed, *self.doubts) if one]
        return "; ".join(said)


def places_of(scores: Sequence[int], told: Sequence[int] = ()) -> tuple[int, ...]:
    """Return each seat's place by points; level ones share it, unless somebody ``told`` their places by the
    game's own rule, 0 for none. Raises ValueError for a place that the points do not leave.
    """
    by_points = tuple(1 + sum(other > points for other in scores) for points in scores)
    keys = [(at, place or at) for at, place in zip(by_points, told or by_points, strict=True)]
    found = tuple(1 + sum(other < key for other in keys) for key in keys)
    for points, place, (_, wanted) in zip(scores, found, keys, strict=True):
        if place != wanted:
            raise ValueError(f"{points} points are in place {place}, not in place {wanted}")
    return found


def same_name(name: str) -> str:
    """Return a name as it is compared: capitals and spaces do not matter."""
    return " ".join(name.split()).casefold()


def striking(names: Sequence[str], first: int = 1) -> Callable[[Any], Any]:
    """Return what takes names out of a text, or of several: ``struck 1`` stands in place of the ``first``.

    Capitals and the width of spaces do not matter, and of two names that begin alike the longer one goes.
    """
    numbers = {same_name(name): number for number, name in enumerate(names, first)}
    longest = sorted((r"\s+".join(map(re.escape, name.split())) for name in names), key=len, reverse=True)
    spelt = "|".join(rf"(?<!\w){name}(?!\w)" for name in longest) or "(?!)"
    found = re.compile(spelt, re.IGNORECASE)

    def without(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(map(without, value))
        if isinstance(value, dict):
            return {key: without(item) for key, item in value.items()}
        if not isinstance(value, str):
            return value
        return found.sub(lambda one: f"struck {numbers.get(same_name(one[0]), first)}", value)

    return without


def differing(seats: Sequence[SeatRow], names: Sequence[str]) -> list[str]:
    """Return who played and is not planned at the table, and who is and did not play, a doubt each."""
    if not seats:
        return ["no plan has this table in this round"]
    planned = {same_name(seat.person): seat.person for seat in seats}
    played = {same_name(name): name for name in names}
    return [
        *(f"{played[one]} played and is not planned here" for one in played.keys() - planned.keys()),
        *(f"{planned[one]} is planned here and did not play" for one in planned.keys() - played.keys()),
    ]
