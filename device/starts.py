"""The number of times the box failed to come up since it was switched on, and the safe mode that follows from
it.

A start fails when the process ends, or is killed for missing its watchdog, before it was ready. After
:data:`MOST` of them the box starts without any plug-in. What is counted lies in the service's runtime
directory, which is in memory: however often the power is cut, that counts for nothing. A box that was asked
to end while it was starting has not failed, and one that has been up for :data:`STEADY_S` begins anew.
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
"""Failed starts before the box comes up in safe mode."""
STEADY_S: Final = 600.0
"""After so long the failures before are forgotten."""
HANGS: Final = 2.0
"""A start hangs that takes twice the processor's time that importing took: a slow Pi is slow at both, and
waiting for a slow card counts for neither.
"""
WAITS_S: Final = 25.0
"""A start that waits hangs after so long: a slow card takes seconds for a file."""
LONGEST_S: Final = 30.0
"""The longest pause before a start that follows upon failed ones."""


class Safe(StrEnum):
    """Why the box runs in safe mode: a key of the texts."""

    ASKED = "safe.asked"
    FAILED = "safe.failed"
    HELD = "safe.held"


class SafeMode(msgspec.Struct, frozen=True):
    """Why the box runs in safe mode, and the plug-ins by name that are left out."""

    why: Safe
    left_out: tuple[str, ...] = ()


class _Kept(msgspec.Struct, frozen=True):
    failed: int
    starting: bool


class Starts:
    """The count of one box since power-up; kept nowhere where there is no folder for it."""

    def __init__(self, folder: Path | None) -> None:
        """Count in ``folder``, the service's runtime directory."""
        self._file = folder / "starts" if folder else None
        self.failed = 0
        """The starts that failed before this one."""

    @classmethod
    def of(cls, environ: Mapping[str, str] = os.environ) -> Starts:
        """Return the count of the service that this process is; of none where systemd does not run it."""
        folder = environ.get("RUNTIME_DIRECTORY", "") if environ.get("NOTIFY_SOCKET") else ""
        return cls(Path(folder.split(":")[0]) if folder else None)

    def begin(self) -> int:
        """Count a start that begins, and return how many failed before it."""
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
            # Memory: no disk can be full or slow here. Where it fails nonetheless systemd starts us again.
            replace_file(self._file, msgspec.json.encode(_Kept(self.failed, starting)))


def pause_s(failed: int) -> float:
    """Return how many seconds to wait before a start after so many ``failed`` ones.

    >>> [pause_s(failed) for failed in (0, 1, 2, 3, 4, 9)]
    [0.0, 0.0, 0.0, 2.0, 4.0, 30.0]
    """
    return min(2.0 ** (failed - MOST), LONGEST_S) if failed > MOST else 0.0


def safe_mode(
    *, asked: bool, failed: int, held: Callable[[], bool], plug_ins: Sequence[str]
) -> SafeMode | None:
    """Return the safe mode to start in, None for all that is installed.

    ``asked`` is ``--safe``, ``failed`` what :meth:`Starts.begin` returned; ``held`` looks whether the key for
    it is held down, and is called where nothing else tells.
    """
    why = Safe.ASKED if asked else Safe.FAILED if failed >= MOST else Safe.HELD if held() else None
    return SafeMode(why, tuple(plug_ins)) if why else None
