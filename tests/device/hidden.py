"""What a seat may hold unseen, game by game: hands that nobody else could tell apart."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

import engines
from engines import bags
from engines.contract import Decide
from engines.san_gimignano.cards import KINDS, TOWER_CARDS
from engines.san_gimignano.hands import HeldPool
from engines.torres.state import CARDS

TRIED = 20
PREFIXES = {"torres": ("", "card")}
"""Where a hand may show in a list: at the start of a step, and once a card is to be played."""


def hands(game_id: str, state, teller: int, rng: Random) -> Iterator[str]:
    """Return what the teller may say it holds, as far as what all others know and hold themselves allows."""
    hidden = {"san_gimignano": _san_gimignano, "torres": _torres, "castles_of_tuscany": _castles_of_tuscany}
    return hidden[game_id](state, teller, rng)


def lists(game_id: str, state, seat: int, held: str) -> dict[str, str]:
    """Return what may follow each beginning of a step, by the seat's hand; nothing if it is not asked."""
    game, found = engines.game(game_id), {"": ""}
    asked = game.rules.pending(state)
    if not isinstance(asked, Decide) or seat not in asked.seats:
        return found
    legal = {choice.token: choice for choice in game.rules.legal(state)}
    for prefix in PREFIXES.get(game_id, ("",)):
        if not prefix or prefix in legal:
            there = game.rules.apply(state, legal[prefix]) if prefix else state
            tokens = [choice.token for choice in game.rules.legal_for(there, seat, held)]
            found[prefix] = " ".join(tokens) or "-"
    return found


def written(held: int) -> str:
    """A hand of San Gimignano as a position writes it."""
    return ",".join(KINDS[kind] for kind in bags.elements(held)) or "-"


def _san_gimignano(state, teller: int, rng: Random) -> Iterator[str]:
    game, other = engines.game("san_gimignano"), 1 - teller
    world = game.worlds.sample(state, rng)
    yield written(world.hands[teller])
    known = _pinned(state, other, world.hands[other])
    for _ in range(TRIED):
        again = game.worlds.sample(known, rng)
        assert again.hands[other] == world.hands[other]
        yield written(again.hands[teller])


def _pinned(state, seat: int, held: int):
    """The state as ``seat`` knows it, who sees its own hand."""

    def pin(hands, shared, own):
        hidden = bags.without(own, hands[seat].known)
        pinned = HeldPool(own, 0)
        return ((pinned, hands[1]) if seat == 0 else (hands[0], pinned)), bags.without(shared, hidden)

    hands, shared = pin(state.hands, state.shared, held & TOWER_CARDS)
    state = replace(state, hands=hands, shared=shared)
    if state.nobles:
        hands, shared = pin(state.nobles.hands, state.nobles.shared, held & ~TOWER_CARDS)
        state = replace(state, nobles=replace(state.nobles, hands=hands, shared=shared))
    return state


def _torres(state, teller: int, rng: Random) -> Iterator[str]:
    """Everybody has a deck of their own, so that no hand tells anything of another."""
    game = engines.game("torres")
    for _ in range(TRIED):
        world = game.worlds.sample(state, rng)
        fresh = world.fresh if state.seat == teller else 0
        held = [kind for kind in range(len(CARDS)) if world.hands[teller] >> kind & 1]
        yield ",".join("+" * (fresh >> kind & 1) + CARDS[kind] for kind in held) or "-"


def _castles_of_tuscany(state, teller: int, rng: Random) -> Iterator[str]:
    """Deal the teller other hands of the cards that no other seat holds."""
    game = engines.game("castles_of_tuscany")
    world = game.worlds.sample(state, rng)
    there = [*bags.elements(world.hands[teller]), *world.deck]
    for _ in range(TRIED):
        dealt = bags.bag(rng.sample(there, state.sides[teller].hand))
        hands = tuple(dealt if seat == teller else hand for seat, hand in enumerate(world.hands))
        yield game.worlds.held(replace(world, hands=hands), state, teller)
