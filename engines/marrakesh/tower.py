"""The cube tower's ledger: what is inside, colour by colour (MK-4).

What lies on the tray after a throw came from what was inside before and what was thrown; the rest is inside
now (MK-4.2), and the tower is never emptied (MK-4.3). What a camera and a scale say of a tray is weighed
against it by :func:`reconcile`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engines import bags
from engines.bags import Bag
from engines.marrakesh.counting import Total, about, said
from engines.marrakesh.keshis import KINDS, keshis, named
from engines.marrakesh.reconciling import Contents, Reconciled, Seen, reconcile, unnoticed

__all__ = [
    "Contents",
    "Odometer",
    "Reconciled",
    "Seen",
    "Throw",
    "Total",
    "about",
    "keshis",
    "named",
    "odometer",
    "reconcile",
    "said",
    "unnoticed",
]


class Throw(msgspec.Struct, frozen=True):
    """What was thrown into the tower, and what then lay on the tray."""

    thrown: Bag
    tray: Bag


class Odometer(msgspec.Struct, frozen=True):
    """What a tower did in some throws.

    ``thrown`` keshis went in; ``released`` came out, throw by throw; ``inside`` is left. ``waiting`` says by
    kind in how many throws the oldest of it can have stayed at most, 0 where none is inside.
    """

    thrown: int
    released: tuple[int, ...]
    inside: Bag
    waiting: tuple[int, ...]


def odometer(throws: Sequence[Throw]) -> Odometer:
    """What all these throws together did, the tower being empty before the first."""
    inside, waiting = 0, [0] * KINDS
    for throw in throws:
        inside = bags.without(inside + throw.thrown, throw.tray)
        left = bags.counts(inside, KINDS)
        waiting = [n + 1 if there else 0 for n, there in zip(waiting, left, strict=True)]
    return Odometer(
        sum(bags.total(throw.thrown) for throw in throws),
        tuple(bags.total(throw.tray) for throw in throws),
        inside,
        tuple(waiting),
    )
