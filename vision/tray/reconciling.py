"""The most probable contents of a tray, from the pieces seen, their number, and the possible contents.

Every piece seen is one of twelve colours, with the chances that a camera gives it, or none. By Bayes the
chance of some contents is the sum over all ways of giving each piece a colour that make these contents, times
the agreement of their number with the :data:`.Total`, over the same sum for all contents that conservation
allows (MK-4.2).

The sum covers everything that can matter (:mod:`.ways`). The rest is bounded, and the bound is reported:
every chance is proven from below, and none is larger by more than ``slack``. A clear reading has a slack
below a billionth. A reading too vague to go through all its contents in the time has a large one, and no
chance in it is large.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from heapq import nlargest

import msgspec

from engines import bags
from engines.bags import Bag
from vision.tray import ways
from vision.tray.counting import Total
from vision.tray.prior import KINDS

MOST_PIECES = 60
"""The most pieces seen; more are refused."""
OTHERS = 5
"""The number of runners-up to report."""
EFFORT = 25_000
"""The most contents to look at: a bound that only vague readings reach."""


class SeenKeshi(msgspec.Struct, frozen=True):
    """A thing that may be a keshi: its chances of each colour, in the order of :data:`.COLOURS`.

    ``colours`` are relative, they need not sum to 1. ``chance`` is the chance that it is a keshi at all.
    """

    colours: tuple[float, ...]
    chance: float = 1.0


def unnoticed(chance: float) -> SeenKeshi:
    """Return a keshi of any colour that nobody saw, under another or beside the picture.

    Without such a piece a reading with a scale would take the pieces seen for all of them, whatever the scale
    counts.
    """
    return SeenKeshi((1.0,) * KINDS, chance)


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
    inside: Bag,
    thrown: Bag,
    pieces: Sequence[SeenKeshi],
    total: Total | None = None,
    effort: int = EFFORT,
    slack: float = ways.SLACK,
) -> Reconciled:
    """Find the likeliest contents of a tray below a tower with ``inside`` into which ``thrown`` was thrown.

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
    room = inside + thrown
    most = len(pieces)
    caps = tuple(min(bags.count(room, kind), most) for kind in range(KINDS))
    weights = (1.0,) * (most + 1) if total is None else (*total, *(0.0,) * (most + 1))[: most + 1]
    top = max(weights)
    ordered, scarce = _ordered(pieces, caps)
    rows = ways.rows(map(_chances, ordered), caps)
    if not top or rows is None:
        return Reconciled(None)
    tray = ways.TrayWays(tuple(rows), caps, tuple(one / top for one in weights), scarce)
    found = ways.sums(tray, effort, slack)
    whole = math.fsum(found.ends.values()) + found.lost
    ranked = nlargest(1 + OTHERS, found.ends.items(), key=lambda one: (one[1], one[0]))
    best, *others = (TrayContents(keshis, value / whole) for keshis, value in ranked) if ranked else (None,)
    count = bags.total(best.keshis) if best else 0
    same = math.fsum(value for keshis, value in found.ends.items() if bags.total(keshis) == count)
    evidence = whole * top * math.prod(row.most for row in rows)
    return Reconciled(best, tuple(others), found.slack, same / whole if best else 0.0, evidence)


def _chances(piece: SeenKeshi) -> ways.Chances:
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


def _ordered(pieces: Sequence[SeenKeshi], caps: Sequence[int]) -> tuple[list[SeenKeshi], int]:
    """Order the pieces so that the contents so far stay few, and count the scarce ones.

    A colour is scarce if at least as many pieces most likely have it as there can be. Scarce pieces come
    first, since contents without room for them need not be followed further. Among these, colours with too
    many pieces come last: the possible others are known by then. In each group the surest come first.
    """
    likeliest = [max(range(KINDS), key=piece.colours.__getitem__) for piece in pieces]
    room = [caps[kind] - likeliest.count(kind) for kind in likeliest]

    def late(at: int) -> tuple[bool, bool, float]:
        piece = pieces[at]
        sure = max(piece.colours) / sum(piece.colours) * piece.chance
        return room[at] > 0, room[at] < 0, -max(sure, 1 - piece.chance)

    return [pieces[at] for at in sorted(range(len(pieces)), key=late)], sum(left <= 0 for left in room)
