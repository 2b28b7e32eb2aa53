"""Counting the pieces on a tray by their weight, which is learnt from pieces counted in and from every count
that people confirm.

Two things are unknown: the mean mass, and the *spread*, the variation of one piece's mass as a share of the
mean. An error of the mean is the same error of the whole tray, and a spread taken for too small makes a wrong
count look sure. So a calibration is a bank of guesses, one for each spread in :data:`SPREADS`, each with its
own mean, that mean's error, and the chance that the guess is right: by Bayes, with all spreads alike at
first. ``n`` pieces weigh ``n`` × mean with a variance of ``n`` × (spread × mean)² + ``n``² × error² + the
scale's own.

Pieces weighed one by one tell most about the spread; a batch tells as much about the mean as its pieces
would.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import msgspec
import numpy as np

from vision.lens import Floats

Total = tuple[float, ...]
"""A place for every number of pieces, 0 first: its agreement with a measurement, in any unit."""

MOST_TOTAL: Final = 100
"""The greatest count to consider: more than ever lie on a tray."""
NONSENSE: Final = 1e-3
"""The chance that a source tells nothing about the pieces: something else, or a hand, is on the scale."""
SPREADS: Final = tuple(percent / 100 for percent in range(3, 16))
"""The possible spreads. No copy was weighed; cut and painted wood is thought to vary by 3 to 10 %."""
START_MG: Final = 500.0
"""The mean before any weighing, with an error as large: the first piece overrides it."""
ENOUGH: Final = 20
"""The pieces to count in before counts are worth showing."""
GOOD: Final = 40
"""The pieces to count in at leisure: then few counts are doubted (hardware/tray/COUNTING.md)."""
GROSS: Final = 1e-3
"""A weight less likely than this to be so far off contradicts a count, if another count is nearer."""
GAINS: Final = (0.5, 2.0)
"""The least and most real mg per mg of a cell; beyond, the cell is at fault."""

NOISE_MG: Final = 20.0
"""The least error of a weight (one standard deviation), from sources that a cell does not see: creep and
drift since the zero, and the place of the pieces.
"""
STRAY: Final = 1e-4
"""The chance that a weight at rest tells nothing about the pieces: something else lies there, unnoticed."""
SURE: Final = 0.995
"""A count less likely than this is doubted. The figure comes from simulated throws, not from the formula:
with it fewer than 1 in 1,000 are wrong and not doubted, for any count and spread
(``hardware/tray/COUNTING.md``).
"""
OTHERS: Final = 3
"""The number of runners-up to report."""
TOLD: Final = 1e-3
"""The least chance of a count to report."""


class Guesses(NamedTuple):
    """For each spread, along the last axis: its chance, its mean and that mean's error in mg.

    Any earlier axes are calibrations of their own, so that many can learn at once.
    """

    spreads: Floats
    chances: Floats
    means: Floats
    errors: Floats

    def weight(self, n: Floats | int, sd_mg: Floats | float) -> tuple[Floats, Floats]:
        """Return the weight of ``n`` pieces by each guess, and its variance; ``sd_mg`` is the scale's."""
        variance = n * (self.spreads * self.means) ** 2 + (n * self.errors) ** 2 + np.square(sd_mg)
        return n * self.means, variance

    def learnt(self, mg: Floats | float, n: Floats | int, sd_mg: Floats | float) -> Guesses:
        """Return the guesses after weighing ``n`` pieces, 1 or more, as ``mg``."""
        means, variance = self.weight(n, sd_mg)
        off = mg - means
        logs = np.log(self.chances) - 0.5 * (off**2 / variance + np.log(variance))
        chances = np.exp(logs - logs.max(axis=-1, keepdims=True))
        chances = np.maximum(chances / chances.sum(axis=-1, keepdims=True), 1e-30)
        gain = n * self.errors**2 / variance
        return Guesses(
            self.spreads, chances, self.means + gain * off, self.errors * np.sqrt(np.maximum(1 - n * gain, 0))
        )


START: Final = Guesses(
    np.array(SPREADS),
    np.full(len(SPREADS), 1 / len(SPREADS)),
    np.full(len(SPREADS), START_MG),
    np.full(len(SPREADS), START_MG),
)
"""The guesses before any weighing."""


class Contradiction(ValueError):
    """A weight that cannot be the ``n`` pieces that people confirmed: ``mg`` are ``like`` so many."""

    def __init__(self, mg: float, n: int, like: float) -> None:
        super().__init__(f"{n} pieces are said to lie there; {mg:.0f} mg are {like:.1f}")
        self.mg, self.n, self.like = mg, n, like


class PieceCalibration(msgspec.Struct, frozen=True):
    """Knowledge of a copy's pieces; the default knows nothing, and doubts every count.

    ``pieces`` is the number weighed so far. ``gain`` is the real mg per mg of the cell, None if no known
    weight was laid on: then all masses are the cell's own mg. The rest are the :class:`Guesses`.
    """

    pieces: int = 0
    gain: float | None = None
    spreads: tuple[float, ...] = SPREADS
    chances: tuple[float, ...] = tuple(START.chances.tolist())
    means: tuple[float, ...] = tuple(START.means.tolist())
    errors: tuple[float, ...] = tuple(START.errors.tolist())

    @classmethod
    def exact(cls, mean_mg: float, spread: float) -> PieceCalibration:
        """Return a calibration beyond doubt; raises ValueError for a mass not above 0 or a spread below 0."""
        if not (0 < mean_mg < math.inf and 0 <= spread < math.inf):
            raise ValueError(f"pieces of {mean_mg} mg that vary by {spread}")
        return cls(0, None, (spread,), (1.0,), (mean_mg,), (0.0,))

    @property
    def guesses(self) -> Guesses:
        """The bank of guesses as arrays."""
        return Guesses(*map(np.array, (self.spreads, self.chances, self.means, self.errors)))

    @property
    def mean_mg(self) -> float:
        """The likeliest mean mass of a piece."""
        return math.fsum(a * b for a, b in zip(self.chances, self.means, strict=True))

    @property
    def spread(self) -> float:
        """The spread of the pieces' mass, as a share of the mean (one standard deviation)."""
        return math.fsum(a * b for a, b in zip(self.chances, self.spreads, strict=True))

    @property
    def error(self) -> float:
        """The error of the mean, as a share of it (one standard deviation)."""
        mean = self.mean_mg
        parts = zip(self.chances, self.means, self.errors, strict=True)
        return math.sqrt(math.fsum(a * (e * e + (m - mean) ** 2) for a, m, e in parts)) / mean

    @property
    def enough(self) -> bool:
        """True once as many pieces were weighed as counting needs."""
        return self.pieces >= ENOUGH

    def real(self, mg: float) -> float:
        """Return a weight of the cell in real mg."""
        return mg * (self.gain or 1.0)

    def confirmed(self, mg: float, n: int, sd_mg: float = 0.0) -> PieceCalibration:
        """Return the calibration after ``n`` pieces, counted by people, weighed ``mg`` ± ``sd_mg``.

        No pieces teach nothing. With an error given too small, the pieces seem to vary more than they do, and
        more is doubted; given too large, they seem to vary less, and wrong counts look sure. Raises
        :class:`Contradiction` if they cannot weigh that, and ValueError for invalid numbers.
        """
        if not (math.isfinite(mg) and 0 <= sd_mg < math.inf and n >= 0):
            raise ValueError(f"{n} pieces that weigh {mg} mg, give or take {sd_mg}")
        mg, sd_mg = self.real(mg), self.real(sd_mg)
        guesses = self.guesses
        if not n:
            return self
        like = mg / self.mean_mg
        means, variance = guesses.weight(n, sd_mg)
        far = np.abs(mg - means) / np.sqrt(2 * variance)
        tail = math.fsum(a * math.erfc(z) for a, z in zip(self.chances, far.tolist(), strict=True))
        if mg <= 0 or (abs(like - n) > 0.5 and tail < GROSS):
            raise Contradiction(mg, n, like)
        return self._with(guesses.learnt(mg, n, sd_mg), self.pieces + n)

    def weighted(self, told_mg: float, known_mg: float) -> PieceCalibration:
        """Return the calibration on a cell that shows ``told_mg`` for a weight known to be ``known_mg``.

        The first time, the masses so far turn from the cell's own mg into real ones. Later the pieces keep
        their masses: only the cell has changed. Raises ValueError beyond :data:`GAINS`.
        """
        gain = known_mg / told_mg if told_mg else math.inf
        if not GAINS[0] <= gain <= GAINS[1]:
            raise ValueError(f"a weight of {known_mg} mg cannot be {told_mg} mg to the cell")
        guesses = self.guesses
        if self.gain is None and self.pieces:
            guesses = guesses._replace(means=guesses.means * gain, errors=guesses.errors * gain)
        return msgspec.structs.replace(self._with(guesses, self.pieces), gain=gain)

    def _with(self, guesses: Guesses, pieces: int) -> PieceCalibration:
        spreads, chances, means, errors = (tuple(one.tolist()) for one in guesses)
        return PieceCalibration(pieces, self.gain, spreads, chances, means, errors)


def from_batches(batches: Iterable[tuple[float, int]], sd_mg: float = 0.0) -> PieceCalibration:
    """Calibrate from batches of (mg, pieces), each weighed by itself; raises as :meth:`~.confirmed`."""
    found = PieceCalibration()
    for mg, n in batches:
        found = found.confirmed(mg, n, sd_mg)
    return found


class PieceCount(msgspec.Struct, frozen=True):
    """A count of pieces: the likeliest with its chance, and others with theirs, the likeliest first.

    With ``doubt`` people should be asked.
    """

    best: int
    chance: float
    others: tuple[tuple[int, float], ...]
    doubt: bool


def count_pieces(mg: float, sd_mg: float, calibration: PieceCalibration, most: int = MOST_TOTAL) -> Total:
    """Return the chance of each count from 0 to ``most``, all alike before, from the cell's weight.

    ``sd_mg`` is the scale's own error (one standard deviation), at least :data:`NOISE_MG`. With the chance
    :data:`STRAY` the weight is anything, a hand or a cup: a weight that fits no count leaves all of them
    possible instead of proving the least absurd one. Raises ValueError for invalid numbers.
    """
    if not (math.isfinite(mg) and 0 <= sd_mg < math.inf):
        raise ValueError(f"a weight of {mg} mg, give or take {sd_mg}")
    error = max(calibration.real(sd_mg), NOISE_MG)
    return tuple(chances(calibration.real(mg), error, calibration.guesses, most).tolist())


def weigh_said(numbers: Mapping[int, float], most: int = MOST_TOTAL) -> Total:
    """Return the chance of each count from 0 to ``most`` from somebody's chances for some, 0 to 1.

    All counts share the rest alike, at least :data:`NONSENSE`: no word proves the least absurd count.
    """
    whole = max(math.fsum(numbers.values()), 1.0)
    rest = max(1 - math.fsum(numbers.values()) / whole, NONSENSE) / (most + 1)
    chances = [numbers.get(count, 0.0) / whole + rest for count in range(most + 1)]
    total = math.fsum(chances)
    return tuple(chance / total for chance in chances)


def chances(mg: Floats | float, sd_mg: float, guesses: Guesses, most: int) -> Floats:
    """Return the chances for many weights at once, in real mg: one axis more than ``mg``, from 0 to ``most``.

    The axes of ``mg`` are those of the calibrations in ``guesses``. The sum lacks the share of a stray weight
    that counts beyond ``most`` get.
    """
    banks = Guesses(*(one[..., None, :] for one in guesses))
    means, variance = banks.weight(np.arange(most + 1.0)[:, None], sd_mg)
    off = np.asarray(mg)[..., None, None] - means
    bells = np.exp(-0.5 * off**2 / variance) / np.sqrt(2 * math.pi * variance)
    # A density per piece, so that it compares with a weight that is anything.
    fits = (banks.chances * banks.means * bells).sum(axis=-1)
    fits = (1 - STRAY) * fits
    found: Floats = (fits + STRAY / (MOST_TOTAL + 1)) / (fits.sum(axis=-1, keepdims=True) + STRAY)
    return found


def read_total(total: Total) -> PieceCount:
    """Return the likeliest count of a total that sums to 1, the runners-up, and the doubt."""
    ranked = sorted(range(len(total)), key=lambda n: -total[n])
    best, *others = ranked[: 1 + OTHERS]
    told = tuple((n, total[n]) for n in others if total[n] >= TOLD)
    return PieceCount(best, total[best], told, total[best] < SURE)
