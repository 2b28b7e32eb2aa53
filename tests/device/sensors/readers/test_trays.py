"""A tray is read through a calibrated camera, with the copy's own colours where they were enrolled."""

from __future__ import annotations

import pytest

from device.config import Camera
from device.sensors import lenses
from device.sensors.readers.tray import enrolment
from device.sensors.readers.tray.reader import TrayReader
from device.sensors.sources import Frame, small_of
from engines.marrakesh.keshis import COLOURS
from tests.vision.tray.painted import KESHI, LENS, tray, view
from vision.tray.palette import Palette
from vision.tray.prism import Keshi

CAMERA = Camera("picamera", field="tray", width=1280, height=960)


@pytest.fixture
def calibrated(tmp_path):
    found = lenses.Calibrated(CAMERA.source, CAMERA.focus, LENS, 0.3, 24, "2025-03-09")
    lenses.save(tmp_path, CAMERA, found)
    return tmp_path


def counts(reader, picture):
    return reader.read(Frame(picture, small_of(picture), 0.0), None).reading.counts


def test_the_enrolled_colours_are_the_ones_that_are_read(calibrated):
    picture = tray(view(), [("red", 60, 60, True, 0), ("green", 120, 80, False, 20)])
    shipped = TrayReader.open(calibrated, CAMERA, KESHI)
    assert counts(shipped, picture) == {"red": 1, "green": 1}
    # A copy whose green is called turquoise, and the other way round.
    means, turquoise, green = list(Palette().means), COLOURS.index("turquoise"), COLOURS.index("green")
    means[turquoise], means[green] = means[green], means[turquoise]
    own = enrolment.Enrolled(CAMERA.source, KESHI, Palette(tuple(means)), "2025-03-09")
    enrolment.save(calibrated, CAMERA, own)
    reader = TrayReader.open(calibrated, CAMERA, Keshi(9.0, 9.0))
    assert reader.keshi == KESHI
    assert counts(reader, picture) == {"red": 1, "turquoise": 1}


def test_a_camera_that_is_not_calibrated_reads_no_tray(tmp_path):
    with pytest.raises(lenses.LensError):
        TrayReader.open(tmp_path, CAMERA, KESHI)
