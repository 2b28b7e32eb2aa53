"""The tower cards and the towers built of them (SG-1.1, SG-3.8)."""

from __future__ import annotations

import re

import msgspec

from engines import bags
from engines.bags import Bag

LOW, HIGH = 5, 10
RANKS = tuple(range(LOW, HIGH + 1))
MANIFEST: Bag = sum(bags.one(rank - LOW, rank) for rank in RANKS)
CARDS = sum(RANKS)
LEAST_STOREYS = 3


def lane(rank: int) -> int:
    """A rank's kind in a bag."""
    return rank - LOW


def card(rank: int, copies: int = 1) -> Bag:
    """So many cards of a rank."""
    return bags.one(rank - LOW, copies)


def cards(ranks: list[int] | tuple[int, ...]) -> Bag:
    """The cards of these ranks."""
    return bags.bag(rank - LOW for rank in ranks)


def ranks(held: Bag) -> list[int]:
    """Every card of a bag by its rank, lowest first."""
    return [kind + LOW for kind in bags.elements(held)]


class Tower(msgspec.Struct, frozen=True, order=True):
    """A standing tower; towers that look alike are alike.

    Plain towers have ``low == high``; a colourful one shows each rank from ``low`` (its top storey) to
    ``high`` (its bottom storey) once. ``height`` counts storeys, ``complete`` is whether it was flipped.
    """

    low: int
    high: int
    height: int
    complete: bool = False

    @property
    def plain(self) -> bool:
        """Whether all storeys have one rank."""
        return self.low == self.high

    @property
    def bag(self) -> Bag:
        """Its cards."""
        return _BAGS[self.low, self.high, self.height]

    def __str__(self) -> str:
        return tower_text(self)


def plain(rank: int, height: int, complete: bool = False) -> Tower:
    """A plain tower."""
    return Tower(rank, rank, height, complete)


def run(low: int, high: int, complete: bool = False) -> Tower:
    """A colourful tower."""
    return Tower(low, high, high - low + 1, complete)


def tower_text(tower: Tower) -> str:
    """``8x3`` (plain), ``5-7`` (colourful), with ``*`` when complete."""
    name = f"{tower.low}x{tower.height}" if tower.plain else f"{tower.low}-{tower.high}"
    return name + "*" * tower.complete


def read_tower(text: str) -> Tower | None:
    """The tower a text stands for, None if it is not written as towers are.

    Nothing is said about whether the cards for it exist.
    """
    parts = re.fullmatch(r"(\d{1,2})([x-])(\d{1,2})(\*?)", text)
    if not parts:
        return None
    first, kind, second, star = int(parts[1]), parts[2], int(parts[3]), bool(parts[4])
    if kind == "x":
        return plain(first, second, star) if first in RANKS and second >= LEAST_STOREYS else None
    spans = first >= LOW and second <= HIGH and second - first + 1 >= LEAST_STOREYS
    return run(first, second, star) if spans else None


RUNS = tuple((low, high) for low in RANKS for high in range(low + LEAST_STOREYS - 1, HIGH + 1))
_BAGS = {(rank, rank, n): card(rank, n) for rank in RANKS for n in range(1, CARDS + 1)} | {
    (low, high, high - low + 1): cards(list(range(low, high + 1))) for low, high in RUNS
}
