"""Kinds of tiles, spaces and cards, of square tiles, and of rewards on yield cards (CT-1.2 to CT-1.4).

A kind is a letter; bags of tiles and cards (:mod:`engines.bags`) have kinds by number, 0 to 7 in the order of
:data:`KINDS`. A *tile* is a short text: the letter of its kind, for a farm followed by the letters of its
farm kinds in order: ``v``, ``fa``, ``fbd``. A wild hex is :data:`WILD`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from engines import bags

KINDS = "ctifqvmr"
"""Castle, town, inn, farm, quarry, village, monastery, cart; dark green, red, blue, light green, grey,
orange, yellow, beige (CT-1.2)."""
CASTLE, TOWN, INN, FARM, QUARRY, VILLAGE, MONASTERY, CART = tuple(KINDS)
NAMES = ("castle", "town", "inn", "farm", "quarry", "village", "monastery", "cart")
WILD = "w"
NUMBERS = {kind: number for number, kind in enumerate(KINDS)}

PILES = 3  # CT-2.1
IN_PILE = 7
OWN = bags.bag(NUMBERS[kind] for kind in "cttiffffqqqvvvvmmmrrr")
"""The 21 tiles of each player that are shuffled into piles, by kind (CT-1.3)."""
NEUTRAL = bags.bag(4 * list(range(len(KINDS))))
"""The 32 neutral tiles (CT-1.3)."""
DISPLAY = 8  # CT-2.5
TOO_MANY = 5  # CT-3.6
CARDS, YIELDS = 122, 27  # CT-1.4
MARBLE = WORKERS = 12
WILDS = 10
SUPPLY = {"marble": MARBLE, "workers": WORKERS, "wilds": WILDS}
"""The numbers of marble, workers and wild hexes (CT-1.4)."""

SQUARES = ("cards", "storage", "marble", "worker", "yield")
"""The kinds of square tiles (CT-5.9)."""
EXTRA_CARD, EXTRA_STORAGE, EXTRA_MARBLE, EXTRA_WORKER, EXTRA_YIELD = range(len(SQUARES))
OF_EACH_SQUARE = 5  # CT-1.4
BONUS_SIDES = 2  # CT-4.2

FARMS = "abcdef"
"""Letters of the farm kinds, in the order in which a copy names them (CT-5.4)."""
REWARDS = (
    *(f"g{n}" for n in range(1, 10)),
    *(f"o{n}" for n in range(1, 10)),
    *(f"c{n}" for n in range(1, 6)),
    *(f"m{n}" for n in range(1, 4)),
    *(f"w{n}" for n in range(1, 4)),
    "h1",
    "x",
)
"""The rewards of yield cards: green or orange VP, cards, marble, workers, a wild hex, something else
(CT-5.8)."""

JOINED = "+"
"""The sign between several rewards of a card."""
OTHER, ELSE = "+", "x"
"""A card that the copy's list lacks; a reward unknown to the referee."""


def kind_of(tile: str) -> str:
    """Return the kind of a tile, :data:`WILD` for a wild hex."""
    return tile[0]


def tiles(farms: int) -> tuple[str, ...]:
    """Return every tile of a copy with a number of farm kinds, by kind, farms with fewer kinds first."""
    shown = [
        FARM + "".join(some) for most in range(1, farms + 1) for some in combinations(FARMS[:farms], most)
    ]
    return tuple(tile for kind in KINDS for tile in (shown if kind == FARM else [kind]))


@lru_cache(256)
def order(tile: str) -> tuple[int, int, str]:
    """Return the sort key of a tile: by kind, farms with fewer kinds first, wild hexes last."""
    return NUMBERS.get(tile[0], len(KINDS)), len(tile), tile
