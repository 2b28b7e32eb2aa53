"""A match for every format: the entries that count, the rulings, the standing, the times.

An account is of a log (:func:`read_log`) or of a match file (:func:`read_match_file`). It lacks what its view
may not read: a sealed choice has no text, and the match ends where the view can follow no further.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence, Set
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import msgspec

from device.alike import alike
from device.match import (
    BOX,
    PUBLIC,
    Agree,
    By,
    Dispute,
    Header,
    JournalFile,
    Kind,
    Line,
    Over,
    Override,
    Pause,
    Record,
    Replay,
    Resume,
    Ruled,
    encode,
    find_agreed,
    find_hidden,
    find_ruling,
    find_tip,
    redact_hidden,
    strike_names,
    write_phrase,
)
from device.match import Log as Records
from engines.contract import SEATS
from engines.errors import EngineError
from engines.match import Adjustment, Made, Match, Step
from engines.match import replay as replay_steps
from engines.matchfile import MatchFile, play
from engines.words import scores_of


def format_moment(utc_ms: int) -> str:
    """Write a time in ISO 8601, in UTC and to the millisecond.

    >>> format_moment(1_700_000_000_250)
    '2023-11-14T22:13:20.250Z'
    """
    at = datetime.fromtimestamp(utc_ms / 1000, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class AccountRow(msgspec.Struct, frozen=True, kw_only=True):
    """One entry that counts, in the order of the table. ``record`` is its number in the journal, or of the
    step in a match file. ``kind`` is ``step``, ``report`` (seat null: the table), ``adjustment`` (points by
    hand) or ``fallen`` (the rest of reports that people went back before). ``text`` is its notation, null if
    the view may not read it; ``sealed`` is true while it is unseen. ``waived`` are the clauses overruled for
    it, ``ruled`` is the record of the ruling that gave its wording (0: none), ``by`` who agreed (seats, or
    ``judge``), ``reason`` why. ``totals`` is the score after it, by seat; ``time`` is UTC, null in a match
    file.
    """

    record: int
    kind: str
    seat: str | None
    text: str | None
    waived: tuple[str, ...] = ()
    ruled: int = 0
    by: str = ""
    reason: str = ""
    time: str | None = None
    channel: str = ""
    totals: tuple[int, ...]
    simulated: bool = False
    sealed: bool = False


class RulingEntry(msgspec.Struct, frozen=True):
    """One ruling: its ``text`` as recorded, null about a sealed choice; ``about`` is its entry's earlier
    text, ``by`` who agreed, ``undone`` true if it was taken back later.
    """

    record: int
    text: str | None
    about: str
    by: str
    time: str
    undone: bool


class JournalTold(msgspec.Struct, frozen=True):
    """The facts that only a journal has: the number of ``records``, the last one's hash (``tip``), the
    ``phrase`` of the last one that a box signed (empty for none), a lasting id of the match, and the
    ``round`` of an event. ``minutes`` are without pauses and the time that the box was off.
    """

    records: int
    tip: str
    phrase: str
    match_id: str
    table_id: str
    event_id: str
    round: str
    began: str
    ended: str
    minutes: float


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """A match for one view. ``match`` has a point for the start and for every row that is not sealed;
    ``ruled`` are the rulings in force that the view may read. ``paused`` is true during a pause, ``called``
    while it waits for a judge.
    """

    header: Header
    rules_version: int
    view: str
    match: Match
    rows: tuple[AccountRow, ...]
    rulings: tuple[RulingEntry, ...] = ()
    ruled: tuple[Ruled, ...] = ()
    views: tuple[Agree | Dispute, ...] = ()
    abandoned: bool = False
    paused: bool = False
    called: bool = False
    simulated: bool = False
    note: str = ""
    journal: JournalTold | None = None

    @property
    def over(self) -> bool:
        """True if the match was played to its end."""
        return bool(self.match.state.termination)


def read_match_file(file: MatchFile, name: str) -> Account:
    """Read the account of a match file; raises as :func:`engines.matchfile.play`."""
    match = play(file, name)
    rows = [
        _make_row(at, made, scores_of(match.game, point.state, match.setup.seats))
        for at, (made, point) in enumerate(zip(match.steps, match.points[1:], strict=True), 1)
    ]
    header = Header(file.game, file.names, file.setup, file.simulated)
    return Account(
        header=header,
        rules_version=file.rules_version,
        view=PUBLIC,
        match=match,
        rows=tuple(rows),
        simulated=file.simulated,
        note=file.note,
    )


def read_log(header: Mapping[str, str], records: Sequence[Record], view: str = PUBLIC) -> Account:
    """Read the account of a log, which may be redacted.

    Raises as :class:`device.match.replay.Replay`, and ValueError for a log without a header.
    """
    followed = select_followable(records)
    replay = Replay(header, followed)
    hidden = find_hidden(followed, view, replay)
    waiting, seats = {line.seq for line in replay.sealed}, len(replay.names)
    rulings = [
        (record, find_ruling(replay, at, hidden))
        for at, record in enumerate(followed)
        if (ruling := followed.read_ruling(record)) and not isinstance(ruling, By)
    ]
    rows = []
    for line, point in zip(replay.history, replay.match.points[1:], strict=True):
        by, let_stand = _find_agreement(followed, line)
        told = {
            "ruled": line.ruled,
            "by": by,
            "reason": line.made.reason if isinstance(line.made, Adjustment) else let_stand,
            "time": format_moment(line.record.utc_ms),
            "channel": line.record.channel,
            "simulated": line.record.simulated,
            "sealed": line.seq in waiting,
        }
        if line.seq in hidden:
            told["text"] = None
        rows.append(_make_row(line.seq, line.made, scores_of(replay.game, point.state, seats), **told))
    return Account(
        header=replay.header,
        rules_version=int(header.get("rules_version", 0)),
        view=view,
        match=_open_match(replay, waiting),
        rows=tuple(rows),
        rulings=tuple(_describe_ruling(replay, *each) for each in rulings),
        ruled=tuple(one for record, one in rulings if one and record.group not in followed.cancelled),
        views=replay.affairs.views,
        abandoned=replay.abandoned,
        paused=replay.affairs.paused,
        called=replay.affairs.call is not None,
        simulated=replay.header.simulated or any(record.simulated for record in records),
        journal=_describe_journal(header, records),
    )


def _open_match(replay: Replay, waiting: Set[int]) -> Match:
    """Return the match without the choices that are still sealed (``waiting``)."""
    if not waiting:
        return replay.match
    lines = [line for line in replay.history if line.seq not in waiting]
    return replay_steps(replay.game, replay.header.setup, [line.made for line in lines])


def make_readable(reading: JournalFile, view: str = PUBLIC, struck: Sequence[str] = ()) -> bytes:
    """Return a journal for a view: hidden records are redacted, and the names at the ``struck`` seats; the
    chain still holds. The box's own view hides nothing. Raises ValueError for names that cannot be struck.
    """
    header = strike_names(reading.header, struck)
    for seat in struck:
        _check_not_named(reading.records, reading.header[f"seat.{seat}"])
    try:
        replay = Replay(reading.header, select_followable(reading.records))
    except (EngineError, ValueError):
        replay = None  # a log that cannot be followed is exported all the same
    hidden = find_hidden(Records(reading.records), view, replay) if view != BOX else frozenset()
    return encode(header, redact_hidden(reading.records, hidden), view)


def _check_not_named(records: Sequence[Record], name: str) -> None:
    """Raise ValueError if signed text has a name: a phone of that name acted, or a ruling contains it."""
    told = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    for one in records:
        free = one.payload if one.kind in (Kind.RULING, Kind.NOTE) else ""
        if told.search(one.channel) or told.search(free):
            raise ValueError(f"record {one.seq} tells the name, and what is signed covers that")


def select_followable(records: Sequence[Record]) -> Records:
    """Return a log without redacted records that would count: sealed choices, and rulings about them."""
    return Records(record for record in records if not _is_redacted_change(record))


def _is_redacted_change(record: Record) -> bool:
    """Return True if a record would count but was redacted."""
    return record.redacted and record.changes


def _make_row(number: int, made: Made, score: Sequence[int], **more: Any) -> AccountRow:
    kind = "report" if made.seat is None else "step"
    if not isinstance(made, Step):
        kind = "adjustment" if isinstance(made, Adjustment) else "fallen"
    seat, text = None if made.seat is None else SEATS[made.seat], made.text or None
    told = {"record": number, "kind": kind, "seat": seat, "text": text, "totals": tuple(score)}
    return alike(AccountRow, made, **told | more)


def _find_agreement(records: Records, line: Line) -> tuple[str, str]:
    """Return who agreed to a line as it stands, and the reason for its override."""
    last = next(one for one in records if one.seq == line.ruled) if line.ruled else line.record
    reason = ""
    for record in records.list_group(last.group):
        ruled = records.read_ruling(record)
        if isinstance(ruled, Override) and record.seq < last.seq:
            reason = ruled.reason
    return find_agreed(records, last), reason


def _describe_ruling(replay: Replay, record: Record, ruled: Ruled | None) -> RulingEntry:
    return RulingEntry(
        record.seq,
        str(ruled.ruling) if ruled else None,
        ruled.about if ruled else "",
        find_agreed(replay.log, record),
        format_moment(record.utc_ms),
        record.group in replay.log.cancelled,
    )


def _describe_journal(header: Mapping[str, str], records: Sequence[Record]) -> JournalTold:
    end = _end_index(Records(records))
    last = find_tip(header, records)
    first = records[0].hash if records else last
    return JournalTold(
        records=len(records),
        tip=last,
        phrase=write_phrase(records),
        match_id=hashlib.sha256(f"podesta match {first}".encode()).hexdigest()[:32],
        table_id=header.get("table_id", ""),
        event_id=header.get("event_id", ""),
        round=header.get("round", ""),
        began=format_moment(records[0].utc_ms if records else 0),
        ended=format_moment(records[end].utc_ms if records else 0),
        minutes=round(_time_played(Records(records[: end + 1])) / 60_000, 2),
    )


def _end_index(records: Records) -> int:
    """Return the place of the record that ended the match, else of the last but for views of the score."""
    gone = select_followable(records).cancelled
    end = 0
    for at, record in enumerate(records):
        if record.group in gone or _is_redacted_change(record):
            continue
        ruled = records.read_ruling(record)
        if isinstance(ruled, Over) or not (
            record.kind is Kind.NOTE or isinstance(ruled, Agree | Dispute | By)
        ):
            end = at
    return end


def _time_played(records: Records) -> int:
    """Return the time played in ms, without pauses and the time that the box was off."""
    played, paused = 0, False
    for before, after in pairwise(records):
        ruled = records.read_ruling(before)
        paused = isinstance(ruled, Pause) or (paused and not isinstance(ruled, Resume))
        if not paused and before.boot_id == after.boot_id:
            played += max(0, after.mono_ms - before.mono_ms)
    return played
