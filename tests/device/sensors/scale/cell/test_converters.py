"""Runs under MicroPython too: see test_micropython.py."""

from device.sensors.scale.cell.converters import HX711, NAU7802


class NAU7802Chip:
    """The registers of a NAU7802 as its data sheet has them; what was written is in ``wire``."""

    def __init__(self, *, dead=(), raw=0):
        self.registers = {0x00: 0, 0x01: 0, 0x02: 0}
        self.wire = []
        self.dead = dead
        self.raw = raw
        self.slept = 0
        self.calibrating = 0

    def sleep_ms(self, ms):
        self.slept += ms

    def writeto_mem(self, address, register, data):
        assert address == 0x2A
        assert len(data) == 1
        if "wire" in self.dead:
            raise OSError(19)
        self.wire.append((register, data[0]))
        self.registers[register] = data[0]
        if register == 0x02 and data[0] & 0x04:
            self.calibrating = 340  # ms at 10 samples a second; enough to be waited for

    def readfrom_mem(self, address, register, count):
        assert address == 0x2A
        if "wire" in self.dead:
            raise OSError(19)
        if register == 0x12:
            return bytes([self.raw >> 16 & 255, self.raw >> 8 & 255, self.raw & 255])[:count]
        value = self.registers[register]
        if register == 0x00:
            powered = value & 0x02 and "power" not in self.dead
            converts = powered and value & 0x14 == 0x14
            value |= (0x08 if powered else 0) | (0x20 if converts else 0)
        if register == 0x02 and self.calibrating:
            self.calibrating -= 1
            if not self.calibrating and "calibration" not in self.dead:
                self.registers[0x02] &= ~0x04
                if "offset" in self.dead:
                    self.registers[0x02] |= 0x08
        return bytes([value])


def failure_of(chip):
    try:
        NAU7802(chip, chip.sleep_ms).begin()
    except OSError as error:
        return str(error)
    return ""


def test_every_byte_of_the_power_up():
    chip = NAU7802Chip()
    driver = NAU7802(chip, chip.sleep_ms)
    assert not driver.ready()
    driver.begin()
    assert chip.wire == [
        (0x00, 0x01),  # all registers reset
        (0x00, 0x02),  # digital part on
        (0x01, 0x2F),  # 3.0 V, gain 128
        (0x02, 0x30),  # 80 samples a second
        (0x15, 0x30),  # CLK_CHP off
        (0x1B, 0x00),  # amplifier in use
        (0x1C, 0x80),  # capacitor at channel 2
        (0x00, 0x86),  # regulator and analog part on
        (0x02, 0x34),  # calibrate
        (0x00, 0x96),  # convert
    ]
    assert chip.slept >= 600
    assert driver.ready()


def test_rates_gains_and_supplies():
    for rate, gain, supply, ctrl1, ctrl2 in (
        (10, 1, 4.5, 0x00, 0x00),
        (20, 64, 3.3, 0x26, 0x10),
        (40, 32, 2.7, 0x35, 0x20),
        (320, 2, 2.4, 0x39, 0x70),
    ):
        chip = NAU7802Chip()
        NAU7802(chip, chip.sleep_ms, rate, gain, supply).begin()
        assert (0x01, ctrl1) in chip.wire, (rate, gain, supply)
        assert (0x02, ctrl2) in chip.wire, (rate, gain, supply)


def test_samples_of_a_nau7802_are_two_s_complement():
    chip = NAU7802Chip()
    driver = NAU7802(chip, chip.sleep_ms)
    for raw, value in ((0, 0), (1, 1), (0x7FFFFF, 8388607), (0x800000, -8388608), (0xFFFFFF, -1)):
        chip.raw = raw
        assert driver.read() == value


def test_what_does_not_work_is_named():
    assert "19" in failure_of(NAU7802Chip(dead=("wire",)))
    assert "power up" in failure_of(NAU7802Chip(dead=("power",)))
    assert "end its calibration" in failure_of(NAU7802Chip(dead=("calibration",)))
    assert "cannot calibrate" in failure_of(NAU7802Chip(dead=("offset",)))


class HX711Chip:
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
        chip = HX711Chip(0x123456)
        driver(chip, gain).read()
        assert chip.edges == [1, 0] * pulses
        chip.converted()
        assert chip.gains == [gain]


def test_samples_of_an_hx711_are_two_s_complement():
    for raw, value in ((0, 0), (1, 1), (0x7FFFFF, 8388607), (0x800000, -8388608), (0xFFFFFF, -1)):
        chip = HX711Chip(raw)
        hx711 = driver(chip)
        assert hx711.ready()
        assert hx711.read() == value
        assert not hx711.ready()


def test_interrupts_wait_while_the_clock_is_high():
    chip = HX711Chip()
    hx711 = driver(chip)
    before = chip.loud_edges
    hx711.read()
    assert chip.loud_edges == before


def test_the_sample_after_a_pulse_that_was_too_long_is_of_another_gain():
    chip = HX711Chip(5)
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
        driver(HX711Chip(shorted=True)).read()
    except OSError as error:
        said = str(error)
    assert "stays low" in said
