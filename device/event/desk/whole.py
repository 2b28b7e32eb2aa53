"""Everything of an event in one bundle: the unchanged journals, and all the desk's rows.

A lost desk is rebuilt from it (``podesta desk --state NEW --rebuild BUNDLE``), and so is a desk from which a
name must go for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from device.event.bundle import Bundle, BundleError, Journaled, gather_journals, prepare_journal
from device.event.desk import rows, sheets
from device.event.desk.grounds import NotTaken, vet_journal
from device.event.desk.intake import make_result
from device.event.desk.standings import tabulate_standings
from device.event.desk.store import DeskStore
from device.event.signing import Trusted
from device.exports import write_csv
from device.match import SUFFIX, parse

UNSHARED: Final = ("accounts", "sessions", "live")
"""The rows that stay at the desk: accounts and sessions, and live records, which become a journal."""
SHARED: Final = {name: kind for name, kind in rows.KINDS.items() if name not in UNSHARED}
ROWS: Final = "desk/rows.json"
"""The paper with all other rows, including replaced ones; a rebuilt desk begins with them."""


def collect_journals(store: DeskStore, struck: Sequence[str] = ()) -> list[Journaled]:
    """Return every match that the desk took in, unchanged; of one that grew, the longest. If names are
    ``struck``, return only the public part, without them.

    Raises ValueError for a match from which a name cannot be taken out.
    """
    found = list[Journaled]()
    for row in store.every(rows.TableResult):
        if data := store.journal(row.id):
            try:
                name = f"result-{row.id}{SUFFIX}"
                found.append(prepare_journal(name, data, whole=not struck, struck=struck))
            except BundleError as error:
                raise ValueError(f"result {row.id}, {row.table} of round {row.round}: {error}") from error
    return gather_journals(found)


def collect_papers(store: DeskStore, struck: Sequence[str] = ()) -> dict[str, bytes]:
    """Return the desk's papers by name: current results, seats and standings as CSV, and every row, including
    replaced ones; without the names ``struck``, wherever they stand.
    """
    before = sum(one.name.startswith("struck ") for one in store.people())
    without, tables = rows.name_striker(struck, 1 + before), store.tables()
    shown = {
        "standings": tabulate_standings(tables, store.order),
        "tables": (sheets.RESULTS, list(sheets.list_result_rows(tables))),
        "seats": (sheets.SEATING, list(map(msgspec.structs.astuple, store.seats()))),
    }
    papers = {f"desk/{name}.csv": write_csv(*without(table)) for name, table in shown.items()}
    kept = {name: msgspec.to_builtins(store.every(kind)) for name, kind in SHARED.items()}
    whole = {name: text.encode("utf-8-sig") for name, text in papers.items()}
    return whole | {ROWS: msgspec.json.format(msgspec.json.encode(without(kept)))}


def rebuild_store(store: DeskStore, bundle: Bundle, keys: Mapping[str, Trusted]) -> int:
    """Put the rows of a desk's bundle into an empty database; return their number.

    Rows are not signed. Each current result of a box's match must therefore equal the replay of its journal,
    by these keys. Raises ValueError naming one that does not, or if the bundle has no desk's rows.
    """
    try:
        sections = msgspec.json.decode(bundle.papers.get(ROWS, b""), type=dict[str, list[msgspec.Raw]])
        kept = [
            msgspec.json.decode(row, type=kind) for name, kind in SHARED.items() for row in sections[name]
        ]
    except (msgspec.DecodeError, KeyError) as error:
        raise ValueError(f"{ROWS} is not a desk's: take a bundle of the page Audit log ({error})") from error
    journals = {one.reading.records[-1].hash: one.data for one in bundle.matches}
    with store.transaction():
        store.restore(kept, journals)
        for row in store.current(rows.TableResult):
            if row.source == "box" and (why := _find_difference(row, journals.get(row.tip, b""), keys)):
                raise ValueError(f"result {row.id}, {row.table} of round {row.round}: {why}")
        store.audit("rebuilt", f"{len(kept)} rows and {len(journals)} matches from a bundle", "podesta desk")
    return len(kept)


def _find_difference(row: rows.TableResult, journal: bytes, keys: Mapping[str, Trusted]) -> str:
    """Return the first difference of a result from its journal, in words, empty without one."""
    if not journal:
        return "its journal is not in the bundle"
    reading = parse(journal, row.file)
    try:
        given = make_result(reading, vet_journal(reading, keys), row.round, row.table, ())
    except NotTaken as refused:
        return str(refused)
    fields = ("scores", "places", "finished", "signer")
    unlike = [one for one in fields if getattr(given, one) != getattr(row, one)]
    return f"its row and its journal differ in {unlike[0]}" if unlike else ""
