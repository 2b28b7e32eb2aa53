"""Everything that can go wrong with a journal, as one tree under :class:`JournalError`."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

from device.match.records import Damage, Record


class JournalError(Exception):
    """The journal could not do what was asked; the message is one line naming the file."""


class JournalFull(JournalError):
    """The disk has no room. Nothing of the group was kept; it can be appended again once there is room."""


class JournalReadOnly(JournalError):
    """The file or its disk cannot be written."""


class JournalBusy(JournalError):
    """Another process has the journal open for writing."""


class NotAJournal(JournalError):
    """The file is something else."""


class JournalDamaged(JournalError):
    """The file is a journal, but not all of it is what was written. It is left as it is.

    ``intact`` holds the whole groups that can be trusted, ``header`` the match header (empty when it is
    lost); :func:`device.match.journal.recover` makes a new file of them.
    """

    def __init__(
        self, path: Path, damage: Damage, intact: tuple[Record, ...], header: dict[str, str]
    ) -> None:
        """Name the file, what is wrong and how much is good."""
        good = f"records 1 to {len(intact)} are good" if intact else "no record is good"
        super().__init__(f"{path}: {damage}; {good}")
        self.path = path
        self.damage = damage
        self.intact = intact
        self.header = header


_BY_CODE: dict[int, type[JournalError]] = {
    sqlite3.SQLITE_FULL: JournalFull,
    sqlite3.SQLITE_READONLY: JournalReadOnly,
    sqlite3.SQLITE_BUSY: JournalBusy,
    sqlite3.SQLITE_LOCKED: JournalBusy,
}

_BY_ERRNO: dict[int | None, type[JournalError]] = {
    errno.ENOSPC: JournalFull,
    errno.EDQUOT: JournalFull,
    errno.EROFS: JournalReadOnly,
    errno.EACCES: JournalReadOnly,
    errno.EPERM: JournalReadOnly,
}


def journal_error(path: Path, error: sqlite3.Error | OSError) -> JournalError:
    """The error of our tree that says best what SQLite or the system reported."""
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno, JournalError)(f"{path}: {error.strerror or error}")
    kind = _BY_CODE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, JournalError)
    return (_disk_trouble(path) if kind is JournalError else kind)(f"{path}: {error}")


def _disk_trouble(path: Path) -> type[JournalError]:
    """SQLite tells of many failures as "disk I/O error" only: ask the disk itself."""
    try:
        disk = os.statvfs(path)
    except OSError:
        return JournalError
    if disk.f_flag & os.ST_RDONLY:
        return JournalReadOnly
    return JournalError if disk.f_bavail else JournalFull
