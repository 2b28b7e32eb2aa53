"""Stamps: the source of a record's time."""

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
