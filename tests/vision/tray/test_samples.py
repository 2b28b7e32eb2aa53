"""The sample pictures, where they are at hand: ``PODESTA_VISION_SAMPLES`` names their folder."""

import json
import os
from pathlib import Path

import cv2
import pytest

from device.sensors.readers.tray import judge
from engines.marrakesh.keshis import named
from vision.field import Field, find
from vision.lens import Lens
from vision.tray import reading
from vision.tray.prism import Keshi

FOLDER = Path(os.environ.get("PODESTA_VISION_SAMPLES", "absent"))
TRAYS = sorted(FOLDER.glob("tray_*.json"))
pytestmark = [
    pytest.mark.pictures,
    pytest.mark.skipif(not TRAYS, reason="PODESTA_VISION_SAMPLES names no folder with trays"),
]


def opened(path):
    truth = json.loads(path.read_text())
    picture = cv2.imread(str(path.with_suffix(".jpg")))
    camera = truth["camera"]
    size = (picture.shape[1], picture.shape[0])
    lens = Lens(size, camera["fx"], camera["fy"], camera["cx"], camera["cy"], tuple(camera["dist"]))
    field = Field(*truth["field_mm"], truth["first_marker"], truth["marker_gap_mm"])
    return truth, picture, lens, field


def read(truth, picture, lens, field):
    return reading.read(picture, lens, field, find(picture, lens, field), Keshi(*truth["keshi_mm"]))


@pytest.mark.parametrize("path", TRAYS, ids=lambda path: path.stem)
def test_a_reading_that_is_not_doubted_is_right(path):
    truth, *rest = opened(path)
    found = read(truth, *rest)
    judged = judge(found)
    assert named(judged.best) == truth["counts"] or judged.why


def test_most_are_exact():
    exact = 0
    for path in TRAYS:
        truth, *rest = opened(path)
        exact += read(truth, *rest).counts == truth["counts"]
    assert exact >= 0.8 * len(TRAYS)
