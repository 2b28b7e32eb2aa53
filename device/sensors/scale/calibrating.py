"""The weight of this copy's pieces on this scale: learnt from pieces counted in, and kept in a small file.

Pieces are laid on the empty tray one after the other.

>>> calibrating = Calibrating(PieceCalibration())
>>> [calibrating.rests(Weight(mg, 4, rests=True)) for mg in (12, 552, 1096, 1098)]
['empty', 'laid', 'laid', 'same']
>>> calibrating.calibration.pieces
2

::

    STATE/sensors/scale/line-tray-1.json     of the scale with the source line:tray-1

The file is written by `podesta tray calibrate` and by every count that people confirm, whole or not at all.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from device.sensors.learnt import Kept
from device.telemetry import Weight
from vision.scale.calibration import Contradiction, PieceCalibration

LEAST_MG: Final = 100
"""A change of less is none: half of the lightest piece."""

RestOutcome = Literal["empty", "laid", "same", "taken", "not one"]


class Calibrating:
    """Learns from weights at rest, the first of which is the empty tray's."""

    def __init__(self, calibration: PieceCalibration) -> None:
        """Go on from ``calibration``, what is known already."""
        self.calibration = calibration
        self._empty: Weight | None = None
        self._last: Weight | None = None

    def rests(self, weight: Weight, pieces: int = 1) -> RestOutcome:
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


class KeptCalibration(Kept, frozen=True):
    """A calibration, of which scale (``source`` of its settings), and the day it was last changed; raises
    ValueError for one that cannot be.
    """

    broken = "scale.broken"
    source: str
    made: str
    calibration: PieceCalibration

    def __post_init__(self) -> None:
        one = self.calibration
        guesses = (one.spreads, one.chances, one.means, one.errors)
        if not one.spreads or len({len(each) for each in guesses}) > 1:
            raise ValueError("its guesses are not of one length")
        if not all(math.isfinite(value) for each in guesses for value in each):
            raise ValueError("a guess is no number")
        if min(one.means) <= 0 or min(one.errors) < 0 or min(one.spreads) < 0 or min(one.chances) < 0:
            raise ValueError("a mass, a spread or a chance is negative")
        if not math.isclose(sum(one.chances), 1.0, abs_tol=1e-6):
            raise ValueError("its chances do not sum to 1")
        if one.pieces < 0 or (one.gain is not None and not 0 < one.gain < math.inf):
            raise ValueError("its pieces or its gain cannot be")


def path(folder: Path, source: str) -> Path:
    """Return the file that belongs to a scale, by the source of its settings."""
    return folder / f"{source.replace(':', '-')}.json"


def load(folder: Path, source: str) -> PieceCalibration:
    """Return what is known of the pieces on the scale ``source``; nothing where there is no file.

    Raises :class:`.LearntError` for a file that cannot be read or holds what cannot be.
    """
    kept = KeptCalibration.read(path(folder, source))
    return kept.calibration if kept else PieceCalibration()


def save(folder: Path, source: str, calibration: PieceCalibration) -> Path:
    """Keep it in place of what was known; returns its file. Raises OSError where the disk refuses it."""
    today = datetime.now(UTC).date().isoformat()
    return KeptCalibration(source, today, calibration).keep(path(folder, source))
