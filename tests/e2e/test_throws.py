"""Marrakesh for three at a running box: a scale counts, a camera sees, and a throw is one press."""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from random import Random

import pytest

from device.commands.verify import verify
from device.match.journal import read
from device.match.library import Library
from device.match.records import Kind
from device.match.replay import Header
from device.sensors.sources.simulated_table import SimulatedTable
from engines import bags, matchfile
from engines.contract import SEATS
from engines.marrakesh.keshis import COLOURS
from engines.marrakesh.throwing import TRAY
from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.line_node import LineNode

THREE = Path(__file__).parents[1] / "matches" / "marrakesh_three.match"
"""What three seeded players did."""
SURE = 0.97
LONG = 180
"""Seconds to wait for a reading where other tests have the processor."""
APART_MM = 26.0
WALL_MM = 22.0


def lying(tray: int, chance: Random) -> tuple[tuple[str, float, float, float], ...]:
    """Keshis on the tray, none on another: colour, x and y in mm, angle in degrees."""
    places: list[tuple[float, float]] = []
    while len(places) < bags.total(tray):
        x, y = chance.uniform(WALL_MM, 180 - WALL_MM), chance.uniform(WALL_MM, 140 - WALL_MM)
        if all(math.dist((x, y), other) >= APART_MM for other in places):
            places.append((x, y))
    colours = [COLOURS[kind] for kind in bags.elements(tray)]
    return tuple(
        (colour, x, y, chance.uniform(0, 90)) for colour, (x, y) in zip(colours, places, strict=True)
    )


class Evening:
    """The box, a node with a scale under the tray, and the camera over it."""

    def __init__(self, folder: Path) -> None:
        self.node = LineNode(folder / "port", "tray-1")
        config = f'[[line]]\nurl = "{self.node.path}"\nchecked = true\n'
        config += '[[camera]]\nsource = "simulated"\nfield = "tray"\nwidth = 960\nheight = 720\n'
        self.box = DaemonProcess(folder / "box", config=config, simulate=True)
        self.box.state.mkdir()
        self.put(())
        self.presses: list[int] = []
        """Of each throw."""
        self._chance = Random(int(os.environ.get("PODESTA_SEED", "16")))

    def put(self, keshis: tuple[tuple[str, float, float, float], ...]) -> None:
        table = SimulatedTable(keshis=keshis, elevation_deg=78.0)
        table.save(self.box.state / "simulated_table.json")

    def open(self, header: Header) -> None:
        """Start the box on a match that was being played when it went off."""
        table = Library(self.box.state, simulated=True)
        table.open_match(header)
        table.referee.note("opened", channel="here")
        table.referee.wait()
        table.leave()
        self.box.start()

    def records(self) -> list:
        (path,) = (self.box.state / "matches").glob("*.podesta")
        return read(path).records

    def says(self, text: str) -> str:
        """A line that the box takes."""
        answer = self.node.do(text, self.node.number())
        assert answer.startswith("ack"), (text, answer)
        return answer

    def press(self) -> bool:
        """OK, once people have seen what there is to see; whether that recorded what lies there."""
        self.box.post("/key/ok?ms=30")
        self.presses[-1] += 1
        end = time.monotonic() + 5
        while time.monotonic() < end:
            if self.records()[-1].kind is Kind.REPORT:
                return True
            time.sleep(0.02)
        return False

    def throw(self, tray: int) -> None:
        """Keshis come to rest on the tray; people press OK until that is recorded."""
        self.presses.append(0)
        asked = len(self.records())
        self.put(lying(tray, self._chance))
        self.says(f"reading tray {SURE} total {bags.total(tray)}")

        def seen(_status: object) -> bool:
            since = [one.channel.partition(":")[0] for one in self.records()[asked:]]
            return "line" in since and since[-1] == "camera"

        self.box.wait_for(seen, LONG)
        assert any(self.press() for _ in range(5))
        assert self.records()[-1].payload == f"tray {TRAY.write(tray)}"

    def left(self, number: int) -> None:
        """What the scale says after a claim was taken; the box has nothing to say to it."""
        self.says(f"reading tray {SURE} total {number}")


def play(folder: Path, throws: int, claims: bool) -> Evening:
    """So many throws of the match, every other step by the line; with ``claims`` the round of the last, too,
    and the scale tells what each claim leaves.
    """
    file = matchfile.read(THREE.read_text("utf-8"), THREE.name)
    evening = Evening(folder)
    left = 0
    with evening.box as box:
        evening.open(Header(file.game, file.names, file.setup))
        for step in file.steps:
            question, _, token = step.text.partition(" ")
            if question == "tray":
                if len(evening.presses) == throws:
                    break
                evening.throw(TRAY.read(token))
                left = bags.total(TRAY.read(token))
                if len(evening.presses) == throws and not claims:
                    break
                continue
            seat = "" if step.seat is None else f"{SEATS[step.seat]}: "
            evening.says(f"step {seat}{step.text}")
            if claims and question == "claim":
                left -= int(token[0])
                evening.left(left)
            evening.put(())
        assert box.stop() == 0
    evening.node.close()
    return evening


def check(evening: Evening, throws: int) -> None:
    assert evening.presses == [1] * throws
    (path,) = (evening.box.state / "matches").glob("*.podesta")
    verdict = verify(path)
    assert verdict.failure is None
    assert verdict.replayed == sum(one.kind in (Kind.STEP, Kind.REPORT) for one in evening.records())


@pytest.mark.timeout(600)
def test_a_throw_is_one_press(tmp_path):
    check(play(tmp_path, 2, claims=False), 2)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_every_claim_of_a_match_is_weighed(tmp_path):
    """Two rounds, or all of them."""
    throws = 2 if os.environ.get("PODESTA_SOAK") == "smoke" else 12
    check(play(tmp_path, throws, claims=True), throws)
