"""Whole truths that agree with what the referee knows, and whether a choice shows somebody more of them."""

from __future__ import annotations

from random import Random

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Level
from engines.kit import heard, listed, question
from engines.pools import HeldPool
from engines.san_gimignano.book import BOOK
from engines.san_gimignano.cards import TOWER_CARDS, card, cards, names, ranks
from engines.san_gimignano.drawing import ENOUGH
from engines.san_gimignano.state import HIDDEN, State

IN_HAND = frozenset({"put", "build", "height", "stones", "extend", "storeys"})
"""Questions of a begun step whose cards have not left the hand yet."""


class World(msgspec.Struct, frozen=True):
    """Both hands, the deck by rank from its top, and the noble deck by kind from its top."""

    hands: tuple[Bag, Bag]
    deck: tuple[int, ...]
    nobles: tuple[int, ...] = ()


def sample(state: State, rng: Random) -> World:
    """Return a world drawn from those that agree with ``state`` and in which a begun step can be finished."""
    state = _with_begun(state, rng)
    places = [seat for seat, hand in enumerate(state.hands) for _ in range(hand.unknown)]
    rng.shuffle(places)
    hidden = ranks(state.unseen())
    rng.shuffle(hidden)
    held = [hand.known for hand in state.hands]
    in_hands = len(places) - bags.total(state.shared)
    for rank in ranks(state.shared) + hidden[:in_hands]:
        held[places.pop()] += card(rank)
    deck = hidden[in_hands:]
    middle, under = deck[: state.middle], deck[state.middle :]
    bottom = [rank if rank != HIDDEN else under.pop() for rank in state.bottom]
    world = World((held[0], held[1]), (*state.top, *middle, *bottom))
    return _with_nobles(world, state, rng) if state.nobles else world


def _with_nobles(world: World, state: State, rng: Random) -> World:
    nobles = state.nobles
    assert nobles
    places = [seat for seat, hand in enumerate(nobles.hands) for _ in range(hand.unknown)]
    rng.shuffle(places)
    hidden = list(bags.elements(state.unseen_nobles()))
    rng.shuffle(hidden)
    held = [hand + known.known for hand, known in zip(world.hands, nobles.hands, strict=True)]
    in_hands = len(places) - bags.total(nobles.shared)
    for kind in [*bags.elements(nobles.shared), *hidden[:in_hands]]:
        held[places.pop()] += bags.one(kind)
    return World((held[0], held[1]), world.deck, tuple(hidden[in_hands:]))


def _with_begun(state: State, rng: Random) -> State:
    """Return the state as if the cards that the begun step has yet to show were known in the hand."""
    after = state
    with heard() as moves:
        while question(after) in IN_HAND:
            answers = BOOK.choices(after)
            if question(after) == "put":
                choice = answers[-1] if answers[-1].token == ENOUGH else rng.choice(answers)
            else:
                choice = answers[0] if question(after) in ("height", "storeys") else rng.choice(answers)
            after = BOOK.play(after, choice)
    shown = sum(move[2] for move in moves if isinstance(move, tuple) and move[:2] == ("shown", state.seat))
    hands, shared = _pinned(state.hands, state.shared, state.seat, shown & TOWER_CARDS)
    state = replace(state, hands=hands, shared=shared)
    if state.nobles:
        hands, shared = _pinned(state.nobles.hands, state.nobles.shared, state.seat, shown & ~TOWER_CARDS)
        state = replace(state, nobles=replace(state.nobles, hands=hands, shared=shared))
    return state


def _pinned(
    hands: tuple[HeldPool, HeldPool], shared: Bag, seat: int, shown: Bag
) -> tuple[tuple[HeldPool, HeldPool], Bag]:
    hand = hands[seat]
    hidden = bags.without(shown, hand.known)
    hand = HeldPool(hand.known + hidden, hand.unknown - bags.total(hidden))
    return ((hand, hands[1]) if seat == 0 else (hands[0], hand)), bags.without(shared, hidden)


def true(world: World, state: State, choice: Choice, _seat: int | None = None) -> bool:
    """Return True if the cards really allow a listed choice: who sees the hand has it in the list."""
    frame = state.frames[-1] if state.frames else None
    seat = frame.seat if frame and frame.seat >= 0 else state.seat
    if choice.question == "market":
        return choice.token == str(world.deck[0])
    return choice in BOOK.choices(state.seen_by(seat, world.hands[seat]))


def answer(world: World, state: State, rng: Random) -> Choice:
    """Return the card on top, or, for a layout set by hand, any that could be."""
    if question(state) == "market":
        return Choice("market", str(world.deck[0]))
    return rng.choice(BOOK.choices(state))


def advance(world: World, state: State, choice: Choice, rng: Random) -> World:
    """Return the world after ``choice``; ``rng`` picks what only players see, and deals anew."""
    with heard() as moves:
        after = BOOK.play(state, choice)
    if choice.question == "deal":
        return sample(after, rng)
    hands, deck, nobles = list(world.hands), list(world.deck), list(world.nobles)
    for move in moves:
        match move:
            case ("shown", seat, shown):
                hands[seat] -= shown
            case ("gained", seat, gained):
                hands[seat] += gained
            case ("drawn", seat, n, others):
                hands[seat] += cards(deck[:n]) + bags.bag(nobles[:others])
                del deck[:n], nobles[:others]
            case ("passed", giver, n, others):
                moved = _picked(hands[giver], n, others, rng)
                hands[giver] -= moved
                hands[1 - giver] += moved
            case ("buried", seat, n, others):
                put = _picked(hands[seat], n, others, rng)
                hands[seat] -= put
                deck += ranks(put)
                nobles += bags.elements(put & ~TOWER_CARDS)
            case ("onto", towers):
                deck[:0] = towers
            case ("under", rank):
                deck.append(rank)
    # What was turned up into the market came from the top.
    return World((hands[0], hands[1]), tuple(deck[len(deck) - after.deck :]), tuple(nobles))


def _picked(held: Bag, towers: int, nobles: int, rng: Random) -> Bag:
    """Return so many cards of each back out of a hand."""
    backs = ((held & TOWER_CARDS, towers), (held & ~TOWER_CARDS, nobles))
    return sum(bags.bag(rng.sample(list(bags.elements(cards)), n)) for cards, n in backs)


def held(world: World, _: State, seat: int) -> str:
    """Return the cards of a hand, ``5,8,8,via``."""
    return listed(names(world.hands[seat]))


@BOOK.method
def exposes(state: State, choice: Choice) -> bool:
    """Return True for cards drawn or turned up unseen, a Trade and a deal (not cards their owner shows)."""
    with heard() as moves:
        after = BOOK.play(state, choice)
    if choice.question == "deal":
        return state.level is not Level.SCORE
    passed = any(isinstance(move, tuple) and move[0] == "passed" for move in moves)
    return passed or (choice.question in ("draw", "market") and after.hidden_cards() < state.hidden_cards())
