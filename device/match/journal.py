"""The journal of a match: what was accepted, on the disk before anybody is told "recorded".

One file per match, ``NAME.podesta``; while it is open ``-wal`` and ``-live`` stand beside it, and the three
belong together. A group (one OK = some steps) is one transaction::

    journal = Journal.create("friday.podesta", {"game": "torres"}, SystemClock().stamp)
    journal.append([Draft(kind=Kind.STEP, payload="B d3", seat=0)])
    journal.close()

Nothing is ever changed or erased: :mod:`device.match.records` says what undo means. :meth:`Journal.open`
verifies the whole file and refuses a damaged one; :func:`recover` then makes a new file of what is good.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

import msgspec

from device.match.journal_errors import (
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalFull,
    JournalReadOnly,
    NotAJournal,
    journal_error,
)
from device.match.journal_file import INSERT, SUFFIX, Reading, build, connect, read, tip, wal_path
from device.match.journal_live import Live, Witness
from device.match.records import RECOVERED, Draft, Record, Stamp, genesis, seal

__all__ = [
    "SUFFIX",
    "Journal",
    "JournalBusy",
    "JournalDamaged",
    "JournalError",
    "JournalFull",
    "JournalReadOnly",
    "NotAJournal",
    "Reading",
    "read",
    "recover",
]

_FOLD_AT = 4 << 20  # bytes of write-ahead log, a thousand pages, before it is folded into the file


class Journal:
    """A match file open for writing, by this process alone; made by :meth:`create` or :meth:`open`.

    ``header`` are the facts of the match, ``records`` all of its records in order; both are for reading only.
    One thread at a time may append (:class:`device.match.writer.Writer` is that thread in the daemon).
    """

    def __init__(
        self,
        path: Path,
        header: dict[str, str],
        records: list[Record],
        stamp: Callable[[], Stamp],
        live: Live,
    ) -> None:
        """Not for callers: the file must have been verified and ``live`` taken."""
        self.path = path
        self.header = header
        self.records = records
        self._stamp = stamp
        self._live = live
        self._db: sqlite3.Connection | None = None
        try:
            self._db = db = connect(path, "rw")
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA wal_autocheckpoint = 0")
            (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
            heads = db.execute("SELECT seq, hash FROM head").fetchall()
        except sqlite3.Error as error:
            if self._db is not None:
                self._db.close()
            raise journal_error(path, error) from error
        if mode != "wal" or heads != [(len(records), tip(header, records))]:
            db.close()
            raise JournalError(f"{path}: another program is changing it")
        live.note(self._witness())

    @classmethod
    def create(
        cls,
        path: str | Path,
        header: Mapping[str, str],
        stamp: Callable[[], Stamp],
        *,
        table_id: str = "",
        event_id: str = "",
    ) -> Journal:
        """Start a match in a new file; ids that are given become part of the header.

        Raises :class:`JournalError` when the file, or what an earlier one left beside it, exists;
        :class:`JournalFull` or :class:`JournalReadOnly` when the disk does not take it; ValueError for a
        header name that is kept for recovered files.
        """
        path = Path(path).absolute()
        facts = dict(header)
        if reserved := [name for name in facts if name.startswith(RECOVERED)]:
            raise ValueError(f"header name '{reserved[0]}': names in {RECOVERED}… are for recovered files")
        facts |= {name: text for name, text in (("table_id", table_id), ("event_id", event_id)) if text}
        with _locked(path) as live:
            _build_new(path, live, facts, ())
            return cls(path, facts, [], stamp, live)

    @classmethod
    def open(cls, path: str | Path, stamp: Callable[[], Stamp]) -> Journal:
        """Go on with a match: everything in the file is verified first.

        Raises :class:`JournalDamaged`, :class:`NotAJournal`, :class:`JournalBusy`, :class:`JournalReadOnly`;
        the file is as it was then.
        """
        path = Path(path).absolute()
        if not path.is_file():
            raise JournalError(f"{path}: no such match file")
        if not os.access(path, os.W_OK):
            raise JournalReadOnly(f"{path}: it may only be read")
        with _locked(path) as live:
            reading = read(path)
            if reading.damage:
                raise JournalDamaged(path, reading.damage, reading.records, reading.header)
            return cls(path, reading.header, list(reading.records), stamp, live)

    def append(self, drafts: Sequence[Draft], stamp: Stamp | None = None) -> tuple[Record, ...]:
        """Record a group, which happened at ``stamp``, by default now; when this returns, it is on the disk.

        Raises :class:`JournalFull`, :class:`JournalReadOnly` or another :class:`JournalError` when the disk
        did not take it, ValueError for drafts that cannot be sealed. Then nothing of the group is recorded,
        and it may be appended again.
        """
        if self._db is None:
            raise JournalError(f"{self.path}: the journal is closed")
        if not drafts:
            raise ValueError("a group needs at least one record")
        group = self._seal(drafts, stamp or self._stamp())
        written = self._wal_size()
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(INSERT, [msgspec.structs.astuple(record) for record in group])
            moved = self._db.execute(
                "UPDATE head SET seq = ?, hash = ? WHERE seq = ? AND hash = ?",
                (group[-1].seq, group[-1].hash, len(self.records), group[0].prev),
            )
            if moved.rowcount != 1:
                raise JournalError(f"{self.path}: another program has changed it")
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            # What was half written must not be found later and taken for recorded.
            with contextlib.suppress(OSError):
                os.truncate(wal_path(self.path), written)
            raise journal_error(self.path, error) from error
        except BaseException:
            self._roll_back()
            raise
        self.records.extend(group)
        self._live.note(self._witness())
        if self._wal_size() > _FOLD_AT:
            self._fold()
        return group

    def close(self) -> None:
        """Fold everything into the one file and let go of it; closing twice is harmless."""
        if self._db is None:
            return
        self._fold()
        self._db.close()
        self._db = None
        self._live.release(remove=not wal_path(self.path).exists())

    def __enter__(self) -> Self:
        """The journal itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _seal(self, drafts: Sequence[Draft], stamp: Stamp) -> tuple[Record, ...]:
        prev = tip(self.header, self.records)
        group = self.records[-1].group + 1 if self.records else 1
        sealed: list[Record] = []
        for seq, draft in enumerate(drafts, len(self.records) + 1):
            record = seal(
                draft,
                stamp,
                seq=seq,
                group=group,
                group_size=len(drafts),
                prev=prev,
                salt=secrets.token_hex(16),
                table_id=self.header.get("table_id", ""),
                event_id=self.header.get("event_id", ""),
            )
            sealed.append(record)
            prev = record.hash
        return tuple(sealed)

    def _witness(self) -> Witness:
        return Witness(genesis(self.header), len(self.records), tip(self.header, self.records))

    def _wal_size(self) -> int:
        try:
            return wal_path(self.path).stat().st_size
        except FileNotFoundError:
            return 0

    def _roll_back(self) -> None:
        if self._db is not None and self._db.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")

    def _fold(self) -> None:
        """Move what is in the write-ahead log into the file; on a full disk it stays where it is, as safe."""
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def recover(path: str | Path, stamp: Callable[[], Stamp]) -> Journal:
    """Go on with a damaged match in a new file beside it, ``NAME.r1.podesta`` (or ``.r2`` …).

    The new file holds the records that are good, with their hashes; its header says in ``recovered_from`` and
    ``recovered_because`` where it comes from. The damaged file stays byte for byte as it is. Raises
    :class:`JournalError` when nothing is damaged, or the match header itself is lost.
    """
    path = Path(path).absolute()
    reading = read(path)
    if reading.damage is None:
        raise JournalError(f"{path}: nothing to recover: every record is good")
    first = reading.records[0].prev if reading.records else ""
    if first != genesis(reading.header) and (first or not reading.header):
        raise JournalError(f"{path}: the match header is lost, a new file cannot follow it; {reading.damage}")
    header = reading.header | {
        f"{RECOVERED}from": path.name,
        f"{RECOVERED}because": str(reading.damage),
    }
    stem = re.sub(r"\.r\d+$", "", path.stem)
    names = (path.with_name(f"{stem}.r{number}{path.suffix}") for number in itertools.count(1))
    new = next(name for name in names if not name.exists())
    with _locked(new) as live:
        _build_new(new, live, header, reading.records)
        return Journal(new, header, list(reading.records), stamp, live)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[Live]:
    """The lock on ``path``, given back with what it found if the block fails."""
    live = Live(path)
    found = live.left_over
    try:
        yield live
    except BaseException:
        live.release(remove=not found)
        raise


def _build_new(path: Path, live: Live, header: Mapping[str, str], records: Sequence[Record]) -> None:
    if path.exists():
        raise JournalError(f"{path}: a match file of that name exists")
    # SQLite would play a stray write-ahead log into the new file.
    if live.left_over or wal_path(path).exists():
        raise JournalError(
            f"{path}: what an earlier match left beside it (-wal, -live) must be moved away first"
        )
    build(path, header, records)
