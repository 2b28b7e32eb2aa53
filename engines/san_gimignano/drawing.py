"""Drawing, turning cards up, and what ends a turn (SG-3.1 to SG-3.7, SG-5.5, SG-6.3)."""

from __future__ import annotations

from msgspec.structs import replace

from engines import bags
from engines.contract import Choice
from engines.pools import Zone
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import card, kind_of
from engines.san_gimignano.moves import supply
from engines.san_gimignano.state import HIDDEN, MARKET, Frame, State
from engines.san_gimignano.zones import gain, nobles_of, show, with_hand


def settle(state: State) -> State:
    """What follows once an action's cards are drawn: refill, ending phase, the other's turn.

    SG-3.4, SG-6.3; dealing the first market (SG-1.2) is the same refill.
    """
    if not state.ending and not state.market and state.deck:
        state = _turn_up(state, min(MARKET, state.deck), opened=False)
        if state.frames:
            return state
    ending = state.ending or state.deck == 0
    return replace(state, seat=1 - state.seat, passes=0, frames=(), ending=ending)


def _turn_up(state: State, n: int, *, opened: bool) -> State:
    """Turn ``n`` cards up into the market; those not known are asked for one by one."""
    while n:
        if state.top:
            state = replace(state, market=state.market + card(state.top[0]), top=state.top[1:])
        elif state.middle or state.bottom[0] == HIDDEN:
            return replace(state, frames=(Frame("market", n, open=opened),))
        else:
            state = replace(state, market=state.market + card(state.bottom[0]), bottom=state.bottom[1:])
        n -= 1
    return replace(state, frames=())


def market(state: State, token: str) -> State:
    """A card turned up."""
    n = state.frames[-1].n - 1
    if state.middle:
        state = replace(state, middle=state.middle - 1)
    else:
        state = replace(state, bottom=state.bottom[1:])
    state = _turn_up(replace(state, market=state.market + card(int(token))), n, opened=True)
    return state if state.frames else settle(state)


def draw(state: State, token: str) -> State:
    """One card from the market, or one or more from a deck."""
    frame = state.frames[-1]
    drawn = 1
    if token[0] == "m":
        kind = bags.one(kind_of(token[1:]))
        state = gain(replace(state, market=state.market - kind), state.seat, kind)
    else:
        drawn = int(token[1:] or 1)
        state = _from_deck(state, drawn) if token[0] == q.DECK else _from_nobles(state, drawn)
    if frame.n > drawn:
        return replace(state, frames=(replace(frame, n=frame.n - drawn, open=True),))
    return settle(state)


def _from_deck(state: State, n: int) -> State:
    hand = state.hands[state.seat]
    known, unknown = hand.known, hand.unknown
    top, middle, bottom = state.top, state.middle, state.bottom
    for _ in range(n):
        if top:
            known, top = known + card(top[0]), top[1:]
        elif middle:
            unknown, middle = unknown + 1, middle - 1
        elif bottom[0] == HIDDEN:
            unknown, bottom = unknown + 1, bottom[1:]
        else:
            known, bottom = known + card(bottom[0]), bottom[1:]
    hands = with_hand(state.hands, state.seat, Zone(known, unknown))
    return replace(state, hands=hands, top=top, middle=middle, bottom=bottom)


def _from_nobles(state: State, n: int) -> State:
    nobles = nobles_of(state)
    hand = nobles.hands[state.seat]
    hands = with_hand(nobles.hands, state.seat, Zone(hand.known, hand.unknown + n))
    return replace(state, nobles=replace(nobles, hands=hands, deck=nobles.deck - n))


def draw_up_to(state: State, n: int, *, opened: bool, sources: str = "", put: bags.Bag = 0) -> State:
    """Draw ``n`` cards, fewer where there are fewer (SG-3.10, SG-5.5)."""
    n = min(n, supply(state, put, sources))
    if n <= 0:
        return settle(state)
    return replace(state, frames=(Frame("draw", n, put, open=opened, sources=sources),))


def put(state: State, token: str, sources: str) -> State:
    """A card laid down for an exchange; once enough are, all go into the market (SG-3.5)."""
    laid = state.frames[-1].put
    if token != q.ENOUGH:
        return replace(state, frames=(Frame("put", put=laid + bags.one(kind_of(token))),))
    state = show(state, state.seat, laid)
    state = replace(state, market=state.market + laid)
    return draw_up_to(state, bags.total(laid), opened=True, sources=sources, put=laid)


def hidden_cards(state: State) -> int:
    """How many cards of both decks nobody at the table has seen lie there."""
    nobles = state.nobles.deck if state.nobles else 0
    return state.middle + state.bottom.count(HIDDEN) + nobles


def place(state: State) -> str:
    """Which card of which deal's deck a report is about: how many lie under it since the deal.

    Empty for anything but such a card; what a Palazzo put under the deck may be another card the next time.
    """
    if q.question(state) != "market" or not state.middle:
        return ""
    return f"{state.deals.number if state.deals else 1}/{state.middle}"


def exposes(state: State, choice: Choice, after: State) -> bool:
    """Whether a draw or a card turned up shows what nobody had seen."""
    return choice.question in ("draw", "market") and hidden_cards(after) < hidden_cards(state)
