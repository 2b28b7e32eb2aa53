"""A kernel's simulated GPIO chip (Linux ``gpio-sim``) from the side of the wires.

The kernel brings the edges of such a chip to its listeners at its next clock tick, and two of one tick in
the order of their lines: whoever goes on before an edge has arrived turns a knob that no hand can turn. So
every change here waits for the line's interrupt to be counted, and what a driver does after that is its own.
"""

import os
import re
import time
from pathlib import Path

from device.keys import Key, Timing
from device.settings import Keys

PULL = {True: "pull-down", False: "pull-up"}
"""What stands for a contact to ground, closed or open."""

EDGE_S = 5.0
"""No tick is this long: an edge that has not arrived by then never will."""

MARGIN_S = 0.005
TAP_S = 0.030
"""The quickest finger."""


class Chip:
    """The lines of the chip; the environment variable ``GPIO_SIM`` names its folder."""

    def __init__(self) -> None:
        """Begin with every contact open."""
        if "GPIO_SIM" not in os.environ:
            raise RuntimeError("no simulated GPIO chip here: GPIO_SIM is not set (see .ci/run)")
        self._folder = Path(os.environ["GPIO_SIM"])
        self.edges = 0
        """How many changes a listener was told of."""
        for line in self._folder.glob("sim_gpio*"):
            (line / "pull").write_text(PULL[False])

    def contact(self, number: int, closed: bool) -> None:
        """Close or open the contact to ground on line ``number``; returns when the kernel has told of it."""
        before = self._interrupts().get(number)
        pull = self._folder / f"sim_gpio{number}" / "pull"
        changes = pull.read_text().strip() != PULL[closed]
        pull.write_text(PULL[closed])
        if not changes or before is None:
            return
        end = time.monotonic() + EDGE_S
        while self._interrupts().get(number, before) == before:
            assert time.monotonic() < end, f"the kernel tells nobody of an edge on line {number}"
            time.sleep(0.001)
        self.edges += 1

    def level(self, number: int) -> bool:
        """Return True if line ``number`` is high, whoever drives it."""
        return (self._folder / f"sim_gpio{number}" / "value").read_text().strip() == "1"

    def _interrupts(self) -> dict[int, int]:
        """Return how often each line that somebody listens to has told of an edge."""
        rows = re.findall(
            r"^ *\d+: +(\d+) +irq_sim +(\d+)\b", Path("/proc/interrupts").read_text(), re.MULTILINE
        )
        return {int(number): int(count) for count, number in rows}


class ChipFingers:
    """Fingers on the box's keys, as quick as the box can tell one gesture from the last."""

    def __init__(self, chip: Chip, keys: Keys | None = None) -> None:
        """``keys`` as the box has them."""
        self.chip = chip
        self._pins = (keys or Keys()).pins
        self._timing = Timing.of(keys or Keys())
        self._turned = self._clicked = 0.0

    def press(self, key: Key, seconds: float = TAP_S) -> None:
        """Press ``key`` for a time, and leave it until that counts."""
        if key is Key.OK:
            self._rest(self._turned, self._timing.quiet_after_turn_ms)
        self.chip.contact(self._pins[key], True)
        if key is Key.OK:
            self._clicked = time.monotonic()
        time.sleep(seconds)
        self.chip.contact(self._pins[key], False)
        time.sleep(self._timing.debounce_ms / 1000 + MARGIN_S)

    def turn(self, steps: int) -> None:
        """Turn the encoder by so many detents, clockwise if positive."""
        self._rest(self._clicked, self._timing.quiet_after_click_ms)
        contacts = self._pins["encoder_a"], self._pins["encoder_b"]
        for _ in range(abs(steps)):
            for closed in (True, False):
                for number in contacts if steps > 0 else reversed(contacts):
                    self.chip.contact(number, closed)
        self._turned = time.monotonic()

    @staticmethod
    def _rest(since: float, ms: float) -> None:
        if (wait := since + ms / 1000 + MARGIN_S - time.monotonic()) > 0:
            time.sleep(wait)
