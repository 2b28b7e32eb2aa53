"""The twelve colours of keshis (MK-1.1).

A handful of keshis is an :mod:`engines.bags` bag; kind *i* is ``COLOURS[i]``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from engines import bags
from engines.bags import Bag

COLOURS = (
    "turquoise",
    "green",
    "black",
    "white",
    "gray",
    "beige",
    "brown",
    "pink",
    "red",
    "yellow",
    "purple",
    "orange",
)
"""The colours in the order of their areas, then red, which has none, and the three goods; kinds are places in
this row.
"""
KINDS = len(COLOURS)
LETTERS = "tgkwybnprluo"
"""The colours' letters; k is black, w white, y gray, b beige, n brown, l yellow and u purple."""
TURQUOISE, GREEN, BLACK, WHITE, GRAY, BEIGE, BROWN, PINK, RED = range(9)
AREAS = LETTERS[:RED]
"""The areas with one colour, by its letter; the souk, :data:`SOUK`, takes all three goods."""
SOUK = "s"
GOODS = LETTERS[RED + 1 :]
DRAWN = tuple(letter for letter in AREAS + LETTERS[RED] if letter != LETTERS[BROWN])
"""The common bag: one of each colour except yellow, purple, orange and brown (MK-1.5)."""
EACH = 25
"""The number of keshis of each colour (MK-1.1)."""


CHOSEN = 3
"""The number of keshis that each player throws in a round (MK-3.1)."""


def keshis(counts: Mapping[str, int]) -> Bag:
    """Return the bag of ``{"red": 2}``; raises ValueError for an unknown colour or a number beyond 0 to 255.

    >>> letters(keshis({"red": 2, "white": 1}))
    'wr'
    """
    held = 0
    for colour, count in counts.items():
        if colour not in COLOURS:
            raise ValueError(f"{colour!r} is no keshi's colour; they are {', '.join(COLOURS)}")
        if not 0 <= count <= bags.FULL:
            raise ValueError(f"{count} {colour} keshis; a number from 0 to {bags.FULL}")
        held += bags.one(COLOURS.index(colour), count)
    return held


@lru_cache(4096)
def of_letters(letters: str) -> Bag:
    """Return the bag of these colours, one keshi for each letter."""
    return bags.bag(map(LETTERS.index, letters))


@lru_cache(4096)
def letters(held: Bag) -> str:
    """Return the letters of the colours in the bag, each once, in the order of :data:`LETTERS`."""
    return "".join(LETTERS[kind] for kind, _ in bags.items(held))


def named(held: Bag) -> dict[str, int]:
    """Return the number of each colour in the bag, by name."""
    return {COLOURS[kind]: count for kind, count in bags.items(held)}
