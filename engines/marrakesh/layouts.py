"""The tray of the cube tower as a camera or a scale sees it.

Its layout are the keshis that lie there, ``2t1g``; ``total 9`` where only their number is known. Nobody knows
then which came out; what is thrown mostly does, what stuck before mostly stays. So a number leaves few
contents where nearly all came out, and many where several stuck (MK-4.2).
"""

from __future__ import annotations

from heapq import nlargest
from math import comb
from typing import Final

import msgspec

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Exact, Interpretation, Multiset, OutOfStep, Refusal, Several, Sight
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
"""The chance of a keshi to come out that was thrown, and of one that stuck before. They are no measured
figures: they order what people are shown, and decide nothing.
"""
TOLD: Final = 6
"""At most so many contents are told."""
WORTH: Final = 0.5
"""Contents that are less likely than this all together are not worth a look."""


class TrayCounted(msgspec.Struct, frozen=True):
    """A count of the keshis on the tray, of whatever colours."""

    number: int

    def __str__(self) -> str:
        return f"total {self.number}"


def counted(text: str) -> TrayCounted | None:
    """Return the number of ``total 9``, None for any other text."""
    found = TOTAL.fullmatch(text)
    return TrayCounted(int(found[1])) if found else None


def _coming(thrown: int, inside: int) -> list[float]:
    """Return the chances that 0, 1 … keshis come out of so many that were thrown and that stuck before."""
    found = [0.0] * (thrown + inside + 1)
    for new in range(thrown + 1):
        chance = comb(thrown, new) * OUT**new * (1 - OUT) ** (thrown - new)
        for old in range(inside + 1):
            found[new + old] += chance * comb(inside, old) * AGAIN**old * (1 - AGAIN) ** (inside - old)
    return found


def released(inside: Bag, thrown: Bag, number: int) -> list[tuple[float, Bag]]:
    """Return the likeliest contents of a tray with so many keshis, each behind its chance, at most
    :data:`TOLD`.

    ``thrown`` was thrown into a tower with ``inside``; there are none where so many cannot have come out.

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


def explained(inside: Bag, thrown: Bag, seen: TrayCounted, domain: Multiset) -> Exact | Several | OutOfStep:
    """Return the answers to what lies there that a number leaves, the likeliest first, each with its chance.

    ``Exact(())`` where it leaves so many that those told are hardly half of them: they would help nobody.
    """
    found = released(inside, thrown, seen.number)
    if not found:
        figures = (("number", seen.number), ("inside", bags.total(inside)), ("thrown", bags.total(thrown)))
        nearest = (Choice(domain.name, domain.write(inside + thrown)),)
        return OutOfStep(nearest, (str(seen),), Refusal("counts.total", "MK-4.2", figures))
    chances = tuple(chance for chance, _ in found)
    if sum(chances) < WORTH:
        return Exact(())
    return Several(tuple((Choice(domain.name, domain.write(keshis)),) for _, keshis in found), chances)


class TraySight(Sight[State]):
    """The tray, by colours: what came out of the tower, less what was claimed."""

    NAME = "tray"

    def of(self, state: State, /) -> Bag:
        """Return the keshis that lie there."""
        return state.tray

    def lying(self, state: State, /) -> int:
        """Return the number of keshis that lie there."""
        return bags.total(state.tray)

    def read(self, text: str, /) -> Bag | TrayCounted:
        """Return the layout of a text; raises Malformed."""
        if TRAY.holds(text):
            return TRAY.read(text)
        if number := counted(text):
            return number
        raise Malformed(f"{text!r} is not {TRAY.said} like 2t1g, or 0; a number alone is total 9")

    def differences(self, seen: Bag | TrayCounted, expected: Bag, /) -> tuple[str, ...]:
        """Write ``+2t`` for two turquoise ones more than there should be; ``-1g`` for a green one less."""
        if isinstance(seen, TrayCounted):
            return () if seen.number == bags.total(expected) else (str(seen),)
        found = []
        for sign, one, other in (("+", seen, expected), ("-", expected, seen)):
            found += [f"{sign}{n}{LETTERS[kind]}" for kind, n in bags.items(bags.without(one, other))]
        return tuple(found)

    def visible(self, choice: Choice, /) -> bool:
        """Return True for throws and claims: keshis come with the one and go with the other."""
        return choice.question in ("tray", "claim")

    def explain(self, state: State, seen: Bag | TrayCounted, /) -> Interpretation | None:
        """Explain a tray where a throw is asked for; a number also while claims are made. Elsewhere a number
        says nothing.
        """
        asked = question(state)
        if isinstance(seen, TrayCounted):
            if asked == "claim":
                return left(state, seen.number)
            return explained(state.inside, state.thrown, seen, TRAY) if asked == "tray" else Exact(())
        if asked != "tray":
            return None
        choice = Choice("tray", TRAY.write(seen))
        refusal = BOOK.why_not(state, choice)
        return OutOfStep((), self.differences(seen, 0), refusal) if refusal else Exact((choice,))


SIGHTS: tuple[Sight[State], ...] = (TraySight(),)
