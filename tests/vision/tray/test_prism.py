"""A keshi as a solid, and its silhouette on a plan."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vision.tray.plan import PPM, Plan
from vision.tray.prism import Caster, Keshi, PrismPlace, cast, filled, reach_px, solid, top, window

PLAN = Plan(180.0, 140.0)
KESHI = Keshi(11.0, 7.0)
CAMERA = np.array([90.0, 20.0, 380.0])
PLACES = st.builds(
    PrismPlace, st.floats(15, 165), st.floats(15, 125), st.booleans(), st.floats(0, 2 * math.pi)
)


@given(PLACES)
def test_a_piece_stands_on_the_floor_and_is_as_high_as_it_lies(place):
    corners = solid(KESHI, place)
    assert corners[:, 2].min() == pytest.approx(0, abs=1e-9)
    assert corners[:, 2].max() == pytest.approx(7.0 if place.flat else 11.0)
    assert corners[:, :2].mean(axis=0) == pytest.approx([place.x_mm, place.y_mm])


@given(PLACES)
def test_all_corners_are_as_far_from_the_middle(place):
    middle = np.array([place.x_mm, place.y_mm, 3.5 if place.flat else 5.5])
    far = np.linalg.norm(solid(KESHI, place) - middle, axis=1)
    assert far == pytest.approx(np.full(16, math.hypot(5.5 / math.cos(math.pi / 8), 3.5)))


@given(PLACES)
def test_the_quick_silhouette_is_the_plain_one(place):
    plain, quick = (
        window(PLAN, solid(KESHI, place), CAMERA, 3),
        Caster(PLAN, KESHI, CAMERA).silhouette(place, 3),
    )
    assert (quick.row, quick.column) == (plain.row, plain.column)
    assert (quick.mask != plain.mask).sum() <= 4


BEYOND = st.builds(
    PrismPlace, st.floats(-20, 200), st.floats(-20, 160), st.booleans(), st.floats(0, 2 * math.pi)
)


@example(PrismPlace(400, 70, True, 0.0), 0)
@example(PrismPlace(90, -200, True, 0.0), 0)
@given(BEYOND, st.integers(0, 4))
def test_a_window_over_an_edge_is_the_part_of_it_on_the_plan(place, rim):
    whole = filled(PLAN.pixels(cast(solid(KESHI, place), CAMERA)), PLAN.shape)
    seen = window(PLAN, solid(KESHI, place), CAMERA, rim)
    rows, columns = seen.at
    assert 0 <= rows.start < rows.stop <= PLAN.shape[0]
    assert 0 <= columns.start < columns.stop <= PLAN.shape[1]
    assert (seen.mask == whole[seen.at]).all()
    assert seen.mask.sum() == whole.sum()


def test_a_window_is_as_small_as_its_rim_lets_it_be():
    corners = solid(KESHI, PrismPlace(90, 70, True, 0.3))
    close = window(PLAN, corners, CAMERA)
    wide = window(PLAN, corners, CAMERA, 3)
    assert (wide.row, wide.column) == (close.row - 3, close.column - 3)
    assert wide.mask.shape == tuple(n + 6 for n in close.mask.shape)
    for axis in (0, 1):
        covered = np.flatnonzero(close.mask.any(axis=axis))
        assert covered[0] <= 1
        assert covered[-1] >= close.mask.shape[1 - axis] - 2


def test_a_silhouette_has_the_area_of_the_piece_seen_from_above():
    above = np.array([90.0, 70.0, 1e6])
    flat = window(PLAN, solid(KESHI, PrismPlace(90, 70, True, 0.3)), above).mask.sum() / PPM**2
    side = window(PLAN, solid(KESHI, PrismPlace(90, 70, False, 0.3)), above).mask.sum() / PPM**2
    assert flat == pytest.approx(2 * (math.sqrt(2) - 1) * 121, rel=0.08)
    assert side == pytest.approx(77, rel=0.1)
    assert KESHI.covers_mm2 == pytest.approx(100.2, abs=0.1)
    assert Keshi(10, 10).covers_mm2 == 100


@given(PLACES)
def test_a_window_of_that_reach_holds_a_piece_and_what_is_around_it(place):
    reach = reach_px(KESHI)
    far = np.abs(Caster(PLAN, KESHI, np.array([90.0, 70.0, 380.0])).leaning(place)).max()
    assert far + 2 * PPM < reach < far + 7 * PPM


def test_what_stands_high_leans_away_from_the_camera():
    near, far = cast(np.array([[150.0, 100.0, 0.0], [150.0, 100.0, 10.0]]), CAMERA)
    assert near == pytest.approx([150, 100])
    assert far[0] > 151
    assert far[1] > 102


def test_the_upper_faces_are_the_octagon_or_three_sides():
    assert len(top(KESHI, PrismPlace(0, 0, True, 0))) == 8
    assert sorted({round(z, 2) for z in top(KESHI, PrismPlace(0, 0, False, 0))[:, 2]}) == [7.78, 11.0]


def test_a_plan_leads_back_to_the_floor():
    column, row = PLAN.pixels(np.array([33.0, 77.0]))
    assert PLAN.mm(column, row) == pytest.approx((33.0, 77.0))
    assert PLAN.shape == (380, 480)
    assert PLAN.floor().sum() == 180 * 140 * PPM**2
