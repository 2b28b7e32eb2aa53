"""Pictures of the calibration board through a lens that is known."""

from functools import lru_cache

import cv2
import numpy as np

from tests.vision.pictures import PX_PER_MM, Sheet, pose
from vision import sheets
from vision.lens import Lens

SMALL = Lens((800, 600), 668.0, 670.0, 406.0, 294.0, (-0.08, 0.02, 0.0006, -0.0004, 0.0))
A4 = (297.0, 210.0)


@lru_cache
def sheet():
    """The printed board on a table; not to be written to."""
    (page,) = sheets.board(sheets.SheetWords("100 mm", ""), dpi=PX_PER_MM * 25.4)
    paper = Sheet(-60.0, -60.0, A4[0] + 60.0, A4[1] + 60.0)
    left, top = (round(60 * PX_PER_MM),) * 2
    dots = cv2.cvtColor(page.dots, cv2.COLOR_GRAY2BGR)
    paper.paint[top : top + len(dots), left : left + dots.shape[1]] = 20 + dots * 0.88
    return paper


def poses(count=24, seed=5):
    """Ways to hold the board: in each part of the picture, tilted to each side."""
    random = np.random.default_rng(seed)
    for number in range(count):
        near = 340.0 if number < 12 else 265.0
        across, up = (number % 3 - 1) * 110.0, (number // 3 % 3 - 1) * 80.0
        middle = A4[0] / 2 - across + random.uniform(-15, 15), A4[1] / 2 - up + random.uniform(-15, 15)
        tilt = (88.0, 62.0, 58.0)[number % 3 if number < 12 else (number + 1) % 3]
        # A camera that stands aside sees one edge farther away; rolled back, the board stays upright.
        azimuth = 90.0 * random.integers(0, 4) + random.uniform(-20, 20)
        yield pose(tilt, azimuth, near, middle, -azimuth)


@lru_cache
def picture(number):
    """One of the pictures that are enough to calibrate by; each takes a while, so it serves all tests."""
    return sheet().seen([*poses()][number], SMALL, seed=number)


def pictures():
    """All of them."""
    return tuple(map(picture, range(24)))
