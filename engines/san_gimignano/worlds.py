"""Whole truths that agree with the referee's knowledge, and choices that expose more of them."""

from __future__ import annotations

from random import Random

import msgspec

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Level
from engines.kit import heard, listed, question
from engines.san_gimignano.book import BOOK
from engines.san_gimignano.cards import LOW, TOWER_CARDS, cards, names, ranks
from engines.san_gimignano.draws import ENOUGH
from engines.san_gimignano.state import HIDDEN, Nobles, State

IN_HAND = frozenset({"put", "build", "height", "stones", "extend", "storeys"})
"""The questions of a step before its cards leave the hand."""


class World(msgspec.Struct, frozen=True):
    """Both hands, the deck by rank from its top, and the noble deck by kind from its top."""

    hands: tuple[Bag, Bag]
    deck: tuple[int, ...]
    nobles: tuple[int, ...] = ()


def sample(state: State, rng: Random) -> World:
    """Return a world drawn from those that agree with ``state`` and in which a begun step can be finished."""
    state = _draw_begun(state, rng)
    (first, second), deck = _deal(state, state.unseen(), rng)
    hidden = [kind + LOW for kind in deck]
    middle, under = hidden[: state.middle], hidden[state.middle :]
    bottom = [rank if rank != HIDDEN else under.pop() for rank in state.bottom]
    lies = (*state.top, *middle, *bottom)
    if not state.nobles:
        return World((first, second), lies)
    (more, others), nobles = _deal(state.nobles, state.unseen_nobles(), rng)
    return World((first + more, second + others), lies, tuple(nobles))


def _deal(holder: State | Nobles, unseen: Bag, rng: Random) -> tuple[list[Bag], list[int]]:
    """Draw both hands of one back; return them, and the kinds of the other cards."""
    places = [seat for seat, hand in enumerate(holder.hands) for _ in range(hand.unknown)]
    rng.shuffle(places)
    hidden = list(bags.elements(unseen))
    rng.shuffle(hidden)
    held = [hand.known for hand in holder.hands]
    in_hands = len(places) - bags.total(holder.shared)
    for kind in (*bags.elements(holder.shared), *hidden[:in_hands]):
        held[places.pop()] += bags.one(kind)
    return held, hidden[in_hands:]


def _draw_begun(state: State, rng: Random) -> State:
    """Return the state with the cards in the hand known that an unfinished step still has to show."""
    after = state
    with heard() as moves:
        while question(after) in IN_HAND:
            answers = BOOK.legal(after)
            if question(after) == "put":
                choice = answers[-1] if answers[-1].token == ENOUGH else rng.choice(answers)
            else:
                choice = answers[0] if question(after) in ("height", "storeys") else rng.choice(answers)
            after = BOOK.play(after, choice)
    shown = sum(move[2] for move in moves if isinstance(move, tuple) and move[:2] == ("shown", state.seat))
    return state.seen_by(state.seat, shown)


def true(world: World, state: State, choice: Choice, _seat: int | None = None) -> bool:
    """Return True if the cards really allow a listed choice: it is in the list of whoever sees the hand."""
    if choice.question == "market":
        return choice.token == str(world.deck[0])
    seat = BOOK.asked(state)
    return choice in BOOK.legal(state.seen_by(seat, world.hands[seat]))


def answer(world: World, state: State, rng: Random) -> Choice:
    """Return the deck's top card, or for another report any legal answer."""
    if question(state) == "market":
        return Choice("market", str(world.deck[0]))
    return rng.choice(BOOK.legal(state))


def advance(world: World, state: State, choice: Choice, rng: Random) -> World:
    """Return the world after ``choice``; ``rng`` picks cards that only players see, and deals."""
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
                moved = _pick(hands[giver], n, others, rng)
                hands[giver] -= moved
                hands[1 - giver] += moved
            case ("buried", seat, n, others):
                put = _pick(hands[seat], n, others, rng)
                hands[seat] -= put
                deck += ranks(put)
                nobles += bags.elements(put & ~TOWER_CARDS)
            case ("onto", towers):
                deck[:0] = towers
            case ("under", rank):
                deck.append(rank)
    # Cards turned up into the market came from the top.
    return World((hands[0], hands[1]), tuple(deck[len(deck) - after.deck :]), tuple(nobles))


def _pick(held: Bag, towers: int, nobles: int, rng: Random) -> Bag:
    """Draw ``towers`` tower cards and ``nobles`` nobles from a hand."""
    backs = ((held & TOWER_CARDS, towers), (held & ~TOWER_CARDS, nobles))
    return sum(bags.bag(rng.sample(list(bags.elements(cards)), n)) for cards, n in backs)


def held(world: World, _: State, seat: int) -> str:
    """Return the cards of a hand, ``5,8,8,via``."""
    return listed(names(world.hands[seat]))


@BOOK.method
def exposes(state: State, choice: Choice) -> bool:
    """Return True for unseen cards drawn or turned up, a Trade and a deal, but not for cards shown."""
    with heard() as moves:
        after = BOOK.play(state, choice)
    if choice.question == "deal":
        return state.level is not Level.SCORE
    passed = any(isinstance(move, tuple) and move[0] == "passed" for move in moves)
    return passed or (choice.question in ("draw", "market") and after.hidden_cards() < state.hidden_cards())
