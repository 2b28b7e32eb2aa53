"""The tray's node at the conformance kit, in the samples' time."""

import os
import select
import tty

from device.bench.tray.simulated import SimulatedNode
from device.line.kit import Kit
from tests.micropython import micropython
from vision.simulated_tray import WeighedTable


class Wire:
    """The box's end of the node's line, on which time passes only while somebody reads."""

    def __init__(self, master: int, node: SimulatedNode) -> None:
        self._master, self._node = master, node
        self._samples = WeighedTable(5)
        self._is_open = False

    def open(self) -> None:
        self._is_open = True

    def close(self) -> None:
        self._is_open = False

    def write(self, data: bytes) -> None:
        os.write(self._master, data)

    def read(self, seconds: float) -> bytes:
        end = self.now() + seconds
        while self.now() < end:
            for sample in self._samples.run(50):
                self._node.feed(sample.ms, sample.raw, sample.gates)
            self._node.feed(self._node.ms, None)  # it has heard what was said
            if (
                select.select([self._master], [], [], 0)[0]
                and (data := os.read(self._master, 4096))
                and self._is_open
            ):
                return data
        return b""

    def now(self) -> float:
        return self._samples.ms / 1000


def test_nothing_is_wrong_with_it(tmp_path):
    master, slave = os.openpty()
    tty.setraw(slave)
    with SimulatedNode(micropython(), os.ttyname(slave), tmp_path) as node:
        checks = list(Kit(Wire(master, node), lambda text: None, 3).run())
    os.close(slave)
    os.close(master)
    assert [check for check in checks if check.verdict == "fail"] == []
    assert len([check for check in checks if check.verdict == "ok"]) == 12
