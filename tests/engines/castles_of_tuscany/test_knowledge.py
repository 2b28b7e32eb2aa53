"""Hidden cards and tiles: whatever they really are, what is true is listed; what lets somebody see them."""

from random import Random

import pytest
from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany import worlds
from engines.castles_of_tuscany.kinds import CARDS, KINDS, YIELDS, kind_of
from engines.contract import Choice
from engines.search import true_choices
from tests.engines.castles_of_tuscany.players import busy
from tests.engines.castles_of_tuscany.sitting import GAME, RULES, SETUPS, bag, having, play, seated
from tests.engines.walks import seed, walk


def agrees(world, state):
    """Nothing is lost, and nothing lies where it was seen not to be."""
    assert [bags.total(hand) for hand in world.hands] == [side.hand for side in state.sides]
    assert len(world.deck) == state.deck
    cards = sum(world.hands) + bags.bag(world.deck) + state.discards
    assert bags.total(cards) == CARDS
    assert cards == state.copy.cards or not state.copy.cards
    for seat, side in enumerate(state.sides):
        assert len(world.piles[seat]) == sum(side.piles)
        assert bag(map(kind_of, world.piles[seat])) == state.own_hidden(seat)
    assert bag(map(kind_of, world.neutral)) == state.neutral
    assert len(world.yields) == YIELDS
    assert set(world.yields) <= set(state.copy.yields or world.yields)


@pytest.mark.parametrize("name", SETUPS)
def test_worlds_agree_with_what_is_known(name):
    """The one that is played in all along, and one drawn anew at each state, in which something is true."""
    for made in walk(GAME, SETUPS[name], Random(f"{seed()} {name}"), busy):
        agrees(made.world, made.state)
        anew = worlds.sample(made.state, Random(1))
        agrees(anew, made.state)
        told = made.choices.get(None)
        assert told is None or told.question != "print" or told.token.count("c") == 1
        if told is None:
            assert true_choices(GAME, anew, made.state, made.state.seat, Random(1))
    assert made.after.termination


def test_worlds_differ_in_what_nobody_saw():
    state = seated()
    found = [worlds.sample(state, Random(number)) for number in range(9)]
    for name in ("hands", "deck", "piles", "neutral", "yields"):
        assert len({getattr(world, name) for world in found}) == 9


def test_a_world_that_what_was_seen_contradicts_gives_way():
    state = play(seated(), "Tv")
    world = worlds.sample(state, Random(1))
    other = next(kind for kind in KINDS if kind != kind_of(world.piles[0][0]) and kind != "f")
    after = worlds.advance(world, state, Choice("refill", other), Random(1))
    agrees(after, RULES.apply(state, Choice("refill", other)))


def test_exposed_is_what_is_drawn_or_turned_up():
    def exposes(state, token):
        choice = Choice(RULES.pending(state).question, token)
        assert RULES.why_not(state, choice) is None
        return RULES.exposes(state, choice)

    state = seated()
    assert exposes(state, "D")
    assert not exposes(replace(state, deck=0, discards=0), "D")
    assert exposes(replace(state, deck=0, discards=bag("v")), "D")
    assert not exposes(state, "Tv")
    assert exposes(play(state, "Tv"), "v")
    quarry = play(having(state, filled="c4", stored="q"), "Pc5")
    assert not exposes(quarry, "q")
    assert not exposes(play(quarry, "q"), "q")
    praying = play(having(state, stored="m"), "Pb2 m")
    assert exposes(praying, "m")
    assert exposes(replace(praying, deck=0), "m")  # what paid is shuffled and drawn
    cart = play(having(state, filled="c1", stored="r"), "Pc2 r r")
    assert exposes(cart, "g2")
