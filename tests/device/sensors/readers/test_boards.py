"""A painted board read through a camera as the match sees it: turns, doubts, and all that can be wrong."""

import copy
import functools

import msgspec
import numpy as np
import pytest

from device.sensors import readers
from device.sensors.messages import Expected
from device.sensors.readers.judging import NoTurnLeads, Proposed
from device.sensors.readers.reader import Seen
from device.sensors.readers.torres.reader import BoardReader
from device.sensors.sources.pictures import SMALL, PictureFrame, small_of
from device.sensors.sources.simulated import lens_of, paint, views_of
from device.texts import Texts, said
from engines.contract import Setup
from engines.torres.cells import NUMBERS
from tests.e2e.test_camera import AFTER, GAME, POSITION, standing
from tests.engines.torres.table import blocks
from vision import painter
from vision.torres.reading import BoardScene

SIZE = (1280, 960)
LENS = lens_of(SIZE)
BOARD = readers.load_painting("board")
NOW = GAME.sight.of(GAME.position.read(POSITION))
EXPECTED = Expected("match", 4, "torres", POSITION, 28.0, (26.0, 26.0, 15.0))
NOWHERE = np.zeros((SMALL[1], SMALL[0]), bool)
"""Nothing was touched."""


def frame(layout, seed=1, draw=None, **stands):
    table = msgspec.structs.replace(standing(layout), **stands)
    picture = paint(table, LENS, [BOARD])
    if draw:
        draw(picture, views_of(table, LENS, [BOARD])[0])
    picture = painter.noisy(picture, seed)
    return PictureFrame(picture, small_of(picture), seed * 100.0, simulated=True)


@pytest.fixture(scope="module")
def taught():
    """One that has looked at the board as it is and knows the colours."""
    reader = BoardReader(LENS)
    reader.expect(EXPECTED)
    assert reader.find_region(frame(NOW)) is not None
    assert reader.read(frame(NOW), NOWHERE).as_expected
    assert (reader._seats, reader.troubles) == ({"green": 0, "red": 1}, ())
    return reader


@pytest.fixture
def reader(taught):
    return copy.copy(taught)


def told(reader, finding, shown):
    return reader.report(Seen(finding, shown, True))


def test_what_no_turn_leads_to_is_out_of_step(reader):
    shown = frame(GAME.sight.read(f"{blocks('c3=1 f6=1 d3=1 e3=1')} a=c3 b=f6 king=h4"))
    finding = reader.read(shown, None)
    assert isinstance(finding.verdict, NoTurnLeads)
    (meaning,) = told(reader, finding, shown).meanings
    assert meaning.refusal.clause == "TO-3.6"


def test_beside_a_picture_of_the_table_as_it_was_it_looks_where_something_changed(reader, monkeypatch):
    """A step that was read and agreed to is such a picture, until the camera is bumped."""
    beside = []
    of = BoardScene.of

    def noted(picture, lens, pose, copy, before, earlier):
        beside.append(earlier)
        return of(picture, lens, pose, copy, before, earlier)

    monkeypatch.setattr(BoardScene, "of", noted)
    built = GAME.sight.read(f"{blocks('c3=1 f6=1 d3=1')} a=c3 b=f6 king=h4")
    half, shown = frame(built), frame(GAME.sight.read(AFTER))
    reader.read(half, NOWHERE)
    turn = reader.read(shown, NOWHERE).verdict.meaning
    assert beside[0] is beside[1] is not None, "the board as it is, also after a look in mid-turn"
    state = functools.reduce(GAME.rules.apply, turn.choices, GAME.position.read(POSITION))
    reader.expect(msgspec.structs.replace(EXPECTED, position=GAME.position.write(state), steps=6))
    assert reader.read(frame(GAME.sight.read(AFTER), seed=2), NOWHERE).as_expected
    assert beside[-1] is shown.picture
    reader.bumps += 1
    assert reader.read(frame(GAME.sight.read(AFTER), seed=3), NOWHERE).as_expected
    assert beside[-1] is None


def test_without_sizes_nothing_is_read_and_that_is_said():
    reader = BoardReader(LENS)
    reader.expect(Expected("match", 4, "torres", POSITION))
    assert reader.find_region(frame(NOW)) is None
    assert reader.troubles == (said("camera.sizes"),)


@pytest.mark.pictures
def test_the_colour_of_a_knight_put_down_too_early_is_not_its_seats_for_good():
    """Only what people have recorded makes a colour somebody's."""
    start = GAME.rules.start(Setup(2))
    reader = BoardReader(LENS)
    reader.expect(msgspec.structs.replace(EXPECTED, position=GAME.position.write(start)))
    for colour, cell in (("red", "d1"), ("green", "c3")):
        shown = frame(GAME.sight.of(start), pieces={cell: colour})
        verdict = reader.read(shown, NOWHERE).verdict
        assert isinstance(verdict, Proposed), colour
        assert GAME.sight.differences(verdict.layout, GAME.sight.of(start)) == (f"+a{cell}",)


# What must hold whatever stands there


@pytest.mark.pictures
@pytest.mark.parametrize(("cell", "colour"), [("e4", (60, 60, 60)), ("b7", (140, 160, 200))])
def test_a_covered_space_is_unknown_and_no_other_far_from_it(reader, cell, colour):
    row, column = divmod(NUMBERS[cell], 8)

    def cover(picture, view):
        painter.patch(picture, view, 28.0 * column - 3, 28.0 * (7 - row) - 3, 34.0, colour)

    finding = reader.read(frame(NOW, draw=cover), NOWHERE)
    assert not finding.whole
    assert told(reader, finding, frame(NOW)) is None
    (trouble,) = reader.troubles
    unseen = [NUMBERS[name] for name in trouble.values["cells"]]
    assert NUMBERS[cell] in unseen
    assert all(max(abs(one // 8 - row), abs(one % 8 - column)) <= 1 for one in unseen)


def test_a_mast_that_stands_badly_is_told_so():
    reader = BoardReader(LENS)
    reader.expect(EXPECTED)
    assert reader.find_region(frame(NOW, elevation_deg=40, azimuth_deg=2)) is not None
    told = {one.key: one.values for one in reader.troubles}
    assert {"mast.flat", "mast.straight"} <= told.keys()
    assert all(Texts.load()(name, **figures) for name, figures in told.items())
