"""Where a record's time comes from: the system's clocks, or a clock moved by hand.

>>> clock = FakeClock(utc_ms=1_000)
>>> clock.advance(250)
>>> clock.stamp()
Stamp(utc_ms=1250, mono_ms=250, boot_id='fake-1')
"""

from __future__ import annotations

import time
import uuid
from pathlib import Path

from device.match.records import Stamp

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class SystemClock:
    """The system's clocks.

    A Raspberry Pi without a battery may start with a UTC that is far off and jumps later; ``mono_ms`` orders
    the records within one boot all the same.
    """

    def __init__(self) -> None:
        """Read the boot id once; where the kernel gives none, this process makes one up."""
        try:
            self.boot_id = _BOOT_ID.read_text().strip()
        except OSError:
            self.boot_id = str(uuid.uuid4())

    def stamp(self) -> Stamp:
        """The present moment."""
        return Stamp(time.time_ns() // 1_000_000, time.monotonic_ns() // 1_000_000, self.boot_id)


class FakeClock:
    """A clock that moves only when told; times in milliseconds."""

    def __init__(self, utc_ms: int = 1_700_000_000_000, mono_ms: int = 0) -> None:
        """Set the hands; the first boot is ``fake-1``."""
        self.utc_ms = utc_ms
        self.mono_ms = mono_ms
        self.boots = 1

    def advance(self, ms: int) -> None:
        """Let time pass on both clocks."""
        self.utc_ms += ms
        self.mono_ms += ms

    def set_utc(self, utc_ms: int) -> None:
        """Set the wall clock alone, as a time server does."""
        self.utc_ms = utc_ms

    def reboot(self) -> None:
        """Start again: a new boot id, and ``mono_ms`` from 0."""
        self.boots += 1
        self.mono_ms = 0

    def stamp(self) -> Stamp:
        """The moment the hands show."""
        return Stamp(self.utc_ms, self.mono_ms, f"fake-{self.boots}")
