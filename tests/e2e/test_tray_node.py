"""The tray's node, its own firmware under MicroPython, on the simulated line of a running box."""

import pytest

from device.bench.tray.simulated import SimulatedNode
from tests.e2e.daemon_process import DaemonProcess
from tests.micropython import micropython
from vision.scale.simulated import WeighedTable


class Tray:
    """A simulated tray, its node, and the box it tells."""

    def __init__(self, box, node):
        self.box, self.node = box, node
        self.table = WeighedTable(11)

    def run(self, seconds, patience=2.0):
        """Let so many seconds pass, and wait up to ``patience`` real ones for each answer of the box."""
        for sample in self.table.run(seconds * 1000):
            self.node.feed(sample.ms, sample.raw, sample.gates)
            if patience:
                self.node.settle(patience)

    def until_known(self):
        """Let time pass until the box knows what lies there: it takes only so many words a second."""
        for _ in range(600):
            self.run(1)
            if self.node.lamp == "rest":
                return
        raise AssertionError(f"the box did not hear it: {self.node.lamp}; {self.box.status()['lines']}")

    def line(self, **wanted):
        """Wait until the status says so of the line."""
        self.box.wait_for(lambda status: wanted.items() <= status["lines"][0].items())


@pytest.fixture
def tray(tmp_path):
    flash = tmp_path / "flash"
    flash.mkdir()
    with DaemonProcess(tmp_path / "box", simulate=True) as box:
        box.start()
        with SimulatedNode(micropython(), box.state / "line-node", flash) as node:
            yield Tray(box, node)


@pytest.mark.timeout(180)
def test_an_evening_of_a_node(tray):
    tray.until_known()
    tray.line(online=True, node="tray-1", health="ok")

    tray.box.post("/fault/line_unplugged/on")
    tray.line(online=False, node=None, health="")
    tray.table.throw([0, 1, 2, 3, 4, 5])
    tray.run(60, patience=0)
    tray.box.post("/fault/line_unplugged/off")
    tray.line(online=True)
    tray.until_known()
    tray.line(node="tray-1", health="ok")

    tray.table.throw([6, 7, 8])
    tray.run(1)
    tray.node.kill()
    tray.node.start()
    tray.until_known()
    tray.line(health="ok")

    tray.box.post("/fault/garbled_line/on")
    tray.table.lay([9, 10])
    tray.run(4, patience=0.2)
    tray.box.post("/fault/garbled_line/off")
    tray.until_known()

    tray.table.hand(9000)
    tray.run(7)
    tray.line(health="hand")
    tray.run(3)
    tray.until_known()
    tray.line(health="ok")
