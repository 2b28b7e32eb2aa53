"""A box with a simulated camera: what is done on the table comes to the screen, and OK records it."""

import contextlib
import os
import signal
from pathlib import Path

import pytest

import engines
from device.copy_file import CopyFile
from device.match.records import Kind
from device.match.replay import Header
from device.sensors.simulated_table import SimulatedTable
from device.texts import Texts
from engines.contract import Setup
from engines.torres.cells import NAMES, cells
from tests.e2e.line_node import LineNode
from tests.e2e.watched import LONG, Watched, camera
from tests.engines.torres.table import blocks, turn

GAME = engines.game("torres")
COLOURS = ("green", "red")
"""Of seat a and seat b: not those a reader would guess."""
POSITION = " ".join(turn("c3=1 f6=1").split())
MATCH = Header("torres", ("Ada", "Bea"), Setup(position=POSITION))
AFTER = f"{blocks('c3=1 f6=1 d3=1')} a=c4 b=f6 king=h4"


def standing(layout, *faults):
    """A simulated table on which that stands."""
    pieces = {NAMES[cell]: COLOURS[seat] for seat, own in enumerate(layout.knights) for cell in cells(own)}
    if layout.king >= 0:
        pieces[NAMES[layout.king]] = "king"
    heights = "".join("0123456789ABC"[height] for height in layout.heights)
    return SimulatedTable(heights, pieces, faults=frozenset(faults))


class Seen(Watched):
    """The box, its line and the board under its cameras."""

    def __init__(self, folder: Path) -> None:
        self.node = LineNode(folder / "port")
        super().__init__(folder, self.node.settings + camera())
        file = CopyFile.of(self.box.state, "torres", Texts.load("en", "torres"))
        file.put({"cell_pitch": 28.0, "block_width": 26.0, "block_height": 15.0})
        self.put(GAME.sight.of(GAME.position.read(POSITION)))

    def put(self, layout):
        self.lay(standing(layout))


@pytest.fixture
def watched(tmp_path):
    watched = Seen(tmp_path)
    with watched.box:
        watched.open(MATCH)
        yield watched
    watched.node.close()


def workers(box):
    """The processes of the camera."""
    children = Path(f"/proc/{box.pid}/task/{box.pid}/children").read_text().split()
    found = []
    for pid in children:
        with contextlib.suppress(OSError):
            if b"device.sensors.process" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(int(pid))
    return found


@pytest.mark.pictures
@pytest.mark.timeout(600)
def test_a_turn_on_the_table_is_proposed_and_ok_records_it_as_one_group(watched):
    watched.says("looking")
    watched.put(GAME.sight.read(AFTER))
    watched.box.wait_for(lambda status: status["recorded"] == 2, LONG)
    reading = watched.records()[1]
    assert (reading.kind, reading.channel) == (Kind.READING, "camera:board")
    assert reading.payload.endswith(AFTER)
    assert reading.simulated
    watched.box.wait_for(lambda status: status["asked"] == {"crop": ""})
    pictures = watched.box.state / "pictures"  # written beside the entry, not before it
    watched.box.wait_for(lambda _: list(pictures.glob("*/2.jpg")))
    (picture,) = pictures.glob("*/2.jpg")
    assert picture.read_bytes()[:2] == b"\xff\xd8"
    watched.box.look_and_press()
    watched.box.wait_for(lambda status: status["recorded"] == 4)
    steps = watched.records()[2:]
    assert sorted(step.payload for step in steps) == ["B d3", "M c3-c4"]
    assert len({step.group for step in steps}) == 1

    # Its process killed, the table plays on, and the camera comes back by itself.
    (pid,) = workers(watched.box)
    os.kill(pid, signal.SIGKILL)
    assert watched.node.do("step B c2", watched.node.number()).startswith("ack")
    watched.box.wait_for(lambda status: not status["sensors"][0]["online"])
    watched.box.wait_for(lambda status: status["sensors"][0]["online"], LONG)
    assert workers(watched.box) != [pid]
    assert watched.box.stop() == 0
    assert workers_gone(pid)


def workers_gone(pid):
    return not Path(f"/proc/{pid}").exists()
