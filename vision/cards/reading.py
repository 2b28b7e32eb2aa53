"""The cards of a heap, with confidence: a column of them, or cards side by side.

In a column each card shows its upper edge above the next; side by side each shows two of the corners that a
deck was taught.

Every kind's corner is compared along a column. The places are then found together: fanned cards lie some 11
to 22 mm apart, the first at the top of the column and the last a card's height above its bottom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

import cv2
import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.cards.deck import BACK, CORNER_MM, SLACK_MM, Deck
from vision.lens import Picture
from vision.plane import PAD_MM, PX_MM, Heap, compare

NEAR_MM, FAR_MM = 10.0, 23.0
"""The least and the largest distance of fanned cards."""
CROOKED: Final = (-2.5, 0.0, 2.5)
"""The degrees that a card may lie crooked in its column."""
BESIDE_MM: Final = 6.0
"""The most that a card's edge may lie east of the column's."""
FLOOR: Final = 0.5
"""A likeness below this speaks against a card at that place."""
ABOVE: Final = 0.05
"""The least lead in likeness of a row where a card begins over most rows of a heap: backs are alike
everywhere.
"""
COARSE: Final = 2
"""The size in px of the coarse px in which places are searched first."""
SEARCH: Final = 4
"""The px up and down of the search after that."""
USUAL_MM, VARIED_MM, UNUSUAL = 15.5, 3.0, 0.04
"""The usual distance of cards, and the cost, in likeness, of a distance so many mm off it."""
UPSIDE_DOWN: Final = 0.03
"""The least lead in likeness of the upside-down reading of a card."""
END_MM: Final = 4.0
"""The largest distance of a column's first and last card from the places that its ends give."""

GAP_MM: Final = 12.0
"""The largest gap between cards that are seen as one heap."""
CROOKED_BESIDE: Final = (-5.0, -2.5, 0.0, 2.5, 5.0)
"""The degrees that a card may lie crooked among cards that it touches."""

Profile = NDArray[np.float64]
"""The best likeness of a corner in each row of a heap, from -1 to 1."""


class Fan(msgspec.Struct, frozen=True):
    """Cards of one column from its far end to its near one: the likeness of each to each name, -1 to 1.

    ``rival`` is the lead of this number of cards over any other number, in the same measure, summed.
    """

    alike: tuple[Mapping[str, float], ...]
    rival: float


class Column(msgspec.Struct, frozen=True, eq=False):
    """A heap read as a column: its cards as ``faces``, and read as ``backs``; each None if nothing fits."""

    faces: Fan | None
    backs: Fan | None

    @property
    def face_down(self) -> float:
        """The lead of the reading as backs over the one as faces, per card."""
        return _rate(self.backs) - _rate(self.faces)


def _rate(fan: Fan | None) -> float:
    if fan is None or not fan.alike:
        return -1.0
    return float(np.mean([max(card.values()) for card in fan.alike]))


def read(heap: Heap, deck: Deck) -> Column:
    """Read a heap as a column."""
    backs = (BACK,) if BACK in deck.corners else ()
    return Column(_read_fan(heap, deck.faces, deck), _read_fan(heap, backs, deck))


def _turn(corner: Picture, degrees: Sequence[float]) -> list[Picture]:
    size = corner.shape[1::-1]
    turns = (cv2.getRotationMatrix2D((0, 0), by, 1.0) for by in degrees)
    turned = (cv2.warpAffine(corner, turn, size, borderMode=cv2.BORDER_REPLICATE) for turn in turns)
    return [np.asarray(one, dtype=np.uint8) for one in turned]


def _measure_rows(strip: Picture, corner: Picture) -> Profile:
    """Return the best likeness of ``corner`` in each row of ``strip``, both in coarse px."""
    found = [
        cv2.matchTemplate(strip, one, cv2.TM_CCOEFF_NORMED).max(axis=1) for one in _turn(corner, CROOKED)
    ]
    return np.asarray(np.max(found, axis=0), dtype=np.float64)


def _cut_strip(heap: Heap) -> Picture:
    """Cut out the part of a heap that has the corners."""
    width = round((PAD_MM + BESIDE_MM + CORNER_MM[0]) * PX_MM)
    return np.ascontiguousarray(heap.pixels[:, :width])


def _coarsen(picture: Picture) -> Picture:
    """Return a picture with px that are :data:`COARSE` times as large."""
    height, width = picture.shape[:2]
    found = cv2.resize(picture, (width // COARSE, height // COARSE), interpolation=cv2.INTER_AREA)
    return np.asarray(found, dtype=np.uint8)


def _read_fan(heap: Heap, names: Sequence[str], deck: Deck) -> Fan | None:
    if not names:
        return None
    strip = _cut_strip(heap)
    small = _coarsen(strip)
    best = np.max([_measure_rows(small, _coarsen(deck.corners[name])) for name in names], axis=0)
    floor = max(FLOOR, float(np.median(best)) + ABOVE)
    by_number = _place_cards(best - floor, heap.height - deck.card_mm[1])
    if not by_number:
        return None
    number = max(by_number, key=lambda number: by_number[number][0])
    worth, rows = by_number[number]
    others = [other for count, (other, _) in by_number.items() if count != number]
    upright, over = (
        {name: _turn(some[name], CROOKED) for name in names} for some in (deck.corners, deck.turned)
    )
    alike = tuple(_compare_ways(strip, row * COARSE, upright, over) for row in rows)
    return Fan(alike, worth - max(others) if others else worth)


def _compare_ways(
    strip: Picture, row: int, upright: Mapping[str, Sequence[Picture]], over: Mapping[str, Sequence[Picture]]
) -> dict[str, float]:
    """Return the likeness of a card to each name, the better way up."""
    ways = [
        {name: _compare_at(strip, row, some) for name, some in corners.items()} for corners in (upright, over)
    ]
    best, other = (max(way.values()) for way in ways)
    return ways[other > best + UPSIDE_DOWN]


def _compare_at(strip: Picture, row: int, turned: Sequence[Picture]) -> float:
    """Return the likeness of a corner to the ``strip`` around a row."""
    high = turned[0].shape[0]
    around = strip[max(row - SEARCH, 0) : row + high + SEARCH]
    if len(around) < high:
        return -1.0
    return max(compare(around, corner) for corner in turned)


def _place_cards(worth: Profile, last_mm: float) -> dict[int, tuple[float, tuple[int, ...]]]:
    """Return, by the number of cards, the worth of their best rows together, and these rows, in coarse px."""
    px_mm = PX_MM / COARSE
    rows = np.arange(len(worth)) / px_mm - PAD_MM
    reached = np.where(np.abs(rows) <= END_MM, worth, -np.inf)
    at_end = np.abs(rows - last_mm) <= END_MM
    apart = np.arange(round(NEAR_MM * px_mm), round(FAR_MM * px_mm) + 1)
    cost = UNUSUAL * ((apart / px_mm - USUAL_MM) / VARIED_MM) ** 2
    steps: list[NDArray[np.int64]] = []
    found: dict[int, tuple[float, tuple[int, ...]]] = {}
    while np.isfinite(reached).any():
        ends = np.where(at_end, reached, -np.inf)
        if np.isfinite(ends.max()):
            found[len(steps) + 1] = (float(ends.max()), _trace_back(steps, int(ends.argmax())))
        # Each row after each possible step; there are no rows before the first.
        before = np.arange(len(worth))[:, None] - apart
        after = np.where(before >= 0, reached[before], -np.inf) - cost
        reached = np.asarray(after.max(axis=1) + worth)
        steps.append(np.take_along_axis(before, after.argmax(axis=1)[:, None], axis=1)[:, 0])
    return found


def _trace_back(steps: Sequence[NDArray[np.int64]], row: int) -> tuple[int, ...]:
    rows = [row]
    for before in reversed(steps):
        rows.append(int(before[rows[-1]]))
    return tuple(reversed(rows))


def split(heap: Heap, card_mm: tuple[float, float]) -> list[Heap]:
    """Return the cards of a heap in which they lie side by side; none if it is anything else."""
    sides = (heap.width, heap.height)
    numbers = [max(1, round(mm / (side + GAP_MM / 2))) for mm, side in zip(sides, card_mm, strict=True)]
    for mm, side, number in zip(sides, card_mm, numbers, strict=True):
        if not -SLACK_MM <= mm - number * side <= (number - 1) * GAP_MM + SLACK_MM:
            return []
    columns, rows = numbers
    wide, high = (round((mm + 2 * PAD_MM) * PX_MM) for mm in card_mm)
    found = []
    for row, column in product(range(rows), range(columns)):
        middle = ((column + 0.5) * heap.width / columns, (row + 0.5) * heap.height / rows)
        x, y = ((mm + PAD_MM) * PX_MM for mm in middle)
        pixels = cv2.getRectSubPix(heap.pixels, (wide, high), (x - 0.5, y - 0.5))
        found.append(replace(heap, pixels=np.asarray(pixels, np.uint8), width=card_mm[0], height=card_mm[1]))
    return found


def compare_names(card: Heap, deck: Deck) -> Mapping[str, float]:
    """Return the likeness of a one-card heap to each name, -1 to 1, the better way up."""
    ends = [_cut_corner(pixels) for pixels in (card.pixels, card.pixels[::-1, ::-1])]
    ways = [
        {
            name: (_compare_beside(upper, deck.corners[name]) + _compare_beside(lower, deck.turned[name])) / 2
            for name in deck.corners
        }
        for upper, lower in (ends, ends[::-1])
    ]
    return max(ways, key=lambda way: max(way.values()))


def _cut_corner(pixels: Picture) -> Picture:
    wide, high = (round((mm + 3 * PAD_MM) * PX_MM) for mm in CORNER_MM)
    return _coarsen(np.ascontiguousarray(pixels[:high, :wide]))


def _compare_beside(around: Picture, corner: Picture) -> float:
    """Return the best likeness of a corner in the coarse picture ``around`` it."""
    return max(compare(around, one) for one in _turn(_coarsen(corner), CROOKED_BESIDE))
