"""The power is cut at any moment of a game that is played over the line.

``PODESTA_SOAK=smoke`` cuts it 8 times and at a few of the nested steps, else 200 times and at all of them;
``PODESTA_SEED`` repeats a run.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable, Mapping
from functools import cache
from itertools import cycle
from pathlib import Path

import pytest

import engines
from device.match.door import KEYS, MatchDoor
from device.match.journal import read
from device.match.library import Library
from device.match.records import Kind, Record
from device.match.replay import Replay
from engines import matchfile
from engines.contract import SEATS, Decide, Over
from engines.match import Match
from engines.match import replay as replay_steps
from engines.matchfile import MatchFile
from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.line_node import LineNode
from tests.e2e.test_line_game import opening, recorded, said
from tests.e2e.whole_game import header
from tests.engines.marrakesh import nest

SMOKE = os.environ.get("PODESTA_SOAK") == "smoke"
KILLS = 8 if SMOKE else 200
SEED = int(os.environ.get("PODESTA_SEED") or random.SystemRandom().randrange(10**6))
FILES = ("closed.match", "must_donate.match", "table_level.match")

CALM = (0, 12)
"""So many steps go well between two cuts."""

OPENING = 0.5
"""So many openings are cut: there are few, and files come into being there."""

LONGEST_S = 0.03
"""A cut comes at most so long after a line was sent, mostly sooner: a step takes a few ms."""


@cache
def unbroken(file: MatchFile, number: int) -> Match:
    """The match after so many of its steps, where the power never went."""
    return replay_steps(engines.game(file.game), file.setup, file.steps[:number])


def ended(match: Match) -> bool:
    """Return True if nothing more is asked."""
    return isinstance(match.pending, Over)


class Evening:
    """Matches played one after the other over a line whose box loses its power now and then."""

    def __init__(self, folder: Path, begun: MatchFile | None = None) -> None:
        """The box was begun with that match by its keys: a line opens none at a position."""
        print(f"PODESTA_SEED={SEED}")
        self.chance = random.Random(SEED)
        self.node = LineNode(folder / "port")
        config = self.node.settings
        self.box = DaemonProcess(folder / "box", config=config, simulate=True)
        if begun:
            library = Library(self.box.state, simulated=True)
            door = MatchDoor(library)
            door.open(header(begun), source=KEYS)
            door.note("opened", source=KEYS)
            library.leave()
        self.calm = 0
        self.kills = 0
        self.repeated = 0
        """Lines that were on the disk already when they were sent again."""
        self.restarts: list[float] = []

    def __enter__(self) -> Evening:
        """Switch it on."""
        self.box.start()
        return self

    def __exit__(self, *_exc_info: object) -> None:
        """Switch everything off, and say what became of it."""
        self.box.__exit__()
        self.node.close()
        if self.restarts:
            median, slowest = statistics.median(self.restarts), max(self.restarts)
            print(
                f"{self.kills} kills, {self.repeated} lines were on the disk already; back after "
                f"{median:.2f} s (median), {slowest:.2f} s (slowest)"
            )

    def play(self, file: MatchFile) -> None:
        """A whole match, with cuts as they come."""
        before = self.journals()
        self.tell(opening(file), file, 0, self.comes(OPENING))
        self.play_on(file, lambda _: self.comes())
        # A cut within the opening may leave a file behind in which nothing was ever recorded.
        (path,) = [path for path in self.journals() - before if self.records(path)]
        assert path == self.current()

    def play_on(self, file: MatchFile, moment: Callable[[int], str]) -> None:
        """All steps of the match that is open; of each, by number from 1, ``moment`` says when it is cut."""
        for number, step in enumerate(file.steps, 1):
            self.tell(said(step, number), file, number, moment(number))
        path, whole = self.current(), unbroken(file, len(file.steps))
        assert path
        replay = Replay(read(path).header, self.records(path))
        assert replay.match.steps == list(file.steps)
        assert replay.match.points == whole.points
        assert replay.drift == 0, "a box that was restarted was in another position"
        assert replay.over == ended(whole)
        assert matchfile.result(replay.match) == file.result

    def comes(self, more: float = 0) -> str:
        """When a cut comes as the next line is sent, empty if none does; ``more`` is a chance beside."""
        self.calm -= 1
        if self.kills == KILLS or (self.calm >= 0 and self.chance.random() >= more):
            return ""
        self.calm = self.chance.randint(*CALM)
        return self.chance.choice(("before", "at once", "soon", "soon", "answered"))

    def tell(self, line: str, file: MatchFile, number: int, moment: str) -> None:
        """Say what makes record ``number + 1``, perhaps with a cut on the way; done once at the end."""
        record = number + 1
        self.node.do("ping")  # so that it has been greeted
        seq = self.node.number()
        if moment:
            acknowledged = self.cut(self.node.line(line, seq), seq, moment)
            there = self.check(file, record if acknowledged else number, record)
            self.restart(there)
            if number:
                self.goes_on(unbroken(file, min(there - 1, number)))
            self.repeated += there >= record
        assert self.node.do(line, seq) == f"ack {seq} {record + ended(unbroken(file, number))}"

    def cut(self, line: bytes, seq: int, moment: str) -> bool:
        """Send a line and kill the box at that moment; whether it was acknowledged."""
        if moment != "before":
            self.node.send(line)
        if moment == "soon":
            time.sleep(LONGEST_S * self.chance.random() ** 3)
        answer = self.node.listen(seq, 10.0) if moment == "answered" else None
        self.box.kill()
        self.kills += 1
        return (answer or self.node.listen(seq, 0.0)) is not None

    def restart(self, there: int) -> None:
        """Switch it on again; it must come back by itself to where the disk says that it was."""
        began = time.monotonic()
        self.box.start(ready=lambda status: status["recorded"] == there)
        self.restarts.append(time.monotonic() - began)

    def goes_on(self, match: Match) -> None:
        """The same seat is asked the same, and may answer the same."""
        pending = match.pending
        if isinstance(pending, Over):
            asked = f"over {pending.termination}"
        else:
            seats = "".join(SEATS[seat] for seat in pending.seats) if isinstance(pending, Decide) else "*"
            asked = f"{seats} {pending.question}"
        legal = " ".join(choice.token for choice in match.game.rules.legal(match.state)) or "-"
        for what, due in (("turn", asked), ("legal", legal)):
            assert self.node.do(f"ask {what}").split(" ", 2)[2] == due

    def check(self, file: MatchFile, least: int, most: int) -> int:
        """Return what is on the disk while the box is dead: every acknowledged record, and no half of one.

        The number of the last, 0 where no match was open yet.
        """
        path = self.current()
        records = self.records(path) if path else ()
        if most == 1 and (not records or records[-1].payload.startswith("over ")):
            assert least == 0, "an acknowledged opening is gone"
            return len(records)
        rulings = [record for record in records if record.kind is Kind.RULING]
        played = [record.payload for record in records if record.kind in (Kind.STEP, Kind.REPORT)]
        assert least <= len(records) - len(rulings) <= most
        assert played == [step.text for step in file.steps[: len(played)]]
        assert len({record.channel for record in records}) == len(records) - len(rulings), "done twice"
        assert len(rulings) == ended(unbroken(file, len(played)))
        return len(records)

    def current(self) -> Path | None:
        """The file of the match being played."""
        named = self.box.state / "current"
        return self.box.state / "matches" / named.read_text().strip() if named.exists() else None

    def journals(self) -> set[Path]:
        """All match files."""
        return set((self.box.state / "matches").glob("*.podesta"))

    def records(self, path: Path) -> tuple[Record, ...]:
        """The records of a file, whose chain must verify."""
        reading = read(path)
        assert reading.damage is None, f"{path.name}: {reading.damage}"
        return reading.records


@pytest.mark.soak
@pytest.mark.timeout(60 + 20 * KILLS)
def test_killed_at_any_moment(tmp_path):
    with Evening(tmp_path) as evening:
        for name in cycle(FILES):
            evening.play(recorded(name))
            if evening.kills >= KILLS:
                break
    assert evening.kills == KILLS


DEEPEST = len(nest.DOWN)
"""The step behind which most bonuses wait for one another."""

NESTED = range(1, len(nest.steps()) + 1, 16 if SMOKE else 1)


def killed_in_the_nest(folder: Path, moments: Mapping[int, str]) -> None:
    """Down into the deepest nesting of bonuses and up again, the power cut at ``moments`` of those steps."""
    file = nest.file()
    with Evening(folder, begun=file) as evening:
        evening.play_on(file, lambda number: moments.get(number, ""))
    assert evening.kills == len(moments)


def test_killed_where_most_waits(tmp_path):
    """Once it is acknowledged that so much waits, and while the next step is made."""
    killed_in_the_nest(tmp_path, {DEEPEST: "answered", DEEPEST + 1: "soon"})


@pytest.mark.soak
@pytest.mark.timeout(60 + 20 * len(NESTED))
@pytest.mark.parametrize("moment", ["soon", "answered"])
def test_killed_at_every_step_of_the_deepest_nesting(tmp_path, moment):
    killed_in_the_nest(tmp_path, dict.fromkeys(NESTED, moment))
