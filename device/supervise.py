"""An unforeseen error ends one part of the box alone: it is logged and shown, and the part begins again.

A part settles by itself what it foresees, such as a loose wire or a full disk. This is for what nobody
foresaw: a bug, a RecursionError, no file descriptor left. The match is no part: a step replaces its values or
leaves them, so whoever asked is refused and the match stays as it was.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from device.texts import Why, quoted
from engines import packages

log = logging.getLogger(__name__)

RETRY_S = (1.0, 60.0)
"""First and longest wait before a part begins again; one that ran for the longest begins at the first."""


class Backoff:
    """The waits between tries, each twice as long as the one before, up to the longest; in the unit of
    ``first`` and ``longest``.
    """

    def __init__(self, first: float, longest: float) -> None:
        """Begin with the ``first`` one."""
        self._first, self._longest = first, longest
        self.reset()

    def reset(self) -> None:
        """Begin with the first wait again, after a success."""
        self._next = self._first

    def wait(self, lasted: float = 0.0) -> float:
        """Return the wait before the next try: the first one if the last try ``lasted`` for the longest."""
        if lasted >= self._longest:
            self.reset()
        wait, self._next = self._next, min(2 * self._next, self._longest)
        return wait


OnAway = Callable[[str, Why], None]
"""Called with the name of a part and why it is away, "" when it begins again."""


async def keep(
    name: str, run: Callable[[], Awaitable[None]], on_away: OnAway, retry_s: tuple[float, float] = RETRY_S
) -> None:
    """Run a part until it ends by itself or is cancelled; run it again after an unexpected error.

    ``on_away`` is called on the event loop.
    """
    loop = asyncio.get_running_loop()
    backoff = Backoff(*retry_s)
    while True:
        began = loop.time()
        try:
            return await run()
        except Exception as error:
            pause = backoff.wait(loop.time() - began)
            log.error("%s: %s; begins again in %g s", name, describe_error(error), pause, exc_info=error)
            on_away(name, quoted(describe_error(error)))
        await asyncio.sleep(pause)
        on_away(name, "")


class Surprises:
    """Unforeseen errors by part, each with its cause: those that keep a part ``away``, and those that are
    ``over``.
    """

    def __init__(self, on_change: Callable[[], None]) -> None:
        """Begin with none; ``on_change`` is called when a part goes away or is back."""
        self.away: dict[str, Why] = {}
        self.over: dict[str, Why] = {}
        self._on_change = on_change

    def set_away(self, name: str, why: Why) -> None:
        """Note why a part is away, or with "" that it is back."""
        self.away.pop(name, None)
        if why:
            self.away[name] = why
        self._on_change()

    def note(self, name: str, error: BaseException) -> None:
        """Log an error that ended something; the status page goes on saying it."""
        log.error("%s: %s", name, describe_error(error), exc_info=error)
        self.over[name] = quoted(describe_error(error))

    def guard(self, name: str, act: Callable[[], object]) -> None:
        """Do something for a part of the box; catch and log an error in it."""
        try:
            act()
        except Exception as error:
            self.note(name, error)

    def log_unforeseen(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log what a callback of the event loop raised and nobody caught."""
        error = context.get("exception")
        if isinstance(error, Exception):
            self.note(str(context.get("message", "event loop")), error)
        else:
            loop.default_exception_handler(context)


def wake(loop: asyncio.AbstractEventLoop, what: Callable[..., None], *args: object) -> None:
    """Call ``what`` in the loop, from any thread; do nothing if the loop has ended."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(what, *args)


def describe_error(error: BaseException) -> str:
    """Return an error in one line: its kind and message, of a group the first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return packages.why(error)
