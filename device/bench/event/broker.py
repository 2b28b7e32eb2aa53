"""A Mosquitto for the bench on a free port of this machine, and its own rate."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Final

from device.errors import DeviceError, Exit
from device.event import Credential, Topics

PATIENCE_S: Final = 30.0
TELLERS: Final = 10
"""The number of messages under way at once."""
HZ: Final = os.sysconf("SC_CLK_TCK")


class NoMosquitto(DeviceError):
    """Mosquitto is missing, or does not start."""

    code = Exit.LACKING


def mosquitto() -> str:
    """Return the path of Mosquitto; raises :class:`NoMosquitto`."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if not found:
        raise NoMosquitto("mosquitto is not installed here: apt install mosquitto")
    return found


def free_port() -> int:
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
        self.process = subprocess.Popen([mosquitto(), "-c", str(self.conf)])
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


async def alone(at: Credential, topics: Topics, count: int, size: int) -> float:
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


def spent(pid: int) -> tuple[float, float]:
    """Return the CPU time of a process in seconds, and its memory in MB."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return (int(fields[11]) + int(fields[12])) / HZ, pages * os.sysconf("SC_PAGE_SIZE") / 1e6
