"""The date orchard (MK-8.1): ``3d1w`` are 3 dates and 1 water, where scrolls 23 to 25 leave a choice."""

from __future__ import annotations

from functools import lru_cache

from engines import bags
from engines.contract import Multiset
from engines.kit.checks import Objection
from engines.marrakesh.book import BOOK
from engines.marrakesh.keshis import GREEN
from engines.marrakesh.scrolls import owns
from engines.marrakesh.state import (
    DATE,
    DINAR,
    RESOURCES,
    WATER,
    Frame,
    State,
    answered,
    asking,
    deployed,
    gained,
    got,
    own,
)

KINDS = ("d", "w", "n", "v")
"""A date, water, a dinar, 1 VP."""
_RESOURCES = (DATE, WATER, DINAR)
_BRINGS = (*(RESOURCES[kind] for kind in _RESOURCES), "vp")
_SCROLLS = ("harvest_water", "harvest_dinar", "harvest_vp")
_VP = "scroll 25"


def _allowed(state: State) -> str:
    """The kinds that may be harvested: dates, and what a scroll allows besides."""
    others = zip(KINDS[1:], _SCROLLS, strict=True)
    return KINDS[0] + "".join(kind for kind, scroll in others if owns(state, scroll))


@lru_cache
def _harvests(pickers: int, allowed: str) -> Multiset:
    caps = bags.bag(KINDS.index(kind) for kind in allowed) * pickers
    return Multiset("harvest", KINDS, pickers, pickers, bags.one(0, pickers), caps)


def harvests(state: State) -> Multiset:
    """What may be harvested: one for each date picker."""
    return _harvests(deployed(own(state), GREEN), _allowed(state))


BOOK.asks(harvests, "harvest")
BOOK.figures("harvest")(lambda state: (("n", deployed(own(state), GREEN)),))
BOOK.lists("harvest")(lambda _state, _held: [])


# Checks


@BOOK.check("harvest.scroll", "MK-8.1", "harvest")
def check_harvest_scroll(state: State, token: str) -> Objection | None:
    allowed = _allowed(state)
    chosen = bags.items(harvests(state).read(token))
    beyond = [_BRINGS[kind] for kind, _ in chosen if KINDS[kind] not in allowed]
    return Objection({"resource": beyond[0]}) if beyond else None


# Effects


def can(state: State) -> bool:
    """Whether there is a date picker."""
    return deployed(own(state), GREEN) > 0


def act(state: State) -> State:
    """1 date for each date picker, or what a scroll allows instead."""
    if len(_allowed(state)) > 1:
        return asking(state, Frame("harvest"))
    return got(state, DATE, deployed(own(state), GREEN))


@BOOK.effect("harvest")
def effect_harvest(state: State, token: str) -> State:
    *resources, points = bags.counts(harvests(state).read(token), len(KINDS))
    state = answered(state)
    for kind, number in zip(_RESOURCES, resources, strict=True):
        state = got(state, kind, number)
    return gained(state, "orchard", points, _VP)


# What the pieces allow


@BOOK.fits("harvest")
def fits_harvest(state: State) -> bool:
    return can(state) and len(_allowed(state)) > 1
