"""A column of cards, each showing its upper edge above the next: which shows where, and how sure each is.

Every kind's corner is compared along the column; the places are then found together, since fanned cards lie
some 11 to 22 mm apart, the first at the top of the column and the last a card's height above its bottom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.cards.deck import BACK, CORNER_MM, Deck
from vision.cards.flat import PAD_MM, PX_MM, Heap
from vision.lens import Picture

NEAR_MM, FAR_MM = 10.0, 23.0
"""How far apart fanned cards lie."""
CROOKED: Final = (-2.5, 0.0, 2.5)
"""The most degrees that a card may lie crooked in its column."""
BESIDE_MM: Final = 6.0
"""The most that a card's edge may lie east of the column's."""
FLOOR: Final = 0.5
"""What is less alike than this speaks against a card's lying there."""
ABOVE: Final = 0.05
"""So much more alike than most rows of a heap is a row in which a card begins: backs are alike everywhere."""
COARSE: Final = 2
"""Places are looked for in px so many times as large."""
SEARCH: Final = 4
"""Then so many px up and down."""
USUAL_MM, VARIED_MM, UNUSUAL = 15.5, 3.0, 0.04
"""How far apart cards usually lie, and what it costs, in likeness, to be so many mm beside that."""
UPSIDE_DOWN: Final = 0.03
"""By so much a card that lies upside down is more alike to one that does."""
END_MM: Final = 4.0
"""The most that a column's first and last card may lie from where its ends have them."""

Profile = NDArray[np.float64]
"""How alike a corner is at best in each row of a heap, from -1 to 1."""


class Fan(msgspec.Struct, frozen=True):
    """Cards of one column from its far end to its near one: how alike each is to each name, -1 to 1.

    ``rival`` is how much worse another number of cards explains the column, in the same measure, summed.
    """

    alike: tuple[Mapping[str, float], ...]
    rival: float


class Column(msgspec.Struct, frozen=True, eq=False):
    """A heap read as a column: its cards as ``faces``, and read as ``backs``; either None where none fits."""

    heap: Heap
    faces: Fan | None
    backs: Fan | None

    @property
    def face_down(self) -> float:
        """By how much backs explain it better than faces, for each card."""
        return _mean(self.backs) - _mean(self.faces)


def _mean(fan: Fan | None) -> float:
    if fan is None or not fan.alike:
        return -1.0
    return float(np.mean([max(card.values()) for card in fan.alike]))


def read(heap: Heap, deck: Deck) -> Column:
    """Read a heap as a column."""
    backs = (BACK,) if BACK in deck.corners else ()
    return Column(heap, _fan(heap, deck.faces, deck), _fan(heap, backs, deck))


def _crooked(corner: Picture) -> list[Picture]:
    return [_turned(corner, by) for by in CROOKED]


def _profile(strip: Picture, corner: Picture) -> Profile:
    """Return how alike ``corner`` is at best in each row of ``strip``, of which the px are coarse ones."""
    found = [cv2.matchTemplate(strip, one, cv2.TM_CCOEFF_NORMED).max(axis=1) for one in _crooked(corner)]
    return np.asarray(np.max(found, axis=0), dtype=np.float64)


def _strip(heap: Heap) -> Picture:
    """Cut out the part of a heap in which corners lie."""
    width = round((PAD_MM + BESIDE_MM + CORNER_MM[0]) * PX_MM)
    return np.ascontiguousarray(heap.pixels[:, :width])


def coarse(picture: Picture) -> Picture:
    """Return a picture with px that are :data:`COARSE` times as large."""
    height, width = picture.shape[:2]
    found = cv2.resize(picture, (width // COARSE, height // COARSE), interpolation=cv2.INTER_AREA)
    return np.asarray(found, dtype=np.uint8)


def _turned(corner: Picture, by: float) -> Picture:
    height, width = corner.shape[:2]
    turn = cv2.getRotationMatrix2D((0, 0), by, 1.0)
    found = cv2.warpAffine(corner, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, dtype=np.uint8)


def _fan(heap: Heap, names: Sequence[str], deck: Deck) -> Fan | None:
    if not names:
        return None
    strip = _strip(heap)
    small = coarse(strip)
    best = np.max([_profile(small, coarse(deck.corners[name])) for name in names], axis=0)
    floor = max(FLOOR, float(np.median(best)) + ABOVE)
    by_number = _placed(best - floor, heap.height - deck.card_mm[1])
    if not by_number:
        return None
    number = max(by_number, key=lambda number: by_number[number][0])
    worth, rows = by_number[number]
    others = [other for count, (other, _) in by_number.items() if count != number]
    upright, over = ({name: _crooked(some[name]) for name in names} for some in (deck.corners, deck.turned))
    alike = tuple(_best(strip, row * COARSE, upright, over) for row in rows)
    return Fan(alike, worth - max(others) if others else worth)


def _best(
    strip: Picture, row: int, upright: Mapping[str, Sequence[Picture]], over: Mapping[str, Sequence[Picture]]
) -> dict[str, float]:
    """Return how alike a card is to each name, whichever way up it lies."""
    ways = [{name: _alike(strip, row, some) for name, some in corners.items()} for corners in (upright, over)]
    best, other = (max(way.values()) for way in ways)
    return ways[other > best + UPSIDE_DOWN]


def _alike(strip: Picture, row: int, turned: Sequence[Picture]) -> float:
    """Return how alike a corner is to what lies about a row of ``strip``."""
    high = turned[0].shape[0]
    around = strip[max(row - SEARCH, 0) : row + high + SEARCH]
    if len(around) < high:
        return -1.0
    return max(float(cv2.matchTemplate(around, corner, cv2.TM_CCOEFF_NORMED).max()) for corner in turned)


def _placed(worth: Profile, last_mm: float) -> dict[int, tuple[float, tuple[int, ...]]]:
    """Return by the number of cards their best rows, coarse ones, and what these are worth together."""
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
            found[len(steps) + 1] = (float(ends.max()), _back(steps, int(ends.argmax())))
        # Each row after each possible step; rows before the first are none.
        before = np.arange(len(worth))[:, None] - apart
        after = np.where(before >= 0, reached[before], -np.inf) - cost
        reached = np.asarray(after.max(axis=1) + worth)
        steps.append(np.take_along_axis(before, after.argmax(axis=1)[:, None], axis=1)[:, 0])
    return found


def _back(steps: Sequence[NDArray[np.int64]], row: int) -> tuple[int, ...]:
    rows = [row]
    for before in reversed(steps):
        rows.append(int(before[rows[-1]]))
    return tuple(reversed(rows))
