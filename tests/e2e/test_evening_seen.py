"""An evening of four games before a camera, beside the same turns by the keys alone.

A recorded match of each game is played: what shows on the table is laid there, and OK records it; what does
not show is entered by the keys. One turn in ten is disturbed: a hand stays over it, a piece lies where it
should not, the lamp dims, the camera is bumped.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from device.commands.verify import verify
from device.match.journal import read
from device.match.replay import Replay
from device.sensors.sources.simulated_table import SimulatedTable
from engines import bags
from engines.match import Step
from tests.device.sensors.tables import PITCH_MM, areas, board, regions
from tests.e2e.evening import Evening, median, played, table
from tests.e2e.test_throws import lying

MATCHES = Path(__file__).parents[1] / "matches"


class Played(NamedTuple):
    """The match that is played, how its table is painted, the camera's settings, the copy's sizes, and the
    bar of presses in the median over turns that show.
    """

    match: str
    table: Callable[[Any], SimulatedTable]
    camera: str
    facts: dict[str, float]
    bar: float


def trays(state: Any) -> SimulatedTable:
    """Marrakesh's tray; the same keshis always lie at the same places."""
    return SimulatedTable(keshis=lying(state.tray, Random(state.tray)), elevation_deg=78.0)


PLAYED = {
    "san_gimignano": Played("table_level", areas, "width = 2304\nheight = 1296\n", {}, 1.5),
    "castles_of_tuscany": Played(
        "castles_of_tuscany_two",
        regions,
        'field = ["region1", "region2"]\nwidth = 2304\nheight = 1296\n',
        {"hex_size": PITCH_MM},
        2.5,
    ),
    "torres": Played(
        "torres_two",
        board,
        "width = 1280\nheight = 960\n",
        {"cell_pitch": 28.0, "block_width": 26.0, "block_height": 15.0},
        1.5,
    ),
    "marrakesh": Played("marrakesh_three", trays, 'field = "tray"\nwidth = 960\nheight = 720\n', {}, 1.0),
}


class Throwing(Evening):
    """An evening of Marrakesh: a camera sees what the tower throws on the tray, and nothing else."""

    def shows(self, step: Step, _before: Any, _after: Any) -> bool:
        """Whether that is a throw."""
        return step.text.startswith("tray ")

    def other(self, moment: Any) -> Any:
        """One keshi has rolled off the tray."""
        tray = moment.after.tray
        return replace(
            moment.after, tray=bags.without(tray, bags.one(self.chance.choice([*bags.elements(tray)])))
        )


@pytest.mark.soak
@pytest.mark.timeout(5400)
@pytest.mark.parametrize("name", PLAYED)
def test_an_evening(tmp_path, name):
    """Some turns of each match, or all of them; what each took is printed."""
    smoke = os.environ.get("PODESTA_SOAK") == "smoke"
    one = PLAYED[name]
    kind = Throwing if name == "marrakesh" else Evening
    seed = int(os.environ.get("PODESTA_SEED", "28"))
    evening = kind(tmp_path, MATCHES / f"{one.match}.match", one.table, one.camera, one.facts, seed)
    evening.play(2 if smoke else 1000)
    print(table(name, evening.rows))
    print(f"  {dict(evening.told)}")
    (path,) = (evening.box.state / "matches").glob("*.podesta")
    assert verify(path).failure is None
    found = read(path)
    states = [moment.after for turn in evening.turns() for moment in turn]
    done = len(played(found.records))
    assert Replay(found.header, found.records).match.state == states[done - 1]
    # No camera sees cards of Torres, and of Marrakesh only trays: of these turns what shows counts.
    whole = name in ("san_gimignano", "castles_of_tuscany")
    taken = [(row.seen if whole else row.shown).presses for row in evening.rows if row.shows]
    assert median(taken) <= one.bar
