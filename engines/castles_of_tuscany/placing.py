"""Placing a tile and paying for it, areas and colour bonuses (CT-3.7, CT-3.8, CT-4).

``Pd3`` places on d3; which stored tile is asked where several fit. The price is two units: ``v``, a card of
the tile's own colour; ``qq``, two alike of another; ``w``, a worker.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.castles_of_tuscany.book import BOOK, fitting, land, of_space, reachable, spaces_for
from engines.castles_of_tuscany.facts import SCHEMA, Bonus
from engines.castles_of_tuscany.kinds import FARM, KINDS, NUMBERS, WILD
from engines.castles_of_tuscany.regions import cells
from engines.castles_of_tuscany.state import (
    EFFECT,
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


class Purse(NamedTuple):
    """What a price is paid with: ``hand`` cards, ``workers``, and by colour the most that the cards may be,
    None where nothing is known of that.
    """

    cards: Bag | None
    hand: int
    workers: int

    def less(self, paid: Bag, workers: int) -> Purse:
        """After these cards and workers were paid."""
        cards = None if self.cards is None else bags.without(self.cards, paid)
        return Purse(cards, self.hand - bags.total(paid), self.workers - workers)


def purse(state: State, held: Bag | None = None) -> Purse:
    """What the seat to move has: the hand that is told, else what lies nowhere open."""
    side = own(state)
    return Purse(unseen(state) if held is None else held, side.hand, side.workers)


def left_of(state: State, held: Bag | None = None) -> Purse:
    """What of it is left in the middle of a payment."""
    frame = state.frames[-1]
    return purse(state, held).less(frame.paid, frame.workers)


def units(left: Purse, kind: str) -> list[str]:
    """What one unit of the price of a ``kind`` may be, in the order of its domain."""
    cards, hand, workers = left
    found = []
    if hand and (cards is None or bags.count(cards, NUMBERS[kind])):
        found.append(kind)
    if hand >= PAIR:
        found += [2 * other for other in _pairs(cards) if other != kind]
    if workers > 0:
        found.append(WORKER)
    return found


def _pairs(cards: Bag | None) -> Iterable[str]:
    """The colours of which there may be two alike."""
    if cards is None:
        return KINDS
    return [KINDS[number] for number, copies in bags.items(cards) if copies >= PAIR]


def cards_of(unit: str) -> Bag:
    """The cards of a unit; a worker is none."""
    return 0 if unit == WORKER else bags.bag(NUMBERS[kind] for kind in unit)


def payable(left: Purse, kind: str, n: int = UNITS) -> bool:
    """Whether ``n`` units can be paid: workers first, then own cards, then pairs."""
    cards, hand, workers = left
    n -= workers
    if n <= 0:
        return True
    alike = 0 if cards is None else n - min(n, bags.count(cards, NUMBERS[kind]))
    if hand < n + alike or not alike:
        return hand >= n + alike
    assert cards is not None
    pairs = sum(copies // PAIR for number, copies in bags.items(cards) if KINDS[number] != kind)
    return pairs >= alike


def goes_on(left: Purse, kind: str, n: int, unit: str) -> bool:
    """Whether the other units of ``n`` can be paid after ``unit``."""
    return n == 1 or payable(left.less(cards_of(unit), unit == WORKER), kind, n - 1)


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
            paid[kind] = payable(purse(state, held), kind)
        if paid[kind]:
            found.append(PLACE + ground.names[space])
    return BOOK.listed("action", found)


@BOOK.lists("tile")
def _(state: State, _: Bag | None) -> list[Choice]:
    return BOOK.listed("tile", fitting(state, own(state).stored, state.frames[-1].space))


@BOOK.lists("pay")
def _(state: State, held: Bag | None) -> list[Choice]:
    left, kind, n = left_of(state, held), priced(state), state.frames[-1].n
    found = units(left, kind)
    plenty = left.hand > PAIR and (left.cards is None or bags.count(left.cards, NUMBERS[kind]) > 1)
    if n > 1 and not plenty:
        found = [unit for unit in found if goes_on(left, kind, n, unit)]
    return BOOK.listed("pay", found)


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
    kind, there = land(state).kinds[space_of(state, token)], purse(state)
    if payable(there._replace(cards=None), kind):
        return None
    return Objection({"colour": kind, "hand": there.hand, "workers": there.workers})


@BOOK.check("place.unseen", "CT-3.8", "action")
def _(state: State, token: str) -> Objection | None:
    """Cards that lie in the discards are in nobody's hand; the split says how many there are."""
    if token[0] != PLACE:
        return None
    kind, there = land(state).kinds[space_of(state, token)], purse(state)
    if there.cards is None or payable(there, kind):
        return None
    figures: dict[str, int | str] = {"colour": kind, "hand": there.hand, "workers": there.workers}
    return Objection(figures | {"unseen": bags.count(there.cards, NUMBERS[kind])}, _basis(state))


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
    none = token == WORKER and left_of(state).workers < 1
    return Objection({"workers": own(state).workers}) if none else None


@BOOK.check("pay.hand", "CT-3.8", "pay")
def _(state: State, token: str) -> Objection | None:
    hand = left_of(state).hand
    if token == WORKER or len(token) <= hand:
        return None
    return Objection({"needed": len(token), "hand": hand})


@BOOK.check("pay.unseen", "CT-3.8", "pay")
def _(state: State, token: str) -> Objection | None:
    """As for the whole price, of one unit."""
    cards, kind = left_of(state).cards, NUMBERS[token[0]] if token != WORKER else -1
    if kind < 0 or cards is None or bags.count(cards, kind) >= len(token):
        return None
    figures: dict[str, int | str] = {"colour": token[0], "needed": len(token)}
    figures |= {"unseen": bags.count(cards, kind), "all": bags.count(state.copy.cards, kind)}
    return Objection(figures, (("unseen", kind),))


@BOOK.check("pay.rest", "CT-3.8", "pay")
def _(state: State, token: str) -> Objection | None:
    left = left_of(state)
    if goes_on(left, priced(state), state.frames[-1].n, token):
        return None
    then = left.less(cards_of(token), token == WORKER)
    return Objection({"hand": then.hand, "workers": then.workers})


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
    """The area and the colour bonus of a tile just placed, then its effect (CT-4.3).

    ``between`` is what comes before the effect and after the bonus.
    """
    ground, filled = land(state), own(state).filled
    area, kind = ground.area(space), ground.kinds[space]
    if not area & ~filled:
        state = gained(state, "areas", area_points(area.bit_count()), ground.names[space])
    state = asking(state, Frame(EFFECT, space=space, tile=tile, open=False), *between)
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
        and payable(purse(state), land(state).kinds[space])
    )


@BOOK.possible("tile")
def _(state: State, token: str, _: Bag | None) -> bool:
    return token in own(state).stored


@BOOK.possible("pay")
def _(state: State, token: str, held: Bag | None) -> bool:
    left, kind = left_of(state, held), priced(state)
    return token in units(left, kind) and goes_on(left, kind, state.frames[-1].n, token)


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
