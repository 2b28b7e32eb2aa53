"""The sides of a marker are measured to a fraction of a pixel, and nothing else is taken for one."""

import cv2
import numpy as np
import pytest

from vision.markers import across, line, visible

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
