"""What cameras see: a region and the display, what is wrong with one, and what made them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engines.board import BoardShape, Cell
from engines.castles_of_tuscany.kinds import NEUTRAL
from engines.castles_of_tuscany.layouts import SIGHTS, Spaces
from engines.contract import Choice, Exact, OutOfStep, Report, Several
from engines.errors import Malformed
from engines.readings import Observation, interpret, readings
from engines.search import explain
from tests.engines.castles_of_tuscany.players import busy
from tests.engines.castles_of_tuscany.sitting import (
    BOARDS,
    CASTLES,
    GAME,
    RULES,
    SETUPS,
    having,
    play,
    seated,
    start,
)
from tests.engines.walks import walk

A, B, C, D, DISPLAY = SIGHTS


LAYING = play(start(), " ".join((*BOARDS[:2], *CASTLES[:2], "marble worker")))
"""A match whose display is to be laid out."""


def see(sight, state, text):
    return explain(GAME, sight, state, sight.read(text))


def ways(found):
    """The tokens of each explanation."""
    explained = found.explanations if isinstance(found, Several) else (found.choices,)
    return [" ".join(choice.token for choice in way) for way in explained]


def lying(sight, state):
    return str(sight.of(state))


# Texts

NAMES = st.sampled_from([f"{column}{row}" for column in "abcdefghi" for row in range(1, 10)])


@given(st.sets(NAMES), st.sets(NAMES))
def test_a_region_reads_back(tiles, wild):
    layout = Spaces(frozenset(tiles - wild), frozenset(wild))
    assert A.read(str(layout)) == layout
    assert "\n" not in str(layout)


def test_a_region_looks_as_its_tiles_lie():
    state = having(seated(), filled="c4", wild="a1")
    assert lying(A, state) == "a1*,b1,c4"
    assert A.of(state) == A.read("b1,a1*,c4")
    assert A.of(state) != A.read("a1,b1,c4")
    assert A.of(state) != A.read("b1,c4")
    assert lying(B, state) == "a1"
    assert A.read("-") == Spaces() == A.of(start())


@pytest.mark.parametrize(
    "text", ["", "d3 e4", "d3,", "j1", "a0", "d3**", "d3,d3", "d3,d3*", "v", "*d3", "d10"]
)
def test_what_is_no_region(text):
    with pytest.raises(Malformed, match="is not a space like d3 or e4"):
        A.read(text)


def test_the_display_is_read_by_kind():
    state = seated()
    assert DISPLAY.of(state) == DISPLAY.read("v,t,f,f,q,v,m,r") == tuple("tffqvvmr")
    assert DISPLAY.of(start()) == DISPLAY.read("-") == ()
    for text in ("", "fa", "w", "v,,v", "x"):
        with pytest.raises(Malformed, match="is not a kind; kinds are c, t, i, f, q, v, m, r"):
            DISPLAY.read(text)


def test_before_each_seat_that_sits_down_lies_a_region():
    assert [one.SEAT for one in SIGHTS] == [0, 1, 2, 3, None]
    assert readings(GAME, seated()) == ("region.a", "region.b", "display")
    assert readings(GAME, seated(3))[:3] == ("region.a", "region.b", "region.c")
    with pytest.raises(Malformed, match=r"no reading 'region.c' is taken now; there are region.a, region.b"):
        interpret(GAME, seated(), Observation("region.c", (("-", 0.9),)))


def test_differences_are_words_of_the_notation():
    assert A.differences(A.read("b1,c4*,d3"), A.read("b1,c4,e2*")) == ("+Pd3", "+wPc4", "-Pc4", "-wPe2")
    assert A.differences(A.read("b1"), A.read("b1")) == ()
    assert DISPLAY.differences(tuple("tvvm"), tuple("tqvm")) == ("+v", "-q")


# The board


def test_a_region_is_a_board_of_hexes_with_its_kinds():
    state = having(seated(), filled="c4", wild="a1")
    board = A.board(state)
    assert (board.columns, board.rows, board.shape) == (5, 6, BoardShape.HEXES)
    assert board.names == state.region(0).names
    shown = {board.name(place): cell for place, cell in enumerate(board.cells)}
    assert shown["a1"] == Cell(piece="w", ground="i")
    assert shown["b1"] == Cell(piece="c", ground="c")
    assert shown["c4"] == Cell(piece="v", ground="v")
    assert shown["e6"] == Cell(ground="f")
    assert {name for name, cell in shown.items() if cell.piece} == {"a1", "b1", "c4"}
    assert [board.name(place) for place in board.beside(board.place("c4"))] == [
        state.region(0).names[space] for space in range(30) if state.region(0).beside[17] >> space & 1
    ]


def test_without_known_boards_there_is_no_picture():
    assert A.board(start()) is None
    assert A.board(start(), A.read("d3")) is None
    assert DISPLAY.board(seated()) is None


# What made a region


def test_a_wild_hex_shows_as_one():
    state = having(seated(), filled="c4", stored="q w", squares=0)
    assert ways(see(A, state, "b1,c4,c5*")) == ["Pc5 w"]
    assert ways(see(A, state, "b1,c4,c5")) == ["Pc5 q"]


def test_which_farm_it_is_nobody_sees():
    state = having(seated(), filled="c2 c3", stored="fa fb")
    assert ways(see(A, state, "b1,c2,c3,d3")) == ["Pd3 fa", "Pd3 fb"]


def test_the_first_castles_and_a_castles_pick_are_seen():
    state = play(start(), " ".join(BOARDS[:2]))
    assert ways(see(A, state, "b1")) == ["b1"]
    assert see(A, state, "c1").refusal.check == "castle.space"
    castle = having(seated(), filled="b2 a3 b3", stored="c", hand=9)
    castle = play(castle, "Pc3 c vv")
    assert RULES.pending(castle).question == "pick"
    assert ways(see(A, castle, "b1,b2,a3,b3,c3,c4")) == ["c4"]
    assert ways(see(A, castle, "b1,b2,a3,b3,c3,d3")) == ["d3 fa", "d3 fb"]


@pytest.mark.parametrize(
    ("seen", "check", "clause"),
    [
        ("b1,c4,e6", "place.next", "CT-3.7"),
        ("b1,c4,d4", "place.stored", "CT-3.7"),
    ],
)
def test_out_of_step_names_the_place_and_the_clause(seen, check, clause):
    state = having(seated(), filled="c4", stored="q")
    found = see(A, state, seen)
    assert isinstance(found, OutOfStep)
    assert found.differences == (f"+P{seen[-2:]}",)
    assert (found.refusal.check, found.refusal.clause) == (check, clause)


def test_a_tile_after_the_only_action_is_out_of_step():
    state = play(having(seated(), filled="c4", stored="q", squares=0, marble=1), "D")
    found = see(A, state, "b1,c4,c5")
    assert (found.nearest, found.refusal.check, found.refusal.clause) == ((), "action.left", "CT-3.1")


def test_two_tiles_of_two_turns_are_nearest_to_the_first():
    state = having(seated(), filled="c4", stored="q v", squares=1 << 8)
    found = see(A, state, "b1,c4,c5,d4")
    assert ways(Exact(found.nearest)) == ["Pd4"]
    assert found.differences == ("+Pc5",)


def test_only_the_seat_to_move_places():
    """On a's turn nothing is refused to b: it is not asked."""
    state = having(seated(), 1, stored="q")
    assert see(B, state, "a1") == Exact(())
    assert see(B, state, "a1,b1") == OutOfStep((), ("+Pb1",), None)


# What made a display


def test_a_display_that_is_laid_out_tells_all_its_tiles():
    assert ways(see(DISPLAY, LAYING, "t,q,v,v,m,m,r,r")) == ["t q v v m m r r"]
    assert ways(see(DISPLAY, LAYING, "t,q,v")) == ["t q v"]
    assert ways(see(DISPLAY, LAYING, "t,f,q,v,v,m,m,r")) == ["t"]  # which farm, people say
    farms = ways(see(DISPLAY, LAYING, "f,q"))
    assert farms[:5] == ["fa", "fb", "fc", "fd", "fab"]
    assert len(farms) == 15


def test_a_display_that_cannot_be_laid_out_names_the_clause():
    found = see(DISPLAY, play(LAYING, "v v v v"), "v,v,v,v,v,t")
    assert (ways(Exact(found.nearest)), found.differences) == (["t"], ("+v",))
    assert (found.refusal.check, found.refusal.clause) == ("neutral.left", "CT-1.3")


def test_a_tile_taken_and_the_next_turned_up():
    state = seated()
    assert ways(see(DISPLAY, state, "t,f,f,v,v,m,r")) == ["Tq"]
    assert ways(see(DISPLAY, state, "t,f,f,i,v,v,m,r")) == ["Tq i"]
    assert ways(see(DISPLAY, state, "t,f,f,v,v,m,r,f")) == ["Tq"]
    assert ways(see(DISPLAY, state, "t,f,q,v,v,m,r")) == ["Tfa", "Tfb"]
    after = play(state, "Tq")
    assert ways(see(DISPLAY, after, "t,f,f,v,v,v,m,r")) == ["v"]
    assert len(ways(see(DISPLAY, after, "t,f,f,f,v,v,m,r"))) == 15


def test_what_leaves_a_full_storage_is_asked():
    state = having(seated(), stored="m", squares=0)
    found = see(DISPLAY, state, "t,f,f,v,v,m,r")
    assert ways(found) == ["Tq"]
    assert RULES.pending(RULES.apply(state, *found.choices)).question == "discard"
    assert ways(see(DISPLAY, state, "t,f,f,i,v,v,m,r")) == ["Tq m i"]


def test_five_alike_leave_and_neutral_ones_come():
    state = replace(seated(), display=tuple("tvvvvmrr"))
    found = see(DISPLAY, state, "t,t,c,i,q,q,m,r")
    assert ways(found) == ["Tr v c t i q q"]
    half = play(state, "Tr v c t")
    assert ways(see(DISPLAY, half, "t,t,c,i,q,q,m,r")) == ["i q q"]


def test_the_fewest_tiles_that_came_up_count():
    """A fifth village would clear the display, and five neutral tiles could look so, too."""
    state = replace(seated(), display=tuple("vvvvmr"), neutral=NEUTRAL)
    assert ways(see(DISPLAY, state, "c,v,v,v,v,m")) == ["Tr c"]


def test_a_display_out_of_step_names_what_is_in_the_way():
    spent = play(having(seated(), marble=1), "D")
    found = see(DISPLAY, spent, "t,f,f,v,v,m,r")
    assert found.differences == ("-q",)
    assert (found.refusal.check, found.refusal.clause) == ("action.left", "CT-3.1")
    waiting = play(seated(), "Tq")
    found = see(DISPLAY, waiting, "t,f,f,v,v,m,m,r,r")
    assert (ways(Exact(found.nearest)), found.differences, found.refusal) == (["m"], ("+r",), None)
    hidden = replace(waiting.sides[0], turned=4 << 40)
    found = see(DISPLAY, replace(waiting, sides=(hidden, waiting.sides[1])), "t,f,f,v,v,v,m,r")
    assert (found.refusal.check, found.refusal.clause) == ("refill.own", "CT-1.3")


def test_a_display_out_of_step_is_nearest_to_one_tile_taken():
    """All quarries of seat a are up: what came for the village cannot be one."""
    state = having(seated(), turned=3 << 32)
    found = see(DISPLAY, state, "t,f,f,q,q,v,m,r")
    assert (ways(Exact(found.nearest)), found.differences) == (["Tv"], ("+q",))
    assert (found.refusal.check, found.refusal.clause) == ("refill.own", "CT-1.3")
    both = see(DISPLAY, state, "t,f,f,i,i,m,r")
    assert (ways(Exact(both.nearest)), both.differences) == (["Tq"], ("+i", "+i", "-v", "-v"))
    over = replace(state, termination="finished")
    assert see(DISPLAY, over, "t") == OutOfStep((), DISPLAY.differences(("t",), DISPLAY.of(over)), None)


def test_choices_that_show_nowhere_are_not_tried():
    for sight, hidden in ((A, ("D", "marble", "end", "Tv")), (DISPLAY, ("D", "marble", "end", "Pd3"))):
        assert not any(sight.visible(Choice("action", token)) for token in hidden)
        assert not sight.visible(Choice("pick", "none"))
        assert not sight.visible(Choice("pay", "v"))
        assert sight.visible(Choice("pick", "d3"))


def test_every_tile_taken_in_a_match_can_be_read_from_the_display():
    told, before = 0, None
    for made in walk(GAME, SETUPS["three, little known"], Random(3), busy):
        (choice,) = made.choices.values()
        if choice.question == "action":
            before, taken = made.state, choice.token
        pending = RULES.pending(made.after)
        if before is None or taken[0] != "T" or pending.open or isinstance(pending, Report):
            continue
        seen = DISPLAY.of(made.after)
        found = explain(GAME, DISPLAY, before, seen)
        assert seen == DISPLAY.of(before) or any(way.startswith(taken) for way in ways(found))
        told, before = told + 1, None
    assert told > 20
