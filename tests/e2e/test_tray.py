"""A box whose simulated camera looks at the cube tower's tray: from the throw to what is claimed."""

import pytest
from msgspec.structs import replace

from device.match.records import Kind
from device.sensors.sources.simulated_table import SimulatedTable
from tests.e2e.line_node import LineNode
from tests.e2e.watched import Watched, camera
from tests.engines.marrakesh.lines import setup, turn

THROW = turn("tray", "throw", round=2, inside="1l")
"""Two brown, two pink and two red were thrown, and a yellow one is inside."""
FIVE = (
    ("brown", 60.0, 60.0, 20.0),
    ("brown", 100.0, 40.0, 0.0),
    ("pink", 120.0, 90.0, 45.0),
    ("red", 40.0, 100.0, 10.0),
    ("red", 140.0, 50.0, 70.0),
)
FALLEN = ("yellow", 90.0, 110.0, 70.0)


class Thrown(Watched):
    """The box, its line and the tray under its camera."""

    def __init__(self, folder):
        self.node = LineNode(folder / "port")
        super().__init__(folder, self.node.settings + camera("tray", 960, 720))
        self.put()

    def put(self, *keshis):
        self.lay(SimulatedTable(keshis=keshis, elevation_deg=78.0))

    def of(self, kind):
        """The records of a kind."""
        return [record for record in self.records() if record.kind is kind]


@pytest.fixture
def watched(tmp_path):
    watched = Thrown(tmp_path)
    with watched.box:
        watched.open("marrakesh", replace(setup(), position=THROW))
        yield watched
    watched.node.close()


@pytest.mark.pictures
@pytest.mark.timeout(600)
def test_a_throw_is_read_counted_completed_and_recorded_by_one_press(watched):
    watched.says("looking")
    watched.put(*FIVE)
    watched.recorded(2)
    assert watched.node.do("reading tray 0.97 total 6", watched.node.number()).startswith("ack")
    watched.recorded(4)  # the camera has read again, knowing that
    watched.put(*FIVE, FALLEN)  # one lay on the floor (MK-4.3)
    watched.recorded(5)
    readings = [(one.channel.partition(":")[0], one.payload) for one in watched.of(Kind.READING)]
    assert [channel for channel, _ in readings] == ["camera", "line", "camera", "camera"]
    assert [payload.split(" ")[2] for _, payload in readings[::3]] == ["2n1p2r", "2n1p2r1l"]

    watched.box.look_and_press()
    watched.recorded(6)
    (report,) = watched.of(Kind.REPORT)
    assert report.payload == "tray 2n1p2r1l"
    watched.says("ok")  # it rests
    watched.put()
    assert watched.box.stop() == 0
    assert len(watched.of(Kind.READING)) == 4
