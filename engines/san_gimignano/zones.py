"""Cards between hands, decks and the table, and what stays known of them (SG-11.1)."""

from __future__ import annotations

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.pools import Zone, take
from engines.san_gimignano.cards import TOWER_CARDS
from engines.san_gimignano.state import HIDDEN, Nobles, State

Pair = tuple[Zone, Zone]


def with_hand(hands: Pair, seat: int, hand: Zone) -> Pair:
    """Both hands, ``seat``'s exchanged."""
    return (hand, hands[1]) if seat == 0 else (hands[0], hand)


def nobles_of(state: State) -> Nobles:
    """The nobles of an advanced game."""
    assert state.nobles
    return state.nobles


def show(state: State, seat: int, shown: Bag) -> State:
    """Cards leave a hand in the open."""
    towers = shown & TOWER_CARDS
    if towers:
        hand, shared = take(state.hands[seat], state.shared, towers)
        state = replace(state, hands=with_hand(state.hands, seat, hand), shared=shared)
    if shown != towers:
        nobles = nobles_of(state)
        hand, shared = take(nobles.hands[seat], nobles.shared, shown - towers)
        hands = with_hand(nobles.hands, seat, hand)
        state = replace(state, nobles=replace(nobles, hands=hands, shared=shared))
    return state


def gain(state: State, seat: int, known: Bag) -> State:
    """Cards that everybody saw come into a hand."""
    towers = known & TOWER_CARDS
    hand = state.hands[seat]
    state = replace(state, hands=with_hand(state.hands, seat, Zone(hand.known + towers, hand.unknown)))
    if known == towers:
        return state
    nobles = nobles_of(state)
    hand = nobles.hands[seat]
    hands = with_hand(nobles.hands, seat, Zone(hand.known + known - towers, hand.unknown))
    return replace(state, nobles=replace(nobles, hands=hands))


def use(state: State, seat: int, played: Bag) -> State:
    """Nobles out of a hand count as used from now on (SG-9.3)."""
    state = show(state, seat, played)
    return _set_used(state, seat, nobles_of(state).used[seat] + played)


def unuse(state: State, seat: int, played: Bag) -> State:
    """Nobles laid down stop counting as used; where they go is for the caller to say."""
    return _set_used(state, seat, nobles_of(state).used[seat] - played)


def remove(state: State, seat: int, played: Bag) -> State:
    """Used nobles leave the game and do not count (SG-9.8, SG-9.10)."""
    state = unuse(state, seat, played)
    nobles = nobles_of(state)
    return replace(state, nobles=replace(nobles, removed=nobles.removed + played))


def _set_used(state: State, seat: int, used: Bag) -> State:
    nobles = nobles_of(state)
    both = (used, nobles.used[1]) if seat == 0 else (nobles.used[0], used)
    return replace(state, nobles=replace(nobles, used=both))


def pass_unseen(state: State, giver: int, towers: int, nobles: int) -> State:
    """So many cards of each back pass to the other hand: every known one may be among them (SG-5.6)."""
    if towers:
        hands, shared = _passed(state.hands, state.shared, giver, towers)
        state = replace(state, hands=hands, shared=shared)
    if nobles:
        held = nobles_of(state)
        hands, shared = _passed(held.hands, held.shared, giver, nobles)
        state = replace(state, nobles=replace(held, hands=hands, shared=shared))
    return state


def _passed(hands: Pair, shared: Bag, giver: int, cards: int) -> tuple[Pair, Bag]:
    gives, takes = hands[giver], hands[1 - giver]
    left, more = Zone(0, gives.size - cards), Zone(takes.known, takes.unknown + cards)
    return ((left, more) if giver == 0 else (more, left)), shared + gives.known


def bury(state: State, seat: int, towers: int, nobles: int) -> State:
    """So many cards of each back go under their decks, seen by their player alone (SG-9.10)."""
    if towers:
        hand, shared = _buried(state.hands[seat], state.shared, towers)
        bottom = (*state.bottom, *(HIDDEN,) * towers)
        state = replace(state, hands=with_hand(state.hands, seat, hand), shared=shared, bottom=bottom)
    if nobles:
        held = nobles_of(state)
        hand, shared = _buried(held.hands[seat], held.shared, nobles)
        hands = with_hand(held.hands, seat, hand)
        held = replace(held, hands=hands, shared=shared, deck=held.deck + nobles)
        state = replace(state, nobles=held)
    return state


def _buried(hand: Zone, shared: Bag, cards: int) -> tuple[Zone, Bag]:
    """Of each kind as many as were put may be gone; known copies above that still are where they were."""
    known, still = _fewer(hand.known, cards), _fewer(shared, cards)
    return Zone(known, hand.size - cards - bags.total(known)), still


def _fewer(held: Bag, cards: int) -> Bag:
    return sum(bags.one(kind, copies - cards) for kind, copies in bags.items(held) if copies > cards)
