"""A keshi as a solid, and its silhouette on a plan."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.vision.tray.painted import KESHI, solid, upper, view
from vision.tray.plan import PPM, Caster, Keshi, Plan, PrismPlace, fill_hull, find_reach_px, rectify

PLAN = Plan(180.0, 140.0)
CAMERA = np.array([90.0, 20.0, 380.0])
PLACES = st.builds(
    PrismPlace, st.floats(15, 165), st.floats(15, 125), st.booleans(), st.floats(0, 2 * math.pi)
)


def plain(corners_mm, camera_mm=CAMERA):
    """The hull of points, (N, 3) mm, as the camera sees it: a mask of the whole plan."""
    far = camera_mm[2] / (camera_mm[2] - corners_mm[:, 2:])
    cast_mm = camera_mm[:2] + (corners_mm[:, :2] - camera_mm[:2]) * far
    return fill_hull(PLAN.find_pixels(cast_mm), PLAN.shape)


def corners(place):
    return solid(place.x_mm, place.y_mm, place.flat, place.turn)


def whole(part):
    mask = np.zeros(PLAN.shape, np.uint8)
    mask[part.at] = part.mask
    return mask


BEYOND = st.builds(
    PrismPlace, st.floats(-20, 200), st.floats(-20, 160), st.booleans(), st.floats(0, 2 * math.pi)
)


@example(PrismPlace(400, 70, True, 0.0), 0)
@example(PrismPlace(90, -200, True, 0.0), 0)
@given(BEYOND, st.integers(0, 4))
def test_a_window_over_an_edge_is_the_part_of_it_on_the_plan(place, rim):
    seen = Caster(PLAN, KESHI, CAMERA).draw_silhouette(place, rim)
    rows, columns = seen.at
    assert 0 <= rows.start < rows.stop <= PLAN.shape[0]
    assert 0 <= columns.start < columns.stop <= PLAN.shape[1]
    assert (whole(seen) != plain(corners(place))).sum() <= 4


@given(PLACES)
def test_the_upper_faces_are_the_octagon_or_three_sides(place):
    seen = whole(Caster(PLAN, KESHI, CAMERA).draw_upper(place))
    faces = plain(upper(corners(place), place.flat))
    assert (seen != cv2.erode(faces, np.ones((3, 3), np.uint8))).sum() <= 12


def test_a_window_is_as_small_as_its_rim_lets_it_be():
    caster, place = Caster(PLAN, KESHI, CAMERA), PrismPlace(90, 70, True, 0.3)
    close, wide = caster.draw_silhouette(place), caster.draw_silhouette(place, 3)
    assert (wide.row, wide.column) == (close.row - 3, close.column - 3)
    assert wide.mask.shape == tuple(n + 6 for n in close.mask.shape)
    for axis in (0, 1):
        covered = np.flatnonzero(close.mask.any(axis=axis))
        assert covered[0] <= 1
        assert covered[-1] >= close.mask.shape[1 - axis] - 2


def test_a_silhouette_has_the_area_of_the_piece_seen_from_above():
    above = Caster(PLAN, KESHI, np.array([90.0, 70.0, 1e6]))
    areas = (above.draw_silhouette(PrismPlace(90, 70, flat, 0.3)).mask.sum() for flat in (True, False))
    flat, side = (area / PPM**2 for area in areas)
    assert flat == pytest.approx(2 * (math.sqrt(2) - 1) * KESHI.across_mm**2, rel=0.08)
    assert side == pytest.approx(KESHI.across_mm * KESHI.height_mm, rel=0.1)
    assert Keshi(11, 7).covers_mm2 == pytest.approx(100.2, abs=0.1)
    assert Keshi(10, 10).covers_mm2 == 100


@given(PLACES)
def test_a_window_of_that_reach_holds_a_piece_and_what_is_around_it(place):
    reach = find_reach_px(KESHI)
    middle = PLAN.find_pixels(np.array([place.x_mm, place.y_mm]))
    far = np.abs(Caster(PLAN, KESHI, np.array([90.0, 70.0, 380.0])).cast(place) - middle).max()
    assert far + 2 * PPM < reach < far + 7 * PPM


def test_every_pixel_of_a_plan_shows_its_point_of_the_floor():
    seen = view(72, 30)
    down, across = np.mgrid[0:960, 0:1280]
    picture = np.dstack([across / 6, down / 6, np.zeros_like(down)]).round().astype(np.uint8)
    rows, columns = np.mgrid[0 : PLAN.shape[0], 0 : PLAN.shape[1]]
    east, north = PLAN.find_mm(columns.ravel(), rows.ravel())
    points = seen.pose.project(seen.lens, np.column_stack([east, north, np.zeros(len(east))]))
    found = rectify(picture, seen.lens, seen.pose, PLAN).reshape(-1, 3)
    assert np.abs(found[:, :2] - points / 6).max() < 1.1
