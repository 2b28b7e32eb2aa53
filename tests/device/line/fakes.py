"""A door without a game, and a far end to talk from."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

from device.line.messages import Ask, Entry, MessageError, Open, Reading, Step, Tell
from device.line.nodes import Sender

LEGAL = {"X 8 8 > m6 d", "P d m6", "P d m7"}


class FakeDoor:
    """Takes the steps of LEGAL, keeps what it was told, fails on demand."""

    def __init__(self) -> None:
        self.records: list[str] = []
        self.sent: dict[str, dict[int, tuple[int, bytes]]] = {}
        """By node and number the record that a line became, and the line."""
        self.fail: MessageError | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.begun = asyncio.Event()
        self.asked: tuple[str | None, str] = (None, "")
        self.asks: str | None = None
        """The seat whose turn it is, as far as a test cares."""
        self.voices: Mapping[str, str] = {}

    @property
    def head(self) -> int:
        return len(self.records)

    def _record(self, by: Sender, text: str) -> int:
        self.records.append(f"{by.channel} {text}")
        self.sent.setdefault(by.node, {})[by.number] = self.head, by.said
        return self.head

    def find_last(self, node: str) -> int | None:
        return max(self.sent.get(node, ()), default=None)

    def find_done(self, by: Sender) -> int | None:
        record, text = self.sent.get(by.node, {}).get(by.number, (None, b""))
        if record is None or text.startswith(b"tell "):
            return None
        if text != by.said:
            raise MessageError("reused", f"number {by.number} was another line of yours")
        return record

    async def enter(self, entry: Entry, by: Sender) -> int:
        self.voices = by.voices
        if isinstance(entry, Step):
            return await self._step(entry, by)
        if self.fail is not None:
            raise self.fail
        match entry:
            case Open(game, names, settings):
                chosen = " ".join(f"{key}={value}" for key, value in settings)
                return self._record(by, f"open {game} {list(names)} {chosen}".rstrip())
            case Reading(what, candidates):
                listed = " | ".join(f"{confidence:.2f} {value}" for confidence, value in candidates)
                return self._record(by, f"{by.seat or '?'} {what} {listed}")
            case Tell(held):
                if by.seat is None:
                    raise MessageError("seat", "only a node bound to a seat tells what that seat holds")
                return self._record(by, f"{by.seat} tells {held} ({by.name})")

    async def _step(self, entry: Step, by: Sender) -> int:
        text, head, named = entry.text, entry.head, entry.seat
        self.begun.set()
        await self.gate.wait()
        actor = by.seat or named
        if named not in (None, actor):
            raise MessageError("seat", f"it acts for seat {actor}, not {named}")
        if (acts := actor or self.asks) in by.voices:
            raise MessageError("seat", f"{by.voices[acts]} speaks for seat {acts}")
        if self.fail is not None:
            raise self.fail
        if head is not None and head != self.head:
            raise MessageError("stale", f"the record is at {self.head}, you know {head}")
        if text == "P d":
            raise MessageError("malformed", "'P d' is unfinished: a second card is still to be named")
        if text == "P d m":
            raise MessageError("ambiguous", "m could be m6 or m7")
        if text not in LEGAL:
            raise MessageError("refused", "SG-3.2 this would leave 9 cards in hand, the limit is 8")
        return self._record(by, f"{actor or '?'} {text}")

    def answer(self, asked: Ask, by: Sender) -> str:
        self.asked, text = (by.seat, by.name), asked.text
        match asked.what:
            case "legal":
                return ", ".join(sorted(step for step in LEGAL if step.startswith(text)))
            case "score":
                return "a 12 b 9"
            case "turn":
                return f"{'ab'[self.head % 2]} to act"
            case "why":
                return f"SG-3.2 {text}: 9 cards in hand, the limit is 8"
            case _:
                raise MessageError("refused", "SG-2.1 no match is open")


class FarEnd:
    """Whoever is at the other end of a device path: writes lines, collects lines."""

    def __init__(self, path: Path) -> None:
        self.fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self.lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._rest = b""
        asyncio.get_running_loop().add_reader(self.fd, self._read)

    def _read(self) -> None:
        *lines, self._rest = (self._rest + os.read(self.fd, 4096)).split(b"\n")
        for line in lines:
            self.lines.put_nowait(line)

    def write(self, data: bytes) -> None:
        os.write(self.fd, data)

    async def line(self, timeout: float = 10.0) -> str:
        """The next line; the timeout is there to end a test that hangs."""
        return (await asyncio.wait_for(self.lines.get(), timeout)).decode(errors="replace")

    async def until(self, text: str) -> str:
        """The next line with this text in it."""
        while text not in (line := await self.line()):
            pass
        return line

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self.fd)
        os.close(self.fd)
