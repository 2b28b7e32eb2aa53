"""The box and its service manager: failed starts are counted, and systemd is told when the box is ready and
while it is alive.

A start fails if the process ends, or is killed for missing its watchdog, before it is ready. After
:data:`MOST` of them the box starts in safe mode, without any plug-in. The count is kept in the service's
runtime directory, which is in memory, so power cuts do not count. A box that was asked to end while starting
has not failed, and one that has been up for :data:`STEADY_S` starts the count again.

The box is alive while its event loop turns, its clocks go on, and the threads of journal and screen answer.
Otherwise systemd kills it (``WatchdogSec=`` of the unit) and starts it again: the match goes on from its last
entry. The messages are those of sd_notify(3).
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import signal
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from device.files import read_file, replace_file

log = logging.getLogger(__name__)

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


# Signs of life

ROUND_S: Final = 1.0
"""The time between two rounds, in which the parts are asked and systemd is told: several in
``WatchdogSec=``.
"""

Ask = Callable[[Callable[[], None]], None]
"""A function that asks a part to call back from its own thread."""

PATIENCE_S: dict[str, float] = {"clocks": 5.0, "journal": 20.0, "screen": 5.0}
"""The time for which each part may be silent. A slow card takes seconds for a write, and killing the process
that waits makes no card quicker.
"""


def notify(*lines: str) -> None:
    """Tell the service manager, a line each, like sd_notify(3); do nothing if none listens."""
    if not (name := os.environ.get("NOTIFY_SOCKET")):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as service:
        service.setblocking(False)
        try:
            service.sendto("\n".join(lines).encode(), f"\0{name[1:]}" if name.startswith("@") else name)
        except OSError as error:  # it will start the box again
            log.warning("watchdog: %s: %s", name, error)


class Watchdog:
    """A watchdog that asks parts for signs of life, and tells the service manager while all answer."""

    def __init__(
        self,
        parts: Mapping[str, Ask],
        *,
        on_ready: Callable[[], None] = lambda: None,
        tell: Callable[..., None] = notify,
        now: Callable[[], float] = time.monotonic,
        round_s: float = ROUND_S,
    ) -> None:
        """Watch over ``parts``, whose names are in :data:`PATIENCE_S`, each with a function that asks it.

        ``on_ready`` is called once, when all have answered for the first time.
        """
        self.ready = False
        self._parts = parts
        self._on_ready, self._tell, self._now, self._round_s = on_ready, tell, now, round_s
        self._asked: dict[str, float] = {}
        """The time of the open request to each part."""
        self._answered: set[str] = set()
        self._silent: list[str] = []

    async def run(self) -> None:
        """Look round until cancelled; more often until all parts have answered once."""
        while True:
            self.look_round()
            await asyncio.sleep(self._round_s if self.ready else self._round_s / 20)

    def look_round(self) -> None:
        """Ask the parts that have answered; say READY=1 once all have, then WATCHDOG=1 until
        one is silent.
        """
        now = self._now()
        for name, ask in self._parts.items():
            if name not in self._asked:
                self._asked[name] = now
                try:
                    ask(partial(self._take_answer, name))
                except Exception:
                    log.exception("watchdog: %s cannot be asked", name)
        # A copy: answers come from other threads.
        silent = [name for name, at in list(self._asked.items()) if now - at > PATIENCE_S[name]]
        if silent != self._silent:
            for name in silent:
                log.error("watchdog: %s has not answered for %g s", name, PATIENCE_S[name])
            self._silent = silent
            self._tell(f"STATUS={', '.join(silent)} silent" if silent else "STATUS=")
        if silent:
            return
        if not self.ready and self._answered >= set(self._parts):
            self.ready = True
            self._tell("READY=1")
            self._on_ready()
        if self.ready:
            self._tell("WATCHDOG=1")

    def _take_answer(self, name: str) -> None:
        """Note an answer; it may come in any thread."""
        self._answered.add(name)
        self._asked.pop(name, None)


def call_if_later(now_ms: Callable[[], int], answer: Callable[[], None]) -> None:
    """Call ``answer`` in the running loop after a moment, if the clock has gone on by then."""
    before = now_ms()

    def look() -> None:
        if now_ms() > before:
            answer()

    asyncio.get_running_loop().call_later(0.02, look)
