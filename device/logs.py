"""The log of the running box: plain text on standard error, and little of what is said over and over."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from engines.texts import plain

MOST = 10
"""Records from one place in the code within :data:`WHILE_S`; more are counted and left out."""

WHILE_S = 60.0


def start(level: str) -> None:
    """Log from now on; ``level`` is a name of :mod:`logging`'s."""
    handler = logging.StreamHandler()
    handler.setFormatter(Plain("%(levelname)s %(name)s: %(message)s"))
    handler.addFilter(Sparing())
    logging.basicConfig(level=level, handlers=[handler])


class Sparing(logging.Filter):
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
            begin, said = self._places.get(place, (now, 0))
            left_out = 0
            if now - begin >= self._while_s:
                begin, said, left_out = now, 0, max(0, said - self._most)
            self._places[place] = begin, said + 1
        if left_out:
            _add(record, f"{left_out} more like this were left out")
        if said + 1 == self._most:
            _add(record, f"more like this are left out for {self._while_s:g} s")
        return said < self._most


class Plain(logging.Formatter):
    """Leaves nothing in a record that a terminal would act on; a traceback keeps its lines."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as plain text."""
        return "\n".join(map(plain, super().format(record).split("\n")))


def _add(record: logging.LogRecord, said: str) -> None:
    record.msg, record.args = f"{record.getMessage()} ({said})", ()
