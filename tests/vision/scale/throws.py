"""Throws by the hundred thousand: how often a count is exact, doubted, or wrong and not doubted.

``python -m tests.vision.scale.throws [THROWS [SEED]]`` prints the tables of ``hardware/tray/COUNTING.md`` but
those of gates and of a second cell.
Every throw has a copy of its own, counted in anew: the error of the calibration is in every figure. It is
counted by the code in use, on arrays; :mod:`tests.vision.scale.test_throws` compares the two throw by throw.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import hypot

import numpy as np
from msgspec import Struct

from device.sensors.readers.tray import DrawnCamera, judge
from engines import bags
from engines.marrakesh.pieces import KINDS
from vision.scale import NOISE_MG, START, SURE, Guesses, PieceCalibration, chances, count_pieces

MEAN = 500.0
NUMBERS = range(3, 17)
SPREADS = (0.03, 0.05, 0.06, 0.08, 0.10)
AT_ONCE = 10_000
"""Throws in one go: what fits a cache is quicker."""


class Tally(Struct, frozen=True):
    """Of so many throws, how many were doubted, and how many wrong and not doubted."""

    throws: int
    doubted: int
    silent: int

    @property
    def doubt(self) -> float:
        return self.doubted / self.throws

    @property
    def wrong(self) -> float:
        """In 100,000 throws."""
        return 1e5 * self.silent / self.throws

    def __str__(self) -> str:
        return f"{100 * self.doubt:.1f} % · {self.wrong:.0f}"


def tally(found: np.ndarray, truth: int) -> Tally:
    """Return what comes of totals, one a row."""
    sure = found.max(axis=-1) >= SURE
    return Tally(len(found), int((~sure).sum()), int((sure & (found.argmax(axis=-1) != truth)).sum()))


def added(tallies: Iterable[Tally]) -> Tally:
    rows = [(one.throws, one.doubted, one.silent) for one in tallies]
    return Tally(*(sum(column) for column in zip(*rows, strict=True)))


def moved(total: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return the chance of each count after a step, both along their last axis; the rest is lost."""
    found = np.zeros_like(total)
    places = total.shape[-1]
    for by in range(min(places, step.shape[-1])):
        found[..., by:] += step[..., by, None] * total[..., : places - by]
    return found


class Throws:
    """So many throws, each with pieces of a copy of its own that vary by ``spread``.

    Each copy was counted in: ``singles`` pieces one by one, each weighed give or take ``singly`` mg, taken
    for ``told``; then batches of so many that people confirmed, as they are weighed in play.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        throws: int,
        spread: float,
        singles: int = 20,
        singly: float = NOISE_MG,
        batches: Sequence[int] = (),
        told: float | None = None,
    ) -> None:
        self.rng, self.throws, self.spread = rng, throws, spread
        shape = (throws, len(START.spreads))
        guesses = Guesses(START.spreads, *(np.broadcast_to(one, shape) for one in START[1:]))
        for _ in range(singles):
            mg = self.weigh(self.masses(1), singly)[:, None]
            guesses = guesses.learnt(mg, 1, singly if told is None else told)
        for number in batches:
            guesses = guesses.learnt(self.weigh(self.masses(number))[:, None], number, NOISE_MG)
        self.guesses = guesses

    def masses(self, number: int) -> np.ndarray:
        """The masses of ``number`` pieces, a row a throw."""
        return MEAN * (1 + self.spread * self.rng.standard_normal((self.throws, number)))

    def weigh(self, masses: np.ndarray, noise: float = NOISE_MG) -> np.ndarray:
        return masses.sum(axis=1) + noise * self.rng.standard_normal(self.throws)

    def totals(self, mg: np.ndarray, most: int, noise: float = NOISE_MG) -> np.ndarray:
        """The chances of each count from 0 to ``most``."""
        parts = (slice(begin, begin + AT_ONCE) for begin in range(0, self.throws, AT_ONCE))
        return np.concatenate([chances(mg[part], noise, self.of(part), most) for part in parts])

    def of(self, part: slice) -> Guesses:
        return Guesses(self.guesses.spreads, *(one[part] for one in self.guesses[1:]))

    # Ways to count

    def alone(self, number: int) -> Tally:
        """By the weight of the tray."""
        return tally(self.totals(self.weigh(self.masses(number)), number + 5), number)

    def removing(self, number: int, noise: float = NOISE_MG) -> Tally:
        """By everything that was taken off, two and one by turns until nothing is left."""
        return tally(self.first(self.loads(number, noise), number + 5, noise), number)

    def loads(self, number: int, noise: float = NOISE_MG) -> list[np.ndarray]:
        """Return what is weighed at each step of that."""
        masses = self.masses(number)
        ends = sorted({*range(0, number, 3), *range(2, number, 3), number})
        return [self.weigh(masses[:, end:], noise) for end in ends]

    def first(self, loads: Sequence[np.ndarray], most: int, noise: float = NOISE_MG) -> np.ndarray:
        """The chances of each count that lay there at first: what is left, and each take added to it."""
        found = self.totals(loads[-1], most, noise)
        for before, after in pairwise(loads):
            found = moved(found, self.totals(before - after, 6, hypot(noise, noise)))
        return found

    def camera(self, number: int, judged: int, hidden: float = 0.0) -> tuple[Tally, Tally]:
        """With the camera, judged as at the table: the contents by both and by the camera alone, of the first
        ``judged`` throws. Each has a camera over a copy of its own; beside what that camera misses, so many
        of 100 pieces are ``hidden`` from it.
        """
        mg = self.weigh(self.masses(number))
        both, alone = [], []
        for throw in range(judged):
            kinds = self.rng.integers(0, KINDS, number + 5).tolist()
            inside, lies = bags.bag(kinds), bags.bag(kinds[:number])
            shown = [kind for kind in kinds[:number] if self.rng.random() >= hidden / 100]
            reading = DrawnCamera(int(self.rng.integers(1 << 30))).sees(shown)
            total = count_pieces(float(mg[throw]), NOISE_MG, self.calibration(throw))
            for rows, found in ((both, judge(reading, inside, total)), (alone, judge(reading, inside))):
                rows.append(Tally(1, bool(found.why), not found.why and found.best != lies))
        return added(both), added(alone)

    def calibration(self, throw: int) -> PieceCalibration:
        """That of one throw, as it is kept."""
        row = (np.broadcast_to(one, self.guesses.means.shape)[throw].tolist() for one in self.guesses)
        return PieceCalibration(20, None, *map(tuple, row))


# The tables


def main() -> None:
    throws = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rng = np.random.default_rng(seed)
    print(f"{throws:,} throws a cell, seed {seed}: doubted · wrong and not doubted in 100,000")
    for singly in (5.0, NOISE_MG):
        print(f"\nAlone, 20 pieces counted in one by one, each weighed to {singly:.0f} mg")
        table({spread: Throws(rng, throws, spread, singly=singly).alone for spread in SPREADS})
    print("\nBy removal, 20 pieces counted in to 5 mg each")
    table({spread: Throws(rng, throws, spread, singly=5.0).removing for spread in SPREADS})

    decisions(np.random.default_rng(seed), throws // 10)


def decisions(rng: np.random.Generator, throws: int) -> None:
    """The smaller tables, of fewer throws."""
    print("\nSpread 5 %, throws of nine that people confirmed | 3 to 12 pieces | 9 | 12")
    for singles, singly in ((20, 5.0), (20, NOISE_MG), (40, 5.0)):
        for batches in (0, 4, 8, 16):
            one = Throws(rng, throws, 0.05, singles, singly, (9,) * batches)
            by_number = {number: one.alone(number) for number in range(3, 13)}
            columns = (added(by_number.values()), by_number[9], by_number[12])
            print(f"{singles} to {singly:.0f} mg, {batches} | " + " | ".join(map(str, columns)))

    print("\nWhat the scale takes for its error while 20 are counted in | 9 at 5 % | 7 at 10 %")
    for singly, told in ((5.0, 5.0), (5.0, 28.0), (NOISE_MG, 5.0)):
        ways = (Throws(rng, 4 * throws, spread, singly=singly, told=told) for spread in (0.05, 0.10))
        columns = [str(one.alone(number)) for one, number in zip(ways, (9, 7), strict=True)]
        print(f"{singly:.0f} mg, taken for {told:.0f} | " + " | ".join(columns))

    print(
        "\nWith the camera, 5 % | both, 20 counted in | both, 40 | and one in 100 hidden | camera alone, so"
    )
    ones = [Throws(rng, AT_ONCE, 0.05, singles, singly=5.0) for singles in (20, 40)]
    judged = max(throws // 20, 20)
    for number in (3, 6, 9, 12, 16):
        found = [one.camera(number, judged)[0] for one in ones]
        print(f"{number} | " + " | ".join(map(str, (*found, *ones[1].camera(number, judged, hidden=0.9)))))


def table(ways: dict[float, Callable[[int], Tally]]) -> None:
    """A row for each number of pieces, a column for each spread."""
    print("| pieces | " + " | ".join(f"{spread:.0%}" for spread in ways) + " |")
    print("| --- |" + " --- |" * len(ways))
    for number in NUMBERS:
        print(f"| {number} | " + " | ".join(str(count(number)) for count in ways.values()) + " |", flush=True)


if __name__ == "__main__":
    main()
