"""A real Mosquitto on a free port of this machine, and boxes that play and publish in this process."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import socket
import subprocess
import time

import pytest

from device.event import BROKER, BoxKey, Publisher, credential, take
from device.match import Library
from tests.device.commands.recorded import HEADER, played

PATIENCE_S = 30  # only ever spent by a test that fails
MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Broker:
    """A broker that may be killed and started again; it keeps nothing."""

    def __init__(self, folder, port, tls=None):
        self.port, self._process = port, None
        self.conf = folder / "test.conf"
        tls = f"certfile {tls[0]}\nkeyfile {tls[1]}\n" if tls else ""
        self.conf.write_text(
            f"user root\npersistence false\nallow_anonymous false\nlog_type error\n"
            f"password_file {folder / 'passwords'}\nacl_file {folder / 'acl'}\n"
            f"listener {port} 127.0.0.1\nmax_queued_messages 0\n{tls}"
        )

    def start(self):
        self._process = subprocess.Popen([MOSQUITTO, "-c", str(self.conf)])
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return self
            time.sleep(0.02)
        raise AssertionError("mosquitto did not start")

    def kill(self):
        self._process.kill()
        self._process.wait()

    @property
    def pid(self):
        return self._process.pid


def needed():
    if not MOSQUITTO:
        pytest.skip("mosquitto is not installed: no broker to meet at")


class PublishingBox:
    """A box of an event without its keys and screen: a match, a journal, a publisher."""

    def __init__(self, folder, file):
        self.place = take(file, folder)
        self.loop = asyncio.get_running_loop()
        self.library = Library(
            folder,
            table_id=self.place.table,
            event_id=self.place.event,
            wake=lambda: self.loop.call_soon_threadsafe(self.written),
            signer=BoxKey(folder),
        )
        self.publisher = Publisher(credential(folder / BROKER), self.place, self.library)
        self.task = None

    def written(self):
        if self.library.referee:
            self.library.referee.poll()
        self.publisher.changed()

    def online(self):
        self.task = asyncio.create_task(self.publisher.run())

    async def offline(self):
        self.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.task

    def open(self, header=HEADER, names=None):
        from msgspec.structs import replace

        self.library.open_match(replace(header, names=names) if names else header)
        self.steps = iter(played().steps)
        self.publisher.changed()

    async def play(self, count=10**6):
        """So many steps, or to the end, each on the disk before the next."""
        for _, step in zip(range(count), self.steps, strict=False):
            await self.enter(step)

    async def enter(self, step):
        entry = self.library.referee.step(step.text, seat=step.seat, channel="keys")
        await asyncio.wrap_future(entry.written)
        self.written()

    async def close(self):
        if self.task:
            await self.offline()
        self.library.leave()


async def until(true, said=""):
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if true():
            return
        await asyncio.sleep(0.02)
    raise AssertionError(said or true)
