"""Counting pieces in: what a piece of this copy weighs, by pieces laid on the empty tray one after the other.

>>> calibrating = Calibrating(Calibration())
>>> [calibrating.rests(Weight(mg, 4, rests=True)) for mg in (12, 552, 1096, 1098)]
['empty', 'laid', 'laid', 'same']
>>> calibrating.calibration.pieces
2
"""

from __future__ import annotations

import math
from typing import Final, Literal

from device.telemetry import Weight
from vision.scale.calibration import Calibration, Contradiction

LEAST_MG: Final = 100
"""A change of less is none: half of the lightest piece."""

Outcome = Literal["empty", "laid", "same", "taken", "not one"]


class Calibrating:
    """Learns from weights at rest, the first of which is the empty tray's."""

    def __init__(self, calibration: Calibration) -> None:
        """``calibration`` is what is known already."""
        self.calibration = calibration
        self._empty: Weight | None = None
        self._last: Weight | None = None

    def rests(self, weight: Weight, pieces: int = 1) -> Outcome:
        """Take the next weight at rest; if anything was laid on it is said to be so many ``pieces``.

        ``taken``: it is less than before, which teaches nothing; ``not one``: it cannot be so many pieces.
        What is laid on next counts from there.
        """
        last, self._last = self._last, weight
        if last is None:
            self._empty = weight
            return "empty"
        more = weight.mg - last.mg
        if abs(more) < LEAST_MG:
            self._last = last
            return "same"
        if more < 0:
            return "taken"
        # Its own errors and no more: told too large, the pieces would seem to vary less than they do.
        error = math.hypot(last.sd_mg, weight.sd_mg)
        try:
            self.calibration = self.calibration.confirmed(more, pieces, error)
        except Contradiction:
            return "not one"
        return "laid"

    def known(self, weight: Weight, grams: float) -> None:
        """Take a known weight that lies there alone; raises ValueError where no cell is so wrong."""
        told = weight.mg - (self._empty.mg if self._empty else 0)
        self.calibration = self.calibration.weighted(told, grams * 1000)
