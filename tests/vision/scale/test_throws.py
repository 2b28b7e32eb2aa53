"""The bars of counting, from many throws: ``hardware/tray/COUNTING.md``."""

import math
from functools import cache

import numpy as np
import pytest

from tests.engines.walks import seed, soak
from tests.vision.scale.throws import NUMBERS, SPREADS, Throws, added, tally
from vision.scale import MOST_TOTAL, NOISE_MG, count_pieces, read_total

THROWS = 100_000
COUNTED_IN = {
    "20 to 5 mg": {"singly": 5.0},
    "20 to 20 mg": {},
    "20 to 20 mg, 8 throws": {"batches": (9,) * 8},
}


def made(throws, spread, how="20 to 20 mg"):
    return Throws(np.random.default_rng(seed()), throws, spread, **COUNTED_IN[how])


@cache
def alone(how, spread):
    """The tallies of each number, by the weight alone."""
    throws = made(soak(THROWS, 3_000), spread, how)
    return {number: throws.alone(number) for number in NUMBERS}


def assert_hardly_ever_wrong(one):
    """Fewer than 1 in 1,000; in a short run as many as chance may make of that."""
    bar = one.throws / 1000
    assert one.silent <= (bar if one.throws == THROWS else bar + 3 * math.sqrt(bar)), one


def test_throws_are_counted_as_the_scale_counts():
    throws = made(30, 0.08)
    mg = throws.weigh(throws.masses(7))
    totals = throws.totals(mg, MOST_TOTAL)
    for number in range(30):
        total = count_pieces(float(mg[number]), NOISE_MG, throws.calibration(number))
        assert total == pytest.approx(totals[number].tolist(), rel=1e-9)
    doubted = sum(read_total(tuple(total.tolist())).doubt for total in totals)
    assert tally(totals, 7).doubted == doubted > 0


def test_takes_and_what_is_left_add_up_to_what_lay_there():
    throws = made(50, 0.03, "20 to 5 mg")
    loads = throws.loads(12)
    assert len(loads) == 9
    by_weight, by_takes = throws.totals(loads[0], 15), throws.first(loads, 15)
    assert (by_takes.argmax(axis=1) == 12).all()
    assert by_takes.max(axis=1).mean() > by_weight.max(axis=1).mean()


def test_who_always_doubts_or_never_is_found_out():
    half = np.full((10, 2), 0.5)
    sure = np.tile([0.0, 1.0], (10, 1))
    assert [str(tally(half, 1)), str(tally(sure, 1)), str(tally(sure, 0))] == [
        "100.0 % · 0",
        "0.0 % · 0",
        "0.0 % · 100000",
    ]


@pytest.mark.soak
@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("how", COUNTED_IN)
def test_soak_a_count_nobody_doubts_is_hardly_ever_wrong(how, spread):
    for one in alone(how, spread).values():
        assert_hardly_ever_wrong(one)


@pytest.mark.soak
def test_soak_how_often_a_count_is_doubted():
    """At a spread of 5 %: of 3 to 12 pieces one throw in four, counted in well; of twelve later."""
    few = added(alone("20 to 5 mg", 0.05)[number] for number in range(3, 13))
    assert few.doubt < 0.25
    assert alone("20 to 20 mg, 8 throws", 0.05)[12].doubt < 0.32
    assert alone("20 to 5 mg", 0.03)[12].doubt < 0.25


@pytest.mark.soak
@pytest.mark.parametrize("spread", SPREADS)
def test_soak_removal_settles_the_count(spread):
    throws = made(soak(THROWS, 2_000) // 5, spread, "20 to 5 mg")
    for number in NUMBERS:
        one = throws.removing(number)
        assert_hardly_ever_wrong(one)
        bar = 0.03 if spread <= 0.06 else 0.5
        assert one.doubt < bar + 3 * math.sqrt(bar * (1 - bar) / one.throws), number


@pytest.mark.soak
@pytest.mark.parametrize(("number", "doubted"), [(12, 0.22), (16, 0.3)])
def test_soak_with_the_camera_hardly_any_throw_is_silently_wrong_and_few_are_doubted(number, doubted):
    """40 counted in, as the box asks for; in a thousand one wrong is chance, three are not."""
    throws = soak(1000, 40)
    both, _ = Throws(np.random.default_rng(seed()), 1000, 0.05, 40, 5.0).camera(number, throws)
    assert both.silent <= 2
    assert both.doubt < doubted + 3 * math.sqrt(doubted * (1 - doubted) / throws)
