"""A simulated tray on a load cell: pieces, a cube tower that keeps some, two gates, a converter's samples.

It is seeded, and runs as fast as its reader: time is the samples' own. Act on the table
(:meth:`WeighedTable.throw`, :meth:`WeighedTable.take`, the faults), then take the samples of the next while::

    table = WeighedTable(seed=1)
    for sample in table.run(2000): ...      # the empty tray, for the zero
    table.throw([0, 0, 5, 7, 7, 8])         # kinds of pieces, into the tower
    for sample in table.run(4000): print(sample)
    table.tray                              # the truth: the kinds that lie there

No tower and no cell was measured. The way pieces fall, ring, stick and miss a beam is a guess, and so are the
cell's noise, creep and drift: measurements with them are of our code only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

import msgspec

FULL: Final = 8_388_607
"""The end of a converter of 24 bits, either way."""
GATES: Final = 2
"""Beams at the mouth, one behind the other: a piece breaks both."""
CLUMP: Final = 0.1
"""The chance that a piece falls together with the one before."""
REACH_MS: Final = 300
"""The time that a hand takes to lay a piece down."""


class Swing(msgspec.Struct, frozen=True):
    """A swing of the tray: ``mg`` at first, down to a third after ``ms``, at ``hz``."""

    mg: float
    ms: float
    hz: float


LANDS: Final = Swing(6.0, 70.0, 22.0)
"""The swing of a landing piece, in weights of the piece."""
TAKES: Final = Swing(2_000.0, 160.0, 7.0)
"""The swing by fingers that take pieces off."""


class SignalSample(msgspec.Struct, frozen=True):
    """Signals of converter and gates at ``ms``; as text, a line of ``MS RAW GATES``.

    ``raw`` is None, as text ``-``, if the converter says nothing: between two samples, when only a beam
    changed, or because the cell is gone. ``gates`` has a digit for each beam, 1 while it is broken.
    """

    ms: int
    raw: int | None
    gates: str

    def __str__(self) -> str:
        return f"{self.ms} {'-' if self.raw is None else self.raw} {self.gates}"


class LoadCell(msgspec.Struct, frozen=True):
    """A cell and its converter. All errors are standard deviations.

    ``settles_mg`` is the error of a load, by friction and the place of the pieces, until the load changes; an
    empty tray has none. Each sample has ``noise_mg``. The zero wanders by ``drift_mg`` in a minute and moves
    by ``warming_mg`` a minute, and a load grows by its share ``creep`` within minutes.
    """

    mg_per_count: float = 500_000 / (0.256 * (FULL + 1))
    rate: int = 80
    tray_mg: float = 150_000.0
    noise_mg: float = 8.0
    settles_mg: float = 20.0
    drift_mg: float = 2.0
    warming_mg: float = 1.0
    creep: float = 3e-4


class SimulatedTower(msgspec.Struct, frozen=True):
    """A cube tower: the chances that a thrown piece comes out, that a stuck one does, and that a beam misses
    one; and the mean time in ms that a piece falls longer than the quickest.
    """

    out: float = 0.8
    again: float = 0.3
    missed: float = 0.02
    fall_ms: float = 350.0


class WeighedPiece(msgspec.Struct, frozen=True):
    """A piece of its kind with its own mass."""

    kind: int
    mg: float


class WeighedTable:
    """A table with a clock, and a copy of ``kinds`` × ``each`` pieces of ``mean_mg`` ± ``spread`` of it."""

    def __init__(
        self,
        seed: int,
        *,
        mean_mg: float = 540.0,
        spread: float = 0.05,
        kinds: int = 12,
        each: int = 25,
        cell: LoadCell | None = None,
        tower: SimulatedTower | None = None,
    ) -> None:
        self.ms = 0
        self.cell, self.tower = cell or LoadCell(), tower or SimulatedTower()
        self._rng = Random(f"table {seed}")
        self._supply = {
            kind: [WeighedPiece(kind, mean_mg * (1 + self._rng.gauss(0, spread))) for _ in range(each)]
            for kind in range(kinds)
        }
        self._inside: list[WeighedPiece] = []
        self._tray: list[WeighedPiece] = []
        self._landing: list[tuple[float, WeighedPiece]] = []
        self._beams: list[tuple[float, int, int]] = []  # time, gate, 1 to break or -1 to clear
        self._broken = [0] * GATES
        self._swings: list[tuple[float, Swing]] = []  # with their starts
        self._faults: dict[str, tuple[float, float]] = {}  # with start and end
        self._sign = 1
        self._next = 0.0
        self._drift = self._crept = self._settled = 0.0

    # The truth

    @property
    def tray(self) -> tuple[int, ...]:
        """The kinds that lie on the tray or fall onto it, in order."""
        return tuple(sorted(piece.kind for piece in (*self._tray, *(piece for _, piece in self._landing))))

    @property
    def inside(self) -> tuple[int, ...]:
        """The kinds that stick in the tower, in order."""
        return tuple(sorted(piece.kind for piece in self._inside))

    @property
    def mg(self) -> float:
        """The weight on the tray."""
        return math.fsum(piece.mg for piece in self._tray)

    # Acts of people

    def throw(self, kinds: Iterable[int]) -> None:
        """Throw pieces of these kinds into the tower; raises ValueError if the copy has no more of one."""
        thrown = self._from_supply(kinds)
        rng, tower = self._rng, self.tower
        before, self._inside = self._inside, []
        falls: list[WeighedPiece] = []
        for chance, pieces in ((tower.out, thrown), (tower.again, before)):
            for piece in pieces:
                (falls if rng.random() < chance else self._inside).append(piece)
        rng.shuffle(falls)
        at = self.ms + 250.0
        for piece in falls:
            if rng.random() >= CLUMP:
                at = self.ms + 250.0 + min(rng.expovariate(1 / tower.fall_ms), 6 * tower.fall_ms)
            self._fall(piece, at + rng.uniform(0, 6))

    def lay(self, kinds: Iterable[int]) -> None:
        """Lay pieces of these kinds on the tray by hand; raises ValueError as :meth:`throw`."""
        for number, piece in enumerate(self._from_supply(kinds)):
            self._land_at(self.ms + REACH_MS + 20.0 * number, piece)

    def take(self, kinds: Iterable[int]) -> None:
        """Take pieces of these kinds off the tray at once; raises ValueError if one does not lie there."""
        left = list(self._tray)
        taken = []
        for kind in kinds:
            piece = next((one for one in left if one.kind == kind), None)
            if piece is None:
                raise ValueError(f"no piece of kind {kind} lies on the tray")
            left.remove(piece)
            taken.append(piece)
        self._tray = left
        for piece in taken:
            self._supply[piece.kind].append(piece)
        self._swings.append((self.ms, TAKES))
        self._settle()

    def tidy(self) -> None:
        """Put all pieces back, including those stuck in the tower: a match is over."""
        for piece in (*self._inside, *self._tray, *(piece for _, piece in self._landing)):
            self._supply[piece.kind].append(piece)
        self._inside, self._tray, self._landing = [], [], []
        self._settle()

    def shake(self, ms: int) -> None:
        """Shake the table for ``ms``: somebody writes on it, or a train goes by."""
        self._fault("shake", ms)

    def hand(self, ms: int) -> None:
        """Rest a hand on the tray for ``ms``."""
        self._fault("hand", ms)

    def lift(self, ms: int) -> None:
        """Lift the tray off for ``ms``, with all that lies in it."""
        self._fault("lift", ms)

    def unplug(self, ms: int) -> None:
        """Unplug the cell's cable for ``ms``."""
        self._fault("unplug", ms)

    def saturate(self, ms: int) -> None:
        """Drive the converter to the end of its scale for ``ms``."""
        self._fault("saturate", ms)

    def reverse(self) -> None:
        """Swap the cell's two signal wires from now on; calling it once more swaps them back."""
        self._sign = -self._sign

    def block(self, gate: int, ms: int) -> None:
        """Block a gate, 1 or 2, for ``ms``."""
        self._beams += [(self.ms, gate, 1), (self.ms + ms, gate, -1)]
        self._beams.sort()

    # Measurements

    def run(self, ms: int) -> Iterator[SignalSample]:
        """Yield the samples of the next ``ms``, and every change of a beam in between, in order."""
        end = self.ms + ms
        while True:
            at = self._beams[0][0] if self._beams else math.inf
            if min(at, self._next) >= end:
                break
            if at <= self._next:
                _, gate, more = self._beams.pop(0)
                before = self._gates
                self._broken[gate - 1] += more
                self.ms = max(self.ms, int(at))
                if self._gates != before:
                    yield SignalSample(self.ms, None, self._gates)
            else:
                self.ms = max(self.ms, int(self._next))
                yield SignalSample(self.ms, self._raw(self._next), self._gates)
                self._next += 1000 / self.cell.rate
        self.ms = end

    @property
    def _gates(self) -> str:
        return "".join("1" if broken > 0 else "0" for broken in self._broken)

    def _raw(self, ms: float) -> int | None:
        """Return the converter's next sample; None while the cell is unplugged."""
        load = self._load(ms)
        if self._now("unplug", ms):
            return None
        if self._now("saturate", ms):
            return FULL
        raw = round(self._sign * load / self.cell.mg_per_count)
        return max(-FULL - 1, min(FULL, raw))

    def _load(self, ms: float) -> float:
        """Return the cell's load, with the tray and all errors."""
        cell, rng = self.cell, self._rng
        self._land(ms)
        step = 1 / cell.rate
        weight = self.mg
        self._drift += rng.gauss(0, cell.drift_mg * math.sqrt(step / 60)) + cell.warming_mg * step / 60
        self._crept += (cell.creep * weight - self._crept) * step / 60
        load = cell.tray_mg + weight + self._settled + self._crept + self._drift + rng.gauss(0, cell.noise_mg)
        if self._now("lift", ms):
            load -= cell.tray_mg + weight
        if self._now("shake", ms):
            load += 900 * math.sin(ms / 1000 * math.tau * 9) * rng.uniform(0.5, 1.5)
        if self._now("hand", ms):
            since = (ms - self._faults["hand"][0]) / 1000
            load += 6000 + 1500 * math.sin(since * 2.3) + 800 * math.sin(since * 7.1) + rng.gauss(0, 120)
        return load + self._swing(ms)

    def _swing(self, ms: float) -> float:
        self._swings = [(since, one) for since, one in self._swings if ms - since < 12 * one.ms]
        return math.fsum(
            one.mg * math.exp(-(ms - since) / one.ms) * math.cos((ms - since) / 1000 * math.tau * one.hz)
            for since, one in self._swings
            if since <= ms
        )

    def _land(self, ms: float) -> None:
        while self._landing and self._landing[0][0] <= ms:
            at, piece = self._landing.pop(0)
            self._tray.append(piece)
            self._swings.append((at, Swing(LANDS.mg * piece.mg, LANDS.ms, LANDS.hz)))
            self._settle()

    def _settle(self) -> None:
        self._settled = self._rng.gauss(0, self.cell.settles_mg) if self._tray else 0.0

    def _fall(self, piece: WeighedPiece, at: float) -> None:
        """Let a piece fall through the beams onto the tray."""
        rng = self._rng
        for gate in range(1, GATES + 1):
            begin = at + 30 * (gate - 1) * rng.uniform(0.7, 1.3)
            if rng.random() >= self.tower.missed:
                self._beams += [(begin, gate, 1), (begin + rng.uniform(10, 22), gate, -1)]
        self._beams.sort()
        self._land_at(at + rng.uniform(80, 130), piece)

    def _land_at(self, at: float, piece: WeighedPiece) -> None:
        self._landing.append((at, piece))
        self._landing.sort(key=lambda one: one[0])

    def _from_supply(self, kinds: Iterable[int]) -> list[WeighedPiece]:
        supply = {kind: list(pieces) for kind, pieces in self._supply.items()}
        found = []
        for kind in kinds:
            if not supply.get(kind):
                raise ValueError(f"the copy has no more pieces of kind {kind}")
            found.append(supply[kind].pop(self._rng.randrange(len(supply[kind]))))
        self._supply = supply
        return found

    def _fault(self, name: str, ms: int) -> None:
        self._faults[name] = (self.ms, self.ms + ms)

    def _now(self, name: str, ms: float) -> bool:
        since, until = self._faults.get(name, (0.0, 0.0))
        return since <= ms < until
