"""All places looked at roughly: scores, what is struck out, what a claim changes; and words for counts."""

import math

import cv2
import numpy as np
import pytest

from tests.vision.tray.painted import KESHI
from tests.vision.tray.test_search import looked, on_table
from vision.scale import MOST_TOTAL, weigh_said
from vision.tray.plan import PrismPlace
from vision.tray.search import NOWHERE, CoarseScores


@pytest.fixture(scope="module")
def got():
    return looked([("red", 60, 60, False, 30), ("green", 150, 100, True, 0)])


@pytest.fixture
def coarse(got):
    return CoarseScores(on_table(got), ~got.seen.bare)


def far(coarse, row, column, x, y):
    here = coarse.find_mm(row, column)
    return math.hypot(here[0] - x, here[1] - y)


def test_the_same_place_scores_the_same_from_whichever_part_it_is_looked_at(coarse):
    """Tiles share their kernels, and evidence beyond a part counts."""
    before = coarse.scores.copy()
    coarse.look_again(PrismPlace(60, 60, False, 0.0))
    coarse.look_again(PrismPlace(5, 135, False, 0.0))
    assert np.allclose(coarse.scores, before, rtol=0, atol=1e-4)


def test_a_claim_takes_its_scores_away_and_no_others(got, coarse):
    before = coarse.scores.copy()
    place = PrismPlace(60, 60, False, math.radians(30))
    coarse.table.claim(place)
    coarse.look_again(place)
    score, row, column = coarse.find_peak()
    assert score > 0.9
    assert far(coarse, row, column, 150, 100) < 2
    apart = [far(coarse, *at, 60, 60) > 30 for at in np.ndindex(coarse.shape)]
    same = np.array(apart).reshape(coarse.shape)
    assert np.array_equal(coarse.scores[:, same], before[:, same])
    assert np.allclose(coarse.scores, CoarseScores(coarse.table, ~got.seen.bare).scores, rtol=0, atol=1e-4)


def test_no_more_is_looked_at_again_than_a_claim_changes(coarse):
    coarse.may[:] = True
    coarse.scores[:] = 9.0
    coarse.look_again(PrismPlace(90, 70, False, 0.0))
    again = [(coarse.scores[0] != 9.0).any(axis=axis) for axis in (1, 0)]
    assert [lines.sum() for lines in again] == [2 * round(1.3 * coarse.half) + 1] * 2


@pytest.mark.parametrize(("row", "column", "near", "struck"), [(20, 30, 1, 9), (20, 30, 2, 25), (0, 0, 2, 9)])
def test_what_is_struck_out_is_so_far_around(coarse, row, column, near, struck):
    coarse.scores[:] = 0.0
    coarse._best[:] = 0.0
    coarse.strike(row, column, near)
    gone = coarse.scores == NOWHERE
    assert (gone == gone[0]).all()
    assert np.array_equal(coarse._best == NOWHERE, gone[0])
    assert gone[0].sum() == struck
    assert gone[0, row, column]


def test_nothing_lies_where_the_floor_is_bare_or_at_its_edge(coarse):
    rows, columns = coarse.shape
    may = [at for at in np.ndindex(rows, columns) if coarse.may[at]]
    least = min(KESHI.across_mm, KESHI.height_mm) / 2 - 2
    for at in may:
        x, y = coarse.find_mm(*at)
        assert min(far(coarse, *at, 60, 60), far(coarse, *at, 150, 100)) < 14
        assert least < x < 180 - least
        assert y > least
    assert (coarse.scores[:, ~coarse.may] == NOWHERE).all()


def test_no_middle_of_a_piece_is_at_a_wall(got):
    coarse = CoarseScores(on_table(got), np.ones(got.seen.plan.shape, bool))
    rows, columns = (np.flatnonzero(coarse.may.any(axis=axis)) for axis in (1, 0))
    (west, _), (east, south) = (coarse.find_mm(rows[at], columns[at]) for at in (0, -1))
    assert (west, 180 - east, south) == pytest.approx((4, 4, 4), abs=1.2)


def test_a_kernel_weighs_means(coarse):
    """Inside a silhouette, just outside, along its outline."""
    body, line = (
        cv2.idft(part, flags=cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)
        for part in coarse._weigh(PrismPlace(90, 70, True, 0.0))
    )
    assert body[body > 1e-5].sum() == pytest.approx(1, abs=0.01)
    assert body[body < -1e-5].sum() == pytest.approx(-0.25, abs=0.01)
    assert line.sum() == pytest.approx(0.8, abs=0.01)
    middle = 2 * coarse.half + 1
    assert np.abs(body[middle:]).max() < 1e-5
    assert np.abs(body[:, middle:]).max() < 1e-5


def test_what_somebody_says_is_as_likely_as_they_say():
    told = weigh_said({9: 0.7, 10: 0.2})
    assert told[9] == pytest.approx(0.7, abs=0.002)
    assert told[10] == pytest.approx(0.2, abs=0.002)
    assert told[3] == told[50] == pytest.approx(0.1 / (MOST_TOTAL + 1))
    assert sum(told) == pytest.approx(1)


def test_no_word_rules_a_count_out():
    sure = weigh_said({9: 1.0})
    assert 0 < sure[8] < 1e-4
    assert weigh_said({9: 0.9, 8: 0.9})[8] == pytest.approx(0.5, abs=0.001)
