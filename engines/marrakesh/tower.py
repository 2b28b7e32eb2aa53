"""The cube tower's ledger: what is inside, colour by colour (MK-4).

What lies on the tray after a throw came from what was inside before and what was thrown; the rest is inside
now (MK-4.2), and the tower is never emptied (MK-4.3). So one throw alone can show that a tray was read wrong
(:func:`problems`), and so can a later one: a colour comes out of which none should be inside (:func:`fold`).
What a camera and a scale say of a tray is weighed against it by :func:`reconcile`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import msgspec

from engines import bags
from engines.bags import Bag
from engines.contract import Problem
from engines.errors import BadPosition
from engines.marrakesh.counting import Total, about, both, said
from engines.marrakesh.keshis import COLOURS, EACH, KINDS, keshis, named
from engines.marrakesh.reconciling import Contents, Reconciled, Seen, reconcile, unnoticed

__all__ = [
    "Contents",
    "Ledger",
    "Miscount",
    "Odometer",
    "Reconciled",
    "Seen",
    "Suspect",
    "Throw",
    "Total",
    "about",
    "after",
    "both",
    "fold",
    "keshis",
    "named",
    "odometer",
    "problems",
    "reconcile",
    "said",
    "unnoticed",
]


class Throw(msgspec.Struct, frozen=True):
    """What was thrown into the tower, and what then lay on the tray."""

    thrown: Bag
    tray: Bag


def problems(inside: Bag, thrown: Bag, tray: Bag) -> list[Problem]:
    """Everything wrong with a throw; ``where`` is the colour, ``inside`` what was in the tower before it."""
    found: list[Problem] = []
    for kind, colour in enumerate(COLOURS):
        there, more, out = (bags.count(held, kind) for held in (inside, thrown, tray))
        if there + more > EACH:
            figures = (("colour", colour), ("inside", there), ("thrown", more), ("all", EACH))
            found.append(Problem(colour, "tower.supply", "MK-1.1", figures))
        if out > there + more:
            figures = (("colour", colour), ("tray", out), ("inside", there), ("thrown", more))
            found.append(Problem(colour, "tower.conservation", "MK-4.2", figures))
    return found


def after(inside: Bag, thrown: Bag, tray: Bag) -> Bag:
    """What is inside after a throw (MK-4.2); raises BadPosition with all the :func:`problems` it has."""
    if found := problems(inside, thrown, tray):
        told = "; ".join(
            f"{problem.check} ({problem.clause}): "
            + ", ".join(f"{name} {value}" for name, value in problem.figures)
            for problem in found
        )
        raise BadPosition(f"tower: {told}", found)
    return inside + thrown - tray


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


class Suspect(msgspec.Struct, frozen=True):
    """A throw whose tray may have been read with too many of a colour.

    ``throw`` is its number, 1 for the first. By the least correction ``least`` to ``most`` keshis of the
    colour were too many there. ``instead`` are the colours that one of them may have been, if the number of
    keshis was right; where there are none it was no keshi at all, or other readings are wrong too.
    """

    throw: int
    least: int
    most: int
    instead: tuple[str, ...]


class Miscount(msgspec.Struct, frozen=True):
    """More of a colour came out than ever went in: ``number`` more, found out in the throws ``shown``.

    Only trays up to the last of those can have been read wrong, and only such that had the colour:
    ``suspects``. One whose ``least`` is above 0 must hold an error.
    """

    colour: str
    number: int
    shown: tuple[int, ...]
    suspects: tuple[Suspect, ...]


class Ledger(msgspec.Struct, frozen=True):
    """All throws so far, added up.

    ``inside`` is what is in the tower by the least correction that explains everything; of a colour that a
    suspect keshi may have been ``instead`` there may be as many fewer. Without ``miscounts`` it is exact.
    """

    inside: Bag
    miscounts: tuple[Miscount, ...] = ()

    def problems(self) -> list[Problem]:
        """The miscounts as problems: ``where`` is the colour."""
        found = []
        for miscount in self.miscounts:
            throws = ", ".join(str(suspect.throw) for suspect in miscount.suspects)
            shown = ", ".join(map(str, miscount.shown))
            figures = (
                ("colour", miscount.colour),
                ("number", miscount.number),
                ("shown", shown),
                ("throws", throws),
            )
            found.append(Problem(miscount.colour, "tower.miscount", "MK-4.2", figures))
        return found


def fold(throws: Sequence[Throw], start: Bag = 0) -> Ledger:
    """The ledger of all throws in order, ``start`` being what was inside before the first.

    What was thrown is taken as it was recorded: everybody saw it revealed (MK-3.1). What lay on the trays was
    read. The least correction takes away as few keshis as possible, and that number is exact: every keshi
    that came out of nothing needs one that was read too many before, and one correction helps one colour.
    """
    balances = [_balance(throws, start, kind) for kind in range(KINDS)]
    miscounts = tuple(
        _miscount(balances, kind) for kind, balance in enumerate(balances) if balance.missing[-1]
    )
    inside = sum(
        bags.one(kind, balance.rest[-1] + balance.missing[-1]) for kind, balance in enumerate(balances)
    )
    return Ledger(inside, miscounts)


class _Balance(msgspec.Struct, frozen=True):
    """One colour throw by throw, the time before the first throw in place 0.

    ``out`` lay on the tray, ``rest`` is what the sums leave inside, ``missing`` how many of all read so far
    cannot have been there.
    """

    out: tuple[int, ...]
    rest: tuple[int, ...]
    missing: tuple[int, ...]

    def most_inside(self) -> list[int]:
        """What may have been inside after each throw: each error is as early as it can be."""
        read = accumulate(self.out)
        return [rest + min(so_far, self.missing[-1]) for rest, so_far in zip(self.rest, read, strict=True)]


def _balance(throws: Sequence[Throw], start: Bag, kind: int) -> _Balance:
    out = [0, *(bags.count(throw.tray, kind) for throw in throws)]
    put = [bags.count(start, kind), *(bags.count(throw.thrown, kind) for throw in throws)]
    rest = list(accumulate(more - less for more, less in zip(put, out, strict=True)))
    missing = list(accumulate((-min(left, 0) for left in rest), max))
    return _Balance(tuple(out), tuple(rest), tuple(missing))


def _miscount(balances: Sequence[_Balance], kind: int) -> Miscount:
    own = balances[kind]
    number = own.missing[-1]
    throws = range(1, len(own.out))
    shown = tuple(throw for throw in throws if own.missing[throw] > own.missing[throw - 1])
    read = list(accumulate(own.out))
    suspects = []
    for throw in throws:
        most = min(own.out[throw], number - own.missing[throw - 1])
        if most:
            elsewhere = (own.missing[by] - (read[by] - own.out[throw]) for by in range(throw, len(own.out)))
            least = max(0, *elsewhere)
            suspects.append(Suspect(throw, least, most, _instead(balances, kind, throw)))
    return Miscount(COLOURS[kind], number, shown, tuple(suspects))


def _instead(balances: Sequence[_Balance], kind: int, throw: int) -> tuple[str, ...]:
    """The colours of which one more may have come out in ``throw``: from then on one was always inside."""
    return tuple(
        COLOURS[other]
        for other, balance in enumerate(balances)
        if other != kind and min(balance.most_inside()[throw:]) > 0
    )
