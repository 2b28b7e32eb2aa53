"""Turns a bundle, a journal or a folder into results: each match is verified, scored by replay, and placed.

::

    intake = Intake(store, keys, "Guido")
    intake.take("m.podesta", data)                         # an Arrival for each match
    intake.take_folder("stick", Path("/media/stick"))

It never reads a score from a file: the referee's own code replays the match. It refuses a match that it
cannot believe, with reason and remedy; such a match is in the audit log, not in the results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from device.alike import alike
from device.event.bundle import LARGEST, BundleError, is_bundle, unpack_bundle
from device.event.desk.grounds import Grounds, NotTaken, vet_journal
from device.event.desk.rows import DeskRuling, TableResult, TableState, name_key, seat_doubts
from device.event.desk.store import DeskStore, StoreError
from device.event.messages import FROM_DESK
from device.event.signing import Trusted
from device.event.verifying import Verified
from device.exports import Account, compute_standing, read_log, tell_winner, write_table
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
