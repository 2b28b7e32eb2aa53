import asyncio
import os
import socket
import struct
import threading
import tty
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NoReturn

import pytest
import serial

from device.line import port as ports
from device.line import service as services
from device.line.port import OUTBOX, Port
from device.line.service import LineService, LineState
from device.line.session import UNREAD
from device.settings import LineSettings
from device.simulate import SimulatedLine
from device.telemetry import GatePassed, Health, ReceivedMessage
from device.texts import Texts, quoted
from tests.device.conftest import in_a_loop
from tests.device.line.fakes import FakeDoor, FarEnd

QUICK = (0.01, 0.04)
ENGLISH = Texts.load()


class Plug:
    """A pseudo-terminal's master at a symlink, as a device that can be pulled out."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.master, slave = os.openpty()
        tty.setraw(slave)
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(slave))
        self._slave = slave

    def pull(self) -> None:
        os.close(self.master)
        os.close(self._slave)
        self.link.unlink()


class Heard:
    """What a port reports, and a way to wait for it."""

    def __init__(self, url: str, retry: tuple[float, float] = QUICK) -> None:
        self.data = b""
        self.states: list[tuple[bool, str]] = []
        self._news = asyncio.Event()
        self.port = Port(url, 115200, self._on_bytes, self._on_state, retry=retry)

    def _on_bytes(self, data: bytes) -> None:
        self.data += data
        self._news.set()

    def _on_state(self, online: bool, why: str) -> None:
        self.states.append((online, str(why)))
        self._news.set()

    async def until(self, true: Callable[[], bool]) -> None:
        """The timeout is there to end a test that hangs."""
        async with asyncio.timeout(15):
            while not true():
                self._news.clear()
                await self._news.wait()

    async def state(self, *states: tuple[bool, str]) -> None:
        await self.until(lambda: self.states[-len(states) :] == list(states))


@pytest.fixture(autouse=True)
def _no_thread_is_left():
    before = set(threading.enumerate())
    yield
    left = [t.name for t in set(threading.enumerate()) - before if t.name.startswith(("line", "to"))]
    assert left == []


async def read(fd: int, size: int) -> bytes:
    async with asyncio.timeout(10):
        data = b""
        while len(data) < size:
            data += await asyncio.to_thread(os.read, fd, size - len(data))
        return data


@in_a_loop
async def test_bytes_both_ways_unplug_and_replug(tmp_path):
    link = tmp_path / "keypad"
    heard = Heard(str(link))
    heard.port.start()
    await heard.state((False, "not plugged in"))
    assert not heard.port.online
    heard.port.write(b"lost\n")

    for turn in range(3):
        plug = Plug(link)
        await heard.state((True, ""))
        assert heard.port.online
        heard.port.write(b"box %d\n" % turn)
        assert await read(plug.master, 6) == b"box %d\n" % turn
        os.write(plug.master, b"node %d\n" % turn)
        await heard.until(lambda: heard.data.endswith(b"node %d\n" % turn))  # noqa: B023 - awaited here
        plug.pull()
        await heard.until(lambda: heard.states.count((True, "")) == turn + 1 and not heard.states[-1][0])  # noqa: B023 - awaited here
        assert not heard.port.online

    await heard.port.close()
    assert heard.data == b"node 0\nnode 1\nnode 2\n"
    got = [state for state in heard.states if state != (False, "not plugged in")]
    assert got == [(True, ""), (False, "unplugged")] * 3


@in_a_loop
async def test_a_port_in_use_by_another_program(tmp_path):
    plug = Plug(tmp_path / "keypad")
    first, second = Heard(str(plug.link)), Heard(str(plug.link))
    first.port.start()
    await first.state((True, ""))
    second.port.start()
    await second.state((False, "another program uses it"))
    await first.port.close()
    await second.state((True, ""))
    await second.port.close()
    plug.pull()


@in_a_loop
async def test_a_far_end_that_takes_nothing_never_blocks_the_loop(tmp_path, monkeypatch):
    """What it did not take is dropped: closing would wait for it."""
    monkeypatch.setattr(ports, "_WRITE_TIMEOUT", 0.2)
    dropped = []
    drop = serial.Serial.reset_output_buffer
    monkeypatch.setattr(serial.Serial, "reset_output_buffer", lambda one: (dropped.append(one), drop(one)))
    plug = Plug(tmp_path / "keypad")
    heard = Heard(str(plug.link))
    heard.port.start()
    await heard.state((True, ""))
    for _ in range(4 * OUTBOX):
        heard.port.write(b"x" * 512)
    await heard.state((True, ""), (False, "takes no data"), (True, ""))
    assert len(dropped) == 1
    heard.port.write(b"again\n")
    left = b""
    while not left.endswith(b"again\n"):
        left += await read(plug.master, 1)
    await heard.port.close()
    plug.pull()


@in_a_loop
async def test_socket_and_its_end(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        heard = Heard(f"socket://127.0.0.1:{server.getsockname()[1]}")
        heard.port.start()
        for turn in range(2):
            far, _ = await asyncio.to_thread(server.accept)
            await heard.until(lambda: heard.port.online)
            far.sendall(b"hi %d\n" % turn)
            await heard.until(lambda: heard.data.endswith(b"hi %d\n" % turn))  # noqa: B023 - awaited here
            heard.port.write(b"box\n")
            assert await read(far.fileno(), 4) == b"box\n"
            far.close()
            await heard.until(lambda: heard.states.count((False, "unplugged")) == turn + 1)  # noqa: B023 - awaited here
        await heard.port.close()
        assert heard.data == b"hi 0\nhi 1\n"


def test_unknown_url():
    with pytest.raises(ValueError, match=r"line port pigeon://x: .*pigeon"):
        Port("pigeon://x", 9600, print, print)


class Bench:
    """A service on a simulated line, with somebody at the far end."""

    def __init__(self, tmp_path: Path, **options: object) -> None:
        self.door = FakeDoor()
        self.states: list[LineState] = []
        self.told: list[ReceivedMessage] = []
        self._news = asyncio.Event()
        self.cable = SimulatedLine(tmp_path / "near", tmp_path / "far", seed=7)
        self.cable.start()
        self.far = FarEnd(tmp_path / "far")
        self.url = str(tmp_path / "near")
        lines = [LineSettings(self.url, **options)]
        self.service = LineService(
            lines, self.door, on_telemetry=self.told.append, on_state=self._changed, retry=QUICK
        )

    def _changed(self, state: LineState) -> None:
        self.states.append(state)
        self._news.set()

    async def state(self, online: bool) -> None:
        async with asyncio.timeout(15):
            while not (self.states and self.states[-1].online == online):
                self._news.clear()
                await self._news.wait()

    async def say(self, line: str, answer: str) -> str:
        self.far.write(f"{line}\n".encode())
        return (await self.far.until(answer)).partition(" ")[2]


@asynccontextmanager
async def bench(tmp_path: Path, **options: object) -> AsyncIterator[Bench]:
    """A service that runs, its line open."""
    here = Bench(tmp_path, **options)
    task = asyncio.create_task(here.service.run())
    await here.state(True)
    yield here
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    here.far.close()
    here.cable.close()


@in_a_loop
async def test_what_a_scale_says_and_how_it_is(tmp_path):
    async with bench(tmp_path) as b:
        await b.say("1 hello tray-1 1 scale", "re=1")
        assert b.service.states[0].says(ENGLISH) == "ok"
        await b.say("2 health cell-gone rate=0", "ack 2")
        await b.say("3 gate 1 9", "ack 3")
        assert [told.message for told in b.told] == [Health("cell-gone", (("rate", 0.0),)), GatePassed(1, 9)]
        assert b.service.states[0].says(ENGLISH) == "tray-1: cell-gone"
        b.cable.unplug()
        await b.state(False)
        assert b.service.states[0].says(ENGLISH) in {"unplugged", "not plugged in"}


@in_a_loop
async def test_a_node_that_is_refused_is_how_the_line_is_until_it_is_taken(tmp_path):
    async with bench(tmp_path, keys=("pad-1",)) as b:
        why = "the box's settings do not let my-bell use its keys"
        assert why in await b.say("1 hello my-bell 1 key", "err 1 hello")
        assert b.states[-1] == b.service.states[0]
        assert b.service.states[0].says(ENGLISH) == why
        await b.say("2 hello my-bell 1", "err 2 malformed")
        assert b.states[-1].says(ENGLISH).startswith("write: hello NAME")
        assert "re=3" in await b.say("3 hello pad-1 1 key", "hello")
        assert b.states[-1] == LineState(b.url, True, "", "pad-1")
        assert b.service.states[0].says(ENGLISH) == "ok"
        await b.say("4 hello my-bell 1 key", "err 4 hello")
        b.cable.unplug()
        await b.state(False)
        assert b.service.states[0].says(ENGLISH) in {"unplugged", "not plugged in"}


@in_a_loop
async def test_what_cannot_be_read_is_how_the_line_is_until_a_node_is_taken(tmp_path, caplog):
    async with bench(tmp_path) as b:
        assert b.service.states[0].says(ENGLISH) == "no node is on it"
        await b.say("half a line", "2 err - malformed")
        assert b.service.states[0].why == ""
        b.far.write(b"\xf8\n" * UNREAD)  # at another rate; it is answered once
        await b.far.until("3 err - garbled")
        async with asyncio.timeout(15):
            while not b.service.states[0].why:
                await asyncio.sleep(0.01)
        unreadable = "its data cannot be read; is the baud rate right?"
        assert b.states[-1].says(ENGLISH) == unreadable
        await b.say("what?", "err - malformed")
        assert [unreadable in record.message for record in caplog.records] == [True]
        await b.say("1 hello keypad-1 1 step", "re=1")
        for _ in range(2 * UNREAD):
            await b.say("what?", "err - malformed")
        assert b.states[-1].says(ENGLISH) == "ok"


@in_a_loop
async def test_a_port_that_hangs_while_it_is_opened_is_logged(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(services, "GREETS_S", 0.02)
    hangs, opens = threading.Event(), Port._open
    monkeypatch.setattr(Port, "_open", lambda port: hangs.wait(10) and opens(port))
    service = LineService([LineSettings("loop://")], FakeDoor(), retry=QUICK)
    task = asyncio.create_task(service.run())
    await asyncio.sleep(0.05)
    assert service.states[0].says(ENGLISH) == "away"
    hangs.set()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert "line loop://: not open yet after 0.02 s, and nobody has said hello" in caplog.messages


@pytest.mark.parametrize("error", [struct.error("argument out of range"), NameError(), ValueError("")])
@in_a_loop
async def test_a_port_that_opens_with_any_error_is_tried_again(tmp_path, monkeypatch, caplog, error):
    """The thread ended with what nobody foresaw, and the line was dead without a word."""
    errors, opens = [error], Port._open
    monkeypatch.setattr(Port, "_open", lambda port: opens(port) if not errors else throw(errors.pop()))

    async with bench(tmp_path) as b:
        assert [state.why for state in b.states] == [quoted(str(error) or type(error).__name__), ""]
        assert (await b.far.line()).startswith("1 hello podesta 1")
    assert len([record for record in caplog.records if record.levelname == "WARNING"]) == 1


def throw(error: Exception) -> NoReturn:
    raise error


def test_two_lines_on_one_port():
    lines = [LineSettings("loop://"), LineSettings("loop://")]
    with pytest.raises(ValueError, match="two lines on loop://"):
        LineService(lines, FakeDoor())
