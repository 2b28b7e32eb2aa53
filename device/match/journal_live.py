"""The small file ``NAME.podesta-live`` beside a journal that is open: who writes, and how far it is recorded.

It is there while the journal is open and after a crash; a clean close removes it. It does two things.

*Lock.* The writer holds an exclusive ``flock`` on it, which the kernel drops when the process dies.

*Witness.* After each group is on the disk, the number and hash of its last record are noted here. SQLite
quietly leaves out everything behind the first bad byte of a write-ahead log, as if it had never been
written; the witness knows better. It is written without waiting for the disk: after a power cut it may
lag behind the journal, it is never ahead of it.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from pathlib import Path

import msgspec

from device.match.journal_errors import JournalBusy, journal_error

_WORD = "podesta-live-1"


class Witness(msgspec.Struct, frozen=True):
    """What is on the disk: the match (its header's digest), its last record's number (0: none) and hash."""

    genesis: str
    seq: int
    hash: str


def live_path(path: Path) -> Path:
    """The file beside ``path``."""
    return path.with_name(path.name + "-live")


def read_witness(path: Path) -> Witness | None:
    """The witness of the journal at ``path``; None when there is none or it cannot be trusted itself."""
    try:
        return _parse(live_path(path).read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise journal_error(live_path(path), error) from error


def _line(witness: Witness) -> bytes:
    text = f"{_WORD} {witness.genesis} {witness.seq:010d} {witness.hash}"
    return f"{text} {hashlib.sha256(text.encode()).hexdigest()}\n".encode()


def _parse(raw: bytes) -> Witness | None:
    words = raw.decode("ascii", "replace").split()
    if len(words) != 5 or not words[2].isdigit():
        return None
    witness = Witness(words[1], int(words[2]), words[3])
    return witness if raw == _line(witness) else None


class Live:
    """The file held open and locked by the one writer of the journal at ``path``.

    Raises :class:`JournalBusy` when another writer holds it, :class:`JournalReadOnly` or
    :class:`JournalFull` when it cannot be made.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock, making the file if it is not there."""
        self._path = live_path(path)
        try:
            self._file = self._locked()
        except BlockingIOError:
            raise JournalBusy(f"{path}: another process has it open for writing") from None
        except OSError as error:
            raise journal_error(self._path, error) from error

    def _locked(self) -> int:
        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # A writer that closed in between has removed this very file: lock the one now there.
                if os.path.samestat(os.fstat(file), os.stat(self._path)):
                    return file
            except FileNotFoundError:
                pass
            except BaseException:
                os.close(file)
                raise
            os.close(file)

    @property
    def left_over(self) -> bool:
        """Whether an earlier writer left its witness here."""
        return os.fstat(self._file).st_size > 0

    def note(self, witness: Witness) -> None:
        """Note how far the journal is recorded; a disk that refuses leaves the older witness, still true."""
        with contextlib.suppress(OSError):
            os.pwrite(self._file, _line(witness), 0)

    def release(self, *, remove: bool) -> None:
        """Give up the lock; ``remove`` the file when all is in the journal itself."""
        if remove:
            with contextlib.suppress(OSError):
                self._path.unlink()
        os.close(self._file)
