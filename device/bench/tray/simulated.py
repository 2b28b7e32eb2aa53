"""The parts around a simulated box: the tray's node, and a player at another line.

The node is its own firmware under MicroPython, in step with the caller that feeds it::

    with SimulatedNode(micropython, port, folder) as node:
        node.feed(12, 640_113)         # a sample at 12 ms; 'away': the box has not greeted it yet
        node.settle()                  # time stands still until the box has answered what was said
"""

from __future__ import annotations

import os
import select
import subprocess
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from device.line import FrameReader, LineFrame, encode

PATIENCE_S = 30.0
"""The longest wait for an answer of the box."""


class NodePlayer:
    """A node at the far end of a simulated line."""

    def __init__(self, port: Path, name: str) -> None:
        """Plug the node in and say hello; raises TimeoutError if nobody answers."""
        self.events: list[str] = []
        self._file = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._file)
        self._reader = FrameReader()
        self._number = 0
        self.do(f"hello {name} 1 step,watch,open,key")

    def do(self, said: str) -> str:
        """Send a line and return its answer; raises TimeoutError, RuntimeError for a refusal."""
        self._number += 1
        kind, _, args = said.partition(" ")
        os.write(self._file, encode(self._number, kind, args))
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            for frame in self._answers(0.05):
                words = frame.args.split()
                answers = f"re={self._number}" in words or words[:1] == [str(self._number)]
                if frame.kind == "err" and answers:
                    raise RuntimeError(f"{said}: {frame.args}")
                if answers:
                    return f"{frame.kind} {frame.args}"
        raise TimeoutError(f"{said}: no answer within {PATIENCE_S:g} s")

    def event(self, seconds: float) -> str | None:
        """Return the next event, None if none comes in time."""
        end = time.monotonic() + seconds
        while not self.events and (left := end - time.monotonic()) > 0:
            for _ in self._answers(left):
                pass
        return self.events.pop(0) if self.events else None

    def close(self) -> None:
        """Leave the line."""
        os.close(self._file)

    def _answers(self, seconds: float) -> Iterator[LineFrame]:
        """Yield the box's answers within a while; keep events apart."""
        if not select.select([self._file], [], [], seconds)[0]:
            return
        for item in self._reader.feed(os.read(self._file, 4096)):
            if isinstance(item, LineFrame) and item.kind == "event":
                self.events.append(item.args)
            elif isinstance(item, LineFrame):
                yield item


FIRMWARE: Final = Path(__file__).parents[3] / "hardware" / "tray" / "firmware"

WAITS: Final = frozenset({"away", "telling"})
"""States of the lamp while the node waits for the box."""

AGAIN_MS: Final = 1000
"""The time in which nobody waits for another answer after one was lost; the node repeats its words."""


class NodeEnded(Exception):
    """The node's process is gone; the message is its last output."""


class SimulatedNode:
    """One node: a process of MicroPython with the firmware of a checkout.

    ``micropython`` is the interpreter (``.ci/micropython`` fetches it), ``port`` the node's end of the line,
    ``folder`` its flash memory, which outlives the process. ``ms`` is the node's time.
    """

    def __init__(self, micropython: str, port: Path, folder: Path) -> None:
        """Prepare the node; :meth:`start` runs it."""
        self.ms = 0
        self.lamp = ""
        self._given_up_ms = -AGAIN_MS
        self._command = [micropython, str(FIRMWARE / "main.py"), str(port)]
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Switch the node on.

        :raises OSError: if the interpreter, the folder or the firmware is missing.
        """
        if not FIRMWARE.is_dir():
            raise FileNotFoundError(f"no firmware at {FIRMWARE}: it is in a checkout of Podestà only")
        self._process = subprocess.Popen(
            self._command,
            cwd=self._folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={key: value for key, value in os.environ.items() if key != "MICROPYPATH"},
        )

    def kill(self) -> None:
        """Switch the node off at once."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def feed(self, ms: int, raw: int | None, gates: str = "", held_ms: int = 0) -> str:
        """Give the node a sample (None: the converter is silent) at ``ms``; return the state of its lamp
        then.

        ``gates`` has a digit for each light gate, 1 while its beam is broken; empty leaves them unchanged.
        ``held_ms`` is the length of a button press that has just ended.

        :raises NodeEnded: if it does not answer.
        """
        process = self._process
        assert process is not None, "start it first"
        assert process.stdin is not None
        assert process.stdout is not None
        said = f"{ms} {'-' if raw is None else raw} {gates or '-'}" + f" {held_ms}" * (held_ms > 0)
        try:
            process.stdin.write(said + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            self._process = None
            raise NodeEnded(process.communicate()[1].strip() or f"ended with {process.returncode}")
        self.ms = ms
        self.lamp = answer.split()[1]
        return self.lamp

    def settle(self, most_s: float = 10.0) -> str:
        """Stop the node's time while it waits for the box; return the state of its lamp then.

        An answer that does not come within ``most_s`` of real time is lost; the node's time must pass before
        the next wait.
        """
        end = time.monotonic() + most_s
        while self.lamp in WAITS and self.ms - self._given_up_ms >= AGAIN_MS:
            self.feed(self.ms, None)
            if time.monotonic() >= end:
                self._given_up_ms = self.ms
        return self.lamp

    def __enter__(self) -> SimulatedNode:
        """Start the node."""
        self.start()
        return self

    def __exit__(self, *_exc_info: object) -> None:
        """End the node."""
        self.kill()
