"""The throw (MK-3.4, MK-4): the revealed keshis go into the tower, and the table tells those on the tray.

``2t1g`` are numbers by colour. The keshis on the tray are from those inside before and those thrown; the rest
is inside now (MK-4.2). Nobody ever empties the tower (MK-4.3): its content follows from all throws ever made,
including those that people went back before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Figures, Multiset
from engines.errors import Malformed
from engines.kit import Objection, question
from engines.marrakesh.book import BOOK, asking, happens
from engines.marrakesh.frames import Line, Print, StairTile, Tray
from engines.marrakesh.keshis import KINDS, LETTERS
from engines.marrakesh.state import ROUNDS, State

MOST_KESHIS = 60
TRAY = Multiset("tray", tuple(LETTERS), 0, MOST_KESHIS)
"""The form of a tray."""


def _asked(state: State) -> Multiset:
    """Return the domain of the tray: it starts with the throw; the keshis inside limit it (MK-4.2)."""
    falls = state.thrown
    return replace(TRAY, start=falls, caps=state.inside + falls)


BOOK.asks(_asked, "tray", report=True, fits=lambda state: not state.tray)


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


def throw_of(word: str) -> Throw:
    """Return the throw of such a word; raises Malformed for another one."""
    _, _, throw = word.partition(":")
    falls, _, tray = throw.partition("/")
    if not (TRAY.holds(falls) and TRAY.holds(tray)):
        raise Malformed("{word!r} is no throw", word=word)
    return Throw(TRAY.read(falls), TRAY.read(tray))


@BOOK.method
def remember(state: State, word: str) -> State:
    """Return the state after that throw was made and its tray cleared."""
    if word in state.fallen:
        return state
    throw = throw_of(word)
    inside = bags.without(state.inside + throw.thrown, throw.tray)
    return replace(state, inside=inside, fallen=(*state.fallen, word))


class Throw(msgspec.Struct, frozen=True):
    """The keshis thrown into the tower, and those on the tray after it."""

    thrown: Bag
    tray: Bag


class Odometer(msgspec.Struct, frozen=True):
    """A tower's record over some throws.

    ``thrown`` keshis went in; ``released`` came out, throw by throw; ``inside`` are left. ``waiting`` has by
    kind the most throws that its oldest keshi can have stayed, 0 if none is inside.
    """

    thrown: int
    released: tuple[int, ...]
    inside: Bag
    waiting: tuple[int, ...]


def odometer(throws: Sequence[Throw]) -> Odometer:
    """Return the record of all throws of a tower that was empty before the first."""
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
