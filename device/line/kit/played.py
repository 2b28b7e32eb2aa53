"""A box that the kit plays to a node: it answers lines and notes faults."""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable

import serial

from device.line import messages
from device.line.frames import FrameReader, Garbled, LineFrame, encode
from device.line.messages import MessageError
from device.line.session import TELEMETRY_A_SECOND
from device.telemetry import KINDS as TELEMETRY
from device.telemetry import Weight

LINES_A_SECOND = 100
"""The most lines of any kind."""
MOVING_A_SECOND = 5
"""The most weights of a moving load."""

REPEATED = ("open", "step", "reading", "tell", "key")
"""The kinds that a node repeats until they are answered."""

_ANSWERS = {
    "legal": "-",
    "score": "a:12 b:9",
    "turn": "b action",
    "position": "-",
    "why": "- it is legal",
    "match": "toy Adso,William level=full head=6",
    "readings": "tray",
}

_CHECKSUM = "CRC-16/XMODEM over all bytes before the star: polynomial 0x1021, begun with 0000"

NUMBERS = "counts its lines"
WORDS = "says what the protocol knows"
CHECKSUMS = "keeps to checksums"
PACE = "does not say too much"
"""The checks of every line, by name."""


class TimedPort:
    """A serial port and a clock, as the kit needs them."""

    def __init__(self, url: str, baud: int) -> None:
        """Take a ``url`` for :func:`serial.serial_for_url`; :meth:`open` opens it."""
        self._url, self._baud = url, baud
        self._port: serial.SerialBase | None = None

    def open(self) -> None:
        """Open the port; :raises OSError: if it is missing."""
        self._port = serial.serial_for_url(self._url, self._baud, write_timeout=5, exclusive=True)

    def close(self) -> None:
        """Close the port, as if the cable was pulled."""
        if self._port:
            self._port.close()
            self._port = None

    def write(self, data: bytes) -> None:
        """Send bytes."""
        if self._port:
            self._port.write(data)

    def read(self, seconds: float) -> bytes:
        """Return bytes as soon as any come; b"" if none come within so many seconds."""
        if self._port is None:
            time.sleep(seconds)
            return b""
        self._port.timeout = max(seconds, 0)
        data: bytes = self._port.read(1)
        return data + self._port.read(self._port.in_waiting) if data else data

    def now(self) -> float:
        """Return the time in seconds since some start."""
        return time.monotonic()


class PlayedBox:
    """A box that records nothing. :meth:`hear` returns the wanted line and answers all others.

    ``heard`` are all lines so far, ``faults`` the first fault by the name of its check. ``last`` is the last
    number of the node by the box's word. ``came`` is the fault of the last bytes that were no line, and its
    remedy; both are empty if none came.
    """

    def __init__(self, wire: TimedPort) -> None:
        """Play the box on ``wire``; :meth:`open` opens it."""
        self.wire = wire
        self.hello: messages.Hello | None = None
        self.heard: list[LineFrame] = []
        self.faults: dict[str, str] = {}
        self.came = ("", "")
        self._ends = False
        self.record = self.last = 0
        self._reader = FrameReader()
        self._seq = 0
        self._pending: deque[LineFrame] = deque()
        self._greeted = False
        self._numbers: dict[int, str] = {}
        self._times: defaultdict[str, deque[float]] = defaultdict(deque)
        self._fastest: Counter[str] = Counter()

    @property
    def checked(self) -> bool:
        """True if the node uses checksums."""
        return self._reader.checked

    def hear(self, seconds: float, wanted: Callable[[LineFrame], bool]) -> LineFrame | None:
        """Return the next wanted line without answering it; answer others as the box would."""
        end = self.wire.now() + seconds
        while True:
            while self._pending:
                frame = self._pending.popleft()
                if wanted(frame):
                    return frame
                self._answer(frame)
            if (left := end - self.wire.now()) <= 0:
                return None
            data = self.wire.read(left)
            self._note_stray_bytes(data)
            for item in self._reader.feed(data):
                if isinstance(item, Garbled):
                    self._note_unreadable(item)
                else:
                    self._note(item)
                    self._pending.append(item)

    def measure(self, seconds: float, wanted: Callable[[LineFrame], bool]) -> tuple[LineFrame | None, float]:
        """Hear as :meth:`hear` does; return also the seconds it took."""
        began = self.wire.now()
        return self.hear(seconds, wanted), self.wire.now() - began

    def _note_stray_bytes(self, data: bytes) -> None:
        """Note the likely fault of bytes that become no line."""
        self._ends = self._ends or b"\n" in data or b"\r" in data
        if not data.strip():
            return
        text = data.decode(errors="replace")
        if self._ends or not text.isprintable() or "\N{REPLACEMENT CHARACTER}" in text:
            self.came = (
                "something comes that is no line; is the baud rate right?",
                "check port, baud rate and RX/TX",
            )
        else:
            self.came = f"no line end behind “{text[:40]}”", "end each line with a line feed: \\n"

    def _note_unreadable(self, item: Garbled) -> None:
        if item.code != "garbled":
            self.came = item.text, _CHECKSUM if item.code == "checksum" else "write: NUMBER KIND ARGS"
        if item.code == "garbled" and not self._greeted:  # it starts, or the port was opened mid-line
            return
        name = WORDS if item.code == "malformed" else CHECKSUMS
        self.faults.setdefault(name, item.text)
        self.say(messages.Err(None, item.code, item.text))

    def _note(self, frame: LineFrame) -> None:
        self.heard.append(frame)
        self._check_pace("lines", LINES_A_SECOND)
        try:
            self._check_message(frame, messages.parse(frame))
        except MessageError as error:
            self.faults.setdefault(WORDS, f"{quote(frame)}: {error.text}")
        if frame.kind == "hello":
            return
        before = self._numbers.get(frame.seq)
        fault = ""
        if before not in (None, write_text(frame)):
            fault = f"number {frame.seq} was {before}, then {write_text(frame)}"
        elif (
            before is None and self._greeted and frame.seq <= (most := max(self._numbers, default=self.last))
        ):
            fault = f"{quote(frame)} after number {most}"
        if fault:
            self.faults.setdefault(NUMBERS, fault)
        self._numbers[frame.seq] = write_text(frame)

    def _check_message(self, frame: LineFrame, said: messages.FromNode) -> None:
        """Note the faults of a readable line."""
        if isinstance(said, messages.Hello):
            self.hello = said
            return
        cap = "scale" if frame.kind in TELEMETRY else frame.kind
        if cap in (*REPEATED, "scale") and self.hello and cap not in self.hello.caps:
            raise MessageError("kind", f"its hello did not offer {cap}")
        if (
            isinstance(said, messages.Reading)
            and (sure := sum(chance for chance, _ in said.candidates)) > 1.005
        ):
            raise MessageError("malformed", f"only one can be true, yet the confidences add up to {sure:.2f}")
        if frame.kind in TELEMETRY:
            self._check_pace("words of a scale", TELEMETRY_A_SECOND)
            if isinstance(said, Weight) and not said.rests:
                self._check_pace("weights that move", MOVING_A_SECOND, late=1)

    def _check_pace(self, what: str, most: int, late: int = 0) -> None:
        """Note one more line of a kind that may come too fast; ``late`` ones may have waited on the way."""
        times, now = self._times[what], self.wire.now()
        times.append(now)
        while now - times[0] >= 1:
            times.popleft()
        if len(times) > max(most + late, self._fastest[what]):
            self._fastest[what] = len(times)
            self.faults[PACE] = f"{len(times)} {what} within a second, {most} is the most"

    def open(self) -> None:
        """Open the line and say hello; this may reset the node.

        :raises OSError: if the port is missing.
        """
        self.wire.open()
        self._reader = FrameReader()
        self._pending.clear()
        self._greeted = False
        self._seq = 0
        self.say(messages.Greeting())

    def greet(self, hello: LineFrame) -> None:
        """Answer a hello."""
        self._numbers = {}
        self._greeted = True
        self.say(messages.Greeting(hello.seq, None, self.last or None))

    def acknowledge(self, line: LineFrame) -> None:
        """Answer a line as done, and count from it."""
        self.record += 1
        self.last = max(self.last, line.seq)
        self.say(messages.Ack(line.seq, None if line.kind == "key" else self.record))

    def _answer(self, frame: LineFrame) -> None:
        try:
            said = messages.parse(frame)
        except MessageError as error:
            self.say(messages.Err(frame.seq, error.code, error.text))
            return
        match said:
            case messages.Hello():
                self.greet(frame)
            case messages.Open() | messages.Step() | messages.Reading() | messages.Tell() | messages.Stroke():
                self.acknowledge(frame)
            case messages.Ask(what):
                self.say(messages.Answer(what, frame.seq, _ANSWERS[what]))
            case messages.Ack() | messages.Err():
                pass
            case messages.Ping() | _:
                self.say(messages.Ack(frame.seq))

    def say(self, message: messages.Message, *, spoilt: bool = False) -> None:
        """Send a message; a ``spoilt`` one has a wrong checksum."""
        self._seq += 1
        line = encode(self._seq, *messages.write(message), checked=self._reader.checked)
        if spoilt:
            line = line[:-5] + (b"0000\n" if line[-5:-1] != b"0000" else b"1111\n")
        self.wire.write(line)


def write_text(frame: LineFrame) -> str:
    """Return kind and arguments."""
    return f"{frame.kind} {frame.args}".strip()


def quote(frame: LineFrame) -> str:
    """Quote a line for people."""
    return f"“{frame.seq} {write_text(frame)}”"
