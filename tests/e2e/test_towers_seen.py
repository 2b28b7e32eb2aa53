"""A box with a simulated camera above a seat: what is built there comes to the screen, and OK records it."""

import pytest

from device.match.records import Kind
from device.sensors.sources.simulated_table import SimulatedTable
from engines.contract import Setup
from tests.e2e.watched import Watched, camera

POSITION = "market=5,6,7,8,9 hand.a=8,8,8,6 hand.b=?5 turn=a"


class Built(Watched):
    """The box and the cards under its camera."""

    def put(self, *towers):
        columns = {"area1": tuple(tuple(tower.split()) for tower in towers)}
        self.lay(SimulatedTable(columns=columns, elevation_deg=70.0, distance_mm=430.0))


@pytest.fixture
def watched(tmp_path):
    watched = Built(tmp_path, camera("area1"))
    watched.put()
    with watched.box:
        watched.open("san_gimignano", Setup(position=POSITION))
        yield watched


@pytest.mark.pictures
@pytest.mark.timeout(600)
def test_a_tower_card_by_card_is_one_press(watched):
    watched.says("looking")
    watched.put("8 8")
    watched.says("No tower: 8 8.")
    watched.put("8 8 8")
    watched.recorded(2)
    reading = watched.records()[1]
    assert (reading.kind, reading.channel) == (Kind.READING, "camera:towers")
    assert reading.payload.endswith("a=8x3 b=-")
    assert reading.simulated
    watched.box.look_and_press()
    watched.recorded(3)
    assert watched.records()[2].payload == "B 8x3"
    assert watched.box.stop() == 0
