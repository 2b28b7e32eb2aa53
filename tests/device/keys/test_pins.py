"""Controls on gpiozero's mock pins, through its real inputs, in an event loop."""

import asyncio
import os
import subprocess
import sys
import threading
from pathlib import Path

import gpiozero
import pytest
from gpiozero.mixins import HoldThread
from gpiozero.pins.mock import MockFactory
from gpiozero.pins.pi import PiPin

from device.keys import is_held_down, pins
from device.keys.debounce import Holding, Key, Press, Turn
from device.keys.pins import Controls, ControlsError, pin_factory
from device.settings import Keys

CLOCKWISE = ("a", False), ("b", False), ("a", True), ("b", True)
ROOT = Path(__file__).parents[3]


class Box:
    """The box's pins with hands on them."""

    def __init__(self, loop):
        self.loop = loop
        self.factory = pin_factory("mock")
        self.keys = Keys()
        self.place = 0  # in the encoder's cycle of four
        self.events = []
        self.controls = None

    def start(self):
        self.controls = Controls(self.keys, self.events.append, factory=self.factory, loop=self.loop)

    def pin(self, name):
        return self.factory.pin(self.keys.pins[name])

    def drive(self, name, level):
        pin = self.pin(name)
        pin.drive_high() if level else pin.drive_low()

    def wait(self, ms):
        self.loop.run_until_complete(asyncio.sleep(ms / 1000))

    def press(self, key, ms=80):
        self.drive(key.value, False)
        self.wait(ms)
        self.drive(key.value, True)
        self.wait(30)

    def turn(self, detents, ms=0):
        for _ in range(abs(detents) * self.keys.steps_per_detent):
            line, level = CLOCKWISE[self.place if detents > 0 else self.place - 1]
            level ^= detents < 0
            self.place = (self.place + (1 if detents > 0 else -1)) % 4
            self.drive(f"encoder_{line}", level)
            if ms:
                self.wait(ms)

    def taken(self):
        self.wait(1)
        events, self.events[:] = [*self.events], []
        return events


@pytest.fixture
def unopened(loop):
    box = Box(loop)
    yield box
    if box.controls is not None:
        box.controls.close()


@pytest.fixture
def box(unopened):
    unopened.start()
    return unopened


@pytest.mark.parametrize("way", [1, -1])
def test_a_knob_that_rests_with_both_contacts_closed_is_known_from_the_start(unopened, way):
    unopened.keys = Keys(steps_per_detent=2)
    for line in ("encoder_a", "encoder_b"):
        unopened.pin(line).pull = "up"
        unopened.pin(line)._set_pull = lambda _value: None
        unopened.drive(line, False)
    unopened.place = 2
    unopened.start()
    unopened.turn(3 * way, 1)
    assert unopened.taken() == [Turn(way)] * 3


def test_a_key_held_at_the_start_is_named_and_ignored(unopened):
    unopened.pin("ok").pull = "up"
    # A pull-up cannot raise a line that a key holds down.
    unopened.pin("ok")._set_pull = lambda _value: None
    unopened.drive("ok", False)
    unopened.start()
    box = unopened
    assert box.controls.stuck == {Key.OK}
    box.wait(2000)
    box.drive("ok", True)
    box.wait(50)
    assert (box.taken(), box.controls.stuck) == ([], frozenset())
    box.press(Key.OK)
    assert box.taken() == [Press(Key.OK)]


def test_edges_delivered_late_count_at_their_time(box):
    """Two presses whose edges all arrive in one moment, after the kernel has stamped them."""
    for after, level in [(0, False), (0.06, True), (0.12, False), (0.18, True)]:
        box.loop.call_soon(PiPin._call_when_changed, box.pin("undo"), box.loop.now + after, level)
    box.loop.now += 0.5
    assert box.taken() == [Press(Key.UNDO)] * 2


def test_a_click_counts_though_the_turn_before_it_arrives_late(box):
    """The turn and the click arrive in one moment; by the kernel 120 ms lay between them."""
    for after, (line, level) in enumerate(CLOCKWISE):
        pin = box.pin(f"encoder_{line}")
        box.loop.call_soon(PiPin._call_when_changed, pin, box.loop.now + after / 100, level)
    box.loop.call_soon(PiPin._call_when_changed, box.pin("ok"), box.loop.now + 0.15, False)
    box.pin("ok")._change_state(False)
    box.loop.now += 0.5
    assert box.taken() == [Turn(1), Press(Key.OK)]


def test_an_edge_keeps_its_time_where_the_thread_loses_the_processor(box, monkeypatch):
    """60 ms are lost between an edge's age and the clock; the turn 60 ms after the click is no wobble."""
    ticks, losses = box.factory.ticks, [0.06]

    def interrupted():
        now = ticks()
        box.loop.now += losses.pop() if losses else 0
        return now

    monkeypatch.setattr(box.factory, "ticks", interrupted)
    PiPin._call_when_changed(box.pin("ok"), box.loop.now, False)
    box.turn(1)
    assert box.taken() == [Press(Key.OK), Turn(1)]


def test_a_time_of_another_origin_is_not_believed(box):
    """Early kernels counted from 1970; the arrival then serves."""
    PiPin._call_when_changed(box.pin("back"), box.loop.now - 5_000_000, False)
    box.pin("back")._change_state(False)
    box.wait(350)
    assert box.taken() == [Holding(Key.BACK, 0.1), Holding(Key.BACK, 0.2), Holding(Key.BACK, 0.3)]


def test_a_lost_release_is_not_a_hold(box):
    box.drive("call", False)
    box.wait(150)
    box.pin("call")._change_state(True)  # no edge comes of this
    box.wait(2000)
    assert box.taken() == [Holding(Key.CALL, 0.1), Press(Key.CALL)]


def test_a_lost_press_is_found(box):
    box.drive("undo", False)
    box.wait(5)
    box.drive("undo", True)
    box.wait(1)
    box.pin("back")._change_state(False)
    box.wait(50)
    box.pin("back")._change_state(True)
    box.wait(200)
    assert box.taken() == [Press(Key.UNDO), Press(Key.BACK)]


def test_nothing_is_delivered_after_closing(box):
    box.drive("ok", False)
    box.drive("back", False)
    assert box.controls.online
    assert not [thread for thread in threading.enumerate() if isinstance(thread, HoldThread)], "nothing polls"
    box.controls.close()
    assert not box.controls.online
    box.wait(2000)
    assert box.events == []


@pytest.mark.parametrize(
    ("name", "part"),
    [("encoder_a", "encoder A"), ("encoder_b", "encoder B"), ("ok", "ok key"), ("call", "call key")],
)
def test_a_taken_pin_is_named_and_the_others_given_back(unopened, name, part):
    number = unopened.keys.pins[name]
    with (
        gpiozero.LED(number, pin_factory=unopened.factory),
        pytest.raises(ControlsError, match=rf"^GPIO {number} \({part}\) already has another use here$"),
    ):
        unopened.start()
    unopened.start()
    unopened.press(Key.OK)
    assert unopened.taken() == [Press(Key.OK)]


def test_a_pin_of_another_program_is_named(unopened, monkeypatch):
    def busy(*_args, **_kwargs):
        raise Exception("'GPIO busy'")

    monkeypatch.setattr("gpiozero.DigitalInputDevice", busy)
    with pytest.raises(ControlsError, match=r"^GPIO 22 \(ok key\): another program uses this pin$"):
        unopened.start()


def test_an_unknown_factory_is_refused():
    with pytest.raises(ControlsError, match=r'^no pin factory "pigpio": lgpio or mock$'):
        pin_factory("pigpio")
    assert isinstance(pin_factory("mock"), MockFactory)
    with pytest.raises(ControlsError, match=r"not .*/nowhere$"):
        pin_factory("lgpio", runtime_dir=Path("/nowhere"))


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (gpiozero.PinUnknownPi("unable to locate Pi revision"), "^no GPIO: this is not a Raspberry Pi$"),
        (
            Exception("'can not open gpiochip'"),
            "^no GPIO: can not open gpiochip .is the user in the group gpio",
        ),
    ],
)
def test_without_a_chip_there_is_no_fall_back(monkeypatch, tmp_path, error, message):
    # lgpio leaves its pipe where it is first imported.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LG_WD", str(tmp_path))
    lgpio = pytest.importorskip("gpiozero.pins.lgpio")

    def fail():
        raise error

    monkeypatch.setattr(lgpio, "LGPIOFactory", fail)
    with pytest.raises(ControlsError, match=message):
        pin_factory("lgpio", runtime_dir=tmp_path)


def test_lgpio_keeps_to_the_runtime_directory(tmp_path):
    pytest.importorskip("lgpio")
    here, runtime = tmp_path / "here", tmp_path / "runtime"
    here.mkdir()
    runtime.mkdir()
    script = (
        "import os; from pathlib import Path; from device.keys.pins import ControlsError, pin_factory\n"
        f"try: pin_factory('lgpio', runtime_dir=Path({str(runtime)!r}))\n"
        "except ControlsError: pass\n"
        "print(os.getcwd())"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=here, env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == str(here)
    assert list(here.iterdir()) == []
    assert list(runtime.iterdir()) != []


@pytest.mark.parametrize("down", [True, False])
def test_a_key_is_looked_at_once_its_pull_up_has_settled(monkeypatch, down):
    """Mock pins jump up where a pull-up is switched on; a real key that is held draws them down again."""
    factory = pins.pin_factory("mock")
    settle = factory.pin(Keys().back).drive_low if down else lambda: None
    monkeypatch.setattr(pins, "pin_factory", lambda name: factory)
    monkeypatch.setattr(pins.time, "sleep", lambda seconds: settle())
    assert is_held_down(Keys(), Key.BACK) is down


def test_where_there_are_no_pins_nothing_is_held(monkeypatch):
    def none(name):
        raise pins.ControlsError("no GPIO: this is not a Raspberry Pi")

    monkeypatch.setattr(pins, "pin_factory", none)
    assert is_held_down(Keys(), Key.BACK) is False
