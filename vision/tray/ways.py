"""All ways to colour the pieces seen, summed up by the contents of the tray.

The pieces are taken one after the other. Instead of the ways it keeps the contents so far, each with the sum
of its ways, so that ways to the same contents meet. Contents so far are one int. It has a lane for each
colour with the number of further pieces that there may be, and above it a bit that goes once there are too
many; above the colours it has the number of pieces.

Most pieces are nearly sure. So all contents are relative to those in which every piece is its likeliest
outcome; going on with that costs nothing, and only the less likely outcomes have to be gone through. The
unlikeliest are dropped, and the most that they could still have come to is added up: that sum is a bound on
everything missing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import itemgetter

import msgspec

from engines import bags
from engines.bags import Bag
from vision.tray.prior import KINDS

SLACK = 1e-9
"""The slack to get below if the effort allows."""
GROWTH = 4.0
"""The approximate factor of effort for dropping only outcomes below a tenth of the share."""
MOST_TENTHS = 3
"""The most such steps at once, since that is a guess."""
LEAST = 30
"""The effort of a run that finds nearly nothing."""
SCAN = 8
"""The number of contents passed over in the time of finding one."""

_COUNT = bags.LANE * KINDS
_ONE = 1 << _COUNT
_GUARD = 0x80
_GUARDS = sum(bags.one(kind, _GUARD) for kind in range(KINDS))
_ROOM = sum(bags.one(kind, _GUARD - 1) for kind in range(KINDS))
_value = itemgetter(1)


class Sums(msgspec.Struct, frozen=True):
    """The sums of all ways by contents; at most ``lost`` is missing, anywhere. The unit is every piece being
    its row's base.
    """

    ends: dict[Bag, float]
    lost: float

    @property
    def slack(self) -> float:
        """The largest missing share of the whole, 0 to 1."""
        return self.lost / (math.fsum(self.ends.values()) + self.lost) if self.lost else 0.0


class PieceWays(msgspec.Struct, frozen=True):
    """A piece: one of its outcomes as ``base``, and the others, the likeliest first.

    The base is its addition to the contents so far. Each other outcome is its addition instead of the base,
    and its chance relative to the base's. ``numbers`` are the relative chances of being none or one, ``most``
    is the base's own chance.
    """

    base: int
    most: float
    others: tuple[tuple[int, float], ...]
    numbers: tuple[float, float]


class TrayWays(msgspec.Struct, frozen=True):
    """The pieces on a tray, and the other knowledge of it.

    ``caps`` are the most pieces of each colour, ``weights`` the worth of each number of pieces, at most 1.
    The first ``scarce`` of the ``rows`` may leave little of the chance.
    """

    rows: tuple[PieceWays, ...]
    caps: tuple[int, ...]
    weights: tuple[float, ...]
    scarce: int


Chances = tuple[float, Sequence[float]]
"""The chance that a piece is none, and those that it is one of each colour."""


def rows(pieces: Iterable[Chances], caps: Sequence[int]) -> list[PieceWays] | None:
    """Return the rows of pieces, without outcomes that conservation forbids at once; None if a piece has no
    other.

    Bases are the likeliest outcomes for which the pieces before have left room.
    """
    room = list(caps)
    found = []
    for none, ones in pieces:
        outcomes = [(none, 0, 0), *((ones[kind], kind, 1) for kind, cap in enumerate(caps) if cap)]
        outcomes = sorted((one for one in outcomes if one[0] > 0), reverse=True)
        if not outcomes:
            return None
        base = next((one for one in outcomes if one[2] <= room[one[1]]), outcomes[0])
        most, kind, copies = base
        room[kind] -= copies
        outcomes.remove(base)
        numbers = [0.0, 0.0]
        for chance, _, number in [base, *outcomes]:
            numbers[number] += chance / most
        others = tuple(
            (_step(kind, copies) - _step(*base[1:]), chance / most) for chance, kind, copies in outcomes
        )
        found.append(PieceWays(_step(*base[1:]), most, others, (numbers[0], numbers[1])))
    return found


def _step(kind: int, copies: int) -> int:
    """Return the addition of ``copies`` of a colour to the contents so far."""
    return copies * (_ONE - bags.one(kind))


def sums(tray: TrayWays, effort: int, slack: float = SLACK) -> Sums:
    """Return the sums with the least slack that the effort allows, or one below ``slack``.

    Finding new contents takes 1 of the effort.
    """
    ahead = _ahead(tray)
    found, share, left = Sums({}, 1.0), 1.0, effort
    while True:
        run = _Run(tray, ahead, left)
        finer = run.sums(share)
        if finer and finer.slack <= found.slack:
            found = finer
        left -= run.taken
        tenths = math.log(max(left, 1) / max(run.taken, LEAST), GROWTH)
        if finer is None or found.slack <= slack or tenths < 1:
            return found
        share /= 10 ** min(int(tenths), MOST_TENTHS)


class _Run:
    """One run of the sums: the contents so far, relative to all taken pieces being their bases."""

    def __init__(self, tray: TrayWays, ahead: Sequence[Sequence[float]], effort: int) -> None:
        self.tray = tray
        self.ahead = ahead
        self.effort = effort
        self.layer = {_GUARDS + sum(bags.one(kind, cap) for kind, cap in enumerate(tray.caps)): 1.0}
        self.done = 0
        self.lost = 0.0
        self.taken = 0

    def sums(self, share: float) -> Sums | None:
        """Return the sums without outcomes below a share of all; None if that takes more than the effort."""
        tray, least = self.tray, 0.0
        for at, row in enumerate(tray.rows):
            if at <= tray.scarce:
                least = max(least, share * self._alive(self.ahead[at]))
            self._take(row, least, max(self.ahead[at + 1]))
            if self.taken > self.effort:
                return None
        self._alive(tray.weights)
        cap = sum(bags.one(kind, cap) for kind, cap in enumerate(tray.caps))
        ends = {}
        for state, value in self.layer.items():
            end = state + self.done
            ends[cap - (end & _ROOM)] = value * tray.weights[end >> _COUNT]
        return Sums(ends, self.lost)

    def _alive(self, ahead: Sequence[float]) -> float:
        """Forget contents that conservation or number forbid; return the most that the rest can come to."""
        done = self.done
        self.layer = {
            state: value
            for state, value in self.layer.items()
            if (state + done) & _GUARDS == _GUARDS and ahead[(state + done) >> _COUNT]
        }
        return math.fsum(value * ahead[(state + done) >> _COUNT] for state, value in self.layer.items())

    def _take(self, row: PieceWays, least: float, ahead: float) -> None:
        """Take one more piece and drop outcomes below ``least``; ``ahead`` bounds all that can follow."""
        self.done += row.base
        if not row.others:
            return
        layer = self.layer
        big = list(layer.items())
        small = dropped = 0.0
        for step, chance in row.others:
            bar = least / chance
            self.taken += len(big) // SCAN
            rest = [one for one in big if one[1] >= bar]
            if len(rest) < len(big):
                # A difference of two sums would not do: relevant values may be far below their last digit.
                small += math.fsum(value for _, value in big if value < bar)
                big = rest
            dropped += chance * small
            place = self.done + step
            for state, value in big:
                if (state + place) & _GUARDS == _GUARDS:
                    after = state + step
                    layer[after] = layer.get(after, 0.0) + value * chance
            self.taken += len(big)
            if self.taken > self.effort:
                return
        self.lost += dropped * ahead


def _ahead(tray: TrayWays) -> list[list[float]]:
    """Sum the possible rests after each number of pieces taken and each count so far.

    They allow any number of each colour.
    """
    ahead = [list(tray.weights)]
    for row in reversed(tray.rows):
        none, one = row.numbers
        after = [*ahead[-1], 0.0]
        ahead.append([none * after[n] + one * after[n + 1] for n in range(len(tray.weights))])
    ahead.reverse()
    return ahead
