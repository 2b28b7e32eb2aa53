"""A weight becomes a count, or a doubt."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.scale import (
    MOST_TOTAL,
    NOISE_MG,
    STRAY,
    PieceCalibration,
    PieceCount,
    count_pieces,
    read_total,
    weigh_said,
)

EXACT = PieceCalibration.exact(500, 0.05)
MASSES = st.floats(100, 2000)


@given(st.integers(0, 25), MASSES)
def test_an_exact_weight_is_its_count(count, piece):
    total = count_pieces(count * piece, NOISE_MG, PieceCalibration.exact(piece, 0.05))
    assert read_total(total).best == count
    assert total[count] > 0.9


@given(st.floats(-1e5, 1e6), MASSES, st.floats(0, 0.5), st.floats(0, 500))
def test_chances_sum_to_one(mg, piece, spread, noise):
    total = count_pieces(mg, noise, PieceCalibration.exact(piece, spread))
    assert len(total) == MOST_TOTAL + 1
    assert math.fsum(total) == pytest.approx(1)
    assert min(total) > 0


def test_the_figures_of_a_weight():
    """Twelve of 500 mg weigh 6000 give or take 20 and √12 × 25, so 5900 is 1.12 deviations away."""
    total = count_pieces(5900, 20, EXACT)
    deviation = {n: math.sqrt(n * 25**2 + 20**2) for n in (11, 12)}
    density = {
        n: math.exp(-(((5900 - 500 * n) / deviation[n]) ** 2) / 2)
        / (deviation[n] / 500 * math.sqrt(2 * math.pi))
        for n in (11, 12)
    }
    odds = ((1 - STRAY) * density[12] + STRAY / (MOST_TOTAL + 1)) / (
        (1 - STRAY) * density[11] + STRAY / (MOST_TOTAL + 1)
    )
    assert total[12] / total[11] == pytest.approx(odds)
    assert total[12] > 0.999


def test_a_mean_that_is_not_well_known_makes_many_pieces_doubtful():
    """Known to 3 %, twelve pieces may weigh 0.36 pieces more: the error is of the whole tray, not of each."""
    vague = PieceCalibration(20, None, (0.05,), (1.0,), (500.0,), (15.0,))
    deviation = math.sqrt(12 * 25**2 + (12 * 15) ** 2 + 20**2)
    other = math.sqrt(13 * 25**2 + (13 * 15) ** 2 + 20**2)
    total = count_pieces(6120, 20, vague)
    odds = math.exp((380 / other) ** 2 / 2 - (120 / deviation) ** 2 / 2) * other / deviation
    assert total[12] / total[13] == pytest.approx(odds, rel=0.01)
    assert read_total(total).doubt
    assert not read_total(count_pieces(6120, 20, EXACT)).doubt


@pytest.mark.parametrize("mg", [1250, 100_000, -3000])
def test_a_weight_that_fits_no_count_proves_none(mg):
    found = read_total(count_pieces(mg, NOISE_MG, EXACT))
    assert found.chance < 0.1
    assert found.doubt


def test_no_scale_is_better_than_the_least_error():
    assert count_pieces(1040, 0, EXACT) == count_pieces(1040, NOISE_MG, EXACT)
    assert count_pieces(1040, 60, EXACT)[2] < count_pieces(1040, NOISE_MG, EXACT)[2]


@pytest.mark.parametrize(
    "bad", [(math.nan, 20), (math.inf, 20), (5000, -1), (5000, math.nan), (5000, math.inf)]
)
def test_what_is_no_weight_is_refused(bad):
    with pytest.raises(ValueError, match="a weight of"):
        count_pieces(*bad, EXACT)


def test_reading_tells_the_likeliest_first():
    assert read_total((0.02, 0.1, 0.5, 0.3, 0.08)) == PieceCount(
        2, 0.5, ((3, 0.3), (1, 0.1), (4, 0.08)), True
    )
    assert read_total(weigh_said({9: 0.9999})) == PieceCount(9, pytest.approx(0.999, abs=1e-4), (), False)


def test_a_short_tray_has_no_more_than_there_are():
    total = count_pieces(6000, 20, EXACT, most=11)
    assert len(total) == 12
    assert read_total(total).best == 11
