"""A field is found in each picture or it is said why not, and what was found is told once pictures agree."""

from functools import cache

import numpy as np
import pytest

import engines
from device.sensors.messages import Expected
from device.sensors.readers import reader as frames
from device.sensors.readers.judging import Candidate, Doubted, NoTurnLeads, Proposed
from device.sensors.readers.reader import Finding, Seen
from device.sensors.readers.shelf import TeachingSeen
from device.sensors.sources import PictureFrame, small_of
from device.sensors.sources.simulated import lens_of
from device.texts import key_of, said
from engines.contract import Exact, OutOfStep
from vision import painter
from vision.field import Field
from vision.lens import Lens

LENS, FIELD = lens_of((1280, 960)), Field(180.0, 140.0, 24, 4.0)
GAME = engines.game("torres")
STATE = GAME.rules.start(engines.contract.Setup())
ASKED = Expected("m", 3, "torres", GAME.position.write(STATE), question="beans")
NOW = GAME.sight.of(STATE)


class Reader(frames.Reader):
    """Finds whatever it is given."""

    field = FIELD
    finding = Finding(Proposed(NOW, Exact(()), 30.0))

    def _read(self, picture, pose):
        return self.finding


@cache
def picture(azimuth=10.0):
    view = painter.PaintedView(LENS, painter.looking(FIELD, 75.0, azimuth, 420.0), FIELD)
    return painter.empty(view, painter.TABLE)


def frame(pixels):
    return PictureFrame(pixels, small_of(pixels), 0.0)


@pytest.fixture
def reader():
    reader = Reader(LENS)
    reader.expect(ASKED)
    return reader


def troubles(reader, pixels):
    reader.read(frame(pixels), None)
    return [key_of(one) for one in reader.troubles]


def test_a_field_is_found_and_watched(reader):
    assert reader.read(frame(picture()), None) is reader.finding
    assert (reader.found, reader.troubles, reader.bumps) == (True, (), 0)
    assert reader.find_region(frame(picture())).field.any()


@pytest.mark.parametrize(
    ("pixels", "key"), [(np.zeros((960, 1280, 3), np.uint8), "camera.black"), (None, "sight.turned")]
)
def test_where_it_is_not_to_be_read_it_is_said_why_not(reader, pixels, key):
    pixels = np.ascontiguousarray(picture()[::-1, ::-1]) if pixels is None else pixels
    assert reader.read(frame(pixels), None).verdict is None
    assert (reader.found, reader.find_region(frame(pixels))) == (False, None)
    assert [one.key for one in reader.troubles] == [key]


def test_a_camera_that_was_bumped_is_found_anew(reader):
    assert [troubles(reader, picture(at)) for at in (10.0, 19.0, 19.0)] == [[], ["sight.bumped"], []]
    assert reader.bumps == 1


def test_what_was_learnt_otherwise_is_told():
    other = Lens(LENS.size, 900.0, 900.0, LENS.cx, LENS.cy)
    assert troubles(Reader(LENS, TeachingSeen(other, (1.0, 1.0, 1.0))), picture()) == ["teach.other_lens"]
    assert troubles(Reader(LENS, TeachingSeen(LENS, (0.8, 0.8, 0.8))), picture()) == []


def told(reader, finding, *, agreed=True):
    return reader.report(Seen(finding, frame(picture()), agreed))


def test_pictures_that_disagree_are_unsteady(reader):
    assert told(reader, reader.finding, agreed=False) is None
    assert reader.troubles == (said("camera.unsteady"),)


def test_a_verdict_is_told_with_its_chance_and_meaning(reader):
    for kind, meaning in ((Proposed, Exact(())), (NoTurnLeads, OutOfStep((), ("+a1",), None))):
        reading = told(reader, Finding(kind(NOW, meaning, 4.0), (said("camera.unseen"),)))
        assert (reading.what, reading.match, reading.steps, reading.why) == ("board", "m", 3, ())
        ((text, chance),) = reading.candidates
        assert (text, reading.meanings, round(chance, 3)) == (str(NOW), (meaning,), 0.982)


@pytest.mark.parametrize(("unsure", "share"), [((), 1.0), ((3,), 0.5)])
def test_a_doubt_is_told_as_the_layouts_that_it_may_be(reader, unsure, share):
    why = (said("camera.unseen"),)
    doubt = Doubted((Candidate(NOW, Exact(()), 0.7),), (), unsure)
    reading = told(reader, Finding(doubt, why, picture()[:40, :40]))
    assert (reading.candidates, reading.meanings, reading.why) == (((str(NOW), 0.7 * share),), (), why)
    assert reading.crop.startswith(b"\x89PNG")


def test_an_answer_is_told_as_what_is_asked_and_a_trouble_not_at_all(reader):
    reading = told(reader, Finding(None, answers=(("3r", 0.8), ("2r", 0.2))))
    assert (reading.what, reading.candidates) == ("beans", (("3r", 0.8), ("2r", 0.2)))
    assert told(reader, Finding(None)) is None


def test_findings_agree_by_what_they_show():
    doubt = Doubted((Candidate(NOW, Exact(()), 0.7),), ())
    keys = {Finding(Proposed(NOW, Exact(()), margin)).key for margin in (5.0, 9.0)} | {
        Finding(doubt).key,
        Finding(None, (said("a"),)).key,
        Finding(None, answers=(("3r", 1.0),)).key,
    }
    assert len(keys) == 4
    assert Finding(Proposed(NOW, Exact(()), 5.0)).as_expected
    assert not Finding(doubt).as_expected
