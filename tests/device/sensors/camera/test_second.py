"""Two cameras before one board, a quarter turn apart, as their process tells it."""

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

from device.sensors import camera as sensor
from device.sensors.door import Ended
from device.sensors.host import list_sensors
from device.sensors.readers.torres import field_of
from device.sensors.readers.torres.reader import SecondView
from device.sensors.simulated_table import CameraFault
from device.sensors.sources import CameraError
from device.sensors.sources.pictures import PictureFrame
from device.settings import CameraSettings, Config
from device.texts import key_of
from engines.contract import Exact
from tests.device.sensors.camera.live import BOARD, EVERY_MS, LENS, Beside, Live, Scripted, shown
from tests.device.sensors.camera.test_live import EXPECTED, castle, flat, told
from tests.e2e.test_camera import GAME
from vision.field import find
from vision.torres import CopySizes
from vision.torres.reading import BoardScene

BEFORE, AFTER = castle(), castle("f7=1")
EXPECT = msgspec.structs.replace(EXPECTED, position=BEFORE)
SHOWN = str(GAME.sight.of(GAME.position.read(AFTER)))


@pytest.fixture
def live(monkeypatch):
    monkeypatch.setattr(sensor, "RETRY_S", (0.0, 0.0))
    live = Live(EXPECT, beside=Beside(LENS))
    yield live
    live.end()


def table(position, *faults):
    return msgspec.structs.replace(flat(position), second_faults=frozenset(faults))


@pytest.mark.pictures
@pytest.mark.timeout(600)
def test_what_one_camera_cannot_see_the_other_does(live):
    """A single camera asks about c5, which stands behind a stack (test_live)."""
    assert live.look(table(BEFORE)) == []
    layout, meaning = told(live.look(table(AFTER)))
    assert (layout, type(meaning)) == (SHOWN, Exact)
    assert live.words == ""


@pytest.mark.pictures
@pytest.mark.timeout(600)
@pytest.mark.parametrize("fault", [CameraFault.UNPLUGGED, CameraFault.NO_MARKERS, CameraFault.COVERED])
def test_with_the_second_gone_the_first_goes_on_alone(live, fault):
    (first,) = live.look(table(BEFORE, fault))
    assert first.question.cell == "c5"
    assert ("only the other is read" in live.words) == (fault is not CameraFault.COVERED)
    live.look(table(AFTER, fault))
    live.expect(msgspec.structs.replace(EXPECT, steps=5, position=AFTER))
    assert told(live.look(table(AFTER)))[1] == Exact(())
    assert live.words == ""


def test_two_cameras_of_the_board_are_one_sensor_and_a_tray_is_another():
    cameras = [CameraSettings("picamera0", field) for field in ("board", "tray", "board", "board")]
    config = msgspec.structs.replace(Config(), camera=tuple(cameras))
    sensors = list_sensors(config)
    joined = [(one.name, one.section.number, one.beside and one.beside.number) for one in sensors]
    assert joined == [("board", 0, 2), ("tray", 1, None), ("board", 3, None)]
    assert [one.beside for one in list_sensors(config, apart=True)] == [None] * 4
    beside = next(list_sensors(config)).begin(Path("/state")).beside
    assert beside is not None
    assert beside.number == 2


# Which of the two is opened, without pictures


class Opening(sensor.Worker):
    """A camera's work where only the cameras at some of the ports are there."""

    def __init__(self, *there):
        super().__init__(BOARD, SimpleNamespace(busy=nullcontext), AT_THE_SIDE)
        self.there = there

    def _open(self):
        if self._mount not in self.there:
            raise CameraError(self._mount.camera.source)
        return self._mount


AT_THE_SIDE = msgspec.structs.replace(BOARD, turned_deg=90)


@pytest.mark.parametrize(
    ("there", "opened"),
    [((BOARD, AT_THE_SIDE), BOARD), ((BOARD,), BOARD), ((AT_THE_SIDE,), AT_THE_SIDE)],
)
def test_the_second_is_opened_where_the_first_cannot_be(there, opened):
    assert Opening(*there)._open_either() == opened


def test_with_neither_there_the_box_is_told_and_heard_between_two_tries(monkeypatch):
    monkeypatch.setattr(sensor, "RETRY_S", (0.01, 0.01))
    heard = []

    class Waits(Opening):
        def _report_away(self, why, wait_s):
            heard.append(str(why))
            if len(heard) == 2:
                raise Ended

    opening = Waits()
    opening._door.wait = lambda seconds: True
    opening._listen = lambda seconds=0.0: None
    with pytest.raises(Ended):
        opening.run()
    assert heard == [BOARD.camera.source] * 2


# Its gate, without a process: painted frames handed over in pairs


class Handed:
    """A second camera whose pictures a test hands over, two for each time it is asked."""

    mount = BOARD
    here, azimuth_deg = True, 110.0

    def __init__(self):
        self.source, self.pairs, self.ms = Scripted(LENS), [], 0.0

    def frame(self, *faults):
        self.ms += EVERY_MS
        table = msgspec.structs.replace(flat(BEFORE), azimuth_deg=self.azimuth_deg, faults=frozenset(faults))
        return PictureFrame(*shown(msgspec.json.encode(table), 1), self.ms, simulated=True)

    def grab(self):
        return (self.source, *self.pairs.pop(0))


@pytest.fixture
def beside():
    """A second view and how many views a scene has after so many pairs of its pictures."""
    camera = Handed()
    view = SecondView(camera)
    picture, _ = shown(msgspec.json.encode(flat(BEFORE)), 1)
    field = field_of(EXPECT.cell_mm)
    found = find(picture, LENS, field)
    scene = BoardScene.of(picture, LENS, found.pose, CopySizes(EXPECT.cell_mm, EXPECT.block_mm))

    def views(*faults):
        camera.pairs.append([camera.frame(*each) for each in faults])
        return len(view.join(scene, field, None).views)

    return view, views


def test_a_second_camera_that_sees_something_move_is_left_out(beside):
    view, views = beside
    assert views((), ()) == 2
    assert views((), (CameraFault.HAND,)) == 1
    assert view.picture is None
    assert [key_of(one) for one in view.troubles] == ["camera.one_view"]
    assert views((), ()) == 2
    assert view.troubles == ()


def test_a_hand_that_rests_in_the_second_camera_alone_leaves_it_out(beside):
    view, views = beside
    assert views((), ()) == 2
    view.accept()
    assert views((CameraFault.HAND,), (CameraFault.HAND,)) == 1
    assert views((), ()) == 2


def test_a_second_camera_that_was_bumped_is_watched_where_it_looks_now(beside):
    view, views = beside
    assert views((), ()) == 2
    watched = view._gate[1]._region
    view._camera.azimuth_deg = 100.0
    assert views((), ()) == 2
    frame = view._camera.frame()
    assert np.array_equal(view._gate[1]._region.field, view.find_region(frame).field)
    assert not np.array_equal(view._gate[1]._region.field, watched.field)
