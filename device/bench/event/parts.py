"""The parts of an event for the bench: boxes without keys and screen (matches, journal, publisher), and a
Mosquitto on a free port of this machine.

:data:`COMMAND` runs a box in a process of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Final

import msgspec

import engines
from device.bench.engines import play_random_steps
from device.errors import DeviceError, Exit
from device.event import BROKER, BoxKey, Credential, Publisher, Topics, read_credential, take_place
from device.match import Header, Library
from device.supervise import wake
from engines.contract import SEATS, Setup
from engines.facts import playable, schema
from engines.match import Step

COMMAND = (sys.executable, "-c", f"from {__name__} import main; main()")
"""The command of a box; its state, its file and its game follow."""


class Entered(msgspec.Struct, frozen=True):
    """A step on the disk: its last record, and the time (s since 1970)."""

    record: int
    at: float


class PublishingBox:
    """A box of an event; needs a running loop."""

    def __init__(self, folder: Path, file: Path, *, simulated: bool = False) -> None:
        """Take the box's file; its state is kept in ``folder``."""
        self.place = take_place(file, folder)
        self.loop = asyncio.get_running_loop()
        self.library = Library(
            folder,
            simulated=simulated,
            table_id=self.place.table,
            event_id=self.place.event,
            wake=lambda: wake(self.loop, self.written),
            signer=BoxKey(folder),
        )
        at = read_credential(folder / BROKER)
        assert at is not None
        self.publisher = Publisher(at, self.place, self.library)
        self.steps: Iterator[Step] = iter(())
        self.task: asyncio.Task[None] | None = None

    def written(self) -> None:
        """Note what the disk has."""
        if self.library.referee:
            self.library.referee.poll()
        self.publisher.changed()

    def online(self) -> None:
        """Connect to the broker."""
        self.task = asyncio.create_task(self.publisher.run())

    async def there(self) -> None:
        """Wait until the box is connected."""
        while self.publisher.why:
            await asyncio.sleep(0.1)

    async def offline(self) -> None:
        """Leave the broker."""
        if self.task:
            self.task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.task

    def begin(self, header: Header, steps: Iterable[Step]) -> None:
        """Open a match with these steps."""
        self.library.open_match(header)
        self.steps = iter(steps)
        self.publisher.changed()

    async def enter(self, step: Step) -> Entered:
        """Enter a step, and wait until it is on the disk."""
        assert self.library.referee is not None
        entry = self.library.referee.step(step.text, seat=step.seat, channel="keys")
        await asyncio.wrap_future(entry.written)
        self.written()
        return Entered(self.library.referee.recorded, time.time())

    async def play(self, count: int = 10**6) -> None:
        """Play ``count`` steps, or to the end, each on the disk before the next."""
        for _, step in zip(range(count), self.steps, strict=False):
            await self.enter(step)

    async def paced(self, count: int, pause_s: float, rng: Random) -> list[Entered]:
        """Play ``count`` steps, one in each pause; return them with their times."""
        began, made = self.loop.time(), list[Entered]()
        for number, step in zip(range(count), self.steps, strict=False):
            due = began + pause_s * (number + rng.random())
            await asyncio.sleep(max(0.0, due - self.loop.time()))
            made.append(await self.enter(step))
        return made

    async def close(self) -> None:
        """Leave the broker and the match."""
        await self.offline()
        self.library.leave()


def make_random_match(game_id: str, seed: str) -> tuple[Header, Iterator[Step]]:
    """Return a random match of as many players as possible; the same ``seed`` plays the same."""
    setup = playable(schema(game_id), Setup(engines.game(game_id).seats[-1]))
    names = tuple(f"{seed} {seat}" for seat in SEATS[: setup.seats])
    return Header(game_id, names, setup), play_random_steps(game_id, Random(seed), setup)


def set_log_level() -> None:
    """Limit the publishers' log to errors: hundreds of connections are no news."""
    logging.getLogger("device.event.publisher").setLevel(logging.ERROR)


async def serve(state: Path, file: Path, game: str) -> None:
    """Run the box of a file: print ``there`` once it is connected. For each line ``COUNT PAUSE_S`` of the
    input play so many steps, and answer with an :class:`Entered` for each in JSON, until the input ends.
    """
    set_log_level()
    box = PublishingBox(state, file, simulated=True)
    rng = Random(box.place.table)
    box.begin(*make_random_match(game, box.place.table))
    box.online()
    await box.there()
    print("there", flush=True)
    while told := await asyncio.to_thread(sys.stdin.readline):
        count, pause_s = told.split()
        made = await box.paced(int(count), float(pause_s), rng)
        print(msgspec.json.encode(made).decode(), flush=True)
    await box.close()


def main() -> None:
    """Run the box of the command line: its state, its file, its game."""
    asyncio.run(serve(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))


# The broker


PATIENCE_S: Final = 30.0
TELLERS: Final = 10
"""The number of messages under way at once."""
HZ: Final = os.sysconf("SC_CLK_TCK")


class NoMosquitto(DeviceError):
    """Mosquitto is missing, or does not start."""

    code = Exit.LACKING


def find_mosquitto() -> str:
    """Return the path of Mosquitto; raises :class:`NoMosquitto`."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if not found:
        raise NoMosquitto("mosquitto is not installed here: apt install mosquitto")
    return found


def find_free_port() -> int:
    """Return a free port of this machine."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Broker:
    """A broker with the files of an event; it may be killed and restarted, and keeps nothing."""

    def __init__(self, folder: Path, port: int, tls: tuple[Path, Path] | None = None) -> None:
        """Use the passwords and the access list in ``folder``; ``tls`` are certificate and key."""
        self.port, self.conf = port, folder / "bench.conf"
        secure = f"certfile {tls[0]}\nkeyfile {tls[1]}\n" if tls else ""
        self.conf.write_text(
            f"user root\npersistence false\nallow_anonymous false\nlog_type error\n"
            f"password_file {folder / 'passwords'}\nacl_file {folder / 'acl'}\n"
            f"listener {port} 127.0.0.1\nmax_queued_messages 0\n{secure}",
            "utf-8",
        )

    def start(self) -> Broker:
        """Start the broker and wait until it answers; raises :class:`NoMosquitto`."""
        self.process = subprocess.Popen([find_mosquitto(), "-c", str(self.conf)])
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and self.process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return self
            time.sleep(0.02)
        self.kill()
        raise NoMosquitto(f"mosquitto did not start at port {self.port}")

    def kill(self) -> None:
        """End the broker at once."""
        self.process.kill()
        self.process.wait()


async def measure_broker(at: Credential, topics: Topics, count: int, size: int) -> float:
    """Return the number of messages a second, of ``size`` bytes, from one client to another."""
    topic = f"{topics.base}/bench"
    async with at.client(None) as one, at.client(None) as two:
        await two.subscribe(topic, qos=1)
        began = time.perf_counter()

        async def hear() -> None:
            for _ in range(count):
                await anext(two.messages)

        async def tell(number: int) -> None:
            for _ in range(number):
                await one.publish(topic, bytes(size), qos=1)

        await asyncio.gather(hear(), *(tell(count // TELLERS) for _ in range(TELLERS)))
        return count / (time.perf_counter() - began)


def read_usage(pid: int) -> tuple[float, float]:
    """Return the CPU time of a process in seconds, and its memory in MB."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return (int(fields[11]) + int(fields[12])) / HZ, pages * os.sysconf("SC_PAGE_SIZE") / 1e6
