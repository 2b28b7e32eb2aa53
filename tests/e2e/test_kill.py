"""The power is cut at any moment of a game that is played over the line.

``PODESTA_SOAK=smoke`` cuts it 8 times, else 200 times; ``PODESTA_SEED`` repeats a run.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from itertools import cycle
from pathlib import Path

import pytest

from device.match.journal import read
from device.match.records import Kind, Record
from device.match.replay import Replay
from engines import matchfile
from engines.matchfile import MatchFile
from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.line_node import LineNode
from tests.e2e.test_line_game import opening, recorded, said

KILLS = 8 if os.environ.get("PODESTA_SOAK") == "smoke" else 200
SEED = int(os.environ.get("PODESTA_SEED") or random.SystemRandom().randrange(10**6))
FILES = ("closed.match", "must_donate.match", "table_level.match")

CALM = (0, 12)
"""So many steps go well between two cuts."""

OPENING = 0.5
"""So many openings are cut: there are few, and files come into being there."""

LONGEST_S = 0.03
"""A cut comes at most so long after a line was sent; a step takes a few ms."""


class Evening:
    """Matches played one after the other over a line whose box loses its power now and then."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.chance = chance
        self.node = LineNode(folder / "port")
        config = f'[[line]]\nurl = "{self.node.path}"\nchecked = true\n'
        self.box = DaemonProcess(folder / "box", config=config, simulate=True)
        self.box.start()
        self.calm = 0
        self.kills = 0
        self.repeated = 0
        """Lines that were on the disk already when they were sent again."""
        self.restarts: list[float] = []

    def play(self, file: MatchFile) -> None:
        """A whole match, with cuts as they come."""
        before = self.journals()
        self.tell(opening(file), file, 0)
        for number, step in enumerate(file.steps, 1):
            self.tell(said(step, number), file, number)
        # A cut within the opening may leave a file behind in which nothing was ever recorded.
        (path,) = [path for path in self.journals() - before if self.records(path)]
        assert path == self.current()
        replay = Replay(read(path).header, self.records(path))
        assert replay.over
        assert replay.match.steps == list(file.steps)
        assert matchfile.result(replay.match) == file.result

    def tell(self, line: str, file: MatchFile, number: int) -> None:
        """Say what makes record ``number + 1``, perhaps with a cut on the way; done once at the end."""
        record = number + 1
        opens, last = number == 0, number == len(file.steps)
        self.node.do("ping")  # so that it has been greeted
        seq = self.node.number()
        self.calm -= 1
        if (self.calm < 0 or (opens and self.chance.random() < OPENING)) and self.kills < KILLS:
            acknowledged = self.cut(self.node.line(line, seq), seq)
            self.calm = self.chance.randint(*CALM)
            there = self.check(file, record if acknowledged else number, record)
            self.restart(there)
            self.repeated += there >= record
        assert self.node.do(line, seq) == f"ack {seq} {record + last}"

    def cut(self, line: bytes, seq: int) -> bool:
        """Send a line and kill the box soon after, or before; whether it was acknowledged."""
        moment = self.chance.choice(("before", "at once", "soon", "soon", "answered"))
        if moment != "before":
            self.node.send(line)
        if moment == "soon":
            time.sleep(self.chance.uniform(0, LONGEST_S))
        answer = self.node.listen(seq, 10.0) if moment == "answered" else None
        self.box.kill()
        self.kills += 1
        return (answer or self.node.listen(seq, 0.0)) is not None

    def restart(self, there: int) -> None:
        """Switch it on again; it must come back by itself to where the disk says that it was."""
        began = time.monotonic()
        self.box.start(ready=lambda status: status["recorded"] == there)
        self.restarts.append(time.monotonic() - began)

    def check(self, file: MatchFile, least: int, most: int) -> int:
        """What is on the disk while the box is dead: every acknowledged record, and no half of one.

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
        assert len(rulings) == (len(played) == len(file.steps))
        return len(records)

    def close(self) -> None:
        """Switch everything off."""
        self.box.__exit__()
        self.node.close()

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
    print(f"PODESTA_SEED={SEED}")
    evening = Evening(tmp_path, random.Random(SEED))
    try:
        for name in cycle(FILES):
            evening.play(recorded(name))
            if evening.kills >= KILLS:
                break
    finally:
        evening.close()
    median, slowest = statistics.median(evening.restarts), max(evening.restarts)
    print(
        f"{evening.kills} kills, {evening.repeated} lines were on the disk already; back after "
        f"{median:.2f} s (median), {slowest:.2f} s (slowest)"
    )
    assert evening.kills == KILLS
