"""Simulated hardware through the real gpiozero classes and Controls, with a clock that jumps."""

import asyncio
import os
from contextlib import closing, contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from device.keys import Cue, Cues, Hold, Key, Press, Turn
from device.keys.injector import WAITING, OvertakenError
from device.keys.pins import Controls
from device.match.journal import JournalFull
from device.screen.pixels import DisplayError
from device.settings import Keys
from device.simulate import SLOW_DISK_S, Cable, Fault, SimulatedHardware, SimulatedLine
from tests.device.conftest import JumpingLoop, in_a_loop


class Bench:
    """Simulated hardware with a box's controls on it, and what they delivered."""

    def __init__(self, loop, **options):
        self.loop = loop
        self.keys = options.pop("keys", Keys())
        self.hardware = SimulatedHardware(self.keys, **options)
        self.events = []
        self.controls = Controls(self.keys, self.events.append, factory=self.hardware.factory, loop=loop)

    def run(self, coroutine):
        return self.loop.run_until_complete(coroutine)

    def wait(self, ms):
        self.run(asyncio.sleep(ms / 1000))

    def taken(self):
        """Return what was delivered since, once nothing waits and the last contact has settled."""
        self.run(self.hardware.hand.rest())
        self.wait(self.keys.debounce_ms + 1)
        events, self.events[:] = [*self.events], []
        return events

    def start(self):
        async def begin():
            self.hardware.start()

        self.run(begin())

    def set_fault(self, name, on):
        async def switch():
            self.hardware.set_fault(name, on)

        self.run(switch())

    def close(self):
        async def end():
            self.hardware.close()

        self.run(end())
        self.controls.close()


@contextmanager
def bench(*, started=True, **options):
    loop = JumpingLoop()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gpiozero.pins.mock.monotonic", loop.time)
        made = Bench(loop, **options)
        if started:
            made.start()
        try:
            yield made
        finally:
            made.close()
            loop.close()


def do(hardware, gesture):
    (hardware.hand.turn if isinstance(gesture, int) else hardware.hand.press)(gesture)


def expected(gesture):
    if isinstance(gesture, int):
        return [Turn(1 if gesture > 0 else -1)] * abs(gesture)
    return [Press(gesture)]


GESTURES = st.lists(st.sampled_from([*Key, Key.OK]) | st.integers(-4, 4).filter(bool), max_size=12)
KEYS = st.builds(
    Keys, debounce_ms=st.sampled_from([0, 3, 20, 50]), steps_per_detent=st.sampled_from([1, 2, 4])
)


@given(GESTURES, KEYS, st.booleans(), st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_nothing_asked_at_once_is_lost_doubled_or_out_of_order(gestures, keys, bouncing, seed):
    with bench(keys=keys, seed=seed) as box:
        box.hardware.set_fault("bouncing_keys", bouncing)
        for gesture in gestures:
            do(box.hardware, gesture)
        assert box.taken() == [event for gesture in gestures for event in expected(gesture)]


MOVES = st.lists(st.tuples(st.sampled_from(["down", "up"]), st.sampled_from(Key), st.integers(0, 90)))


def test_every_down_is_a_press_however_keys_overlap():
    with bench() as box:

        @given(MOVES)
        @settings(max_examples=20, deadline=None)
        def check(moves):
            for move, key, ms in moves:
                getattr(box.hardware.hand, move)(key)
                box.wait(ms)
            for key in Key:
                box.hardware.hand.up(key)
            presses = [event.key for event in box.taken() if isinstance(event, Press | Hold)]
            assert sorted(presses) == sorted(key for move, key, _ in moves if move == "down")

        check()


def test_a_bouncing_key_does_bounce():
    with bench() as box:
        pin = box.hardware.factory.pin(box.keys.undo)
        line = box.hardware.factory.pin(box.keys.encoder_a)
        for seen in (pin, line):
            seen.clear_states()
        box.hardware.set_fault("bouncing_keys", True)
        box.hardware.hand.press(Key.UNDO)
        box.hardware.hand.turn(1)
        assert box.taken() == [Press(Key.UNDO), Turn(1)]
        assert len(pin.states) >= 1 + 2 * 5
        assert len(line.states) >= 1 + 2 * 5
        assert sum(state.timestamp > 0 for state in pin.states) > 3, "spread over time, not one spike"


def test_a_listener_that_fails_does_not_stop_the_hands(caplog):
    with bench() as box:
        pin = box.hardware.factory.pin(box.keys.back)
        contact = pin.contact
        pin.contact = lambda closed: 1 / 0
        box.hardware.hand.press(Key.BACK)
        box.run(box.hardware.hand.rest())
        pin.contact = contact
        box.hardware.hand.press(Key.OK)
        assert box.taken() == [Press(Key.OK)]
        assert "a gesture failed" in caplog.text


# Lights


def test_lights_are_seen_when_they_change():
    with bench() as box:
        seen = []
        assert box.hardware.lights == {"led": False, "buzzer": False}
        with closing(
            Cues(box.hardware.led, box.hardware.buzzer, factory=box.hardware.factory, loop=box.loop)
        ) as cues:
            unwatch = box.hardware.watch(lambda: seen.append(box.hardware.lights))
            cues.play(Cue.RECORDED)
            assert box.hardware.lights == {"led": True, "buzzer": True}
            box.wait(400)
            assert {"led": True, "buzzer": True} in seen
            assert seen[-1] == {"led": False, "buzzer": False}
            unwatch()
            unwatch()
            seen.clear()
            cues.play(Cue.CALL)
            assert not seen
        assert box.hardware.lights == {"led": False, "buzzer": False}, "the pins were given back"


# Faults


def test_which_faults_there_are(tmp_path):
    with bench() as box:
        assert box.hardware.faults == {
            "bouncing_keys": False,
            "display_gone": False,
            "disk_full": False,
            "slow_disk": False,
        }
        with pytest.raises(ValueError, match="no line_unplugged, only bouncing_keys, display_gone, "):
            box.hardware.set_fault("line_unplugged", True)
        told = []
        box.hardware.watch(lambda: told.append(box.hardware.faults["slow_disk"]))
        box.hardware.set_fault("slow_disk", True)
        box.hardware.set_fault("slow_disk", False)
        assert told == [True, False]
    with bench(lines=[tmp_path / "line"]) as box:
        assert set(box.hardware.faults) == set(Fault)


def test_the_display_goes_and_comes_back(tmp_path):
    white = Image.new("1", (128, 64), 1)
    with bench() as box:
        assert box.hardware.brightness == 0
        first = box.hardware.open_display(tmp_path / "screen.png")
        first.show(white)
        first.contrast(51)
        assert box.hardware.brightness == 0.2
        assert Image.open(tmp_path / "screen.png").tobytes() == white.tobytes()
        box.hardware.set_fault("display_gone", True)
        assert box.hardware.brightness == 0, "dark before the box notices"
        for use in (lambda: first.show(white), lambda: first.contrast(1), box.hardware.open_display):
            with pytest.raises(DisplayError, match=r"^display offscreen: does not answer \(simulated\)$"):
                use()
        assert not first.online
        assert box.hardware.brightness == 0
        box.hardware.set_fault("display_gone", False)
        with pytest.raises(DisplayError, match="is closed"):
            first.show(white)
        second = box.hardware.open_display()
        second.show(white)
        assert second.online
        assert box.hardware.display is second
        assert second.image.tobytes() == white.tobytes()


def test_the_line_is_unplugged_and_garbled(tmp_path):
    line, node = tmp_path / "line", tmp_path / "line-node"
    with bench(lines=[line]) as box:
        assert box.hardware.node_paths == (node,)
        ends = [os.open(path, os.O_RDWR | os.O_NONBLOCK) for path in (line, node)]

        def carry(data):
            os.write(ends[1], data)
            box.run(asyncio.sleep(0.01))
            return os.read(ends[0], len(data))

        data = b"turn b +1\n" * 50
        assert carry(data) == data
        box.set_fault("garbled_line", True)
        assert carry(data) != data
        box.set_fault("garbled_line", False)
        assert carry(data) == data
        for end in ends:
            os.close(end)
        box.set_fault("line_unplugged", True)
        assert not line.exists()
        assert node.exists()
        box.set_fault("line_unplugged", False)
        assert line.exists()
    assert not line.exists()
    assert not node.exists()


def test_the_disk(monkeypatch):
    slept = []
    monkeypatch.setattr("device.simulate.time.sleep", slept.append)
    with bench() as box:
        box.hardware.stall()
        assert not slept
        box.set_fault("slow_disk", True)
        box.hardware.stall()
        assert slept == [SLOW_DISK_S]
        box.set_fault("slow_disk", False)
        box.set_fault("disk_full", True)
        with pytest.raises(JournalFull, match=r"\(simulated\)"):
            box.hardware.stall()


def test_of_too_many_the_oldest_is_given_up_and_told():
    """A flood is bounded: what waited longest is refused to whoever asked, the newest are done."""

    async def refused(gesture):
        try:
            await gesture.begun()
        except OvertakenError as error:
            return str(error)
        return ""

    with bench(started=False) as box:
        gestures = [box.hardware.hand.press(Key.OK) for _ in range(WAITING + 10)]
        box.start()
        told = [box.run(refused(gesture)) for gesture in gestures]
        why = f"not done: {WAITING} presses and turns came after it while it waited"
        assert told == [why] * 10 + [""] * WAITING
        assert box.taken() == [Press(Key.OK)] * WAITING


def test_a_key_never_stays_down_for_a_flood():
    """Letting go of it is not given up: it is done at once."""
    with bench() as box:
        pin = box.hardware.factory.pin(box.keys.back)
        box.hardware.hand.down(Key.BACK)
        box.wait(50)
        assert not pin.state
        box.hardware.hand.up(Key.BACK)
        for _ in range(WAITING):
            box.hardware.hand.press(Key.OK)
        assert pin.state
        assert box.taken() == [Press(Key.BACK)] + [Press(Key.OK)] * WAITING


@given(st.binary(min_size=1))
def test_garble_flips_one_bit_a_byte(data):
    cable = Cable(1)
    cable.garble = 1.0
    assert all((a ^ b).bit_count() == 1 for a, b in zip(cable.carry(data), data, strict=True))


@in_a_loop
async def test_a_line_overwrites_nothing(tmp_path):
    (tmp_path / "near").write_text("mine")
    cable = SimulatedLine(tmp_path / "near", tmp_path / "far")
    with pytest.raises(FileExistsError, match="near"):
        cable.start()
    cable.close()
    assert (tmp_path / "near").read_text() == "mine"
