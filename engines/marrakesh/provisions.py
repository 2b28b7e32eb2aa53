"""Provision tiles (MK-1.6, MK-15.3): turned up, and paid for at a season's end.

``1w2n`` is a tile by what it asks for, water, dates and dinars; ``new`` one that the copy does not know yet.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from engines import bags
from engines.contract import SEATS, Choice, Domain, Figures
from engines.kit.checks import Objection
from engines.marrakesh import scrolls
from engines.marrakesh.book import BOOK, SEAT, Effect, happens, once_known
from engines.marrakesh.facts import Printing, known
from engines.marrakesh.paying import can_pay, paid
from engines.marrakesh.state import (
    RESOURCES,
    Frame,
    State,
    answered,
    asking,
    doing,
    gained,
    own,
    seat_named,
    with_own,
)

TILES = 12
NEW = "new"
LENIENT = (0, 0, 1)
"""What scroll 44 takes before each tile asks for any 1 resource."""
_LETTERS = "wdn"

Demand = tuple[int, int, int]


def fact(tile: int) -> str:
    """The fact that says what a provision tile asks for; 1 to 12."""
    return f"demand.{tile}"


def written(asks: tuple[int, ...]) -> str:
    """What a tile asks for, ``1w2n``; ``0`` for nothing."""
    return "".join(f"{n}{letter}" for n, letter in zip(asks, _LETTERS, strict=True) if n) or "0"


@lru_cache
def _tiles(copy: Printing) -> dict[str, tuple[int, ...]]:
    """By what they ask for, the tiles that the copy knows; under :data:`NEW` the others."""
    found: dict[str, tuple[int, ...]] = {}
    for tile in range(1, TILES + 1):
        asks = known(copy, fact(tile))
        name = NEW if asks is None else written(asks)
        found[name] = (*found.get(name, ()), tile)
    return found


@lru_cache
def _domain(copy: Printing) -> Domain:
    return Domain("turn_up", tuple(sorted(_tiles(copy))), laid=True)


BOOK.asks(lambda state: _domain(state.copy), "turn_up")
BOOK.asks(Domain("yes_no", ("yes", "no")), "lenient")


@BOOK.figures("turn_up")
def figures_turn_up(state: State) -> Figures:
    return (("n", len(own(state).demands) + 1),)


@BOOK.figures("lenient")
def figures_lenient(state: State) -> Figures:
    return (("n", len(own(state).demands)), ("demand", written(asked_for(state))))


# The fast lists


def _left(state: State, token: str) -> list[int]:
    """The tiles like this that nobody has face up."""
    up = {tile for side in state.sides for tile in side.demands}
    return [tile for tile in _tiles(state.copy)[token] if tile not in up]


@BOOK.lists("turn_up")
def list_turn_up(state: State, _: None) -> list[Choice]:
    return BOOK.listed("turn_up", [token for token in _domain(state.copy).tokens if _left(state, token)])


@BOOK.lists("lenient")
def list_lenient(state: State, _: None) -> list[Choice]:
    return BOOK.listed("lenient", ("yes", "no"))


# Checks


@BOOK.check("turn_up.left", "MK-1.2", "turn_up")
def check_turn_up_left(state: State, token: str) -> Objection | None:
    return None if _left(state, token) else Objection({"demand": token})


# Effects


@happens("turn_up", what=SEAT)
def happen_turn_up(state: State, effect: Effect) -> State:
    return BOOK.ask(replace(state, seat=seat_named(effect.what)), Frame("turn_up"))


@BOOK.effect("turn_up")
def effect_turn_up(state: State, token: str) -> State:
    tile = (_left(state, token) or list(_tiles(state.copy)[token]))[0]
    state = with_own(answered(state), demands=(*own(state).demands, tile))
    return asking(state, Frame("print", fact(tile))) if token == NEW else state


def asked_for(state: State) -> Demand:
    """What all face-up tiles of the seat ask for together."""
    return _together(state.copy, own(state).demands)


@lru_cache(4096)
def _together(copy: Printing, tiles: tuple[int, ...]) -> Demand:
    each = [known(copy, fact(tile)) or (0, 0, 0) for tile in tiles]
    water, date, dinar = (sum(column) for column in zip((0, 0, 0), *each, strict=True))
    return water, date, dinar


@happens("provision", what=SEAT)
def happen_provision(state: State, effect: Effect) -> State:
    """Whoever can pay must; who cannot pays all resources and loses the VP of all tiles."""
    state = replace(state, seat=seat_named(effect.what))
    tiles = own(state).demands
    if asks := once_known(state, effect, *map(fact, tiles)):
        return asks
    if scrolls.owns(state, "lenient") and can_pay(state, LENIENT) and _after(state) >= len(tiles):
        return asking(state, Frame("lenient"))
    return doing(state, [f"pay_{SEATS[state.seat]}"])


def _after(state: State) -> int:
    """How many resources are left after scroll 44's dinar."""
    return bags.total(own(state).resources) - sum(LENIENT)


@BOOK.effect("lenient")
def effect_lenient(state: State, token: str) -> State:
    if token == "no":
        return doing(answered(state), [f"pay_{SEATS[state.seat]}"])
    state = doing(answered(state), ["part"] * len(own(state).demands))
    return paid(state, LENIENT)


BOOK.asks(Domain("part", RESOURCES, laid=True), "part")


@BOOK.lists("part")
def list_part(state: State, _: None) -> list[Choice]:
    there = [RESOURCES[kind] for kind, _ in bags.items(own(state).resources)]
    return BOOK.listed("part", there)


@BOOK.check("part.there", "MK-15.3", "part")
def check_part_there(state: State, token: str) -> Objection | None:
    there = bags.count(own(state).resources, RESOURCES.index(token))
    return None if there else Objection({"resource": token})


@happens("part")
def happen_part(state: State, _: Effect) -> State:
    """Any 1 resource for a tile (scroll 44)."""
    return BOOK.ask(state, Frame("part"))


@BOOK.effect("part")
def effect_part(state: State, token: str) -> State:
    less = bags.one(RESOURCES.index(token))
    return with_own(answered(state), resources=own(state).resources - less)


@happens("pay", what=SEAT)
def happen_pay(state: State, effect: Effect) -> State:
    due = asked_for(state)
    if can_pay(state, due):
        return paid(state, due)
    if asks := once_known(state, effect, "demand_loss"):
        return asks
    tiles = own(state).demands
    lost = known(state.copy, "demand_loss") * len(tiles)
    return gained(with_own(state, resources=0), "provision", -lost, ",".join(map(str, tiles)))


# What the pieces allow


@BOOK.possible("turn_up")
def possible_turn_up(state: State, token: str, _: None) -> bool:
    return bool(_left(state, token))


@BOOK.possible("part")
def possible_part(state: State, token: str, _: None) -> bool:
    return bags.count(own(state).resources, RESOURCES.index(token)) > 0


@BOOK.fits("part")
def fits_part(state: State) -> bool:
    return own(state).resources > 0
