from __future__ import annotations

import math
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.marrakesh.counting import MOST, NONSENSE, about, both, said, weighed

MASSES = st.floats(100, 2000)


@given(st.integers(0, 25), MASSES)
def test_an_exact_weight_is_its_count(count, piece):
    total = weighed(count * piece, piece)
    assert max(range(len(total)), key=total.__getitem__) == count
    assert total[count] > 0.9


@given(st.floats(-1e5, 1e6), MASSES, st.floats(0, 0.5), st.floats(0.1, 500))
def test_chances_sum_to_one(weight, piece, spread, noise):
    total = weighed(weight, piece, spread, noise)
    assert len(total) == MOST + 1
    assert math.fsum(total) == pytest.approx(1)
    assert min(total) > 0


def test_the_figures_of_a_weight():
    """Twelve of 500 mg weigh 6000 give or take 20 and √12 × 25, so 5900 is 1.12 deviations away."""
    total = weighed(5900, 500, spread=0.05, noise_mg=20)
    deviation = {n: math.sqrt(n * 25**2 + 20**2) for n in (11, 12)}
    density = {
        n: math.exp(-(((5900 - 500 * n) / deviation[n]) ** 2) / 2)
        / (deviation[n] / 500 * math.sqrt(2 * math.pi))
        for n in (11, 12)
    }
    odds = ((1 - NONSENSE) * density[12] + NONSENSE / (MOST + 1)) / (
        (1 - NONSENSE) * density[11] + NONSENSE / (MOST + 1)
    )
    assert total[12] / total[11] == pytest.approx(odds)
    assert total[12] > 0.999


def test_many_pieces_are_known_less_well():
    sure = [weighed(500 * n, 500)[n] for n in (5, 20, 60, 100)]
    assert sure == sorted(sure, reverse=True)
    assert sure[0] > 0.999
    assert sure[2] < 0.95


@pytest.mark.parametrize("weight", [1250, 100_000, -3000])
def test_a_weight_that_fits_no_count_proves_none(weight):
    assert max(weighed(weight, 500)) < 0.1


def test_an_empty_tray():
    assert weighed(12, 589)[0] > 0.999


@pytest.mark.parametrize(
    "bad",
    [
        {"weight_mg": math.nan},
        {"weight_mg": math.inf},
        {"piece_mg": 0},
        {"piece_mg": -500},
        {"piece_mg": math.inf},
        {"spread": -0.1},
        {"noise_mg": 0},
        {"noise_mg": math.nan},
    ],
)
def test_what_is_no_weight_is_refused(bad):
    with pytest.raises(ValueError, match=r"a weight of|a spread of"):
        weighed(**({"weight_mg": 5000, "piece_mg": 500} | bad))


@given(st.floats(0, 40), st.floats(0.2, 3))
def test_about_so_many(mean, spread):
    total = about(mean, spread)
    assert math.fsum(total) == pytest.approx(1)
    assert abs(max(range(MOST + 1), key=total.__getitem__) - mean) <= 0.5
    if mean > 10 and spread > 0.6:
        assert fmean(range(MOST + 1), total) == pytest.approx(mean, abs=0.05)
    ratio = math.exp(-((5 - mean) ** 2 - (6 - mean) ** 2) / spread**2 / 2)
    if total[6] > 1e-200:
        assert total[5] / total[6] == pytest.approx(ratio)


def test_about_without_spread_is_one_count():
    assert about(7, 0)[7] == 1
    assert sum(about(7, 0)) == 1


@pytest.mark.parametrize(("mean", "spread"), [(7.5, 0), (-1e6, 0.1), (math.nan, 1), (3, -1), (3, math.inf)])
def test_about_nothing(mean, spread):
    with pytest.raises(ValueError, match=r"about|no count"):
        about(mean, spread)


def test_two_sources_together():
    assert both((0.2, 0.8, 0.0), (0.5, 0.25, 0.25)) == pytest.approx((1 / 3, 2 / 3, 0))
    assert len(both((0.5, 0.5), (0.2, 0.2, 0.6))) == 2
    with pytest.raises(ValueError, match="agree on no count"):
        both((1.0, 0.0), (0.0, 1.0))


def test_what_somebody_says_is_as_likely_as_they_say():
    told = said({9: 0.7, 10: 0.2})
    assert told[9] == pytest.approx(0.7, abs=0.002)
    assert told[10] == pytest.approx(0.2, abs=0.002)
    assert told[3] == told[50] == pytest.approx(0.1 / (MOST + 1))
    assert sum(told) == pytest.approx(1)


def test_no_word_rules_a_count_out():
    sure = said({9: 1.0})
    assert 0 < sure[8] < 1e-4
    assert said({9: 0.9, 8: 0.9})[8] == pytest.approx(0.5, abs=0.001)
