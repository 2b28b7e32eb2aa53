"""What the tests of the box share: a table in a folder, a stalling disk, a box, a jumping clock."""

import asyncio
import functools
import hashlib
import selectors
import threading
from pathlib import Path

import pytest

from device.match.door import MatchDoor
from device.match.library import Library
from device.match.replay import Header
from device.menus import Box
from device.screen.pixels import pages_of
from engines.contract import Setup
from tests.device.clocks import FakeClock
from tests.device.player import Player
from tests.engines import grid_toy as board_toy
from tests.engines import tower_toy
from tests.engines import toy as odds_and_beans
from tests.engines.newcomers import installed

MATCHES = Path(__file__).parents[1] / "matches"
NAMES = ("Adso", "William")


def in_a_loop(test):
    """Make a test of a coroutine."""

    @functools.wraps(test)
    def run(**fixtures):
        asyncio.run(test(**fixtures))

    return run


async def until(holds, patience_s=60):
    """Wait until something holds; the patience is only ever spent by a test that fails."""
    async with asyncio.timeout(patience_s):
        while not holds():
            await asyncio.sleep(0.005)


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to whatever comes next; ``now`` is in seconds."""

    def __init__(self):
        self.now = 1000.0
        super().__init__(self._Jumps(self))

    def time(self):
        return self.now

    class _Jumps(selectors.SelectSelector):
        def __init__(self, loop):
            super().__init__()
            self.loop = loop

        def select(self, timeout=None):
            if timeout:
                self.loop.now += timeout
            return super().select(0)


@pytest.fixture
def loop(monkeypatch):
    """A loop that waits for nothing, and gpiozero's mock pins by its clock."""
    loop = JumpingLoop()
    monkeypatch.setattr("gpiozero.pins.mock.monotonic", loop.time)
    yield loop
    loop.close()


class Disk:
    """The stall hook of a table: a card that can be told to be slow, or to fail."""

    def __init__(self):
        self._free = threading.Event()
        self._free.set()
        self._left = 0
        self._error = None

    def __call__(self):
        self._free.wait(30)
        if self._error:
            if not self._left:
                raise self._error
            self._left -= 1

    @property
    def held(self):
        return not self._free.is_set()

    def hold(self):
        """Every write waits from now on."""
        self._free.clear()

    def go_on(self):
        self._free.set()

    def fail(self, error, after=0):
        """Every write fails from now on, or after so many more."""
        self._error, self._left = error, after

    def mend(self):
        self._error = None


class Ticks:
    """Milliseconds that pass when told."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def cheap_pins(monkeypatch):
    """A PIN's hash is meant to take time, and some tests make hundreds; test_judge holds what it costs."""
    scrypt = hashlib.scrypt
    monkeypatch.setattr(hashlib, "scrypt", lambda *raw, **how: scrypt(*raw, **how | {"n": 2}))


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def ticks():
    return Ticks()


@pytest.fixture
def disk():
    disk = Disk()
    yield disk
    disk.mend()
    disk.go_on()


@pytest.fixture
def table(tmp_path, clock, disk):
    table = Library(tmp_path / "state", stamp=clock.stamp, stall=disk)
    yield table
    disk.go_on()
    table.leave()


def a_box(table, ticks, aside=None, **more):
    """A box at a table, on which every text has to be there, with ``more`` of what it may reach."""
    box = Box(MatchDoor(table), pages=pages_of, strict=True, now_ms=ticks, aside=aside)
    for name, value in more.items():
        setattr(box, name, value)
    return box


@pytest.fixture
def box(table, ticks):
    return a_box(table, ticks)


@pytest.fixture
def player(box, ticks):
    return Player(box, ticks)


@pytest.fixture
def referee(table):
    """An open match of San Gimignano, Adso to start, before its first report."""
    return table.open_match(Header("san_gimignano", NAMES, Setup()))


@pytest.fixture
def toy():
    """The toy game with sealed guesses, as if it were one of the house's; its id."""
    with installed(odds_and_beans) as game_id:
        yield game_id


@pytest.fixture
def grid_toy():
    """The toy game on a board, likewise."""
    with installed(board_toy) as game_id:
        yield game_id


@pytest.fixture
def tower():
    """The toy game with a tower and facts of its copy, likewise."""
    with installed(tower_toy) as game_id:
        yield game_id
