"""The journal of a match: accepted entries, on the disk before anybody is told "recorded".

Each match has one file, ``NAME.podesta``, in the form of :mod:`device.match.journal_text`. A group (one OK,
some steps) is one write at the end and one sync::

    journal = Journal.create("friday.podesta", {"game": "chess"}, SystemClock().stamp)
    journal.append([Draft(kind=Kind.STEP, payload="B d3", seat=0)])
    journal.close()

Nothing is ever changed or erased: :mod:`device.match.history` explains undo. :meth:`Journal.open` verifies
the whole file and refuses a damaged one; :func:`recover` then makes a new file of its good part.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import itertools
import logging
import os
import re
import secrets
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

from msgspec.structs import replace

from device.errors import DeviceError, Exit
from device.match.journal_text import BOX, FIRST_BYTES, JournalFile, OtherFormat, decode, encode, write_line
from device.match.records import RECOVERED, Damage, Draft, Record, Signer, Stamp, find_tip, seal, seal_names
from device.texts import Said, cause_of, of_system, said

log = logging.getLogger(__name__)

SUFFIX = ".podesta"


class JournalError(DeviceError):
    """A failure of the journal; the message is one line naming the file.

    ``sure`` is False if a group was not recorded and could not be cut off either: it may be there after a
    power cut.
    """

    code = Exit.UNREADABLE
    sure = True


class JournalFull(JournalError):
    """Error raised when the disk is full. Nothing of the group was kept; append it again when it has room."""


class JournalReadOnly(JournalError):
    """Error raised when the file or its disk cannot be written."""


class JournalDamaged(JournalError):
    """Error raised for a journal that differs from what was written. The file stays as it is; ``reading`` is
    its readable part, and :func:`recover` makes a new file of its good part.
    """

    def __init__(self, path: Path, damage: Damage, reading: JournalFile) -> None:
        """Name the file, the damage and the good part."""
        super().__init__(f"{path}: {damage}; {reading.good}")
        self.damage = damage
        self.reading = reading


def tell_damage(damage: Damage) -> Said:
    """Return the text for a match with a damaged record; its detail says where and how."""
    return said("unread.damaged", detail=damage.why)


def tell_unread(error: Exception) -> Said:
    """Return the reason, from an exception, why a match is not read, replayed or written."""
    if isinstance(error, JournalDamaged):
        return tell_damage(error.damage)
    why = cause_of(error)
    return said("unread.other", detail=why) if why.key.startswith("system.") else why


def _tell_unread_file(path: str | Path, what: str) -> Said:
    """Return the text ``unread.WHAT`` about a file."""
    return said("system.at", file=str(path), why=said(f"unread.{what}"))


_BY_ERRNO: dict[int | None, type[JournalError]] = {
    errno.ENOSPC: JournalFull,
    errno.EDQUOT: JournalFull,
    errno.EROFS: JournalReadOnly,
    errno.EACCES: JournalReadOnly,
    errno.EPERM: JournalReadOnly,
}


def make_journal_error(path: Path, error: OSError) -> JournalError:
    """Return the error of this module that fits the system's error best."""
    why = said("unread.busy") if error.errno == errno.EWOULDBLOCK else of_system(error)
    return _BY_ERRNO.get(error.errno, JournalError)(said("system.at", file=str(path), why=why))


class Disk:
    """The system calls that change the disk, from :mod:`os`; tests replace them."""

    open = staticmethod(os.open)
    pwrite = staticmethod(os.pwrite)
    fdatasync = staticmethod(os.fdatasync)
    fsync = staticmethod(os.fsync)
    ftruncate = staticmethod(os.ftruncate)
    link = staticmethod(os.link)
    unlink = staticmethod(os.unlink)


DISK = Disk()


class Journal:
    """A match file open for writing, by this process alone; made by :meth:`create` or :meth:`open`.

    ``header`` has the facts of the match, ``records`` all of its records in order; both are read-only.
    ``cut`` is the number of bytes of an incomplete last group, which opening cut off. One thread at a time
    may append (in the daemon that of :class:`device.match.referee.Writer`).
    """

    def __init__(
        self,
        path: Path,
        reading: JournalFile,
        stamp: Callable[[], Stamp],
        file: int,
        disk: Disk,
        signer: Signer | None,
    ) -> None:
        """Take over an open journal; not for callers: ``file`` is locked and holds a sound ``reading``."""
        self.path = path
        self.header = reading.header
        self.records = list(reading.records)
        self.cut = reading.unfinished
        self._stamp = stamp
        self._disk = disk
        self._signer = signer
        self._file: int | None = file
        self._size = os.fstat(file).st_size - reading.unfinished
        self._settled = False
        """True if the file ends at ``_size`` and all of it is on the disk."""
        self._settle()  # a killed process may have left bytes in memory only

    @classmethod
    def create(
        cls,
        path: str | Path,
        header: Mapping[str, str],
        stamp: Callable[[], Stamp],
        *,
        disk: Disk = DISK,
        signer: Signer | None = None,
    ) -> Journal:
        """Start a match in a new file; the signer's key becomes part of the header.

        Raises :class:`JournalError` if the file exists; :class:`JournalFull` or :class:`JournalReadOnly` if
        the disk does not take it.
        """
        path = Path(path).absolute()
        facts = dict(header)
        if signer:
            try:
                facts["box_key"] = signer.public
            except OSError as error:
                log.error("the match is not signed: %s", error)
        _create_durably(path, encode(seal_names(facts, lambda: secrets.token_hex(16))), disk)
        try:
            return cls.open(path, stamp, disk=disk, signer=signer)
        except BaseException:
            _remove(path, disk)
            raise

    @classmethod
    def open(
        cls,
        path: str | Path,
        stamp: Callable[[], Stamp],
        *,
        disk: Disk = DISK,
        signer: Signer | None = None,
    ) -> Journal:
        """Continue a match: verify the whole file, and cut off an incomplete group.

        ``signer``, if given, signs the groups from now on.

        Raises :class:`JournalDamaged`, :class:`JournalReadOnly` or another :class:`JournalError`, also for a
        file that is something else or in use; the file is unchanged then.
        """
        path = Path(path).absolute()
        file = _open(path, os.O_RDWR)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            reading = _read_open(path, file)
            if reading.damage:
                raise JournalDamaged(path, reading.damage, reading)
            if reading.view != BOX:
                raise JournalError(f"{path}: an export, which nobody can play on")
            return cls(path, reading, stamp, file, disk, signer)
        except BaseException as error:
            os.close(file)
            if isinstance(error, OSError):
                raise make_journal_error(path, error) from error
            raise

    def append(self, drafts: Sequence[Draft], stamp: Stamp | None = None) -> tuple[Record, ...]:
        """Record a group that happened at ``stamp``, by default now; return once it is on the disk.

        Raises :class:`JournalFull`, :class:`JournalReadOnly` or another :class:`JournalError` if the disk did
        not take it, ValueError for text that is not Unicode. Then nothing of the group is recorded, unless
        the error is not ``sure``, and it may be appended again.
        """
        if self._file is None:
            raise JournalError(f"{self.path}: the journal is closed")
        group = self._seal(drafts, stamp or self._stamp())
        data = b"".join(map(write_line, group))
        try:
            self._settle()
            self._settled = False
            _write(self._disk, self._file, data, self._size)
            self._disk.fdatasync(self._file)
        except OSError as error:
            # Half-written bytes must not be found later and taken for recorded.
            touched = os.fstat(self._file).st_size != self._size
            with contextlib.suppress(OSError, JournalError):
                self._settle()
            failed = make_journal_error(self.path, error)
            failed.sure = self._settled or not touched
            raise failed from error
        self._settled = True
        self._size += len(data)
        self.records.extend(group)
        return group

    def close(self) -> None:
        """Release the file; closing twice is harmless."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def __enter__(self) -> Self:
        """Return the journal itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _settle(self) -> None:
        """Cut off what a failed write left; raises JournalError if the file is not the one we wrote.

        After a failed sync the kernel marks the pages clean, so a second sync reports success for bytes that
        never reached the disk. So cut them off, to be written again.
        """
        assert self._file is not None
        if not self._settled:
            self._disk.ftruncate(self._file, self._size)
            self._disk.fdatasync(self._file)
            self._settled = True
        ours, there = os.fstat(self._file), os.stat(self.path)
        if not os.path.samestat(ours, there) or ours.st_size != self._size:
            raise JournalError(_tell_unread_file(self.path, "changed"))

    def _seal(self, drafts: Sequence[Draft], stamp: Stamp) -> tuple[Record, ...]:
        prev = find_tip(self.header, self.records)
        group = self.records[-1].group + 1 if self.records else 1
        ids = {name: self.header.get(name, "") for name in ("table_id", "event_id")}
        sealed: list[Record] = []
        for seq, draft in enumerate(drafts, len(self.records) + 1):
            place = {"seq": seq, "group": group, "group_size": len(drafts), "prev": prev, **ids}
            sealed.append(seal(draft, stamp, salt=secrets.token_hex(16), **place))
            prev = sealed[-1].hash
        return (*sealed[:-1], self._sign(sealed[-1]))

    def _sign(self, record: Record) -> Record:
        """Return a group's last record with its signature; a missing key stops no match."""
        if not self._signer:
            return record
        try:
            public, signature = self._signer.public, self._signer.sign(record.hash)
        except OSError as error:
            log.error("record %d is not signed: %s", record.seq, error)
            return record
        signer = "" if public == self.header.get("box_key") else public
        return replace(record, signer=signer, signature=signature)


def read(path: str | Path) -> JournalFile:
    """Read and verify a journal or an export of one, also an open or damaged one; write nothing.

    Raises :class:`JournalError` if it is something else, or cannot be read at all.
    """
    path = Path(path)
    file = _open(path, os.O_RDONLY)
    try:
        return _read_open(path, file)
    except OSError as error:
        raise make_journal_error(path, error) from error
    finally:
        os.close(file)


def parse(data: bytes, name: str | Path) -> JournalFile:
    """Verify the bytes of a journal or an export of one, the file ``name``; raise :class:`JournalError` for
    others.
    """
    if not data:
        raise JournalError(_tell_unread_file(name, "empty"))
    try:
        reading = decode(data)
    except OtherFormat as error:
        raise JournalError(f"{name}: {error}") from error
    if not reading.header and not reading.beyond and not data.startswith(FIRST_BYTES):
        raise JournalError(_tell_unread_file(name, "no_match"))
    return reading


def read_heading(path: Path) -> Mapping[str, str]:
    """Return the header of a journal from its first line alone, empty if that cannot be read."""
    try:
        with os.fdopen(_open(path, os.O_RDONLY), "rb") as file:
            return decode(file.readline()).header
    except (JournalError, OtherFormat, OSError):
        return {}


def recover(path: str | Path, stamp: Callable[[], Stamp], *, signer: Signer | None = None) -> Journal:
    """Continue a damaged match in a new file beside it, ``NAME.r1.podesta`` (or ``.r2`` …).

    The new file holds the good records with their hashes; its header tells the origin in ``recovered_from``
    and ``recovered_because``. The damaged file stays byte for byte as it is. Raises :class:`JournalError` if
    nothing is damaged, or the match header itself is lost.
    """
    path = Path(path).absolute()
    reading = read(path)
    if reading.damage is None:
        raise JournalError(_tell_unread_file(path, "good"))
    if not reading.header:
        raise JournalError(f"{path}: the match header is lost, a new file cannot follow it; {reading.damage}")
    header = reading.header | {f"{RECOVERED}from": path.name, f"{RECOVERED}because": str(reading.damage)}
    stem = re.sub(r"\.r\d+$", "", path.stem)
    names = (path.with_name(f"{stem}.r{number}{path.suffix}") for number in itertools.count(1))
    new = next(name for name in names if not name.exists())
    _create_durably(new, encode(header, reading.records), DISK)
    return Journal.open(new, stamp, signer=signer)


def _open(path: Path, flags: int) -> int:
    """Return the descriptor of a plain file; opening a pipe would wait for its other end."""
    try:
        file = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise JournalError(_tell_unread_file(path, "absent")) from None
    except OSError as error:
        raise make_journal_error(path, error) from error
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise JournalError(_tell_unread_file(path, "not_plain"))
    return file


def _read_open(path: Path, file: int) -> JournalFile:
    return parse(os.pread(file, os.fstat(file).st_size, 0), path)


def _create_durably(path: Path, data: bytes, disk: Disk) -> None:
    """Make a file that appears under its name whole and durable, or not at all."""
    fresh = path.with_name(f".{path.name}.new")
    linked = False
    try:
        with contextlib.suppress(FileNotFoundError):
            disk.unlink(fresh)
        file = disk.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            _write(disk, file, data, 0)
            disk.fsync(file)
        finally:
            os.close(file)
        disk.link(fresh, path)
        linked = True
        disk.unlink(fresh)
        folder = disk.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            disk.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        _remove(fresh, disk)
        if linked:
            _remove(path, disk)
        if isinstance(error, FileExistsError):
            raise JournalError(_tell_unread_file(path, "exists")) from None
        raise make_journal_error(path, error) from error


def _write(disk: Disk, file: int, data: bytes, at: int) -> None:
    """Write all of ``data``: the system may take only a part at once."""
    rest = memoryview(data)
    while rest:
        written = disk.pwrite(file, rest, at)
        rest, at = rest[written:], at + written


def _remove(path: Path, disk: Disk) -> None:
    with contextlib.suppress(OSError):
        disk.unlink(path)
