"""Evenings at a table: turns, arms, buttons, and all that can be wrong, as the camera's process tells it."""

import queue
from unittest.mock import patch

import msgspec
import pytest

from device.sensors import camera as sensor
from device.sensors import door, readers
from device.sensors.camera import Worker
from device.sensors.camera.eye import TooMuchToSee
from device.sensors.learnt import Mount
from device.sensors.messages import Begin, Expected
from device.sensors.readers.torres.reader import BoardReader
from device.sensors.simulated_table import CameraFault
from device.settings import CameraSettings, PluginSection
from engines.contract import Exact, OutOfStep
from engines.search import steps_of
from tests.device.sensors.camera.live import Live
from tests.e2e.test_camera import AFTER, GAME, POSITION, standing
from tests.engines.torres.table import blocks, play, turn

SIZES = (28.0, (26.0, 26.0, 15.0))
NOW, TURNED = GAME.sight.of(GAME.position.read(POSITION)), GAME.sight.read(AFTER)
EXPECTED = Expected("match", 4, "torres", POSITION, *SIZES)
LONG = 75
"""Pictures for as long as a hand may rest."""


@pytest.fixture
def live(monkeypatch):
    monkeypatch.setattr(sensor, "RETRY_S", (0.0, 0.0))
    live = Live(EXPECTED)
    yield live
    live.end()


def told(readings):
    """The likeliest board of the only reading, and what it means."""
    (reading,) = readings
    return reading.candidates[0][0], reading.meanings[0]


def test_a_turn_is_told_once_and_what_people_enter_is_looked_for(live):
    state = play(GAME.position.read(POSITION), "B d3", "M c3-c4")
    after = msgspec.structs.replace(EXPECTED, steps=6, position=GAME.position.write(state))
    layout, meaning = told(live.see(TURNED))
    assert layout == AFTER
    assert isinstance(meaning, Exact)
    assert live.see(TURNED) == []

    # People say so, by the question or by the keys: what was told is taken back, and there is no more to say.
    live.expect(after)
    assert told(live.see(TURNED)) == (AFTER, Exact(()))
    assert live.see(TURNED) == []

    # They take it back, but not on the table.
    live.expect(EXPECTED)
    assert told(live.see(TURNED))[0] == AFTER
    assert live.words == ""


# What stacks hide

CASTLE = "a1=1 c1=1 e1=1 g1=1 a3=1 h8=1 a8=1 d6=5 c6=4 e6=4 f6=2 d7=2 c7=1"
"""Behind it c5 and d5, where seat a may build."""


def castle(more=""):
    position = turn("", "a=f6 b=a1 king=h8").replace(blocks(), blocks(f"{CASTLE} {more}", base=()))
    return " ".join(position.split())


def flat(position, *faults):
    """That table before a camera that stands rather flat."""
    layout = GAME.sight.of(GAME.position.read(position))
    return msgspec.structs.replace(standing(layout, *faults), elevation_deg=52.0)


@pytest.mark.pictures
@pytest.mark.timeout(600)
def test_what_is_hidden_is_asked_about_where_an_arm_was_and_until_people_say_what_stands_there(live):
    before, after = castle(), castle("f7=1")
    expect = msgspec.structs.replace(EXPECTED, position=before)
    live.expect(expect)
    (first,) = live.look(flat(before))
    assert first.question.cell == "c5"  # nobody has seen what happened before
    assert first.crop[:4] == b"\x89PNG"
    (reading,) = live.look(flat(after))
    assert reading.question.cell == "c5"
    # A block on c5 or none; and where none is, there may be one on d5 all the same: of that people choose.
    left = reading.meanings[reading.question.answers[0]].explanations
    turns = [sorted(steps_of(GAME, GAME.position.read(before), choices)) for choices in left]
    assert turns[0] == ["B f7"]
    assert ["B d5", "B f7"] in turns
    assert not any("c5" in text for turn in turns for text in turn)

    live.expect(msgspec.structs.replace(expect, steps=5, position=after))
    assert told(live.look(flat(after)))[1] == Exact(())
    assert live.look(flat(after, CameraFault.HAND)) == []
    (reading,) = live.look(flat(after))
    assert reading.question.cell != "c5"  # the arm did not come over it
    assert reading.candidates[0][0] == str(GAME.sight.of(GAME.position.read(after)))


# Whatever is wrong

WRONG = {
    CameraFault.UPSIDE_DOWN: "turned by -157",
    CameraFault.BLACK: "The picture is black",
    CameraFault.SATURATED: "all white",
    CameraFault.BLURRED: "out of focus",
    CameraFault.NO_MARKERS: "Too few markers in view (0)",
    CameraFault.FOREIGN: "Only markers of another game",
    CameraFault.PICTURE: "do not fit together",
    CameraFault.SMALLER: "Cannot see well",
    CameraFault.COVERED: "Cannot see well",
    CameraFault.HAND: "Cannot see well",
}


@pytest.mark.pictures
@pytest.mark.timeout(600)
def test_whatever_is_wrong_has_words_and_no_turn_is_told(live):
    """One after the other; the first, beside the board as it was, looks like a hand and is given its time."""
    live.see(NOW)
    for fault, words in WRONG.items():
        readings = live.see(NOW, fault, pictures=LONG if fault is CameraFault.UPSIDE_DOWN else 12)
        assert words in live.words, fault
        assert all(isinstance(reading.meanings[0], OutOfStep) for reading in readings), fault
        assert readings == [] or fault is CameraFault.SMALLER, fault
    assert told(live.see(TURNED))[0] == AFTER
    assert live.words == ""


@pytest.mark.pictures
def test_a_bump_is_said_and_the_board_found_anew(live):
    """A great one looks like a hand at first."""
    live.see(NOW)
    table = msgspec.structs.replace(standing(NOW), azimuth_deg=60.0)
    assert live.look(table, LONG + 15) == []
    assert "sight.bumped" in str(live.said)
    assert live.words == "Turned by 60°. Take 15 to 30° off the board's side."


@pytest.mark.pictures
def test_a_colour_of_nobody_is_said(live):
    live.see(NOW)
    table = standing(NOW)
    stray = msgspec.structs.replace(table, pieces={**table.pieces, "e5": "blue"})
    assert live.look(stray) == []
    assert live.words == "There is a blue piece, but nobody here plays blue."
    with patch.object(BoardReader, "read", side_effect=AssertionError("read again")):
        assert live.look(stray) == []  # nothing has moved
    assert live.words == "There is a blue piece, but nobody here plays blue."


def test_a_simulated_camera_gives_signs_of_life_while_it_paints(tmp_path, monkeypatch):
    monkeypatch.setattr(door, "BEAT_S", 0.001)
    said = queue.SimpleQueue()

    board = readers.load_painting("board")

    def slow(table, view):
        said.get(timeout=10)  # it was busy
        return board.painted(table, view)

    monkeypatch.setattr(sensor.readers, "load_painting", lambda _: board._replace(painted=slow))
    at_door = door.Door(Begin(PluginSection("camera", 0, {}), str(tmp_path)), queue.SimpleQueue(), said.put)
    camera = Worker(Mount(CameraSettings("simulated"), tmp_path, tmp_path / "table.json"), at_door)
    assert camera._open_source(camera._mount, "board").grab().simulated


def test_a_reader_that_fails_is_not_sure_and_says_why_and_reads_the_next_turn(live, caplog):
    live.see(NOW)
    with patch.object(BoardReader, "read", side_effect=IndexError("index 64 is out of bounds")):
        assert live.see(TURNED) == []
    assert live.words == "Not sure: IndexError: index 64 is out of bounds"
    assert "index 64 is out of bounds" in caplog.text  # with where it happened
    assert told(live.see(NOW, CameraFault.HAND) + live.see(TURNED))[0] == AFTER
    assert live.words == ""
    assert live.away == []
    with patch.object(BoardReader, "read", side_effect=TooMuchToSee):
        assert live.see(NOW) == []
    assert live.words == "Not sure: there is too much to see."


def test_one_that_fails_at_finding_its_field_is_left_in_peace_for_a_while(live):
    with patch.object(BoardReader, "find_region", side_effect=ZeroDivisionError) as region:
        live.see(NOW, pictures=40)
    assert region.call_count == 1
    assert live.words == "Not sure: ZeroDivisionError"
    assert told(live.see(TURNED, pictures=LONG))[0] == AFTER
