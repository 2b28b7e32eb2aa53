"""What was taken and what is left add up to what lay there."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from engines.marrakesh.counting import MOST
from vision.scale.calibration import Calibration
from vision.scale.counting import counted, read
from vision.scale.removing import at_first, moved, taken

EXACT = Calibration.exact(500, 0.05)
WIDE = Calibration(20, None, (0.1,), (1.0,), (500.0,), (12.0,))


def weights(masses, *takes, back=()):
    """What is weighed after each take of so many; then those of ``back`` are laid on."""
    found, there = [(sum(masses), 5.0)], list(masses)
    for number in takes:
        there = there[number:]
        found.append((sum(there), 5.0))
    for mass in back:
        found.append((found[-1][0] + mass, 5.0))
    return found


def test_a_few_pieces_are_weighed_surely():
    assert read(taken((6000, 5), (5460, 5), EXACT)).best == 1
    found = read(taken((6000, 5), (5000, 5), EXACT))
    assert (found.best, found.doubt) == (2, False)


def test_two_weights_have_both_their_errors():
    assert taken((6000, 60), (4900, 60), EXACT) == pytest.approx(counted(1100, math.hypot(60, 60), EXACT))
    assert taken((6000, 0), (4900, 0), EXACT) == pytest.approx(counted(1100, math.hypot(20, 20), EXACT))


def test_one_weight_is_the_count_itself():
    assert at_first([(5900, 20)], EXACT) == pytest.approx(counted(5900, 20, EXACT))


def test_what_was_taken_one_by_one_settles_a_count_that_was_doubted():
    """Twelve and a half by weight; nobody knows, until they are taken off."""
    masses = [500 * 1.042] * 12
    seen = weights(masses, 2, 1, 2, 1, 2, 1, 2, 1)
    assert read(at_first(seen[:1], WIDE)).doubt
    found = read(at_first(seen, WIDE))
    assert (found.best, found.doubt) == (12, False)


def test_the_first_count_is_the_same_after_every_take():
    rng = Random(4)
    masses = [rng.gauss(500, 25) for _ in range(9)]
    seen = weights(masses, 1, 2, 1, 1, 2, 2)
    assert {read(at_first(seen[:many], EXACT)).best for many in range(1, 8)} == {9}


def test_a_piece_laid_back_is_one_taken_less():
    seen = weights([500.0] * 5, 2, 1, back=[510.0])
    assert read(at_first(seen, EXACT)).best == 5


def test_nothing_weighed_is_no_count():
    with pytest.raises(ValueError, match="nothing was weighed"):
        at_first([], EXACT)


def test_moving_a_total():
    total, step = np.array([0.0, 0.25, 0.75, 0.0]), np.array([0.5, 0.0, 0.5])
    assert moved(total, step, back=False).tolist() == [0.0, 0.125, 0.375, 0.125]
    assert moved(total, step, back=True).tolist() == [0.375, 0.125, 0.375, 0.0]
    many = moved(np.array([total, total]), np.array([step, [1.0, 0.0, 0.0]]), back=False)
    assert many.tolist() == [[0.0, 0.125, 0.375, 0.125], total.tolist()]


def test_chances_sum_to_one():
    found = at_first(weights([500.0] * 6, 2, 1), EXACT)
    assert len(found) == MOST + 1
    assert math.fsum(found) == pytest.approx(1)
