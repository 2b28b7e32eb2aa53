"""What things cost (MK-12.1, MK-13.1, MK-14.3), and keshis returned to the supply.

``date`` is paid for a dinar that is lacking (scroll 33), or is the one resource that an oasis costs (scroll
45).
"""

from __future__ import annotations

from functools import lru_cache

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Domain, Figures
from engines.kit.checks import Objection
from engines.marrakesh.book import BOOK
from engines.marrakesh.scrolls import owns
from engines.marrakesh.state import (
    DATE,
    DINAR,
    RESOURCES,
    WATER,
    Frame,
    State,
    answered,
    compelled,
    got,
    own,
    resource,
    with_own,
)

Price = tuple[int, int, int]
"""Water, dates, dinars."""
ANY = "any"
"""The detail of ``instead`` where any one resource is the price; else it is the dates that must be left."""

BOOK.asks(Domain("instead", RESOURCES), "instead")


@BOOK.figures("instead")
def figures_instead(state: State) -> Figures:
    frame = state.frames[-1]
    variant = ANY if frame.what == ANY else "" if compelled(state) else "due"
    return (("n", frame.n), *((("variant", variant),) if variant else ()))


def _kept(frame: Frame) -> int:
    """The dates that a payment must leave."""
    return 0 if frame.what in ("", ANY) else int(frame.what)


def _payable(state: State, frame: Frame, kind: int) -> bool:
    if kind == DINAR and frame.what != ANY and compelled(state):
        return False
    return resource(own(state), kind) > (_kept(frame) if kind == DATE else 0)


# The fast list


@BOOK.lists("instead")
def list_instead(state: State, _: None) -> list[Choice]:
    frame = state.frames[-1]
    found = [word for kind, word in enumerate(RESOURCES) if _payable(state, frame, kind)]
    return BOOK.listed("instead", found)


# Checks


@BOOK.check("instead.dinar", "MK-12.4", "instead")
def check_instead_dinar(state: State, token: str) -> Objection | None:
    """Under version 1 no dinar is left where something else is asked for."""
    for_a_dinar = state.frames[-1].what != ANY and token == RESOURCES[DINAR] and compelled(state)
    return Objection({"n": state.frames[-1].n}) if for_a_dinar else None


@BOOK.check("instead.held", "MK-12.4", "instead")
def check_instead_held(state: State, token: str) -> Objection | None:
    return None if resource(own(state), RESOURCES.index(token)) else Objection({"resource": token})


@BOOK.check("instead.kept", "MK-12.2", "instead")
def check_instead_kept(state: State, token: str) -> Objection | None:
    frame = state.frames[-1]
    if _payable(state, frame, RESOURCES.index(token)):
        return None
    return Objection({"dates": resource(own(state), DATE), "needed": _kept(frame)})


# Effects


@lru_cache(4096)
def _bag(price: Price) -> Bag:
    return sum(bags.one(kind, number) for kind, number in enumerate(price))


def can_pay(state: State, price: Price) -> bool:
    """Whether the seat that is asked has what something costs; scroll 33 makes up for dinars."""
    side = own(state)
    water, dates = resource(side, WATER) - price[WATER], resource(side, DATE) - price[DATE]
    lack = price[DINAR] - resource(side, DINAR)
    if water < 0 or dates < 0:
        return False
    return lack <= 0 or (lack <= water + dates and owns(state, "pay_otherwise"))


def paid(state: State, price: Price, kept: int = 0) -> State:
    """The state after a price was paid. With scroll 33 the owner says dinar by dinar what each is paid with
    (MK-5.8), where there is more than one way; so many dates must be left. Where too little is there (a
    clause was overruled) all there is is paid.
    """
    side = own(state)
    if price[DINAR] and owns(state, "pay_otherwise") and not compelled(state):
        first = (price[WATER], price[DATE], 0)
        state = with_own(state, resources=bags.without(side.resources, _bag(first)))
        return _dinar_by_dinar(state, Frame("instead", str(kept or ""), price[DINAR]))
    lack = price[DINAR] - resource(side, DINAR)
    state = with_own(state, resources=bags.without(side.resources, _bag(price)))
    if lack <= 0 or not owns(state, "pay_otherwise"):
        return state
    water, dates = resource(own(state), WATER), max(0, resource(own(state), DATE) - kept)
    if lack < water + dates:
        return BOOK.ask(state, Frame("instead", str(kept or ""), lack))
    return got(got(state, WATER, -water), DATE, -dates)


def _dinar_by_dinar(state: State, frame: Frame) -> State:
    """The state that asks what the next dinar due is paid with; where all there is must go, it goes."""
    water, dates, dinars = (
        resource(own(state), kind) - (_kept(frame) if kind == DATE else 0) for kind in range(len(RESOURCES))
    )
    if frame.n < water + max(0, dates) + dinars:
        return BOOK.ask(state, frame)
    for kind, number in ((WATER, water), (DATE, max(0, dates)), (DINAR, dinars)):
        state = got(state, kind, -number)
    return state


def paid_any(state: State) -> State:
    """The state in which one resource of choice is paid, where there is one (a clause was overruled)."""
    return BOOK.ask(state, Frame("instead", ANY, 1)) if own(state).resources else state


@BOOK.effect("instead")
def effect_instead(state: State, token: str) -> State:
    frame = state.frames[-1]
    state = got(answered(state), RESOURCES.index(token), -1)
    if frame.n == 1:
        return state
    ask = BOOK.ask if compelled(state) or frame.what == ANY else _dinar_by_dinar
    return ask(state, Frame("instead", frame.what, frame.n - 1, open=True))


def returned(state: State, keshis: Bag) -> State:
    """The state after these deployed keshis of the seat that is asked went back to the supply."""
    return with_own(state, board=bags.without(own(state).board, keshis))


# What the pieces allow


@BOOK.possible("instead")
def possible_instead(state: State, token: str, _: None) -> bool:
    return resource(own(state), RESOURCES.index(token)) > 0


@BOOK.fits("instead")
def fits_instead(state: State) -> bool:
    frame, side = state.frames[-1], own(state)
    if frame.what == ANY:
        return frame.n == 1 and side.resources > 0
    there = resource(side, WATER) + max(0, resource(side, DATE) - _kept(frame))
    if not compelled(state):
        there += resource(side, DINAR)
    elif resource(side, DINAR):
        return False
    return 0 < frame.n <= there and owns(state, "pay_otherwise")
