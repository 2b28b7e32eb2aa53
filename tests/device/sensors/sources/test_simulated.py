"""The simulated camera: it paints what the table's file says, with every fault that can be switched on."""

import threading

import numpy as np
import pytest

from device.sensors import readers
from device.sensors.readers.torres import field_of
from device.sensors.readers.tray.reader import TRAY
from device.sensors.simulated_table import CameraFault, SimulatedTable
from device.sensors.sources import simulated
from device.sensors.sources.pictures import SMALL, CameraError
from device.sensors.sources.simulated import SimulatedSource, lens_of, paint, views_of
from vision.field import find

SIZE = (1280, 960)
BOARD = readers.load_painting("board")
TABLE = SimulatedTable("0" * 9 + "31" + "0" * 53, {"b2": "red", "e5": "king"})


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(simulated, "EVERY_S", 0.001)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table.json"


def camera(path, table=TABLE, how=BOARD):
    table.save(path)
    return SimulatedSource(path, SIZE, [how])


def test_several_fields_lie_beside_each_other_each_with_its_markers():
    table = SimulatedTable(
        TABLE.heights, TABLE.pieces, distance_mm=800.0, elevation_deg=70.0, azimuth_deg=0.0
    )
    lens, several = lens_of((2304, 1296)), [BOARD, readers.load_painting("tray")]
    picture = paint(table, lens, several)
    for view, field in zip(views_of(table, lens, several), (field_of(table.cell_mm), TRAY), strict=True):
        found = find(picture, lens, field)
        assert found.troubles == ()
        assert np.abs(found.pose.camera_mm - view.pose.camera_mm).max() < 2.0


def test_pictures_say_that_they_are_simulated_and_have_noise_of_their_own(path):
    source = camera(path)
    one, other = source.grab(), source.grab()
    assert one.simulated
    assert one.picture.shape == (960, 1280, 3)
    assert one.small.shape == (SMALL[1], SMALL[0])
    assert 0 < np.abs(one.picture.astype(int) - other.picture).mean() < 5
    assert "SIMULATED" in source.name


def test_unplugged_and_plugged_in_again(path):
    source = camera(path)
    SimulatedTable(faults=frozenset({CameraFault.UNPLUGGED})).save(path)
    with pytest.raises(CameraError, match="unplugged"):
        source.grab()
    with pytest.raises(CameraError, match="unplugged"):
        SimulatedSource(path, SIZE, [BOARD])
    TABLE.save(path)
    assert source.grab().picture.any()


def test_a_torn_file_is_named(path):
    path.write_bytes(b'{"heights": "00')
    with pytest.raises(CameraError, match=r"SIMULATED camera: table\.json"):
        SimulatedSource(path, SIZE, [BOARD])


def test_frozen_no_picture_comes_until_it_thaws(path):
    source = SimulatedSource(path, SIZE, [BOARD])
    SimulatedTable(faults=frozenset({CameraFault.FROZEN})).save(path)
    frames = []
    thread = threading.Thread(target=lambda: frames.append(source.grab()))
    thread.start()
    thread.join(0.2)
    assert thread.is_alive()
    TABLE.save(path)
    thread.join(5)
    assert frames


@pytest.mark.parametrize("fault", sorted(set(CameraFault) - {CameraFault.UNPLUGGED, CameraFault.FROZEN}))
def test_every_fault_changes_the_picture(fault):
    lens = lens_of(SIZE)
    wrong = paint(SimulatedTable(TABLE.heights, TABLE.pieces, faults=frozenset({fault})), lens, [BOARD])
    assert np.abs(wrong.astype(int) - paint(TABLE, lens, [BOARD])).mean() > 0.3
