"""A copy's deck, taught from one picture of each card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import msgspec
import numpy as np

from vision.lens import Picture
from vision.plane import BARE, PAD_MM, PX_MM, Heap, compare, find_flaws

BACK: Final = "back"
"""The name of a card's back among its faces."""
CORNER_MM: Final = (26.0, 12.5)
"""The compared part of a card: its upper left corner, the part that a card lying on it leaves visible."""
SLIP: Final = 4
"""The largest offset in px of two compared corners."""
SLACK_MM: Final = 4.0
"""A heap higher or wider than a card by more than this is not one card."""


SOFT: Final = 0.55
"""A deck is blurred if half its corners have no steeper edges than this, in standard deviations of their grey
per px: 28 clear pictures have 0.62 and more, the same blurred by 2.5 px 0.51 and less.
"""
FITS: Final = 0.85
APART: Final = 0.02
"""The least likeness of a card's corner to one of a deck, and its least lead over any other."""
TWINS: Final = 0.975
"""Two corners more alike than this are the same card twice; the most alike kinds of 28 decks have 0.96."""


class NotTaught(ValueError):
    """A picture that does not teach: the name of the flaw, and its figures."""

    def __init__(self, flaw: str, **figures: str | int) -> None:
        """Take the flaw and its figures."""
        super().__init__(flaw, figures)
        self.flaw, self.figures = flaw, figures


class Deck(msgspec.Struct, frozen=True, eq=False):
    """The ``corners`` of a copy's cards by name, at :data:`.PX_MM`, and a card's width and height in mm.

    ``turned`` are the opposite corners, as on cards that lie upside down; on many decks they are alike.
    """

    card_mm: tuple[float, float]
    corners: Mapping[str, Picture]
    turned: Mapping[str, Picture]

    @property
    def faces(self) -> tuple[str, ...]:
        """The names without the back."""
        return tuple(name for name in self.corners if name != BACK)


def taught(heaps: Sequence[Heap], names: Sequence[str], card_mm: tuple[float, float]) -> Deck:
    """Return the deck of single cards that lie in rows, named row by row from the north-west.

    Raises :class:`NotTaught` for another number of heaps, or a heap that is not one card.
    """
    if len(heaps) != len(names):
        raise NotTaught("count", seen=len(heaps), wanted=len(names))
    ordered = in_rows(heaps, card_mm[1])
    for name, heap in zip(names, ordered, strict=True):
        if abs(heap.width - card_mm[0]) > SLACK_MM or abs(heap.height - card_mm[1]) > SLACK_MM:
            raise NotTaught("measures", card=name, width=round(heap.width), height=round(heap.height))
    upright, turned = {}, {}
    for name, heap in zip(names, ordered, strict=True):
        upright[name] = corner(heap.pixels, heap, card_mm)
        turned[name] = corner(heap.pixels[::-1, ::-1], heap, card_mm)
    return Deck(card_mm, upright, turned)


def flaws(deck: Deck) -> list[tuple[str, tuple[str, ...]]]:
    """Return the flaws that make a deck hard to read, as :func:`vision.plane.find_flaws` has them."""
    return find_flaws(
        deck.corners, SOFT, lambda *pair: _alike(*(deck.corners[name] for name in pair)) > TWINS
    )


def bare(heap: Heap, card_mm: tuple[float, float]) -> bool:
    """Return True if there is no card at the place of a ``heap`` of one."""
    grey = cv2.cvtColor(corner(heap.pixels, heap, card_mm), cv2.COLOR_BGR2GRAY)
    return float(grey.std()) < BARE


def known(deck: Deck, heap: Heap) -> str:
    """Return the name of the card in a ``deck`` that the ``heap`` is.

    Raises :class:`NotTaught` if it is not one card, is none or hardly one of these, or the light hides its
    print.
    """
    seen = taught([heap], ["it"], deck.card_mm)
    ways = {name: _alike(one, seen.corners["it"]) for name, one in deck.corners.items()}
    name = max(ways, key=lambda name: ways[name])
    first, second = sorted(ways.values())[-1:-3:-1]
    if first < FITS or first - second < APART:
        raise NotTaught("twins", card=name)
    if flaw := next(iter(flaws(seen)), None):
        raise NotTaught(flaw[0])
    return name


def _alike(one: Picture, other: Picture) -> float:
    core = np.ascontiguousarray(other[SLIP:-SLIP, SLIP:-SLIP])
    return compare(one, core)


def in_rows(heaps: Sequence[Heap], height_mm: float) -> list[Heap]:
    """Return heaps row by row from the north-west; rows are at least half a card apart."""
    rows: list[list[Heap]] = []
    for heap in sorted(heaps, key=lambda heap: heap.south):
        if not rows or heap.south - rows[-1][0].south > height_mm / 2:
            rows.append([])
        rows[-1].append(heap)
    return [heap for row in rows for heap in sorted(row, key=lambda heap: heap.east)]


def corner(pixels: Picture, heap: Heap, card_mm: tuple[float, float]) -> Picture:
    """Return the upper left corner of a ``heap`` that is one card, scaled to a card's size."""
    pad = PAD_MM * PX_MM
    card = np.array(
        [
            [heap.width / card_mm[0], 0.0, pad],
            [0.0, heap.height / card_mm[1], pad],
        ]
    )
    size = tuple(round(mm * PX_MM) for mm in CORNER_MM)
    found = cv2.warpAffine(
        np.ascontiguousarray(pixels), card, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    return np.asarray(found, dtype=np.uint8)
