"""What pieces come to: counts, their chance, and the doubts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.marrakesh.keshis import COLOURS
from vision.tray.reading import SURE, UNSEEN, UNSEEN_LIGHT, Doubt, Piece, judged


def piece(colour="red", chance=0.999, colour_chance=0.999, mixed=0.0):
    rest = (1 - colour_chance) / 11
    row = tuple(colour_chance if name == colour else rest for name in COLOURS)
    return Piece(50, 50, row, chance, mixed)


def test_an_empty_tray_is_nothing_and_sure():
    found = judged(())
    assert (found.counts, found.sure) == ({}, True)
    assert found.total == pytest.approx((1 - UNSEEN, UNSEEN))


def test_sure_pieces_are_counted_in_the_order_of_the_colours():
    found = judged((piece("red"), piece("green"), piece("red")))
    assert list(found.counts.items()) == [("green", 1), ("red", 2)]
    assert found.sure


@pytest.mark.parametrize(
    ("doubtful", "doubt", "counted"),
    [
        (piece("white", chance=0.7), Doubt.PIECE, 1),
        (piece("white", chance=0.3), Doubt.PIECE, 0),
        (piece("white", colour_chance=0.6), Doubt.COLOUR, 1),
        (piece("white", mixed=0.6), Doubt.STACKED, 1),
    ],
)
def test_a_doubtful_piece_makes_the_reading_doubtful(doubtful, doubt, counted):
    found = judged((piece(), doubtful))
    assert doubt in found.doubts
    assert found.counts == ({"white": 1, "red": 1} if counted else {"red": 1})
    assert judged((piece(),)).sure


def test_many_small_doubts_are_one():
    some = [piece(chance=0.985)] * 9
    assert judged(tuple(some[:2])).sure
    assert Doubt.PIECE in judged(tuple(some)).doubts


def test_both_doubts_are_told():
    found = judged((piece("white", chance=0.8, colour_chance=0.6),))
    assert found.doubts == (Doubt.PIECE, Doubt.COLOUR)


def test_troubles_are_doubts_and_leave_room_for_one_more():
    calm, troubled = judged((piece(),)), judged((piece(),), (Doubt.LEFT,))
    assert troubled.doubts == (Doubt.LEFT,)
    assert troubled.unseen > calm.unseen
    assert troubled.total[2] > calm.total[2]
    assert judged((piece(),), light=0.8).unseen == UNSEEN_LIGHT


@given(st.lists(st.tuples(st.sampled_from(COLOURS), st.floats(0.06, 1), st.floats(0.2, 1)), max_size=12))
def test_chances_add_up(parts):
    found = judged(tuple(piece(*part) for part in parts))
    assert sum(found.total) == pytest.approx(1)
    assert 0 <= found.chance <= 1
    assert sum(found.counts.values()) == sum(part[1] > 0.5 for part in parts)
    assert found.sure == (found.chance >= SURE) or not found.sure
    assert np.argmax(found.total) <= len(parts) + 1
