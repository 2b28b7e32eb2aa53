"""Converters for load cells: the NAU7802 on I2C and the HX711 on two pins, both of 24 bits.

Sources: Nuvoton's data sheet of the NAU7802, revision 1.7, and Avia Semiconductor's of the HX711.
"""

# The NAU7802

ADDRESS = 0x2A

PU_CTRL = 0x00
CTRL1 = 0x01
CTRL2 = 0x02
ADCO = 0x12
ADC = 0x15
PGA = 0x1B
PGA_PWR = 0x1C

RESET = 0x01  # PU_CTRL: RR
DIGITAL = 0x02  # PU_CTRL: PUD
ANALOG = 0x04  # PU_CTRL: PUA
POWERED = 0x08  # PU_CTRL: PUR, powered up
START = 0x10  # PU_CTRL: CS, conversions begin with its rising edge
READY = 0x20  # PU_CTRL: CR, a conversion is there
REGULATED = 0x80  # PU_CTRL: AVDDS, the cell is fed by the chip's own regulator
CALIBRATE = 0x04  # CTRL2: CALS, with CALMOD 00: the offset, input shorted inside
FAILED = 0x08  # CTRL2: CAL_ERR

RATES = {10: 0, 20: 1, 40: 2, 80: 3, 320: 7}
GAINS = {1: 0, 2: 1, 4: 2, 8: 3, 16: 4, 32: 5, 64: 6, 128: 7}
SUPPLIES = {4.5: 0, 4.2: 1, 3.9: 2, 3.6: 3, 3.3: 4, 3.0: 5, 2.7: 6, 2.4: 7}


class NAU7802:
    """A NAU7802 with its cell on channel 1.

    ``bus`` has two methods of ``machine.I2C``: ``readfrom_mem(address, register, count)`` and
    ``writeto_mem(address, register, data)``. Their errors pass through, such as ``OSError`` if nothing
    answers.

    ``rate`` in samples a second is a key of :data:`RATES`, ``gain`` of :data:`GAINS`, ``supply`` in volts of
    :data:`SUPPLIES`; the chip's own supply has to be 0.3 V above it. ``sleep_ms`` waits.
    """

    def __init__(self, bus, sleep_ms, rate=80, gain=128, supply=3.0):
        self._bus = bus
        self._sleep_ms = sleep_ms
        self._rate = RATES[rate]
        self._ctrl1 = SUPPLIES[supply] << 3 | GAINS[gain]
        self._on = REGULATED | ANALOG | DIGITAL

    def begin(self) -> None:
        """Power up by section 9.1, calibrate and start converting; takes about a second.

        :raises OSError: if the chip does not answer, does not power up or cannot calibrate itself.
        """
        self._write(PU_CTRL, RESET)
        self._write(PU_CTRL, DIGITAL)
        self._wait(PU_CTRL, POWERED, POWERED, 100, "NAU7802 does not power up")
        self._write(CTRL1, self._ctrl1)
        self._write(CTRL2, self._rate << 4)
        self._write(ADC, 0x30)  # CLK_CHP off
        self._write(PGA, 0x00)  # amplifier and its chopper in use, regulator at its higher gain
        self._write(PGA_PWR, 0x80)  # the capacitor at the pins of channel 2, which is not used
        self._write(PU_CTRL, self._on)
        self._sleep_ms(600)  # the analog part is stable after 600 ms
        self.calibrate()
        self._write(PU_CTRL, self._on | START)

    def calibrate(self) -> None:
        """Measure the chip's own offset, which it then subtracts; the load on the cell does not matter.

        :raises OSError: if that fails.
        """
        self._write(CTRL2, self._rate << 4 | CALIBRATE)
        self._wait(CTRL2, CALIBRATE, 0, 1000, "NAU7802 does not end its calibration")
        if self._read(CTRL2) & FAILED:
            raise OSError("NAU7802 cannot calibrate itself")

    def ready(self) -> bool:
        """Return True if a new sample is there."""
        return bool(self._read(PU_CTRL) & READY)

    def read(self) -> int:
        """Return the sample, −8388608 to 8388607."""
        high, middle, low = self._bus.readfrom_mem(ADDRESS, ADCO, 3)
        value = high << 16 | middle << 8 | low
        return int(value - 0x1000000 if value & 0x800000 else value)

    def _read(self, register: int) -> int:
        return int(self._bus.readfrom_mem(ADDRESS, register, 1)[0])

    def _write(self, register: int, value: int) -> None:
        self._bus.writeto_mem(ADDRESS, register, bytes([value]))

    def _wait(self, register: int, mask: int, wanted: int, most_ms: int, why: str) -> None:
        for _ in range(most_ms):
            if self._read(register) & mask == wanted:
                return
            self._sleep_ms(1)
        raise OSError(why)


# The HX711

PULSES = {128: 25, 64: 27, 32: 26}
"""Clock pulses of one reading by the gain of the next: 128 and 64 are channel A, 32 is channel B."""

LONGEST_US = 50
"""The longest safe clock pulse; a longer one may switch the chip off (60 µs) and spoil the sample."""


class HX711:
    """An HX711; the level of its pin RATE sets its samples a second, 10 or 80.

    The pins work like ``machine.Pin``: ``data()`` is the level, 0 or 1, and ``clock(1)`` sets it.
    ``ticks_us`` is a clock in microseconds that may wrap, ``ticks_diff(new, old)`` the time between two of
    its values. ``quiet()`` stops anything that could lengthen a pulse, such as interrupts; ``loud(state)``
    gets its result back.
    """

    def __init__(
        self,
        data,
        clock,
        ticks_us,
        ticks_diff=lambda new, old: new - old,
        quiet=lambda: None,
        loud=lambda state: None,
        gain=128,
    ):
        self._data = data
        self._clock = clock
        self._ticks_us = ticks_us
        self._ticks_diff = ticks_diff
        self._quiet = quiet
        self._loud = loud
        self._pulses = PULSES[gain]
        self._skip = False

    def begin(self) -> None:
        """Wake the chip; its first sample has gain 128, and is skipped if another gain is set."""
        self._clock(0)
        self._skip = self._pulses != PULSES[128]

    def ready(self) -> bool:
        """Return True if a new sample is there: the chip holds its data pin low."""
        return not self._data()

    def read(self) -> "int | None":
        """Return the sample, −8388608 to 8388607, or None if its gain is wrong or a pulse was too long.

        :raises OSError: if the data pin stays low after the last pulse: a short instead of a chip.
        """
        value = 0
        in_time = True
        for number in range(self._pulses):
            state = self._quiet()
            begin = self._ticks_us()
            self._clock(1)
            self._clock(0)
            took = self._ticks_diff(self._ticks_us(), begin)
            self._loud(state)
            in_time = in_time and took <= LONGEST_US
            if number < 24:
                value = value << 1 | self._data()
        if not self._data():
            raise OSError("HX711: the data pin stays low")
        skip, self._skip = self._skip, False
        if not in_time:
            self.begin()  # the chip may have gone off and on
            return None
        if skip:
            return None
        return value - 0x1000000 if value & 0x800000 else value
