"""A desk without a game, and a far end to talk from."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from device.line.session import DeskError

LEGAL = {"X 8 8 > m6 d", "P d m6", "P d m7"}

Recorded = Mapping[str, Mapping[int, tuple[int, bytes]]]
"""By node and number the record that a line became, and the line."""


class FakeDesk:
    """Takes the steps of LEGAL, keeps what it was told, fails on demand."""

    def __init__(self, head: int = 0, recorded: Recorded | None = None) -> None:
        """``recorded`` is what a run before this one left behind."""
        self.records: list[str] = []
        self.sent = {node: dict(numbers) for node, numbers in (recorded or {}).items()}
        self.first = head
        self.fail: DeskError | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.begun = asyncio.Event()
        self.asked: tuple[str | None, str] = (None, "")
        self.asks: str | None = None
        """The seat whose turn it is, as far as a test cares."""
        self.voices: Mapping[str, str] = {}

    @property
    def head(self) -> int:
        return self.first + len(self.records)

    def _record(self, channel: str, said: bytes, text: str) -> int:
        node, _, number = channel.removeprefix("line:").partition("#")
        self.records.append(f"{channel} {text}")
        self.sent.setdefault(node, {})[int(number)] = self.head, said
        return self.head

    def last(self, node: str) -> int | None:
        return max(self.sent.get(node, ()), default=None)

    def done(self, node: str, number: int, said: bytes) -> int | None:
        record, text = self.sent.get(node, {}).get(number, (None, b""))
        if record is None or text.startswith(b"tell "):
            return None
        if text != said:
            raise DeskError("reused", f"number {number} was another line of yours")
        return record

    async def open(
        self, game: str, names: Sequence[str], settings: Mapping[str, str], *, channel: str, said: bytes
    ) -> int:
        if self.fail is not None:
            raise self.fail
        chosen = " ".join(f"{key}={value}" for key, value in settings.items())
        return self._record(channel, said, f"open {game} {list(names)} {chosen}".rstrip())

    async def step(
        self,
        text: str,
        *,
        seat: str | None,
        named: str | None,
        voices: Mapping[str, str],
        head: int | None,
        channel: str,
        said: bytes,
    ) -> int:
        self.begun.set()
        await self.gate.wait()
        actor = seat or named
        if named not in (None, actor):
            raise DeskError("seat", f"it acts for seat {actor}, not {named}")
        if (acts := actor or self.asks) in voices:
            raise DeskError("seat", f"{voices[acts]} speaks for seat {acts}")
        self.voices = voices
        if self.fail is not None:
            raise self.fail
        if head is not None and head != self.head:
            raise DeskError("stale", f"the record is at {self.head}, you know {head}")
        if text == "P d":
            raise DeskError("malformed", "'P d' is unfinished: a second card is still to be named")
        if text == "P d m":
            raise DeskError("ambiguous", "m could be m6 or m7")
        if text not in LEGAL:
            raise DeskError("refused", "SG-3.2 this would leave 9 cards in hand, the limit is 8")
        return self._record(channel, said, f"{actor or '?'} {text}")

    async def reading(
        self,
        what: str,
        candidates: Sequence[tuple[float, str]],
        *,
        seat: str | None,
        voices: Mapping[str, str],
        channel: str,
        said: bytes,
    ) -> int:
        self.voices = voices
        if self.fail is not None:
            raise self.fail
        listed = " | ".join(f"{confidence:.2f} {value}" for confidence, value in candidates)
        return self._record(channel, said, f"{seat or '?'} {what} {listed}")

    async def tell(self, held: str, *, seat: str | None, channel: str, said: bytes, source: str) -> int:
        if self.fail is not None:
            raise self.fail
        if seat is None:
            raise DeskError("seat", "only a node bound to a seat tells what that seat holds")
        return self._record(channel, said, f"{seat} tells {held} ({source})")

    def ask(self, what: str, text: str, *, seat: str | None, source: str = "") -> str:
        self.asked = seat, source
        match what:
            case "legal":
                return ", ".join(sorted(step for step in LEGAL if step.startswith(text)))
            case "score":
                return "a 12 b 9"
            case "turn":
                return f"{'ab'[self.head % 2]} to act"
            case "why":
                return f"SG-3.2 {text}: 9 cards in hand, the limit is 8"
            case _:
                raise DeskError("refused", "SG-2.1 no match is open")


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
