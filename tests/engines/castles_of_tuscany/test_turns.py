"""Turns, marble, rounds and the end: what happens (CT-3.1 to CT-3.3, CT-6)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany import scoring
from engines.castles_of_tuscany.state import FINISHED, Gain, Variant
from engines.contract import Over, totals
from tests.engines.castles_of_tuscany.sitting import RULES, bag, gains, having, play, seated, squares
from tests.engines.castles_of_tuscany.table import tokens

# Drawing


@pytest.mark.parametrize("printed", [2, 3])
@pytest.mark.parametrize("extra", [0, 2])
def test_ct_3_3_a_draw_is_what_the_copy_says_and_one_more_for_each_extra_card(printed, extra):
    state = having(seated(), squares=squares(" ".join(["cards"] * extra)))
    state = play(replace(state, copy=replace(state.copy, draw=printed)), "D")
    assert state.sides[0].hand == 5 + printed + extra
    assert state.deck == 112 - printed - extra
    assert RULES.pending(state).seats == (1,)


def test_ct_3_3_what_is_there_then_the_discards_are_shuffled_then_the_rest():
    state = play(replace(seated(), deck=1, discards=bag("vvmm")), "D")
    assert (state.deck, state.discards, state.sides[0].hand) == (3, 0, 7)


# Marble


def test_ct_3_2_a_marble_after_the_action_gives_one_more():
    state = play(having(seated(), marble=2), "D")
    assert (state.seat, tokens(state)) == (0, ["marble", "end"])
    state = play(state, "marble")
    assert (state.left, state.sides[0].marble, state.marble_left()) == (1, 1, 11)
    assert play(state, "D").seat == 1


def test_ct_3_2_one_marble_a_turn():
    state = play(having(seated(), marble=3), "marble D D")
    assert (state.seat, state.sides[0].marble) == (1, 2)
    again = play(state, "D")
    assert "marble" in tokens(again)


# Rounds


def near(state, seat, round_, during=0):
    """The state in a round, by default this one, with one tile left in a seat's pile of this round, and none
    in those before.
    """
    piles = tuple(0 if n < round_ else 1 if n == round_ else 7 for n in (1, 2, 3))
    gone = [*bags.elements(bag("cttiffffqqqvvvvmmmrrr"))][: 21 - sum(piles)]
    return having(replace(state, round=during or round_), seat, piles=piles, turned=bags.bag(gone))


def takes(state):
    """The state after the seat to move took a monastery; a tile of any kind that can fills the gap."""
    state = play(state, "Tm")
    return RULES.apply(state, RULES.legal(state)[0])


TABLE = replace(seated(3), seat=1)
"""Seat b is to move, a started."""


def test_ct_6_1_the_first_to_empty_the_pile_of_the_round_triggers_its_end():
    state = takes(near(TABLE, 1, 1))
    assert (state.trigger, state.round, state.seat) == (1, 1, 2)
    assert not gains(state, 1)


def test_ct_6_1_only_the_pile_of_the_round_counts():
    """The middle pile emptied in round 1 triggers nothing, until round 2 begins (CT-6.3)."""
    state = having(TABLE, 1, piles=(0, 1, 7), turned=bag("cttiffffqqqvv"))
    state = takes(replace(state, trigger=0))
    assert (state.sides[1].piles, state.trigger) == ((0, 0, 7), 0)
    state = play(state, "D")
    assert (state.round, state.trigger, state.seat) == (2, 1, 0)


GREEN = (Gain(1, "areas", 10, "b1"),)


@pytest.mark.parametrize(("at_once", "round_", "orange"), [(False, 1, [0, 0, 0]), (True, 2, [0, 10, 0])])
def test_ct_6_2_both_readings_of_one_history(at_once, round_, orange):
    """Seat b empties its pile: with that turn the round is over, or c still plays."""
    state = replace(TABLE, variant=Variant(3, at_once))
    state = takes(having(near(state, 1, 1), 1, piles=(1, 7, 7), gains=GREEN))
    assert (state.seat, state.round) == (2, round_)
    assert totals(scoring.bookings(state), 3) == orange


@pytest.mark.parametrize(("at_once", "round_", "orange"), [(False, 1, 6), (True, 2, 4)])
def test_ct_6_2_what_comes_after_the_trigger_counts_once_more_or_not(at_once, round_, orange):
    """Seat c places a farm with two kinds on b1 after b's trigger: 2 VP, booked three times or twice."""
    state = having(near(replace(TABLE, variant=Variant(3, at_once)), 1, 1), 2, stored="fab")
    state = play(takes(state), "Pb1 f f")
    assert [(one.points, one.round) for one in state.sides[2].gains] == [(2, round_)]
    assert (state.round, state.seat) == (2, 0)
    over = having(replace(state, round=4, termination=FINISHED), 2, hand=0)
    assert totals(scoring.bookings(over), 3)[2] == orange


# The end


def seats_to_the_end(state):
    """Who still plays, one draw after the other."""
    found = []
    while not state.termination:
        assert len(found) < 20
        found.append(state.seat)
        state = play(state, "D end" if state.sides[state.seat].marble else "D")
    assert RULES.pending(state) == Over(FINISHED, "CT-6.4")
    assert state.round == 4
    return found


@pytest.mark.parametrize(("at_once", "still"), [(False, [2, 0, 1, 2]), (True, [2, 0, 1])])
def test_ct_6_4_everybody_takes_one_more_turn(at_once, still):
    """``go_around``: to the start player's right neighbour, then one full round; ``at_once``: b last."""
    state = takes(near(replace(TABLE, variant=Variant(3, at_once)), 1, 3))
    assert seats_to_the_end(state) == still


def test_ct_7_2_round_3_is_added_with_the_last_turn():
    state = takes(near(replace(TABLE, variant=Variant(3, True)), 1, 3))
    state = having(state, 0, gains=GREEN, hand=0)
    orange = [totals(scoring.bookings(state), 3)[0]]
    for _ in range(3):
        state = play(having(state, state.seat, hand=0, gains=state.sides[state.seat].gains), "D")
        orange.append(totals(scoring.bookings(state), 3)[0])
    assert orange == [20, 20, 20, 30]
