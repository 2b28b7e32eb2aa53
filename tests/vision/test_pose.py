"""A pose: where the camera stands, how it is found again, and what is said of how the mast stands."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.pictures import LENS, on_table, pose
from vision.field import Field
from vision.mast import MANY, Grid, MastFault, advice, aliasing
from vision.pose import Pose, refine, slide, solve

POINTS = np.array([[x, y, z] for x in (0.0, 90.0, 200.0) for y in (0.0, 220.0) for z in (0.0, 60.0)])
poses = st.builds(
    pose,
    st.floats(35, 89),
    st.floats(-180, 180),
    st.floats(450, 900),
    st.tuples(st.floats(80, 140), st.floats(80, 140)),
    st.floats(-180, 180),
)


@settings(deadline=None)
@given(poses)
def test_what_is_on_the_table_is_seen_there(at):
    level = POINTS[POINTS[:, 2] == 0.0]
    assert on_table(at, LENS, at.project(LENS, level)) == pytest.approx(level[:, :2], abs=1e-3)


@settings(deadline=None)
@given(poses)
def test_pose_is_found_from_what_is_seen(at):
    found = solve(LENS, POINTS, at.project(LENS, POINTS))
    assert found.camera_mm == pytest.approx(at.camera_mm, abs=0.01)
    assert found.matrix == pytest.approx(at.matrix, abs=1e-5)


@settings(deadline=None)
@given(poses, st.floats(-300, 300), st.floats(-300, 300))
def test_a_field_beside_is_seen_where_it_lies(at, east, north):
    moved = at.beside(east, north).project(LENS, POINTS)
    assert moved == pytest.approx(at.project(LENS, np.add(POINTS, [east, north, 0.0])), abs=1e-6)


@settings(deadline=None)
@given(poses, st.integers(0, 2))
def test_slide_is_how_far_a_mm_goes(at, axis):
    step = np.zeros(3)
    step[axis] = 0.01
    moved = (at.project(LENS, POINTS + step) - at.project(LENS, POINTS)) / 0.01
    assert slide(LENS, POINTS, at)[:, :, axis] == pytest.approx(moved, abs=0.02)


def test_roll_is_where_north_is_in_the_picture():
    assert pose(60, 0, 500, (100, 100)).roll_deg == pytest.approx(0)
    assert pose(60, 0, 500, (100, 100), roll=90).roll_deg == pytest.approx(90)
    assert abs(pose(60, 180, 500, (100, 100)).roll_deg) == pytest.approx(180)


def test_points_on_one_line_give_no_pose_or_a_wrong_one_but_no_error():
    line = np.array([[x, 0.0, 0.0] for x in (0.0, 10.0, 20.0, 30.0)])
    solve(LENS, line, pose(60, 0, 500, (15, 0)).project(LENS, line))


def test_whitening_makes_points_count():
    at = pose(60, 20, 500, (100, 100))
    seen = at.project(LENS, POINTS)
    seen[0] += [8.0, -5.0]
    trust = np.ones(len(POINTS))
    trust[0] = 1e-4
    plain = refine(LENS, POINTS, seen, at)
    wise = refine(LENS, POINTS, seen, at, np.diag(np.repeat(trust, 2)))
    assert np.linalg.norm(plain.camera_mm - at.camera_mm) > 1
    assert np.linalg.norm(wise.camera_mm - at.camera_mm) < 0.01


def test_no_step_makes_a_pose_worse():
    """Also from far off, where a full step would lead away; shorter ones often lead there."""
    at = pose(60, 20, 500, (100, 100))
    seen = at.project(LENS, POINTS)

    def cost(one):
        return ((one.project(LENS, POINTS) - seen) ** 2).sum()

    random, costs = np.random.default_rng(1), []
    for _ in range(60):
        turn = np.array(at.rotation) + random.normal(0, 1.5, 3)
        shift = np.array(at.translation) + random.normal(0, 300, 3)
        start = Pose(tuple(turn.tolist()), tuple(shift.tolist()))
        costs.append(cost(refine(LENS, POINTS, seen, start)))
        assert costs[-1] <= cost(start)
    assert (np.array(costs) < 1e-3).sum() > 35


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
