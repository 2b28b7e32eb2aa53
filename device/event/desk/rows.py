"""The rows that the desk keeps, a value for each, and their sum: the state of each table.

A row never changes. One that corrects another names it in ``replaces``; rows that nothing replaces count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec


class Role(StrEnum):
    """The rights of an account: ``viewer`` looks, ``judge`` also takes results in and rules, ``organiser``
    may do everything; ``closed`` may no longer log in.
    """

    ORGANISER = "organiser"
    JUDGE = "judge"
    VIEWER = "viewer"
    CLOSED = "closed"


class RulingKind(StrEnum):
    """The kinds of ruling on a table: its result ``stands``, is ``void``, or the judge gives the
    ``scores``.
    """

    STANDS = "stands"
    VOID = "void"
    SCORES = "scores"


class Stage(StrEnum):
    """The states of a table in a round; the first four wait for somebody."""

    OUTSTANDING = "outstanding"
    UNFINISHED = "unfinished"
    DISPUTED = "disputed"
    DOUBTFUL = "doubtful"
    IN = "in"
    RULED = "ruled"


class Roll(StrEnum):
    """A player's presence in a round: only players ``here`` are drawn; ``standby`` takes a free seat,
    ``late`` is still to come, ``gone`` does not play in it.
    """

    HERE = "here"
    STANDBY = "standby"
    LATE = "late"
    GONE = "gone"


class DeskRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row: its number, its time (ms since 1970) and its author; 0, 0 and "" before it is kept."""

    id: int = 0
    at: int = 0
    who: str = ""


class Correctable(DeskRow, frozen=True, kw_only=True):
    """A row that may replace another."""

    replaces: int | None = None


class Scored(Correctable, frozen=True, kw_only=True):
    """A row with names, points and places at a table in a round, by seat."""

    round: int
    table: str
    names: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    places: tuple[int, ...] = ()


class Attendee(Correctable, frozen=True, kw_only=True):
    """A player; ``gone`` is True for one who no longer plays."""

    name: str
    club: str = ""
    gone: bool = False


class SeatRow(msgspec.Struct, frozen=True):
    """A planned seat in a round; ``seat`` is its letter."""

    round: int
    table: str
    seat: str
    person: str


class SeatPlan(Correctable, frozen=True, kw_only=True):
    """Everybody's seat in a round."""

    round: int
    seats: tuple[SeatRow, ...]


class RollAnswer(Correctable, frozen=True, kw_only=True):
    """One answer to a roll call: the place of a person in a round."""

    round: int
    person: str
    roll: Roll


class Setting(Correctable, frozen=True, kw_only=True):
    """A setting of the event: its name and its value as text."""

    name: str
    value: str


class RoundClock(Correctable, frozen=True, kw_only=True):
    """The seconds that a round had left when the row was made, and True if the clock runs since then."""

    round: int
    left_s: int
    running: bool

    def left(self, now_ms: int) -> int:
        """Return the seconds left, negative once the time is up."""
        return self.left_s - ((now_ms - self.at) // 1000 if self.running else 0)


class TableResult(Scored, frozen=True, kw_only=True):
    """The result of a table in a round; points and places are empty if nobody can tell them.

    ``source`` is ``box`` or ``typed``. A box's match has its ``file`` and ``game``, the hashes of its first
    record (``match``) and its last (``tip``), its signer, the extent of the signatures, and the phrase.
    ``heeds`` is the last judge's ruling that its people answered (:func:`make_ruling_id`), ``disputed`` their
    objections to the score, ``doubts`` what somebody should look at.
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


class JudgeCall(Correctable, frozen=True, kw_only=True):
    """A judge called to a table, or the answer, which replaces the call and whose author is the judge. A
    box's call has the hash of its ``match`` and the number of the ``record`` there.
    """

    round: int
    table: str
    said: str
    answered: bool = False
    match: str = ""
    record: int = 0


class DeskRuling(Scored, frozen=True, kw_only=True):
    """A judge's ruling on a table in a round, and the result that it is about, None without one; ``match`` is
    the hash of the box's match that it is about, empty for none.
    """

    result: int | None
    ruled: RulingKind
    reason: str
    match: str = ""


class PointsByHand(Correctable, frozen=True, kw_only=True):
    """Points that a judge gives somebody by hand, or takes if below 0, in the box's unfinished ``match``;
    they count once its people agree there.
    """

    round: int
    table: str
    match: str
    name: str
    points: int
    reason: str


JudgesRow = JudgeCall | DeskRuling | PointsByHand
"""The rows that a box gets as a judge's ruling."""
_KINDS: Final[dict[type, str]] = {JudgeCall: "call", DeskRuling: "ruling", PointsByHand: "points"}


def make_ruling_id(row: JudgesRow) -> str:
    """Return the id of a judge's row at the box; no other desk gives the same."""
    return f"{_KINDS[type(row)]}-{row.id}-{row.at}"


class DeskAccount(Correctable, frozen=True, kw_only=True):
    """An account: its name, its role, and the hash of its password."""

    name: str
    role: Role
    hash: str


class Visit(Correctable, frozen=True, kw_only=True):
    """A session: the digest of its cookie, the row of its account at login, the token of its forms, and its
    end (ms since 1970).
    """

    digest: str
    account: int
    csrf: str
    ends: int


class LiveRecord(DeskRow, frozen=True, kw_only=True):
    """A record of a match as its box sent it over the broker, a ``line`` as in a journal; the header is 0.

    ``open`` is True if everybody may read it; a record that is revealed later has a second row.
    """

    match: str
    seq: int
    open: bool
    line: str


class AuditRow(DeskRow, frozen=True, kw_only=True):
    """An act or a refusal; ``about`` is the row that it answers, if any."""

    kind: str
    what: str
    about: int | None = None


KINDS: Final[dict[str, type[DeskRow]]] = {
    "people": Attendee,
    "plans": SeatPlan,
    "presence": RollAnswer,
    "clocks": RoundClock,
    "calls": JudgeCall,
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
    """A table in a round: its planned seats, its current result and ruling."""

    round: int
    table: str
    seats: tuple[SeatRow, ...] = ()
    result: TableResult | None = None
    ruling: DeskRuling | None = None

    @property
    def late(self) -> bool:
        """True if the result came, or was corrected, after the ruling, and does not include it."""
        ruling, result = self.ruling, self.result
        if ruling is None or result is None or ruling.result == result.id:
            return False
        return result.heeds != make_ruling_id(ruling)

    @property
    def state(self) -> Stage:
        """The state of the table."""
        if self.ruling:
            return Stage.DOUBTFUL if self.late else Stage.RULED
        if not (result := self.result):
            return Stage.OUTSTANDING
        if not result.finished:
            return Stage.UNFINISHED
        if result.disputed:
            return Stage.DISPUTED
        return Stage.DOUBTFUL if self.doubts else Stage.IN

    @property
    def done(self) -> bool:
        """True for a table that waits for nobody."""
        return self.state in (Stage.IN, Stage.RULED)

    @property
    def doubts(self) -> tuple[str, ...]:
        """The doubts about the result, including differences between its players and the current plan."""
        if self.result is None:
            return ()
        return tuple(dict.fromkeys((*self.result.doubts, *seat_doubts(self.seats, self.result.names))))

    @property
    def counts(self) -> Scored | None:
        """The row whose names, scores and places count, None without one or if the result is void.

        A ruling counts until there is another, even if a result comes after it.
        """
        if self.ruling is None or self.ruling.ruled is RulingKind.STANDS:
            return self.result
        return self.ruling if self.ruling.ruled is RulingKind.SCORES else None

    @property
    def why(self) -> str:
        """The reasons to look at the table, in words; empty without any."""
        said = []
        if self.late:
            said.append("a result came after the ruling: rule again")
        if self.result and self.state in (Stage.UNFINISHED, Stage.DISPUTED, Stage.DOUBTFUL):
            if not self.result.finished:
                said.append(f"not finished: it goes up to record {self.result.records}")
            said += [one for one in (self.result.disputed, *self.doubts) if one]
        return "; ".join(said)


def rank_scores(scores: Sequence[int], given: Sequence[int] = ()) -> tuple[int, ...]:
    """Return each seat's place by points. Equal points share a place, unless their places are ``given``
    by the game's own rule, 0 for none. Raises ValueError for a place that contradicts the points.
    """
    by_points = tuple(1 + sum(other > points for other in scores) for points in scores)
    keys = [(at, place or at) for at, place in zip(by_points, given or by_points, strict=True)]
    found = tuple(1 + sum(other < key for other in keys) for key in keys)
    for points, place, (_, wanted) in zip(scores, found, keys, strict=True):
        if place != wanted:
            raise ValueError(f"{points} points are in place {place}, not in place {wanted}")
    return found


def name_key(name: str) -> str:
    """Return a name for comparison: capitals and spaces do not matter."""
    return " ".join(name.split()).casefold()


def name_striker(names: Sequence[str], first: int = 1) -> Callable[[Any], Any]:
    """Return a function that takes names out of a text or of nested values: ``struck 1`` replaces the
    ``first``.

    Capitals and the width of spaces do not matter; of two names that begin alike the longer one matches.
    """
    numbers = {name_key(name): number for number, name in enumerate(names, first)}
    longest = sorted((r"\s+".join(map(re.escape, name.split())) for name in names), key=len, reverse=True)
    spelt = "|".join(rf"(?<!\w){name}(?!\w)" for name in longest) or "(?!)"
    found = re.compile(spelt, re.IGNORECASE)

    def strike_names(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(map(strike_names, value))
        if isinstance(value, dict):
            return {key: strike_names(item) for key, item in value.items()}
        if not isinstance(value, str):
            return value
        return found.sub(lambda one: f"struck {numbers.get(name_key(one[0]), first)}", value)

    return strike_names


def seat_doubts(seats: Sequence[SeatRow], names: Sequence[str]) -> list[str]:
    """Return a doubt for each unplanned player, and for each planned one who did not play."""
    if not seats:
        return ["no plan has this table in this round"]
    planned = {name_key(seat.person): seat.person for seat in seats}
    played = {name_key(name): name for name in names}
    return [
        *(f"{played[one]} played but is not planned here" for one in played.keys() - planned.keys()),
        *(f"{planned[one]} is planned here but did not play" for one in planned.keys() - played.keys()),
    ]
