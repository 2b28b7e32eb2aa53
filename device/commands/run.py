"""`podesta run`: the box itself, until it is stopped; its log is plain text on standard error."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable

from device import config as configs
from device.commands import Exit, Options, UsageError, command, take
from device.files import FolderBusy
from device.machine import on_a_pi
from device.settings import DRIVERS, Config
from device.starts import SafeMode, Starts, choose_safe_mode, pause_s
from device.watchdog import notify
from engines import packages
from engines.texts import plain

START_S = 90
"""The time a start may take, as in the unit (``TimeoutStartSec=``); one that takes longer has failed."""


@command(
    take.option("--simulate", "no pins, display or lines: a simulated box in the browser"),
    take.option("--safe", "without any plug-in, whatever the settings name"),
    take.box,
    take.option("--port N", "the panel's port (0: any free one)", type=take.whole(0, 65535)),
)
def run(options: Options) -> int:
    """Run the daemon until it ends; raises :class:`UsageError` for mistakes in a named config."""
    starts = Starts.of()

    def end(*signalled: object) -> None:
        starts.ready()  # a start that was told to end has not failed, not even during the imports
        raise SystemExit(Exit.FINE)

    signal.signal(signal.SIGTERM, end)
    if pause := pause_s(starts.begin()):
        notify(f"EXTEND_TIMEOUT_USEC={round((pause + START_S) * 1e6)}")
        time.sleep(pause)
    if options.config:
        loaded = configs.load_or_last_good(options.config, options.state)
        if loaded.source is not configs.ConfigSource.FILE:
            raise UsageError(*map(str, loaded.problems))
    else:
        loaded = configs.load_or_last_good(configs.find(), options.state)

    safe = _choose_safe_mode(options, loaded.config, starts.failed)
    if safe:
        packages.leave_out()  # the settings are read: they may name what is left out

    from device import daemon  # noqa: PLC0415 – brings pins, pictures and a web server

    start_log(os.environ.get("PODESTA_LOG", "WARNING").upper())
    starts.hurry()
    try:
        status = daemon.main(
            loaded,
            state=options.state,
            simulate=options.simulate,
            safe=safe,
            port=options.port,
            starts=starts,
        )
    except FolderBusy:
        starts.ready()  # no fault of a plug-in
        raise
    starts.ready()
    return status


def _choose_safe_mode(options: Options, config: Config, failed: int) -> SafeMode | None:
    """Return the safe mode to start in, None for none; Back, held down at power-up, asks for it."""

    def is_held() -> bool:
        factory = config.keys.factory
        if options.simulate or factory == "mock" or (factory == "auto" and not on_a_pi()):
            return False
        from device.keys import Key, is_held_down  # noqa: PLC0415 – brings pins

        return is_held_down(config.keys, Key.BACK)

    display = {config.display.driver} - set(DRIVERS)
    names = {section.name for section in config.plugins} | display | set(packages.points())
    return choose_safe_mode(asked=options.safe, failed=failed, held=is_held, plug_ins=sorted(names))


# The log


MOST = 10
"""Records from one place in the code within :data:`WHILE_S`; more are counted and left out."""

WHILE_S = 60.0


def start_log(level: str) -> None:
    """Log from now on; ``level`` is a name of :mod:`logging`'s."""
    handler = logging.StreamHandler()
    handler.setFormatter(PlainFormatter("%(levelname)s %(name)s: %(message)s"))
    handler.addFilter(RepeatFilter())
    logging.basicConfig(level=level, handlers=[handler])


class RepeatFilter(logging.Filter):
    """Leaves out what one place in the code says again and again; its next record tells how much that was.

    For a handler, so that it holds for every logger: a filter of a logger is not asked about its children's.
    """

    def __init__(
        self, most: int = MOST, while_s: float = WHILE_S, now: Callable[[], float] = time.monotonic
    ) -> None:
        """Allow ``most`` records of one place within ``while_s`` seconds."""
        super().__init__()
        self._most, self._while_s, self._now = most, while_s, now
        self._places: dict[tuple[str, int], tuple[float, int]] = {}
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True if it is to be logged; the last one before a silence says so."""
        place, now = (record.pathname, record.lineno), self._now()
        with self._lock:
            begin, count = self._places.get(place, (now, 0))
            left_out = 0
            if now - begin >= self._while_s:
                begin, count, left_out = now, 0, max(0, count - self._most)
            self._places[place] = begin, count + 1
        if left_out:
            _append_note(record, f"{left_out} more like this were left out")
        if count + 1 == self._most:
            _append_note(record, f"more like this are left out for {self._while_s:g} s")
        return count < self._most


class PlainFormatter(logging.Formatter):
    """Leaves nothing in a record that a terminal would act on; a traceback keeps its lines."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as plain text."""
        return "\n".join(map(plain, super().format(record).split("\n")))


def _append_note(record: logging.LogRecord, note: str) -> None:
    record.msg, record.args = f"{record.getMessage()} ({note})", ()
