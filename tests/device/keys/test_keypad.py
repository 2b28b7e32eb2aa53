"""Number pads and knobs of the kernel's, by the bytes they send."""

import asyncio
import os
import re
import time
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from device.keys import evdev
from device.keys.debounce import Detent, Hold, Holding, Key, Press, Turn
from device.keys.evdev import (
    EVENT,
    KEY,
    REL,
    SYN,
    InputEvent,
    Keypads,
    Meanings,
    list_inputs,
    locate,
    read_events,
    translate,
)
from device.settings import AXIS_CODES, KEY_CODES, Keypad, Keys
from tests.device.conftest import in_a_loop, until

HEADER = Path("/usr/include/linux/input-event-codes.h")
PAD = Keypad("pad")
MEANINGS = Meanings.of(PAD)
NONE = frozenset()


@pytest.mark.skipif(not HEADER.exists(), reason=f"no {HEADER}: the codes' figures are not compared")
def test_the_codes_are_the_kernels():
    text = HEADER.read_text()
    for name, code in (KEY_CODES | AXIS_CODES).items():
        (said,) = re.findall(rf"(?m)^#define\s+{name}\s+(0x[0-9a-f]+|\d+)\b", text)
        assert int(said, 0) == code, name


# What events mean -----------------------------------------------------------------------------------------


def key(name, value, ms=0.0):
    return InputEvent(ms, KEY, KEY_CODES[name], value)


def after(*said, held=NONE, meanings=MEANINGS):
    seen = []
    for event in said:
        held, more = translate(held, meanings, event)
        seen += more
    return seen


def test_an_event_is_read_as_the_kernel_writes_it():
    # 64 bit, little endian: seconds, microseconds, type 1, code 96 (KEY_KPENTER), value 1
    data = bytes.fromhex("0200000000000000 f401000000000000 0100 6000 01000000")
    assert list(read_events(data)) == [InputEvent(2000.5, KEY, KEY_CODES["KEY_KPENTER"], 1)]


def test_a_key_that_turns_goes_on_while_it_is_held():
    assert after(*(key("KEY_KP2", value) for value in (1, 2, 2, 0))) == [Turn(1)] * 3
    assert after(key("KEY_KP8", 1), key("KEY_KP8", 0)) == [Turn(-1)]


def test_an_axis_counts_detents():
    assert after(InputEvent(3, REL, AXIS_CODES["REL_X"], -2)) == [Detent(3, -2)]
    dial = Meanings.of(Keypad("knob", turn=("REL_DIAL",)))
    assert after(InputEvent(3, REL, AXIS_CODES["REL_X"], 1), meanings=dial) == []


# Which device it is ---------------------------------------------------------------------------------------


def listed(folder, number, name, *, keys="0", rel="0"):
    about = folder / f"event{number}" / "device"
    (about / "capabilities").mkdir(parents=True)
    (about / "name").write_text(f"{name}\n")
    (about / "capabilities" / "key").write_text(f"{keys}\n")
    (about / "capabilities" / "rel").write_text(f"{rel}\n")


def test_a_device_is_found_by_its_name_and_keys(tmp_path):
    listed(tmp_path, 2, "USB Pad")  # its media keys, of which this one has none
    listed(tmp_path, 10, "USB Pad", keys="1000003ff 0 e080ffdf01cfffff fffffffffffffffe")
    listed(tmp_path, 3, "rotary@11", rel="1")
    there = list_inputs(tmp_path)
    assert [one.name for one in there] == ["USB Pad", "rotary@11", "USB Pad"]
    assert locate(Keypad("USB Pad"), there) == Path("/dev/input/event10")
    assert locate(Keypad("rotary@11"), there) == Path("/dev/input/event3")
    with pytest.raises(FileNotFoundError):
        locate(Keypad("Another"), there)
    assert locate(Keypad("/dev/input/by-path/x"), there) == Path("/dev/input/by-path/x")


# A pad that comes and goes --------------------------------------------------------------------------------


class Fifo:
    """What stands for a device: bytes go in at this end."""

    def __init__(self, path):
        self.path = path
        self.end = -1

    def plug(self):
        os.mkfifo(self.path)
        self.end = os.open(self.path, os.O_RDWR)

    def unplug(self):
        self.path.unlink()
        os.close(self.end)

    def say(self, *said, ms=None):
        """Key names with values, or ``REL_…`` with detents, each stamped with the time now."""
        for name, value in said:
            kind, code = (REL, AXIS_CODES[name]) if name in AXIS_CODES else (KEY, KEY_CODES[name])
            at = time.monotonic() if ms is None else ms / 1000
            os.write(self.end, EVENT.pack(int(at), int(at % 1 * 1e6), kind, code, value))


@asynccontextmanager
async def served(fifo, *, keys=None, seat=""):
    delivered, states = [], []
    pads = Keypads(
        [Keypad(str(fifo.path), seat=seat)],
        keys or Keys(),
        lambda event, seat: delivered.append((event, seat)),
        lambda: states.append(pads.states[0]),
    )
    fifo.states = states
    task = asyncio.create_task(pads.run())
    try:
        yield pads, delivered
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.fixture
def fifo(tmp_path, monkeypatch):
    monkeypatch.setattr(evdev, "RETRY_S", (0.01, 0.02))
    return Fifo(tmp_path / "event0")


@in_a_loop
async def test_bytes_are_presses_holds_and_turns(fifo):
    fifo.plug()
    async with served(fifo, keys=Keys(hold_ms=300), seat="b") as (pads, delivered):
        await until(lambda: pads.states[0].online)
        fifo.say(("KEY_KP2", 1), ("KEY_KP2", 0), ("KEY_KPENTER", 1), ("KEY_KPENTER", 0))
        await until(lambda: len(delivered) == 2)
        fifo.say(("KEY_KP0", 1))
        await until(lambda: (Hold(Key.BACK), 1) in delivered)
        fifo.say(("KEY_KP0", 0), ("REL_X", -1), ("KEY_KPMINUS", 1), ("KEY_KPMINUS", 0))
        await until(lambda: delivered[-1] == (Press(Key.UNDO), 1))
    assert [event for event, _ in delivered if not isinstance(event, Holding)] == [
        Turn(1),
        Press(Key.OK),
        Hold(Key.BACK),
        Turn(-1),
        Press(Key.UNDO),
    ]
    assert {seat for _, seat in delivered} == {1}


@in_a_loop
async def test_bytes_that_come_in_pieces_are_put_together(fifo):
    fifo.plug()
    async with served(fifo) as (pads, delivered):
        await until(lambda: pads.states[0].online)
        data = EVENT.pack(0, 0, KEY, KEY_CODES["KEY_KP2"], 1)
        os.write(fifo.end, data[:7])
        await asyncio.sleep(0.05)
        assert delivered == []
        os.write(fifo.end, data[7:])
        await until(lambda: delivered)
    assert delivered == [(Turn(1), None)]


@in_a_loop
async def test_it_comes_goes_and_comes_back(fifo):
    async with served(fifo) as (pads, delivered):
        await until(lambda: str(pads.states[0].why) == "not plugged in")
        fifo.plug()
        await until(lambda: pads.states[0].online)
        fifo.say(("KEY_KP0", 1))
        await until(lambda: any(isinstance(event, Holding) for event, _ in delivered))
        fifo.unplug()
        await until(lambda: not pads.states[0].online)
        assert delivered[-1] == (Press(Key.BACK), None)  # not held for ever
        del delivered[:]
        fifo.plug()
        await until(lambda: pads.states[0].online)
        fifo.say(("KEY_KPENTER", 1))
        await until(lambda: delivered)
    assert delivered == [(Press(Key.OK), None)]


@in_a_loop
async def test_a_key_that_was_held_when_it_came_is_named_and_presses_nothing(fifo, monkeypatch):
    monkeypatch.setattr(evdev, "read_levels", lambda _: frozenset({KEY_CODES["KEY_KPENTER"]}))
    fifo.plug()
    async with served(fifo) as (pads, delivered):
        await until(lambda: str(pads.states[0].why) == "OK key is held down")
        fifo.say(("KEY_KPENTER", 0), ms=time.monotonic() * 1000 - 100)
        fifo.say(("KEY_KPENTER", 1), ("KEY_KPMINUS", 1))
        await until(lambda: (Press(Key.UNDO), None) in delivered)
        assert pads.states[0].why == fifo.states[-1].why == ""
    assert delivered == [(Press(Key.OK), None), (Press(Key.UNDO), None)]


@in_a_loop
async def test_lost_events_are_made_good_by_the_levels(fifo, monkeypatch):
    fifo.plug()
    async with served(fifo) as (pads, delivered):
        await until(lambda: pads.states[0].online)
        monkeypatch.setattr(evdev, "read_levels", lambda _: frozenset({KEY_CODES["KEY_KPMINUS"]}))
        os.write(fifo.end, EVENT.pack(0, 0, SYN, 3, 0))
        await until(lambda: delivered)
    assert delivered == [(Press(Key.UNDO), None)]


@pytest.mark.parametrize("make", [Path.touch, Path.mkdir])
@in_a_loop
async def test_what_is_no_device_is_said(fifo, make):
    make(fifo.path)
    async with served(fifo) as (pads, _):
        await until(lambda: str(pads.states[0].why) == "not an input device")
        assert pads.states[0].online is False
