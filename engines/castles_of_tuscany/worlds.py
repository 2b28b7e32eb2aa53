"""Sampled truths that agree with the referee's knowledge: hands, the deck, tiles face down."""

from __future__ import annotations

from random import Random

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.castles_of_tuscany import regions
from engines.castles_of_tuscany.book import BOOK
from engines.castles_of_tuscany.facts import CASTLES
from engines.castles_of_tuscany.kinds import CASTLE, KINDS, REWARDS, YIELDS, kind_of, tiles
from engines.castles_of_tuscany.placing import PLACE, cards_of
from engines.castles_of_tuscany.position import HELD
from engines.castles_of_tuscany.regions import HEXES
from engines.castles_of_tuscany.state import State
from engines.contract import Choice, Printed
from engines.fact_kinds import write_word
from engines.kit import Open, question

_OPEN = Open(BOOK)
_ALIKE = bags.bag(16 * list(range(len(KINDS))))
"""More region cards than there are (CT-1.4), as many of each colour: unseen cards are drawn from these if
their numbers are unknown.
"""


class World(msgspec.Struct, frozen=True):
    """A world: hands by seat, the deck from its top, by seat tiles face down from the left pile's top, the
    neutral tiles, and the yield cards in the order of their full pile.
    """

    hands: tuple[Bag, ...]
    deck: tuple[int, ...]
    piles: tuple[tuple[str, ...], ...]
    neutral: tuple[str, ...]
    yields: tuple[str, ...]


def sample(state: State, rng: Random) -> World:
    """Draw a world that agrees with ``state`` and in which a begun payment can be finished."""
    paid = _draw_begun(state, rng)
    there = state.unseen()
    if there is None:
        there = bags.without(_ALIKE, state.discards)
    hidden = list(bags.elements(bags.without(there, paid)))
    rng.shuffle(hidden)
    hands = []
    for seat, side in enumerate(state.sides):
        begun = paid if seat == state.seat else 0
        number = side.hand - bags.total(begun)
        dealt, hidden = hidden[:number], hidden[number:]
        hands.append(begun + bags.bag(dealt))
    rewards = state.copy.yields or REWARDS
    return World(
        tuple(hands),
        tuple(hidden[: state.deck]),
        tuple(_shuffle(state.own_hidden(seat), state.copy.farms, rng) for seat in range(len(state.sides))),
        _shuffle(state.neutral, state.copy.farms, rng),
        tuple(rng.choices(rewards, k=YIELDS)),
    )


def _draw_begun(state: State, rng: Random) -> Bag:
    """Return the cards of a begun payment and of one way to finish it."""
    paid = 0
    while question(state) in ("tile", "pay"):
        choice = rng.choice(BOOK.legal(state))
        if choice.question == "pay":
            paid = state.frames[-1].paid + cards_of(choice.token)
        state = BOOK.play(state, choice)
    return paid


def _shuffle(hidden: Bag, farms: int, rng: Random) -> tuple[str, ...]:
    """Return the ``hidden`` tiles in random order, farms with random farm kinds."""
    kinds = [KINDS[kind] for kind in bags.elements(hidden)]
    rng.shuffle(kinds)
    alike = {kind: [tile for tile in tiles(farms) if kind_of(tile) == kind] for kind in set(kinds)}
    return tuple(rng.choice(alike[kind]) for kind in kinds)


def true(world: World, state: State, choice: Choice, _seat: int | None = None) -> bool:
    """Return True if the cards really allow a listed choice: it is listed for a player who sees the hand."""
    placed = choice.question == "action" and choice.token[0] == PLACE
    if not placed and choice.question != "pay":
        return True
    return choice in BOOK.legal(replace(state, holds=world.hands[state.seat]))


def answer(world: World, state: State, rng: Random) -> Choice:
    """Return the tile or card on top; for facts of the copy and figures, a random answer."""
    asked = question(state)
    if asked == "refill":
        return Choice(asked, world.piles[state.seat][0])
    if asked in ("display", "neutral"):
        return Choice(asked, world.neutral[0])
    if asked == "yield":
        return Choice(asked, world.yields[-state.yields % YIELDS])
    if asked == "print":
        return Choice(asked, _draw_board(state, rng))
    if asked == "bonus":
        domain = BOOK.domain(state)
        assert isinstance(domain, Printed)
        return Choice(asked, write_word(domain.kind, tuple(sorted((rng.randint(1, 9), rng.randint(1, 9))))))
    return _OPEN.answer(None, state, rng)


def _draw_board(state: State, rng: Random) -> str:
    """Return a random board with which the region can have its three dark green spaces (CT-1.5)."""
    known = dict(state.copy.boards)
    others = [known[name] for name in map(regions.board, state.own.boards) if name in known]
    unknown = len(state.own.boards) - len(others)
    castles = max(CASTLES - "".join(others).count(CASTLE), 0) // unknown
    kinds = [CASTLE] * castles + rng.choices([kind for kind in KINDS if kind != CASTLE], k=HEXES - castles)
    rng.shuffle(kinds)
    return "".join(kinds)


def advance(world: World, state: State, choice: Choice, rng: Random) -> World:
    """Return the world after ``choice``; sample another one if an overruled choice is not true in it."""
    after = BOOK.play(state, choice)
    if choice.question in BOOK.reports and _turns_up(state, choice) and choice != answer(world, state, rng):
        return sample(after, rng)
    paid, drawn = find_moved(state, choice, after)
    hands, deck = list(world.hands), world.deck
    if not bags.within(paid, hands[state.seat]):
        return sample(after, rng)
    hands[state.seat] -= paid
    if drawn:
        if drawn > len(deck):
            again = list(bags.elements(state.discards + paid))
            rng.shuffle(again)
            deck = (*deck, *again)
        hands[state.seat] += bags.bag(deck[:drawn])
        deck = deck[drawn:]
    piles, neutral, yields = world.piles, world.neutral, world.yields
    if choice.question == "refill":
        piles = tuple(pile[seat == state.seat :] for seat, pile in enumerate(piles))
    elif choice.question in ("display", "neutral"):
        neutral = neutral[1:]
    elif choice.question == "yield" and not after.yields:
        yields = tuple(rng.sample(yields, YIELDS))
    return World(tuple(hands), deck, piles, neutral, yields)


def _turns_up(state: State, choice: Choice) -> bool:
    """Return True if a choice turns up a tile or a yield card."""
    return choice.question in ("display", "refill", "neutral", "yield")


def find_moved(state: State, choice: Choice, after: State) -> tuple[Bag, int]:
    """Return the region cards that a choice pays, and the number that the same seat draws."""
    frame = state.frames[-1] if choice.question == "pay" else None
    paid = frame.paid + cards_of(choice.token) if frame and question(after) != "pay" else 0
    seat = state.seat
    return paid, after.sides[seat].hand - state.sides[seat].hand + bags.total(paid)


def held(world: World, _: State, seat: int) -> str:
    """Return the region cards of a hand: ``2v1c``, ``-`` for none."""
    return HELD.write(world.hands[seat])


@BOOK.method
def exposes(state: State, choice: Choice) -> bool:
    """Return True for tiles and yield cards turned up, and region cards drawn."""
    return _turns_up(state, choice) or find_moved(state, choice, BOOK.play(state, choice))[1] > 0
