"""The tower cards, the nobles, and the towers built of them (SG-1.1, SG-3.8, SG-9.1).

Both backs share one numbering of kinds, so that one bag can hold a market or cards laid down: kinds 0 to 5
are the ranks 5 to 10, the nobles follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

import msgspec

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS

LOW, HIGH = 5, 10
RANKS = tuple(range(LOW, HIGH + 1))
MANIFEST: Bag = sum(bags.one(rank - LOW, rank) for rank in RANKS)
CARDS = sum(RANKS)
LEAST_STOREYS = 3

NOBLES = ("pietra", "via", "monumento", "giostra", "cappella", "palazzo", "mura")
PIETRA, VIA, MONUMENTO, GIOSTRA, CAPPELLA, PALAZZO, MURA = range(len(RANKS), len(RANKS) + len(NOBLES))
NOBLE_MANIFEST: Bag = sum(
    bags.one(kind, copies) for kind, copies in enumerate((3, 2, 1, 1, 1, 1, 1), len(RANKS))
)
NOBLE_CARDS = 10
STONES = 3
RANK_NAMES = tuple(map(str, RANKS))
KINDS = (*RANK_NAMES, *NOBLES)
"""Every kind by its name."""
TOWER_CARDS: Bag = (1 << bags.LANE * len(RANKS)) - 1
"""The lanes of a bag for tower cards."""


def lane(rank: int) -> int:
    """Return a rank's kind in a bag."""
    return rank - LOW


def card(rank: int, copies: int = 1) -> Bag:
    """Return copies of a rank's card."""
    return bags.one(rank - LOW, copies)


def cards(ranks: Iterable[int]) -> Bag:
    """Return the cards of these ranks."""
    return bags.bag(rank - LOW for rank in ranks)


def ranks(held: Bag) -> list[int]:
    """Return every tower card of a bag by its rank, lowest first."""
    return [kind + LOW for kind in bags.elements(held & TOWER_CARDS)]


def kind_of(name: str) -> int:
    """Return the kind of a card's name, ``8`` or ``via``; raises ValueError for another word."""
    return KINDS.index(name)


def figure(held: Bag) -> str:
    """Return the names of all cards of a bag as a figure of a text: ``8,8,mura``."""
    return ",".join(names(held))


def names(held: Bag) -> list[str]:
    """Return the names of all cards of a bag, tower cards first."""
    return [KINDS[kind] for kind in bags.elements(held)]


class Tower(msgspec.Struct, frozen=True, order=True):
    """A standing tower; towers that look alike are equal.

    Plain towers have ``low == high``; a colourful one shows each rank from ``low`` (its top storey) to
    ``high`` (its bottom storey) once. ``height`` counts storeys; a ``complete`` tower was flipped. ``stones``
    are the ranks that a Buona Pietra stands for, lowest first; they may be 4 and 11 (SG-9.5).
    """

    low: int
    high: int
    height: int
    complete: bool = False
    stones: tuple[int, ...] = ()

    @property
    def plain(self) -> bool:
        """True if all storeys have one rank."""
        return self.low == self.high

    @property
    def bag(self) -> Bag:
        """Its tower cards."""
        if not self.stones:
            return _BAGS[self.low, self.high, self.height]
        if self.plain:
            return card(self.low, self.height - len(self.stones))
        return real_cards(self.low, self.high, self.stones)

    def __str__(self) -> str:
        """Write ``8x3`` (plain), ``5-7`` (colourful), with ``*`` if it is complete.

        Each stone adds an ``s``, in a colourful tower with the rank it stands for: ``8x4s``, ``4-7s4s6``.
        """
        return self.figure + "*" * self.complete

    @property
    def figure(self) -> str:
        """``8x4s``: its text without the ``*``; the words around it say if it is complete."""
        return self.shape + ("s" * len(self.stones) if self.plain else write_stones(self.stones))

    def grown(self, token: str) -> Tower:
        """Return the tower with the height ``x4s``, the stones ``s4s6``, or the storeys ``+2s5`` on top."""
        if token[0] == "s":
            return run(self.low, self.high, stones=read_stones(token))
        n, stones = read_storeys(token)
        if token[0] == "x":
            return plain(self.low, n, stones=len(stones))
        if self.plain:
            return plain(self.low, self.height + n, self.complete, len(self.stones) + len(stones))
        return run(self.low - n, self.high, self.complete, (*stones, *self.stones))

    @property
    def shape(self) -> str:
        """``8x3``, ``5-7``: its text without stones."""
        return f"{self.low}x{self.height}" if self.plain else f"{self.low}-{self.high}"


def plain(rank: int, height: int, complete: bool = False, stones: int = 0) -> Tower:
    """Return a plain tower; ``stones`` of its storeys are stones."""
    return Tower(rank, rank, height, complete, (rank,) * stones)


def run(low: int, high: int, complete: bool = False, stones: Iterable[int] = ()) -> Tower:
    """Return a colourful tower."""
    return Tower(low, high, high - low + 1, complete, tuple(sorted(stones)))


def write_stones(stones: Iterable[int]) -> str:
    """Write the stones of a colourful tower: ``s4s6``."""
    return "".join(f"s{rank}" for rank in stones)


def read_stones(text: str) -> tuple[int, ...]:
    """Return the ranks of ``s4s6``, lowest first."""
    return tuple(sorted(map(int, text.split("s")[1:])))


def read_tower(text: str) -> Tower | None:
    """Return the tower of a text, None if it is no tower's; there may be too few cards for it."""
    parts = re.fullmatch(r"(\d{1,2})([x-])(\d{1,2})(s*|(?:s\d{1,2})+)(\*?)", text)
    if not parts:
        return None
    first, kind, second, star = int(parts[1]), parts[2], int(parts[3]), bool(parts[5])
    if kind == "x":
        stones = len(parts[4])
        fits = first in RANKS and second >= LEAST_STOREYS and stones <= min(STONES, second)
        return plain(first, second, star, stones) if fits and parts[4].strip("s") == "" else None
    if parts[4] and not parts[4].strip("s"):
        return None
    ranks = read_stones(parts[4])
    inside = first >= LOW - 1 and second <= HIGH + 1 and second - first + 1 >= LEAST_STOREYS
    spans = inside and len(ranks) <= STONES and len(set(ranks)) == len(ranks)
    if not spans or not forced_stones(first, second) <= set(ranks) <= set(range(first, second + 1)):
        return None
    return run(first, second, star, ranks)


def write_owned(owner: int, tower: Tower) -> str:
    """Write a tower behind its owner's letter: ``b8x3``."""
    return f"{SEATS[owner]}{tower!s}"


def read_owned(text: str) -> tuple[int, Tower] | None:
    """Return the owner and the tower of a text like ``b8x3``, None for another text."""
    tower = read_tower(text[1:])
    return (SEATS.index(text[0]), tower) if text[:1] in ("a", "b") and tower else None


def forced_stones(low: int, high: int) -> set[int]:
    """Return the ranks of a run for which there is no tower card."""
    return {rank for rank in (LOW - 1, HIGH + 1) if low <= rank <= high}


@cache
def stone_sets(low: int, high: int, most: int = STONES) -> tuple[tuple[int, ...], ...]:
    """Return every set of up to ``most`` storeys from ``low`` to ``high`` that can be stones, the smallest
    first.
    """
    forced = forced_stones(low, high)
    storeys = range(low, high + 1)
    return tuple(
        chosen
        for count in range(min(most, len(storeys)) + 1)
        for chosen in combinations(storeys, count)
        if forced <= set(chosen)
    )


@cache
def real_cards(low: int, high: int, stones: tuple[int, ...] = ()) -> Bag:
    """Return the tower cards of the storeys ``low`` to ``high`` except the ``stones``."""
    return cards(rank for rank in range(low, high + 1) if rank not in stones)


def read_storeys(token: str) -> tuple[int, tuple[int, ...]]:
    """Return the number of storeys of ``x4s`` or ``+2s5``, and the rank of each stone, 0 if it has none."""
    number, *stones = token[1:].split("s")
    return int(number), tuple(int(rank or 0) for rank in stones)


def read_shape(token: str) -> tuple[int, int]:
    """Return the lowest and the highest rank of a shape: ``8``, ``5-7`` or ``4-7s``."""
    low, _, high = token.rstrip("s").partition("-")
    return int(low), int(high or low)


@cache
def ways(token: str) -> tuple[tuple[Bag, int], ...]:
    """Return every way to lay a shape: its tower cards and the number of stones.

    A plain shape has its least height.
    """
    low, high = read_shape(token)
    if low == high:
        return tuple((card(low, LEAST_STOREYS - stones), stones) for stones in range(LEAST_STOREYS))
    return tuple(
        (real_cards(low, high, chosen), len(chosen))
        for chosen in stone_sets(low, high)
        if len(chosen) < high - low + 1 and bool(chosen) == (token[-1] == "s")
    )


def _list_runs(low: int, high: int) -> Iterator[tuple[int, int]]:
    for first in range(low, high + 1):
        for last in range(first + LEAST_STOREYS - 1, high + 1):
            yield first, last


RUNS = tuple(_list_runs(LOW, HIGH))
STONE_RUNS = tuple(_list_runs(LOW - 1, HIGH + 1))
"""Every run in which a stone can stand."""
_BAGS = {(rank, rank, n): card(rank, n) for rank in RANKS for n in range(CARDS + 1)} | {
    (low, high, high - low + 1): cards(range(low, high + 1)) for low, high in RUNS
}
