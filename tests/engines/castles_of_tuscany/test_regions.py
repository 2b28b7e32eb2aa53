"""Regions: what touches what across seams, and which rows interlock (CT-1.5)."""

from itertools import product

import pytest

from engines.board import Board, Cell
from engines.castles_of_tuscany import regions
from engines.castles_of_tuscany.regions import cells
from tests.engines.castles_of_tuscany.table import HEXES

BOARDS = tuple(HEXES[name] for name in ("A1", "B1", "C1"))
OUTLINES = ((5, 5), (3, 4, 3))


def region(boards, seams, outline):
    """The region of three boards that lie as they are printed."""
    return regions.region(boards, seams, (outline,) * 3)


@pytest.mark.parametrize("outline", OUTLINES)
def test_hexes_touch_as_on_a_board_of_hexes(outline):
    """Two ways to say what touches: half hexes counted here, a board's own geometry there."""
    for seams in product(regions.seams(outline), repeat=2):
        land = region(BOARDS, seams, outline)
        there = dict(zip(land.places, land.names, strict=True))
        board = Board(
            land.columns,
            land.rows,
            tuple(Cell() if place in there else None for place in range(land.columns * land.rows)),
            land.shape,
        )
        assert board.names == land.names
        for space, place in enumerate(land.places):
            beside = {there[other] for other in board.beside(place)}
            assert beside == {land.names[other] for other in cells(land.beside[space])}


def test_rows_that_differ_by_one_are_centred_and_boards_shifted_by_half_a_hex():
    assert regions.starts((3, 4, 3)) == (0, -1, 0)
    assert regions.seams((3, 4, 3)) == (-1, 1)
    assert regions.interlocking((3, 4, 3)) == (-1, 1)
    assert regions.interlocking((5, 5)) == (-1, 0, 1)


def test_ct_1_5_touching_rows_stand_half_a_hex_apart():
    assert regions.seams((5, 5)) == regions.seams((5, 5), "A1'") == (0, 1)
    assert regions.seams((2, 3, 2, 3)) == (-1, 0)
    assert regions.seams((2, 3, 2, 3), "A1'") == (0, 1)


@pytest.mark.parametrize(("outline", "fits"), [((5, 5), True), ((3, 4, 3), True), ((2, 6, 2), False)])
def test_rows_interlock_half_a_hex_apart(outline, fits):
    assert regions.interlocks(outline) is fits
