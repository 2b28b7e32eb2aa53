"""Bad input of every kind on a running daemon: what people are told, and that nothing is lost.

Each test names the words. The parts have more of this in their own tests; here they work together.
"""

import asyncio
import os
import resource
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from device import config as configs
from device import daemon as daemons
from device.daemon import Daemon
from device.keys import Key
from device.keys.pins import ControlsError, pin_factory
from device.line.door import make_header
from device.match.journal import read
from device.match.library import Library
from device.menus import telling
from device.screen import HeaderMark, NoticePage
from device.settings import Config, Keys
from device.simulate import SimulatedHardware
from tests.device.conftest import in_a_loop
from tests.device.here import GAME, at_the_line, running

# The line


@in_a_loop
async def test_half_a_line(tmp_path):
    async with at_the_line(tmp_path / "state") as here:
        await here.open()
        here.far.write(b"7 step P d")
        here.daemon.hardware.set_fault("line_unplugged", True)
        await here.sees("warning='line'")
        line = f"line {tmp_path}/state/line: "
        await here.until(lambda: line + "not plugged in" in here.daemon.status_lines())
        here.daemon.hardware.set_fault("line_unplugged", False)
        await here.sees("warning=''")
        assert line + "no node is on it" in here.daemon.status_lines()
        await here.say("hello laptop 1 step")
        assert line + "ok" in here.daemon.status_lines()
        here.far.write(b" d\n")
        assert await here.say(b"8 ping\n") == "err - malformed a line is: NUMBER KIND …, for example 1 ping"
        assert here.recorded == 2
        # In two parts it is a slow typist's.
        here.far.write(b"9 step P")
        await asyncio.sleep(0.05)
        assert await here.say(b" d d\n") == "ack 8"
        assert (await here.far.line()).endswith("ack 9 3")


# The disk


def _played(state: Path) -> Path:
    """The journal of a match with a market and two steps, which is the one being played."""
    table = Library(state, simulated=True)
    referee = table.open_match(make_header(GAME, ("Adso", "William"), {"start": "b"}))
    for text in ("6 8 8 10", "P d d", "P d d"):
        referee.step(text, channel="keys")
    table.leave()
    return Path(referee.path)


@in_a_loop
async def test_a_journal_with_a_flipped_byte(tmp_path):
    """Named, what is intact is played on in a new file, and the old one stays as it is."""
    state = tmp_path / "state"
    path = _played(state)
    data = bytearray(path.read_bytes())
    data[data.rindex(b"P d d")] ^= 0x01
    path.write_bytes(data)

    async with at_the_line(state) as here:
        (problem,) = here.daemon.status()["problems"]
        assert problem.startswith(f"{path.name}: the match's record is damaged (record 3: ")
        assert problem.endswith(".r1.podesta, records: 2")
        await here.sees(problem)
        await here.sees_status(problem)
        assert here.recorded == 2
        await here.say("hello laptop 1 step")
        assert await here.say("step @2 a: P d m8") == f"ack {here.seq} 3"
    assert path.read_bytes() == data
    (fresh,) = set(path.parent.glob("*.podesta")) - {path}
    reading = read(fresh)
    assert [record.payload for record in reading.records] == ["6 8 8 10", "P d d", "P d m8"]
    assert reading.header["recovered_from"] == path.name


@in_a_loop
async def test_a_disk_that_is_really_full(tmp_path):
    """The step is told to be not recorded, and is there once people make room and try again."""
    with small_disk(tmp_path / "disk") as disk:
        async with at_the_line(disk.path / "state") as here:
            await here.open()
            disk.fill()
            number = 2
            while (said := await here.say("reading towers 1 a=- b=-")).startswith("ack "):
                number += 1  # what the file system still had room for
            assert said.startswith(f"err {here.seq} disk not recorded: ")
            await here.sees(here.daemon.box.texts("lost.title"))
            await here.sees(here.daemon.box.texts(disk.words))
            assert here.daemon.box.page().header.mark is HeaderMark.FAILED
            assert here.recorded == number
            disk.free()
            here.daemon.hardware.hand.press(Key.OK)
            await here.until(lambda: here.recorded == number + 1)
        (path,) = (disk.path / "state" / "matches").glob("*.podesta")
        reading = read(path)
        assert reading.damage is None
        assert [record.payload for record in reading.records[:2]] == ["opened", "6 8 8 10"]


class TinyDisk:
    """A file system of its own, with little room."""

    words = "lost.full"

    def __init__(self, path: Path) -> None:
        self.path = path

    def fill(self) -> None:
        with (self.path / "filler").open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def free(self) -> None:
        (self.path / "filler").unlink()


class ShortFiles(TinyDisk):
    """Where nobody may mount: this process may not write beyond what its journal has."""

    words = "lost.other"

    def fill(self) -> None:
        (log,) = (self.path / "state" / "matches").glob("*.podesta")
        self._limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size, self._limits[1]))

    def free(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, self._limits)


@contextmanager
def small_disk(path: Path, options: str = "size=400k") -> Iterator[TinyDisk]:
    """A tiny file system where root may mount one, else a limit on the length of files."""
    path.mkdir()
    if not _mount(path, options):
        disk = ShortFiles(path)
        try:
            yield disk
        finally:
            if hasattr(disk, "_limits"):
                disk.free()
        return
    try:
        yield TinyDisk(path)
    finally:
        subprocess.run(["umount", path], check=True)


def _mount(path: Path, options: str) -> bool:
    if os.geteuid():
        return False
    command = ["mount", "-t", "tmpfs", "-o", options, "podesta-test", path]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
@in_a_loop
async def test_a_disk_that_may_only_be_read(tmp_path):
    """The box comes up, says which match it cannot go on with, and says so again to whoever opens one."""
    with small_disk(tmp_path / "disk") as disk:
        if type(disk) is not TinyDisk:
            pytest.skip("may not mount here")
        path = _played(disk.path / "state")
        before = path.read_bytes()
        subprocess.run(["mount", "-o", "remount,ro", disk.path], check=True)
        daemon = wired(disk.path / "state")
        async with running(daemon) as here:
            broken, full = daemon.status()["problems"]
            assert broken.startswith(f"{path.name}: the match cannot be read or written (")
            assert full.startswith(f"{path.parent} is read-only: nothing you enter is saved.")
            await here.sees("Read-only file system")
            await here.sees_status("Read-only file system")
            assert here.recorded == 0
            daemon.box.open(make_header(GAME, (), {}))
            daemon.box.on_page()
            await here.sees("The match could not be opened: ")
            await here.sees("Read-only file system")
            assert daemon.library.referee is None
        assert path.read_bytes() == before


# The parts


def wired(state: Path, config: str = "") -> Daemon:
    """A daemon that looks for real hardware, of which there are only pins (of a kind): no display, no bus."""
    text = '[keys]\nfactory = "lgpio"\n[display]\ndriver = "ssd1309"\nport = 22\n' + config
    loaded = configs.LoadedConfig(configs.parse(text)[0], (), configs.ConfigSource.FILE)
    assert loaded.config != Config()
    daemon = Daemon(loaded, state, port=0)
    assert not daemon.simulated
    daemon._pins = pin_factory("mock")
    return daemon


@in_a_loop
async def test_keys_that_cannot_be_had_yet(tmp_path, monkeypatch, caplog):
    """The box comes up and says so; it tries again, and says it once however often that fails."""
    monkeypatch.setattr(daemons, "RETRY_S", (0.005, 0.02))
    factory = pin_factory("mock")
    tries = []
    let = threading.Event()

    def had(_name):
        tries.append(len(tries))
        if len(tries) < 5 or not let.is_set():
            raise ControlsError("no GPIO: another program has it")
        return factory

    daemon = wired(tmp_path / "state")
    daemon._pins = None
    monkeypatch.setattr(daemons, "pin_factory", had)
    async with running(daemon) as here:
        await here.until(lambda: len(tries) > 5)
        assert "keys: no GPIO: another program has it" in daemon.status_lines()
        assert daemon.status()["keys"] is False
        assert daemon.box.page().header.warning == "key"
        let.set()
        await here.until(lambda: daemon.status()["keys"])
        assert "keys: ok" in daemon.status_lines()
        assert daemon.box.page().header.warning == ""
        pin = factory.pin(Keys().undo)
        pin.drive_low()
        await asyncio.sleep(0.03)
        pin.drive_high()
        await here.sees(daemon.box.texts("undo.nothing"))
    said = [record for record in caplog.records if record.getMessage().startswith("keys: ")]
    assert [record.getMessage() for record in said] == ["keys: no GPIO: another program has it"]


@in_a_loop
async def test_a_key_held_at_the_start(tmp_path, monkeypatch):
    """The screen names it; until it has been let go once it does nothing."""

    class Leaning(SimulatedHardware):
        """Something lies on the Undo key."""

        def start(self) -> None:
            super().start()
            self.hand.down(Key.UNDO)

    monkeypatch.setattr(daemons, "SimulatedHardware", Leaning)
    monkeypatch.setattr(daemons, "RETRY_S", (0.1, 0.1))
    monkeypatch.setattr(telling, "URGENT_MS", 500)

    async with at_the_line(tmp_path / "state") as here:
        daemon = here.daemon
        await here.sees("Undo key is held down")
        assert isinstance(daemon.box.page(), NoticePage)
        assert daemon.box.page().header.warning == "key"
        pressed = []
        monkeypatch.setattr(daemon.box, "_take_press", lambda key, view: pressed.append(key))
        daemon.hardware.hand.up(Key.UNDO)
        await here.until(lambda: not daemon.controls.stuck)
        await here.until(lambda: daemon.box.page().header.warning == "")
        assert pressed == []
        await here.until(lambda: daemon.box.due_ms() in (None, 0.0))
        daemon.hardware.hand.press(Key.UNDO)
        await here.until(lambda: pressed == [Key.UNDO])
