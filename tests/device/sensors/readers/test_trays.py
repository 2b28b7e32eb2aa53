"""A tray is read through a calibrated camera, with the copy's own colours where they were enrolled."""

from __future__ import annotations

import numpy as np
import pytest

from device.config import Camera
from device.sensors import lenses, readers
from device.sensors.messages import Begin, Expected
from device.sensors.reader import Seen
from device.sensors.readers.tray import enrolment
from device.sensors.readers.tray.reader import TrayReader
from device.sensors.sources import Frame, small_of
from device.texts import Texts
from engines.marrakesh.keshis import COLOURS
from tests.vision.tray.painted import KESHI, LENS, tray, view
from vision.tray.palette import Palette
from vision.tray.prism import Keshi
from vision.tray.reading import Doubt

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


class Source:
    """A camera whose lens is not known by itself."""

    name = "a camera"


def framed(picture, ms=0.0):
    return Frame(picture, small_of(picture), ms)


def test_as_a_reader_it_finds_reads_and_tells_the_counts(calibrated):
    enrolment.save(calibrated, CAMERA, enrolment.Enrolled(CAMERA.source, KESHI, Palette(), "2025-03-09"))
    frame = framed(tray(view(), [("red", 60, 60, True, 0), ("red", 120, 80, False, 20)]))
    reader = readers.open_reader("marrakesh", Begin(CAMERA, str(calibrated)), Source(), frame)
    reader.expect(Expected("match", 7, "marrakesh", "whatever"))
    region = reader.region(frame)
    assert region.field.sum() < region.around.sum()
    finding = reader.read(frame, None)
    assert reader.found
    assert not finding.as_expected
    assert finding.key == reader.read(framed(frame.picture, 1.0), None).key
    told = reader.tell(Seen(finding, frame, agreed=True))
    assert (told.match, told.steps) == ("match", 7)
    ((text, chance),) = told.candidates
    assert text == "red=2"
    assert chance > 0.5
    assert told.picture[:2] == b"\xff\xd8"
    assert reader.tell(Seen(finding, frame, agreed=False)) is None
    assert ("camera.unsteady", {}) in reader.troubles


def test_without_markers_there_is_no_tray_and_that_is_said(calibrated):
    reader = TrayReader.open(calibrated, CAMERA, KESHI)
    gray = framed(np.full((960, 1280, 3), 90, np.uint8))
    assert reader.region(gray) is None
    finding = reader.read(gray, None)
    assert not reader.found
    assert finding.reading is None
    assert reader.tell(Seen(finding, gray, agreed=True)) is None
    assert [Texts.load(strict=True)(key, **figures) for key, figures in reader.troubles]


def test_where_no_keshi_was_enrolled_nobody_knows_how_large_they_are(calibrated):
    gray = framed(np.full((960, 1280, 3), 90, np.uint8))
    with pytest.raises(enrolment.EnrolError, match="podesta camera enrol"):
        readers.open_reader("marrakesh", Begin(CAMERA, str(calibrated)), Source(), gray)


@pytest.mark.parametrize("doubt", Doubt)
def test_each_doubt_has_words(doubt):
    assert len(Texts.load(strict=True)(f"tray.{doubt.name.lower()}")) <= 84
