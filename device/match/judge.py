"""The judge's PIN: it proves that a person at the box is the judge, and limits the guesses.

::

    STATE/judge          the PIN as a salted scrypt hash; written only when it is set, at a shell
    STATE/judge-tries    the number of wrong tries in a row, and the end of the lock

Three wrong tries in a row lock for a minute, also over a restart: a reboot restarts the clock, and the
minute. A try counts before it is compared, so pulling the plug gains none. A file that cannot be read or
understood locks until the PIN is set again: no fault of a file or a disk ever opens. The PIN itself is in no
file, message or log.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import logging
import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from device.errors import DeviceError
from device.files import read_file, replace_file
from device.match.records import Stamp
from device.texts import of_system, said

log = logging.getLogger(__name__)

TRIES = 3
LOCK_MS = 60_000

_Kept = TypeVar("_Kept", bound=msgspec.Struct)


class JudgeError(DeviceError):
    """Error raised when no PIN can be tried until one is set at a shell; one line naming the file."""


class Unlocked(msgspec.Struct, frozen=True):
    """The right PIN."""


class WrongPin(msgspec.Struct, frozen=True):
    """A wrong PIN; ``tries_left`` ≥ 1 before a lock of a minute."""

    tries_left: int


class Locked(msgspec.Struct, frozen=True):
    """A lock for ``seconds`` ≥ 1; the PIN was not compared, or was wrong."""

    seconds: int


class _Secret(msgspec.Struct, frozen=True):
    salt: str
    hash: str
    format: Literal[1] = 1

    def __repr__(self) -> str:
        return "_Secret(…)"  # four digits are soon guessed from their hash


class _Tries(msgspec.Struct, frozen=True):
    """The wrong tries in a row for the PIN with this ``salt``; ``until_ms`` is of ``boot_id``."""

    salt: str
    wrong: Annotated[int, Meta(ge=0, le=TRIES)] = 0
    until_ms: int = 0
    boot_id: str = ""
    format: Literal[1] = 1


def write_pin(pin: str) -> bytes:
    """Return a PIN as ``STATE/judge`` keeps it, salted and hashed; raises ValueError unless it is 4 to 8
    digits.
    """
    if not (4 <= len(pin) <= 8 and pin.isascii() and pin.isdigit()):
        raise ValueError("a judge's PIN is 4 to 8 digits")
    salt = secrets.token_hex(16)
    return _write_text(_Secret(salt, _hash(pin, salt)))


class Judge:
    """The PIN kept in one state directory.

    :meth:`unlock` and :meth:`set` take a tenth of a second on a Raspberry Pi and wait for the disk: beside an
    event loop, call them in a thread. They are thread-safe.
    """

    def __init__(self, state_dir: Path, stamp: Callable[[], Stamp]) -> None:
        """Read the files; a lock that a reboot cut short gets a new minute. Raises nothing."""
        self._secret = state_dir / "judge"
        self._tries = state_dir / "judge-tries"
        self._stamp = stamp
        self._unwritten: _Tries | None = None
        self._busy = threading.Lock()
        with contextlib.suppress(JudgeError):
            self.find_wait_s()

    @property
    def is_set(self) -> bool:
        """True if a judge must enter a PIN, also if the file cannot be understood."""
        try:
            self._secret.lstat()
        except FileNotFoundError:
            return False
        except OSError:
            pass
        return True

    def set(self, pin: str) -> None:
        """Set the PIN to ``pin``, 4 to 8 digits, and lift a lock.

        Raises ValueError for anything else, OSError if the disk does not take it: the old PIN holds then.
        """
        kept = write_pin(pin)
        with self._busy:
            self._secret.parent.mkdir(0o700, parents=True, exist_ok=True)
            replace_file(self._secret, kept)
            self._tries.unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove the PIN; raises OSError if the disk does not take it."""
        with self._busy:
            self._secret.unlink(missing_ok=True)
            self._tries.unlink(missing_ok=True)

    def find_wait_s(self) -> int:
        """Return the seconds until somebody may try, 0 if now.

        Raises :class:`JudgeError` if there is no PIN, or a file cannot be read or understood.
        """
        with self._busy:
            return self._count_seconds(self._read_tries(self._read_pin().salt))

    def unlock(self, pin: str) -> Unlocked | WrongPin | Locked:
        """Try ``pin``; raises :class:`JudgeError` as :meth:`find_wait_s`.

        A disk that refuses writes changes nothing: memory keeps the tries.
        """
        with self._busy:
            kept = self._read_pin()
            tries = self._read_tries(kept.salt)
            if seconds := self._count_seconds(tries):
                return Locked(seconds)
            now = self._stamp()
            wrong = tries.wrong % TRIES + 1  # after a lock the count begins again
            until = now.mono_ms + LOCK_MS if wrong == TRIES else 0
            tries = _Tries(kept.salt, wrong, until, now.boot_id)
            self._store_tries(tries)
            if hmac.compare_digest(_hash(pin, kept.salt), kept.hash):
                self._store_tries(_Tries(kept.salt))
                return Unlocked()
            return Locked(self._count_seconds(tries)) if wrong == TRIES else WrongPin(TRIES - wrong)

    def _read_pin(self) -> _Secret:
        secret = _read(self._secret, _Secret)
        if secret is None:
            raise JudgeError(said("pin.not_set"))
        return secret

    def _read_tries(self, salt: str) -> _Tries:
        """Return the tries for the PIN with this ``salt``; a lock of an earlier boot gets a new minute."""
        found = _read(self._tries, _Tries)
        tries = found if found and found.salt == salt else _Tries(salt)
        if self._unwritten and self._unwritten.salt == salt:
            tries = self._unwritten
        now = self._stamp()
        if tries.wrong >= TRIES and tries.boot_id != now.boot_id:
            tries = _Tries(salt, tries.wrong, now.mono_ms + LOCK_MS, now.boot_id)
            self._store_tries(tries)
        return tries

    def _count_seconds(self, tries: _Tries) -> int:
        left = min(tries.until_ms - self._stamp().mono_ms, LOCK_MS) if tries.wrong >= TRIES else 0
        return -(-max(left, 0) // 1000)

    def _store_tries(self, tries: _Tries) -> None:
        self._unwritten = tries
        try:
            replace_file(self._tries, _write_text(tries))
        except OSError as error:
            log.warning("%s: kept in memory only: %s", self._tries, error.strerror or error)
        else:
            self._unwritten = None


def _hash(pin: str, salt: str) -> str:
    raw = pin.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(raw, salt=salt.encode(), n=2**14, r=8, p=1, dklen=32).hex()


def _write_text(kept: msgspec.Struct) -> bytes:
    """Write one line of JSON and its digest, which shows any changed byte."""
    line = msgspec.json.encode(kept)
    return b"%b\n%b\n" % (line, hashlib.sha256(line).hexdigest().encode())


def _read(path: Path, kind: type[_Kept]) -> _Kept | None:
    """Return the value in a file, None if there is no file."""
    try:
        raw = read_file(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JudgeError(said("pin.unread", file=path, detail=of_system(error))) from None
    try:
        kept = msgspec.json.decode(raw.partition(b"\n")[0], type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        kept = None
    if kept is None or _write_text(kept) != raw:
        raise JudgeError(said("pin.altered", file=path))
    return kept
