"""Pictures that can show nothing, and why."""

import cv2
import numpy as np
import pytest

from vision import painter
from vision.field import Field, find
from vision.lens import Lens
from vision.markers import Flaw, find_flaw

FIELD = Field(224.0, 224.0, 0, 4.0)
VIEW = painter.PaintedView(
    Lens((1280, 960), 1065, 1065, 640, 480), painter.looking(FIELD, 60, 20, 480), FIELD
)
PICTURE = painter.noisy(painter.empty(VIEW), 1)


def scaled(light):
    return np.clip(PICTURE.astype(float) * light, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("light", [0.3, 0.7, 1.0, 1.3])
def test_a_good_picture_has_no_flaw(light):
    assert find_flaw(scaled(light)) is None


@pytest.mark.parametrize("sigma", [0.8, 1.5])
def test_a_picture_a_little_soft_has_no_flaw(sigma):
    assert find_flaw(cv2.GaussianBlur(PICTURE, (0, 0), sigma)) is None


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        (scaled(0.05), Flaw.BLACK),
        (np.zeros((480, 640, 3), np.uint8), Flaw.BLACK),
        (scaled(20), Flaw.SATURATED),
        (np.full((480, 640, 3), 255, np.uint8), Flaw.SATURATED),
        (cv2.GaussianBlur(PICTURE, (0, 0), 8), Flaw.BLURRED),
        (painter.noisy(cv2.GaussianBlur(PICTURE, (0, 0), 8), 2), Flaw.BLURRED),
        (np.full((480, 640, 3), 120, np.uint8), Flaw.BLURRED),
    ],
)
def test_a_flaw_is_named(picture, expected):
    assert find_flaw(picture) is expected


def moved(px, degrees):
    """The picture as a camera takes it that moves by so many pixels."""
    turn, ends = np.radians(degrees), (px / 2) * np.array([-1.0, 1.0])
    line = np.zeros((px + 4, px + 4), np.float32)
    at = np.column_stack([ends * np.cos(turn), ends * np.sin(turn)]) + (px + 3) / 2
    cv2.line(line, *(tuple(round(16 * one) for one in end) for end in at), 1.0, 1, cv2.LINE_AA, 4)
    return cv2.filter2D(PICTURE, -1, line / line.sum())


@pytest.mark.parametrize("degrees", [0, 67, 141])
def test_a_picture_that_moved_is_blurred_however_sharp_it_is_across(degrees):
    """As it was with photographs: a motion of 21 px loses all markers."""
    shown = moved(21, degrees)
    assert not find(shown, VIEW.lens, FIELD).markers
    assert find_flaw(shown) is Flaw.BLURRED
    assert find_flaw(moved(2, degrees)) is None


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (2, 2)])
@pytest.mark.parametrize(("level", "expected"), [(0, Flaw.BLACK), (255, Flaw.SATURATED)])
def test_the_smallest_pictures_are_judged_by_their_light_alone(shape, level, expected):
    assert find_flaw(np.full((*shape, 3), level, np.uint8)) is expected
    assert find_flaw(np.full((*shape, 3), 120, np.uint8)) is (None if 1 in shape else Flaw.BLURRED)
