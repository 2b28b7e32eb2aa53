"""Corners and sides of markers are found to a fraction of a pixel; nothing else is taken for one."""

import cv2
import numpy as np
import pytest

from tests.vision.pictures import Sheet, pose
from vision.field import Field
from vision.markers import across, detect, line, measured, visible

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


DARK, BRIGHT = 30.0, 230.0
CORNERS = np.array([[60.3, 50.6], [120.8, 54.1], [117.2, 113.7], [56.9, 110.4]])
"""A marker of about 60 px, a little turned; the corners as printed: top left first, then around."""
MIDDLE = CORNERS.mean(axis=0)


def polygon(picture, corners, light, fine=8):
    """Paint a polygon with smooth edges."""
    mask = np.zeros((picture.shape[0] * fine, picture.shape[1] * fine), np.uint8)
    cv2.fillPoly(mask, [np.round((corners + 0.5) * fine - 0.5).astype(np.int32)], 255)
    share = cv2.resize(mask, picture.shape[::-1], interpolation=cv2.INTER_AREA) / 255.0
    return picture * (1 - share) + light * share


def marker(bright=BRIGHT, dark=DARK, cover=None, light=120.0, table=120.0):
    """Paper with a black square on it; ``cover``, (N, 2) px, lies on top."""
    picture = np.full((170, 180), table)
    picture = polygon(picture, MIDDLE + (CORNERS - MIDDLE) * 1.33, bright)
    picture = polygon(picture, CORNERS, dark)
    if cover is not None:
        picture = polygon(picture, np.array(cover, float), light)
    picture = cv2.GaussianBlur(picture, (0, 0), 0.8)
    return (picture + np.random.default_rng(4).normal(0, 1.5, picture.shape)).astype(np.float32)


def seen(picture, guess=CORNERS, reach=0.1):
    """The sides in view by number, and how far off the true ones they are at worst, px."""
    found = dict(visible(picture, guess, reach, DARK, BRIGHT))
    for number, edge in found.items():
        start, end = CORNERS[number], CORNERS[(number + 1) % 4]
        along = (end - start) / np.linalg.norm(end - start)
        off = (edge.pixels - start) @ np.array([along[1], -along[0]])
        assert np.abs(off).max() < 0.25, number
    return set(found)


@pytest.mark.parametrize("light", [0.0, 60.0, 120.0, 200.0, 255.0])
def test_covered_sides_are_not_seen(light):
    east = [(85, 20), (170, 20), (170, 150), (85, 150)]
    assert seen(marker(cover=east, light=light)) == {0, 2, 3}
    most = [(74, 20), (170, 20), (170, 150), (74, 150)]
    assert seen(marker(cover=most, light=light)) == {3}
    assert seen(marker(cover=[(0, 0), (179, 0), (179, 169), (0, 169)], light=light)) == set()


@pytest.mark.parametrize(
    ("inner", "outer"),
    [(90.0, 150.0), (30.0, 120.0), (120.0, 230.0), (175.0, 230.0), (134.0, 255.0), (0.0, 124.0)],
)
def test_an_edge_that_is_not_from_ink_to_paper_is_none(inner, outer):
    """Something else that happens to stand there: both sides must look as they should."""
    assert seen(marker(bright=outer, dark=inner)) == set()


def test_a_thing_at_the_edge_bends_no_side():
    """Ink beside the marker: what does not lie on the line of the rest is left out."""
    start, end = CORNERS[0], CORNERS[1]
    along = (end - start) / np.linalg.norm(end - start)
    out = np.array([along[1], -along[0]])
    ink = [start + 0.3 * (end - start), start + 0.42 * (end - start)]
    blot = [ink[0], ink[1], ink[1] + 3 * out, ink[0] + 3 * out]
    assert seen(marker(cover=blot, light=DARK)) == {0, 1, 2, 3}


def test_a_round_thing_is_no_side():
    angles = np.linspace(0, 2 * np.pi, 60)
    disc = np.column_stack([np.cos(angles), np.sin(angles)]) * 31 + MIDDLE
    picture = polygon(np.full((170, 180), BRIGHT), disc, DARK)
    assert (
        visible(cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.float32), CORNERS, 0.1, DARK, BRIGHT) == []
    )


def test_second_edge_beside_the_first_does_not_draw_it_away():
    """Such as a glow within the ink: the steepest rise is the one that counts."""
    start, end = CORNERS[0], CORNERS[1]
    picture = marker()
    glow = MIDDLE + (CORNERS - MIDDLE) * 0.84
    picture = np.maximum(picture, 0) + polygon(np.zeros((170, 180)), glow, 60.0)
    picture -= polygon(np.zeros((170, 180)), MIDDLE + (CORNERS - MIDDLE) * 0.9, 60.0)
    cut = across(np.clip(picture, 0, 255).astype(np.float32), start, end, 0.1)
    a, b, c = line(cut.points)
    off = np.array([a, b]) @ ((start + end) / 2) - c
    assert abs(off) < 0.2


def test_the_end_of_the_paper_does_not_draw_a_side_away():
    """Paper may be narrow: where it becomes dark again is no part of the side."""
    picture = np.full((100, 100), 120, np.float32)
    picture[:, :50], picture[:, 50:54] = DARK, BRIGHT
    found = across(picture, np.array([49.5, 20.0]), np.array([49.5, 80.0]), 0.2)
    assert found.points[:, 0] == pytest.approx(49.5, abs=0.1)
