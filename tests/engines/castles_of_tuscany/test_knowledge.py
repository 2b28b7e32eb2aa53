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


def paying(hand, paid, discards):
    """The states of paying for a quarry on c5 out of a hand of so many cards, one after the other."""
    state = replace(having(seated(), filled="c4", stored="q", hand=hand), discards=discards)
    state = replace(state, deck=CARDS - hand - state.sides[1].hand - bags.total(discards))
    found = [play(state, "Pc5")]
    for unit in paid.split():
        found.append(play(found[-1], unit))
    return found


@pytest.mark.parametrize(("hand", "paid", "gone"), [
    (2, "q", ""), (3, "cc", ""), (4, "cc", ""), (4, "", "q" * 15), (3, "", "q" * 14 + "v" * 18),
])  # fmt: skip
def test_a_begun_payment_can_be_finished_in_every_world(hand, paid, gone):
    for state in paying(hand, paid, bag(gone)):
        for number in range(60):
            world = worlds.sample(state, Random(number))
            agrees(world, state)
            begun = state.frames[-1].paid
            assert bags.within(begun, world.hands[0])
            here = state
            while here.frames and here.frames[-1].question == "pay":
                choice = true_choices(GAME, world, here, 0, Random(number))[0]
                world = worlds.advance(world, here, choice, Random(number))
                here = RULES.apply(here, choice)
            assert bags.total(world.hands[0]) == here.sides[0].hand


def test_true_is_what_the_hand_pays_for():
    state = having(seated(), filled="c4", stored="q", hand=3)
    world = worlds.sample(state, Random(1))

    def listed(hand):
        there = replace(world, hands=(bag(hand), world.hands[1]))
        return [one.token for one in true_choices(GAME, there, state, 0, Random(1)) if one.token[0] == "P"]

    assert listed("qqv") == listed("qvv") == ["Pc5"]
    assert listed("qvm") == listed("vvm") == []
    after = play(state, "Pc5")
    there = replace(world, hands=(bag("qvv"), world.hands[1]))
    assert [one.token for one in true_choices(GAME, there, after, 0, Random(1))] == ["q", "vv"]
    after = play(after, "vv")
    assert [one.token for one in true_choices(GAME, there, after, 0, Random(1))] == ["q"]


def test_a_world_that_what_was_seen_contradicts_gives_way():
    state = play(seated(), "Tv")
    world = worlds.sample(state, Random(1))
    other = next(kind for kind in KINDS if kind != kind_of(world.piles[0][0]) and kind != "f")
    after = worlds.advance(world, state, Choice("refill", other), Random(1))
    agrees(after, RULES.apply(state, Choice("refill", other)))


def test_what_a_seat_sees_is_its_hand():
    world = replace(worlds.sample(seated(), Random(1)), hands=(bag("vvc"), 0))
    assert worlds.held(world, seated(), 0) == "1c2v"
    assert worlds.held(world, seated(), 1) == "-"


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
