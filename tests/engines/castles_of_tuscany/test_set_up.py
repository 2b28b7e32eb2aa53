"""Boards, starting castles, first square tiles, the display: what happens (CT-1.5, CT-2)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany.kinds import NEUTRAL, SQUARES, kind_of
from engines.castles_of_tuscany.state import marble_left, region, squares_left, wilds_left, workers_left
from engines.contract import Choice, Level, Setup
from engines.facts import playable
from tests.engines.castles_of_tuscany.sitting import (
    BOARDS,
    DISPLAY,
    RULES,
    SCHEMA,
    SETUPS,
    asked,
    gains,
    play,
    seated,
    spaces,
    start,
)

PRINTS = "cvvvvvvvvv vvvvcvvvvv vvvvvvvvvc"
"""A castle each, on its first, fifth and last hex."""


def second_starts():
    """The first state of a match of three in which seat b starts."""
    return RULES.start(playable(SCHEMA, Setup(seats=3, start=1)))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ct_2_2_everybody_begins_with_five_cards_and_nothing_else(seats):
    state = start(seats)
    assert [side.hand for side in state.sides] == [5] * seats
    assert state.deck == 122 - 5 * seats
    assert (state.discards, state.yields, state.round) == (0, 27, 1)
    for side in state.sides:
        assert (side.marble, side.workers, side.stored, side.gains) == (0, 0, (), ())
        assert side.piles == (7, 7, 7)
    assert (marble_left(state), workers_left(state), wilds_left(state)) == (12, 12, 10)
    assert [squares_left(state, kind) for kind in range(len(SQUARES))] == [5] * 5


def test_ct_1_5_boards_are_named_by_seat_from_the_start_player():
    state = second_starts()
    order = []
    for boards in BOARDS[:3]:
        order.append(state.seat)
        state = play(state, boards)
    assert order == [1, 2, 0]
    assert state.sides[1].boards == ("A1", "B1", "C1")
    assert (asked(state), state.seat) == ("first_castle", 1)


def test_ct_1_6_boards_that_nobody_knows_are_asked_for_once_the_region_is_named():
    """Their castles have to make three: the first two have none, so the last has all."""
    state = RULES.start(SETUPS["three, little known"])
    state = play(state, "A2 B1+1 C3-1")
    for name, hexes in zip(("A2", "B1", "C3"), PRINTS.split(), strict=True):
        assert (asked(state), state.frames[-1].tile, state.seat) == ("print", name, 0)
        state = play(state, hexes)
    assert (asked(state), state.seat) == ("top_board", 1)
    assert region(state, 0).kinds == PRINTS.replace(" ", "")


def test_ct_2_3_the_starting_castle_gives_nothing():
    """Its space is an area of one, full at once; a castle's pick would be asked for."""
    state = play(start(), f"{BOARDS[0]} {BOARDS[1]} b5")
    assert (asked(state), state.seat) == ("first_castle", 1)
    assert state.sides[0].filled == spaces(state, 0, "b5")
    assert gains(state) == []


def test_ct_2_3_a_castle_that_was_let_stand_on_the_only_space_of_a_colour_gives_no_bonus():
    """So the colour is full and nobody took its bonus: the position is none to complain of, now or later."""
    state = play(start(), f"A2 B2+0 C1+0 {BOARDS[2]}")
    lands = [region(state, seat) for seat in (0, 1)]
    (only,) = [name for name, kind in zip(lands[0].names, lands[0].kinds, strict=True) if kind == "i"]
    castle = lands[1].names[lands[1].kinds.index("c")]
    choice = Choice("first_castle", only)
    refusal = RULES.why_not(state, choice)
    assert (refusal.check, refusal.clause) == ("castle.space", "CT-2.3")
    state = play(
        RULES.overrule(state, choice, refusal.clause), f"{castle} yield cards {' '.join('ctifqvmr')}"
    )
    assert (asked(state), state.taken, state.waived) == ("action", (0,) * 8, ("CT-2.3",))
    assert RULES.problems(state) == []
    assert RULES.problems(replace(state, taken=(0, 0, 2, 0, 0, 0, 0, 0)))[0].check == "position.taken"


def test_ct_2_4_square_tiles_are_taken_clockwise_and_a_storage_tile_gives_its_vp_at_once():
    """Seat b starts."""
    state = play(second_starts(), " ".join((*BOARDS[:3], "b1 a1 a1")))
    assert (asked(state), state.seat) == ("first_square", 1)
    state = play(state, "storage")
    assert gains(state, 1) == [("storage", 2, "storage")]
    assert state.seat == 2
    state = play(state, "marble")
    assert (gains(state, 2), state.sides[2].marble, state.seat) == ([], 0, 0)
    state = play(state, "storage")
    assert gains(state, 0) == [("storage", 2, "storage")]
    assert [squares_left(state, kind) for kind in range(len(SQUARES))] == [5, 3, 4, 5, 5]
    assert (asked(state), state.seat) == ("display", 1)
    assert play(state, DISPLAY).seat == 1


def test_ct_2_5_eight_neutral_tiles_lie_open_then_the_start_player_begins():
    state = seated()
    assert sorted(state.display) == sorted(DISPLAY.split())
    shown = bags.bag("ctifqvmr".index(kind_of(tile)) for tile in state.display)
    assert state.neutral == NEUTRAL - shown
    assert RULES.pending(state).seats == (0,)
    assert (asked(state), state.left) == ("action", 1)


def test_where_no_play_is_followed_figures_are_asked_for_at_once():
    assert asked(start(2, Level.SCORE)) == "final_orange"
