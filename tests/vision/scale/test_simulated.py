"""The simulated tray weighs what lies there, loses no piece, and does what its faults are named for."""

from itertools import pairwise
from statistics import fmean, pstdev

import pytest
from msgspec.structs import replace

from vision.simulated_tray import CLUMP, REACH_MS, LoadCell, SignalSample, SimulatedTower, Swing, WeighedTable

QUIET = LoadCell(rate=20, noise_mg=0, settles_mg=0, drift_mg=0, warming_mg=0, creep=0)
EMPTY = round(QUIET.tray_mg / QUIET.mg_per_count)
THROW = [0, 0, 3, 5, 7, 7, 7, 10, 11]


def weight(table, ms=2500):
    """Return what the cell feels above the empty tray once all is still, in mg."""
    *_, last = (sample for sample in table.run(ms) if sample.raw is not None)
    return (last.raw - EMPTY) * table.cell.mg_per_count


def laid(number=9, **made):
    table = WeighedTable(3, cell=QUIET, **made)
    table.lay(range(number))
    weight(table)
    return table


def test_the_same_seed_is_the_same_evening():
    def evening(seed):
        table = WeighedTable(seed)
        table.throw(THROW)
        return [*map(str, table.run(3000))], table.tray

    assert evening(1) == evening(1)
    assert evening(1) != evening(2)


def test_no_piece_is_lost():
    table = WeighedTable(4)
    thrown = []
    for _ in range(8):
        table.throw(THROW)
        thrown += THROW
        list(table.run(3000))
        assert sorted((*table.tray, *table.inside)) == sorted(thrown)
        for kind in table.tray:
            thrown.remove(kind)
        table.take(table.tray)
        assert table.tray == ()


def test_a_piece_that_lands_swings_and_comes_to_rest():
    table = WeighedTable(1, cell=replace(QUIET, rate=80))
    table.lay([0])
    felt = [(one.raw - EMPTY) * QUIET.mg_per_count for one in table.run(2000)]
    assert max(felt) > 2 * table.mg
    assert felt[-40:] == pytest.approx([table.mg] * 40, abs=5)
    table.take([0])
    felt = [(one.raw - EMPTY) * QUIET.mg_per_count for one in table.run(200)]
    assert max(felt[8:]) - min(felt[8:]) > 1000  # a tenth of a second later


def test_a_swing_dies_away():
    table = WeighedTable(1)
    table._swings = [(0, Swing(900, 100, 5))]
    assert [table._swing(ms) for ms in (0, 50, 100, 200)] == pytest.approx([900, 0, -331.1, 121.8], abs=0.1)


@pytest.mark.parametrize(("error", "ms"), [("noise_mg", 1000), ("drift_mg", 60_000)])
def test_a_cell_is_as_far_off_as_it_says(error, ms):
    table = WeighedTable(1, cell=replace(QUIET, rate=1, **{error: 20}))
    told = [weight(table, ms) for _ in range(300)]
    off = told if error == "noise_mg" else [after - before for before, after in pairwise(told)]
    assert pstdev(off) == pytest.approx(20, rel=0.15)


def test_masses_vary_and_beams_miss_as_often_as_they_say():
    table = WeighedTable(2, cell=QUIET, spread=0.1, tower=SimulatedTower(out=0.0, again=1.0, missed=0.25))
    masses = [piece.mg for pieces in table._supply.values() for piece in pieces]
    assert (fmean(masses), pstdev(masses)) == pytest.approx((540, 54), rel=0.1)
    table.throw([*range(12)] * 20)
    assert table.tray == ()
    table.throw([])
    assert len(table._beams) == pytest.approx(2 * 240 * 2 * 0.75, rel=0.1)
    weight(table)
    assert len(table.tray) == 240


def test_everything_weighs_from_when_it_lands():
    table = WeighedTable(1, cell=QUIET, tower=SimulatedTower(out=1.0))
    table.throw([1])
    table.lay([0])
    assert weight(table, REACH_MS) == 0
    list(table.run(1))
    laid = table.mg
    assert weight(table) == pytest.approx(table.mg, abs=5)
    assert 0 < laid < table.mg


def test_a_sample_is_a_line():
    assert str(SignalSample(5, 7, "01")) == "5 7 01"
    assert str(SignalSample(5, None, "11")) == "5 - 11"


def test_beams_change_in_the_order_of_time():
    table = WeighedTable(1, cell=QUIET)
    table.block(1, 300)
    list(table.run(100))
    table.block(2, 100)
    assert [(one.ms, one.gates) for one in table.run(400) if one.raw is None] == [
        (100, "11"),
        (200, "10"),
        (300, "00"),
    ]


@pytest.mark.parametrize(("out", "fell"), [(0.0, 0), (1.0, len(THROW))])
def test_the_tower_keeps_what_its_chance_says(out, fell):
    table = WeighedTable(4, tower=SimulatedTower(out=out))
    table.throw(THROW)
    list(table.run(3000))
    assert (len(table.tray), len(table.inside)) == (fell, len(THROW) - fell)


def test_a_piece_falls_as_much_longer_than_the_quickest_as_the_tower_says():
    table = WeighedTable(4, cell=replace(QUIET, rate=2), tower=SimulatedTower(out=1.0, missed=0.0))
    falls = []
    for number in range(100):
        start = table.ms
        table.throw([number % 12])
        falls.append(min(one.ms for one in table.run(2600) if one.raw is None) - start)
    assert min(falls) == pytest.approx(250, abs=6)
    assert fmean(falls) == pytest.approx(250 + table.tower.fall_ms * (1 - CLUMP), rel=0.1)


def test_every_load_settles_a_little_wrong_and_nothing_does_not():
    table = WeighedTable(1, cell=replace(QUIET, settles_mg=20))
    off = []
    for _ in range(80):
        table.lay([0, 1])
        off.append(weight(table, 1400) - table.mg)
        table.take([0, 1])
        assert weight(table, 1400) == pytest.approx(0, abs=5)  # what is left of the swing
    assert pstdev(off) == pytest.approx(20, rel=0.2)


def test_a_load_creeps_and_the_zero_warms():
    creeping = WeighedTable(1, cell=replace(QUIET, creep=0.01))
    creeping.lay(range(12))
    early, late = weight(creeping, 3000), weight(creeping, 300_000)
    assert early < creeping.mg * 1.002
    assert late == pytest.approx(creeping.mg * 1.01, rel=0.001)
    warming = WeighedTable(1, cell=replace(QUIET, warming_mg=30))
    assert weight(warming, 120_000) == pytest.approx(60, abs=1)


def test_what_is_not_there_cannot_be_taken_or_thrown():
    table = laid(3)
    with pytest.raises(ValueError, match="no piece of kind 7"):
        table.take([0, 7])
    assert table.tray == (0, 1, 2)
    with pytest.raises(ValueError, match="no more pieces of kind 0"):
        table.throw([0] * 26)
    assert len(table.tray) + len(table.inside) == 3
    table.throw([0] * 24)
    with pytest.raises(ValueError, match="no more pieces of kind 0"):
        table.throw([0])
    assert len(table.tray) + len(table.inside) == 27
