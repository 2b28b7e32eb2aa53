"""Deploying keshis (MK-5.2 to MK-5.8, MK-14.1, MK-14.2): where they go, and what each gives at once.

``t`` is the area of a water vendor, ``water`` a place on the square, ``left`` a path of caravans.
"""

from __future__ import annotations

from functools import partial

from engines import bags
from engines.contract import Choice, Domain, Figures
from engines.kit.checks import Objection
from engines.kit.noting import note
from engines.marrakesh import scrolls, square
from engines.marrakesh.boards import SQUARE
from engines.marrakesh.book import BOOK, Effect, happens
from engines.marrakesh.expanding import varies
from engines.marrakesh.keshis import AREAS, BROWN, GREEN, LETTERS, PINK, RED
from engines.marrakesh.state import (
    LEFT,
    NOBODY,
    OASES,
    ON_PATH,
    PATHS,
    PLACES,
    START_OASIS,
    Frame,
    Side,
    State,
    answered,
    compelled,
    doing,
    gained,
    has_room,
    own,
    with_own,
)

BOOK.asks(Domain("vendor", tuple(AREAS)), "vendor")
BOOK.asks(Domain("spot", SQUARE), "spot")
BOOK.asks(Domain("caravan", PATHS), "caravan")


@BOOK.figures("caravan")
def figures_caravan(state: State) -> Figures:
    return tuple(zip(PATHS, own(state).caravans, strict=True))


@varies
def on_paths(state: State) -> tuple[int, ...]:
    """The places for caravans at the start oasis and on both paths (MK-14.1)."""
    return ON_PATH


# The fast lists


@BOOK.lists("vendor")
def list_vendor(state: State, _: None) -> list[Choice]:
    there = own(state).vendors
    return BOOK.listed("vendor", [area for at, area in enumerate(AREAS) if not there >> at & 1])


@BOOK.lists("spot")
def list_spot(state: State, _: None) -> list[Choice]:
    there = own(state).square
    return BOOK.listed("spot", [place for at, place in enumerate(SQUARE) if not there >> at & 1])


@BOOK.lists("caravan")
def list_caravan(state: State, _: None) -> list[Choice]:
    there = own(state).caravans
    return BOOK.listed(
        "caravan", [path for path, n, all_ in zip(PATHS, there, on_paths(state), strict=True) if n < all_]
    )


# Checks


@BOOK.check("vendor.free", "MK-5.4", "vendor")
def check_vendor_free(state: State, token: str) -> Objection | None:
    return Objection({"area": token}) if own(state).vendors >> AREAS.index(token) & 1 else None


@BOOK.check("spot.free", "MK-10.1", "spot")
def check_spot_free(state: State, token: str) -> Objection | None:
    taken = own(state).square >> SQUARE.index(token) & 1
    return Objection({"reward": token}) if taken else None


_FULL = {"caravan.free": "MK-14.1", "caravan.start": "MK-14.2", "caravan.town": "MK-17.5"}
"""The clause that says how many caravans a path takes, by the check that holds to it."""


def _full_by(check: str, state: State, token: str) -> Objection | None:
    """A path takes no more: one of the board, the start oasis, or one that the desert towns change."""
    path = PATHS.index(token)
    room = on_paths(state)[path]
    by = (
        "caravan.town"
        if room != ON_PATH[path]
        else "caravan.start"
        if path == START_OASIS
        else "caravan.free"
    )
    if own(state).caravans[path] < room or check != ("caravan.free" if state.rules == 1 else by):
        return None
    return Objection({"path": token, "n": room, **({} if room else {"variant": "caravan.void"})})


for _check, _clause in _FULL.items():
    BOOK.check(_check, _clause, "caravan")(partial(_full_by, _check))


# Effects


@happens("deploy", what=f"[{LETTERS}]")
def happen_deploy(state: State, effect: Effect) -> State:
    return deploy(state, effect.what)


def deploy(state: State, letter: str) -> State:
    """One keshi into its area, with its bonus; back to the supply where no place is free (MK-5.7)."""
    kind = LETTERS.index(letter)
    if not has_room(own(state), kind):
        note((NOBODY, Side(board=bags.one(kind)), Side()))
        return state
    if kind == RED:
        return BOOK.ask(state, Frame("vendor"))
    if kind == PINK:
        return BOOK.ask(state, Frame("spot"))
    if kind == BROWN:
        return BOOK.ask(state, Frame("caravan"))
    state = _placed(state, kind)
    return gained(state, "orchard", 1, letter) if kind == GREEN else state


def _placed(state: State, kind: int) -> State:
    return with_own(state, board=own(state).board + bags.one(kind))


@BOOK.effect("vendor")
def effect_vendor(state: State, token: str) -> State:
    there = 1 << AREAS.index(token)
    state, side = _placed(answered(state), RED), own(state)
    return with_own(state, vendors=side.vendors | there, fresh=side.fresh | there)


@BOOK.effect("spot")
def effect_spot(state: State, token: str) -> State:
    """The bonus of its place, once; with scroll 54 those of both neighbours too."""
    side, around = own(state), state.copy.square
    state = with_own(_placed(answered(state), PINK), square=side.square | 1 << SQUARE.index(token))
    places = [token]
    if scrolls.owns(state, "neighbours"):
        at = around.index(token)
        places += [around[at - 1], around[(at + 1) % PLACES]]
        if not compelled(state):
            return square.deployed_beside(state, places)
    return doing(state, [square.bonus(place, 1) for place in places], "square")


@BOOK.effect("caravan")
def effect_caravan(state: State, token: str) -> State:
    """The oasis beside it is discovered; the start oasis gives 2 resources, then 2 VP (MK-14.2)."""
    path, side = PATHS.index(token), own(state)
    n = side.caravans[path]
    caravans = tuple(there + (at == path) for at, there in enumerate(side.caravans))
    return reached(with_own(_placed(answered(state), BROWN), caravans=caravans), path, n)


@varies
def reached(state: State, path: int, n: int) -> State:
    """The state after a caravan came to a path with ``n`` before it."""
    if path == START_OASIS:
        return doing(state, ["vp2" if n else "any2"], "sahara", "start")
    if scrolls.owns(state, "discovery_points"):
        return doing(state, [f"found_{OASES[n + (path - LEFT) * ON_PATH[LEFT]]}"], "scrolls", "68")
    return state


# What the pieces allow


@BOOK.possible("vendor")
def possible_vendor(state: State, token: str, _: None) -> bool:
    return not own(state).vendors >> AREAS.index(token) & 1


@BOOK.possible("spot")
def possible_spot(state: State, token: str, _: None) -> bool:
    return not own(state).square >> SQUARE.index(token) & 1


@BOOK.possible("caravan")
def possible_caravan(state: State, token: str, _: None) -> bool:
    path = PATHS.index(token)
    return own(state).caravans[path] < on_paths(state)[path]


@BOOK.fits("vendor")
def fits_vendor(state: State) -> bool:
    return has_room(own(state), RED)


@BOOK.fits("spot")
def fits_spot(state: State) -> bool:
    return has_room(own(state), PINK)


@BOOK.fits("caravan")
def fits_caravan(state: State) -> bool:
    return has_room(own(state), BROWN)
