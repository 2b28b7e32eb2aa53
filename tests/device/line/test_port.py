import asyncio
import os
import socket
import threading
import tty
from collections.abc import Callable
from pathlib import Path

import pytest
import serial

from device.line import service
from device.line.service import OUTBOX, Port
from tests.device.conftest import in_a_loop

QUICK = (0.01, 0.04)


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
    monkeypatch.setattr(service, "_WRITE_TIMEOUT", 0.2)
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
