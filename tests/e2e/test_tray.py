"""A box whose simulated camera looks at the cube tower's tray: from the throw to what is claimed."""

import pytest
from msgspec.structs import replace

from device.match.journal import read
from device.match.library import Library
from device.match.records import Kind
from device.match.replay import Header
from device.sensors.sources.simulated_table import SimulatedTable
from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.line_node import LineNode
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
LONG = 180
"""Seconds to wait for a reading where other tests have the processor."""


class Watched:
    """The box, its line and the tray under its camera."""

    def __init__(self, folder):
        self.node = LineNode(folder / "port")
        config = f'[[line]]\nurl = "{self.node.path}"\nchecked = true\n'
        config += '[[camera]]\nsource = "simulated"\nfield = "tray"\nwidth = 960\nheight = 720\n'
        self.box = DaemonProcess(folder / "box", config=config, simulate=True)
        self.box.state.mkdir()
        self.put()

    def put(self, *keshis):
        table = SimulatedTable(keshis=keshis, elevation_deg=78.0)
        table.save(self.box.state / "simulated_table.json")

    def open(self):
        """Start the box on a match that was being played when it went off."""
        table = Library(self.box.state, simulated=True)
        table.open_match(Header("marrakesh", ("Adso", "William"), replace(setup(), position=THROW)))
        table.referee.note("opened", channel="here")
        table.referee.wait()
        table.leave()
        self.box.start()

    def says(self, text):
        """Wait until the camera's line on the status says so."""
        self.box.wait_for(lambda status: text in status["sensors"][0]["says"], LONG)

    def records(self, kind):
        (path,) = (self.box.state / "matches").glob("*.podesta")
        return [record for record in read(path).records if record.kind is kind]

    def recorded(self, number):
        self.box.wait_for(lambda status: status["recorded"] == number, LONG)


@pytest.fixture
def watched(tmp_path):
    watched = Watched(tmp_path)
    with watched.box:
        watched.open()
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
    readings = [(one.channel.partition(":")[0], one.payload) for one in watched.records(Kind.READING)]
    assert [channel for channel, _ in readings] == ["camera", "line", "camera", "camera"]
    assert [payload.split(" ")[2] for _, payload in readings[::3]] == ["2n1p2r", "2n1p2r1l"]

    watched.box.look_and_press()
    watched.recorded(6)
    (report,) = watched.records(Kind.REPORT)
    assert report.payload == "tray 2n1p2r1l"
    watched.says("ok")  # it rests
    watched.put()
    assert watched.box.stop() == 0
    assert len(watched.records(Kind.READING)) == 4
