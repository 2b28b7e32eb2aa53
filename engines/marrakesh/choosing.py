"""Choosing keshis and placing assistants (MK-3).

All reveal at once; then each seat in turn is one step: ``t g k``, three colours from behind the screen in any
order, and last the area of red's assistant.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Domain, Figures
from engines.kit.checks import Objection
from engines.marrakesh.book import BOOK, SEAT, Effect, happens
from engines.marrakesh.keshis import AREAS, CHOSEN, GOODS, LETTERS, RED, SOUK, letters, of_letters
from engines.marrakesh.state import Frame, State, answered, asking, own, seat_named, with_own

IN_SOUK = 3  # MK-3.2

BOOK.asks(Domain("choose", tuple(LETTERS)), "choose")
BOOK.asks(Domain("red_area", (*AREAS, SOUK)), "red_area")


@BOOK.figures("choose")
def figures_choose(state: State) -> Figures:
    return (("n", len(state.frames[-1].what) + 1), ("all", CHOSEN))


# The fast lists


def left(state: State) -> str:
    """The colours behind the screen that are not chosen."""
    return _without(own(state).behind, state.frames[-1].what)


@lru_cache(4096)
def _without(behind: Bag, chosen: str) -> str:
    return "".join(letter for letter in letters(behind) if letter not in chosen)


@BOOK.lists("choose")
def list_choose(state: State, _: None) -> list[Choice]:
    return BOOK.listed("choose", left(state))


@BOOK.lists("red_area")
def list_red_area(state: State, _: None) -> list[Choice]:
    return BOOK.listed("red_area", [area for area in (*AREAS, SOUK) if _has_place(state, area)])


def _has_place(state: State, area: str) -> bool:
    return own(state).assistants.count(area) < (IN_SOUK if area == SOUK else 1)


# Checks


@BOOK.check("choose.behind", "MK-3.1", "choose")
def check_choose_behind(state: State, token: str) -> Objection | None:
    chosen = token in state.frames[-1].what
    if bags.count(own(state).behind, LETTERS.index(token)) and not chosen:
        return None
    return Objection({"colour": token, **({"variant": "choose.chosen"} if chosen else {})})


@BOOK.check("red_area.free", "MK-3.3", "red_area")
def check_red_area_free(state: State, token: str) -> Objection | None:
    if _has_place(state, token):
        return None
    return Objection({"area": token, "n": IN_SOUK if token == SOUK else 1})


# Effects


@happens("choose", what=SEAT)
def happen_choose(state: State, effect: Effect) -> State:
    return _next(replace(state, seat=seat_named(effect.what)), "")


def _next(state: State, chosen: str) -> State:
    """Ask for the next colour, but for the last three behind the screen, which go by themselves."""
    if not chosen and bags.total(own(state).behind) <= CHOSEN:
        return _revealed(state, letters(own(state).behind), begun=False)
    if len(chosen) < CHOSEN:
        return asking(state, Frame("choose", chosen, open=bool(chosen)))
    return _revealed(state, chosen, begun=True)


def _revealed(state: State, chosen: str, *, begun: bool) -> State:
    keshis = of_letters(chosen)
    areas = "".join(SOUK if each in GOODS else each for each in chosen if each != LETTERS[RED])
    state = with_own(state, behind=own(state).behind - keshis, chosen=keshis, assistants=areas)
    return asking(state, Frame("red_area", open=begun)) if LETTERS[RED] in chosen else state


def _order(area: str) -> int:
    return (AREAS + SOUK).index(area)


@BOOK.effect("choose")
def effect_choose(state: State, token: str) -> State:
    chosen = sorted(state.frames[-1].what + token, key=LETTERS.index)
    return _next(answered(state), "".join(chosen))


@BOOK.effect("red_area")
def effect_red_area(state: State, token: str) -> State:
    areas = sorted(own(state).assistants + token, key=_order)
    return with_own(answered(state), assistants="".join(areas))


# What the pieces allow


@BOOK.possible("choose")
def possible_choose(state: State, token: str, _: None) -> bool:
    return token in left(state)


@BOOK.fits("choose")
def fits_choose(state: State) -> bool:
    """What is chosen stands in the order of the list."""
    chosen, behind = state.frames[-1].what, letters(own(state).behind)
    there = chosen == "".join(letter for letter in behind if letter in chosen)
    return there and len(chosen) < CHOSEN < len(behind)


@BOOK.fits("red_area")
def fits_red_area(state: State) -> bool:
    return bags.count(own(state).chosen, RED) > 0 and len(own(state).assistants) < CHOSEN
