"""The towers in columns of cards: one rank, or a run with its lowest rank at the far end (SG-3.8, SG-4).

Each card alone may be mistaken; a column rarely is, and all of them together still less, since there are *r*
cards of rank *r* (SG-1.1). If the second best is too near to the best, people are asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, TypeVar

import msgspec

from device.texts import Why, said
from engines import bags
from engines.bags import Bag
from engines.san_gimignano import cards
from engines.san_gimignano.cards import Tower
from vision.cards.deck import BACK
from vision.cards.reading import Column, Fan

T = TypeVar("T")

STONE: Final = cards.KINDS[cards.PIETRA]
"""The name of the noble that stands for a storey."""

CLEAR: Final = 0.06
"""The lead in summed likeness that the best must have over everything else."""
STRANGE: Final = 0.45
"""A card with less likeness to every taught card is something else, or covered."""
MISFIT: Final = CLEAR
"""The most likeness that a card may lack to its place in the column, compared with its best: people do lay
cards that make no tower.
"""
FACE_DOWN: Final = 0.08
"""The lead that a column's likeness to backs or to faces must have."""
NUMBER: Final = 0.12
"""The lead that a column's number of cards must have over any other number."""
TRIED, HOPELESS = 5, 0.8
"""The readings of each column that are tried together, and the cost beyond the best at which they are
dropped.
"""

ASTRAY: Final = 0.6
"""The cost in likeness of a card that is missing, or should not be there."""

STOCK: Final[Bag] = cards.MANIFEST + bags.one(cards.PIETRA, cards.STONES)


def name_card(card: str) -> Why:
    """Return the name of a card, or of a back."""
    return card if card in cards.RANK_NAMES else said("cards.back" if card == BACK else f"card.{card}")


class ReadColumn(msgspec.Struct, frozen=True):
    """A column read: its storeys from the far end, rank names or :data:`STONE`, or their number if the tower
    was flipped. ``sure`` says that nobody need be asked.
    """

    storeys: tuple[str, ...] | int
    sure: bool

    @property
    def said(self) -> Why:
        """Its cards in words for people."""
        if isinstance(self.storeys, int):
            return said("cards.face_down", n=self.storeys)
        ranks, stones = " ".join(one for one in self.storeys if one != STONE), self.storeys.count(STONE)
        return said("cards.stones", cards=ranks, n=stones) if stones else ranks

    @property
    def towers(self) -> tuple[Tower, ...]:
        """The towers that look like this: two if stones leave the kind open, none if it was flipped."""
        if isinstance(self.storeys, int):
            return ()
        return tuple(tower for tower, names in _list_towers(self.storeys) if names == self.storeys)


class _Reading(msgspec.Struct, frozen=True):
    """One way to read a column: the likeness that its cards lack compared with their best, and the cards it
    takes.
    """

    cost: float
    storeys: tuple[str, ...] | int
    takes: Bag
    worst: float


class ColumnsRead(msgspec.Struct, frozen=True):
    """Columns read together: ``best``, and the ``likely`` combinations, the likeliest first."""

    best: tuple[ReadColumn, ...]
    likely: tuple[tuple[tuple[str, ...] | int, ...], ...]


def read(columns: Sequence[Column], *, elsewhere: Bag = 0) -> ColumnsRead:
    """Read columns together; ``elsewhere`` are the cards that surely lie at other places."""
    every = [_list_readings(column) for column in columns]
    choices = [readings[:TRIED] for readings in every]
    totals = sorted(
        (sum(reading.cost for _, reading in combined), tuple(at for at, _ in combined))
        for combined in product(*map(enumerate, choices))
        if bags.within(sum(reading.takes for _, reading in combined), STOCK - elsewhere)
    )
    if not totals:  # more cards than exist: read each column alone, and be sure of none
        alone = tuple(readings[0].storeys for readings in choices)
        return ColumnsRead(tuple(ReadColumn(storeys, False) for storeys in alone), (alone,))
    best, chosen = totals[0]
    found = []
    for number, (column, readings) in enumerate(zip(columns, choices, strict=True)):
        reading = readings[chosen[number]]
        rival = min((cost for cost, at in totals if at[number] != chosen[number]), default=best + 1.0)
        if len(every[number]) > TRIED:  # an untried reading costs at least this much
            rival = min(rival, best - reading.cost + every[number][TRIED].cost)
        clear = rival - best > CLEAR and reading.worst < MISFIT
        found.append(ReadColumn(reading.storeys, clear and _is_plain_to_see(column)))
    likely = [
        tuple(readings[at].storeys for readings, at in zip(choices, chosen, strict=True))
        for cost, chosen in totals
        if cost - best < HOPELESS
    ]
    return ColumnsRead(tuple(found), tuple(likely))


def _choose_fan(column: Column) -> Fan | None:
    return column.backs if column.face_down > 0 else column.faces


def _list_readings(column: Column) -> list[_Reading]:
    """Return the ways to read a column, the best first."""
    fan = _choose_fan(column)
    if fan is None:
        return [_Reading(0.0, 0, 0, 1.0)]
    if column.face_down > 0:
        return [_Reading(0.0, len(fan.alike), 0, 0.0)]
    found = {
        storeys: _read_as(fan, storeys) for start in _place_stones(fan) for _, storeys in _list_towers(start)
    }
    if not found:
        free = tuple(max(card, key=lambda name: card[name]) for card in fan.alike)
        return [_Reading(0.0, free, 0, 1.0)]
    return sorted(found.values(), key=lambda reading: reading.cost)


def _read_as(fan: Fan, storeys: tuple[str, ...]) -> _Reading:
    short = [
        max(card.values()) - card[name] if name in card else 1.0
        for card, name in zip(fan.alike, storeys, strict=True)
    ]
    return _Reading(sum(short), storeys, bags.bag(cards.KINDS.index(name) for name in storeys), max(short))


def _place_stones(fan: Fan) -> Iterator[tuple[str, ...]]:
    """Yield the likeliest places of stones, and those with one stone more or less."""
    stones = [card.get(STONE, -1.0) >= max(card.values()) for card in fan.alike]
    for other in range(-1, len(stones)):
        yield tuple(STONE if stone != (at == other) else "" for at, stone in enumerate(stones))


def _list_towers(laid: Sequence[str]) -> Iterator[tuple[Tower, tuple[str, ...]]]:
    """Yield every tower with as many storeys and with stones at the places in ``laid``, with its storeys."""
    stones = [at for at, name in enumerate(laid) if name == STONE]
    number = len(laid)
    if number < cards.LEAST_STOREYS or len(stones) > cards.STONES or len(stones) == number:
        return
    for rank, name in zip(range(cards.LOW, cards.HIGH + 1), cards.RANK_NAMES, strict=True):
        names = tuple(STONE if at in stones else name for at in range(number))
        yield cards.plain(rank, number, stones=len(stones)), names
    for low, high in cards.STONE_RUNS:
        ranks = range(low, high + 1)
        replaced = [low + at for at in stones]
        beyond = {low, high} - set(range(cards.LOW, cards.HIGH + 1))
        if len(ranks) == number and beyond <= set(replaced):
            names = tuple(STONE if rank in replaced else str(rank) for rank in ranks)
            yield cards.run(low, high, stones=replaced), names


def _is_plain_to_see(column: Column) -> bool:
    """Return True if a column's side and its number of cards are clear, and no card is strange."""
    fan = _choose_fan(column)
    if fan is None or abs(column.face_down) < FACE_DOWN or fan.rival < NUMBER:
        return False
    return all(max(card.values()) > STRANGE for card in fan.alike)


# Towers that the columns may be


def measure_unlikeness(columns: Sequence[Column], towers: Sequence[Tower]) -> float:
    """Return the least lack of likeness of columns to these towers, compared with their likeliest cards.

    Each tower is one of the columns; a card too many or missing costs :data:`ASTRAY`.
    """
    rows = [{tower: _compare(column, tower) for tower in towers} for column in columns]
    spare = [ASTRAY * _count_cards(column) for column in columns]
    return find_cheapest_pairing(rows, spare, {tower: ASTRAY * tower.height for tower in towers}, towers)


def find_cheapest_pairing(
    rows: Sequence[Mapping[T, float]], spare: Sequence[float], missing: Mapping[T, float], things: Sequence[T]
) -> float:
    """Return the least cost of pairing rows with ``things``.

    Each row has the cost of each thing, and in ``spare`` its cost without one; ``missing`` has the cost of a
    thing without a row.
    """
    left = {tuple(things): 0.0}  # the least cost, by the things without a row
    for row, alone in zip(rows, spare, strict=True):
        after: dict[tuple[T, ...], float] = {}
        for there, cost in left.items():
            ways = [(there, cost + alone)]
            for thing in dict.fromkeys(there):
                at = there.index(thing)
                ways.append(((*there[:at], *there[at + 1 :]), cost + row[thing]))
            for kept, more in ways:
                after[kept] = min(after.get(kept, more), more)
        left = after
    return min(cost + sum(missing[thing] for thing in there) for there, cost in left.items())


def _count_cards(column: Column) -> int:
    fan = _choose_fan(column)
    return len(fan.alike) if fan else 1


def _compare(column: Column, tower: Tower) -> float:
    down, fan = column.face_down > 0, column.backs if tower.complete else column.faces
    if fan is None or down != tower.complete:
        return ASTRAY * max(_count_cards(column), tower.height)
    if len(fan.alike) != tower.height:
        return ASTRAY * abs(len(fan.alike) - tower.height)
    return 0.0 if tower.complete else min(_read_as(fan, storeys).cost for storeys in _lay_tower(tower, fan))


def _lay_tower(tower: Tower, fan: Fan) -> Iterator[tuple[str, ...]]:
    """Yield the ways to lay a tower's cards; a stone among equal cards lies where a card looks
    most like one.
    """
    if not tower.plain:
        ranks = range(tower.low, tower.high + 1)
        yield tuple(STONE if rank in tower.stones else str(rank) for rank in ranks)
        return
    name = str(tower.low)
    stony = sorted(
        range(tower.height), key=lambda at: fan.alike[at].get(name, -1.0) - fan.alike[at].get(STONE, -1.0)
    )
    stones = set(stony[: len(tower.stones)])
    yield tuple(STONE if at in stones else name for at in range(tower.height))
