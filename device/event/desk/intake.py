"""Turns a bundle, a journal or a folder into results: each match is verified, scored by replay, and placed.

::

    intake = Intake(store, keys, "Guido")
    intake.take("m.podesta", data)                         # an Arrival for each match
    intake.take_folder("stick", Path("/media/stick"))

It never reads a score from a file: the referee's own code replays the match. It refuses a match that it
cannot believe, with reason and remedy; such a match is in the audit log, not in the results.

Everything of an event goes out again in one bundle: the unchanged journals, and all the desk's rows. A lost
desk is rebuilt from it (``podesta desk --state NEW --rebuild BUNDLE``), and so is a desk from which a name
must go for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from device.alike import alike
from device.event.bundle import (
    LARGEST,
    Bundle,
    BundleError,
    Journaled,
    gather_journals,
    is_bundle,
    prepare_journal,
    unpack_bundle,
)
from device.event.desk import sheets
from device.event.desk.grounds import Grounds, NotTaken, vet_journal
from device.event.desk.rows import (
    KINDS,
    DeskRuling,
    TableResult,
    TableState,
    name_key,
    name_striker,
    seat_doubts,
)
from device.event.desk.standings import tabulate_standings
from device.event.desk.store import DeskStore, StoreError
from device.event.messages import FROM_DESK
from device.event.signing import Trusted
from device.event.verifying import Verified
from device.exports import Account, compute_standing, read_log, tell_winner, write_csv, write_table
from device.files import read_file
from device.match import SUFFIX, Dispute, JournalError, JournalFile, Replay, decode, list_scores, parse
from engines.contract import SEATS


class Arrival(msgspec.Struct, frozen=True):
    """The outcome for a file: the number of its result, or the reason of its refusal; ``said`` is for
    people.
    """

    file: str
    said: str
    table: str = ""
    round: int = 0
    result: int = 0
    refused: Grounds | None = None


class Intake(msgspec.Struct, frozen=True):
    """Takes files in for somebody, verified by these keys.

    ``number`` is the round of the files; without it, table and names decide. ``spare`` allows a box to have
    stood in for another table.
    """

    store: DeskStore
    keys: Mapping[str, Trusted]
    who: str
    number: int | None = None
    spare: bool = False

    def take_folder(self, name: str, folder: Path) -> list[Arrival]:
        """Take in the files of a folder, which people know as ``name``, as :meth:`take` does."""
        found = sorted(path for path in folder.rglob("*") if path.suffix in {SUFFIX, ".zip"})
        arrived = list[Arrival]()
        for path in filter(Path.is_file, found):
            shown_name = f"{name}/{path.relative_to(folder)}"
            try:
                arrived += self.take(shown_name, read_file(path, LARGEST))
            except OSError as error:
                arrived.append(
                    self._note_refused(shown_name, NotTaken(Grounds.UNREADABLE, error.strerror or str(error)))
                )
        return arrived

    def take(self, name: str, data: bytes) -> list[Arrival]:
        """Take in a journal or a bundle, which people know as ``name``; return the outcome for each match.

        The audit log has everything.
        """
        if not is_bundle(data):
            return [self._take_one(name, data)]
        try:
            held = unpack_bundle(data, name).journals.items()
        except BundleError as error:
            return [self._note_refused(name, NotTaken(Grounds.DAMAGED, str(error).removeprefix(f"{name}: ")))]
        return [self._take_one(f"{name}/{member}", journal) for member, journal in held]

    def _note_refused(self, file: str, refused: NotTaken) -> Arrival:
        of = f" for {refused.table}" if refused.table else ""
        said = f"refused{of}: {refused}"
        self.store.audit("refused", f"{file}: {said}", self.who)
        return Arrival(file, said, refused.table, refused=refused.kind)

    def _take_one(self, name: str, data: bytes) -> Arrival:
        """Take one journal in, or refuse it."""
        try:
            reading = parse(data, name)
            found = vet_journal(reading, self.keys)
            with self.store.transaction():
                kept = self._keep_match(reading, data, found, name, self._find_doubts(reading, found))
        except JournalError as error:
            why = str(error).removeprefix(f"{name}: ")
            return self._note_refused(name, NotTaken(Grounds.UNREADABLE, why))
        except StoreError as error:
            return self._note_refused(name, NotTaken(Grounds.BUSY, str(error)))
        except NotTaken as refused:
            return self._note_refused(name, refused)
        self.store.audit("result", f"{name}: {kept.said}", self.who)
        return kept

    def _find_doubts(self, reading: JournalFile, found: Verified) -> list[str]:
        """Return the doubts about a verified match; raise :class:`NotTaken` for one of another event or from
        another table's box.
        """
        its, own = reading.header.get("event_id", ""), self.keys.get(reading.header.get("box_key", ""))
        table = reading.header.get("table_id", "")
        begun_by, doubts = own.name if own else "", list[str]()
        if its != self.store.event:
            raise NotTaken(Grounds.EVENT, f'it says "{its}", this is "{self.store.event}"', table)
        if not table or table not in (begun_by, found.signer):
            if not (self.spare and table):
                raise NotTaken(Grounds.TABLE, f"signed by {found.signer}", table)
            doubts.append(f"{found.signer} stood in for {table}")
        elif begun_by != found.signer:
            doubts.append(f"begun at the box of {begun_by}, signed at the end by that of {found.signer}")
        return [*doubts, "SIMULATED: not played at a real box"] if found.simulated else doubts

    def _keep_match(
        self, reading: JournalFile, data: bytes, found: Verified, name: str, doubts: list[str]
    ) -> Arrival:
        """Keep a verified match in its place; raise :class:`NotTaken` if it has none."""
        store, table = self.store, reading.header["table_id"]
        before = _find_earlier_result(store, reading, table)
        ruled = store.every(DeskRuling, match=reading.records[0].hash)
        tables = store.tables()
        known = before or (ruled[-1] if ruled else None)
        at = known.round if known else self.number or _guess_round(tables, table, found.names, reading.header)
        here = next((one for one in tables if (one.round, one.table) == (at, table)), TableState(at, table))
        there = here.result
        if before and before.tip == reading.records[-1].hash:
            if there is None or there.id != before.id:
                raise NotTaken(Grounds.OLDER, "another result has replaced this match", table)
            return Arrival(name, f"{table}, round {at}: already here", table, at, before.id)
        if there and there.match != reading.records[0].hash:
            if there.finished and not found.finished:
                raise NotTaken(Grounds.UNFINISHED, f"round {at}", table)
            if there.finished and there.source == "box":
                doubts.append(f"another match than {there.file}, the result before")
        result = msgspec.structs.replace(make_result(reading, found, at, table, doubts), file=name)
        made = store.add(result, self.who, after=there, journal=data)
        shown = " : ".join(map(str, result.scores)) or "no score"
        again = f", replaces result {there.id}" if there else ""
        said = f"{table}, round {at}: {shown}, signed by {found.signer}, {found.phrase}{again}"
        odd = (*result.doubts, *seat_doubts(here.seats, result.names))
        return Arrival(name, "; ".join([said, *odd]), table, at, made)


def _find_earlier_result(store: DeskStore, reading: JournalFile, table: str) -> TableResult | None:
    """Return the desk's latest version of the same match; raise :class:`NotTaken` if ``reading`` does not
    continue it.
    """
    hashes = [record.hash for record in reading.records]
    versions = store.every(TableResult, match=hashes[0])
    if not versions or versions[-1].tip in hashes:
        return versions[-1] if versions else None
    there = f"result {versions[-1].id} with {versions[-1].records} records"
    if hashes[-1].encode() in store.journal(versions[-1].id):
        raise NotTaken(Grounds.OLDER, f"{len(hashes)} records, there is {there}", table)
    raise NotTaken(Grounds.APART, there, table)


def _guess_round(
    states: Sequence[TableState], table: str, names: Sequence[str], header: Mapping[str, str]
) -> int:
    """Return the round of a match: the one with most of its people planned at its table; among equals the one
    that its box names, then the first that waits for a box's result.
    """
    here = [one for one in states if one.table == table]
    people = {name_key(name) for name in names}

    def rank_round(one: TableState) -> tuple[int, bool, bool, int]:
        planned = {name_key(seat.person) for seat in one.seats}
        from_box = one.result is not None and one.result.finished and one.result.source == "box"
        same_round = header.get("round") == str(one.round)
        return -len(planned & people), not same_round, from_box or one.ruling is not None, one.round

    last = max((one.round for one in states), default=1)
    return min(here, key=rank_round).round if here else last


def make_result(
    reading: JournalFile, found: Verified, number: int, table: str, doubts: Sequence[str]
) -> TableResult:
    """Return the result of a verified match, with points from its replay."""
    points, places = tuple[int, ...](), tuple[int, ...]()
    disputed, more = "", list(doubts)
    if found.unchecked:
        more.append(
            f"{len(found.unchecked)} steps are hidden from everybody: nobody here can count the score"
        )
    else:
        replay = Replay(reading.header, reading.records)
        points, ranking = tuple(list_scores(replay)), replay.game.scoring.ranking(replay.match.state)
        by_seat = {seat: place.number for place in ranking for seat in place.seats}
        places = tuple(by_seat[seat] for seat in range(len(points)))
        disputed = "; ".join(
            f"{found.names[one.seat]} says {' : '.join(map(str, one.points))}"
            for one in replay.affairs.views
            if isinstance(one, Dispute)
        )
        if replay.abandoned:
            more.append("given up: the score is as it stood then")
        if replay.affairs.call:
            more.append("a judge was called and has not answered")
    answered = [one.channel for one in reading.records if one.channel.startswith(FROM_DESK)]
    return alike(
        TableResult,
        found,
        round=number,
        table=table,
        scores=points,
        places=places,
        source="box",
        match=reading.records[0].hash,
        heeds=answered[-1].removeprefix(FROM_DESK) if answered else "",
        disputed=disputed,
        doubts=tuple(more),
    )


class PublicMatch(msgspec.Struct, frozen=True):
    """A match for viewers of its table: the breakdown of its score, its account, people by the letters of
    their seats; ``whole`` is True if a spare box could go on with it.
    """

    standing: str
    account: Account
    seated: dict[str | None, str]
    whole: bool


def make_public_match(data: bytes) -> PublicMatch | None:
    """Return the public account of the match in a journal, None for an empty journal."""
    if not data:
        return None
    reading = decode(data)
    account = read_log(reading.header, reading.records)
    game, names = account.match.game, account.header.names
    words = account.header.load_words()
    found = compute_standing(game, account.match.state, names)
    shown = "\n".join([*write_table(words, found), "", tell_winner(words, found)])
    return PublicMatch(shown, account, {**dict(zip(SEATS, names, strict=False)), None: ""}, reading.whole)


# Everything in one bundle

UNSHARED: Final = ("accounts", "sessions", "live")
"""The rows that stay at the desk: accounts and sessions, and live records, which become a journal."""
SHARED: Final = {name: kind for name, kind in KINDS.items() if name not in UNSHARED}
ROWS: Final = "desk/rows.json"
"""The paper with all other rows, including replaced ones; a rebuilt desk begins with them."""


def collect_journals(store: DeskStore, struck: Sequence[str] = ()) -> list[Journaled]:
    """Return every match that the desk took in, unchanged; of one that grew, the longest. If names are
    ``struck``, return only the public part, without them.

    Raises ValueError for a match from which a name cannot be taken out.
    """
    found = list[Journaled]()
    for row in store.every(TableResult):
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
    without, tables = name_striker(struck, 1 + before), store.tables()
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
        for row in store.current(TableResult):
            if row.source == "box" and (why := _find_difference(row, journals.get(row.tip, b""), keys)):
                raise ValueError(f"result {row.id}, {row.table} of round {row.round}: {why}")
        store.audit("rebuilt", f"{len(kept)} rows and {len(journals)} matches from a bundle", "podesta desk")
    return len(kept)


def _find_difference(row: TableResult, journal: bytes, keys: Mapping[str, Trusted]) -> str:
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
