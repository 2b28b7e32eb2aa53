"""From a weight to the chance of each count, and when that is doubted."""

from __future__ import annotations

import math
from typing import Final

import msgspec
import numpy as np

from vision.scale.calibration import Floats, Guesses, PieceCalibration
from vision.tray.counting import MOST, Total

NOISE_MG: Final = 20.0
"""The least error of a weight (one standard deviation): what a cell does not see of its own, creep and drift
since it was zeroed, and the place where things lie.
"""
STRAY: Final = 1e-4
"""How likely a weight at rest says nothing of the pieces: something else lies there, unnoticed."""
SURE: Final = 0.995
"""A count less likely than this is doubted. From simulated throws, not from the formula: at this figure fewer
than 1 in 1,000 are wrong and not doubted, whatever the count and the spread (``hardware/tray/COUNTING.md``).
"""
OTHERS: Final = 3
"""How many runners-up are told."""
TOLD: Final = 1e-3
"""Counts less likely than this are not told."""


class PieceCount(msgspec.Struct, frozen=True):
    """A count of pieces: the likeliest with its chance, and others with theirs, the likeliest first.

    With ``doubt`` people are to be asked.
    """

    best: int
    chance: float
    others: tuple[tuple[int, float], ...]
    doubt: bool


def counted(mg: float, sd_mg: float, calibration: PieceCalibration, most: int = MOST) -> Total:
    """Return the chance of each count from 0 to ``most``, were all as likely before, from what the cell says.

    ``sd_mg`` is the scale's own error (one standard deviation); below :data:`NOISE_MG` it is taken for that.
    With the chance :data:`STRAY` the weight is anything, a hand or a cup: one that fits no count leaves
    all of them possible instead of proving the least absurd one. Raises ValueError for what are no
    such numbers.
    """
    if not (math.isfinite(mg) and 0 <= sd_mg < math.inf):
        raise ValueError(f"a weight of {mg} mg, give or take {sd_mg}")
    error = max(calibration.real(sd_mg), NOISE_MG)
    return tuple(chances(calibration.real(mg), error, calibration.guesses, most).tolist())


def chances(mg: Floats | float, sd_mg: float, guesses: Guesses, most: int) -> Floats:
    """Return the chances of many weights at once, in real mg: an axis more than ``mg``, from 0 to ``most``.

    The axes of ``mg`` are those of the calibrations in ``guesses``. What a weight that is anything leaves to
    counts beyond ``most`` is missing in the sum.
    """
    banks = Guesses(*(one[..., None, :] for one in guesses))
    means, variance = banks.weight(np.arange(most + 1.0)[:, None], sd_mg)
    off = np.asarray(mg)[..., None, None] - means
    bells = np.exp(-0.5 * off**2 / variance) / np.sqrt(2 * math.pi * variance)
    # A density by the piece, so that it compares with a weight that is anything.
    fits = (banks.chances * banks.means * bells).sum(axis=-1)
    fits = (1 - STRAY) * fits
    found: Floats = (fits + STRAY / (MOST + 1)) / (fits.sum(axis=-1, keepdims=True) + STRAY)
    return found


def read(total: Total) -> PieceCount:
    """Return the likeliest count of a total that sums to 1, the runners-up, and whether it is doubted."""
    ranked = sorted(range(len(total)), key=lambda n: -total[n])
    best, *others = ranked[: 1 + OTHERS]
    told = tuple((n, total[n]) for n in others if total[n] >= TOLD)
    return PieceCount(best, total[best], told, total[best] < SURE)
