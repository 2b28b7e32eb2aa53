"""A laptop alone: the scale of a simulated box weighs the simulated tray, and says what is wrong with it."""

from itertools import takewhile
from random import Random

import pytest

from device.match.journal import read
from device.match.library import Library
from device.match.records import Kind
from device.match.replay import Header
from device.sensors.scale import weighing
from device.sensors.sources import ScaleFault, SimulatedTable
from engines import matchfile
from engines.contract import SEATS
from engines.marrakesh.tower import TRAY
from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.line_node import LineNode
from tests.e2e.test_throws import LONG, THREE, lying
from vision.scale.calibration import from_batches

FIVE = TRAY.read("1t1k2y1b")


class Laptop:
    """The box, and its table."""

    def __init__(self, folder):
        self.node = LineNode(folder / "port")
        config = self.node.settings + '[[scale]]\nsource = "simulated"\n'
        self.box = DaemonProcess(folder / "box", config=config, simulate=True)
        self.box.state.mkdir()
        counted_in = from_batches([(540.0 * share, 1) for share in (0.97, 1.0, 1.03)] * 40, 5.0)
        weighing.save(self.box.state / "sensors" / "scale", "simulated", counted_in)

    def put(self, tray, *faults):
        table = SimulatedTable(
            keshis=lying(tray, Random(1)), keshi_spread=0.03, scale_faults=frozenset(faults)
        )
        table.save(self.box.state / "simulated_table.json")

    def says(self, text):
        """Wait until the scale's line on the status says so."""
        self.box.wait_for(lambda status: status["sensors"][0]["says"] == text, LONG)


@pytest.mark.timeout(600)
def test_a_throw_is_weighed_and_a_fault_said(tmp_path):
    laptop = Laptop(tmp_path)
    file = matchfile.read(THREE.read_text("utf-8"), THREE.name)
    steps = [*takewhile(lambda step: step.seat is not None, file.steps)]
    with laptop.box as box:
        laptop.put(0)
        table = Library(box.state, simulated=True)
        table.open_match(Header(file.game, file.names, file.setup))
        table.referee.wait()
        table.leave()
        box.start()
        laptop.says("SIMULATED: 0 on the tray")  # which it believes while nothing is thrown
        for step in steps:
            text = f"step {SEATS[step.seat]}: {step.text}"
            assert laptop.node.do(text, laptop.node.number()).startswith("ack"), text
        laptop.put(FIVE)
        laptop.says("SIMULATED: 5 on the tray")
        box.wait_for(lambda status: status["recorded"] == len(steps) + 1)
        laptop.put(FIVE, ScaleFault.UNPLUGGED)
        laptop.says("SIMULATED: The scale does not hear its load cell. Look at the cell's cable.")
        assert box.stop() == 0
    laptop.node.close()
    (path,) = (box.state / "matches").glob("*.podesta")
    (reading,) = [one.payload for one in read(path).records if one.kind is Kind.READING]
    assert reading.endswith(" total 5")
