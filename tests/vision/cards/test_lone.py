"""Cards that lie side by side: a heap taken apart, and whether it is one of cards at all."""

import numpy as np
import pytest

from vision.cards.deck import NotTaught, taught
from vision.cards.reading import split
from vision.plane import PAD_MM, PX_MM, Heap, _cut_ring, _mask_heaps

CARD_MM = (57.0, 87.0)


def heap(width, height):
    size = [round((mm + 2 * PAD_MM) * PX_MM) for mm in (height, width)]
    grey = np.zeros((*size, 3), np.uint8)
    grey[:, size[1] // 2 :] = 200
    return Heap(grey, 100.0, 80.0, width, height, 0.0)


def test_the_table_is_looked_at_on_all_four_sides_of_the_field():
    rows, columns = np.mgrid[0:400, 0:600].astype(np.float32)
    ring = _cut_ring(np.dstack([rows, columns, rows]))
    assert ring[:, 0].mean() == pytest.approx(399 / 2)
    assert ring[:, 1].mean() == pytest.approx(599 / 2)


@pytest.mark.parametrize(
    ("width", "height", "cards"),
    [
        (57, 87, 1),
        (60, 85, 1),
        (114, 87, 2),
        (125, 90, 2),
        (171, 87, 3),
        (228, 88, 4),
        (285, 87, 5),
        (114, 174, 4),
        (87, 57, 0),  # one that lies across
        (57, 103, 0),  # two that are fanned
        (95, 87, 0),  # one half over another
        (30, 60, 0),
    ],
)
def test_a_heap_is_so_many_cards(width, height, cards):
    found = split(heap(width, height), CARD_MM)
    assert len(found) == cards
    for card in found:
        assert (card.width, card.height) == CARD_MM
        assert card.pixels.shape[:2] == (round(93 * PX_MM), round(63 * PX_MM))


def test_each_is_cut_out_where_it_lies():
    left, right = split(heap(114, 87), CARD_MM)
    assert (left.pixels.mean(), right.pixels.mean()) == (pytest.approx(10, abs=6), pytest.approx(190, abs=6))


@pytest.mark.parametrize(("width", "height"), [(52, 87), (62, 87), (57, 82), (57, 92)])
def test_what_is_not_as_large_as_a_card_teaches_none(width, height):
    with pytest.raises(NotTaught, match="measures"):
        taught([heap(width, height)], ["5"], CARD_MM)


def test_a_heap_ends_where_the_markers_begin():
    flat = np.full((300, 300, 3), 90, np.uint8)
    flat[100:200, :200] = (40, 60, 200)
    assert np.flatnonzero(_mask_heaps(flat, 15)[150])[0] == 10 * PX_MM
