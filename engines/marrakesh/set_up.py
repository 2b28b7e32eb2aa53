"""Set-up (MK-1): the keshis on the oasis track, the first provision tiles; all else is always the same.

``t y`` are the keshis on the places of the track, from the left.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from engines.contract import Domain, Level, Setup, Told
from engines.errors import BadSetup
from engines.facts import lacking
from engines.kit import opening
from engines.marrakesh import facts, position
from engines.marrakesh.book import BOOK, SEAT, declared, happens, options, played, variant_of
from engines.marrakesh.facts import SCHEMA, Printing
from engines.marrakesh.frames import Effect, Stock
from engines.marrakesh.keshis import DRAWN
from engines.marrakesh.state import EARLIER, RULES, Side, State

LEVELS = (Level.FULL,)
"""The only level: people name tiles when they take them, and look at those that lie out."""
SEATS_AT_TABLE = (2, 3, 4)

BOOK.asks(
    Domain("stock", DRAWN),
    "stock",
    figures=lambda state: (("n", state.asked(Stock).placed + 1), ("all", len(state.keshi_places))),
)


# The first state


@BOOK.method
def start(setup: Setup) -> State:
    """Return the set-up, which asks for the first keshi on the track, or the setup's position."""
    chosen, given = opening(
        "Marrakesh",
        "MK-1.1",
        setup,
        position.read,
        seats=SEATS_AT_TABLE,
        options=declared(),
        there=lambda state: options(state.variant),
        levels=LEVELS,
        rules=(*EARLIER, RULES),
    )
    if given is not None:
        return given
    state = State(
        variant_of(setup.seats, chosen),
        _copy(setup.facts, setup.options),
        setup.level,
        (Side(),) * setup.seats,
        seat=setup.start,
        start=setup.start,
        holder=setup.start,
        adjusted=(0,) * setup.seats,
        rules=setup.rules_version or RULES,
    )
    beside = tuple(each.keeps() for each in played(state) if each.keeps)
    state = replace(state, beside=beside)
    return BOOK.settled(state.doing(*state.by_seat("stock", "turn_up"), Effect("season")))


@lru_cache(16)
def _copy(told: Told, options: Told) -> Printing:
    known = facts.facts_of(told)
    if unknown := lacking(known, Setup(options=options)):
        raise BadSetup(
            "the fact {name} must be known first ({clause})", name=unknown, clause=SCHEMA.fact(unknown).clause
        )
    return facts.printing(known)


def _drawn(state: State, letter: str) -> list[int]:
    """Return the seats with a colour on their track; the bag has one keshi of each."""
    return [seat for seat, side in enumerate(state.sides) if letter in side.stock]


@BOOK.offers(
    "stock.bag", "MK-1.5", told=lambda state, token: {"colour": token, "seat": _drawn(state, token)[0]}
)
def offer_stock(state: State) -> list[str]:
    return [letter for letter in DRAWN if not _drawn(state, letter)]


@happens("stock", subject=SEAT)
def happen_stock(state: State, _: Effect) -> State:
    return _next(state, 0)


def _next(state: State, n: int) -> State:
    return BOOK.ask(state, Stock(n, open=n > 0)) if n < len(state.keshi_places) else state


@BOOK.effect("stock")
def effect_stock(state: State, token: str) -> State:
    n, stock = state.asked(Stock).placed, state.own.stock
    at = state.keshi_places[n]
    return _next(state.answered().with_own(stock=stock[:at] + token + stock[at + 1 :]), n + 1)
