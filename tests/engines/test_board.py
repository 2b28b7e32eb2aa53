"""Boards of squares and hexes: names, places, what touches what, and games that show one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.board import Board, BoardShape, Cell, blank, board_around
from engines.contract import Choice, Setup
from tests.engines import grid_toy

TOY = grid_toy.GAME
sizes = st.tuples(st.integers(1, 9), st.integers(1, 9))


@given(sizes)
def test_every_place_has_a_name_of_its_own_that_leads_back(size):
    board = blank(*size)
    names = [board.name(place) for place in range(len(board.cells))]
    assert [board.place(name) for name in names] == [*range(len(names))]
    assert [board.place(f"B{name}") for name in names] == [*range(len(names))]
    assert board.named(" ".join(f"+2B{name}" for name in names)) == tuple(range(len(names)))


def test_a1_is_top_left_and_rows_go_down():
    board = blank(8, 8)
    assert [board.place(name) for name in ("a1", "b1", "h1", "a2", "h8")] == [0, 1, 7, 8, 63]
    assert blank(4, 3).place("a2") == 4
    assert [blank(9, 9).place(cell) for cell in ("i1", "a9", "i9")] == [8, 72, 80]


@pytest.mark.parametrize(
    "word", ["end", "-", ".", "S2", "ap6", "a", "card", "j1", "a0", "c12", "phase1", "Kstay", "2-1", ""]
)
def test_a_word_is_no_cell(word):
    assert blank(9, 9).place(word) is None


@pytest.mark.parametrize("cell", ["e1", "a4", "Be1", "i9"])
def test_a_cell_of_a_larger_board_is_none_here(cell):
    assert blank(9, 9).place(cell) is not None
    assert blank(4, 3).place(cell) is None
    assert blank(4, 3).named(f"+{cell} -b2") == (5,)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("+2Bd3", ["d3"]),
        ("-ac4", ["c4"]),
        ("+Kh4", ["h4"]),
        ("-d3-e4", ["d3", "e4"]),
        ("+12Ba1", ["a1"]),
        ("8x3", []),
    ],
)
def test_cells_named_in_a_difference(text, names):
    board = blank(8, 8)
    assert [board.name(place) for place in board.named(text)] == names


# Hexes

shapes = st.sampled_from(BoardShape)


def hexes(columns, rows, gaps=(), shape=BoardShape.HEXES):
    """A blank board of hexes, without the cells of these names."""
    names = [blank(columns, rows).name(place) for place in range(columns * rows)]
    return Board(columns, rows, tuple(None if name in gaps else Cell() for name in names), shape)


def touching(board, cell):
    return {board.name(place) for place in board.beside(board.place(cell))}


@pytest.mark.parametrize(
    ("board", "cell", "names"),
    [
        (hexes(4, 4), "b2", "a2 c2 b1 c1 b3 c3"),
        (hexes(4, 4), "b3", "a3 c3 a2 b2 a4 b4"),
        (hexes(4, 4), "a1", "b1 a2"),
        (hexes(4, 4), "a2", "b2 a1 b1 a3 b3"),
        (hexes(4, 4), "d4", "c4 d3"),
        (hexes(4, 4, shape=BoardShape.HEXES_ODD), "b2", "a2 c2 a1 b1 a3 b3"),
        (hexes(4, 4, shape=BoardShape.HEXES_ODD), "b3", "a3 c3 b2 c2 b4 c4"),
        (hexes(4, 4, gaps=("a2", "c1")), "b2", "c2 b1 b3 c3"),
        (blank(4, 4), "b2", "a2 c2 b1 b3"),
        (Board(3, 1, (Cell(), None, Cell())), "a1", ""),
    ],
)
def test_what_touches_a_cell(board, cell, names):
    assert touching(board, cell) == set(names.split())


@given(sizes, shapes, st.integers(0, 80))
def test_steps_from_a_cell_to_touching_cells(size, shape, one):
    """The same as walking from cell to cell."""
    board, one = hexes(*size, shape=shape), one % (size[0] * size[1])
    reached, walked, steps = {one: 0}, {one}, 0
    while walked:
        steps += 1
        walked = {to for place in walked for to in board.beside(place)} - set(reached)
        reached |= dict.fromkeys(walked, steps)
    assert reached == {place: board.apart(one, place) for place in range(len(board.cells))}


def test_a_cell_left_out_has_no_name_there():
    board = hexes(3, 3, gaps=("b1", "c3"))
    assert board.names == ("a1", "c1", "a2", "b2", "c2", "a3", "b3")
    assert (board.place("b1"), board.place("Bc3")) == (None, None)
    assert board.named("+Bc3 -b2") == (4,)
    assert [board.place(name) for name in board.names] == [0, 2, 3, 4, 5, 6, 7]


def test_a_game_shows_several_boards_by_name():
    state = TOY.rules.start(Setup(options=(("ground", "hexes"),)))
    boards = {name: sight.board(state) for name, sight in TOY.in_sight(state).items()}
    assert [boards["board"].shape, boards["board"].place("d2")] == [BoardShape.HEXES, None]
    assert boards["pegs"] == blank(3, 1)
    after = TOY.rules.apply(TOY.rules.apply(state, Choice("action", "-")), Choice("hole", "b1"))
    pegs = TOY.in_sight(after)["pegs"]
    assert pegs.board(after).cells == (Cell(), Cell(1), Cell())


@pytest.mark.parametrize(
    ("columns", "rows", "cells"),
    [(0, 1, 0), (10, 1, 10), (1, 10, 10), (2, 2, 3), (2, 2, 5)],
)
def test_a_board_that_cannot_be_is_refused(columns, rows, cells):
    with pytest.raises(ValueError, match=r"board of|cells for"):
        Board(columns, rows, (Cell(),) * cells)


def test_nothing_is_lower_than_the_ground():
    with pytest.raises(ValueError, match="lower than the ground"):
        Board(1, 1, (Cell(-1),))


def test_what_lies_on_a_ground():
    like, other, empty, bare = Cell(0, "fa", "f"), Cell(0, "w", "f"), Cell(0, "", "g"), Cell(0, "f")
    assert [cell.covered for cell in (like, other, empty, bare)] == [True, False, False, False]
    board = Board(3, 2, (like, None, empty, other, bare, like))
    assert (board.grounds, blank(2, 2).grounds) == (("f", "g"), ())


def test_the_board_around_some_tokens():
    assert board_around(("b2", "-")) == blank(2, 2)
    assert board_around(("Mc1", "Ba4", "end")) == blank(3, 4)
    assert board_around(("end", "-")) is None
    assert board_around(()) is None
