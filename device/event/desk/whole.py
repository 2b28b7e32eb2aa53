"""Everything of an event in one bundle: the journals as they came, and all that the desk knows as tables."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from device.event.bundle import Journaled, gathered, taken
from device.event.desk import sheets
from device.event.desk.rounds import STANDING, standing_lines
from device.event.desk.rows import (
    Attendee,
    AuditRow,
    Call,
    DeskRow,
    DeskRuling,
    Presence,
    RoundClock,
    Setting,
    TableResult,
)
from device.event.desk.store import DeskStore
from device.match import SUFFIX

KINDS: Final[dict[str, type[DeskRow]]] = {
    "people": Attendee,
    "presence": Presence,
    "clocks": RoundClock,
    "calls": Call,
    "results": TableResult,
    "rulings": DeskRuling,
    "settings": Setting,
    "audit": AuditRow,
}
"""The rows that go into a bundle, each kind in a table; who may log in stays at the desk."""


def journals_of(store: DeskStore) -> list[Journaled]:
    """Return every match that the desk took in, as it came; of one that grew, the longest."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for row in store.every(TableResult):
            if data := store.journal(row.id):
                path = Path(folder) / f"result-{row.id}{SUFFIX}"
                path.write_bytes(data)
                found.append(taken(path, whole=True))
    return gathered(found)


def papers_of(store: DeskStore) -> dict[str, bytes]:
    """Return what the desk knows as CSV by name: what counts, and every row behind it, also replaced ones."""
    tables = store.tables()
    told = {
        "standings": sheets.written(STANDING, standing_lines(tables)),
        "tables": sheets.written(sheets.RESULTS, sheets.result_rows(tables)),
        "plans": sheets.written(("plan", "at", "who", *sheets.SEATING), _plans(store)),
    }
    for name, kind in KINDS.items():
        rows = (
            [_cell(column, getattr(row, column)) for column in _columns(kind)] for row in store.every(kind)
        )
        told[f"every-{name}"] = sheets.written(_columns(kind), rows)
    return {f"desk/{name}.csv": text.encode("utf-8-sig") for name, text in told.items()}


def _columns(kind: type[DeskRow]) -> tuple[str, ...]:
    first = DeskRow.__struct_fields__
    return (*first, *(name for name in kind.__struct_fields__ if name not in first))


def _cell(column: str, value: object) -> str:
    if column == "at":
        return _time(int(str(value)))
    if isinstance(value, tuple):
        return msgspec.json.encode(value).decode()
    return "" if value is None else str(value)


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")


def _plans(store: DeskStore) -> Iterator[tuple[object, ...]]:
    for row in store.every_plan():
        yield (row["plan"], _time(row["at"]), row["who"], *(row[name] for name in sheets.SEATING))
