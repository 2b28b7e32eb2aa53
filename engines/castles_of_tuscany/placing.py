"""Placing a tile (CT-3.7): ``Pd3`` places on d3; which stored tile is asked where several fit."""

from __future__ import annotations

from functools import lru_cache

from engines import bags
from engines.castles_of_tuscany.book import BOOK, of_space, tile_and_space
from engines.castles_of_tuscany.kinds import KINDS, NUMBERS
from engines.castles_of_tuscany.paying import UNITS, payable, purse
from engines.castles_of_tuscany.regions import cells
from engines.castles_of_tuscany.state import Frame, State
from engines.castles_of_tuscany.taking import stored_asked
from engines.contract import Choice
from engines.kit import Objection

PLACE = "P"


@lru_cache
def places(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tokens of all spaces of a region."""
    return tuple(PLACE + name for name in names)


BOOK.asks(
    stored_asked,
    "tile",
    figures=of_space,
    fits=lambda state: state.is_empty(state.frames[-1].space) and len(set(state.own.stored)) > 1,
)


# The fast lists


def placeable(state: State) -> list[Choice]:
    """Return the spaces that a stored tile can be placed on and paid for."""
    side = state.own
    if not side.stored:
        return []
    there = state.reachable() & state.spaces_for(side.stored)
    if not there:
        return []
    ground, paid = state.land, {}
    found = []
    for space in cells(there):
        kind = ground.kinds[space]
        if kind not in paid:
            paid[kind] = payable(purse(state), kind)
        if paid[kind]:
            found.append(PLACE + ground.names[space])
    return BOOK.listed("action", found)


@BOOK.offers("tile.stored", "CT-3.7", told=tile_and_space, pieces=False)
def offer_tile(state: State) -> list[str]:
    return state.fitting(state.own.stored, state.frames[-1].space)


# Checks


@BOOK.check("place.filled", "CT-3.7", "action", "pick")
def check_place_filled(state: State, token: str) -> Objection | None:
    space = space_of(state, token)
    if space < 0 or not state.own.filled >> space & 1:
        return None
    return Objection({"space": state.land.names[space]}, names=("space",))


@BOOK.check("place.next", "CT-3.7", "action", "pick")
def check_place_next(state: State, token: str) -> Objection | None:
    space = space_of(state, token)
    if space < 0 or state.reachable() >> space & 1:
        return None
    return Objection({"space": state.land.names[space]}, names=("space",))


@BOOK.check("place.stored", "CT-3.7", "action")
def check_place_stored(state: State, token: str) -> Objection | None:
    if token[0] != PLACE or state.fitting(state.own.stored, space_of(state, token)):
        return None
    kind = state.land.kinds[space_of(state, token)]
    few: dict[str, int | str] = {} if state.own.stored else {"variant": "place.empty"}
    return Objection({"space": token[1:], "kind": kind, **few}, names=("space", "kind"))


def space_of(state: State, token: str) -> int:
    """Return the number of the space that a token of a turn or a castle's pick names, -1 for none."""
    return state.land.number(token.removeprefix(PLACE))


@BOOK.check("place.price", "CT-3.8", "action")
def check_place_price(state: State, token: str) -> Objection | None:
    if token[0] != PLACE:
        return None
    kind, there = state.land.kinds[space_of(state, token)], purse(state)
    if payable(there._replace(cards=None), kind):
        return None
    return Objection({"colour": kind, "hand": there.hand, "workers": there.workers}, names=("colour",))


@BOOK.check("place.unseen", "CT-3.8", "action")
def check_place_unseen(state: State, token: str) -> Objection | None:
    """Refuse a colour whose cards lie in the discards, as the split says how many there are."""
    if token[0] != PLACE:
        return None
    kind, there = state.land.kinds[space_of(state, token)], purse(state)
    if there.cards is None or payable(there, kind):
        return None
    figures: dict[str, int | str] = {"colour": kind, "hand": there.hand, "workers": there.workers}
    figures["unseen"] = bags.count(there.cards, NUMBERS[kind])
    return Objection(figures, _basis(state), names=("colour", "unseen"))


def _basis(state: State) -> tuple[tuple[str, int], ...]:
    return (*(("unseen", kind) for kind in range(len(KINDS))), ("hand", state.seat))


# Effects


def place(state: State, space: int) -> State:
    """Ask which tile to place if several fit (any if none does), then for its price."""
    fit = state.fitting(state.own.stored, space) or list(dict.fromkeys(state.own.stored))
    if len(fit) > 1:
        return state.asking(Frame("tile", space=space))
    return state.asking(Frame("pay", UNITS, space, fit[0]))


@BOOK.effect("tile")
def effect_tile(state: State, token: str) -> State:
    return state.answered(Frame("pay", UNITS, state.frames[-1].space, token))


# What the pieces allow


def may_place(state: State, token: str) -> bool:
    """Return True if a stored tile could lie there at all.

    The space is empty, and by what is known of the cards the price can be paid, or would have to be let off
    for want of cards.
    """
    space, there = space_of(state, token), purse(state)
    kind = state.land.kinds[space]
    paid = payable(there, kind) or not payable(there._replace(cards=None), kind)
    return not state.own.filled >> space & 1 and bool(state.own.stored) and paid


@BOOK.possible("tile")
def possible_tile(state: State, token: str) -> bool:
    return token in state.own.stored
