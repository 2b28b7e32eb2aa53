"""Cards side by side, none on another: each shows two of the corners that a deck was taught."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Final

import cv2
import numpy as np
from msgspec.structs import replace

from vision.cards.deck import CORNER_MM, SLACK_MM, Deck
from vision.cards.fan import coarse
from vision.cards.flat import PAD_MM, PX_MM, Heap
from vision.lens import Picture

GAP_MM: Final = 12.0
"""The largest gap between cards that are seen as one heap."""
CROOKED: Final = (-5.0, -2.5, 0.0, 2.5, 5.0)
"""The degrees that a card may lie crooked among cards that it touches."""
_TURNS: Final = [cv2.getRotationMatrix2D((0, 0), by, 1.0) for by in CROOKED]


def apart(heap: Heap, card_mm: tuple[float, float]) -> list[Heap]:
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


def alike(card: Heap, deck: Deck) -> Mapping[str, float]:
    """Return the likeness of a one-card heap to each name, -1 to 1, the better way up."""
    ends = [_corner(pixels) for pixels in (card.pixels, card.pixels[::-1, ::-1])]
    ways = [
        {
            name: (_likeness(upper, deck.corners[name]) + _likeness(lower, deck.turned[name])) / 2
            for name in deck.corners
        }
        for upper, lower in (ends, ends[::-1])
    ]
    return max(ways, key=lambda way: max(way.values()))


def _corner(pixels: Picture) -> Picture:
    wide, high = (round((mm + 3 * PAD_MM) * PX_MM) for mm in CORNER_MM)
    return coarse(np.ascontiguousarray(pixels[:high, :wide]))


def _likeness(around: Picture, corner: Picture) -> float:
    """Return the best likeness of a corner in the coarse picture ``around`` it."""
    small = coarse(corner)
    size = small.shape[1::-1]
    turned = (cv2.warpAffine(small, turn, size, borderMode=cv2.BORDER_REPLICATE) for turn in _TURNS)
    return max(float(cv2.matchTemplate(around, one, cv2.TM_CCOEFF_NORMED).max()) for one in turned)
