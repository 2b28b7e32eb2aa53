"""Counting again while pieces are taken off, one or two at a time: a few are weighed nearly exactly.

What was taken at each step and what is left add up to what lay there at first: :func:`at_first` checks the
first count. :func:`taken` is one step: a take that the record forgot, or has twice, shows at once. A piece
laid back counts as one taken less.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from engines.marrakesh.counting import MOST, Total
from vision.scale.calibration import Calibration, Floats
from vision.scale.counting import NOISE_MG, counted

Weight = tuple[float, float]
"""What the cell says at rest in mg, and its error (one standard deviation)."""


def taken(before: Weight, after: Weight, calibration: Calibration, most: int = MOST) -> Total:
    """The chance of each number taken off between two weights; laid back, where ``after`` is more."""
    error = math.hypot(max(before[1], NOISE_MG), max(after[1], NOISE_MG))
    return counted(abs(before[0] - after[0]), error, calibration, most)


def at_first(weights: Sequence[Weight], calibration: Calibration, most: int = MOST) -> Total:
    """The chance of each count that lay there at the first of ``weights``, by all that was taken since.

    ``weights`` are the loads at rest in order, one for each change. With one of them it is :func:`.counted`.
    Raises ValueError where there are none.
    """
    if not weights:
        raise ValueError("nothing was weighed")
    found = np.array(counted(*weights[-1], calibration, most))
    for before, after in reversed([*pairwise(weights)]):
        found = moved(found, np.array(taken(before, after, calibration, most)), back=after[0] > before[0])
    return tuple((found / found.sum()).tolist())


def moved(total: Floats, step: Floats, *, back: bool) -> Floats:
    """How likely each count is with a step more, or with a step less where that goes ``back``.

    Both have counts along their last axis; what falls off either end is lost.
    """
    places = total.shape[-1]
    found: Floats = np.zeros_like(total)
    for by in range(min(places, step.shape[-1])):
        share = step[..., by, None]
        if back:
            found[..., : places - by] += share * total[..., by:]
        else:
            found[..., by:] += share * total[..., : places - by]
    return found
