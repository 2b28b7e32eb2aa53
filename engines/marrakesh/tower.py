"""The tower and its tray (MK-3.4, MK-4): the throw, the keshis inside, and views of the tray.

The revealed keshis go into the tower, and the table tells those on the tray, ``2t1g``. They are from those
inside before and those thrown; the rest is inside now (MK-4.2). Nobody ever empties the tower (MK-4.3): its
content follows from all throws ever made, including those that people went back before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import nlargest
from math import comb
from random import Random
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import (
    Choice,
    Exact,
    Figures,
    Interpretation,
    Multiset,
    OutOfStep,
    Refusal,
    Several,
    Sight,
)
from engines.errors import Malformed
from engines.kit import Objection, question
from engines.marrakesh.book import BOOK, asking, happens
from engines.marrakesh.claiming import interpret_left
from engines.marrakesh.frames import Line, Print, StairTile, Tray
from engines.marrakesh.pieces import KINDS, LETTERS
from engines.marrakesh.state import ROUNDS, State
from engines.readings import TOTAL

MOST_KESHIS = 60
TRAY = Multiset("tray", tuple(LETTERS), 0, MOST_KESHIS)
"""The form of a tray."""


def _make_domain(state: State) -> Multiset:
    """Return the domain of the tray: it starts with the throw; the keshis inside limit it (MK-4.2)."""
    falls = state.thrown
    return replace(TRAY, start=falls, caps=state.inside + falls)


BOOK.asks(_make_domain, "tray", report=True, fits=lambda state: not state.tray)


@BOOK.figures("tray")
def figures_tray(state: State) -> Figures:
    falls = state.thrown
    return (
        ("n", throw_number(state)),
        ("thrown", bags.total(falls)),
        ("inside", bags.total(state.inside)),
    )


def throw_number(state: State) -> int:
    """Return the number of the throw that is due, 1 for the first of the match."""
    return (state.season - 1) * ROUNDS + state.round


@BOOK.check("tray.conservation", "MK-4.2", "tray")
def check_tray_conservation(state: State, token: str) -> Objection | None:
    """Refuse the first colour with too many keshis; ``nearest`` is the tray without all that are too many.

    A throw that people went back before was checked then.
    """
    if stays(state, Choice("tray", token)) in state.fallen:
        return None
    tray, falls = TRAY.read(token), state.thrown
    there = state.inside + falls
    over = next((kind for kind, out in bags.items(tray) if out > bags.count(there, kind)), None)
    if over is None:
        return None
    figures: dict[str, int | str] = {
        "colour": LETTERS[over],
        "tray": bags.count(tray, over),
        "inside": bags.count(state.inside, over),
        "thrown": bags.count(falls, over),
        "n": bags.count(there, over),
        "nearest": TRAY.write(tray - bags.without(tray, there)),
    }
    return Objection(figures, (("inside", over),))


STAYS = 0.3
"""The chance of a keshi to stay in the tower, not measured: some stay and most come out (MK-4.1)."""


def draw_tray(state: State, rng: Random) -> str:
    """Draw the keshis that the tower releases."""
    there = bags.elements(state.inside + state.thrown)
    return TRAY.write(bags.bag(kind for kind in there if rng.random() >= STAYS))


happens("throw")(asking(lambda _: Tray()))


@BOOK.effect("tray")
def effect_tray(state: State, token: str) -> State:
    tray, word = TRAY.read(token), stays(state, Choice("tray", token))
    sides = tuple(replace(side, chosen=0) for side in state.sides)
    after = replace(state.answered(), sides=sides, tray=tray, out=0)
    if word in state.fallen:  # the same throw: it is inside already
        return replace(after, fallen=tuple(one for one in state.fallen if one != word))
    return replace(after, inside=bags.without(state.inside + state.thrown, tray))


@BOOK.method
def seen(state: State) -> str:
    """Name a throw by its number and keshis, any other report by its subject."""
    name = question(state)
    if name == "tray":
        return f"{throw_number(state)}:{TRAY.write(state.thrown)}"
    about = _ABOUT.get(name)
    return about(state) if about else ""


_ABOUT: dict[str, Callable[[State], str]] = {
    "print": lambda state: state.asked(Print).fact,
    "line": lambda state: f"{state.season}:{state.asked(Line).colour}",
    "river_tile": lambda state: str(state.season),
    "office": lambda state: f"office:{state.season}",
    "stair_tile": lambda state: f"stair_tile:{state.asked(StairTile).space}",
}
"""The subjects of reports whose answers stay the same."""


@BOOK.method
def stays(state: State, choice: Choice) -> str:
    """Write a throw and its tray, ``3:2t1g/1t``: its keshis stay inside if people go back (MK-4.3)."""
    if choice.question != "tray":
        return ""
    return f"{throw_number(state)}:{TRAY.write(state.thrown)}/{choice.token}"


def read_throw(word: str) -> Throw:
    """Return the throw of such a word; raises Malformed for another one."""
    _, _, throw = word.partition(":")
    falls, _, tray = throw.partition("/")
    if not (TRAY.holds(falls) and TRAY.holds(tray)):
        raise Malformed("{word!r} is no throw", word)
    return Throw(TRAY.read(falls), TRAY.read(tray))


@BOOK.method
def remember(state: State, word: str) -> State:
    """Return the state after that throw was made and its tray cleared."""
    if word in state.fallen:
        return state
    throw = read_throw(word)
    inside = bags.without(state.inside + throw.thrown, throw.tray)
    return replace(state, inside=inside, fallen=(*state.fallen, word))


class Throw(NamedTuple):
    """The keshis thrown into the tower, and those on the tray after it."""

    thrown: Bag
    tray: Bag


def follow_throws(throws: Sequence[Throw]) -> tuple[Bag, list[int]]:
    """Return the keshis inside after all throws into an empty tower, and by kind the most throws that the
    oldest can have stayed, 0 if none is inside.
    """
    inside, waiting = 0, [0] * KINDS
    for throw in throws:
        inside = bags.without(inside + throw.thrown, throw.tray)
        left = bags.counts(inside, KINDS)
        waiting = [n + 1 if there else 0 for n, there in zip(waiting, left, strict=True)]
    return inside, waiting


# A camera's or a scale's view
#
# A layout is the keshis on the tray, or their number alone, ``total 9``. Most keshis thrown come out, most
# that stuck before stay. So a number allows few contents if nearly all came out, and many if several stuck.

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


def _list_chances(thrown: int, inside: int) -> list[float]:
    """Return the chances that 0, 1 … keshis come out, of the numbers thrown now and stuck before."""
    found = [0.0] * (thrown + inside + 1)
    for new in range(thrown + 1):
        chance = comb(thrown, new) * OUT**new * (1 - OUT) ** (thrown - new)
        for old in range(inside + 1):
            found[new + old] += chance * comb(inside, old) * AGAIN**old * (1 - AGAIN) ** (inside - old)
    return found


def find_released(inside: Bag, thrown: Bag, number: int) -> list[tuple[float, Bag]]:
    """Return the likeliest contents of a tray with ``number`` keshis, each behind its chance, at most
    :data:`TOLD`.

    ``thrown`` was thrown into a tower with ``inside``; the list is empty if so many cannot come out.
    """
    best: dict[int, list[tuple[float, Bag]]] = {0: [(1.0, 0)]}
    for kind in range(KINDS):
        after: dict[int, list[tuple[float, Bag]]] = {}
        coming = _list_chances(bags.count(thrown, kind), bags.count(inside, kind))
        for there, some in best.items():
            for more, chance in enumerate(coming[: number - there + 1]):
                held = bags.one(kind, more)
                after.setdefault(there + more, []).extend((one * chance, bag + held) for one, bag in some)
        best = {there: nlargest(TOLD, some) for there, some in after.items()}
    if number not in best:
        return []
    whole = _list_chances(bags.total(thrown), bags.total(inside))[number]
    return [(chance / whole, bag) for chance, bag in best[number]]


def explain_number(inside: Bag, thrown: Bag, seen: TrayCounted) -> Exact | Several | OutOfStep:
    """Return the answers that a number of keshis allows, the likeliest first, with their chances.

    Return ``Exact(())`` if the told ones together are too unlikely to help anybody (:data:`WORTH`).
    """
    found = find_released(inside, thrown, seen.number)
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
                return interpret_left(state, seen.number)
            return explain_number(state.inside, state.thrown, seen) if asked == "tray" else Exact(())
        if asked != "tray":
            return None
        choice = Choice("tray", TRAY.write(seen))
        refusal = BOOK.why_not(state, choice)
        return OutOfStep((), self.differences(seen, 0), refusal) if refusal else Exact((choice,))


SIGHTS: tuple[Sight[State], ...] = (TraySight(),)
