import math
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.tray.counting import MOST, about, said


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


@pytest.mark.parametrize(("mean", "spread"), [(7.5, 0), (-1e6, 0.1), (math.nan, 1), (3, -1), (3, math.inf)])
def test_about_nothing(mean, spread):
    with pytest.raises(ValueError, match=r"about|no count"):
        about(mean, spread)


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
