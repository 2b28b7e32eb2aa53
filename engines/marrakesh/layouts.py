"""A camera's or a scale's view of the cube tower's tray.

A layout are the keshis on it, ``2t1g``, or their number alone, ``total 9``. Most keshis thrown come out, most
that stuck before stay. So a number allows few contents if nearly all came out, and many if several stuck
(MK-4.2).
"""

from __future__ import annotations

from heapq import nlargest
from math import comb
from typing import Final

import msgspec

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Exact, Interpretation, OutOfStep, Refusal, Several, Sight
from engines.errors import Malformed
from engines.kit import question
from engines.marrakesh.book import BOOK
from engines.marrakesh.claiming import left
from engines.marrakesh.keshis import KINDS, LETTERS
from engines.marrakesh.state import State
from engines.marrakesh.tower import TRAY
from engines.readings import TOTAL

OUT: Final = 0.8
AGAIN: Final = 0.3
"""The chances to come out, of a keshi thrown now and of one that stuck before. Nobody measured them: they
only order the choices on the screen.
"""
TOLD: Final = 6
"""The most contents to tell."""
WORTH: Final = 0.5
"""The least chance of all told contents together that makes them worth a look."""


class TrayCounted(msgspec.Struct, frozen=True):
    """A count of the keshis on the tray, of whatever colours."""

    number: int

    def __str__(self) -> str:
        return f"total {self.number}"


def _coming(thrown: int, inside: int) -> list[float]:
    """Return the chances that 0, 1 … keshis come out, of the numbers thrown now and stuck before."""
    found = [0.0] * (thrown + inside + 1)
    for new in range(thrown + 1):
        chance = comb(thrown, new) * OUT**new * (1 - OUT) ** (thrown - new)
        for old in range(inside + 1):
            found[new + old] += chance * comb(inside, old) * AGAIN**old * (1 - AGAIN) ** (inside - old)
    return found


def released(inside: Bag, thrown: Bag, number: int) -> list[tuple[float, Bag]]:
    """Return the likeliest contents of a tray with ``number`` keshis, each behind its chance, at most
    :data:`TOLD`.

    ``thrown`` was thrown into a tower with ``inside``; the list is empty if so many cannot come out.
    """
    best: dict[int, list[tuple[float, Bag]]] = {0: [(1.0, 0)]}
    for kind in range(KINDS):
        after: dict[int, list[tuple[float, Bag]]] = {}
        coming = _coming(bags.count(thrown, kind), bags.count(inside, kind))
        for there, some in best.items():
            for more, chance in enumerate(coming[: number - there + 1]):
                held = bags.one(kind, more)
                after.setdefault(there + more, []).extend((one * chance, bag + held) for one, bag in some)
        best = {there: nlargest(TOLD, some) for there, some in after.items()}
    if number not in best:
        return []
    whole = _coming(bags.total(thrown), bags.total(inside))[number]
    return [(chance / whole, bag) for chance, bag in best[number]]


def explained(inside: Bag, thrown: Bag, seen: TrayCounted) -> Exact | Several | OutOfStep:
    """Return the answers that a number of keshis allows, the likeliest first, with their chances.

    Return ``Exact(())`` if the told ones together are too unlikely to help anybody (:data:`WORTH`).
    """
    found = released(inside, thrown, seen.number)
    if not found:
        figures = (("number", seen.number), ("inside", bags.total(inside)), ("thrown", bags.total(thrown)))
        nearest = (Choice("tray", TRAY.write(inside + thrown)),)
        return OutOfStep(nearest, (str(seen),), Refusal("counts.total", "MK-4.2", figures))
    chances = tuple(chance for chance, _ in found)
    if sum(chances) < WORTH:
        return Exact(())
    return Several(tuple((Choice("tray", TRAY.write(keshis)),) for _, keshis in found), chances)


class TraySight(Sight[State]):
    """The tray by colours: the keshis that came out of the tower, without those claimed."""

    NAME = "tray"

    def of(self, state: State, /) -> Bag:
        """Return the keshis on the tray."""
        return state.tray

    def lying(self, state: State, /) -> int:
        """Return the number of keshis on the tray."""
        return bags.total(state.tray)

    def read(self, text: str, /) -> Bag | TrayCounted:
        """Return the layout of a text; raises Malformed."""
        if TRAY.holds(text):
            return TRAY.read(text)
        if found := TOTAL.fullmatch(text):
            return TrayCounted(int(found[1]))
        raise Malformed(f"{text!r} is not {TRAY.said} like 2t1g, or 0; a number alone is total 9")

    def differences(self, seen: Bag | TrayCounted, expected: Bag, /) -> tuple[str, ...]:
        """Write ``+2t`` for two turquoise keshis too many, ``-1g`` for a missing green one."""
        if isinstance(seen, TrayCounted):
            return () if seen.number == bags.total(expected) else (str(seen),)
        found = []
        for sign, one, other in (("+", seen, expected), ("-", expected, seen)):
            found += [f"{sign}{n}{LETTERS[kind]}" for kind, n in bags.items(bags.without(one, other))]
        return tuple(found)

    def visible(self, choice: Choice, /) -> bool:
        """Return True for throws, which add keshis, and claims, which take some."""
        return choice.question in ("tray", "claim")

    def explain(self, state: State, seen: Bag | TrayCounted, /) -> Interpretation | None:
        """Explain a tray while a throw is asked, a number also while a claim is asked; at any other time a
        number means nothing.
        """
        asked = question(state)
        if isinstance(seen, TrayCounted):
            if asked == "claim":
                return left(state, seen.number)
            return explained(state.inside, state.thrown, seen) if asked == "tray" else Exact(())
        if asked != "tray":
            return None
        choice = Choice("tray", TRAY.write(seen))
        refusal = BOOK.why_not(state, choice)
        return OutOfStep((), self.differences(seen, 0), refusal) if refusal else Exact((choice,))


SIGHTS: tuple[Sight[State], ...] = (TraySight(),)
