"""Throws into a simulated cube tower, from the piece that falls to the number on the screen.

Tower and cell are simulated; firmware, line, daemon and match are real. ``simulated`` has the node, and a
player at another line.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

import engines
from device.alike import alike
from device.bench.engines import list_whole_steps, play_random
from device.bench.tray.simulated import NodePlayer, SimulatedNode
from device.copy_file import CopyFile
from device.sensors import readers
from device.sensors.readers.tray import DrawnCamera
from device.sensors.scale import Calibrating, save
from device.sensors.scale.cell import Settling
from device.telemetry import Weight
from device.texts import Texts
from engines import bags
from engines.contract import SEATS, Multiset, Setup
from vision.scale import PieceCalibration
from vision.simulated_tray import SimulatedTower, WeighedTable

SPREAD: Final = 0.05
WHAT: Final = "tray"
NODE: Final = "tray-1"
KINDS: Final = 12
SAID: Final = 50
"""The number of throws between two words of progress."""
COUNTED_IN: Final = 40
STEP_MS: Final = 50
"""The time of one step of the simulation."""
FALLS_MS: Final = 2600
"""The longest time that a piece falls after its throw."""
LANDED_MS: Final = 500
"""The time after a piece lands in which no load is at rest."""
PATIENCE_S: Final = 10.0
QUIET_S: Final = 0.5
"""The wait for a better reading after one that does not fit the tray."""
BUSY_S: Final = 0.3
LOOK_S: Final = 0.002
PLAYERS: Final = 3

_READ = re.compile(rf"(\d+) turn .* reading {WHAT} (.*)")
_TOTAL = re.compile(r"([\d.]+) total (\d+)")


class LatencyMs(msgspec.Struct, frozen=True):
    """The time from the last piece on the tray to the number on the screen, by stage: median and worst, in
    ms.

    ``settles`` is simulated time; the rest is this machine's: ``line``, until the node has the box's answer;
    ``records``, until the number is on the disk; ``screen``, until the picture changes.
    """

    settles: tuple[float, float]
    line: tuple[float, float]
    records: tuple[float, float]
    screen: tuple[float, float]
    total: tuple[float, float]


class ThrowTally(msgspec.Struct, frozen=True):
    """Numbers of ``throws``: read right without a doubt (``exact``), read with alternatives or not at all
    (``doubted``: people are asked), read wrong without a doubt (``silent_wrong``).
    """

    throws: int
    exact: int
    doubted: int
    silent_wrong: int


class Throws(msgspec.Struct, frozen=True):
    """The outcome of the throws: of the scale's numbers, or with ``camera`` (``modelled``: see
    :class:`.DrawnCamera`) of the contents that the camera reads with these numbers.

    ``alone`` is then the scale's own tally.
    """

    seed: int
    throws: int
    exact: int
    doubted: int
    silent_wrong: int
    spread: float
    camera: str
    firmware: str
    latency_ms: LatencyMs
    alone: ThrowTally | None = None


Stages = tuple[float, float, float, float]


class ThrowSeen(msgspec.Struct, frozen=True):
    """A throw: the ``kinds`` on the tray, the numbers ``told`` with their chances, its stages in ms."""

    kinds: tuple[int, ...]
    told: tuple[tuple[int, float], ...]
    stages: Stages | None


def measure(
    seed: int,
    throws: int,
    *,
    camera: bool = False,
    say: Callable[[str], None] = print,
) -> Throws:
    """Make ``throws`` throws; ``say`` gets the progress. Raises RuntimeError if a part fails."""
    drawn = DrawnCamera(seed) if camera else None
    stages: list[Stages] = []
    alone: list[tuple[bool, bool]] = []
    fused: list[tuple[bool, bool]] = []
    with TemporaryDirectory() as folder, ExitStack() as closing:
        box = _PlayingBox(Path(folder), seed, closing)
        for one, there in islice(box.throws(), throws):
            if one.stages:
                stages.append(one.stages)
            asked = len(one.told) != 1
            alone.append((asked, not asked and one.told[0][0] == len(one.kinds)))
            if drawn:
                best, asked = drawn.reads(one.kinds, there, dict(one.told))
                fused.append((asked, best == bags.bag(one.kinds)))
            if not alone[-1][0] and not alone[-1][1]:
                say(f"silently wrong: {one.told} of {len(one.kinds)}")
            if len(alone) % SAID == 0:
                say(str(_count_throws(alone)) + (f", with a camera {_count_throws(fused)}" if drawn else ""))
    whole = _count_throws(fused if drawn else alone)
    return alike(
        Throws,
        whole,
        seed=seed,
        spread=SPREAD,
        camera="modelled" if drawn else "none",
        firmware=find_interpreter()[1],
        latency_ms=_compute_latency(stages),
        alone=_count_throws(alone) if drawn else None,
    )


def _count_throws(read: Sequence[tuple[bool, bool]]) -> ThrowTally:
    """Count throws, each a pair: True if it was doubted, True if it was right."""
    doubted = sum(asked for asked, _ in read)
    exact = sum(right and not asked for asked, right in read)
    return ThrowTally(len(read), exact, doubted, len(read) - exact - doubted)


def _compute_latency(stages: Sequence[Stages]) -> LatencyMs:
    totals = [sum(one) for one in stages]
    columns = [*zip(*stages, strict=True), totals] if stages else [[0.0]] * 5
    return LatencyMs(*((round(statistics.median(each), 1), round(max(each), 1)) for each in columns))


def count_in(table: WeighedTable) -> PieceCalibration:
    """Return the calibration after :data:`COUNTED_IN` pieces laid on the empty tray one by one."""
    settling = Settling(table.cell.mg_per_count, tray_mg=round(table.cell.tray_mg))
    calibrating = Calibrating(PieceCalibration())
    for piece in range(COUNTED_IN + 1):
        if piece:
            table.lay([piece % KINDS])
        rests = settling.rests
        while settling.rests == rests or table.ms < 1000:
            for sample in table.run(STEP_MS):
                settling.feed(sample.raw, sample.ms)
        calibrating.rests(Weight(settling.mg, settling.sd_mg, rests=True))
    table.take(table.tray)
    return calibrating.calibration


class _PlayingBox:
    """A simulated box, the node under its tray, and a player."""

    def __init__(self, folder: Path, seed: int, closing: ExitStack) -> None:
        self._rng = Random(f"throws {seed}")
        self._game = engines.game(readers.find_game_asking(WHAT))
        # The match's world draws what comes out of the tower: here all thrown pieces fall.
        self._table = WeighedTable(seed, spread=SPREAD, tower=SimulatedTower(out=1.0))
        self._screen = folder / "screen.png"
        state = folder / "state"
        state.mkdir()
        facts = [*_COMMAND, "facts", self._game.id, "sample", "--state", str(state)]
        subprocess.run(facts, check=True, stdout=subprocess.DEVNULL)
        copy = CopyFile.of(state, self._game.id, Texts.load("en", self._game.id))
        self._setup = copy.settled(Setup(seats=PLAYERS))
        save(state / "sensors" / "scale", f"line:{NODE}", count_in(self._table))
        config = folder / "podesta.toml"
        config.write_text(
            '[[line]]\nurl = "simulated:1"\n[[line]]\nurl = "simulated:2"\nkeys = ["player"]\n'
            f'[[scale]]\nsource = "line:{NODE}"\n'
            f'[display]\ndriver = "offscreen"\npath = "{self._screen}"\n'
        )
        log = closing.enter_context((folder / "log").open("wb"))
        box = subprocess.Popen(
            [*_COMMAND, "run", "--simulate", "--config", config, "--state", state, "--port", "0"],
            stdout=log,
            stderr=log,
        )
        closing.callback(box.wait)
        closing.callback(box.terminate)
        ports = [state / "line-node", state / "line2-node"]
        why = f"the box did not start, see {folder / 'log'}"
        _wait_until(lambda: all(port.exists() for port in ports), why)
        self._player = NodePlayer(ports[1], "player")
        closing.callback(self._player.close)
        cell = self._table.cell
        (folder / "node").mkdir()
        # The node was used before, and knows its zero.
        (folder / "node" / "zero.txt").write_text(f"{cell.tray_mg / cell.mg_per_count:.0f}")
        self._node = closing.enter_context(SimulatedNode(find_interpreter()[0], ports[0], folder / "node"))
        self._run(2000)
        self._wait_settled("the node was not answered")

    def throws(self) -> Iterator[tuple[ThrowSeen, bags.Bag]]:
        """Yield each throw, match after match, with all pieces that could have come out."""
        while True:
            names = ",".join(f"Player {number}" for number in range(1, PLAYERS + 1))
            self._player.do(f"open {self._game.id} {names}")
            played = play_random(self._game, self._game.rules.start(self._setup), self._rng)
            waits = ""
            for asked, step in list_whole_steps(self._game, played):
                if asked.question == WHAT and isinstance(asked.domain, Multiset):
                    # All but the last entry come before the next throw: the record, too, has an empty tray.
                    if self._table.tray:
                        self._clear()
                    self._player.do(waits)
                    yield self._throw(asked.domain.read(step.text)), asked.domain.caps or 0
                elif waits:
                    self._player.do(waits)
                waits = f"step {step.text}" if step.seat is None else f"step {SEATS[step.seat]}: {step.text}"
            self._player.do(waits)
            self._clear()
            self._table.tidy()

    def _throw(self, out: bags.Bag) -> ThrowSeen:
        """Make a throw that lets these pieces out, and wait until all of it is read."""
        table, node = self._table, self._node
        self._player.do("key turn +1")  # the player has read the text on the screen
        self._player.events.clear()
        table.throw(bags.elements(out))
        thrown_ms = landed_ms = table.ms
        rest: tuple[int, float] | None = None
        lying = table.mg
        while rest is None or table.ms < thrown_ms + FALLS_MS:
            for sample in table.run(STEP_MS):
                if table.mg != lying:
                    lying, landed_ms, rest = table.mg, sample.ms, None
                lamp = node.feed(sample.ms, sample.raw, sample.gates)
                # For a moment after a piece has landed the lamp still shows the state before.
                if lamp not in ("telling", "rest") or sample.ms < landed_ms + LANDED_MS:
                    rest = None
                elif rest is None:
                    rest = sample.ms, time.monotonic()
        at_once = self._wait_settled("the weight was not told")
        answered = time.monotonic()
        told, read = self._wait_last_reading(len(table.tray))
        shown = self._find_screen_change(rest[1])
        stages = None
        if told and shown and at_once:
            settles = float(rest[0] - landed_ms)
            times = (rest[1], answered, read, shown)
            line, records, screen = (max(0.0, 1000 * (b - a)) for a, b in pairwise(times))
            stages = settles, line, records, screen
        return ThrowSeen(table.tray, told, stages)

    def _wait_last_reading(self, lying: int) -> tuple[tuple[tuple[int, float], ...], float]:
        """Return the last number read and its time; no number if there was none."""
        told: tuple[tuple[int, float], ...] = ()
        at = time.monotonic()
        end = at + (PATIENCE_S if lying else QUIET_S)
        while (left := end - time.monotonic()) > 0:
            event = self._player.event(left)
            if event and (read := _READ.fullmatch(event)):
                told = tuple((int(n), float(chance)) for chance, n in _TOTAL.findall(read[2]))
                at = time.monotonic()
                if told[0][0] == lying:
                    break
                if len(told) > 1:  # otherwise it is wrong or only late
                    end = min(end, at + QUIET_S)
        return told, at

    def _find_screen_change(self, since: float) -> float | None:
        """Return the time when the screen's picture changed, None if it did not."""
        begun = time.time() - (time.monotonic() - since)
        for _ in range(int(QUIET_S / LOOK_S)):
            if (changed := self._screen.stat().st_mtime) > begun:
                return since + changed - begun
            time.sleep(LOOK_S)
        return None

    def _clear(self) -> None:
        """Take everything off the tray, and wait until the box knows."""
        self._table.take(self._table.tray)
        self._run(1500)
        self._wait_settled("the empty tray was not told")

    def _run(self, ms: int) -> None:
        for sample in self._table.run(ms):
            self._node.feed(sample.ms, sample.raw, sample.gates)

    def _wait_settled(self, why: str) -> bool:
        """Wait until the box knows that the tray rests; return False if the node had to repeat that.

        Time runs faster here than for the box, which may be too busy: the node repeats it a second later.
        """
        at_once = True
        end = time.monotonic() + PATIENCE_S
        while self._node.settle(PATIENCE_S) != "rest":
            if time.monotonic() > end:
                raise RuntimeError(why)
            at_once = False
            time.sleep(BUSY_S)
            self._run(1000)
        return at_once


def find_interpreter() -> tuple[str, str]:
    """Return the interpreter and its name: ``$PODESTA_MICROPYTHON``, an installed one, or this Python."""
    found = os.environ.get("PODESTA_MICROPYTHON") or shutil.which("micropython")
    return (found, "MicroPython") if found else (sys.executable, "Python, not MicroPython")


_COMMAND: Final = (sys.executable, "-P", "-m", "device.cli")


def _wait_until(done: Callable[[], bool], why: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not done():
        if time.monotonic() > end:
            raise RuntimeError(why)
        time.sleep(LOOK_S)
