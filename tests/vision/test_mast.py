"""Advice on how the mast stands, and which towers look alike from it."""

from __future__ import annotations

import pytest

from tests.vision.pictures import LENS, pose
from vision.field import Field
from vision.mast import MANY, TRAY, Grid, MastFault, advice, aliasing

BOARD = Field(224.0, 224.0, 0, 4.0)
GRID = Grid(8, 8, 28.0, 15.0)


def at(elevation, azimuth):
    return pose(elevation, azimuth, 560, BOARD.middle)


@pytest.mark.parametrize(
    ("elevation", "azimuth", "wrong"),
    [
        (51, 16, []),
        (60, -22, []),
        (67, 29, []),
        (49, 20, [MastFault.FLAT]),
        (69, -20, [MastFault.STEEP]),
        (60, 14, [MastFault.STRAIGHT]),
        (60, -31, [MastFault.ASIDE]),
        (60, 100, [MastFault.ASIDE]),
        (85, 3, [MastFault.STEEP, MastFault.STRAIGHT]),
    ],
)
def test_advice(elevation, azimuth, wrong):
    found = advice(at(elevation, azimuth), BOARD)
    assert [each.stand for each in found] == wrong
    for each in found:
        assert not each.least <= each.degrees <= each.most
        assert each.degrees == pytest.approx(
            elevation if each.stand in (MastFault.STEEP, MastFault.FLAT) else abs(azimuth)
        )


def test_tray_may_be_seen_from_above():
    assert not advice(at(88, 3), BOARD, TRAY)
    assert [each.stand for each in advice(at(65, 3), BOARD, TRAY)] == [MastFault.FLAT]


def test_blocks_as_high_as_two_thirds_of_a_cell_alias_along_the_axis():
    """A step to the next cell and some blocks more come out alike, where the elevation makes them."""
    along, off = aliasing(at(53, 0), LENS, GRID), aliasing(at(53, 25), LENS, GRID)
    assert along.bad
    assert not off.bad
    assert along.share > 2 * MANY * 0.8 > off.share


def test_from_above_a_block_more_is_not_seen():
    found = aliasing(at(88, 20), LENS, GRID)
    assert found.step_px < 2
    assert found.bad
    # That is said by the step, not by calling a tower its own twin.
    assert found.share == 0
