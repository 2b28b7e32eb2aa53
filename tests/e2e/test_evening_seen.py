"""An evening of three games before one camera: what shows on the table is put there, and OK records it.

A recorded match of each game is played. What nothing shows of is said by another. One change in ten is
disturbed: a hand stays over it, a piece lies where it should not, the lamp dims, the camera is bumped. The
tray's evening is :mod:`tests.e2e.test_throws`.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import engines
from device.commands.verify import verify
from device.facts import CopyFile
from device.match.journal import read
from device.match.library import Library
from device.match.records import Kind
from device.match.replay import Header
from device.sensors.sources.simulated_table import CameraFault, SimulatedTable
from device.texts import Texts
from engines import matchfile, observation
from engines.contract import SEATS, Exact, Several
from engines.match import Match
from engines.readings import interpret
from engines.search import steps_of
from tests.device.sensors.tables import PITCH_MM, areas, board, regions
from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.line_node import LineNode

MATCHES = Path(__file__).parents[1] / "matches"
LONG = 120
"""Seconds to wait for a reading."""
RESTING_S = 2.0
"""How long a disturbance lasts."""
SETTLED_S = 3.0
"""How long what is no turn is looked at before it is put right."""

PLAYED: dict[str, tuple[str, Callable[[Any], SimulatedTable], str, dict[str, float]]] = {
    "san_gimignano": ("table_level", areas, "width = 2304\nheight = 1296\n", {}),
    "castles_of_tuscany": (
        "castles_of_tuscany_two",
        regions,
        'field = ["region1", "region2"]\nwidth = 2304\nheight = 1296\n',
        {"hex_size": PITCH_MM},
    ),
    "torres": (
        "torres_two",
        board,
        "width = 1280\nheight = 960\n",
        {"cell_pitch": 28.0, "block_width": 26.0, "block_height": 15.0},
    ),
}
"""By game the match that is played, how its table is painted, the camera's settings, the copy's sizes."""


class Evening:
    """A box, a camera over its table, and somebody at the line who says what does not show."""

    def __init__(self, folder: Path, name: str, seed: int) -> None:
        match, self.table, size, facts = PLAYED[name]
        self.chance = Random(seed)
        self.file = matchfile.read((MATCHES / f"{match}.match").read_text("utf-8"), match)
        self.match = Match(engines.game(name), self.file.setup)
        self.node = LineNode(folder / "port")
        config = f'[[line]]\nurl = "{self.node.path}"\nchecked = true\n'
        config += f'[[camera]]\nsource = "simulated"\n{size}'
        self.box = DaemonProcess(folder / "box", config=config, simulate=True)
        self.box.state.mkdir()
        if facts:
            CopyFile.of(self.box.state, name, Texts.load("en", name)).put(facts)
        self.put(self.match.state)
        self.presses: list[int] = []
        """Of each step of which something shows."""
        self.detents = self.unseen = 0
        self.told: Counter[str] = Counter()
        """What was told of readings, and what else had to be done."""

    def put(self, state: Any, **more: Any) -> None:
        """What stands on the table now."""
        replace(self.table(state), **more).save(self.box.state / "simulated_table.json")

    def open(self) -> None:
        """Start the box on a match that was being played when it went off."""
        library = Library(self.box.state, simulated=True)
        library.open_match(Header(self.file.game, self.file.names, self.file.setup))
        library.referee.note("opened", channel="here")
        library.referee.wait()
        library.leave()
        self.box.start()

    def records(self) -> list:
        """Everything that was recorded."""
        (path,) = (self.box.state / "matches").glob("*.podesta")
        return read(path).records

    def say(self, step: Any) -> None:
        """Somebody tells a step at the line."""
        seat = "" if step.seat is None else f"{SEATS[step.seat]}: "
        answer = self.node.do(f"step {seat}{step.text}")
        assert answer.startswith("ack"), (step, answer)

    def disturb(self, state: Any, wrong: Any) -> None:
        """Something is not as it should be for a while."""
        kind = self.chance.choice(("hand", "lamp", "bump", "misplaced"))
        self.told[kind] += 1
        match kind:
            case "hand":
                self.put(state, faults=frozenset({CameraFault.HAND}))
            case "lamp":
                self.put(state, light=0.85)
            case "bump":
                self.put(state, faults=frozenset({CameraFault.MOVED}))
            case _:
                self.put(wrong)
        time.sleep(SETTLED_S if kind == "misplaced" else RESTING_S)

    def show(self, step: Any, before: Any, after: Any) -> None:
        """Do a step on the table, and press what it takes to have it recorded."""
        self.box.wait_for(lambda status: status["sensors"][0]["says"] == "looking", LONG)
        known = len(self.records())
        if self.chance.random() < 0.1:
            self.disturb(after, self.other(before, step))
        self.put(after)
        presses = 0
        while (found := self.reading(known)) is not None:
            known, reading = found
            at = self.place(reading.payload, before, step.text)
            if at is None:
                continue
            if at:
                self.box.post(f"/turn/{at}")
                self.detents += at
            self.box.post("/key/ok?ms=30")
            presses += 1
            if self.recorded(step, known):
                self.presses.append(presses)
                return
            if len(self.records()) == known:  # what it gives is asked now: somebody tells it
                self.told["begun"] += 1
                self.presses.append(presses)
                self.say(step)
                return
        self.told["by hand"] += 1
        self.box.post("/key/back?ms=30")
        self.say(step)

    def place(self, reading: str, before: Any, text: str) -> int | None:
        """How many answers stand before the one that is meant, or begins so; None where none does."""
        game = self.match.game
        meaning = interpret(game, before, observation.read(reading))
        self.told[type(meaning).__name__] += 1
        match meaning:
            case Exact():
                ways = (meaning.choices,)
            case Several():
                ways = meaning.explanations
            case _:
                return None
        texts = [" ".join(steps_of(game, before, choices)) for choices in ways if choices]
        return next((at for at, one in enumerate(texts) if f"{text} ".startswith(f"{one} ")), None)

    def other(self, before: Any, step: Any) -> Any:
        """The state after another step than the one that is meant, which shows as well."""
        rules = self.match.game.rules
        others = [choice for choice in rules.legal(before) if self.match.game.sight.visible(choice)]
        choice = self.chance.choice(others)
        return rules.apply(before, choice)

    def reading(self, known: int) -> tuple[int, Any] | None:
        """The next reading that the camera told, and how many records there are then."""
        end = time.monotonic() + LONG
        while time.monotonic() < end:
            records = self.records()
            for number, record in enumerate(records[known:], known + 1):
                if record.kind is Kind.READING:
                    return number, record
            time.sleep(0.05)
        return None

    def recorded(self, step: Any, known: int) -> bool:
        """Whether that step is recorded within a few seconds; no other is."""
        end = time.monotonic() + 5
        while time.monotonic() < end:
            for record in self.records()[known:]:
                if record.kind in (Kind.STEP, Kind.REPORT):
                    assert record.payload == step.text
                    return True
            time.sleep(0.02)
        return False

    def shows(self, before: Any, after: Any) -> bool:
        """Whether a camera sees any of that; boards that are only laid out are no step to it."""
        old, new = self.table(before), self.table(after)
        return old != new and old.hexes.keys() == new.hexes.keys()

    def play(self, most: int) -> None:
        """Play so many steps of which something shows, and all between."""
        for step in self.file.steps:
            if len(self.presses) + self.told["by hand"] == most:
                break
            before = self.match.state
            self.match.play(step.text, step.seat)
            if self.shows(before, self.match.state):
                self.show(step, before, self.match.state)
            else:
                self.unseen += 1
                self.say(step)
                self.put(self.match.state)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", PLAYED)
def test_an_evening(tmp_path, name):
    """Some steps of each match, or all of them; what each took is printed."""
    smoke = os.environ.get("PODESTA_SOAK") == "smoke"
    evening = Evening(tmp_path, name, int(os.environ.get("PODESTA_SEED", "28")))
    with evening.box as box:
        evening.open()
        box.wait_for(lambda status: status["sensors"][0]["online"], LONG)
        evening.play(6 if smoke else 1000)
        assert box.stop() == 0
    evening.node.close()
    told = {"presses": evening.presses, "detents": evening.detents, "unseen": evening.unseen, **evening.told}
    print(json.dumps({name: told}))
    (path,) = (box.state / "matches").glob("*.podesta")
    assert verify(path).failure is None
    played = [record.payload for record in read(path).records if record.kind in (Kind.STEP, Kind.REPORT)]
    assert played == [step.text for step in evening.file.steps[: len(played)]]
    assert sorted(evening.presses)[len(evening.presses) // 2] == 1
    assert evening.told["by hand"] * 10 <= len(evening.presses)
