"""Phones that act for seats: a code shown at the box, typed on the phone, and the token that the phone keeps.

A phone asks for a seat and gets a secret of its own. The box shows six digits; typing them on that phone
proves that its owner sits at the table. The phone then keeps a token; the box keeps only its hash.

::

    pairings.ask(secret, 1)                  # the box shows pairings.asking.code
    token = pairings.enter(secret, "271828")
    pairings.find_phone(token)               # its name, and its seats: (1,)
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from device.errors import DeviceError
from device.files import read_file, replace_file
from device.texts import said

log = logging.getLogger(__name__)

CODE_S: Final = 120.0
"""The lifetime of a code in s."""
TRIES: Final = 5
"""The most wrong tries of a code; the wait between tries doubles each time."""
WAIT_S: Final = 1.0
AGAIN_S: Final = 10.0
"""The wait in s after a code that was guessed wrong, doubled with each further one. After a code that nobody
typed, only phones at the same address wait.
"""
LONGEST_S: Final = 600.0
GUESTS: Final = 256
"""The most addresses to remember that asked in vain."""
GUESSED: Final = "*"
"""The key of the wait that holds for all addresses."""
DIGITS: Final = 6


class PairingError(DeviceError):
    """The reason why a phone is not paired, in one sentence."""


class SeatAsked(msgspec.Struct, frozen=True):
    """A phone's request for a ``seat``: the ``code`` that the box shows, the hash of the phone's secret, its
    address ``guest``, the end of the code (s of a clock that never jumps), the number of wrong tries, and the
    time of the next.
    """

    seat: int
    code: str
    secret: str
    guest: str
    until: float
    wrong: int = 0
    open_at: float = 0.0


class Phone(msgspec.Struct, frozen=True):
    """A paired phone: its name in the records, the hash of its token, and its seats."""

    name: str
    token: str
    seats: tuple[int, ...]


class _PhoneFile(msgspec.Struct, frozen=True):
    match: str
    phones: tuple[Phone, ...]


class Pairings:
    """The phones of the open match, kept in ``phones.json`` of the state directory.

    One phone asks at a time. While it does, the file ``pairing`` there has its code, for a box without a
    display.
    """

    def __init__(self, state_dir: Path, *, now_s: Callable[[], float] = time.monotonic) -> None:
        """Continue with the phones on the disk, or with none if the file is missing or unreadable.

        A code that was shown before a restart is no longer valid.
        """
        self._file, self._shown = state_dir / "phones.json", state_dir / "pairing"
        self._now = now_s
        self._asking: SeatAsked | None = None
        self._wasted: dict[str, tuple[int, float]] = {}
        self.on_change: Callable[[], None] = lambda: None
        """Called when a code appears or disappears."""
        with contextlib.suppress(OSError):  # the box reports an unwritable state directory elsewhere
            self._shown.unlink(missing_ok=True)
        try:
            self._kept = msgspec.json.decode(read_file(self._file), type=_PhoneFile)
        except FileNotFoundError:
            self._kept = _PhoneFile("", ())
        except (OSError, ValueError) as error:
            log.warning("%s: %s; phones pair again", self._file, error)
            self._kept = _PhoneFile("", ())

    @property
    def asking(self) -> SeatAsked | None:
        """The request of the phone that asks now, None once its time is over."""
        if self._asking and self._now() >= self._asking.until:
            self.give_up()
        return self._asking

    @property
    def phones(self) -> tuple[Phone, ...]:
        """The paired phones."""
        return self._kept.phones

    def follow(self, match: str) -> None:
        """Note the open match by its journal's name: pairings end with the match."""
        if match != self._kept.match:
            self._keep(_PhoneFile(match, ()))

    def ask(self, secret: str, seat: int, guest: str = "") -> SeatAsked:
        """Show at the box a code for the phone with this secret, at the address ``guest``.

        Raises :class:`PairingError` while another phone asks, after wrong guesses by anybody, and after codes
        for that address that nobody typed, so that nobody keeps the others waiting.
        """
        now, asking, asker = self._now(), self.asking, _hash(secret)
        if asking and asking.secret != asker:
            raise PairingError(said("stopped.pair.another", seconds=_round_up(asking.until - now)))
        for waits, why in ((GUESSED, "guessed"), (guest, "untyped")):
            again_at = self._wasted.get(waits, (0, 0.0))[1]
            if not asking and now < again_at:
                raise PairingError(said(f"stopped.pair.{why}", seconds=_round_up(again_at - now)))
        if asking and asking.seat == seat:
            return asking
        code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
        if asking:  # another seat gives neither more tries nor more time
            self._asking = msgspec.structs.replace(asking, seat=seat, code=code)
        else:
            self._asking = SeatAsked(seat, code, asker, guest, now + CODE_S)
        self._show()
        return self._asking

    def enter(self, secret: str, code: str, token: str = "") -> str:
        """Pair the asking phone by its code; return the token for it to keep, or its own ``token`` if it is
        already paired. Raises :class:`PairingError`.
        """
        now, asking = self._now(), self.asking
        if not asking or asking.secret != _hash(secret):
            raise PairingError(said("stopped.pair.no_code"))
        if now < asking.open_at:
            raise PairingError(said("stopped.pair.wait", seconds=_round_up(asking.open_at - now)))
        if not secrets.compare_digest(code.encode(), asking.code.encode()):
            wrong = asking.wrong + 1
            if wrong >= TRIES:
                self.give_up()
                raise PairingError(said("stopped.pair.used_up"))
            self._asking = msgspec.structs.replace(
                asking, wrong=wrong, open_at=now + WAIT_S * 2 ** (wrong - 1)
            )
            raise PairingError(said("stopped.pair.wrong", tries=TRIES - wrong))
        for waits in (GUESSED, asking.guest):
            self._wasted.pop(waits, None)
        self._asking = None
        phone = self.find_phone(token)
        if phone is None:
            token = secrets.token_urlsafe(24)
            taken = {one.name for one in self.phones}
            name = next(name for n in range(1, len(taken) + 2) if (name := f"phone-{n}") not in taken)
            phone = Phone(name, _hash(token), ())
        seats = tuple(sorted({*phone.seats, asking.seat}))
        others = tuple(one for one in self.phones if one.token != phone.token)
        paired = (*others, msgspec.structs.replace(phone, seats=seats))
        self._keep(_PhoneFile(self._kept.match, tuple(sorted(paired, key=lambda one: one.name))))
        self._show()
        return token

    def give_up(self) -> None:
        """Stop showing a code: its time is over, or somebody at the box stopped it."""
        if asking := self._asking:
            for waits in (GUESSED, asking.guest) if asking.wrong else (asking.guest,):
                failed = self._wasted.pop(waits, (0, 0.0))[0]
                wait_s = min(LONGEST_S, AGAIN_S * 2 ** min(failed, 10))
                self._wasted[waits] = failed + 1, self._now() + wait_s
            for oldest in list(self._wasted)[:-GUESTS]:
                del self._wasted[oldest]
        self._asking = None
        self._show()

    def find_phone(self, token: str) -> Phone | None:
        """Return the phone with this token."""
        hashed = _hash(token) if token else ""
        return next((one for one in self.phones if secrets.compare_digest(one.token, hashed)), None)

    def end(self, name: str) -> None:
        """End the pairing of the phone with this name at once."""
        self._keep(_PhoneFile(self._kept.match, tuple(one for one in self.phones if one.name != name)))

    def _show(self) -> None:
        try:
            if self._asking:
                replace_file(self._shown, f"{self._asking.seat} {self._asking.code}".encode())
            else:
                self._shown.unlink(missing_ok=True)
        except OSError as error:
            log.warning("%s: %s", self._shown, error)
        self.on_change()

    def _keep(self, kept: _PhoneFile) -> None:
        self._kept = kept
        try:
            replace_file(self._file, msgspec.json.encode(kept))
        except OSError as error:
            log.warning("%s: %s; phones pair again after a restart", self._file, error)


def read_code(state_dir: Path) -> tuple[int, str] | None:
    """Return the seat and code that the box of ``state_dir`` shows now, or None. Raises OSError."""
    try:
        seat, _, code = read_file(state_dir / "pairing").decode("ascii").partition(" ")
        return int(seat), code
    except FileNotFoundError:
        return None


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _round_up(seconds: float) -> int:
    return max(1, round(seconds))
