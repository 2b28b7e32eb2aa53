"""A child process that may die or hang at any moment: watched, killed, started again.

The child leads a process group of its own, and its forks die with it. Box and child talk in lines on the
child's input and output. Its error output goes to the log, and the most telling line there is the cause of
its death. While it is away the table plays on; nothing here ever waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from device.sensors.messages import CANNOT
from device.supervise import Backoff
from device.texts import Said, cause_of, quoted, said

log = logging.getLogger(__name__)

HUNG_S: Final = 10.0
"""A child that says nothing for so long hangs."""
FLOODED: Final = 5
"""A child that floods waits this many times the longest wait."""
LONGEST: Final = 32 * 1024 * 1024
"""The most bytes in a line; a picture fits, a runaway child does not."""
GRACE_S: Final = 1.0
"""The time it has to end by itself when the box does."""
AVERAGED_S: Final = 10
"""The time over which an allowance averages; a child may save up as much."""
COMPLAINTS: Final = 200
"""The number of its last lines of error output that are searched for the cause of its death."""
CAUSE: Final = 160
"""The most letters of a cause."""
LINE: Final = 400
"""The most letters of a cause that says which lines of a file are wrong."""

_NUMPY: Final = re.compile(r"compiled using (NumPy \S+) cannot be run in\s(NumPy \S+)")
_TELLING: Final = re.compile(
    r"(\w+\.)*[A-Z]\w*(Error|Exception|Exit|Interrupt)(:.*)?|Fatal Python error: .*|what\(\): .*"
)


def explain_end(status: int, complaints: Iterable[str]) -> Said:
    """Say in one line why a process ended with ``status``, as in :attr:`subprocess.Popen.returncode`.

    ``complaints`` are the last lines of its error output, of which the most telling one is quoted.
    """
    lines = [" ".join(line.split()) for line in complaints if line.strip()]
    if status == CANNOT and lines:
        return quoted(lines[-1], LINE)
    ended = said("child.ended", status=status)
    if status < 0:
        with contextlib.suppress(ValueError):
            ended = said("child.killed", signal=signal.Signals(-status).name)
    # A module for another numpy says so first; the error that follows tells nothing.
    if numpy := _NUMPY.search("\n".join(lines)):
        return said("child.numpy", ended=ended, made=numpy[1], here=numpy[2])
    telling = [line for line in lines if _TELLING.fullmatch(line)] or (lines if status else [])
    return said("child.because", ended=ended, complaint=quoted(telling[-1], CAUSE)) if telling else ended


def describe_nonsense(error: ValueError) -> Said:
    """Say that a process writes something that is no message."""
    return said("child.strange", detail=quoted(error, CAUSE))


class Patience(NamedTuple):
    """Times to wait for a child, and for a child to wait, in s."""

    starting_s: float = 60.0
    """Until its first line: on a busy Pi libraries take long to load."""
    hung_s: float = HUNG_S
    """Between two lines."""
    retry_s: tuple[float, float] = (1.0, 120.0)
    """The first and the longest wait before a restart. A child that lived longer than the longest wait begins
    with the first again.
    """


PATIENT: Final = Patience()


class _MustEnd(Exception):
    """Error raised when a child must be ended, with the reason."""


class Floods(_MustEnd):
    """Error raised when a child writes more than it may: it is started again after the longest pause."""


class End(NamedTuple):
    """The end of a child's life: why, and its status, None if it was ended or did not start."""

    why: Said
    status: int | None = None
    flooded: bool = False


class Allowance:
    """An allowance of ``rate`` tokens a second on average."""

    def __init__(self, rate: int, averaged_s: float = AVERAGED_S) -> None:
        self._rate, self._most, self._at = rate, rate * averaged_s, time.monotonic()
        self._left = self._most

    def spend(self, what: str) -> None:
        """Take a token; raises :class:`Floods` if none is left."""
        if not self.use():
            raise Floods(said("child.floods", rate=self._rate, what=said(f"child.{what}")))

    def use(self) -> bool:
        """Take a token; return False if none is left."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Child:
    """A child process, kept running by :meth:`run` until that is cancelled."""

    def __init__(
        self,
        command: Sequence[str],
        on_line: Callable[[bytes], None],
        on_start: Callable[[], None],
        on_gone: Callable[[Said], None] = lambda _: None,
        *,
        title: str = "a sensor",
        patience: Patience = PATIENT,
    ) -> None:
        """Start nothing yet; ``on_line(line)``, ``on_start()`` and ``on_gone(why)`` are called on the event
        loop.

        A child is broken if ``on_line`` raises ValueError or :class:`Floods`. ``title`` is its name in the
        log.
        """
        self._title, self._command = title, command
        self._on_line, self._on_start, self._on_gone = on_line, on_start, on_gone
        self._patience = patience
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int | None:
        """The id of its process, None without one."""
        return self._process.pid if self._process else None

    def say(self, line: bytes) -> None:
        """Write a line to the child; without a child it is lost, as every new one hears everything."""
        if self._process and self._process.stdin:
            with contextlib.suppress(ConnectionError, RuntimeError):
                self._process.stdin.write(line + b"\n")

    def hang_up(self) -> None:
        """Close the child's input, so it has to end by itself."""
        if self._process and self._process.stdin:
            self._process.stdin.close()

    async def run(self) -> None:
        """Keep a child running until cancelled."""
        backoff = Backoff(*self._patience.retry_s)
        while True:
            begin = time.monotonic()
            end = await self.run_once()
            wait = backoff.wait(time.monotonic() - begin)
            if end.flooded:
                wait = FLOODED * self._patience.retry_s[1]
            log.warning("%s: %s; again in %g s", self._title, end.why, wait)
            self._on_gone(end.why)
            await asyncio.sleep(wait)

    async def run_once(self) -> End:
        """Run the child once, from its start to its end."""
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command, stdin=pipe, stdout=pipe, stderr=pipe, limit=LONGEST, start_new_session=True
            )
        except OSError as error:
            return End(said("child.unstarted", detail=cause_of(error)))
        self._process = process
        complaints: deque[str] = deque(maxlen=COMPLAINTS)
        listening = asyncio.create_task(self._log_complaints(process.stderr, complaints))
        with _forks_die_with(process.pid):
            try:
                self._on_start()
                await self._listen(process.stdout)
                status = await process.wait()
                await listening
                return End(explain_end(status, complaints), status)
            except _MustEnd as error:
                return End(cause_of(error), flooded=isinstance(error, Floods))
            finally:
                self.hang_up()
                self._process = None
                await _wait_or_kill(process)
                listening.cancel()

    async def _listen(self, stream: asyncio.StreamReader | None) -> None:
        """Hear the child until it ends by itself; raises :class:`_MustEnd` if it must be ended."""
        assert stream
        patience = self._patience.starting_s
        while True:
            try:
                # Not wait_for: before 3.12 it forgets a cancellation when a line has just arrived.
                async with asyncio.timeout(patience):
                    line = await stream.readline()
            except TimeoutError:
                raise _MustEnd(said("child.silent", seconds=f"{patience:g}")) from None
            except ValueError:
                raise _MustEnd(said("child.endless")) from None
            if not line:
                return
            try:
                self._on_line(line)
            except ValueError as error:
                raise _MustEnd(describe_nonsense(error)) from error
            patience = self._patience.hung_s

    async def _log_complaints(self, stream: asyncio.StreamReader | None, kept: deque[str]) -> None:
        assert stream
        while line := await _read_line(stream):
            text = line.decode(errors="replace").rstrip()
            kept.append(text)
            log.info("%s: %s", self._title, text)


async def _read_line(stream: asyncio.StreamReader) -> bytes:
    """Return the next line of complaints, empty at the end; skip one that is too long."""
    while True:
        with contextlib.suppress(ValueError):
            return await stream.readline()


async def _wait_or_kill(process: asyncio.subprocess.Process) -> None:
    """Wait for a process whose input is closed, and kill it if it does not end soon."""
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE_S):
                await process.wait()
    finally:
        kill_group(process.pid)
        await process.wait()


@contextlib.contextmanager
def _forks_die_with(leader: int) -> Iterator[None]:
    """Kill a child's process group as soon as the child ends, and at the latest on leaving.

    Its forks may hold its output open; then nothing else tells that the child is gone.
    """
    with contextlib.ExitStack() as undone:
        undone.callback(kill_group, leader)
        with contextlib.suppress(ProcessLookupError):  # it has ended already
            ended, loop = os.pidfd_open(leader), asyncio.get_running_loop()
            undone.callback(os.close, ended)
            undone.callback(loop.remove_reader, ended)

            def over() -> None:
                loop.remove_reader(ended)
                kill_group(leader)

            loop.add_reader(ended, over)
        yield


def kill_group(leader: int) -> None:
    """Kill the rest of the process group of a child that was started in a new session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def run_to_end(command: Sequence[str], begin: bytes, within_s: float) -> tuple[End, list[bytes]]:
    """Tell a child one line and run it to its end; return that end and its lines."""
    heard: list[bytes] = []
    patience = Patience(within_s, within_s)
    child = Child(command, heard.append, lambda: child.say(begin), patience=patience)

    async def run_in_time() -> End:
        try:
            async with asyncio.timeout(within_s):
                return await child.run_once()
        except TimeoutError:
            return End(said("child.slow", seconds=f"{within_s:g}"))

    return asyncio.run(run_in_time()), heard
