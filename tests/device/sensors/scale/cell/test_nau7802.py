"""Runs under MicroPython too: see test_micropython.py."""

from device.sensors.scale.cell.nau7802 import NAU7802


class Chip:
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


def fails(chip):
    try:
        NAU7802(chip, chip.sleep_ms).begin()
    except OSError as error:
        return str(error)
    return ""


def test_every_byte_of_the_power_up():
    chip = Chip()
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
        chip = Chip()
        NAU7802(chip, chip.sleep_ms, rate, gain, supply).begin()
        assert (0x01, ctrl1) in chip.wire, (rate, gain, supply)
        assert (0x02, ctrl2) in chip.wire, (rate, gain, supply)


def test_samples_are_two_s_complement():
    chip = Chip()
    driver = NAU7802(chip, chip.sleep_ms)
    for raw, value in ((0, 0), (1, 1), (0x7FFFFF, 8388607), (0x800000, -8388608), (0xFFFFFF, -1)):
        chip.raw = raw
        assert driver.read() == value


def test_what_does_not_work_is_named():
    assert "19" in fails(Chip(dead=("wire",)))
    assert "power up" in fails(Chip(dead=("power",)))
    assert "end its calibration" in fails(Chip(dead=("calibration",)))
    assert "cannot calibrate" in fails(Chip(dead=("offset",)))
