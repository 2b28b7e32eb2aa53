"""Choosing keshis and placing assistants (MK-3).

All reveal at once; then each seat in turn is one step: ``t g k``, three colours from behind the screen in the
order of the areas, and last the area of red's assistant.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Domain, Figures
from engines.kit.checks import Objection
from engines.marrakesh.book import BOOK, SEAT, Effect, happens
from engines.marrakesh.keshis import AREAS, CHOSEN, GOODS, LETTERS, RED, SOUK, of_letters
from engines.marrakesh.state import Frame, State, answered, asking, own, seat_named, with_own

IN_SOUK = 3  # MK-3.2

BOOK.asks(Domain("choose", tuple(LETTERS)), "choose")
BOOK.asks(Domain("red_area", (*AREAS, SOUK)), "red_area")


@BOOK.figures("choose")
def _(state: State) -> Figures:
    return (("n", len(state.frames[-1].what) + 1), ("all", CHOSEN))


# The fast lists


def left(state: State, chosen: str) -> str:
    """The colours behind the screen that come after those chosen."""
    behind = _letters(own(state).behind)
    return behind[behind.index(chosen[-1]) + 1 :] if chosen else behind


@lru_cache(4096)
def _letters(keshis: Bag) -> str:
    return "".join(LETTERS[kind] for kind, _ in bags.items(keshis))


@BOOK.lists("choose")
def _(state: State, _: None) -> list[Choice]:
    return BOOK.listed("choose", _tellable(state))


def _tellable(state: State) -> str:
    """The colours that may be told next, behind which enough are left."""
    chosen = state.frames[-1].what
    there = left(state, chosen)
    return there[: len(there) - (CHOSEN - len(chosen)) + 1]


@BOOK.lists("red_area")
def _(state: State, _: None) -> list[Choice]:
    return BOOK.listed("red_area", [area for area in (*AREAS, SOUK) if _has_place(state, area)])


def _has_place(state: State, area: str) -> bool:
    return own(state).assistants.count(area) < (IN_SOUK if area == SOUK else 1)


# Checks


@BOOK.check("choose.behind", "MK-3.1", "choose")
def _(state: State, token: str) -> Objection | None:
    there = bags.count(own(state).behind, LETTERS.index(token)) and token not in state.frames[-1].what
    return None if there else Objection({"colour": token})


@BOOK.check("choose.order", "MK-3.1", "choose")
def _(state: State, token: str) -> Objection | None:
    """Three colours are told in the order of the areas, so that no other must come before one named."""
    chosen = state.frames[-1].what
    behind = left(state, chosen)
    if token in behind and behind.index(token) <= len(behind) - (CHOSEN - len(chosen)):
        return None
    return Objection({"colour": token, "n": CHOSEN - len(chosen)})


@BOOK.check("red_area.free", "MK-3.3", "red_area")
def _(state: State, token: str) -> Objection | None:
    if _has_place(state, token):
        return None
    return Objection({"area": token, "n": IN_SOUK if token == SOUK else 1})


# Effects


@happens("choose", what=SEAT)
def _(state: State, effect: Effect) -> State:
    return _next(replace(state, seat=seat_named(effect.what)), "")


def _next(state: State, chosen: str) -> State:
    """Ask for the next colour; what can only be one way goes by itself."""
    there = left(state, chosen)
    if len(chosen) + len(there) > CHOSEN and len(chosen) < CHOSEN:
        return asking(state, Frame("choose", chosen, open=bool(chosen)))
    whole = chosen + there if len(chosen) < CHOSEN else chosen
    return _revealed(state, whole, begun=bool(chosen))


def _revealed(state: State, chosen: str, *, begun: bool) -> State:
    keshis = of_letters(chosen)
    areas = "".join(SOUK if each in GOODS else each for each in chosen if each != LETTERS[RED])
    state = with_own(state, behind=own(state).behind - keshis, chosen=keshis, assistants=areas)
    return asking(state, Frame("red_area", open=begun)) if LETTERS[RED] in chosen else state


def _order(area: str) -> int:
    return (AREAS + SOUK).index(area)


@BOOK.effect("choose")
def _(state: State, token: str) -> State:
    return _next(answered(state), state.frames[-1].what + token)


@BOOK.effect("red_area")
def _(state: State, token: str) -> State:
    areas = sorted(own(state).assistants + token, key=_order)
    return with_own(answered(state), assistants="".join(areas))


# What the pieces allow


@BOOK.possible("choose")
def _(state: State, token: str, _: None) -> bool:
    """In no other order are they told."""
    return token in _tellable(state)


@BOOK.fits("choose")
def _(state: State) -> bool:
    chosen = state.frames[-1].what
    behind = set(chosen) <= set(left(state, ""))
    return behind and len(chosen) < CHOSEN < len(chosen) + len(left(state, chosen))


@BOOK.fits("red_area")
def _(state: State) -> bool:
    return bags.count(own(state).chosen, RED) > 0 and len(own(state).assistants) < CHOSEN
