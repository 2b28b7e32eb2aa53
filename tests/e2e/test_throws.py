"""Marrakesh for three at a running box: a scale counts, a camera sees, and a throw is one press."""

import math
import os
import time
from pathlib import Path
from random import Random

import pytest

from device.event import verify_journal
from device.match.journal import read
from device.match.records import Kind
from device.match.replay import Header
from device.sensors import scale as weighing
from device.sensors.simulated_table import SimulatedTable
from engines import bags, matchfile
from engines.contract import SEATS
from engines.marrakesh.claiming import spell_claim
from engines.marrakesh.pieces import COLOURS, of_letters
from engines.marrakesh.tower import TRAY
from tests.e2e.daemon_process import Status
from tests.e2e.line_node import LineNode
from tests.e2e.watched import LONG, Watched, camera
from vision.scale import from_batches

THREE = Path(__file__).parents[1] / "matches" / "marrakesh_three.match"
"""What three seeded players did."""
MEAN_MG, SPREAD = 540, 0.05
"""What a keshi weighs."""
EMPTY = "0 on the tray"
"""What the scale's line on the status says before a throw."""
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


class Evening(Watched):
    """The box, a node with a scale under the tray, and the camera over it; another says what players do."""

    def __init__(self, folder: Path) -> None:
        self._chance = Random(int(os.environ.get("PODESTA_SEED", "16")))
        self.node = LineNode(folder / "port", "tray-1", more=",scale")
        config = self.node.settings
        config += '[[scale]]\nsource = "line:tray-1"\n'
        config += camera("tray", 960, 720)
        super().__init__(folder, config)
        weighed = [(self._chance.gauss(MEAN_MG, SPREAD * MEAN_MG), 1) for _ in range(120)]
        weighing.save(self.box.state / "sensors" / "scale", "line:tray-1", from_batches(weighed, 20.0))
        self._weight_mg, self._said_s = 0, 0.0
        self.put(())
        self.presses: list[int] = []
        """Of each throw."""

    def put(self, keshis: tuple[tuple[str, float, float, float], ...]) -> None:
        self.lay(SimulatedTable(keshis=keshis, elevation_deg=78.0))

    def ready(self) -> None:
        """Wait until the box has heard that nothing lies on the tray."""

        def empty(status: Status) -> bool:
            self.rest_again()
            return any(one["sensor"] == "scale" and one["says"] == EMPTY for one in status["sensors"])

        self.box.wait_for(empty, LONG)

    def enter(self, text: str) -> None:
        """A line that the box takes."""
        answer = self.node.do(text, self.node.number())
        assert answer.startswith("ack"), (text, answer)

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

    def weigh(self, tray: int) -> None:
        """The node says what it feels of what lies there, at rest."""
        keshis = (self._chance.gauss(MEAN_MG, SPREAD * MEAN_MG) for _ in bags.elements(tray))
        self._weight_mg = round(sum(keshis))
        self.rest()

    def rest(self) -> None:
        """What it says every two seconds while nothing moves."""
        self.enter(f"weight {self._weight_mg} 4 rest")
        self._said_s = time.monotonic()

    def rest_again(self) -> None:
        """Say so if it is time to."""
        if time.monotonic() - self._said_s > 1:
            self.rest()

    def throw(self, tray: int) -> None:
        """Keshis come to rest on the tray; people press OK until that is recorded."""
        self.presses.append(0)
        asked = len(self.records())
        self.put(lying(tray, self._chance))
        self.weigh(tray)

        def seen(_status: object) -> bool:
            since = [one.channel.partition(":")[0] for one in self.records()[asked:]]
            self.rest_again()
            return "scale" in since and since[-1] == "camera"

        self.box.wait_for(seen, LONG)
        assert any(self.press() for _ in range(5))
        assert self.records()[-1].payload == f"tray {TRAY.write(tray)}"


@pytest.mark.timeout(600)
def test_a_throw_is_one_press(tmp_path: Path) -> None:
    """Two throws of the match; every other step by the line, and what each claim leaves is weighed."""
    evening, throws = Evening(tmp_path), 2
    file = matchfile.read(THREE.read_text("utf-8"), THREE.name)
    left = 0
    with evening.box as box:
        evening.open(Header(file.game, file.names, file.setup))
        evening.weigh(left)
        evening.ready()
        for step in file.steps:
            question, _, token = step.text.partition(" ")
            if len(evening.presses) == throws:
                break
            if question == "tray":
                left = TRAY.read(token)
                evening.throw(left)
                continue
            seat = "" if step.seat is None else f"{SEATS[step.seat]}: "
            evening.enter(f"step {seat}{step.text}")
            if question == "claim":
                left -= of_letters(spell_claim(token))
                evening.weigh(left)
            elif question == "choose" and left:  # what nobody could take goes back (MK-5.6)
                left = 0
                evening.weigh(left)
            if not left:
                evening.put(())
        assert box.stop() == 0
    evening.node.close()
    assert evening.presses == [1] * throws
    (path,) = (box.state / "matches").glob("*.podesta")
    verdict = verify_journal(path.name, read(path))
    assert verdict.failure is None
    assert verdict.replayed == sum(one.kind in (Kind.STEP, Kind.REPORT) for one in evening.records())
