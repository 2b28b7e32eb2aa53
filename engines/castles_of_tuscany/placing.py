"""Placing a tile and paying for it, areas and colour bonuses (CT-3.7, CT-3.8, CT-4).

``Pd3`` places on d3; which stored tile is asked where several fit. The price is two units: ``v``, a card of
the tile's own colour; ``qq``, two alike of another; ``w``, a worker.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.castles_of_tuscany.book import BOOK, fitting, land, of_space, reachable, spaces_for
from engines.castles_of_tuscany.facts import SCHEMA, Bonus
from engines.castles_of_tuscany.kinds import FARM, KINDS, NUMBERS, WILD
from engines.castles_of_tuscany.regions import cells
from engines.castles_of_tuscany.state import (
    Frame,
    State,
    answered,
    asking,
    gained,
    own,
    unseen,
    with_side,
)
from engines.castles_of_tuscany.taking import stored_asked, without
from engines.contract import Choice, Domain, Figures, Printed
from engines.fact_kinds import read_word
from engines.kit.checks import Objection

PLACE = "P"
UNITS = 2  # CT-3.8
PAIR = 2
WORKER = "w"
PAIRS = tuple(2 * kind for kind in KINDS)


@lru_cache
def pay_domain(kind: str) -> Domain:
    """What one unit of the price of a tile may be, what costs the least first."""
    return Domain("pay", (kind, *(pair for pair in PAIRS if pair[0] != kind), WORKER), written=(2 * kind,))


@lru_cache
def places(names: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens of all spaces of a region."""
    return tuple(PLACE + name for name in names)


BOOK.asks(stored_asked, "tile")
BOOK.asks(lambda state: pay_domain(priced(state)), "pay")
BOOK.asks(lambda state: Printed(*_bonus_fact(state)), "bonus", report=True)
BOOK.lists("bonus")(lambda _state, _held: [])
BOOK.figures("tile")(of_space)


@BOOK.figures("pay")
def _(state: State) -> Figures:
    frame = state.frames[-1]
    left = own(state).hand - bags.total(frame.paid)
    return (*of_space(state), ("n", frame.n), ("hand", left), ("workers", own(state).workers - frame.workers))


@BOOK.figures("bonus")
def _(state: State) -> Figures:
    return (("colour", state.frames[-1].tile), ("seat", state.seat))


def _bonus_fact(state: State) -> tuple[str, object]:
    name = f"bonus.{state.frames[-1].tile}"
    return name, SCHEMA.fact(name).kind


def priced(state: State) -> str:
    """The kind whose cards are paid now: that of the space, also for a wild hex (CT-5.3)."""
    return land(state).kinds[state.frames[-1].space]


# What can be paid


def units(state: State, kind: str, held: Bag | None, paid: Bag = 0, workers: int = 0) -> tuple[str, ...]:
    """What one more unit may be besides the cards ``paid`` and ``workers`` returned, in the domain's order.

    By the ``held`` hand where it is told; else by how many cards it has and those that lie nowhere.
    """
    side = own(state)
    cards = unseen(state) if held is None else held
    return _units(kind, cards, side.hand, side.workers, paid, workers)


@lru_cache(4096)
def _units(
    kind: str, cards: Bag | None, hand: int, all_workers: int, paid: Bag, workers: int
) -> tuple[str, ...]:
    left = hand - bags.total(paid)
    if cards is None:
        found = [kind] * (left > 0) + [pair for pair in PAIRS if left >= PAIR and pair[0] != kind]
    else:
        there = bags.without(cards, paid)
        found = [kind] if left and bags.count(there, NUMBERS[kind]) else []
        if left >= PAIR:
            two = [KINDS[number] for number, copies in bags.items(there) if copies >= PAIR]
            found += [2 * other for other in two if other != kind]
    if all_workers > workers:
        found.append(WORKER)
    return tuple(found)


def cards_of(unit: str) -> Bag:
    """The cards of a unit; a worker is none."""
    return 0 if unit == WORKER else bags.bag(NUMBERS[kind] for kind in unit)


def payable(state: State, kind: str, held: Bag | None) -> bool:
    """Whether a whole price can be paid."""
    side = own(state)
    return _payable(kind, unseen(state) if held is None else held, side.hand, side.workers, UNITS, 0, 0)


@lru_cache(4096)
def _payable(
    kind: str, cards: Bag | None, hand: int, all_workers: int, n: int, paid: Bag, workers: int
) -> bool:
    if n == 0:
        return True
    return any(
        _payable(kind, cards, hand, all_workers, n - 1, paid + cards_of(unit), workers + (unit == WORKER))
        for unit in _units(kind, cards, hand, all_workers, paid, workers)
    )


def goes_on(state: State, unit: str, held: Bag | None) -> bool:
    """Whether the rest of the price can be paid after ``unit``."""
    side, frame = own(state), state.frames[-1]
    cards = unseen(state) if held is None else held
    paid, workers = frame.paid + cards_of(unit), frame.workers + (unit == WORKER)
    return _payable(priced(state), cards, side.hand, side.workers, frame.n - 1, paid, workers)


# The fast lists


def placeable(state: State, held: Bag | None) -> list[Choice]:
    """The spaces that a stored tile can be placed on and paid for."""
    side = own(state)
    if not side.stored:
        return []
    there = reachable(state) & spaces_for(state, side.stored)
    if not there:
        return []
    ground, paid = land(state), {}
    found = []
    for space in cells(there):
        kind = ground.kinds[space]
        if kind not in paid:
            paid[kind] = payable(state, kind, held)
        if paid[kind]:
            found.append(PLACE + ground.names[space])
    return BOOK.listed("action", found)


@BOOK.lists("tile")
def _(state: State, _: Bag | None) -> list[Choice]:
    return BOOK.listed("tile", fitting(state, own(state).stored, state.frames[-1].space))


@BOOK.lists("pay")
def _(state: State, held: Bag | None) -> list[Choice]:
    frame, kind = state.frames[-1], priced(state)
    found = units(state, kind, held, frame.paid, frame.workers)
    return BOOK.listed("pay", [unit for unit in found if goes_on(state, unit, held)])


# Checks: the space


@BOOK.check("place.filled", "CT-3.7", "action", "pick")
def _(state: State, token: str) -> Objection | None:
    space = space_of(state, token)
    if space < 0 or not own(state).filled >> space & 1:
        return None
    return Objection({"space": land(state).names[space]})


@BOOK.check("place.next", "CT-3.7", "action", "pick")
def _(state: State, token: str) -> Objection | None:
    space = space_of(state, token)
    if space < 0 or reachable(state) >> space & 1:
        return None
    return Objection({"space": land(state).names[space]})


@BOOK.check("place.stored", "CT-3.7", "action")
def _(state: State, token: str) -> Objection | None:
    if token[0] != PLACE or fitting(state, own(state).stored, space_of(state, token)):
        return None
    kind = land(state).kinds[space_of(state, token)]
    few: dict[str, int | str] = {} if own(state).stored else {"variant": "place.empty"}
    return Objection({"space": token[1:], "kind": kind, **few})


def space_of(state: State, token: str) -> int:
    """The number of the space that a token of a turn or a castle's pick names, -1 for none."""
    return land(state).number(token.removeprefix(PLACE))


@BOOK.check("place.price", "CT-3.8", "action")
def _(state: State, token: str) -> Objection | None:
    if token[0] != PLACE:
        return None
    kind, side = land(state).kinds[space_of(state, token)], own(state)
    if _payable(kind, None, side.hand, side.workers, UNITS, 0, 0):
        return None
    return Objection({"colour": kind, "hand": side.hand, "workers": side.workers})


@BOOK.check("place.unseen", "CT-3.8", "action")
def _(state: State, token: str) -> Objection | None:
    """Cards that lie in the discards are in nobody's hand; the split says how many there are."""
    kind = land(state).kinds[space_of(state, token)] if token[0] == PLACE else ""
    cards = unseen(state)
    if not kind or cards is None or payable(state, kind, None):
        return None
    side, left = own(state), bags.count(cards, NUMBERS[kind])
    figures: dict[str, int | str] = {"colour": kind, "hand": side.hand, "workers": side.workers}
    return Objection(figures | {"unseen": left}, _basis(state))


def _basis(state: State) -> tuple[tuple[str, int], ...]:
    return (*(("unseen", kind) for kind in range(len(KINDS))), ("hand", state.seat))


@BOOK.check("tile.stored", "CT-3.7", "tile")
def _(state: State, token: str) -> Objection | None:
    if token in fitting(state, own(state).stored, state.frames[-1].space):
        return None
    return Objection({"tile": token, **dict(of_space(state))})


# Checks: the price


@BOOK.check("pay.own", "CT-3.8", "pay")
def _(state: State, token: str) -> Objection | None:
    """Two of the own colour would be two units, not one."""
    return Objection({"colour": token[0]}) if token == 2 * priced(state) else None


@BOOK.check("pay.workers", "CT-3.8", "pay")
def _(state: State, token: str) -> Objection | None:
    left = own(state).workers - state.frames[-1].workers
    return Objection({"workers": own(state).workers}) if token == WORKER and left < 1 else None


@BOOK.check("pay.hand", "CT-3.8", "pay")
def _(state: State, token: str) -> Objection | None:
    left = own(state).hand - bags.total(state.frames[-1].paid)
    if token == WORKER or len(token) <= left:
        return None
    return Objection({"needed": len(token), "hand": left})


@BOOK.check("pay.unseen", "CT-3.8", "pay")
def _(state: State, token: str) -> Objection | None:
    """Cards that lie in the discards are in nobody's hand; the split says how many there are."""
    cards = unseen(state)
    if token == WORKER or cards is None:
        return None
    kind, paid = NUMBERS[token[0]], state.frames[-1].paid
    left = bags.count(cards, kind) - bags.count(paid, kind)
    if left >= len(token):
        return None
    split = bags.count(state.copy.cards, kind)
    return Objection(
        {"colour": token[0], "needed": len(token), "unseen": left, "all": split}, (("unseen", kind),)
    )


@BOOK.check("pay.rest", "CT-3.8", "pay")
def _(state: State, token: str) -> Objection | None:
    if goes_on(state, token, None):
        return None
    frame = state.frames[-1]
    left = own(state).hand - bags.total(frame.paid) - bags.total(cards_of(token))
    return Objection({"hand": left, "workers": own(state).workers - frame.workers - (token == WORKER)})


# Effects: placing and paying


def place(state: State, space: int) -> State:
    """A tile is to be placed: asked for which where several fit (any where none does), then for its price."""
    fit = fitting(state, own(state).stored, space) or list(dict.fromkeys(own(state).stored))
    if len(fit) > 1:
        return asking(state, Frame("tile", space=space))
    return asking(state, Frame("pay", UNITS, space, fit[0]))


@BOOK.effect("tile")
def _(state: State, token: str) -> State:
    return answered(state, Frame("pay", UNITS, state.frames[-1].space, token))


@BOOK.effect("pay")
def _(state: State, token: str) -> State:
    """Cards go to the discards, workers to the supply; then the tile is placed (CT-3.8)."""
    frame = state.frames[-1]
    paid, workers = frame.paid + cards_of(token), frame.workers + (token == WORKER)
    if frame.n > 1:
        return answered(state, replace(frame, n=frame.n - 1, paid=paid, workers=workers))
    side = own(state)
    state = with_side(
        answered(state), state.seat, hand=side.hand - bags.total(paid), workers=side.workers - workers
    )
    state = without(replace(state, discards=state.discards + paid), frame.tile)
    return scored(laid(state, frame.space, frame.tile), frame.space, frame.tile)


def laid(state: State, space: int, tile: str) -> State:
    """The state with a tile on a space, scored nowhere yet."""
    side = own(state)
    shown = side.shown
    if tile[0] == FARM:
        shown = tuple(sorted((*shown, (space, tile[1:]))))
    wild = side.wild | (tile == WILD) << space
    return with_side(state, state.seat, filled=side.filled | 1 << space, wild=wild, shown=shown)


def scored(state: State, space: int, tile: str, *between: Frame) -> State:
    """The area and the colour bonus of a tile just placed, then its effect (CT-4).

    ``between`` is what comes before the effect and after the bonus.
    """
    ground, filled = land(state), own(state).filled
    area, kind = ground.area(space), ground.kinds[space]
    if not area & ~filled:
        state = gained(state, "areas", area_points(area.bit_count()), ground.names[space])
    state = asking(state, Frame("effect", space=space, tile=tile, open=False), *between)
    number = NUMBERS[kind]
    if ground.of_kind[number] & ~filled or state.taken[number] >= len(_SIDES):
        return state
    if state.copy.bonus[number] is None:
        return asking(state, Frame("bonus", tile=kind, open=False))
    return bonus(state, kind)


def area_points(spaces: int) -> int:
    """VP of a full area of so many spaces (CT-4.1).

    >>> [area_points(spaces) for spaces in (1, 2, 3, 4, 5)]
    [1, 3, 6, 10, 15]
    """
    return spaces * (spaces + 1) // 2


_SIDES = (0, 1)
"""Of a colour bonus tile (CT-4.2)."""


def bonus(state: State, kind: str) -> State:
    """The seat to move takes the value on the side that lies up, which is turned or leaves (CT-4.2)."""
    number = NUMBERS[kind]
    values, side = state.copy.bonus[number], state.taken[number]
    assert values
    taken = tuple(times + (each == number) for each, times in enumerate(state.taken))
    return gained(replace(state, taken=taken), "bonus", values[side], kind)


@BOOK.effect("bonus")
def _(state: State, token: str) -> State:
    """The values on a colour bonus tile, told when they first matter."""
    kind = state.frames[-1].tile
    first, second = read_word(Bonus, token)
    known = tuple(
        (first, second) if each == NUMBERS[kind] else pair for each, pair in enumerate(state.copy.bonus)
    )
    return bonus(replace(answered(state), copy=replace(state.copy, bonus=known)), kind)


# What the pieces allow


def may_place(state: State, token: str) -> bool:
    """Whether a stored tile could lie there at all: the space is empty and its price at hand."""
    space = space_of(state, token)
    return (
        not own(state).filled >> space & 1
        and bool(own(state).stored)
        and payable(state, land(state).kinds[space], None)
    )


@BOOK.possible("tile")
def _(state: State, token: str, _: Bag | None) -> bool:
    return token in own(state).stored


@BOOK.possible("pay")
def _(state: State, token: str, held: Bag | None) -> bool:
    frame, kind = state.frames[-1], priced(state)
    return token in units(state, kind, held, frame.paid, frame.workers) and goes_on(state, token, held)


@BOOK.fits("tile")
def _(state: State) -> bool:
    return _empty(state) and len(set(own(state).stored)) > 1


@BOOK.fits("pay")
def _(state: State) -> bool:
    frame = state.frames[-1]
    return _empty(state) and frame.tile in own(state).stored and 0 < frame.n <= UNITS


def _empty(state: State) -> bool:
    """Whether the space in question is one and empty."""
    space = state.frames[-1].space
    return 0 <= space < len(land(state).kinds) and not own(state).filled >> space & 1


@BOOK.fits("bonus")
def _(state: State) -> bool:
    kind = state.frames[-1].tile
    return kind in KINDS and state.copy.bonus[NUMBERS[kind]] is None
