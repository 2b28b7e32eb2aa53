"""The service manager is told while every part answers, and no longer."""

import asyncio
import socket
import threading

import pytest

from device import daemon as daemons
from device import watchdog
from device.watchdog import Watchdog, call_if_later, notify
from tests.device.conftest import in_a_loop
from tests.device.here import at_the_line, running, simulated


@pytest.fixture
def manager(tmp_path, monkeypatch):
    """The service manager's end of the socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ours:
        ours.bind(str(tmp_path / "notify"))
        ours.settimeout(10)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield ours


def test_without_a_manager_nothing_is_said(monkeypatch, tmp_path, caplog):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    notify("READY=1")
    assert not caplog.records
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    notify("READY=1")  # logged, not raised: the manager starts us again
    assert "No such file" in caplog.text


class Watching:
    """A watchdog over parts that answer when told, by a clock that is set."""

    def __init__(self, *parts):
        self.now, self.said, self.answers, self.ready = 0.0, [], {}, 0
        watched = {name: self._ask(name) for name in parts}
        self.dog = Watchdog(watched, on_ready=self._ready, tell=self._tell, now=lambda: self.now)

    def _ask(self, name):
        return lambda answer: self.answers.update({name: answer})

    def _ready(self):
        self.ready += 1

    def _tell(self, *said):
        self.said += said

    def round(self, *answering, after=2.0):
        """Return what is said in a round; then these parts answer."""
        self.said.clear()
        self.dog.look_round()
        for name in answering:
            self.answers.pop(name)()
        self.now += after
        return list(self.said)


def test_ready_is_said_once_when_every_part_has_answered():
    watching = Watching("journal", "screen")
    assert watching.round("journal") == []
    assert watching.round("journal", "screen") == []
    assert watching.ready == 0
    assert watching.round("journal", "screen") == ["READY=1", "WATCHDOG=1"]
    assert watching.round("journal", "screen") == ["WATCHDOG=1"]
    assert watching.ready == 1


def test_nothing_is_said_while_a_part_is_silent_for_longer_than_it_may():
    watching = Watching("journal", "screen")
    watching.round("journal", "screen")
    assert "WATCHDOG=1" in watching.round("journal")
    assert [watching.round("journal") for _ in range(2)] == [["WATCHDOG=1"]] * 2
    assert watching.round("journal") == ["STATUS=screen silent"]
    assert watching.round("journal") == []
    watching.round("screen")
    assert watching.round("journal") == ["STATUS=", "WATCHDOG=1"]


def test_a_box_tells_that_it_is_ready_and_then_that_it_is_alive(tmp_path, manager):

    async def main():
        async with running(simulated(tmp_path / "state")):
            return [await asyncio.to_thread(manager.recv, 100) for _ in range(2)]

    assert asyncio.run(main()) == [b"READY=1", b"WATCHDOG=1"]
    assert b"STOPPING=1" in iter(lambda: manager.recv(100), b"")


@pytest.mark.parametrize("part", ["screen", "journal"])
@in_a_loop
async def test_a_thread_that_hangs_is_told_of_no_more(tmp_path, monkeypatch, caplog, part):
    """A display's driver that never returns, a disk that never answers."""
    hanging, free = threading.Event(), threading.Event()
    monkeypatch.setattr(watchdog, "PATIENCE_S", {"clocks": 5, "screen": 0.1, "journal": 0.1})
    said = []
    monkeypatch.setattr(
        daemons, "Watchdog", lambda parts, **more: Watchdog(parts, **more, tell=tell, round_s=0.02)
    )

    def tell(*lines):
        said.extend(lines)

    def hang(answer):
        hanging.set()
        free.wait(30)
        answer()

    async with at_the_line(tmp_path / "state") as here:
        await here.open()
        await here.until(lambda: "WATCHDOG=1" in said)
        if part == "screen":
            here.daemon.screen.ask(lambda: hang(lambda: None))
        else:
            here.daemon.library.referee.ask_writer(lambda: hang(lambda: None))
        await here.until(lambda: f"STATUS={part} silent" in said)
        said.clear()
        await asyncio.sleep(0.2)
        assert "WATCHDOG=1" not in said
        free.set()
        await here.until(lambda: "WATCHDOG=1" in said)
    assert f"{part} has not answered for 0.1 s" in caplog.text


def test_a_clock_that_stands_still_is_no_answer():
    async def answered(*times):
        said, now = [], iter(times)
        call_if_later(lambda: next(now), lambda: said.append("answered"))
        await asyncio.sleep(0.1)
        return said

    assert asyncio.run(answered(5, 6)) == ["answered"]
    assert asyncio.run(answered(5, 5)) == []
    assert asyncio.run(answered(5, 4)) == []
