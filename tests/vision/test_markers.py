"""Markers are found with corners to a fraction of a pixel, or as OpenCV has them, but never far away."""

import cv2
import numpy as np
import pytest

from tests.vision.pictures import Sheet, pose
from vision.field import Field
from vision.markers import detect, measured

BOARD = Field(224.0, 224.0, 0, 4.0)
AT = pose(58, 25, 560, BOARD.middle)


@pytest.fixture(scope="module")
def picture():
    return Sheet.of(BOARD).seen(AT)


def test_order_is_by_id_then_by_place():
    sheet = Sheet.of(BOARD)
    sheet.put(1, 60.0, 60.0)
    found = detect(sheet.seen(AT))
    assert [marker.id for marker in found] == [0, 1, 1, 2, 3]
    assert found[1].corners[0][0] < found[2].corners[0][0]


@pytest.mark.parametrize(
    "shape",
    [
        [(0, 0), (400, 0), (0, 400)],  # one long edge across all four sides
        [(0, 0), (400, 0), (400, 190), (0, 205)],
        [(200, 200), (400, 190), (400, 400), (205, 400)],
    ],
)
def test_what_is_no_marker_leaves_corners_near_where_they_were(shape):
    """Whatever runs through there: sides that are none must not carry a corner away, or meet nowhere."""
    picture = np.full((400, 400), 235, np.uint8)
    cv2.fillConvexPoly(picture, np.array(shape), 20, cv2.LINE_AA)
    corners = np.array([[170.0, 170.0], [230.0, 170.0], [230.0, 230.0], [170.0, 230.0]])
    for turn in range(4):
        result = measured(picture.astype(np.float32), np.roll(corners, turn, axis=0))
        assert np.linalg.norm(result - np.roll(corners, turn, axis=0), axis=1).max() < 10.0


def test_flat_gray_leaves_corners_where_they_were():
    corners = np.array([[170.0, 170.0], [230.0, 170.0], [230.0, 230.0], [170.0, 230.0]])
    assert (measured(np.full((400, 400), 90, np.float32), corners) == corners).all()
