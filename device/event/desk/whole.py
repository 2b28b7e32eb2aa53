"""Everything of an event in one bundle: the journals as they came, and all that the desk knows.

A desk that is lost is rebuilt from it: ``podesta desk --state NEW --rebuild BUNDLE``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from device.event.bundle import Bundle, BundleError, Journaled, gathered, journaled
from device.event.desk import rows, sheets
from device.event.desk.grounds import Refused, Vet
from device.event.desk.intake import scored
from device.event.desk.live import journal_of
from device.event.desk.rounds import standing_table
from device.event.desk.store import DeskStore
from device.event.signing import Trusted
from device.match import NAME, SUFFIX, parsed, strike_names

UNSHARED: Final = ("accounts", "sessions", "live")
"""The rows that stay at the desk: who may log in, and records that become a journal."""
ROWS: Final = "desk/rows.json"
"""All others as the desk has them, also replaced ones, which it is rebuilt from."""


def journals_of(store: DeskStore, struck: Sequence[str] = ()) -> list[Journaled]:
    """Return every match that the desk took in, as it came; of one that grew, the longest. Where names are
    ``struck``, as everybody may read it and without them.

    Raises ValueError for a match that no name can be taken out of.
    """
    results = store.every(rows.TableResult)
    kept = ((row, store.journal(row.id)) for row in results)
    return gathered(_of_result(row, data, whole=not struck, struck=struck) for row, data in kept if data)


def _of_result(row: rows.TableResult, data: bytes, *, whole: bool, struck: Sequence[str]) -> Journaled:
    said = f"result {row.id}, {row.table} of round {row.round}"
    return _taken(f"result-{row.id}{SUFFIX}", data, said, whole=whole, struck=struck)


def _taken(name: str, data: bytes, said: str, *, whole: bool, struck: Sequence[str]) -> Journaled:
    try:
        return journaled(name, data, whole=whole, struck=struck)
    except BundleError as error:
        raise ValueError(f"{said}: {error}") from error


def strike(store: DeskStore, name: str, who: str) -> str:
    """Take a name out of everything that the desk keeps, for good; return what stands in its place.

    The digests that are signed stay, so that each journal verifies as before. Raises ValueError for somebody
    who is none of the people, and where what is signed tells the name; then nothing is changed.
    """
    spelt, name = name, rows.same_name(name)
    spellings = {one.name for one in store.every(rows.Attendee) if rows.same_name(one.name) == name}
    if not spellings:
        raise ValueError(f"{spelt or 'nobody'} is none of the people: see People")
    accounts = [one for one in store.counting(rows.DeskAccount) if one.role is not rows.Role.CLOSED]
    if name in {rows.same_name(one.name) for one in accounts}:
        raise ValueError(f"{spelt} has an account: close it first")
    with store.together():
        told, journals = f"struck {len(store.every(rows.AuditRow, kind='struck')) + 1}", dict[int, bytes]()
        for row in store.every(rows.TableResult):
            if data := store.journal(row.id):
                struck = _of_result(row, data, whole=True, struck=[name]).data
                if struck != data:
                    journals[row.id] = struck
        begun = store.every(rows.LiveRecord, seq=0)
        for one in begun:
            if data := journal_of(store.every(rows.LiveRecord, match=one.match)):
                _taken("", data, f"the match that {one.who} tells", whole=True, struck=[name])
        headers = {one.id: _unnamed(one.line, name) for one in begun}
        store.rewrite(rows.striking({spelt, *spellings}, told), journals, headers)
        store.audit("struck", f"a name was taken out everywhere, also of {len(journals)} journals", who)
    store.vacuum()
    return told


def _unnamed(line: str, name: str) -> str:
    """Return a header as the desk keeps it without a name."""
    header = msgspec.json.decode(line, type=dict[str, str])
    fields = [one for one, text in header.items() if one.startswith(NAME) and rows.same_name(text) == name]
    return msgspec.json.encode(strike_names(header, [one.removeprefix(NAME) for one in fields])).decode()


def papers_of(store: DeskStore, struck: Sequence[str] = ()) -> dict[str, bytes]:
    """Return what the desk knows by name: as CSV what counts, and every row behind it, also replaced ones;
    without names that are ``struck``, wherever they stand.
    """
    without, tables = rows.striking(struck), store.tables()
    told = {
        "standings": standing_table(tables, store.order),
        "tables": (sheets.RESULTS, list(sheets.result_rows(tables))),
        "seats": (sheets.SEATING, list(map(msgspec.structs.astuple, store.seats()))),
    }
    papers = {f"desk/{name}.csv": sheets.written(*without(table)) for name, table in told.items()}
    kept = {kind: msgspec.to_builtins(store.every(rows.KINDS[kind])) for kind in _kept_kinds()}
    whole = {name: text.encode("utf-8-sig") for name, text in papers.items()}
    return whole | {ROWS: msgspec.json.format(msgspec.json.encode(without(kept)))}


def _kept_kinds() -> list[str]:
    return [name for name in rows.KINDS if name not in UNSHARED]


def rebuild(store: DeskStore, bundle: Bundle, keys: Mapping[str, Trusted], vet: Vet) -> int:
    """Put the rows of a desk's bundle into a database that has none; return how many.

    Nobody has signed rows: each result that counts of a box's match must be what replaying its journal gives,
    by these keys. Raises ValueError naming the one that is not, and where a desk's rows are not in it.
    """
    try:
        told = msgspec.json.decode(bundle.papers.get(ROWS, b""), type=dict[str, list[msgspec.Raw]])
        kept = [
            msgspec.json.decode(row, type=rows.KINDS[kind]) for kind in _kept_kinds() for row in told[kind]
        ]
    except (msgspec.DecodeError, KeyError) as error:
        raise ValueError(f"{ROWS} is no desk's: take a bundle of the page Audit log ({error})") from error
    ends = {name: parsed(data, name).records[-1].hash for name, data in bundle.journals.items()}
    journals = {ends[name]: data for name, data in bundle.journals.items()}
    with store.together():
        store.restore(kept, journals)
        for row in store.counting(rows.TableResult):
            if row.source == "box" and (why := _unlike(row, journals.get(row.tip, b""), keys, vet)):
                raise ValueError(f"result {row.id}, {row.table} of round {row.round}: {why}")
        store.audit("rebuilt", f"{len(kept)} rows and {len(journals)} matches from a bundle", "podesta desk")
    return len(kept)


def _unlike(row: rows.TableResult, journal: bytes, keys: Mapping[str, Trusted], vet: Vet) -> str:
    """Return what a result has that its journal does not give; empty for nothing."""
    if not journal:
        return "its journal is not in the bundle"
    reading = parsed(journal, row.file)
    vetted = vet(reading, keys)
    if vetted.refused:
        return str(Refused(vetted.refused, vetted.why))
    given = scored(reading, vetted, row.round, row.table, ())
    told = ("scores", "places", "finished", "signer")
    unlike = [one for one in told if getattr(given, one) != getattr(row, one)]
    return f"its {unlike[0]} is not what its journal gives" if unlike else ""
