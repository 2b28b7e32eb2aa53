"""The HX711, a 24-bit converter for load cells on two pins (Avia Semiconductor, data sheet).

The pins work like ``machine.Pin``: ``data()`` is its level, 0 or 1, and ``clock(1)`` sets it.
"""

PULSES = {128: 25, 64: 27, 32: 26}
"""Clock pulses of one reading by the gain of the next: 128 and 64 are channel A, 32 is channel B."""

LONGEST_US = 50
"""The longest safe clock pulse; a longer one may switch the chip off (60 µs) and spoil the sample."""


class HX711:
    """One chip; the level of its pin RATE sets its samples a second, 10 or 80.

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
