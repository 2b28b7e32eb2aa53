"""The chance of each count from a weight, and the doubt about it."""

from __future__ import annotations

import math
from typing import Final

import msgspec
import numpy as np

from vision.scale.calibration import Floats, Guesses, PieceCalibration
from vision.tray.counting import MOST, Total

NOISE_MG: Final = 20.0
"""The least error of a weight (one standard deviation), from sources that a cell does not see: creep and
drift since the zero, and the place of the pieces.
"""
STRAY: Final = 1e-4
"""The chance that a weight at rest tells nothing about the pieces: something else lies there, unnoticed."""
SURE: Final = 0.995
"""A count less likely than this is doubted. The figure comes from simulated throws, not from the formula:
with it fewer than 1 in 1,000 are wrong and not doubted, for any count and spread
(``hardware/tray/COUNTING.md``).
"""
OTHERS: Final = 3
"""The number of runners-up to report."""
TOLD: Final = 1e-3
"""The least chance of a count to report."""


class PieceCount(msgspec.Struct, frozen=True):
    """A count of pieces: the likeliest with its chance, and others with theirs, the likeliest first.

    With ``doubt`` people should be asked.
    """

    best: int
    chance: float
    others: tuple[tuple[int, float], ...]
    doubt: bool


def counted(mg: float, sd_mg: float, calibration: PieceCalibration, most: int = MOST) -> Total:
    """Return the chance of each count from 0 to ``most``, all alike before, from the cell's weight.

    ``sd_mg`` is the scale's own error (one standard deviation), at least :data:`NOISE_MG`. With the chance
    :data:`STRAY` the weight is anything, a hand or a cup: a weight that fits no count leaves all of them
    possible instead of proving the least absurd one. Raises ValueError for invalid numbers.
    """
    if not (math.isfinite(mg) and 0 <= sd_mg < math.inf):
        raise ValueError(f"a weight of {mg} mg, give or take {sd_mg}")
    error = max(calibration.real(sd_mg), NOISE_MG)
    return tuple(chances(calibration.real(mg), error, calibration.guesses, most).tolist())


def chances(mg: Floats | float, sd_mg: float, guesses: Guesses, most: int) -> Floats:
    """Return the chances for many weights at once, in real mg: one axis more than ``mg``, from 0 to ``most``.

    The axes of ``mg`` are those of the calibrations in ``guesses``. The sum lacks the share of a stray weight
    that counts beyond ``most`` get.
    """
    banks = Guesses(*(one[..., None, :] for one in guesses))
    means, variance = banks.weight(np.arange(most + 1.0)[:, None], sd_mg)
    off = np.asarray(mg)[..., None, None] - means
    bells = np.exp(-0.5 * off**2 / variance) / np.sqrt(2 * math.pi * variance)
    # A density per piece, so that it compares with a weight that is anything.
    fits = (banks.chances * banks.means * bells).sum(axis=-1)
    fits = (1 - STRAY) * fits
    found: Floats = (fits + STRAY / (MOST + 1)) / (fits.sum(axis=-1, keepdims=True) + STRAY)
    return found


def read(total: Total) -> PieceCount:
    """Return the likeliest count of a total that sums to 1, the runners-up, and the doubt."""
    ranked = sorted(range(len(total)), key=lambda n: -total[n])
    best, *others = ranked[: 1 + OTHERS]
    told = tuple((n, total[n]) for n in others if total[n] >= TOLD)
    return PieceCount(best, total[best], told, total[best] < SURE)
