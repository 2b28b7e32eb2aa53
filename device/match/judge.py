"""The judge's PIN: how a person at the box shows to be the judge, and how often one may guess.

::

    STATE/judge          the PIN as a salted scrypt hash; written only where it is set, at a shell
    STATE/judge-tries    how many wrong ones came in a row, and until when nobody may try

Three wrong in a row lock for a minute, also over a restart of the box: after a reboot, whose clock begins
anew, the minute does too. A try counts before it is looked at, so that pulling the plug gains none. What is
on the disk and cannot be understood, or not be read, locks until the PIN is set anew: nothing that goes wrong
with a file or a disk ever opens. The PIN itself is in no file, message or log.
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
    """No PIN can be tried until one is set at a shell; the message is one line naming the file."""


class Unlocked(msgspec.Struct, frozen=True):
    """The right PIN."""


class WrongPin(msgspec.Struct, frozen=True):
    """Wrong PIN; ``tries_left`` ≥ 1 before nobody may try for a minute."""

    tries_left: int


class Locked(msgspec.Struct, frozen=True):
    """Nobody may try for ``seconds`` ≥ 1; what was entered was not looked at, or was wrong."""

    seconds: int


class _Secret(msgspec.Struct, frozen=True):
    salt: str
    hash: str
    format: Literal[1] = 1

    def __repr__(self) -> str:
        return "_Secret(…)"  # four digits are soon guessed from their hash


class _Tries(msgspec.Struct, frozen=True):
    """``salt`` says which PIN they were for; ``until_ms`` is on the clock of ``boot_id``."""

    salt: str
    wrong: Annotated[int, Meta(ge=0, le=TRIES)] = 0
    until_ms: int = 0
    boot_id: str = ""
    format: Literal[1] = 1


def kept_pin(pin: str) -> bytes:
    """Return a PIN as ``STATE/judge`` keeps it, salted and hashed; raises ValueError for none."""
    if not (4 <= len(pin) <= 8 and pin.isascii() and pin.isdigit()):
        raise ValueError("a judge's PIN is 4 to 8 digits")
    salt = secrets.token_hex(16)
    return _text(_Secret(salt, _hash(pin, salt)))


class Judge:
    """The PIN kept in one state directory.

    :meth:`unlock` and :meth:`set` take a tenth of a second of a Raspberry Pi's time and wait for the disk:
    on an event loop call them in a thread. Any number of threads may.
    """

    def __init__(self, state_dir: Path, stamp: Callable[[], Stamp]) -> None:
        """Read what is there; a lock that a reboot cut short gets a new minute. Raises nothing."""
        self._secret = state_dir / "judge"
        self._tries = state_dir / "judge-tries"
        self._stamp = stamp
        self._unwritten: _Tries | None = None
        self._busy = threading.Lock()
        with contextlib.suppress(JudgeError):
            self.locked_for()

    @property
    def is_set(self) -> bool:
        """Return True if a judge must show a PIN: also where the file cannot be understood."""
        try:
            self._secret.lstat()
        except FileNotFoundError:
            return False
        except OSError:
            pass
        return True

    def set(self, pin: str) -> None:
        """Let ``pin``, 4 to 8 digits, be the PIN from now on; what was locked is open to a new try.

        Raises ValueError for anything else, OSError when the disk does not take it: the old one holds then.
        """
        kept = kept_pin(pin)
        with self._busy:
            self._secret.parent.mkdir(0o700, parents=True, exist_ok=True)
            replace_file(self._secret, kept)
            self._tries.unlink(missing_ok=True)

    def clear(self) -> None:
        """Have no PIN from now on; raises OSError when the disk does not take it."""
        with self._busy:
            self._secret.unlink(missing_ok=True)
            self._tries.unlink(missing_ok=True)

    def locked_for(self) -> int:
        """Return for how many seconds nobody may try, 0 if one may.

        Raises :class:`JudgeError` when there is no PIN, or a file cannot be read or understood.
        """
        with self._busy:
            return self._seconds(self._so_far(self._kept().salt))

    def unlock(self, pin: str) -> Unlocked | WrongPin | Locked:
        """Try ``pin``; raises :class:`JudgeError` as :meth:`locked_for`.

        A disk that takes no more writes changes nothing: what it does not keep is kept in memory.
        """
        with self._busy:
            kept = self._kept()
            tries = self._so_far(kept.salt)
            if seconds := self._seconds(tries):
                return Locked(seconds)
            now = self._stamp()
            wrong = tries.wrong % TRIES + 1  # after a lock that is over they begin again
            until = now.mono_ms + LOCK_MS if wrong == TRIES else 0
            tries = _Tries(kept.salt, wrong, until, now.boot_id)
            self._note(tries)
            if hmac.compare_digest(_hash(pin, kept.salt), kept.hash):
                self._note(_Tries(kept.salt))
                return Unlocked()
            return Locked(self._seconds(tries)) if wrong == TRIES else WrongPin(TRIES - wrong)

    def _kept(self) -> _Secret:
        secret = _read(self._secret, _Secret)
        if secret is None:
            raise JudgeError(said("pin.not_set"))
        return secret

    def _so_far(self, salt: str) -> _Tries:
        """Return the tries for the PIN with this ``salt``; a lock of an earlier boot gets a new minute."""
        found = _read(self._tries, _Tries)
        tries = found if found and found.salt == salt else _Tries(salt)
        if self._unwritten and self._unwritten.salt == salt:
            tries = self._unwritten
        now = self._stamp()
        if tries.wrong >= TRIES and tries.boot_id != now.boot_id:
            tries = _Tries(salt, tries.wrong, now.mono_ms + LOCK_MS, now.boot_id)
            self._note(tries)
        return tries

    def _seconds(self, tries: _Tries) -> int:
        left = min(tries.until_ms - self._stamp().mono_ms, LOCK_MS) if tries.wrong >= TRIES else 0
        return -(-max(left, 0) // 1000)

    def _note(self, tries: _Tries) -> None:
        self._unwritten = tries
        try:
            replace_file(self._tries, _text(tries))
        except OSError as error:
            log.warning("%s: kept in memory only: %s", self._tries, error.strerror or error)
        else:
            self._unwritten = None


def _hash(pin: str, salt: str) -> str:
    raw = pin.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(raw, salt=salt.encode(), n=2**14, r=8, p=1, dklen=32).hex()


def _text(kept: msgspec.Struct) -> bytes:
    """Write one line of JSON and its own digest: a byte that is not as it was written is noticed."""
    line = msgspec.json.encode(kept)
    return b"%b\n%b\n" % (line, hashlib.sha256(line).hexdigest().encode())


def _read(path: Path, kind: type[_Kept]) -> _Kept | None:
    """Return a file's text, None when there is none."""
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
    if kept is None or _text(kept) != raw:
        raise JudgeError(said("pin.altered", file=path))
    return kept
