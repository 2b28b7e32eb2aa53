"""A child that lives, dies, hangs, babbles and is killed: real processes."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time

from device.sensors.camera.child import Child

ECHO = "import sys\nfor line in sys.stdin: print(line.strip().upper(), flush=True)"

STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("here", flush=True)
time.sleep(600)
"""


class Watched:
    """A child and what it told."""

    def __init__(self, program, **how):
        self.lines, self.starts, self.gone = [], 0, []
        how = {"hung_s": 5.0, "retry_s": (0.05, 0.2)} | how
        self.child = Child([sys.executable, "-c", program], self._line, self._start, self.gone.append, **how)
        self.greet = None

    def _line(self, line):
        if line == b"NONSENSE\n":
            raise ValueError("no message")
        self.lines.append(line.decode().strip())

    def _start(self):
        self.starts += 1
        if self.greet:
            self.child.say(self.greet)

    async def until(self, what, seconds=10.0):
        end = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < end, (self.lines, self.starts, self.gone)
            await asyncio.sleep(0.01)


def play(watched, script):
    async def run():
        task = asyncio.create_task(watched.child.run())
        try:
            await script()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())


def ended(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_lines_go_both_ways():
    watched = Watched(ECHO)

    async def script():
        await watched.until(lambda: watched.starts)
        watched.child.say(b"one")
        watched.child.say(b"two")
        await watched.until(lambda: watched.lines == ["ONE", "TWO"])

    play(watched, script)
    assert watched.gone == []


def test_killed_it_comes_back_and_is_told_all_anew():
    watched = Watched(ECHO)
    watched.greet = b"hello"

    async def script():
        await watched.until(lambda: watched.lines == ["HELLO"])
        first = watched.child.pid
        os.kill(first, signal.SIGKILL)
        await watched.until(lambda: watched.lines == ["HELLO", "HELLO"])
        assert watched.child.pid != first

    play(watched, script)
    assert watched.gone == ["ended with -9"]


def test_one_that_hangs_is_killed():
    watched = Watched("import time\nprint('here', flush=True)\ntime.sleep(600)", hung_s=0.3)
    pids = []

    async def script():
        await watched.until(lambda: watched.lines == ["here"])
        pids.append(watched.child.pid)
        await watched.until(lambda: watched.gone)

    play(watched, script)
    assert watched.gone[0] == "said nothing for 0.3 s"
    assert ended(pids[0])


def test_one_that_ends_at_once_is_tried_again_ever_more_slowly():
    watched = Watched("raise SystemExit(3)", retry_s=(0.02, 0.08))

    async def script():
        await watched.until(lambda: len(watched.gone) >= 4)

    play(watched, script)
    assert set(watched.gone) == {"ended with 3"}


def test_nonsense_ends_it():
    watched = Watched("print('nonsense'.upper(), flush=True)\nimport time\ntime.sleep(600)")

    async def script():
        await watched.until(lambda: watched.gone)

    play(watched, script)
    assert watched.gone[0] == "says what nobody understands: no message"


def test_what_cannot_be_started_says_so():
    watched = Watched("")
    watched.child._command = ["/nowhere/at/all"]

    async def script():
        await watched.until(lambda: watched.gone)

    play(watched, script)
    assert watched.gone[0].startswith("cannot be started")


def test_when_the_box_ends_it_ends_even_if_it_will_not():
    watched = Watched(STUBBORN)
    pids = []

    async def script():
        await watched.until(lambda: watched.lines)
        pids.append(watched.child.pid)

    play(watched, script)
    assert ended(pids[0])


def test_nothing_said_to_a_child_that_is_away_fails():
    watched = Watched(ECHO)
    watched.child.say(b"is anybody there?")
    assert watched.child.pid is None
