"""Dropped pieces lie as things lie, and a tray's truth says what is in it."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from tests.vision.scenes import tray as trays
from tests.vision.scenes.drop import GRAVITY, Piece, _forces, deepest, drop, octagon
from tests.vision.scenes.looks import KESHIS, LOOKS
from tests.vision.scenes.tray import FIELD, SIZES, tray, weighed, with_pieces

pytestmark = pytest.mark.pictures

SLACK = 0.3
"""How far a spring may give, mm."""


def corners_of(piece, size):
    return octagon(*size)[0] @ piece.matrix.T + piece.middle


@pytest.mark.parametrize("size", SIZES)
def test_pieces_lie_in_the_tray_and_not_in_each_other(size):
    pieces = drop(Random(f"lie {size}"), 10, *size, FIELD)
    assert len(pieces) == 10
    _, normals, reach = octagon(*size)
    for n, piece in enumerate(pieces):
        found = corners_of(piece, size)
        assert found[:, 2].min() > -SLACK
        assert found[:, 2].min() < SLACK or piece.lie == "leaning" or found[:, 2].min() > min(size) / 2
        assert (found[:, 0] > -SLACK).all()
        assert (found[:, 0] < FIELD[0] + SLACK).all()
        assert (found[:, 1] > -SLACK).all()
        assert np.allclose(piece.matrix @ piece.matrix.T, np.eye(3), atol=1e-6)
        assert np.linalg.det(piece.matrix) == pytest.approx(1)
        for other in pieces[:n]:
            inside = (found - other.middle) @ other.matrix
            assert (inside @ normals.T - reach).max(-1).min() > -SLACK


UPRIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
LYING = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))


@pytest.mark.parametrize(
    ("pieces", "mm"),
    [
        ([Piece((0, 0, 4), UPRIGHT), Piece((10.5, 0, 4), UPRIGHT)], 0.0),
        ([Piece((0, 0, 4), UPRIGHT), Piece((8.0, 0, 4), UPRIGHT)], 2.0),
        ([Piece((0, 0, 4), UPRIGHT), Piece((0, 0, 12), UPRIGHT), Piece((40, 0, 4), UPRIGHT)], 0.0),
        # Flat faces cross: no corner of the one is within the other.
        (
            [Piece((0, 0, 5), ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))), Piece((0, 0, 7), LYING)],
            8.0,
        ),
    ],
    ids=["beside", "overlap", "stacked", "crossed"],
)
def test_how_far_pieces_are_inside_one_another(pieces, mm):
    assert deepest(pieces, 10.0, 8.0) == pytest.approx(mm, abs=0.01)


def test_pieces_lie_flat_and_on_their_sides():
    lies = Counter(piece.lie for n in range(2) for piece in drop(Random(n), 8, 10.0, 8.0, FIELD))
    assert lies["flat"] >= 3
    assert lies["side"] >= 3


@pytest.mark.parametrize(
    ("middle", "way"),
    [
        ((4.0, 70.0, 9.0), (1, 0, 0)),
        ((176.0, 70.0, 9.0), (-1, 0, 0)),
        ((90.0, 4.0, 9.0), (0, 1, 0)),
        ((90.0, 139.5, 9.0), (0, -1, 0)),
        ((90.0, 70.0, 3.0), (0, 0, 1)),
    ],
    ids=["west", "east", "south", "tower", "floor"],
)
def test_walls_floor_and_tower_push_back(middle, way):
    still = np.zeros((1, 3))
    solid = octagon(10.0, 8.0)
    force, _ = _forces(np.array([middle]), np.eye(3)[None], still, still, solid, 7.0, FIELD)
    free, _ = _forces(np.array([(90.0, 70.0, 9.0)]), np.eye(3)[None], still, still, solid, 7.0, FIELD)
    assert free[0] == pytest.approx((0, 0, -GRAVITY))
    assert (force - free)[0] @ way > GRAVITY
    assert np.cross((force - free)[0], way) == pytest.approx(0, abs=1e-6)


def test_what_a_piece_lies_on_is_named():
    def lie(degrees: float) -> str:
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        return Piece((0, 0, 0), ((1.0, 0, 0), (0, c, -s), (0, s, c))).lie

    assert [lie(d) for d in (0, 5, 180, 20, 45, 75, 85, 90)] == [
        *["flat"] * 3,
        *["leaning"] * 3,
        *["side"] * 2,
    ]


def test_the_same_seed_drops_the_same():
    assert drop(Random(7), 5, 11.0, 7.0, FIELD) == drop(Random(7), 5, 11.0, 7.0, FIELD)


def test_a_prism_is_as_wide_over_its_flats_as_it_is_told():
    corners, normals, reach = octagon(11.0, 7.0)
    across = corners @ normals.T
    assert across.max(0) == pytest.approx(reach)
    assert reach == pytest.approx([5.5] * 8 + [3.5] * 2)
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1)


def test_a_tray_counts_its_colours():
    made = with_pieces(Random(1), LOOKS["tune"], (10.0, 8.0), ["red", "gray", "red"])
    assert made.counts() == {"gray": 1, "red": 2}
    told = made.described()
    assert [one["colour"] for one in told] == ["red", "gray", "red"]
    assert made.text.count("object{Keshi") == 3


def test_trays_hold_from_none_to_twenty_five(monkeypatch):
    monkeypatch.setattr(trays, "drop", lambda rng, number, *rest: [None] * number)
    monkeypatch.setattr(trays, "_keshis", lambda *told: [])
    made = [tray(Random(n), LOOKS["tune"]) for n in range(300)]
    numbers = Counter(len(one.pieces) for one in made)
    assert min(numbers) == 0
    assert max(numbers) == 25
    assert sum(numbers[n] for n in range(3, 17)) > 150
    assert {colour for one in made for colour in one.colours} == set(KESHIS)
    assert {one.keshi for one in made} == set(SIZES)


def test_the_scale_is_off_by_the_pieces_spread_and_its_own_noise():
    empty = [weighed(Random(n), 0)["weight_mg"] for n in range(400)]
    assert np.mean(empty) == pytest.approx(0, abs=4)
    assert np.std(empty) == pytest.approx(20, abs=3)
    full = [weighed(Random(n), 16) for n in range(400)]
    parts = [one["weight_mg"] / one["piece_mg"] for one in full]
    assert np.mean(parts) == pytest.approx(16, abs=0.1)
    assert np.std(parts) == pytest.approx(0.05 * 4, abs=0.03)
