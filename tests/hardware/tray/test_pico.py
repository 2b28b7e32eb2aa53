"""boards/pico.py on stand-ins of the Pico's modules: that it runs, not that a Pico is like them."""

import io
import sys
import time
from types import ModuleType, SimpleNamespace

import pytest

from device.bench.tray.simulated import FIRMWARE
from tests.device.sensors.scale.cell.test_converters import HX711Chip, NAU7802Chip

OURS = ("settings", "boards", "boards.pico", "cell", "main", "line")


class Pico:
    """The stand-ins: pins by number, a clock that only :meth:`sleep_ms` moves, a button, a plug."""

    def __init__(self, chip):
        self.chip = chip
        self.us = 2**30 * 1000 - 3_000_000  # the clock wraps soon
        self.levels = {}
        self.handlers = {}
        self.fed = 0
        self.button = 0
        self.said = io.BytesIO()
        self.coming = b""
        self.interrupts = 3

    def ticks_ms(self):
        return self.us // 1000 % 2**30

    def sleep_ms(self, ms):
        self.us += ms * 1000

    def modules(self):
        pico = self

        class Pin:
            IN, OUT, PULL_UP, IRQ_RISING, IRQ_FALLING = 0, 1, 2, 4, 8

            def __init__(self, number, mode=None, pull=None, value=None):
                self.number = number

            def irq(self, handler, when):
                assert when == Pin.IRQ_RISING | Pin.IRQ_FALLING
                pico.handlers[self.number] = lambda: handler(self)

            def value(self, level=None):
                if level is not None:
                    pico.levels[self.number] = int(level)
                return pico.levels.get(self.number, 0)

            def __call__(self, level=None):
                if self.number == 2:
                    return pico.chip.data()
                if self.number == 3:
                    return pico.chip.clock(level)
                return self.value(level)

        class WDT:
            def __init__(self, timeout):
                assert timeout <= 8388  # a Pico's longest

            def feed(self):
                pico.fed += 1

        machine = ModuleType("machine")
        machine.Pin, machine.WDT = Pin, WDT
        machine.I2C = lambda bus, sda, scl, freq: pico.chip
        machine.disable_irq, machine.enable_irq = lambda: "state", lambda state: None
        rp2 = ModuleType("rp2")
        rp2.bootsel_button = lambda: pico.button
        micropython = ModuleType("micropython")
        micropython.kbd_intr = lambda byte: setattr(pico, "interrupts", byte)
        return {"machine": machine, "rp2": rp2, "micropython": micropython}

    def edge(self, pin, level):
        self.levels[pin] = level
        self.handlers[pin]()


@pytest.fixture
def make(monkeypatch):
    """A board and a node on stand-ins with this chip, and these settings."""

    def made(chip, **settings):
        pico = Pico(chip)
        for name in OURS:
            monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.syspath_prepend(str(FIRMWARE))
        for name, module in pico.modules().items():
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setattr(time, "ticks_ms", pico.ticks_ms, raising=False)
        monkeypatch.setattr(time, "ticks_us", lambda: pico.us % 2**30, raising=False)
        monkeypatch.setattr(
            time, "ticks_diff", lambda new, old: (new - old + 2**29) % 2**30 - 2**29, raising=False
        )
        monkeypatch.setattr(time, "sleep_ms", pico.sleep_ms, raising=False)
        import settings as real

        for name, value in settings.items():
            monkeypatch.setattr(real, name, value)
        import boards.pico as board_module

        stdin = SimpleNamespace(buffer=SimpleNamespace(read=lambda count: _take(pico)))
        out = SimpleNamespace(buffer=pico.said)
        monkeypatch.setattr(board_module, "sys", SimpleNamespace(stdin=stdin, stdout=out))
        poll = SimpleNamespace(register=lambda *_: None, poll=lambda wait: bool(pico.coming))
        monkeypatch.setattr(board_module, "select", SimpleNamespace(poll=lambda: poll, POLLIN=1))
        return pico, board_module.Board()

    yield made
    for name in OURS:
        sys.modules.pop(name, None)


def _take(pico):
    byte, pico.coming = pico.coming[:1], pico.coming[1:]
    return byte


def test_samples_of_a_nau7802_and_of_one_that_comes_late(make):
    chip = NAU7802Chip(dead=("wire",))
    pico, board = make(chip)
    assert board.sample() is None
    chip.dead = ()
    assert board.sample() is None  # it is tried again after five seconds
    pico.sleep_ms(5000)
    assert board.sample() is None  # and begun
    chip.raw = 0xFFFFFE
    assert board.sample() == -2
    chip.dead = ("wire",)
    assert board.sample() is None


def test_a_chip_that_falls_silent_is_begun_again(make):
    chip = NAU7802Chip()
    pico, board = make(chip)
    board.sample()
    begun = len(chip.wire)
    chip.registers[0x00] = 0  # it lost its power for a moment
    for _ in range(80):
        pico.sleep_ms(100)
        board.sample()
    assert len(chip.wire) == 2 * begun
    assert board.sample() == 0


def test_samples_of_an_hx711(make):
    chip = HX711Chip(0x123456)
    _, board = make(chip, CHIP="hx711")
    board.sample()
    assert board.sample() == 0x123456


def test_no_byte_ends_the_program(make):
    pico, _ = make(NAU7802Chip())
    assert pico.interrupts == -1


def test_time_does_not_wrap(make):
    pico, board = make(NAU7802Chip())
    for _ in range(10):
        pico.sleep_ms(600)
        ms = board.ms()
    assert ms == 6000


def test_gates_and_button_and_lamp_and_watchdog(make):
    pico, board = make(NAU7802Chip())
    pico.edge(6, 1)
    pico.sleep_ms(12)
    pico.edge(6, 0)
    pico.edge(7, 1)
    assert board.gates() == [(1, True, 0), (1, False, 12), (2, True, 12)]
    assert board.gates() == []
    pico.button = 1
    assert board.pressed() == 0
    pico.sleep_ms(2500)
    pico.button = 0
    assert board.pressed() == 2500
    pico.sleep_ms(60)
    assert board.pressed() == 0
    shown = []
    for lamp in ("rest", "moving", "telling"):
        board.show(lamp)
        shown.append(pico.levels["LED"])
    assert shown == [1, 0, 1]
    fast = []
    for _ in range(10):
        pico.sleep_ms(200)
        board.show("fault")
        fast.append(pico.levels["LED"])
    assert fast in ([0, 1] * 5, [1, 0] * 5)
    board.alive()
    assert pico.fed == 1


def test_the_node_says_hello_on_it(make, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pico, board = make(NAU7802Chip())
    monkeypatch.setattr(sys, "platform", "rp2")
    import main

    assert main.Board is type(board)
    node = main.Node(board)
    node.look()
    assert pico.said.getvalue().startswith(b"\n1 hello tray-1 1 scale*")
    pico.coming = b"1 hello podesta 1 scale re=1\n"
    assert board.read() == b"1 hello podesta 1 scale re=1\n"


def test_a_gate_counts_pieces_but_no_glitch_and_no_blocker(make):
    make(NAU7802Chip())
    import main

    gates = main.Gates(2)
    changes = [(1, True, 100), (1, True, 106), (1, False, 112)]  # the same level twice
    changes += [(2, True, 150), (2, False, 160), (2, False, 161), (2, True, 190), (2, False, 199)]
    changes += [(1, True, 300), (1, False, 301)]  # a glitch
    for change in changes:
        gates.feed(*change)
    assert gates.rest() == [1, 2]
    gates.feed(2, True, 1100)
    assert gates.blocked(2600) == 0
    assert gates.blocked(2601) == 2
    gates.feed(2, False, 9000)
    assert gates.blocked(9000) == 0
    assert gates.rest() == [0, 0]


def test_a_piece_in_the_beam_when_the_load_rests_counts_for_the_next(make):
    make(NAU7802Chip())
    import main

    gates = main.Gates(1)
    gates.feed(1, True, 100)
    assert gates.rest() == [0]
    gates.feed(1, False, 110)
    assert gates.passed == [1]
