"""A painted board read through a camera as the match sees it: turns, doubts, and all that can be wrong."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from device.camera.boards import BoardReader
from device.camera.frames import SMALL, Frame, small_of
from device.camera.judging import Doubted, OutOfStep, Proposed
from device.camera.messages import Believe
from device.camera.simulated import lens_of, paint, view_of
from device.camera.simulated_table import CameraFault
from device.camera.watching import Seen
from device.texts import Texts
from engines.search import Exact
from tests.e2e.test_camera import AFTER, GAME, POSITION, standing
from tests.engines.torres.table import blocks
from vision import painter

SIZE = (1280, 960)
LENS = lens_of(SIZE)
NOW = GAME.layout(GAME.read_position(POSITION))
BELIEVE = Believe("match", 4, "torres", POSITION, 28.0, (26.0, 26.0, 15.0))


def frame(layout, *faults, seed=1, draw=None):
    table = standing(layout, *faults)
    picture = paint(table, LENS)
    if draw:
        draw(picture, view_of(table, LENS))
    picture = painter.noisy(picture, seed)
    return Frame(picture, small_of(picture), seed * 100.0, simulated=True)


@pytest.fixture
def reader():
    """One that has looked at the board as it is and knows the colours."""
    reader = BoardReader(LENS)
    reader.believe(BELIEVE)
    assert reader.region(frame(NOW)) is not None
    found = reader.read(frame(NOW), None)
    assert found.as_believed
    return reader


def told(reader, finding, shown):
    return reader.tell(Seen(finding, shown, True), BELIEVE)


def test_the_board_as_it_is_teaches_the_colours(reader):
    assert reader._seats == {"green": 0, "red": 1}
    assert reader.troubles == ()


def test_a_turn_is_proposed_and_told_with_its_picture(reader):
    shown = frame(GAME.read_layout(AFTER))
    finding = reader.read(shown, None)
    assert isinstance(finding.verdict, Proposed)
    reading = told(reader, finding, shown)
    ((layout, confidence),) = reading.candidates
    assert layout == AFTER
    assert confidence > 0.95
    assert isinstance(reading.meanings[0], Exact)
    assert (reading.match, reading.steps, reading.question) == ("match", 4, None)
    assert reading.picture[:2] == b"\xff\xd8"


def test_what_no_turn_leads_to_is_out_of_step(reader):
    shown = frame(GAME.read_layout(f"{blocks('c3=1 f6=1 d3=1 e3=1')} a=c3 b=f6 king=h4"))
    finding = reader.read(shown, None)
    assert isinstance(finding.verdict, OutOfStep)
    (meaning,) = told(reader, finding, shown).meanings
    assert meaning.refusal.clause == "TO-3.6"


def test_another_match_is_played_with_other_colours(reader):
    reader.believe(Believe("another", 0, "torres", POSITION, 28.0, (26.0, 26.0, 15.0)))
    assert reader._seats == {}


def test_without_sizes_nothing_is_read_and_that_is_said():
    reader = BoardReader(LENS)
    reader.believe(Believe("match", 4, "torres", POSITION))
    assert reader.region(frame(NOW)) is None
    assert reader.troubles == (("camera.sizes", {}),)


def test_a_card_on_the_board_is_no_turn(reader):
    finding = reader.read(frame(NOW, CameraFault.COVERED), None)
    assert not isinstance(finding.verdict, Proposed)
    assert reader.troubles[0][0] == "camera.unseen"


def test_a_hidden_space_that_was_touched_is_unknown(reader):
    tall = GAME.read_layout(f"{blocks('c3=1 f6=1 d3=1')} a=c3 b=f6 king=h4")
    assert reader._touched(frame(tall), None) == frozenset()
    everywhere = np.ones((SMALL[1], SMALL[0]), bool)
    assert reader._touched(frame(tall), everywhere) == frozenset(range(64))
    nowhere = np.zeros_like(everywhere)
    assert reader._touched(frame(tall), nowhere) == frozenset()


@pytest.mark.parametrize(
    ("fault", "key"),
    [
        (CameraFault.BLACK, "camera.black"),
        (CameraFault.SATURATED, "camera.saturated"),
        (CameraFault.BLURRED, "camera.blurred"),
        (CameraFault.UPSIDE_DOWN, "sight.turned"),
        (CameraFault.NO_MARKERS, "sight.few"),
        (CameraFault.FOREIGN, "sight.other"),
    ],
)
def test_a_picture_that_cannot_be_read_is_not_and_why_is_said(reader, fault, key):
    finding = reader.read(frame(NOW, fault), None)
    assert finding.verdict is None
    assert key in [name for name, _ in finding.troubles]
    assert told(reader, finding, frame(NOW)) is None
    texts = Texts.load()
    for name, figures in finding.troubles:
        assert texts(name, **figures)


@pytest.mark.parametrize("fault", [CameraFault.SMALLER, CameraFault.PICTURE, CameraFault.HAND])
def test_what_is_no_board_of_ours_is_never_taken_for_a_turn(reader, fault):
    finding = reader.read(frame(NOW, fault), None)
    assert finding.verdict is None or isinstance(finding.verdict, Doubted | OutOfStep)


def test_a_marker_that_is_there_twice_is_said_and_the_board_is_read(reader):
    finding = reader.read(frame(NOW, CameraFault.TWICE), None)
    assert finding.as_believed
    assert finding.troubles[0][0] == "sight.double"


def test_a_camera_that_was_bumped_is_found_anew(reader):
    finding = reader.read(frame(NOW, CameraFault.MOVED), None)
    assert finding.as_believed
    assert finding.troubles[0][0] == "sight.bumped"
    assert reader.bumps == 1
    assert reader.read(frame(NOW, CameraFault.MOVED, seed=2), None).troubles == ()


@pytest.mark.parametrize("light", [0.75, 1.3])
def test_other_light_changes_nothing(reader, light):
    shown = frame(GAME.read_layout(AFTER))
    brighter = np.clip(shown.picture.astype(float) * light, 0, 255).astype(np.uint8)
    finding = reader.read(Frame(brighter, small_of(brighter), 1.0), None)
    assert isinstance(finding.verdict, Proposed)
    assert str(finding.verdict.layout) == AFTER


@pytest.mark.parametrize(
    ("stands", "key"),
    [
        ({"elevation_deg": 80}, "mast.steep"),
        ({"elevation_deg": 40}, "mast.flat"),
        ({"azimuth_deg": 2}, "mast.straight"),
    ],
)
def test_a_mast_that_stands_badly_is_told_so(stands, key):
    table = msgspec.structs.replace(standing(NOW), **stands)
    picture = painter.noisy(paint(table, LENS), 1)
    reader = BoardReader(LENS)
    reader.believe(BELIEVE)
    assert reader.region(Frame(picture, small_of(picture), 0.0)) is not None
    told = dict(reader.troubles)
    assert key in told
    assert all(Texts.load()(name, **figures) for name, figures in told.items())


def test_three_looks_that_differ_are_said(reader):
    shown = frame(NOW)
    assert reader.tell(Seen(reader.read(shown, None), shown, False), BELIEVE) is None
    assert reader.troubles == (("camera.unsteady", {}),)
