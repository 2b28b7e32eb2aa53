"""Regions: names, what touches what across seams, areas (CT-1.5, CT-4.1)."""

from __future__ import annotations

from itertools import product

import pytest

from engines.board import Board, Cell
from engines.castles_of_tuscany import regions
from engines.castles_of_tuscany.kinds import KINDS
from engines.castles_of_tuscany.regions import SPACES, cells, put_together
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


@pytest.mark.parametrize(("seam", "above"), [(-1, set()), (0, {"a2"}), (1, {"a2", "b2"})])
def test_a_board_stands_a_whole_hex_further_right_for_a_seam_of_one(seam, above):
    land = region(BOARDS, (seam, 0), (5, 5))
    first = 10  # the first hex of the second board
    assert {land.names[other] for other in cells(land.beside[first]) if other < first} == above


def test_rows_that_differ_by_one_are_centred_and_boards_shifted_by_half_a_hex():
    assert regions.starts((3, 4, 3)) == (0, -1, 0)
    assert regions.seams((3, 4, 3)) == (-1, 1)
    assert regions.interlocking((3, 4, 3)) == (-1, 1)
    assert regions.interlocking((5, 5)) == (-1, 0, 1)


def test_ct_1_5_touching_rows_stand_half_a_hex_apart():
    assert regions.seams((5, 5)) == regions.seams((5, 5), "A1'") == (0, 1)
    assert regions.seams((2, 3, 2, 3)) == (-1, 0)
    assert regions.seams((2, 3, 2, 3), "A1'") == (0, 1)


def test_a_board_that_lies_turned_has_its_hexes_the_other_way_round():
    upright = put_together(("A1", "B1", "C1"), (1, 0), HEXES, (5, 5))
    turned = put_together(("A1", "B1'", "C1"), (1, 0), HEXES, (5, 5))
    assert turned.kinds == upright.kinds[:10] + upright.kinds[19:9:-1] + upright.kinds[20:]
    assert turned.names == upright.names


@pytest.mark.parametrize(("outline", "fits"), [((5, 5), True), ((3, 4, 3), True), ((2, 6, 2), False)])
def test_rows_interlock_half_a_hex_apart(outline, fits):
    assert regions.interlocks(outline) is fits


def test_areas_are_the_connected_spaces_of_one_colour_across_seams():
    land = region(BOARDS, (1, -1), (5, 5))
    assert sum(area.bit_count() for area in land.areas) == SPACES
    for area in land.areas:
        kinds = {land.kinds[space] for space in cells(area)}
        assert len(kinds) == 1
        around = land.next_to(area) & ~area
        assert kinds.isdisjoint(land.kinds[space] for space in cells(around))
    named = {frozenset(land.names[space] for space in cells(area)) for area in land.areas}
    assert {"c2", "d2", "c3", "c4"} in named
    assert sum(map(int.bit_count, land.of_kind)) == SPACES
    assert "".join(land.kinds) == "".join(BOARDS)
    assert set(land.kinds) <= set(KINDS)
