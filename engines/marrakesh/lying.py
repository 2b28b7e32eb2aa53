"""What lies on the tray, where only its number is known: a scale's word, or somebody's count (MK-4.2).

Which keshis came out nobody knows then; what is thrown mostly does, what stuck before mostly stays. So a
number leaves few contents where nearly all came out, and many where several stuck.
"""

from __future__ import annotations

from typing import Final

import msgspec

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Exact, Multiset, OutOfStep, Refusal, Several
from engines.marrakesh.counting import about
from engines.marrakesh.keshis import KINDS
from engines.marrakesh.reconciling import MOST_PIECES, Reconciled, Seen, reconcile
from engines.observation import TOTAL

OUT: Final = 0.8
AGAIN: Final = 0.3
"""How likely a keshi comes out that was thrown, and one that stuck before. They are no measured figures: they
order what people are shown, and decide nothing.
"""
WORTH: Final = 0.5
"""Contents that are less likely than this all together are not worth a look."""


class Counted(msgspec.Struct, frozen=True):
    """So many keshis lie on the tray, of whatever colours."""

    number: int

    def __str__(self) -> str:
        return f"total {self.number}"


def counted(text: str) -> Counted | None:
    """What ``total 9`` says; None for any other text."""
    found = TOTAL.fullmatch(text)
    return Counted(int(found[1])) if found else None


def released(inside: Bag, thrown: Bag, number: int) -> Reconciled:
    """The most probable contents of a tray with so many keshis, after a throw into a tower with ``inside``.

    Nothing where that many cannot have come out.
    """
    pieces = [
        Seen(tuple(float(kind == one) for one in range(KINDS)), chance)
        for held, chance in ((thrown, OUT), (inside, AGAIN))
        for kind in bags.elements(held)
    ]
    if number > len(pieces):
        return Reconciled(None)
    return reconcile(inside, thrown, pieces[:MOST_PIECES], about(number, 0))


def explained(inside: Bag, thrown: Bag, seen: Counted, domain: Multiset) -> Exact | Several | OutOfStep:
    """The answers to what lies there that a number leaves, the likeliest first, each with its chance.

    ``Exact(())`` where it leaves so many that those told are hardly half of them: they would help nobody.
    """
    found = released(inside, thrown, seen.number).told
    if not found:
        figures = (("number", seen.number), ("inside", bags.total(inside)), ("thrown", bags.total(thrown)))
        nearest = (Choice(domain.name, domain.write(inside + thrown)),)
        return OutOfStep(nearest, (str(seen),), Refusal("counts.total", "MK-4.2", figures))
    chances = tuple(one.chance for one in found)
    if sum(chances) < WORTH:
        return Exact(())
    return Several(tuple((Choice(domain.name, domain.write(one.keshis)),) for one in found), chances)
