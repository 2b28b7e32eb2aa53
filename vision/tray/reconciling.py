"""The most probable contents of a tray: what was seen, how many there are, and what can have come out at all.

Every piece seen is one of twelve colours with the chances a camera gives it, or none. By Bayes the chance of
some contents is the sum over all ways of giving each piece a colour that make these contents, times how well
their number agrees with the :data:`.Total`, over the same sum for all contents that conservation lets be
(MK-4.2).

The sum is taken over everything that can matter (:mod:`.ways`), what is left out is bounded, and that bound
is told: every chance is proven from below, and none is larger by more than ``slack``. A clear reading has one
below a billionth. A reading so vague that its chance is spread over more contents than can be gone through
in the time has a large one, and no chance in it is large.
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
"""More pieces seen than this are refused."""
OTHERS = 5
"""How many runners-up are told."""
EFFORT = 25_000
"""How many contents may be looked at: a bound, met by vague readings only."""


class SeenKeshi(msgspec.Struct, frozen=True):
    """One thing that may be a keshi: how likely it has each colour, in the order of :data:`.COLOURS`.

    ``colours`` are relative, they need not sum to 1. ``chance`` is how likely it is a keshi at all.
    """

    colours: tuple[float, ...]
    chance: float = 1.0


def unnoticed(chance: float) -> SeenKeshi:
    """Return a keshi that nobody saw, of any colour: under another, or beside the picture.

    Without such a piece a reading with a scale would take the pieces seen for all there are, however many the
    scale finds.
    """
    return SeenKeshi((1.0,) * KINDS, chance)


class TrayContents(msgspec.Struct, frozen=True):
    """Possible contents of a tray, and how likely they are, proven from below."""

    keshis: Bag
    chance: float


class Reconciled(msgspec.Struct, frozen=True):
    """The most probable contents and the runners-up, the likeliest first.

    No chance is larger than told by more than ``slack``. ``best`` is None where nothing agrees with all that
    is known; with a ``slack``, where nothing was found that does. ``number`` is how likely as many lie there
    as in the best. ``evidence`` is how likely the pieces are what can lie there, whatever of it: weighed by
    the total where there is one, else 0 to 1.
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
    """Find the likeliest contents of a tray, for a tower with ``inside`` into which ``thrown`` was thrown.

    ``total`` weighs every number of pieces, all alike by default; a number beyond its end is impossible. A
    ``slack`` as large is good enough. See the module for what is exact. Raises ValueError for what is no
    chance, and for more than :data:`MOST_PIECES` pieces.
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
    """Return the chances of a piece to be none, and to be one of each colour."""
    whole = math.fsum(piece.colours)
    return 1 - piece.chance, [piece.chance * weight / whole for weight in piece.colours]


def _check(number: int, piece: SeenKeshi) -> None:
    """Raise ValueError for chances that are none; ``number`` counts from 1."""
    if len(piece.colours) != KINDS:
        raise ValueError(f"piece {number}: {len(piece.colours)} chances for {KINDS} colours")
    if not all(0 <= chance < math.inf for chance in piece.colours) or not any(piece.colours):
        raise ValueError(f"piece {number}: chances of colours must not be below 0, nor all 0")
    if not 0 <= piece.chance <= 1:
        raise ValueError(f"piece {number}: chance {piece.chance} must be from 0 to 1")


def _ordered(pieces: Sequence[SeenKeshi], caps: Sequence[int]) -> tuple[list[SeenKeshi], int]:
    """Order the pieces so that the contents so far stay few, and count how many of them are scarce.

    Scarce is a colour that as many pieces or more most likely have as there can be. Its pieces come first,
    for what has no room beside them need not be followed further; and of those the ones of which some must be
    something else come last: what that can be is known by then. In each group the surest come first.
    """
    likeliest = [max(range(KINDS), key=piece.colours.__getitem__) for piece in pieces]
    room = [caps[kind] - likeliest.count(kind) for kind in likeliest]

    def late(at: int) -> tuple[bool, bool, float]:
        piece = pieces[at]
        sure = max(piece.colours) / sum(piece.colours) * piece.chance
        return room[at] > 0, room[at] < 0, -max(sure, 1 - piece.chance)

    return [pieces[at] for at in sorted(range(len(pieces)), key=late)], sum(left <= 0 for left in room)
