"""Golden pictures of the painters: ``PODESTA_GOLDEN=write pytest tests/vision/test_painted.py`` paints them
anew; look at them then.
"""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from engines.torres.cells import NUMBERS
from tests.vision.cards.test_cards import SLOTS
from tests.vision.cards.test_cards import VIEW as AREA
from tests.vision.torres import tables
from tests.vision.tuscany.test_hexes import CORNER_MM, MIDDLES, printed
from tests.vision.tuscany.test_hexes import VIEW as REGION
from vision import painter
from vision.cards import painter as cards
from vision.cards.painter import FannedColumn
from vision.painter import Light
from vision.torres import Coloured, block_corners
from vision.tuscany import painter as tuscany
from vision.tuscany.painter import PaintedHex

GOLDEN = Path(__file__).parent / "golden"
SMALL = (480, 360)
"""The size at which pictures are kept and compared."""
BLOCK = 6
"""Blocks of so many px a side are compared by their mean."""
NEAR = 4.0
"""So much, of 255, blocks may differ: versions of OpenCV round otherwise, and JPEG loses a little."""

LAID = (
    FannedColumn(("5", "6", "7"), 10, 10, 1.5),
    FannedColumn(("10", "pietra", "9", "8"), 90, 15, -1.5),
    FannedColumn(("back",) * 5, 165, 12, apart_mm=18.0),
    FannedColumn(("6",), 236, 100, over=True),
)
LIGHT = Light(0.08, 0.9, 0.4, 3)


def columns():
    return cards.painted(AREA, LAID, cards.CardsScene(1, 5, LIGHT, sleeve=0.6))


def slots():
    return cards.slots(AREA, SLOTS, cards.CardsScene(2, 6, LIGHT, sleeve=0.6))


def region():
    placed = {2: "tile", 9: "wild", 17: "tile", 28: "tile"}
    hexes = [
        PaintedHex(x, y, kind, placed.get(at, ""))
        for at, (kind, (x, y)) in enumerate(zip(printed(4), MIDDLES, strict=True))
    ]
    return tuscany.painted(REGION, hexes, CORNER_MM, tuscany.TilesScene(3, 7, LIGHT))


def market():
    """Cards side by side, some upside down, two without a gap."""
    names = ("6", "pietra", "10", "5", "back", "8")
    laid = [
        FannedColumn(
            (name,), 8 + at % 4 * (57.3 if at < 2 else 70), 8 + at // 4 * 100, at % 3 - 1, over=at % 2 > 0
        )
        for at, name in enumerate(names)
    ]
    return cards.painted(AREA, laid, cards.CardsScene(4, 8, LIGHT, sleeve=0.4))


def display():
    """Loose tiles, each turned by another angle."""
    hexes = [
        PaintedHex(45 + at % 4 * 58, 45 + at // 4 * 58, "", kind, 37 * at)
        for at, kind in enumerate("tffqvvmr")
    ]
    return tuscany.painted(REGION, hexes, CORNER_MM, tuscany.TilesScene(3, 7, LIGHT))


def blocks(picture):
    """The mean of each block, (rows, columns, 3)."""
    high, wide = picture.shape[:2]
    return cv2.resize(
        picture.astype(np.float32), (wide // BLOCK, high // BLOCK), interpolation=cv2.INTER_AREA
    )


SELDOM = [pytest.param(paint, marks=pytest.mark.pictures) for paint in (columns, market, display)]


@pytest.mark.parametrize("paint", [slots, region, *SELDOM])
def test_a_painter_paints_what_it_painted(paint):
    picture = cv2.resize(paint(), SMALL, interpolation=cv2.INTER_AREA)
    file = GOLDEN / f"{paint.__name__}.jpg"
    if os.environ.get("PODESTA_GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        whole = cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444
        cv2.imwrite(str(file), picture, [cv2.IMWRITE_JPEG_QUALITY, 95, *whole])
    kept = cv2.imread(str(file))
    assert kept is not None, f"{file} is missing"
    assert np.abs(blocks(picture) - blocks(kept)).max() < NEAR


def test_a_keshi_shows_its_top_and_its_darker_sides():
    """Together the outline of an octagonal prism."""
    view = painter.PaintedView(REGION.lens, painter.looking(REGION.field, 25.0, 110.0, 430.0), REGION.field)
    bare, shown = (
        painter.tray(view, keshis, (16.0, 6.0))
        for keshis in ([], [painter.PaintedKeshi(120.0, 90.0, "red", 10.0)])
    )
    angles = np.radians(32.5 + 45 * np.arange(8))
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * 8.0 / np.cos(np.pi / 8) + (120.0, 90.0)
    masks = []
    for heights in ((6.0,), (0.0, 6.0)):
        ends = np.concatenate([np.column_stack([ring, np.full(8, z)]) for z in heights])
        hull = cv2.convexHull(np.round(view.pose.project(view.lens, ends) * 16).astype(np.int32))
        masks.append(cv2.fillConvexPoly(np.zeros(shown.shape[:2], np.uint8), hull, 1, cv2.LINE_8, 4) > 0)
    top, keshi = masks
    assert np.count_nonzero((shown != bare).any(axis=2) ^ keshi) < 0.03 * keshi.sum()
    colour = np.array(painter.KESHIS["red"])
    assert np.median(shown[top], axis=0) == pytest.approx(colour)
    assert np.median(shown[keshi & ~top], axis=0) == pytest.approx(colour * painter.LIGHT[1], abs=1.0)


def test_a_board_has_lines_between_and_around_its_spaces():
    view, cell = painter.PaintedView(tables.LENS, tables.POSE, tables.FIELD), tables.COPY.cell_mm
    lined = (painter.board(view, Coloured(), tables.COPY) != painter.empty(view)).any(axis=2)
    ends = [(line * cell, 3.5 * cell, 0.0) for line in range(9)]
    points = np.array([*ends, *((y, x, z) for x, y, z in ends)])
    for x, y in view.pose.project(view.lens, points).round().astype(int):
        assert lined[y - 1 : y + 2, x - 1 : x + 2].any()


@pytest.mark.parametrize(("side", "light"), [*enumerate(painter.LIGHT)])
def test_a_block_shows_the_sides_towards_the_camera(side, light):
    """Here its south and east: no far side shows through, not even at their ends."""
    view = painter.PaintedView(tables.LENS, tables.POSE, tables.FIELD)
    shown = painter.board(view, tables.changed(Coloured(), {"e4": 1}), tables.COPY)
    start, end = block_corners(tables.COPY)[NUMBERS["e4"], :2, side : side + 2].mean(axis=0)
    for part in (0.12, 0.88):
        ((x, y),) = view.pose.project(view.lens, (start + part * (end - start))[None]).round().astype(int)
        assert shown[y, x] == pytest.approx(np.array(painter.BLOCK) * light, abs=2.0)
