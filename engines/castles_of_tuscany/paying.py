"""The price of a tile (CT-3.8): two units, each a stop.

``v`` is a card of the tile's own colour, ``qq`` two alike of another, ``w`` a worker. What most people pay is
one stop: ``vv``, both units in cards of the own colour. ``.`` pays no more, which only a ruling lets stand.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.castles_of_tuscany.areas import laid, scored
from engines.castles_of_tuscany.book import BOOK, of_space
from engines.castles_of_tuscany.kinds import KINDS, NUMBERS
from engines.castles_of_tuscany.state import State
from engines.castles_of_tuscany.taking import without
from engines.contract import Choice, Domain, Figures
from engines.kit import Objection
from engines.notation import CLOSING

UNITS = 2
PAIR = 2
WORKER = "w"
PAIRS = tuple(2 * kind for kind in KINDS)


@lru_cache
def pay_domain(kind: str, short: bool = False) -> Domain:
    """Return the domain of what is paid for a tile, cheapest first.

    Each answer is one unit, but both own cards are both units. If a ``short`` payment was let stand, *no
    more* is offered too.
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
    """Return the kind whose cards are paid now: that of the space, also for a wild hex (CT-5.3)."""
    return state.land.kinds[state.frames[-1].space]


# What can be paid


class Purse(NamedTuple):
    """The means that a price is paid with: ``hand`` cards, ``workers``, and by colour the most that the cards
    may be, None where nothing is known of that.
    """

    cards: Bag | None
    hand: int
    workers: int

    def less(self, paid: Bag, workers: int) -> Purse:
        """Return what is left after these cards and workers were paid."""
        cards = None if self.cards is None else bags.without(self.cards, paid)
        return Purse(cards, self.hand - bags.total(paid), self.workers - workers)


def purse(state: State) -> Purse:
    """Return the purse of the seat to move: the hand that is seen, else the cards that do not lie open."""
    side = state.own
    return Purse(state.unseen() if state.holds is None else state.holds, side.hand, side.workers)


def left_of(state: State) -> Purse:
    """Return the part of a purse that is left in the middle of a payment."""
    frame = state.frames[-1]
    return purse(state).less(frame.paid, frame.workers)


def units(left: Purse, kind: str) -> list[str]:
    """Return all that one unit of the price of a ``kind`` may be, in the order of its domain."""
    cards, hand, workers = left
    found = []
    if hand and (cards is None or bags.count(cards, NUMBERS[kind])):
        found.append(kind)
    if hand >= PAIR:
        found += [2 * other for other in _pairs(cards) if other != kind]
    if workers > 0:
        found.append(WORKER)
    return found


def both_own(left: Purse, kind: str) -> bool:
    """Return True if both units can be cards of the own colour."""
    return left.hand >= UNITS and (left.cards is None or bags.count(left.cards, NUMBERS[kind]) >= UNITS)


def _pairs(cards: Bag | None) -> Iterable[str]:
    """Return the colours of which there may be two alike."""
    if cards is None:
        return KINDS
    return [KINDS[number] for number, copies in bags.items(cards) if copies >= PAIR]


def cards_of(unit: str) -> Bag:
    """Return the cards of a unit; a worker and an unpaid unit have none."""
    return 0 if unit in (WORKER, CLOSING) else bags.bag(NUMBERS[kind] for kind in unit)


def payable(left: Purse, kind: str, n: int = UNITS) -> bool:
    """Return True if ``n`` units can be paid: workers first, then own cards, then pairs."""
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
    """Return True if the other units of ``n`` can be paid after ``unit``."""
    return n == 1 or payable(left.less(cards_of(unit), unit == WORKER), kind, n - 1)


# The fast list


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


# Checks


@BOOK.check("pay.short", "CT-3.8", "pay")
def check_pay_short(state: State, token: str) -> Objection | None:
    """Refuse to stop before both units are paid."""
    return Objection({"n": state.frames[-1].n, "all": UNITS}) if token == CLOSING else None


@BOOK.check("pay.own", "CT-3.8", "pay")
def check_pay_own(state: State, token: str) -> Objection | None:
    """Refuse both cards of the own colour where one unit is left: they are both units."""
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
    """Refuse for one unit cards that lie in the discards, as for the whole price."""
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


# Effects


@BOOK.effect("pay")
def effect_pay(state: State, token: str) -> State:
    """Put cards into the discards, workers into the supply; then place the tile (CT-3.8)."""
    frame = state.frames[-1]
    paid, workers = frame.paid + cards_of(token), frame.workers + (token == WORKER)
    if frame.n > 1 and token not in (2 * priced(state), CLOSING):
        return state.answered(replace(frame, n=frame.n - 1, paid=paid, workers=workers))
    side = state.own
    state = state.answered().with_side(
        state.seat, hand=side.hand - bags.total(paid), workers=side.workers - workers
    )
    state = without(replace(state, discards=state.discards + paid, holds=None), frame.tile)
    return scored(laid(state, frame.space, frame.tile), frame.space, frame.tile)


# What the pieces allow


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
