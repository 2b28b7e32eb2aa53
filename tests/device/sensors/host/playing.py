"""Something that serves in the background while a test looks on."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Protocol


class Serves(Protocol):
    """A child, or all sensors."""

    async def run(self) -> None:
        """Serve until cancelled."""


def play(served: Serves, script: Callable[[], Awaitable[None]]) -> None:
    """Run ``script`` while it serves; then it is cancelled."""

    async def run() -> None:
        task = asyncio.create_task(served.run())
        try:
            await script()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())


async def until(what: Callable[[], object], seen: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until something holds; ``seen`` is told where it does not."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, seen()
        await asyncio.sleep(0.01)
