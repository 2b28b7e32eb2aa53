"""What is known of a copy's pieces, and how it is learnt."""

import math
from random import Random

import numpy as np
import pytest

from vision.scale import (
    ENOUGH,
    SPREADS,
    START,
    Contradiction,
    Guesses,
    PieceCalibration,
    count_pieces,
    from_batches,
    read_total,
)


def batch(rng, n, mean=540.0, spread=0.05, noise=5.0):
    return sum(rng.gauss(mean, mean * spread) for _ in range(n)) + rng.gauss(0, noise)


def one_by_one(rng, number, **made):
    return from_batches([(batch(rng, 1, **made), 1) for _ in range(number)], 5.0)


def test_nothing_weighed_yet_doubts_everything():
    unknown = PieceCalibration()
    assert (unknown.pieces, unknown.enough) == (0, False)
    assert all(read_total(count_pieces(500 * n, 20, unknown)).doubt for n in range(1, 12))


@pytest.mark.parametrize("piece", [120, 540, 1900])
def test_the_first_batch_is_the_mean(piece):
    found = PieceCalibration().confirmed(20 * piece, 20)
    assert found.mean_mg == pytest.approx(piece, rel=0.01)
    assert found.pieces == 20
    assert found.enough


def test_pieces_one_by_one():
    """The mean to 5 % / √20, and the spread, over many copies without bias."""
    found = [one_by_one(Random(number), ENOUGH) for number in range(60)]
    z = [(one.mean_mg / 540 - 1) / one.error for one in found]
    assert np.std(z) == pytest.approx(1, abs=0.25)
    assert np.mean([one.error for one in found]) == pytest.approx(0.05 / math.sqrt(20), rel=0.12)
    assert np.mean([one.spread for one in found]) == pytest.approx(0.05, abs=0.006)


def test_one_batch_says_nothing_of_the_spread_and_as_much_of_the_mean():
    rng = Random(8)
    masses = [batch(rng, 1) for _ in range(40)]
    single = from_batches([(mg, 1) for mg in masses])
    whole = from_batches([(sum(masses), 40)])
    assert whole.mean_mg == pytest.approx(single.mean_mg, rel=0.002)
    assert whole.spread == pytest.approx(sum(SPREADS) / len(SPREADS), rel=0.01)
    assert whole.error > single.error


def test_confirmed_counts_make_the_mean_known_better():
    rng = Random(11)
    found = one_by_one(rng, ENOUGH)
    errors = [found.error]
    for _ in range(8):
        found = found.confirmed(batch(rng, 9, noise=20), 9, 20)
        errors.append(found.error)
    assert errors[-1] < errors[0] / 1.7
    assert found.pieces == ENOUGH + 72
    assert found.mean_mg == pytest.approx(540, rel=3 * found.error)


@pytest.mark.parametrize(("n", "like"), [(8, 9), (10, 9), (3, 9)])
def test_a_count_that_the_weight_cannot_have_is_told(n, like):
    found = one_by_one(Random(1), ENOUGH)
    with pytest.raises(Contradiction, match=rf"{n} pieces are said to lie there; .* mg are {like}") as told:
        found.confirmed(found.mean_mg * like, n, 20)
    assert (told.value.n, told.value.like) == (n, pytest.approx(like))


@pytest.mark.parametrize("mg", [0.0, -500.0])
def test_pieces_that_weigh_nothing_are_told(mg):
    with pytest.raises(Contradiction):
        PieceCalibration().confirmed(mg, 1)


@pytest.mark.parametrize("mg", [-5.0, 0.0, 900.0])
def test_no_pieces_teach_nothing(mg):
    known = one_by_one(Random(1), ENOUGH)
    assert known.confirmed(mg, 0) is known


def test_two_pieces_counted_in_as_one_are_told():
    with pytest.raises(Contradiction):
        from_batches([(540, 1), (528, 1), (551, 1), (1080, 1)], 5)


@pytest.mark.parametrize(
    "bad", [(math.nan, 3, 1), (math.inf, 3, 1), (500, -1, 1), (500, 1, -1), (500, 1, math.nan)]
)
def test_what_is_no_weight_is_refused(bad):
    with pytest.raises(ValueError, match="pieces that weigh"):
        PieceCalibration().confirmed(*bad)


@pytest.mark.parametrize("bad", [(0, 0.05), (-5, 0.05), (math.inf, 0.05), (500, -0.1), (500, math.inf)])
def test_what_is_no_piece_is_refused(bad):
    with pytest.raises(ValueError, match="that vary by"):
        PieceCalibration.exact(*bad)


# A known weight


def test_a_known_weight_makes_masses_real():
    found = one_by_one(Random(1), ENOUGH)
    real = found.weighted(10_500, 10_000)
    assert real.mean_mg == pytest.approx(found.mean_mg / 1.05)
    assert (real.error, real.pieces) == (pytest.approx(found.error), found.pieces)
    assert read_total(count_pieces(9 * found.mean_mg, 20, real)).best == 9
    assert real.weighted(11_000, 10_000).mean_mg == real.mean_mg  # only the cell has changed


@pytest.mark.parametrize("told", [0, -10_000, 1, 4_000, 30_000])
def test_a_cell_that_says_something_else_of_a_weight_is_at_fault(told):
    with pytest.raises(ValueError, match=r"a weight of 10000 mg cannot be"):
        PieceCalibration().weighted(told, 10_000)


# Kept, and many at once


def test_many_are_learnt_at_once_as_each_by_itself():
    rng = Random(2)
    weights = np.array([[batch(rng, 1) for _ in range(6)] for _ in range(4)])
    guesses = START
    for column in weights.T:
        guesses = guesses.learnt(column[:, None], 1, 5.0)
    for row, means, chances in zip(weights, guesses.means, guesses.chances, strict=True):
        alone = from_batches([(mg, 1) for mg in row], 5.0)
        assert alone.means == pytest.approx(means)
        assert alone.chances == pytest.approx(chances)


def test_a_weight_that_no_guess_explains_leaves_chances():
    """Logarithms of chances far below the least that a float can hold."""
    guesses = Guesses(np.array([0.05, 0.1]), np.full(2, 0.5), np.full(2, 500.0), np.ones(2))
    chances = guesses.learnt(50_000.0, 1, 20.0).chances
    assert chances.sum() == pytest.approx(1)
    assert chances[1] > 0.99
