"""The number of failed starts of the box since it was switched on, and the safe mode that follows from it.

A start fails if the process ends, or is killed for missing its watchdog, before it is ready. After
:data:`MOST` of them the box starts without any plug-in. The count is kept in the service's runtime directory,
which is in memory, so power cuts do not count. A box that was asked to end while starting has not failed, and
one that has been up for :data:`STEADY_S` starts the count again.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from device.files import read_file, replace_file

MOST: Final = 2
"""The number of failed starts after which the box comes up in safe mode."""
STEADY_S: Final = 600.0
"""The time after which earlier failures are forgotten."""
HANGS: Final = 2.0
"""The factor by which a start may exceed the processor time of importing; beyond it the start hangs. A slow
Pi is slow at both, and waiting for a slow card counts for neither.
"""
WAITS_S: Final = 25.0
"""The time after which a start that only waits hangs: a slow card takes seconds for a file."""
LONGEST_S: Final = 30.0
"""The longest pause before a start after failed ones."""


class Safe(StrEnum):
    """A reason for safe mode: a key of the texts."""

    ASKED = "safe.asked"
    FAILED = "safe.failed"
    HELD = "safe.held"


class SafeMode(msgspec.Struct, frozen=True):
    """The reason for safe mode, and the names of the plug-ins left out."""

    why: Safe
    left_out: tuple[str, ...] = ()


class _Kept(msgspec.Struct, frozen=True):
    failed: int
    starting: bool


class Starts:
    """The count of one box since power-up; without a folder it is kept nowhere."""

    def __init__(self, folder: Path | None) -> None:
        """Count in ``folder``, the service's runtime directory."""
        self._file = folder / "starts" if folder else None
        self.failed = 0
        """The number of failed starts before this one."""

    @classmethod
    def of(cls, environ: Mapping[str, str] = os.environ) -> Starts:
        """Return the count for this process's service; one that is kept nowhere if systemd does
        not run it.
        """
        folder = environ.get("RUNTIME_DIRECTORY", "") if environ.get("NOTIFY_SOCKET") else ""
        return cls(Path(folder.split(":")[0]) if folder else None)

    def begin(self) -> int:
        """Count the beginning of a start; return the number of failed ones before it."""
        if self._file:
            try:
                kept = msgspec.json.decode(read_file(self._file), type=_Kept)
            except (OSError, msgspec.DecodeError):
                kept = _Kept(0, starting=False)
            self.failed = kept.failed + kept.starting
        self._keep(starting=True)
        return self.failed

    def hurry(self) -> None:
        """End the process unless it is ready in time; log where each of its threads hangs.

        Call it once everything is imported.
        """
        if self._file:
            faulthandler.register(signal.SIGPROF, chain=True)
            signal.setitimer(signal.ITIMER_PROF, HANGS * time.process_time())
            faulthandler.dump_traceback_later(WAITS_S, exit=True)

    def ready(self) -> None:
        """Note that the start has not failed."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()
        self._keep(starting=False)

    def steady(self) -> None:
        """Forget earlier failures: the box has been up for long."""
        self.failed = 0
        self._keep(starting=False)

    def _keep(self, *, starting: bool) -> None:
        if self._file:
            # In memory no disk is full or slow. If the write fails nonetheless, systemd starts us again.
            replace_file(self._file, msgspec.json.encode(_Kept(self.failed, starting)))


def pause_s(failed: int) -> float:
    """Return the seconds to wait before a start after ``failed`` failed ones.

    >>> [pause_s(failed) for failed in (0, 1, 2, 3, 4, 9)]
    [0.0, 0.0, 0.0, 2.0, 4.0, 30.0]
    """
    return min(2.0 ** (failed - MOST), LONGEST_S) if failed > MOST else 0.0


def choose_safe_mode(
    *, asked: bool, failed: int, held: Callable[[], bool], plug_ins: Sequence[str]
) -> SafeMode | None:
    """Return the safe mode to start in, None to start normally.

    ``asked`` is ``--safe``, ``failed`` the result of :meth:`Starts.begin`. ``held`` looks whether its key is
    held down; it is called only if nothing else decides.
    """
    why = Safe.ASKED if asked else Safe.FAILED if failed >= MOST else Safe.HELD if held() else None
    return SafeMode(why, tuple(plug_ins)) if why else None
