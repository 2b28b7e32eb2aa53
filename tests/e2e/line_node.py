"""A node at the far end of a line, as hardware/PROTOCOL.md would have it: counts, waits, sends again.

::

    node = LineNode(tmp_path / "line")     # plugged in; the box finds its port under this name
    node.do("open san_gimignano")          # 'ack 2 1', however often it had to be said
    node.unplug()
    node.plug()
"""

import os
import select
import time
import tty
from pathlib import Path

from device.line.frames import FrameReader, LineFrame, encode
from device.line.messages import BOX
from engines.contract import SEATS
from engines.match import Step
from engines.matchfile import MatchFile

AGAIN_S = 1.0
"""A line without an answer is sent again after this time."""


class LineNode:
    """Somebody at a serial line that the box is told to open as ``path``, with checksums.

    ``head`` is the last record this node knows of, ``last`` what the box's hello said of it, ``events`` what
    it was told as a watcher, ``complaints`` what the box could not read.
    """

    def __init__(self, path: Path, name: str = "laptop", more: str = "") -> None:
        """Plug it in; it says hello with its first line.

        ``more`` are caps beside what most nodes do, ``,scale``.
        """
        self.path = path
        self.name = name
        self.more = more
        self.seq = 0
        self.head = 0
        self.last: int | None = None
        self.events: list[str] = []
        self.complaints: list[str] = []
        self._greeted = False
        self._fds: tuple[int, int] | None = None
        self.plug()

    @property
    def settings(self) -> str:
        """The box's settings of its line."""
        return f'[[line]]\nurl = "{self.path}"\nchecked = true\n'

    def plug(self) -> None:
        """Put the cable in; a new device under the old name."""
        master, slave = os.openpty()
        # Open here too: a terminal that nobody else has open gives an error where there is only silence.
        tty.setraw(slave)
        os.set_blocking(master, False)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(slave))
        self._fds = master, slave
        self._reader = FrameReader(checked=True)
        self._greeted = False

    def unplug(self) -> None:
        """Pull the cable out; whoever has the port open is disconnected."""
        if self._fds:
            self.path.unlink()
            for fd in self._fds:
                os.close(fd)
            self._fds = None

    def send(self, data: bytes) -> None:
        """Put bytes on the wire, whatever they are."""
        assert self._fds, "plug it in first"
        while data:
            select.select([], [self._fds[0]], [], 10)
            data = data[os.write(self._fds[0], data) :]

    def number(self) -> int:
        """The next number of its lines."""
        self.seq += 1
        return self.seq

    def line(self, said: str, seq: int) -> bytes:
        """``KIND ARGS`` as a line with number and checksum, an empty line before it."""
        kind, _, args = said.partition(" ")
        return b"\n" + encode(seq, kind, args, checked=True)

    def do(self, said: str, seq: int | None = None, *, timeout: float = 60) -> str:
        """Say it until it is answered; the answer without the box's own number."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if self._greeted or self._hello():
                if seq is None:
                    seq = self.number()
                self.send(self.line(said, seq))
                if (answer := self.listen(seq)) and self._greeted:  # else the box began anew meanwhile
                    return answer
        raise AssertionError(f"{seq} {said}: no answer within {timeout} s; heard {self.complaints[-3:]}")

    def listen(self, seq: int, wait: float | None = None) -> str | None:
        """The answer to line ``seq``, None when none comes in ``wait`` s, or the box opens the line anew."""
        end = time.monotonic() + (AGAIN_S if wait is None else wait)
        while True:
            for frame in self._frames(max(0.0, end - time.monotonic())):
                if (answer := self._take(frame, seq)) is not None:
                    return answer
            if not self._greeted or time.monotonic() >= end:
                return None

    def close(self) -> None:
        """Leave."""
        self.unplug()

    def _hello(self) -> bool:
        """Say hello once; whether it was answered."""
        self._greeted = True
        seq = self.number()
        self.send(self.line(f"hello {self.name} 1 step,ask,watch,open,reading{self.more}", seq))
        answer = self.listen(seq)
        self._greeted = answer is not None
        for word in (answer or "").split():
            if word.startswith("last="):
                self.last = int(word.removeprefix("last="))
                self.seq = max(self.seq, self.last)
        return self._greeted

    def _frames(self, wait: float) -> list[LineFrame]:
        assert self._fds, "plug it in first"
        if not select.select([self._fds[0]], [], [], wait)[0]:
            return []
        return [
            item for item in self._reader.feed(os.read(self._fds[0], 4096)) if isinstance(item, LineFrame)
        ]

    def _take(self, frame: LineFrame, seq: int) -> str | None:
        words = frame.args.split()
        if frame.kind == "event":
            self.events.append(frame.args)
            self.head = int(words[0])
        elif frame.kind == "hello":
            if f"re={seq}" in words:
                return f"hello {frame.args}"
            # Else it is ours: a port that is being opened sends back what comes until the box has set it up.
            if words[:1] == [BOX] and not any(word.startswith("re=") for word in words):
                self._greeted = False
        elif frame.kind == "err" and words[0] == "-":
            self.complaints.append(frame.args)
        elif frame.kind == "err" and words[:2] == [str(seq), "hello"]:
            self._greeted = False
        elif frame.kind == "err" and words[:2] == [str(seq), "busy"] and words[-1] == "later":
            return None  # it was not looked at, and is said again
        elif words[0] == str(seq):
            if frame.kind == "ack" and len(words) == 2:
                self.head = int(words[1])
            return f"{frame.kind} {frame.args}"
        return None


def opening(file: MatchFile) -> str:
    """The line that opens the file's match."""
    setup = file.setup
    settings = {"start": SEATS[setup.start], "level": str(setup.level), **dict(setup.options)}
    chosen = " ".join(f"{key}={value}" for key, value in settings.items())
    return f"open {file.game} {','.join(file.names)} {chosen}"


def said(step: Step, head: int) -> str:
    """The line that makes a step."""
    seat = "" if step.seat is None else f"{SEATS[step.seat]}: "
    return f"step @{head} {seat}{step.text}"
