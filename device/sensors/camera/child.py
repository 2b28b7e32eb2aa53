"""A child process that may die or hang at any moment: watched, killed, started again.

The two talk in lines on the child's input and output. Whatever the child writes to its error output goes to
the log. While it is away the table plays on; nothing here ever waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from typing import Final

log = logging.getLogger(__name__)

HUNG_S: Final = 60.0
"""A child that has said nothing for so long hangs. A reading takes seconds on a slow Pi that is busy."""
RETRY_S: Final = (1.0, 30.0)
"""The first and the longest wait before it is started again."""
LONGEST: Final = 32 * 1024 * 1024
"""Bytes of a line; a picture fits in, a child gone mad does not."""
GRACE_S: Final = 1.0
"""What it has to end by itself when the box does."""


class Child:
    """One child, from :meth:`run` until that is cancelled."""

    def __init__(
        self,
        command: Sequence[str],
        on_line: Callable[[bytes], None],
        on_start: Callable[[], None],
        on_gone: Callable[[str], None],
        *,
        hung_s: float = HUNG_S,
        retry_s: tuple[float, float] = RETRY_S,
    ) -> None:
        """``on_line(line)``, ``on_start()`` and ``on_gone(why)`` are called on the event loop.

        A line that ``on_line`` raises ValueError for counts as a broken child.
        """
        self._command = command
        self._on_line, self._on_start, self._on_gone = on_line, on_start, on_gone
        self._hung_s, self._retry_s = hung_s, retry_s
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int | None:
        """Its process, None while there is none."""
        return self._process.pid if self._process else None

    def say(self, line: bytes) -> None:
        """Write a line to it; lost where there is no child, as every new one is told all anew."""
        if self._process and self._process.stdin:
            with contextlib.suppress(ConnectionError, RuntimeError):
                self._process.stdin.write(line + b"\n")

    async def run(self) -> None:
        """Keep it running until cancelled."""
        wait = self._retry_s[0]
        while True:
            why, spoke = await self._once()
            wait = self._retry_s[0] if spoke else min(2 * wait, self._retry_s[1])
            log.warning("camera process: %s; again in %g s", why, wait)
            self._on_gone(why)
            await asyncio.sleep(wait)

    async def _once(self) -> tuple[str, bool]:
        """One life: why it ended, and whether it ever spoke."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=LONGEST,
            )
        except OSError as error:
            return f"cannot be started: {error}", False
        self._process = process
        complaints = asyncio.create_task(_log(process.stderr))
        try:
            self._on_start()
            return await self._listen(process)
        finally:
            self._process = None
            await _end(process)
            complaints.cancel()

    async def _listen(self, process: asyncio.subprocess.Process) -> tuple[str, bool]:
        assert process.stdout
        spoke = False
        while True:
            try:
                line = await asyncio.wait_for(process.stdout.readline(), self._hung_s)
            except TimeoutError:
                return f"said nothing for {self._hung_s:g} s", spoke
            except ValueError:
                return "a line without end", spoke
            if not line:
                return f"ended with {await process.wait()}", spoke
            try:
                self._on_line(line)
            except ValueError as error:
                return f"says what nobody understands: {error}", spoke
            spoke = True


async def _end(process: asyncio.subprocess.Process) -> None:
    """Ask it to end by closing its input, and kill it where that does not help at once."""
    if process.stdin:
        process.stdin.close()
    try:
        if process.returncode is None:
            await asyncio.wait_for(process.wait(), GRACE_S)
    except TimeoutError:
        pass
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _log(stream: asyncio.StreamReader | None) -> None:
    assert stream
    while line := await stream.readline():
        log.info("camera process: %s", line.decode(errors="replace").rstrip())
