"""A box with a simulated camera above a seat: what is built there comes to the screen, and OK records it."""

import pytest

from device.match.journal import read
from device.match.library import Library
from device.match.records import Kind
from device.match.replay import Header
from device.sensors.sources.simulated_table import SimulatedTable
from engines.contract import Setup
from tests.e2e.daemon_process import DaemonProcess

POSITION = "market=5,6,7,8,9 hand.a=8,8,8,6 hand.b=?5 turn=a"
LONG = 180


class Watched:
    """The box and the cards under its camera."""

    def __init__(self, folder):
        config = '[[camera]]\nsource = "simulated"\nfield = "area1"\nwidth = 1280\nheight = 960\n'
        self.box = DaemonProcess(folder / "box", config=config, simulate=True)
        self.box.state.mkdir()
        self.put()

    def put(self, *towers):
        columns = {"area1": tuple(tuple(tower.split()) for tower in towers)}
        table = SimulatedTable(columns=columns, elevation_deg=70.0, distance_mm=430.0)
        table.save(self.box.state / "simulated_table.json")

    def open(self):
        table = Library(self.box.state, simulated=True)
        table.open_match(Header("san_gimignano", ("Ada", "Bea"), Setup(position=POSITION)))
        table.referee.note("opened", channel="here")
        table.referee.wait()
        table.leave()
        self.box.start()

    def says(self, text):
        self.box.wait_for(lambda status: text in str(status["sensors"][0]), LONG)

    def records(self):
        (path,) = (self.box.state / "matches").glob("*.podesta")
        return read(path).records


@pytest.fixture
def watched(tmp_path):
    watched = Watched(tmp_path)
    with watched.box:
        watched.open()
        yield watched


@pytest.mark.pictures
@pytest.mark.timeout(600)
def test_a_tower_card_by_card_is_one_press(watched):
    watched.says("looking")
    watched.put("8 8")
    watched.says("No tower: 8 8.")
    watched.put("8 8 8")
    watched.box.wait_for(lambda status: status["recorded"] == 2, LONG)
    reading = watched.records()[1]
    assert (reading.kind, reading.channel) == (Kind.READING, "camera:towers")
    assert reading.payload.endswith("a=8x3 b=-")
    assert reading.simulated
    watched.box.look_and_press()
    watched.box.wait_for(lambda status: status["recorded"] >= 3)
    assert watched.records()[2].payload == "B 8x3"
    assert watched.box.stop() == 0
