"""Placing a tile: its space (CT-3.7), its price (CT-3.8), its area and colour bonus (CT-4).

``Pd3`` places on d3; if several stored tiles fit, the tile follows. The price is two units, a token each:
``v`` is a card of the tile's own colour, ``qq`` two equal ones of another, ``w`` a worker. ``vv`` pays both
units with cards of the own colour. ``.`` pays no more, which only a ruling lets stand.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.castles_of_tuscany.book import BOOK, ask_printed, of_space, tile_and_space
from engines.castles_of_tuscany.facts import Bonus
from engines.castles_of_tuscany.kinds import BONUS_SIDES, FARM, KINDS, NUMBERS, WILD
from engines.castles_of_tuscany.regions import cells
from engines.castles_of_tuscany.state import EFFECT, Frame, State
from engines.castles_of_tuscany.taking import drop_stored, find_stored_domain
from engines.contract import Choice, Domain, Figures
from engines.fact_kinds import read_word
from engines.kit import Objection, of_frame
from engines.notation import CLOSING

# The space of a tile (CT-3.7)

PLACE = "P"


@lru_cache
def places(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tokens of all spaces of a region."""
    return tuple(PLACE + name for name in names)


BOOK.asks(
    find_stored_domain,
    "tile",
    figures=of_space,
    fits=lambda state: state.is_empty(state.frames[-1].space) and len(set(state.own.stored)) > 1,
)


# The fast lists


def list_places(state: State) -> list[Choice]:
    """Return the choices of spaces for a stored tile that can be paid for."""
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
    """Return the number of the space in a token, ``Pd3`` or ``d3``, -1 for none."""
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
    """Refuse a colour if too many of its cards lie in the discards."""
    if token[0] != PLACE:
        return None
    kind, there = state.land.kinds[space_of(state, token)], purse(state)
    if there.cards is None or payable(there, kind):
        return None
    figures: dict[str, int | str] = {"colour": kind, "hand": there.hand, "workers": there.workers}
    figures["unseen"] = bags.count(there.cards, NUMBERS[kind])
    basis = (*(("unseen", number) for number in range(len(KINDS))), ("hand", state.seat))
    return Objection(figures, basis, names=("colour", "unseen"))


# Effects


def place(state: State, space: int) -> State:
    """Ask for the tile if several fit (any if none does), then for its price."""
    fit = state.fitting(state.own.stored, space) or list(dict.fromkeys(state.own.stored))
    if len(fit) > 1:
        return state.asking(Frame("tile", space=space))
    return state.asking(Frame("pay", UNITS, space, fit[0]))


@BOOK.effect("tile")
def effect_tile(state: State, token: str) -> State:
    return state.answered(Frame("pay", UNITS, state.frames[-1].space, token))


# What the pieces allow


def may_place(state: State, token: str) -> bool:
    """Return True if a stored tile could lie there.

    The space must be empty, and the price payable by the known cards; a price for which the hand is too small
    anyway may be waived.
    """
    space, there = space_of(state, token), purse(state)
    kind = state.land.kinds[space]
    paid = payable(there, kind) or not payable(there._replace(cards=None), kind)
    return not state.own.filled >> space & 1 and bool(state.own.stored) and paid


@BOOK.possible("tile")
def possible_tile(state: State, token: str) -> bool:
    return token in state.own.stored


# Its price (CT-3.8)

UNITS = 2
PAIR = 2
WORKER = "w"
PAIRS = tuple(2 * kind for kind in KINDS)


@lru_cache
def pay_domain(kind: str, short: bool = False) -> Domain:
    """Return the domain of payments, cheapest first.

    Each answer is one unit; two own cards are both. With ``short``, a ruling also allows *no more*.
    """
    tokens = (2 * kind, kind, *(pair for pair in PAIRS if pair[0] != kind), WORKER)
    return Domain("pay", (*tokens, CLOSING) if short else tokens, written=() if short else (CLOSING,))


BOOK.asks(lambda state: pay_domain(priced(state), "CT-3.8" in state.waived), "pay")


@BOOK.figures("pay")
def figures_pay(state: State) -> Figures:
    frame = state.frames[-1]
    left = state.own.hand - bags.total(frame.paid)
    return (*of_space(state), ("n", frame.n), ("hand", left), ("workers", state.own.workers - frame.workers))


def priced(state: State) -> str:
    """Return the kind of the cards to pay: that of the space, also for a wild hex (CT-5.3)."""
    return state.land.kinds[state.frames[-1].space]


# Its price: possible payments


class Purse(NamedTuple):
    """The means to pay a price: the number of cards in ``hand``, ``workers``, and the most ``cards`` of each
    colour in the hand, None if unknown.
    """

    cards: Bag | None
    hand: int
    workers: int

    def less(self, paid: Bag, workers: int) -> Purse:
        """Return the purse after these cards and workers are paid."""
        cards = None if self.cards is None else bags.without(self.cards, paid)
        return Purse(cards, self.hand - bags.total(paid), self.workers - workers)


def purse(state: State) -> Purse:
    """Return the purse of the seat to move, with its hand if that is known, or else all unseen cards."""
    side = state.own
    return Purse(state.unseen() if state.holds is None else state.holds, side.hand, side.workers)


def left_of(state: State) -> Purse:
    """Return the purse in the middle of a payment."""
    frame = state.frames[-1]
    return purse(state).less(frame.paid, frame.workers)


def units(left: Purse, kind: str) -> list[str]:
    """Return the possible payments of one unit for a ``kind``, in the order of the domain."""
    cards, hand, workers = left
    found = []
    if hand and (cards is None or bags.count(cards, NUMBERS[kind])):
        found.append(kind)
    if hand >= PAIR:
        found += [2 * other for other in _list_pairs(cards) if other != kind]
    if workers > 0:
        found.append(WORKER)
    return found


def both_own(left: Purse, kind: str) -> bool:
    """Return True if two own cards can pay both units."""
    return left.hand >= UNITS and (left.cards is None or bags.count(left.cards, NUMBERS[kind]) >= UNITS)


def _list_pairs(cards: Bag | None) -> Iterable[str]:
    """Return the colours of possible pairs."""
    if cards is None:
        return KINDS
    return [KINDS[number] for number, copies in bags.items(cards) if copies >= PAIR]


def cards_of(unit: str) -> Bag:
    """Return the cards of a unit, none for a worker or an unpaid unit."""
    return 0 if unit in (WORKER, CLOSING) else bags.bag(NUMBERS[kind] for kind in unit)


def payable(left: Purse, kind: str, n: int = UNITS) -> bool:
    """Return True if ``n`` units can be paid, with workers first, then own cards, then pairs."""
    cards, hand, workers = left
    n -= workers
    if n <= 0:
        return True
    if cards is None:
        return hand >= n
    by_pair = max(0, n - bags.count(cards, NUMBERS[kind]))
    if hand < n + by_pair or not by_pair:
        return hand >= n + by_pair
    pairs = sum(copies // PAIR for number, copies in bags.items(cards) if KINDS[number] != kind)
    return pairs >= by_pair


def goes_on(left: Purse, kind: str, n: int, unit: str) -> bool:
    """Return True if the rest of ``n`` units can be paid after ``unit``."""
    return n == 1 or payable(left.less(cards_of(unit), unit == WORKER), kind, n - 1)


# Its price: the fast list


@BOOK.lists("pay")
def list_pay(state: State) -> list[Choice]:
    left, kind, n = left_of(state), priced(state), state.frames[-1].n
    found = units(left, kind)
    if n == 1:
        return BOOK.listed("pay", found)
    both = both_own(left, kind)
    if not both or left.hand <= PAIR:
        found = [unit for unit in found if goes_on(left, kind, n, unit)]
    return BOOK.listed("pay", [2 * kind] * both + found)


# Its price: checks


@BOOK.check("pay.short", "CT-3.8", "pay")
def check_pay_short(state: State, token: str) -> Objection | None:
    """Refuse to pay less than both units."""
    return Objection({"n": state.frames[-1].n, "all": UNITS}) if token == CLOSING else None


@BOOK.check("pay.own", "CT-3.8", "pay")
def check_pay_own(state: State, token: str) -> Objection | None:
    """Refuse two own cards for a single unit."""
    both = token == 2 * priced(state) and state.frames[-1].n < UNITS
    return Objection({"colour": token[0]}) if both else None


@BOOK.check("pay.workers", "CT-3.8", "pay")
def check_pay_workers(state: State, token: str) -> Objection | None:
    none = token == WORKER and left_of(state).workers < 1
    return Objection({"workers": state.own.workers}) if none else None


@BOOK.check("pay.hand", "CT-3.8", "pay")
def check_pay_hand(state: State, token: str) -> Objection | None:
    hand = left_of(state).hand
    if token == WORKER or len(token) <= hand:
        return None
    return Objection({"needed": len(token), "hand": hand})


@BOOK.check("pay.unseen", "CT-3.8", "pay")
def check_pay_unseen(state: State, token: str) -> Objection | None:
    """Refuse cards for one unit if too many of the colour lie in the discards."""
    cards, kind = left_of(state).cards, NUMBERS[token[0]] if token != WORKER else -1
    if kind < 0 or cards is None or bags.count(cards, kind) >= len(token):
        return None
    figures: dict[str, int | str] = {"colour": token[0], "needed": len(token)}
    figures |= {"unseen": bags.count(cards, kind), "all": bags.count(state.copy.cards, kind)}
    return Objection(figures, (("unseen", kind),))


@BOOK.check("pay.rest", "CT-3.8", "pay")
def check_pay_rest(state: State, token: str) -> Objection | None:
    left, kind = left_of(state), priced(state)
    if token == 2 * kind or goes_on(left, kind, state.frames[-1].n, token):
        return None
    then = left.less(cards_of(token), token == WORKER)
    return Objection({"hand": then.hand, "workers": then.workers})


# Its price: the effect


@BOOK.effect("pay")
def effect_pay(state: State, token: str) -> State:
    """Pay cards to the discards and workers to the supply, then place the tile (CT-3.8)."""
    frame = state.frames[-1]
    paid, workers = frame.paid + cards_of(token), frame.workers + (token == WORKER)
    if frame.n > 1 and token not in (2 * priced(state), CLOSING):
        return state.answered(replace(frame, n=frame.n - 1, paid=paid, workers=workers))
    side = state.own
    state = state.answered().with_side(
        state.seat, hand=side.hand - bags.total(paid), workers=side.workers - workers
    )
    state = drop_stored(replace(state, discards=state.discards + paid, holds=None), frame.tile)
    return score_tile(lay_tile(state, frame.space, frame.tile), frame.space, frame.tile)


# Its price: what the pieces allow


@BOOK.possible("pay")
def possible_pay(state: State, token: str) -> bool:
    left, kind = left_of(state), priced(state)
    if token == 2 * kind:
        return state.frames[-1].n == UNITS and both_own(left, kind)
    return token == CLOSING or token in units(left, kind)


@BOOK.fits("pay")
def fits_pay(state: State) -> bool:
    frame = state.frames[-1]
    return state.is_empty(frame.space) and frame.tile in state.own.stored and 0 < frame.n <= UNITS


# Its area and colour bonus (CT-4)

BOOK.asks(ask_printed("bonus"), "bonus", report=True, figures=of_frame("seat", colour="tile"))


def lay_tile(state: State, space: int, tile: str) -> State:
    """Return the state with a tile on a space, not scored yet."""
    side = state.own
    shown = side.shown
    if tile[0] == FARM:
        shown = tuple(sorted((*shown, (space, tile[1:]))))
    wild = side.wild | (tile == WILD) << space
    return state.with_side(state.seat, filled=side.filled | 1 << space, wild=wild, shown=shown)


def score_tile(state: State, space: int, tile: str, *between: Frame) -> State:
    """Score the area and the colour bonus of a placed tile, then do its effect (CT-4.3).

    The frames ``between`` come after the bonus and before the effect.
    """
    ground, filled = state.land, state.own.filled
    area, kind = ground.area(space), ground.kinds[space]
    if not area & ~filled:
        state = state.gained("areas", area_points(area.bit_count()), ground.names[space])
    state = state.asking(Frame(EFFECT, space=space, tile=tile, open=False), *between)
    number = NUMBERS[kind]
    if ground.of_kind[number] & ~filled or state.taken[number] >= BONUS_SIDES:
        return state
    if state.copy.bonus[number] is None:
        return state.asking(Frame("bonus", tile=kind, open=False))
    return give_bonus(state, kind)


def area_points(spaces: int) -> int:
    """Return the VP of a full area (CT-4.1).

    >>> [area_points(spaces) for spaces in (1, 2, 3, 4, 5)]
    [1, 3, 6, 10, 15]
    """
    return spaces * (spaces + 1) // 2


def give_bonus(state: State, kind: str) -> State:
    """Give the seat to move the upper value of a bonus tile, which is then turned or leaves (CT-4.2)."""
    number = NUMBERS[kind]
    values, side = state.copy.bonus[number], state.taken[number]
    assert values
    taken = tuple(times + (each == number) for each, times in enumerate(state.taken))
    return replace(state, taken=taken).gained("bonus", values[side], kind)


@BOOK.effect("bonus")
def effect_bonus(state: State, token: str) -> State:
    """Enter the values on a colour bonus tile when they first matter."""
    kind = state.frames[-1].tile
    first, second = read_word(Bonus, token)
    known = tuple(
        (first, second) if each == NUMBERS[kind] else pair for each, pair in enumerate(state.copy.bonus)
    )
    return give_bonus(replace(state.answered(), copy=replace(state.copy, bonus=known)), kind)


@BOOK.fits("bonus")
def fits_bonus(state: State) -> bool:
    kind = state.frames[-1].tile
    return kind in KINDS and state.copy.bonus[NUMBERS[kind]] is None
