"""The most probable contents of a tray, from the pieces seen, their number, and the possible contents.

Every piece seen is one of twelve colours, with the chances that a camera gives it, or none. By Bayes the
chance of some contents is the sum over all ways of giving each piece a colour that make these contents, times
the agreement of their number with the :data:`.Total`, over the same sum for all contents that conservation
allows (MK-4.2).

The sum covers everything that can matter. The rest is bounded, and the bound is reported: every chance is
proven from below, and none is larger by more than ``slack``. A clear reading has a slack below a billionth. A
reading too vague to go through all its contents in the time has a large one, and no chance in it is large.

The pieces are taken one after the other. Instead of the ways the sum keeps the contents so far, each with the
sum of its ways, so that ways to the same contents meet. Contents so far are one int. It has a lane for each
colour with the number of further pieces that there may be, and above it a bit that goes once there are too
many; above the colours it has the number of pieces. Most pieces are nearly sure. So all contents are relative
to those in which every piece is its likeliest outcome; going on with that costs nothing, and only the less
likely outcomes have to be gone through. The unlikeliest are dropped, and the most that they could still have
come to is added up: that sum is a bound on everything missing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from heapq import nlargest
from operator import itemgetter

import msgspec

from engines import bags
from engines.bags import Bag
from vision.scale import Total
from vision.tray.palette import KINDS

MOST_PIECES = 60
"""The most pieces seen; more are refused."""
OTHERS = 5
"""The number of runners-up to report."""
EFFORT = 25_000
"""The most contents to look at: a bound that only vague readings reach."""
SLACK = 1e-9
"""The slack to get below if the effort allows."""
GROWTH = 4.0
"""The approximate factor of effort for dropping only outcomes below a tenth of the share."""
MOST_TENTHS = 3
"""The most such steps at once, since that is a guess."""
LEAST_EFFORT = 30
"""The effort of a run that finds nearly nothing."""
SCAN = 8
"""The number of contents passed over in the time of finding one."""

_COUNT = bags.LANE * KINDS
_ONE = 1 << _COUNT
_GUARD = 0x80
_GUARDS = sum(bags.one(kind, _GUARD) for kind in range(KINDS))
_ROOM = sum(bags.one(kind, _GUARD - 1) for kind in range(KINDS))
_value = itemgetter(1)


class SeenKeshi(msgspec.Struct, frozen=True):
    """A thing that may be a keshi: its chances of each colour, in the order of the game's own.

    ``colours`` are relative, they need not sum to 1. ``chance`` is the chance that it is a keshi at all.
    """

    colours: tuple[float, ...]
    chance: float = 1.0


class TrayContents(msgspec.Struct, frozen=True):
    """Possible contents of a tray, and their chance, proven from below."""

    keshis: Bag
    chance: float


class Reconciled(msgspec.Struct, frozen=True):
    """The most probable contents and the runners-up, the likeliest first.

    No chance is larger than reported by more than ``slack``. ``best`` is None if nothing agrees with all that
    is known, or, with a ``slack``, if nothing was found that does. ``number`` is the chance that as many lie
    there as in the best. ``evidence`` is the chance that the pieces are possible contents, of any kind:
    weighed by the total if there is one, otherwise 0 to 1.
    """

    best: TrayContents | None
    others: tuple[TrayContents, ...] = ()
    slack: float = 0.0
    number: float = 0.0
    evidence: float = 0.0

    @property
    def told(self) -> tuple[TrayContents, ...]:
        """The best and the others."""
        return (self.best, *self.others) if self.best else ()


def reconcile(
    room: Bag,
    pieces: Sequence[SeenKeshi],
    total: Total | None = None,
    effort: int = EFFORT,
    slack: float = SLACK,
) -> Reconciled:
    """Find the likeliest contents of a tray that can hold ``room`` at most.

    ``total`` weighs every number of pieces, all alike by default; a number beyond its end is impossible. The
    search ends at this ``slack``. See the module for its exactness. Raises ValueError for invalid chances,
    and for more than :data:`MOST_PIECES` pieces.
    """
    if len(pieces) > MOST_PIECES:
        raise ValueError(f"{len(pieces)} pieces on a tray; at most {MOST_PIECES}")
    for number, piece in enumerate(pieces, 1):
        _check(number, piece)
    if total is not None and not all(0 <= chance < math.inf for chance in total):
        raise ValueError("a total with a place that is no chance")
    most = len(pieces)
    caps = tuple(min(bags.count(room, kind), most) for kind in range(KINDS))
    weights = (1.0,) * (most + 1) if total is None else (*total, *(0.0,) * (most + 1))[: most + 1]
    top = max(weights)
    ordered, scarce = _order(pieces, caps)
    rows = _make_rows(map(_find_chances, ordered), caps)
    if not top or rows is None:
        return Reconciled(None)
    tray = TrayWays(tuple(rows), caps, tuple(one / top for one in weights), scarce)
    found = _sum_up(tray, effort, slack)
    whole = math.fsum(found.ends.values()) + found.lost
    ranked = nlargest(1 + OTHERS, found.ends.items(), key=lambda one: (one[1], one[0]))
    best, *others = (TrayContents(keshis, value / whole) for keshis, value in ranked) if ranked else (None,)
    count = bags.total(best.keshis) if best else 0
    same = math.fsum(value for keshis, value in found.ends.items() if bags.total(keshis) == count)
    evidence = whole * top * math.prod(row.most for row in rows)
    return Reconciled(best, tuple(others), found.slack, same / whole if best else 0.0, evidence)


def _find_chances(piece: SeenKeshi) -> Chances:
    """Return the chance that a piece is none, and those that it is one of each colour."""
    whole = math.fsum(piece.colours)
    return 1 - piece.chance, [piece.chance * weight / whole for weight in piece.colours]


def _check(number: int, piece: SeenKeshi) -> None:
    """Raise ValueError for invalid chances; ``number`` counts from 1."""
    if len(piece.colours) != KINDS:
        raise ValueError(f"piece {number}: {len(piece.colours)} chances for {KINDS} colours")
    if not all(0 <= chance < math.inf for chance in piece.colours) or not any(piece.colours):
        raise ValueError(f"piece {number}: chances of colours must not be below 0, nor all 0")
    if not 0 <= piece.chance <= 1:
        raise ValueError(f"piece {number}: chance {piece.chance} must be from 0 to 1")


def _order(pieces: Sequence[SeenKeshi], caps: Sequence[int]) -> tuple[list[SeenKeshi], int]:
    """Order the pieces so that the contents so far stay few, and count the scarce ones.

    A colour is scarce if at least as many pieces most likely have it as there can be. Scarce pieces come
    first, since contents without room for them need not be followed further. Among these, colours with too
    many pieces come last: the possible others are known by then. In each group the surest come first.
    """
    likeliest = [max(range(KINDS), key=piece.colours.__getitem__) for piece in pieces]
    room = [caps[kind] - likeliest.count(kind) for kind in likeliest]

    def rank(at: int) -> tuple[bool, bool, float]:
        piece = pieces[at]
        sure = max(piece.colours) / sum(piece.colours) * piece.chance
        return room[at] > 0, room[at] < 0, -max(sure, 1 - piece.chance)

    return [pieces[at] for at in sorted(range(len(pieces)), key=rank)], sum(left <= 0 for left in room)


# The sums


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


def _make_rows(pieces: Iterable[Chances], caps: Sequence[int]) -> list[PieceWays] | None:
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
            (_encode(kind, copies) - _encode(*base[1:]), chance / most) for chance, kind, copies in outcomes
        )
        found.append(PieceWays(_encode(*base[1:]), most, others, (numbers[0], numbers[1])))
    return found


def _encode(kind: int, copies: int) -> int:
    """Return the addition of ``copies`` of a colour to the contents so far."""
    return copies * (_ONE - bags.one(kind))


def _sum_up(tray: TrayWays, effort: int, slack: float = SLACK) -> Sums:
    """Return the sums with the least slack that the effort allows, or one below ``slack``.

    Finding new contents takes 1 of the effort.
    """
    ahead = _look_ahead(tray)
    found, share, left = Sums({}, 1.0), 1.0, effort
    while True:
        run = _Run(tray, ahead, left)
        finer = run.sum_up(share)
        if finer and finer.slack <= found.slack:
            found = finer
        left -= run.taken
        tenths = math.log(max(left, 1) / max(run.taken, LEAST_EFFORT), GROWTH)
        if finer is None or found.slack <= slack or tenths < 1:
            return found
        share /= 10 ** min(int(tenths), MOST_TENTHS)


class _Run:
    """One run of the sums: the contents so far, relative to all taken pieces being their bases."""

    def __init__(self, tray: TrayWays, ahead: Sequence[Sequence[float]], effort: int) -> None:
        self.tray = tray
        self.ahead = ahead
        self.effort = effort
        self.cap = sum(bags.one(kind, cap) for kind, cap in enumerate(tray.caps))
        self.layer = {_GUARDS + self.cap: 1.0}
        self.done = 0
        self.lost = 0.0
        self.taken = 0

    def sum_up(self, share: float) -> Sums | None:
        """Return the sums without outcomes below a share of all; None if that takes more than the effort."""
        tray, least = self.tray, 0.0
        for at, row in enumerate(tray.rows):
            if at <= tray.scarce:
                least = max(least, share * self._forget(self.ahead[at]))
            self._take(row, least, max(self.ahead[at + 1]))
            if self.taken > self.effort:
                return None
        self._forget(tray.weights)
        ends = {}
        for state, value in self.layer.items():
            end = state + self.done
            ends[self.cap - (end & _ROOM)] = value * tray.weights[end >> _COUNT]
        return Sums(ends, self.lost)

    def _forget(self, ahead: Sequence[float]) -> float:
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


def _look_ahead(tray: TrayWays) -> list[list[float]]:
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
