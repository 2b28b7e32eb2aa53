"""Sampled truths that agree with the referee's knowledge: cards in hands, and orders of decks."""

from __future__ import annotations

from itertools import count
from random import Random

import msgspec
from msgspec.structs import replace

from engines.contract import Choice
from engines.kit import listed, question
from engines.torres.action_cards import BOTTOM, TOP
from engines.torres.book import BOOK
from engines.torres.final import ENOUGH, MOST_POINTS
from engines.torres.state import CARDS, State

LOOKED_AT = 3  # TO-3.8


class World(msgspec.Struct, frozen=True):
    """A world: by seat the set of cards in hand, and the deck from its top; ``fresh`` are those taken this
    turn.
    """

    hands: tuple[int, ...]
    decks: tuple[tuple[int, ...], ...]
    fresh: int = 0


def sample(state: State, rng: Random) -> World:
    """Draw a world that agrees with ``state`` and in which an open step can be finished."""
    hands, decks, fresh = [], [], 0
    for seat in range(state.variant.seats):
        hidden = [kind for kind in range(len(CARDS)) if not state.played[seat] >> kind & 1]
        rng.shuffle(hidden)
        begun = _find_begun(state) if seat == state.seat else None
        if begun in hidden:
            hidden.remove(begun)
            hidden.insert(0, begun)
        size = state.hand_size(seat)
        hands.append(sum(1 << kind for kind in hidden[:size]))
        decks.append(tuple(hidden[size:]))
        if seat == state.seat:
            fresh = sum(1 << kind for kind in hidden[size - min(state.fresh, size) : size])
    return World(tuple(hands), tuple(decks), fresh)


def _find_begun(state: State) -> int | None:
    """Return the card that is being played; if it is still to be named, one that can be."""
    name = question(state).removesuffix("_to")
    if name == "card":
        return next((CARDS.index(choice.token) for choice in BOOK.legal(state)), None)
    return CARDS.index(name) if name in CARDS else None


def true(world: World, state: State, choice: Choice, _seat: int | None = None) -> bool:
    """Return True if the cards really allow a listed choice: it is listed for a player who sees the hand."""
    if choice.question not in ("action", "card") or state.waived:
        return choice.question != "card" or bool(
            world.hands[state.seat] >> CARDS.index(choice.token) & 1 or state.waived
        )
    return choice in BOOK.legal(replace(state, holds=world.hands[state.seat] & ~world.fresh))


def answer(_: World, state: State, rng: Random) -> Choice:
    """Return a report of a table: any layout, any points."""
    asked = question(state)
    if asked in ("track", "master"):
        most = MOST_POINTS if asked == "track" else 29  # a master card gives few points
        drawn = (Choice(asked, str(rng.randint(0, most))) for _ in count())
        return next(choice for choice in drawn if not BOOK.checks.why_not(state, choice))
    found = BOOK.legal(state)
    enough = [choice for choice in found if choice.token == ENOUGH]
    return enough[0] if enough and rng.random() < 0.1 else rng.choice(found)


def advance(world: World, state: State, choice: Choice, rng: Random) -> World:
    """Return the world after ``choice``; ``rng`` picks the card that a player keeps (TO-3.8)."""
    after = BOOK.play(state, choice)
    seat = state.seat
    hands, decks, fresh = list(world.hands), list(world.decks), world.fresh
    if choice.question == "action" and choice.token in (TOP, BOTTOM):
        deck = decks[seat]
        seen, rest = list(deck[:LOOKED_AT]), deck[LOOKED_AT:]
        kept = seen.pop(rng.randrange(len(seen)))
        rng.shuffle(seen)
        decks[seat] = (*seen, *rest) if choice.token == TOP else (*rest, *seen)
        hands[seat] |= 1 << kept
        fresh |= 1 << kept
    played = after.played[seat] & ~state.played[seat]
    if played and not hands[seat] & played & ~fresh:
        return sample(after, rng)  # overruled: the card came from elsewhere
    hands[seat] &= ~played
    if after.seat != seat or not after.fresh:
        fresh = 0
    return World(tuple(hands), tuple(decks), fresh)


def held(world: World, state: State, seat: int) -> str:
    """Return the action cards of a seat, with ``+`` before one taken this turn."""
    cards = [kind for kind in range(len(CARDS)) if world.hands[seat] >> kind & 1]
    fresh = world.fresh if seat == state.seat else 0
    return listed("+" * (fresh >> kind & 1) + CARDS[kind] for kind in cards)
