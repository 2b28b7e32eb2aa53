"""The right to read a log: everybody reads public records, a seat also its own secrets.

A seat's word about its hidden pieces is for that seat alone, forever. A sealed choice is hidden until all are
revealed; one that was taken back earlier is never revealed.
"""

from __future__ import annotations

from collections.abc import Sequence

from device.match.history import Log, RulingError
from device.match.records import Kind, Record, redact
from device.match.replay import Replay
from device.match.rulings import Amend
from engines.contract import SEATS


def secrets(records: Log, view: str, replay: Replay | None) -> frozenset[int]:
    """Return the numbers of the records that a view may not read.

    ``replay`` is the log's, None if it cannot be followed; then nothing counts as revealed.
    """
    kept = {line.seq: line for line in replay.sealed} if replay else {}
    revealed = {line.seq for line in replay.history} - set(kept) if replay else set()
    hidden: set[int] = set()
    for record in records:
        if record.kind is Kind.PRIVATE:
            hidden |= {record.seq} if _letter(record.seat) != view else set()
        elif record.visibility != "public":
            own = record.visibility == f"seat:{view}"
            if not own and not (record.play and record.seq in revealed):
                hidden.add(record.seq)
        elif record.kind is Kind.RULING and not record.redacted:
            corrected = _corrects(records, record)
            if corrected in hidden or (record.seq in kept and _letter(kept[record.seq].seat) != view):
                hidden.add(record.seq)
    return frozenset(hidden)


def seen(records: Sequence[Record], hidden: frozenset[int]) -> list[Record]:
    """Return the log with the hidden records redacted; its chain still holds."""
    return [redact(record) if record.seq in hidden else record for record in records]


def _corrects(records: Log, record: Record) -> int:
    """Return the record that an amendment shows, 0 for any other ruling and for an unreadable one."""
    try:
        ruled = records.ruling(record)
    except RulingError:
        return 0
    return ruled.record if isinstance(ruled, Amend) else 0


def _letter(seat: int | None) -> str:
    return "" if seat is None else SEATS[seat : seat + 1]
