"""The daemon as a process of its own, for tests that play on it from outside.

::

    with DaemonProcess(tmp_path, simulate=True) as box:   # stopped, or failing that killed, at the end
        box.start()
        box.wait_for(lambda status: status["recorded"] == 3)
        box.screen().save("screen.png")
        assert box.stop() == 0
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PIL import Image

from device.menus import READ_MS

Status = dict[str, Any]

REPOSITORY = Path(__file__).parents[2]

LOOK_S = 0.01
"""How often the status is asked for while something is waited for."""


class DaemonProcess:
    """One box: its settings, state and log in ``folder``, its screen in a file there.

    ``config`` is TOML over these defaults: an offscreen display that writes ``screen.png`` (unless ``config``
    has a ``[display]`` of its own) and a free port for the panel. It can be started again after it ended.
    """

    def __init__(self, folder: Path, *, config: str = "", simulate: bool) -> None:
        """Nothing runs before :meth:`start`; ``simulate`` is the command's ``--simulate``."""
        folder.mkdir(parents=True, exist_ok=True)
        self.state = folder / "state"
        self.port = _free_port()
        self._simulate = simulate
        self._log_file = folder / "daemon.log"
        self._screen_file = folder / "screen.png"
        self._config_file = folder / "podesta.toml"
        if "[display]" not in config:
            config += f'\n[display]\ndriver = "offscreen"\npath = "{self._screen_file}"\n'
        self._config_file.write_text(config, "utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def start(
        self, ready: Callable[[Status], object] = lambda status: status["keys"], timeout: float = 60
    ) -> Status:
        """Start it and wait until its status is ``ready``, by default until it has its keys."""
        self._screen_file.unlink(missing_ok=True)
        command = [sys.executable, "-m", "device.cli", "run", "--port", str(self.port)]
        command += ["--config", str(self._config_file), "--state", str(self.state)]
        command += ["--simulate"] * self._simulate
        with self._log_file.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=REPOSITORY,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={"PODESTA_LOG": "INFO", **os.environ, "PYTHONUNBUFFERED": "1"},
            )
        return self.wait_for(ready, timeout)

    def stop(self, timeout: float = 30) -> int:
        """Ask it to end (SIGTERM); its exit status. One that does not end is killed, and the test fails."""
        return self._end(signal.SIGTERM, timeout)

    def kill(self) -> None:
        """What a power cut does to a process (SIGKILL)."""
        self._end(signal.SIGKILL, 30)

    def status(self) -> Status:
        """Return what ``Daemon.status()`` says, by the panel's ``/status``; OSError while nobody answers."""
        status: Status = json.loads(self._get("/status"))["status"]
        return status

    def text(self) -> list[str]:
        """Return what the screen says, line by line; OSError while nobody answers."""
        said: list[str] = json.loads(self._get("/status"))["text"]
        return said

    def wait_for(self, predicate: Callable[[Status], object], timeout: float = 20) -> Status:
        """The first status that ``predicate`` holds for; fails with the last one and the log's end."""
        last: Status | str = "no answer"
        for _ in _moments(timeout):
            assert self._process, "start it first"
            try:
                last = self.status()
                if predicate(last):
                    return last
            except (OSError, http.client.HTTPException):
                pass
            if (code := self._process.poll()) is not None:
                raise AssertionError(f"the daemon ended with {code}; its log:\n{self.log[-4000:]}")
        raise AssertionError(f"not within {timeout} s; status {last}; the log's end:\n{self.log[-4000:]}")

    def screen(self) -> Image.Image:
        """Return what its display shows: 128×64, mode ``1``. FileNotFoundError before the first picture."""
        with Image.open(self._screen_file) as image:
            return image.convert("1")

    def wait_for_screen(
        self, predicate: Callable[[Image.Image], object], timeout: float = 20
    ) -> Image.Image | None:
        """The first picture that ``predicate`` holds for; failing that the last one, so look at it again."""
        last: Image.Image | None = None
        for _ in _moments(timeout):
            if self._screen_file.exists():
                last = self.screen()
                if predicate(last):
                    break
        return last

    @property
    def log(self) -> str:
        """All it has said since the first start."""
        return self._log_file.read_text("utf-8", "replace") if self._log_file.exists() else ""

    @property
    def pid(self) -> int:
        """The process that was started last."""
        assert self._process, "start it first"
        return self._process.pid

    def post(self, path: str) -> None:
        """Use the panel of a simulated box, such as ``post("/key/ok")``; OSError when it refuses."""
        connection = self._connection()
        try:
            connection.request("POST", path)
            answer = connection.getresponse()
            said = answer.read().decode()
            if answer.status >= 300:
                raise OSError(f"POST {path}: {answer.status} {said.strip()}")
        finally:
            connection.close()

    def look_and_press(self) -> None:
        """Press OK once people have seen the page for a moment: sooner it is meant for the one before."""
        time.sleep(READ_MS / 1000)
        self.post("/key/ok?ms=30")

    def __enter__(self) -> DaemonProcess:
        """Use as a context manager: nothing is left running."""
        return self

    def __exit__(self, *_exc_info: object) -> None:
        """End it if it still runs."""
        if self._process and self._process.poll() is None:
            self.stop()

    def _end(self, number: signal.Signals, timeout: float) -> int:
        assert self._process, "start it first"
        self._process.send_signal(number)
        try:
            return self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise AssertionError(
                f"the daemon did not end within {timeout} s; its log:\n{self.log[-4000:]}"
            ) from None

    def _get(self, path: str) -> bytes:
        connection = self._connection()
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200:
                raise OSError(f"GET {path}: {answer.status} {body.decode().strip()}")
            return body
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        # Not urllib: a proxy from the environment must not come between.
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)


def _moments(timeout: float) -> Iterator[None]:
    """Come round every :data:`LOOK_S` for ``timeout`` s, at least once."""
    end = time.monotonic() + timeout
    yield
    while time.monotonic() < end:
        time.sleep(LOOK_S)
        yield


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def choose(box: DaemonProcess, label: str) -> None:
    """Turn to a line by what the box says it shows, and press OK."""
    end = time.monotonic() + 30
    while f"> {label}" not in [line.rstrip() for line in box.text()]:
        assert time.monotonic() < end, (label, box.text())
        box.post("/turn/1")
        time.sleep(0.2)
    time.sleep(0.8)
    box.post("/key/ok?ms=30")
