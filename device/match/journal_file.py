"""The file a match is kept in: its tables, how a new one is made, how one is read without touching it.

One SQLite file per match, ``NAME.podesta``. Table ``record`` has one row per record, with the columns of
:class:`device.match.records.Record`. The match header stands in ``header`` and again in ``header_copy``, on a
page of its own, because nothing verifies without it. ``head`` has one row, the number and hash of the last
record and the header's digest, and shows when records are missing at the end.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

import msgspec

from device.match.journal_errors import JournalBusy, JournalError, NotAJournal, journal_error
from device.match.journal_live import Witness, read_witness
from device.match.journal_salvage import COLUMNS, PAGE_SIZE, header_from_text, record_from_row, salvage
from device.match.records import Damage, Record, genesis, intact, verify

SUFFIX = ".podesta"

_APPLICATION_ID = 0x506F6465  # "Pode", so that `file` and a damaged first page can still name it
_FORMAT = 1

_SCHEMA = (
    """CREATE TABLE record (
  seq INTEGER PRIMARY KEY, "group" INTEGER, group_size INTEGER, kind TEXT, payload TEXT, seat INTEGER,
  channel TEXT, visibility TEXT, confidence_ppm INTEGER, state_digest TEXT, simulated INTEGER,
  grammar INTEGER, salt TEXT, payload_digest TEXT, evidence_digest TEXT, utc_ms INTEGER,
  mono_ms INTEGER, boot_id TEXT, table_id TEXT, event_id TEXT, prev TEXT, hash TEXT
) STRICT""",
    "CREATE TABLE header (json TEXT) STRICT",
    "CREATE TABLE header_copy (json TEXT) STRICT",
    "CREATE TABLE head (seq INTEGER, hash TEXT, genesis TEXT) STRICT",
)
INSERT = f"INSERT INTO record VALUES ({', '.join('?' * len(COLUMNS))})"

# What the first page of every journal begins with; the bytes left out count changes and pages.
# https://www.sqlite.org/fileformat2.html section 1.3
_FIRST_BYTES = {
    0: b"SQLite format 3\0" + PAGE_SIZE.to_bytes(2, "big") + bytes((2, 2, 0, 64, 32, 32)),
    32: bytes(8),
    44: b"".join(n.to_bytes(4, "big") for n in (4, 0, 0, 1, _FORMAT, 0, _APPLICATION_ID)),
}


class Reading(msgspec.Struct, frozen=True):
    """What a file holds: with ``damage``, ``records`` are the whole groups that can be trusted all the same.

    ``header`` is empty when it is lost.
    """

    header: dict[str, str]
    records: tuple[Record, ...]
    damage: Damage | None


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open SQLite without its own ideas about transactions, waiting and threads."""
    return sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}",
        uri=True,
        isolation_level=None,
        timeout=0,
        check_same_thread=False,
    )


def wal_path(path: Path) -> Path:
    """The write-ahead log beside ``path``."""
    return path.with_name(path.name + "-wal")


def tip(header: Mapping[str, str], records: Sequence[Record]) -> str:
    """The hash the next record will be chained to."""
    return records[-1].hash if records else genesis(header)


def build(path: Path, header: Mapping[str, str], records: Sequence[Record] = ()) -> None:
    """Make a journal file that appears under its name whole and durable, or not at all.

    The caller holds the lock and has seen that nothing of that name exists.
    """
    unfinished = path.with_name(f".{path.name}.new")
    try:
        unfinished.unlink(missing_ok=True)
        with contextlib.closing(connect(unfinished, "rwc")) as db:
            db.execute(f"PRAGMA page_size = {PAGE_SIZE}")
            db.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {_FORMAT}")
            db.execute("BEGIN")
            for statement in _SCHEMA:
                db.execute(statement)
            text = msgspec.json.encode(dict(header)).decode()
            db.execute("INSERT INTO header VALUES (?)", (text,))
            db.execute("INSERT INTO header_copy VALUES (?)", (text,))
            db.executemany(INSERT, (msgspec.structs.astuple(record) for record in records))
            head = (len(records), tip(header, records), genesis(header))
            db.execute("INSERT INTO head VALUES (?, ?, ?)", head)
            db.execute("COMMIT")
            db.execute("PRAGMA journal_mode = WAL")
        _sync(unfinished)
        unfinished.rename(path)
        _sync(path.parent)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise journal_error(path, error) from error


def _sync(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def read(path: str | Path) -> Reading:
    """Read and verify a journal, also one that is open or damaged, without writing anything beside it.

    The process that has it open reads :attr:`Journal.records` instead: closing the file here would loosen
    SQLite's own lock in that process (ours, on the ``-live`` file, stays).

    Raises :class:`NotAJournal` for a file that never was one, :class:`JournalBusy` when its writer is too
    quick to be followed, :class:`JournalError` when it cannot be read at all.
    """
    path = Path(path)
    witness = read_witness(path)  # before the rest: what it says is on the disk by then
    main, wal = _snapshot(path)
    if not main:
        raise NotAJournal(f"{path}: not a match file: it is empty")
    header, records, wrong = _query(path, main, wal)
    damage = wrong or _contradiction(witness, header, records)
    if damage is None:
        return Reading(header, tuple(records), None)
    saved = salvage(main, wal)
    if saved.header is None and not saved.records and not _claims_to_be_ours(main):
        raise NotAJournal(f"{path}: not a match file")
    if saved.header is None:
        return Reading({}, saved.records, damage)
    best = max(saved.records, intact(saved.header, records), key=len)
    if wrong is None and witness and len(records) < witness.seq:
        damage = _contradiction(witness, saved.header, best) or _found_again(witness, records)
    return Reading(saved.header, best, damage)


def _snapshot(path: Path) -> tuple[bytes, bytes]:
    """The file and its write-ahead log as they are at one moment."""
    try:
        for _ in range(20):
            before = _state(path), _state(wal_path(path))
            main = path.read_bytes()
            wal = b""
            with contextlib.suppress(FileNotFoundError):
                wal = wal_path(path).read_bytes()
            if before == (_state(path), _state(wal_path(path))):
                return main, wal
    except OSError as error:
        raise journal_error(path, error) from error
    raise JournalBusy(f"{path}: it is being written too quickly to be read; try again")


def _state(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return found.st_size, found.st_mtime_ns


def _claims_to_be_ours(main: bytes) -> bool:
    return main[68:72] == _APPLICATION_ID.to_bytes(4, "big")


def _query(path: Path, main: bytes, wal: bytes) -> tuple[dict[str, str], list[Record], Damage | None]:
    """Let SQLite read a copy, so that its own repairs never touch the file."""
    records: list[Record] = []
    header: dict[str, str] = {}
    try:
        with _copy(main, wal) as copy, contextlib.closing(connect(copy, "rw")) as db:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")  # no shared-memory file
            (text,) = db.execute("SELECT json FROM header").fetchone()
            header = header_from_text(text)
            for row in db.execute("SELECT * FROM record ORDER BY seq"):
                records.append(record_from_row(row))
            damage = (
                _first_page_damage(main)
                or verify(header, records)
                or _schema_damage(db)
                or _differences(db, text, (len(records), tip(header, records), genesis(header)))
                or _structure_damage(db)
            )
    except (sqlite3.Error, ValueError, TypeError) as error:
        earlier = verify(header, records)
        if earlier and earlier.seq > len(records):
            earlier = None  # it lacks only what could not be read
        damage = _first_page_damage(main) or earlier or Damage(len(records) + 1, _unreadable(error))
    except OSError as error:
        raise JournalError(f"{path}: no room to check a copy of it: {error.strerror or error}") from error
    return header, records, damage


def _unreadable(error: Exception) -> str:
    """Why a row was not read, without the row's text: it may be private and is not fit to be shown."""
    if isinstance(error, sqlite3.Error) and "decode" not in str(error):
        return "SQLite cannot read it: " + " ".join(str(error).split())
    return "its row is not what was written"


@contextlib.contextmanager
def _copy(main: bytes, wal: bytes) -> Iterator[Path]:
    # Memory first: a full SD card must not keep a match from being read.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="podesta-", dir=memory) as folder:
        copy = Path(folder, "copy")
        copy.write_bytes(main)
        if wal:
            wal_path(copy).write_bytes(wal)
        yield copy


def _first_page_damage(main: bytes) -> Damage | None:
    if all(main[at : at + len(expected)] == expected for at, expected in _FIRST_BYTES.items()):
        return None
    return Damage(0, "the file does not begin as a match file of this format does", page=1)


def _schema_damage(db: sqlite3.Connection) -> Damage | None:
    tables = db.execute("SELECT sql FROM sqlite_schema ORDER BY rootpage").fetchall()
    if tables == [(statement,) for statement in _SCHEMA]:
        return None
    return Damage(0, "the tables are not as they were made", page=1)


def _differences(db: sqlite3.Connection, header: str, head: tuple[int, str, str]) -> Damage | None:
    if db.execute("SELECT json FROM header_copy").fetchall() != [(header,)]:
        return Damage(0, "the two copies of the match header differ")
    heads = db.execute("SELECT * FROM head").fetchall()
    if heads != [head]:
        return Damage(
            head[0] + 1, f"the records end at {head[0]}, the file says at {heads[0][0] if heads else '?'}"
        )
    return None


def _structure_damage(db: sqlite3.Connection) -> Damage | None:
    """What SQLite finds wrong with the pages themselves, which could bite when more is written."""
    found = str(db.execute("PRAGMA integrity_check(1)").fetchone()[0])
    if found == "ok":
        return None
    page = re.search(r"page (\d+)", found, re.IGNORECASE)
    return Damage(0, " ".join(found.split()), page=int(page[1]) if page else 0)


def _contradiction(
    witness: Witness | None, header: Mapping[str, str], records: Sequence[Record]
) -> Damage | None:
    if witness is None:
        return None
    if witness.genesis != genesis(header):
        return Damage(0, "the -live file beside it belongs to another match")
    if witness.seq > len(records):
        return Damage(len(records) + 1, f"missing: the match was recorded up to {witness.seq}")
    if witness.hash != tip(header, records[: witness.seq]):
        return Damage(witness.seq, "not the record that was written here")
    return None


def _found_again(witness: Witness, records: Sequence[Record]) -> Damage:
    """The log was cut within its last group, behind the pages with its records."""
    what = f"cut off, and found again in the log: the match was recorded up to {witness.seq}"
    return Damage(len(records) + 1, what)
