"""Purchase and Exchange, and every other draw (SG-3.1 to SG-3.7)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Domain, Level, Picker
from engines.kit import Objection, note, of_frame
from engines.san_gimignano import cards as c
from engines.san_gimignano.book import BOOK, check_hand, either, hand_asked, kinds_of
from engines.san_gimignano.hands import Hand
from engines.san_gimignano.state import BOTH_DECKS, DECKS_ONLY, HIDDEN, Frame, State
from engines.san_gimignano.turns import EXCHANGE, PURCHASE, begins, offers, settle

# Purchase


@offers
def offer_draws(state: State, hand: Hand) -> Iterable[str]:
    tokens: list[str] = []
    if not state.ending:
        if hand.size + _count_purchased(state) <= state.hand_limit(state.seat):
            tokens.append(PURCHASE)
        if _can_exchange(state, hand):
            tokens.append(EXCHANGE)
    return tokens


def _count_purchased(state: State) -> int:
    """Return the number of cards that a Purchase takes (SG-3.3)."""
    return 1 if state.deck == 1 else 2


@BOOK.check("purchase.hand_limit", "SG-3.2", "action")
def check_purchase_hand_limit(state: State, token: str) -> Objection | None:
    taken, limit = _count_purchased(state), state.hand_limit(state.seat)
    if token != PURCHASE or state.hand_size(state.seat) + taken <= limit:
        return None
    return Objection({"cards": state.hand_size(state.seat), "taken": taken, "limit": limit})


@begins(PURCHASE)
def begin_purchase(state: State, _: str) -> State:
    return draw_up_to(state, _count_purchased(state), opened=True, sources=_list_sources(state))


def _list_sources(state: State) -> str:
    """Return the sources of a Purchase and an Exchange (SG-9.2)."""
    return BOTH_DECKS if state.nobles else ""


# Exchange

ENOUGH = ">"
"""The end of the cards that go into the market."""
BOOK.asks(
    either(
        Domain("put", (*c.RANK_NAMES, ENOUGH), Picker.WHEEL),
        Domain("put", (*c.KINDS, ENOUGH), Picker.WHEEL),
    ),
    "put",
    figures=lambda state: (("n", bags.total(state.frames[-1].put) + 1),),
)


def _can_exchange(state: State, hand: Hand) -> bool:
    """Return True if the hand may hold two cards that can be exchanged."""
    if hand.size < 2:
        return False
    if state.deck >= 2:
        return True  # the deck replaces any two cards
    return any(_can_put(state, hand, bags.one(kind), 1) for kind in kinds_of(state))


def _can_put(state: State, hand: Hand, put: Bag, n: int) -> bool:
    """Return True if the hand may hold ``put``, ``n`` cards, and they can be part of an exchange."""
    if not hand.may_hold(put):
        return False
    deck = state.deck
    if n >= 2:
        return deck >= n or supply(state, put) >= n
    if deck >= 2:
        return hand.size >= 2  # the deck replaces both, whatever the second card is
    both = (put + bags.one(kind) for kind in kinds_of(state))
    return any(supply(state, cards) >= 2 and hand.may_hold(cards) for cards in both)


@BOOK.lists("put")
def list_put(state: State) -> list[Choice]:
    hand, put = hand_asked(state), state.frames[-1].put
    n = bags.total(put)
    if state.deck > max(n, 1) and hand.size >= 2:  # the deck replaces any cards
        towers = put & c.TOWER_CARDS
        kinds = hand.towers.besides(towers, range(c.PIETRA))
        if hand.noble_cards:
            kinds += hand.nobles.besides(put - towers, range(c.PIETRA, len(c.KINDS)))
    else:
        kinds = [kind for kind in kinds_of(state) if _can_put(state, hand, put + bags.one(kind), n + 1)]
    return BOOK.listed("put", [c.KINDS[kind] for kind in kinds] + [ENOUGH] * (n >= 2))


@BOOK.check("exchange.two_cards", "SG-3.5", "action")
def check_exchange_two_cards(state: State, token: str) -> Objection | None:
    few = token == EXCHANGE and state.hand_size(state.seat) < 2
    return Objection({"cards": state.hand_size(state.seat)}) if few else None


@BOOK.check("exchange.supply", "SG-3.7", "action")
def check_exchange_supply(state: State, token: str) -> Objection | None:
    if token != EXCHANGE or _can_exchange(state, state.hand_of(state.seat)):
        return None
    return Objection({"deck": _has_both_decks(state), "market": bags.total(state.market)})


@BOOK.check("exchange.least", "SG-3.5", "put")
def check_exchange_least(state: State, token: str) -> Objection | None:
    put = bags.total(state.frames[-1].put)
    return Objection({"put": put}) if token == ENOUGH and put < 2 else None


@BOOK.check("exchange.hand", "SG-11.1", "put", pieces=True)
def check_exchange_hand(state: State, token: str) -> Objection | None:
    if token == ENOUGH:
        return None
    return check_hand(state, state.frames[-1].put + bags.one(c.kind_of(token)))


@BOOK.check("exchange.replaced", "SG-3.7", "put")
def check_exchange_replaced(state: State, token: str) -> Objection | None:
    if token == ENOUGH:
        return None
    put = state.frames[-1].put + bags.one(c.kind_of(token))
    if _can_put(state, state.hand_of(state.seat), put, bags.total(put)):
        return None
    eligible = sum(copies for kind, copies in bags.items(state.market) if not bags.count(put, kind))
    return Objection({"put": max(bags.total(put), 2), "deck": _has_both_decks(state), "market": eligible})


def _has_both_decks(state: State) -> int:
    return state.deck + (state.nobles.deck if state.nobles else 0)


@BOOK.effect("put")
def effect_put(state: State, token: str) -> State:
    """Lay down a card for an exchange; :data:`ENOUGH` puts them all into the market (SG-3.5)."""
    laid = state.frames[-1].put
    if token != ENOUGH:
        return replace(state, frames=(Frame("put", put=laid + bags.one(c.kind_of(token))),))
    state = state.show(state.seat, laid)
    state = replace(state, market=state.market + laid)
    return draw_up_to(state, bags.total(laid), opened=True, sources=_list_sources(state), put=laid)


@BOOK.fits("put")
def fits_put(state: State) -> bool:
    put = state.frames[-1].put
    n = bags.total(put)
    return not n or _can_put(state, state.hand_of(state.seat), put, n) or bool(state.waived)


# One card from a deck or the market, or the rest from a deck

DECK, NOBLE_DECK = "d", "n"
_MARKET_9 = tuple(f"m{card}" for card in c.KINDS)
_MARKET = _MARKET_9[: len(c.RANKS)]
_COUNTED = tuple(f"d{n}" for n in range(1, c.CARDS + 1))
_COUNTED_9 = (*_COUNTED, *(f"n{n}" for n in range(1, c.NOBLE_CARDS + 1)))
_SOURCES = either(
    Domain("source", (DECK, *_MARKET), laid=True),
    Domain("source", (DECK, NOBLE_DECK, *_MARKET_9), laid=True),
)
_COUNTED_SOURCES = either(
    Domain("source", (*_COUNTED, *_MARKET), laid=True),
    Domain("source", (*_COUNTED_9, *_MARKET_9), laid=True),
)
BOOK.asks(
    lambda state: _SOURCES(state) if state.level is Level.FULL else _COUNTED_SOURCES(state),
    "draw",
    figures=of_frame(n="n"),
)


def supply(state: State, put: Bag = 0, sources: str = BOTH_DECKS) -> int:
    """Return the number of cards that can be drawn after ``put`` was put down (SG-3.6, SG-3.7)."""
    cards = state.deck
    if state.nobles and sources:
        cards += state.nobles.deck
    if sources != DECKS_ONLY:
        for kind, copies in bags.items(state.market):
            if not bags.count(put, kind):
                cards += copies
    return cards


@BOOK.lists("draw")
def list_draw(state: State) -> list[Choice]:
    frame, hidden = state.frames[-1], _count_noble_deck(state)
    if state.level is Level.FULL:
        tokens = [DECK] * (state.deck > 0) + [NOBLE_DECK] * (hidden > 0)
    elif hidden:
        tokens = [f"d{n}" for n in range(1, min(frame.n, state.deck) + 1)]
        tokens += [f"n{n}" for n in range(1, min(frame.n, hidden) + 1)]
    else:
        tokens = [f"d{frame.n}"] if state.deck >= frame.n else []
    if frame.sources != DECKS_ONLY:
        tokens += [_MARKET_9[k] for k, _ in bags.items(state.market) if not bags.count(frame.put, k)]
    return BOOK.listed("draw", tokens)


def _count_noble_deck(state: State) -> int:
    """Return the number of nobles that can be drawn now (SG-9.2)."""
    return state.nobles.deck if state.nobles and state.frames[-1].sources else 0


@BOOK.check("draw.noble_deck", "SG-9.2", "draw")
def check_draw_noble_deck(state: State, token: str) -> Objection | None:
    return Objection() if token[0] == NOBLE_DECK and not state.frames[-1].sources else None


BOOK.needs(
    "draw.decks_only", "SG-9.6", _MARKET_9, "draw", lambda state: state.frames[-1].sources != DECKS_ONLY
)


def _refuse_beyond_deck(letter: str, state: State, token: str) -> Objection | None:
    left = state.deck if letter == DECK else state.nobles.deck if state.nobles else 0
    return Objection({"deck": left}) if token[0] == letter and int(token[1:] or 1) > left else None


BOOK.check("draw.deck", "SG-3.1", "draw", pieces=True)(partial(_refuse_beyond_deck, DECK))
BOOK.check("draw.nobles", "SG-9.2", "draw", pieces=True)(partial(_refuse_beyond_deck, NOBLE_DECK))


@BOOK.check("draw.left", "SG-11.2", "draw")
def check_draw_left(state: State, token: str) -> Objection | None:
    left = state.frames[-1].n
    return Objection({"left": left}) if token[0] != "m" and int(token[1:] or 1) > left else None


@BOOK.check("draw.rest", "SG-11.2", "draw")
def check_draw_rest(state: State, token: str) -> Objection | None:
    left = state.frames[-1].n
    if token[0] == "m" or state.level is Level.FULL or _count_noble_deck(state) or int(token[1:]) == left:
        return None
    return Objection({"left": left})


@BOOK.check("draw.market", "SG-3.1", "draw", pieces=True)
def check_draw_market(state: State, token: str) -> Objection | None:
    if token[0] != "m" or bags.count(state.market, c.kind_of(token[1:])):
        return None
    return Objection({"rank": token[1:]})


@BOOK.check("draw.just_put", "SG-3.6", "draw")
def check_draw_just_put(state: State, token: str) -> Objection | None:
    if token[0] != "m" or not bags.count(state.frames[-1].put, c.kind_of(token[1:])):
        return None
    return Objection({"rank": token[1:]})


@BOOK.effect("draw")
def effect_draw(state: State, token: str) -> State:
    frame = state.frames[-1]
    drawn = 1
    if token[0] == "m":
        kind = bags.one(c.kind_of(token[1:]))
        state = replace(state, market=state.market - kind).gain(state.seat, kind)
    else:
        drawn = int(token[1:] or 1)
        state = _draw_towers(state, drawn) if token[0] == DECK else _draw_nobles(state, drawn)
    if frame.n > drawn:
        return replace(state, frames=(replace(frame, n=frame.n - drawn, open=True),))
    return settle(state)


def _draw_towers(state: State, n: int) -> State:
    note(("drawn", state.seat, n, 0))
    hand = state.hands[state.seat]
    known, unknown = hand.known, hand.unknown
    for _ in range(n):
        if state.next_rank == HIDDEN:
            unknown += 1
        else:
            known += c.card(state.next_rank)
        state = state.off_deck()
    return state.with_hand(state.seat, known, unknown)


def _draw_nobles(state: State, n: int) -> State:
    note(("drawn", state.seat, 0, n))
    nobles = state.advanced
    hand = nobles.hands[state.seat]
    drawn = nobles.with_hand(state.seat, hand.known, hand.unknown + n)
    return replace(state, nobles=replace(drawn, deck=nobles.deck - n))


def draw_up_to(state: State, n: int, *, opened: bool, sources: str = "", put: Bag = 0) -> State:
    """Draw ``n`` cards, or all if there are fewer (SG-3.10, SG-5.5)."""
    n = min(n, supply(state, put, sources))
    if n <= 0:
        return settle(state)
    return replace(state, frames=(Frame("draw", n, put, open=opened, sources=sources),))


@BOOK.fits("draw")
def fits_draw(state: State) -> bool:
    frame = state.frames[-1]
    return 0 < frame.n <= supply(state, frame.put, frame.sources)
