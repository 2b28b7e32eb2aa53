"""Tiles taken, the display refilled, five alike: what happens (CT-3.4 to CT-3.6)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany.kinds import OWN
from tests.engines.castles_of_tuscany.sitting import RULES, asked, bag, having, play, seated, shown, squares


def piled(*piles, state=None, seat=0):
    """The state with a seat's piles of these sizes; what is gone from them was turned up."""
    gone = [*bags.elements(OWN)][: 21 - sum(piles)]
    side = replace((state or seated()).sides[seat], piles=piles, turned=bags.bag(gone))
    sides = list((state or seated()).sides)
    sides[seat] = side
    return replace(state or seated(), sides=tuple(sides))


def test_ct_3_4_a_tile_goes_into_storage_and_the_own_pile_fills_the_gap():
    state = play(seated(), "Tv")
    assert state.sides[0].stored == ("v",)
    assert state.display == ("t", "fa", "fb", "q", "v", "m", "r")
    assert (asked(state), state.seat) == ("refill", 0)
    state = play(state, "c")
    assert state.display[0] == "c"
    assert state.sides[0].piles == (6, 7, 7)
    assert state.own_hidden(0) == OWN - bag("c")
    assert state.own_hidden(1) == OWN


def test_ct_3_4_with_a_full_storage_a_tile_of_choice_leaves_the_game():
    state = having(seated(), stored="m q", squares=squares("storage"))
    state = play(state, "Tv")
    assert asked(state) == "discard"
    assert [choice.token for choice in RULES.legal(state)] == ["q", "m"]
    state = play(state, "m")
    assert sorted(state.sides[0].stored) == ["q", "v"]
    assert asked(state) == "refill"
    assert "m" in state.display  # the one that lay there; the discarded one is gone
    assert state.display.count("m") == 1


@pytest.mark.parametrize(("piles", "after"), [
    ((7, 7, 7), (6, 7, 7)), ((1, 7, 7), (0, 7, 7)), ((0, 7, 7), (0, 6, 7)), ((0, 0, 2), (0, 0, 1)),
])  # fmt: skip
def test_ct_3_5_the_leftmost_pile_that_is_not_empty_fills_the_gap(piles, after):
    state = having(piled(*piles), stored="")
    tile = next(choice.token for choice in RULES.legal(play(state, "Tv")))
    assert play(state, f"Tv {tile}").sides[0].piles == after


def test_ct_3_6_five_of_a_colour_leave_and_as_many_neutral_ones_come():
    state = shown("v v v v t q m r", seated(), neutral=bag("ccttiiffqqmmrr"))
    state = play(state, "Tt v")
    assert (asked(state), state.frames[-1].n) == ("neutral", 5)
    assert state.display == ("q", "m", "r")
    for left, tile in zip((4, 3, 2, 1), ("c", "t", "fb", "i"), strict=True):
        state = play(state, tile)
        assert state.frames[-1].n == left
    state = play(state, "q")
    assert state.display == ("c", "t", "i", "fb", "q", "q", "m", "r")
    assert bags.total(state.neutral) == 9
    assert state.sides[0].stored == ("t",)


def test_ct_3_6_an_exhausted_neutral_pile_leaves_gaps():
    state = play(shown("v v v v t q m r", seated(), neutral=bag("ct")), "Tt v")
    assert state.frames[-1].n == 2
    state = play(state, "t c")
    assert state.display == ("c", "t", "q", "m", "r")
    assert (asked(state), state.sides[0].piles) == ("action", (6, 7, 7))
    none = play(shown("v v v v t q m r", seated(), neutral=0), "Tt v")
    assert none.display == ("q", "m", "r")
    assert asked(none) == "action"
