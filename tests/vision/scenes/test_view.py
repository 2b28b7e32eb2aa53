"""The lens: where the truth says a point is, the bent picture shows it."""

from __future__ import annotations

import math
from random import Random

import cv2
import numpy as np
import pytest

from tests.vision.scenes.view import SIZE, around, bend, look, pinhole_size

pytestmark = pytest.mark.pictures

FIELD = (192.0, 192.0)
SPOTS = [(x, y, abs(x - y) % 100) for x in (-30, 96, 220) for y in (-30, 96, 220)]


def viewed(number: int):
    rng = Random(number)
    return around(rng, FIELD, 12, rng.uniform(5, 40), rng.uniform(-32, 32), rng.uniform(420, 500))


def pinhole_of(view, points) -> np.ndarray:
    """Where a pinhole of the same focal length has points of the field, by plain division."""
    turned = (np.array(points) - view.position) @ np.array([view.right, view.down, view.ahead]).T
    width, height = pinhole_size()
    return turned[:, :2] / turned[:, 2:] * view.focal + ((width - 1) / 2, (height - 1) / 2)


def dot(picture: np.ndarray, at) -> None:
    """A soft bright dot whose centre of mass is ``at``."""
    x, y = (round(float(a)) for a in at)
    rows, columns = np.mgrid[y - 9 : y + 10, x - 9 : x + 10]
    soft = np.exp(-((columns - at[0]) ** 2 + (rows - at[1]) ** 2) / (2 * 2.5**2))
    picture[y - 9 : y + 10, x - 9 : x + 10] += soft[..., None]


def centre(picture: np.ndarray, near) -> np.ndarray:
    x, y = (round(float(a)) for a in near)
    cut = picture[y - 12 : y + 13, x - 12 : x + 13, 0]
    rows, columns = np.mgrid[y - 12 : y + 13, x - 12 : x + 13]
    return np.array([(columns * cut).sum(), (rows * cut).sum()]) / cut.sum()


@pytest.mark.parametrize("number", range(2))
def test_bent_dots_lie_where_points_project(number):
    view = viewed(number)
    width, height = pinhole_size()
    picture = np.zeros((height, width, 3), np.float32)
    for at in pinhole_of(view, SPOTS):
        dot(picture, at)
    bent = bend(view, picture)
    for expected in view.project(SPOTS):
        assert np.hypot(*(centre(bent, expected) - expected)) < 0.1


def test_the_lens_moves_points_that_a_pinhole_does_not():
    view = viewed(1)
    straight = pinhole_of(view, SPOTS) - ((np.array(pinhole_size()) - 1) / 2) + view.centre
    assert np.abs(view.project(SPOTS) - straight).max() > 1


def test_east_is_right_north_is_up_and_high_is_nearer():
    view = look((96.0, -60.0, 400.0), (96.0, 96.0, 0.0), 0.0, 1065.0)
    middle, east, north, high = view.project([(96, 96, 0), (120, 96, 0), (96, 120, 0), (96, 96, 30)])
    assert east[0] > middle[0] + 20
    assert abs(east[1] - middle[1]) < 1
    assert north[1] < middle[1] - 20
    assert high[1] < middle[1]
    assert middle == pytest.approx(view.centre, abs=0.01)
    assert np.cross(view.right, view.down) == pytest.approx(view.ahead)


def test_the_camera_stands_south_and_east_of_south_as_told():
    view = around(Random(1), FIELD, 0, 30, 0, 400)
    assert view.position == pytest.approx((96, 96 - 200, 400 * math.cos(math.radians(30))))
    assert view.tilt_deg == pytest.approx(30)
    east = around(Random(1), FIELD, 0, 30, 25, 400)
    assert east.position[0] == pytest.approx(96 + 200 * math.sin(math.radians(25)))
    assert east.position[1] < 96


def test_tilt_is_the_angle_from_straight_down():
    assert look((0, 0, 300.0), (0, 0, 0), 0.0, 1065.0).tilt_deg == pytest.approx(0)
    assert look((0, -300.0, 300.0), (0, 0, 0), 0.0, 1065.0).tilt_deg == pytest.approx(45)


def test_what_opencv_solves_from_projected_points_is_the_camera():
    view = viewed(3)
    square = [(0, 0, 0), (192, 0, 0), (192, 192, 0), (0, 192, 0)]
    dist = np.array(view.truth()["dist"])
    found, turn, shift = cv2.solvePnP(np.array(square, float), view.project(square), view.matrix, dist)
    assert found
    place = -cv2.Rodrigues(turn)[0].T @ shift.ravel()
    assert np.linalg.norm(place - view.position) < 0.5
    assert math.isclose(view.truth()["height_mm"], place[2], abs_tol=1)


def test_the_pinhole_covers_the_picture_but_for_a_few_pixels():
    for number in range(30):
        view = viewed(number)
        width, height = pinhole_size()
        corners = np.array([[[0, 0]], [[SIZE[0] - 1, 0]], [[0, SIZE[1] - 1]], [[SIZE[0] - 1, SIZE[1] - 1]]])
        straight = cv2.undistortPoints(corners.astype(float), view.matrix, np.array(view.dist))[:, 0]
        there = straight * view.focal + ((width - 1) / 2, (height - 1) / 2)
        assert (there > -20).all()
        assert (there < np.add((width, height), 20)).all()
