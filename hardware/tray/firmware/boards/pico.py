"""A Raspberry Pi Pico, or Pico W, under MicroPython: its USB plug is the line, BOOTSEL its button."""

import select
import sys
import time

import rp2
import settings
from cell.converters import HX711, NAU7802
from machine import I2C, WDT, Pin, disable_irq, enable_irq
from micropython import kbd_intr

SILENT_MS = 1000  # a converter that is silent for so long is started again
AGAIN_MS = 5000  # one that does not answer is tried again after so long
BUTTON_MS = 50  # the interval of looks at BOOTSEL: reading it stops everything else
EDGES = 64  # the most waiting edges of the gates
BLINKS = {"away": 1000, "fault": 200}  # ms of the lamp on and off; else it is on at rest, off while moving


class Board:
    """See main.py."""

    def __init__(self):
        self._before = time.ticks_ms()
        self._ms = 0
        self._lamp = Pin("LED", Pin.OUT)
        self._chip = self._converter()
        self._chip_ms = None  # of its last sample or start; None while it does not answer
        self._chip_again = 0
        self._edges = []  # in ticks; they come between any two steps of the program
        self._down = None
        self._button_again = 0
        kbd_intr(-1)  # a damaged byte must not end the program as Ctrl-C would
        self._heard = select.poll()
        self._heard.register(sys.stdin, select.POLLIN)
        self._gates = [Pin(number, Pin.IN, Pin.PULL_UP) for number in settings.GATES]
        for gate in self._gates:
            gate.irq(self._edge, Pin.IRQ_RISING | Pin.IRQ_FALLING)
        self._watchdog = WDT(timeout=settings.WATCHDOG_MS)

    def sample(self):
        now = self.ms()
        try:
            if self._chip_ms is None:
                if now >= self._chip_again:
                    self._chip_again = now + AGAIN_MS
                    self._chip.begin()
                    self._chip_ms = self.ms()
                return None
            if self._chip.ready():
                self._chip_ms = now
                return self._chip.read()
            if now - self._chip_ms > SILENT_MS:
                self._chip_ms = None
        except OSError:
            self._chip_ms = None
        return None

    def gates(self):
        edges, self._edges = self._edges, []
        now = self.ms()
        return [(gate, broken, now - time.ticks_diff(self._before, at)) for gate, broken, at in edges]

    def pressed(self):
        now = self.ms()
        if now < self._button_again:
            return 0
        self._button_again = now + BUTTON_MS
        if rp2.bootsel_button():
            if self._down is None:
                self._down = now
            return 0
        held = 0 if self._down is None else now - self._down
        self._down = None
        return held

    def ms(self):
        now = time.ticks_ms()
        self._ms += time.ticks_diff(now, self._before)
        self._before = now
        return self._ms

    def read(self):
        data = b""
        while len(data) < 256 and self._heard.poll(0):
            data += sys.stdin.buffer.read(1)
        return data

    def write(self, data):
        sys.stdout.buffer.write(data)

    def show(self, lamp):
        blink = BLINKS.get(lamp)
        self._lamp.value(self.ms() // blink % 2 if blink else lamp != "moving")

    def alive(self):
        self._watchdog.feed()
        time.sleep_ms(1)

    def _converter(self):
        if settings.CHIP == "hx711":
            return HX711(
                Pin(settings.DATA, Pin.IN),
                Pin(settings.CLOCK, Pin.OUT, value=0),
                time.ticks_us,
                time.ticks_diff,
                disable_irq,
                enable_irq,
                settings.GAIN,
            )
        bus = I2C(0, sda=Pin(settings.SDA), scl=Pin(settings.SCL), freq=400_000)
        return NAU7802(bus, time.sleep_ms, settings.RATE, settings.GAIN, settings.SUPPLY)

    def _edge(self, pin):
        if len(self._edges) < EDGES:
            broken = pin.value() == settings.GATE_BROKEN
            self._edges.append((self._gates.index(pin) + 1, broken, time.ticks_ms()))
