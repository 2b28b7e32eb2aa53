"""Hexes are found by their rims; what is drawn on the sheet for tiles is none."""

import cv2
import numpy as np
import pytest

from vision import sheets
from vision.tuscany import lying
from vision.tuscany.teaching import LEAST, LOOSE_MM

SOUTH = [np.array([[x, sheets.TILES.height_mm - y]]) for x, y in sheets.tile_slots()]


@pytest.fixture(scope="module")
def bare():
    """The printed sheet from above, as :func:`vision.plane.flattened` has it."""
    page = sheets.tiles(list("ctifqvmrw"), sheets.SheetWords("", ""), dpi=200)
    west = (page.size_mm[0] - sheets.TILES.width_mm) / 2 - lying.AROUND_MM
    wide = page.dot(sheets.TILES.width_mm + 2 * lying.AROUND_MM)
    north, left = page.dot(60.0 - lying.AROUND_MM), page.dot(west)
    dots = page.dots[north : north + wide, left : left + wide]
    side = round((sheets.TILES.width_mm + 2 * lying.AROUND_MM) * lying.PX_MM)
    grey = cv2.resize(dots, (side, side), interpolation=cv2.INTER_AREA) * 0.85
    noise = np.random.default_rng(1).normal(0, 2, grey.shape)
    return cv2.cvtColor(np.clip(grey + noise, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)


@pytest.mark.parametrize("corner_mm", [14.0, 17.0, 20.0, 23.0, 26.0])
def test_a_bare_slot_holds_no_hex_of_any_size(bare, corner_mm):
    lie = lying.find(bare, SOUTH, corner_mm, (0.0, 0.0), (LOOSE_MM, LOOSE_MM))
    assert (lie.seen < LEAST).all()


def test_a_hex_is_found_where_it_lies_though_it_is_nearly_white(bare):
    flat, angles = bare.copy(), np.radians(30 + 60 * np.arange(6))
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * 17.0
    for middle in SOUTH:
        outline = (ring + middle + (3.0, -5.0) + lying.AROUND_MM) * lying.PX_MM
        cv2.fillPoly(flat, [outline.round().astype(np.int32)], (195, 202, 206))
    lie = lying.find(flat, SOUTH, 17.0, (0.0, 0.0), (LOOSE_MM, LOOSE_MM))
    assert (lie.seen > LEAST).all()
    assert np.abs(lie.moved - (3.0, 5.0)).max() <= 1.0
