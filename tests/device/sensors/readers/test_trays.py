"""A tray is read through a calibrated camera, with the copy's own colours where they were enrolled."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from device.sensors import learnt, readers
from device.sensors.learnt import LearntError, Mount
from device.sensors.messages import Expected
from device.sensors.readers.reader import Seen
from device.sensors.readers.tray import teaching as enrolment
from device.sensors.readers.tray.reader import SURE, TrayReader
from device.sensors.sources import PictureFrame, small_of
from device.settings import CameraSettings
from device.texts import said
from engines.contract import Multiset
from engines.marrakesh.pieces import COLOURS, LETTERS, keshis
from tests.engines.marrakesh.sitting import named
from tests.vision.tray.painted import KESHI, LENS, tray, view
from vision.tray import palette
from vision.tray.palette import KeshiPalette

CAMERA = CameraSettings("picamera", field="tray", width=1280, height=960)


@pytest.fixture
def calibrated(tmp_path):
    found = learnt.Calibrated(CAMERA.source, CAMERA.focus, LENS, 0.3, 24, "2025-03-09")
    learnt.save_lens(tmp_path, CAMERA, found)
    return tmp_path


class Source:
    """A camera whose lens is not known by itself."""

    name = "a camera"


def opened(state):
    """The reader of a camera with the state directory's lens and colours."""
    gray = framed(np.full((960, 1280, 3), 90, np.uint8))
    return readers.open_reader("marrakesh", Mount(CAMERA, state, field="tray"), Source(), gray)


DOMAIN = Multiset("tray", tuple(LETTERS), 0, 60)


def asking(there=None, counted=()):
    """The match waits for a throw, of which all that may have come out is ``there``."""
    domain = replace(DOMAIN, caps=None if there is None else keshis(there))
    return Expected("match", 7, "marrakesh", "whatever", question="tray", domain=domain, counted=counted)


def framed(picture, ms=0.0):
    return PictureFrame(picture, small_of(picture), ms)


def counts(reader, picture):
    reader.expect(asking())
    ((text, _), *_) = reader.read(framed(picture), None).answers
    return named(DOMAIN.read(text))


def test_the_palette_has_the_game_s_colours_in_its_order():
    assert palette.COLOURS == COLOURS


def test_the_enrolled_colours_are_the_ones_that_are_read(calibrated):
    picture = tray(view(), [("red", 60, 60, True, 0), ("green", 120, 80, False, 20)])
    shipped = TrayReader(LENS, KESHI, KeshiPalette())
    assert counts(shipped, picture) == {"red": 1, "green": 1}
    # A copy whose green is called turquoise, and the other way round.
    means, turquoise, green = list(KeshiPalette().means), COLOURS.index("turquoise"), COLOURS.index("green")
    means[turquoise], means[green] = means[green], means[turquoise]
    own = enrolment.Taught(keshi=KESHI, palette=KeshiPalette(tuple(means)))
    own.save(calibrated, CAMERA)
    reader = opened(calibrated)
    assert reader.keshi == KESHI
    assert counts(reader, picture) == {"red": 1, "turquoise": 1}


@pytest.fixture
def reader(calibrated):
    reader = TrayReader(LENS, KESHI, KeshiPalette())
    reader.expect(asking())
    return reader


def told(reader, *pieces, **painted):
    """Return what a reader tells of a tray with these pieces."""
    frame = framed(tray(view(), pieces, **painted))
    assert reader.find_region(frame)
    return reader.report(Seen(reader.read(frame, None), frame, agreed=True))


TWO_RED = (("red", 60, 60, True, 0), ("red", 120, 80, False, 20))


def hand(picture):
    """An arm from the south with a fist on the tray."""
    cv2.line(picture, (640, 959), (640, 560), (105, 140, 190), 90)
    cv2.circle(picture, (640, 520), 85, (105, 140, 190), -1)


def test_the_counts_are_told_with_their_chance(reader):
    reading = told(reader, *TWO_RED)
    assert (reading.match, reading.steps, reading.meanings, reading.why) == ("match", 7, (), ())
    ((text, chance),) = reading.candidates
    assert text == "2r"
    assert chance > SURE


def test_a_keshi_on_the_edge_is_told_to_be_put_in(reader):
    reading = told(reader, *TWO_RED, ("green", 0, 70, True, 0))
    assert reading.why == (said("tray.edge"),)
    assert told(reader, *TWO_RED, ("green", 8, 70, True, 0)).why == ()


def test_while_a_hand_lies_there_nothing_is_told_and_that_is_said(reader):
    assert told(reader, *TWO_RED, extra=hand) is None
    assert said("tray.foreign") in reader.troubles


def test_where_no_keshi_was_enrolled_nobody_knows_how_large_they_are(calibrated):
    with pytest.raises(LearntError, match="podesta camera enrol"):
        opened(calibrated)
