"""Prices and their payment (MK-12.1, MK-13.1, MK-14.3), and provision tiles (MK-1.6, MK-15.3).

A tile is called by its demand, ``1w2n``, or ``new`` if the copy does not know it yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS, Domain, Figures
from engines.kit import Objection
from engines.marrakesh.book import BOOK, SEAT, asking, happens
from engines.marrakesh.facts import Printing, look_up
from engines.marrakesh.frames import Effect, Instead, Lenient, Part, Print, TurnUp
from engines.marrakesh.state import DATE, DINAR, RESOURCES, WATER, State

Price = tuple[int, int, int]
"""Water, dates, dinars."""
ANY = "any"
"""The detail of ``instead`` if any one resource is the price; otherwise it is the number of dates to keep."""

BOOK.asks(Domain("instead", RESOURCES), "instead")


@BOOK.figures("instead")
def figures_instead(state: State) -> Figures:
    frame = state.asked(Instead)
    variant = ANY if frame.kept == ANY else "" if state.compelled else "due"
    return (("n", frame.left), *((("variant", variant),) if variant else ()))


def _count_kept(frame: Instead) -> int:
    """Return the number of dates that a payment must leave."""
    return 0 if frame.kept in ("", ANY) else int(frame.kept)


def _count_free(state: State, kept: int) -> Price:
    """Return the resources that can pay if ``kept`` dates must be left."""
    water, dates, dinars = bags.counts(state.own.resources, len(RESOURCES))
    return water, max(0, dates - kept), dinars


@BOOK.check("instead.dinar", "MK-12.4", "instead")
def check_instead_dinar(state: State, token: str) -> Objection | None:
    """Refuse a dinar in place of a lacking one, under version 1."""
    frame = state.asked(Instead)
    for_a_dinar = frame.kept != ANY and token == RESOURCES[DINAR] and state.compelled
    return Objection({"n": frame.left}) if for_a_dinar else None


@BOOK.check("instead.held", "MK-12.4", "instead", pieces=True)
def check_instead_held(state: State, token: str) -> Objection | None:
    return None if state.own.resource(RESOURCES.index(token)) else Objection({"resource": token})


@BOOK.check("instead.kept", "MK-12.2", "instead")
def check_instead_kept(state: State, token: str) -> Objection | None:
    frame = state.asked(Instead)
    if _count_free(state, _count_kept(frame))[RESOURCES.index(token)]:
        return None
    return Objection({"dates": state.own.resource(DATE), "needed": _count_kept(frame)})


@lru_cache(4096)
def _bag_price(price: Price) -> Bag:
    return sum(bags.one(kind, number) for kind, number in enumerate(price))


def can_pay(state: State, price: Price) -> bool:
    """Return True if the asked seat can pay a price, with scroll 33 for lacking dinars."""
    side = state.own
    water, dates = side.resource(WATER) - price[WATER], side.resource(DATE) - price[DATE]
    lack = price[DINAR] - side.resource(DINAR)
    if water < 0 or dates < 0:
        return False
    return lack <= 0 or (lack <= water + dates and state.owns("pay_otherwise"))


def pay(state: State, price: Price, kept: int = 0) -> State:
    """Return the state after a price was paid, or as much of it as the seat has if a clause was overruled.

    With scroll 33 the seat chooses the resource for each dinar (MK-5.8) and must leave ``kept`` dates.
    """
    side = state.own
    if price[DINAR] and state.owns("pay_otherwise") and not state.compelled:
        first = (price[WATER], price[DATE], 0)
        state = state.with_own(resources=bags.without(side.resources, _bag_price(first)))
        return _pay_dinars(state, Instead(str(kept or ""), price[DINAR]))
    lack = price[DINAR] - side.resource(DINAR)
    state = state.with_own(resources=bags.without(side.resources, _bag_price(price)))
    if lack <= 0 or not state.owns("pay_otherwise"):
        return state
    water, dates, _ = _count_free(state, kept)
    if lack < water + dates:
        return BOOK.ask(state, Instead(str(kept or ""), lack))
    return state.got(WATER, -water).got(DATE, -dates)


def _pay_dinars(state: State, frame: Instead) -> State:
    """Ask for the resource that pays the next dinar, or pay with all if all are needed."""
    free = _count_free(state, _count_kept(frame))
    if frame.left < sum(free):
        return BOOK.ask(state, frame)
    for kind, number in enumerate(free):
        state = state.got(kind, -number)
    return state


def pay_any(state: State) -> State:
    """Ask for one resource of choice to pay; without any (a clause was overruled) there is nothing to pay."""
    return BOOK.ask(state, Instead(ANY)) if state.own.resources else state


@BOOK.effect("instead")
def effect_instead(state: State, token: str) -> State:
    frame = state.asked(Instead)
    state = state.answered().got(RESOURCES.index(token), -1)
    if frame.left == 1:
        return state
    ask = BOOK.ask if state.compelled or frame.kept == ANY else _pay_dinars
    return ask(state, Instead(frame.kept, frame.left - 1, open=True))


def return_keshis(state: State, keshis: Bag) -> State:
    """Return the state after the asked seat returned deployed keshis to the supply."""
    return state.with_own(board=bags.without(state.own.board, keshis))


@BOOK.fits("instead")
def fits_instead(state: State) -> bool:
    frame = state.asked(Instead)
    if frame.kept == ANY:
        return frame.left == 1 and state.own.resources > 0
    free = _count_free(state, _count_kept(frame))
    if state.compelled and free[DINAR]:
        return False
    return 0 < frame.left <= sum(free) and state.owns("pay_otherwise")


TILES = 12
NEW = "new"
LENIENT = (0, 0, 1)
"""The price of scroll 44, after which each tile asks for any 1 resource."""


def name_fact(tile: int) -> str:
    """Return the name of the fact with the demand of a provision tile, 1 to 12."""
    return f"demand.{tile}"


def write_amounts(amounts: Iterable[int], letters: str = "wdn", between: str = "") -> str:
    """Write the amounts with their letters, ``1w2n``, or ``0`` for nothing."""
    return between.join(f"{n}{letter}" for n, letter in zip(amounts, letters, strict=False) if n) or "0"


def name_demand(copy: Printing, tile: int) -> str:
    """Return a provision tile's name by its demand."""
    asks = look_up(copy, name_fact(tile))
    return NEW if asks is None else write_amounts(asks)


@lru_cache
def _group_tiles(copy: Printing) -> dict[str, tuple[int, ...]]:
    """Return the tiles by their demand, unknown ones under :data:`NEW`."""
    found: dict[str, tuple[int, ...]] = {}
    for tile in range(1, TILES + 1):
        name = name_demand(copy, tile)
        found[name] = (*found.get(name, ()), tile)
    return found


@lru_cache
def _make_domain(copy: Printing) -> Domain:
    return Domain("turn_up", tuple(sorted(_group_tiles(copy))), laid=True)


BOOK.asks(
    lambda state: _make_domain(state.copy),
    "turn_up",
    figures=lambda state: (("n", len(state.own.demands) + 1),),
)
BOOK.asks(
    Domain("yes_no", ("yes", "no")),
    "lenient",
    figures=lambda state: (("n", len(state.own.demands)), ("demand", write_amounts(sum_demands(state)))),
)


def _list_left(state: State, token: str) -> list[int]:
    """Return the tiles with this name that nobody has face up."""
    up = {tile for side in state.sides for tile in side.demands}
    return [tile for tile in _group_tiles(state.copy)[token] if tile not in up]


@BOOK.offers("turn_up.left", "MK-1.2", told="demand")
def offer_turn_up(state: State) -> list[str]:
    return [token for token in _make_domain(state.copy).tokens if _list_left(state, token)]


# Effects


happens("turn_up", subject=SEAT)(asking(lambda _: TurnUp()))


@BOOK.effect("turn_up")
def effect_turn_up(state: State, token: str) -> State:
    tile = (_list_left(state, token) or list(_group_tiles(state.copy)[token]))[0]
    state = state.answered().with_own(demands=(*state.own.demands, tile))
    return state.asking(Print(name_fact(tile))) if token == NEW else state


def sum_demands(state: State) -> Price:
    """Return the demand of all the seat's face-up tiles together."""
    return sum_tiles(state.copy, state.own.demands) or (0, 0, 0)


@lru_cache(4096)
def sum_tiles(copy: Printing, tiles: tuple[int, ...]) -> Price | None:
    """Return the demand of some tiles together, None while one is unknown."""
    each = [look_up(copy, name_fact(tile)) for tile in tiles]
    if None in each:
        return None
    water, date, dinar = (sum(column) for column in zip((0, 0, 0), *each, strict=True))
    return water, date, dinar


@happens("provision", subject=SEAT, needs=lambda state, _: map(name_fact, state.own.demands))
def happen_provision(state: State, _: Effect) -> State:
    """Let the seat pay; if it cannot, it loses all resources and the VP of all tiles."""
    tiles = state.own.demands
    if state.owns("lenient") and can_pay(state, LENIENT) and bags.total(state.own.resources) > len(tiles):
        return state.asking(Lenient())
    return state.doing(Effect("pay", SEATS[state.seat]))


@BOOK.effect("lenient")
def effect_lenient(state: State, token: str) -> State:
    if token == "no":
        return state.answered().doing(Effect("pay", SEATS[state.seat]))
    state = state.answered().doing(*[Effect("part")] * len(state.own.demands))
    return pay(state, LENIENT)


BOOK.asks(Domain("part", RESOURCES, laid=True), "part")


@BOOK.offers("part.there", "MK-15.3", told="resource")
def offer_part(state: State) -> list[str]:
    return [RESOURCES[kind] for kind, _ in bags.items(state.own.resources)]


happens("part")(asking(lambda _: Part()))
"""Any 1 resource for a tile (scroll 44)."""


@BOOK.effect("part")
def effect_part(state: State, token: str) -> State:
    less = bags.one(RESOURCES.index(token))
    return state.answered().with_own(resources=state.own.resources - less)


def _need_loss(state: State, _: Effect) -> list[str]:
    return [] if can_pay(state, sum_demands(state)) else ["demand_loss"]


@happens("pay", subject=SEAT, needs=_need_loss)
def happen_pay(state: State, _: Effect) -> State:
    """Pay for all provision tiles of a seat, or take all resources and the VP of all tiles (MK-15.3)."""
    due = sum_demands(state)
    if can_pay(state, due):
        return pay(state, due)
    tiles = state.own.demands
    lost = look_up(state.copy, "demand_loss") * len(tiles)
    return state.with_own(resources=0).gained("provision", -lost, ",".join(map(str, tiles)))
