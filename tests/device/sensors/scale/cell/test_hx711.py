"""Runs under MicroPython too: see test_micropython.py."""

from device.sensors.scale.cell.hx711 import HX711


class Chip:
    """An HX711 at the level of its pins, as its data sheet has them; ``edges`` are those of the clock."""

    def __init__(self, raw=0, *, pulse_us=1, shorted=False):
        self.raw = raw
        self.pulse_us = pulse_us
        self.shorted = shorted
        self.us = 0
        self.level = 0
        self.rose = 0
        self.pulses = 0
        self.edges = []
        self.gains = []  # chosen by the pulses of each reading, of the next one
        self.off = False
        self.quiet = False
        self.loud_edges = 0

    def data(self):
        if self.shorted:
            return 0
        if self.off or self.pulses > 24:
            return 1
        return self.raw >> (24 - self.pulses) & 1 if self.pulses else 0

    def clock(self, level):
        self.us += self.pulse_us
        self.loud_edges += not self.quiet
        if level != self.level:
            self.edges.append(level)
        if level and not self.level:
            self.rose = self.us
            self.pulses += 1
        if self.level and not level and self.us - self.rose > 60:
            self.off, self.pulses = False, 0
        self.level = level

    def converted(self):
        """The next conversion is there."""
        self.gains.append({25: 128, 26: 32, 27: 64}.get(self.pulses))
        self.pulses = 0

    def ticks_us(self):
        return self.us

    def hush(self):
        self.quiet = True
        return "state"

    def loud(self, state):
        assert state == "state"
        self.quiet = False


def driver(chip, gain=128):
    hx711 = HX711(chip.data, chip.clock, chip.ticks_us, quiet=chip.hush, loud=chip.loud, gain=gain)
    hx711.begin()
    return hx711


def test_every_edge_of_a_reading():
    for gain, pulses in ((128, 25), (32, 26), (64, 27)):
        chip = Chip(0x123456)
        driver(chip, gain).read()
        assert chip.edges == [1, 0] * pulses
        chip.converted()
        assert chip.gains == [gain]


def test_samples_are_two_s_complement():
    for raw, value in ((0, 0), (1, 1), (0x7FFFFF, 8388607), (0x800000, -8388608), (0xFFFFFF, -1)):
        chip = Chip(raw)
        hx711 = driver(chip)
        assert hx711.ready()
        assert hx711.read() == value
        assert not hx711.ready()


def test_interrupts_wait_while_the_clock_is_high():
    chip = Chip()
    hx711 = driver(chip)
    before = chip.loud_edges
    hx711.read()
    assert chip.loud_edges == before


def test_the_sample_after_a_pulse_that_was_too_long_is_of_another_gain():
    chip = Chip(5)
    hx711 = driver(chip, 64)
    hx711.read()
    chip.converted()
    chip.pulse_us = 51
    assert hx711.read() is None
    chip.pulse_us = 1
    chip.converted()
    assert hx711.read() is None
    chip.converted()
    assert hx711.read() == 5


def test_a_data_pin_that_stays_low_is_no_chip():
    said = ""
    try:
        driver(Chip(shorted=True)).read()
    except OSError as error:
        said = str(error)
    assert "stays low" in said
