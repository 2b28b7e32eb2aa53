"""A numbered line is recorded once or not at all, and what was acknowledged is in the record.

A node at a real session sends lines, sends them again, uses a number for something else; the disk fails and
is tried again or not; the box is started anew on what its disk has.
"""

import asyncio
import errno
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.line.frames import FrameReader, encode
from device.line.nodes import Nodes
from device.line.session import Session
from device.match.door import MatchDoor
from device.match.journal import read
from device.match.library import Library
from device.match.records import Record, has_evidence
from device.menus import Box
from device.screen.pixels import pages_of
from tests.device.conftest import Disk, in_a_loop
from tests.device.line.by_name import NamedLineDoor as LineDoor

TEXTS = (
    "reading towers 0.90 a=- b=6x3", "reading towers 0.80 a=- b=6x3", "step P d d", "step a: B 6x3",
    "step pass", "reading market 0.9 6 8 8 10", "step 6 8 8 10", "step P d m6", "step X 6 6",
)  # fmt: skip
OPENED = "open san_gimignano Adso,William"
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

sent = st.tuples(st.sampled_from(("new", "again", "other")), st.integers(0, 30), st.sampled_from(TEXTS))
happens = st.one_of(sent, sent, sent, st.sampled_from(("fail", "retry", "forget", "restart")))


class There:
    """A box with one line, which can be started anew, and what was said on it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.disk = folder, Disk()
        self.said: dict[int, str] = {}
        self.acked: dict[int, tuple[str, int]] = {}
        self.number = 0
        self.start()

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        self.disk.mend()

        def written() -> None:
            if self.table.referee:
                self.table.referee.poll()

        self.table = Library(self.folder, wake=lambda: loop.call_soon_threadsafe(written), stall=self.disk)
        self.table.resume()
        box = Box(MatchDoor(self.table), pages=pages_of, strict=True)
        self.heard: list[bytes] = []
        door = LineDoor(box.door, box.words_of)
        self.session = Session("usb", door, self.heard.append, Nodes(), hurried=True)
        self.task = asyncio.create_task(self.session.run())
        self.session.on_open()

    async def stop(self) -> None:
        self.disk.mend()
        self.task.cancel()
        if self.table.referee:
            self.table.referee.wait(30)
        self.table.leave()

    async def say(self, number: int, text: str) -> list[str]:
        self.heard.clear()
        self.session.receive(encode(number, *text.split(" ", 1)))
        await self.session.wait_settled()
        (answer,) = FrameReader().feed(self.heard[-1])
        return [answer.kind, *answer.args.split(" ")]

    async def hello(self) -> None:
        answer = await self.say(0, "hello pad 1 step,reading,open")
        last = [int(word[5:]) for word in answer if word.startswith("last=")]
        assert max(self.records(), default=-1) == max(last, default=-1)

    def records(self) -> dict[int, list[Record]]:
        """Return what the disk has of the node's lines, by their numbers."""
        found: dict[int, list[Record]] = {}
        for path in (self.folder / "matches").glob("*"):
            for record in read(path).records:
                if record.channel.startswith("line:pad#"):
                    found.setdefault(int(record.channel[9:]), []).append(record)
        return found

    async def does(self, what: str | tuple[str, int, str]) -> None:
        match what:
            case "fail":
                self.disk.fail(FULL)
            case "retry" | "forget":
                self.disk.mend()
                if (referee := self.table.referee) and referee.lost:
                    referee.retry() if what == "retry" else referee.forget_lost()
                    referee.wait(30)
            case "restart":
                await self.stop()
                self.start()
                await self.hello()
            case (how, at, text):
                await self.sends(how, at, text)

    async def sends(self, how: str, at: int, text: str) -> None:
        if how == "new" or not self.said:
            self.number += 1
            number = self.number
        else:
            number = sorted(self.said)[at % len(self.said)]
            text = self.said[number] if how == "again" else text
        before = self.records()
        kind, _, *rest = await self.say(number, text)
        if self.table.referee:
            self.table.referee.wait(30)
        after = self.records()
        if number in self.acked:
            assert after == before
            known, record = self.acked[number]
            assert (kind, rest[:1]) == (("ack", [str(record)]) if text == known else ("err", ["reused"]))
        elif kind == "ack":
            entered = after[number][0]  # behind it the record of the end may stand
            assert has_evidence(entered, text.encode())
            assert number not in before or after == before
            self.acked[number] = text, int(rest[0])
        else:
            assert after == before
        self.said.setdefault(number, text)
        if kind == "ack":
            self.said[number] = self.acked[number][0]


@settings(max_examples=25, deadline=None)
@given(st.lists(happens, max_size=30))
def test_each_number_is_recorded_once(events):
    async def main(folder: Path) -> None:
        there = There(folder)
        await there.hello()
        assert await there.say(1, OPENED) == ["ack", "1", "1"]
        there.number, there.said[1], there.acked[1] = 1, OPENED, (OPENED, 1)
        for event in events:
            await there.does(event)
        await there.stop()
        assert all(len({one.group for one in records}) == 1 for records in there.records().values())
        assert there.acked.keys() <= there.records().keys()

    with TemporaryDirectory() as folder:
        asyncio.run(main(Path(folder)))


@pytest.mark.parametrize("guess", ["5,8,8,9,10", "6,8,8,9,10"])
@in_a_loop
async def test_after_a_restart_a_told_hand_is_done_again_whatever_it_says(tmp_path, guess):
    """Who takes the node's name and guesses would else learn from the answer whether the guess is right."""
    there = There(tmp_path)
    await there.hello()
    await there.say(1, OPENED)
    await there.say(2, "hello pad 1 tell seat=a")
    assert await there.say(5, "tell 5,8,8,9,10") == ["ack", "5", "2"]
    await there.stop()
    there.start()
    await there.say(2, "hello pad 1 tell seat=a")
    assert await there.say(5, f"tell {guess}") == ["ack", "5", "3"]
    await there.stop()
