"""The service manager's watchdog: it is told when the box is ready, and then while it is alive.

The box is alive while its event loop turns, its clocks go on, and the threads of journal and screen answer.
Otherwise systemd kills it (``WatchdogSec=`` of the unit) and starts it again: the match goes on from its last
entry. The messages are those of sd_notify(3).
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

log = logging.getLogger(__name__)

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
