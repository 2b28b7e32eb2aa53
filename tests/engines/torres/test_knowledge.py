"""Hidden cards: whatever they really are, a true play is never refused (TO-3.8, TO-3.9)."""

from random import Random

import pytest

from engines.contract import Choice
from engines.match import Match
from engines.torres.state import CARDS
from tests.engines.cases import refused
from tests.engines.torres.cases import CASES
from tests.engines.torres.table import GAME, at, play, start, turn
from tests.engines.torres.walking import SETUPS, busy
from tests.engines.walks import seed, walk

OPENING = ("E c3", "E f6", "K h4")


@pytest.mark.parametrize("name", ["two", "four", "master"])
def test_no_true_play_is_refused(name):
    """Whoever holds an old card that has an effect may play it; the cards held and the deck are all ten."""
    for made in walk(GAME, SETUPS[name], Random(seed()), busy):
        state, world = made.state, made.world
        for seat in range(state.variant.seats):
            held = world.hands[seat]
            assert held.bit_count() == state.hand_size(seat)
            assert not held & state.played[seat]
            assert len(world.decks[seat]) == state.decks[seat]
            together = held | state.played[seat] | sum(1 << kind for kind in world.decks[seat])
            assert together == (1 << len(CARDS)) - 1
        assert world.fresh & ~world.hands[state.seat] == 0
        assert world.fresh.bit_count() == state.fresh
        old = world.hands[state.seat] & ~world.fresh
        assert old & ~state.possible_cards() == 0


@pytest.mark.parametrize(("check", "basis"), [
    ("card.hand", (("hand", 0),)), ("card.held", (("hand", 0),)), ("card.played", (("ap7", 0),)),
])  # fmt: skip
def test_what_a_refusal_by_knowledge_rests_on(check, basis):
    assert refused("torres", next(one for one in CASES if one.check == check)).basis == basis


def test_taking_a_card_lets_its_player_see_three():
    state = play(start(), *OPENING)
    assert GAME.rules.exposes(state, Choice("action", "Ttop"))
    assert GAME.rules.exposes(state, Choice("action", "Tbottom"))
    assert not GAME.rules.exposes(state, Choice("action", "end"))
    assert not GAME.rules.exposes(at(turn(deck_a=9), "card"), Choice("card", "ap7"))


def test_evidence_names_the_steps_that_took_and_played_cards():
    match = Match(GAME, SETUPS["two"])
    for text in (*OPENING, "T top", "end", "end", "ap7", "end", "end"):
        match.play(text)
    refused = GAME.rules.why_not(match.state, Choice("action", "card"))
    assert refused.check == "card.hand"
    assert match.evidence(refused) == [4, 7]
