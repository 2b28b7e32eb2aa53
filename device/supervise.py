"""A surprise in one part ends that part alone: it is logged with its cause, told, and the part begins again.

What a part foresees (a wire that is loose, a disk that is full) it settles by itself. This is for what nobody
foresaw: a bug, a RecursionError, no file descriptor left. The match is not a part: what it holds are values
that a step either replaces or leaves, so that whoever asked is refused and the match stands as it stood.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from device.backoff import Backoff

log = logging.getLogger(__name__)

RETRY_S = (1.0, 60.0)
"""First and longest wait before a part begins again; one that ran for the longest begins at the first."""

Told = Callable[[str, str], None]
"""Called with the name of a part and why it is away, "" when it begins again."""


async def keep(
    name: str, run: Callable[[], Awaitable[None]], told: Told, retry_s: tuple[float, float] = RETRY_S
) -> None:
    """Run a part until it ends by itself or is cancelled; run it again after an unexpected error.

    ``told`` is called on the event loop.
    """
    loop = asyncio.get_running_loop()
    backoff = Backoff(*retry_s)
    while True:
        began = loop.time()
        try:
            return await run()
        except Exception as error:
            pause = backoff.wait(loop.time() - began)
            log.error("%s: %s; begins again in %g s", name, cause(error), pause, exc_info=error)
            told(name, cause(error))
        await asyncio.sleep(pause)
        told(name, "")


def cause(error: BaseException) -> str:
    """Return an error in one line: its kind and message, of a group the first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
