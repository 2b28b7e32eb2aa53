"""Whole truths that agree with what the referee knows: for playouts and for testing the knowledge."""

from __future__ import annotations

from random import Random

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Choice
from engines.pools import Reach, Zone
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import LOW, card, cards, ranks
from engines.san_gimignano.moves import legal
from engines.san_gimignano.play import apply
from engines.san_gimignano.questions import question
from engines.san_gimignano.state import State, unseen


class World(msgspec.Struct, frozen=True):
    """Both hands, and the deck by rank from its top."""

    hands: tuple[Bag, Bag]
    deck: tuple[int, ...]


def sample(state: State, rng: Random) -> World:
    """A world drawn from those that agree with ``state`` and in which a begun step can be finished."""
    state = _with_begun(state, rng)
    places = [seat for seat, hand in enumerate(state.hands) for _ in range(hand.unknown)]
    rng.shuffle(places)
    hidden = ranks(unseen(state))
    rng.shuffle(hidden)
    held = [hand.known for hand in state.hands]
    for rank in ranks(state.shared) + hidden[: len(places) - bags.total(state.shared)]:
        held[places.pop()] += card(rank)
    middle = hidden[len(hidden) - state.middle :]
    return World((held[0], held[1]), (*state.top, *middle, *state.bottom))


def _with_begun(state: State, rng: Random) -> State:
    """The state as if the cards that the begun step has yet to show were known in the hand."""
    shown, after = 0, state
    while question(after) in ("put", "build", "height", "extend", "storeys"):
        choices = legal(after)
        if question(after) == "put":
            choice = choices[-1] if choices[-1].token == q.ENOUGH else rng.choice(choices)
        else:
            choice = choices[0] if question(after) in ("height", "storeys") else rng.choice(choices)
        shown += after.frames[-1].put if choice.token == q.ENOUGH else _laid(after, choice)
        after = apply(after, choice)
    hand = state.hands[state.seat]
    hidden = bags.without(shown, hand.known)
    hand = Zone(hand.known + hidden, hand.unknown - bags.total(hidden))
    hands = (hand, state.hands[1]) if state.seat == 0 else (state.hands[0], hand)
    return replace(state, hands=hands, shared=bags.without(state.shared, hidden))


def true(world: World, state: State, choice: Choice) -> bool:
    """Whether the cards really allow a listed choice: it is in the list of somebody who sees the hand."""
    frame = state.frames[-1] if state.frames else None
    seat = frame.seat if frame and frame.seat >= 0 else state.seat
    if choice.question == "market":
        return choice.token == str(world.deck[0])
    return choice in legal(state, Reach(Zone(world.hands[seat]), 0, 0, 0))


def answer(world: World, state: State, rng: Random) -> Choice:
    """The card on top, or, for a layout set by hand, any that could be."""
    if q.question(state) == "market":
        return q.CHOICES["market", str(world.deck[0])]
    return rng.choice(legal(state))


def advance(world: World, state: State, choice: Choice, rng: Random) -> World:
    """The world after ``choice``; ``rng`` draws and returns the cards of a Trade."""
    after = apply(state, choice)
    hands, deck = list(world.hands), list(world.deck)
    frame = state.frames[-1] if state.frames else None
    if choice.question == "draw":
        if choice.token[0] == "m":
            hands[state.seat] += card(int(choice.token[1:]))
        else:
            for _ in range(int(choice.token[1:] or 1)):
                hands[state.seat] += card(deck.pop(0))
    elif choice == q.CHOICES["guard", q.GUARD] and frame:
        hands[frame.seat] -= card(LOW)
        deck.append(LOW)
    elif choice == q.CHOICES["put", q.ENOUGH] and frame:
        hands[state.seat] -= frame.put
    else:
        hands[state.seat] -= _laid(state, choice)
    if len(after.top) > len(state.top):
        deck[:0] = after.top[: len(after.top) - len(state.top)]
    n = traded(state, choice, after)
    if n:
        _trade(hands, state.seat, n, rng)
    return World((hands[0], hands[1]), tuple(deck[len(deck) - after.deck :]))


def _laid(state: State, choice: Choice) -> Bag:
    """The cards that this choice lays out of the hand."""
    tower = state.frames[-1].tower if state.frames else None
    low, _, high = choice.token.partition("-")
    if choice.question == "build" and high:
        return cards(list(range(int(low), int(high) + 1)))
    if choice.question == "height" and tower:
        return card(tower.low, int(choice.token[1:]))
    if choice.question == "storeys" and tower:
        n = int(choice.token[1:])
        return card(tower.low, n) if tower.plain else cards(list(range(tower.low - n, tower.low)))
    return 0


def traded(state: State, choice: Choice, after: State) -> int:
    """The height of the tower whose Trade this choice carries out, 0 if it carries out none."""
    frame = state.frames[-1] if state.frames else None
    if not frame or question(after) == "guard":
        return 0
    if choice == q.CHOICES["guard", q.ALLOW]:
        return 0 if frame.tower else frame.n
    nines = frame.tower is not None and frame.tower.low == 9 and not state.ending
    if nines and frame.tower and choice == q.CHOICES["donazione", q.USE]:
        return frame.tower.height
    if nines and choice.question == "height" and state.must_donate:
        return int(choice.token[1:])
    return 0


def _trade(hands: list[Bag], seat: int, n: int, rng: Random) -> None:
    """Draw ``n`` from the other hand and give back ``n - 1`` of any (SG-5.6)."""
    other = 1 - seat
    for giver, taker, wanted in ((other, seat, n), (seat, other, n - 1)):
        held = ranks(hands[giver])
        moved = cards(rng.sample(held, min(wanted, len(held))))
        hands[giver] -= moved
        hands[taker] += moved
