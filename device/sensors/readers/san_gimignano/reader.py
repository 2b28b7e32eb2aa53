"""The cards of a match through a camera: found, read, judged, and reported.

One camera sees one seat's towers; the other side stays as the match has it. While a column is no tower yet,
or a card is hidden, the trouble is named and nothing else is reported.

In the open market cards lie side by side anywhere in the field, upright or upside down, none over another. Of
the nobles the taught deck has the Buona Pietra: any other is a doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

import msgspec

from device.sensors.learnt import LearntError, Mount, lens_of
from device.sensors.readers import AREAS, judging
from device.sensors.readers.reader import Finding, Reader
from device.sensors.readers.san_gimignano import teaching, towers
from device.sensors.readers.san_gimignano.towers import ColumnsRead, ReadColumn, name_card
from device.sensors.readers.shelf import TeachingSeen
from device.sensors.simulated_table import load as load_table
from device.sensors.sources import Picture, PictureFrame, PictureSource
from device.texts import Why, said
from engines.san_gimignano.cards import KINDS, Tower
from engines.san_gimignano.layouts import Cards, Layout, MarketSight
from engines.san_gimignano.state import State
from vision.cards import reading
from vision.cards.deck import BACK, Deck
from vision.field import Field
from vision.lens import Lens
from vision.plane import Heap, find_heaps
from vision.pose import Pose

SURE: Final = judging.MARGIN / towers.CLEAR
"""The worth of likeness as a logarithm: the lead that makes a tower clear is worth the judgement's margin."""
DIM: Final = 0.5
"""The extra lead that a card needs for each unit of likeness that it lacks: glare and untaught things look a
little like everything.
"""


class Card(msgspec.Struct, frozen=True):
    """A card read: by kind, its lack of likeness compared with the likeliest; ``sure`` if nobody need be
    asked about it.
    """

    costs: Mapping[str, float]
    sure: bool

    @property
    def name(self) -> str:
        """The likeliest kind."""
        return min(self.costs, key=self.costs.__getitem__)


def read(alike: Mapping[str, float]) -> Card:
    """Read a card by how ``alike`` it is to the taught cards; an untaught kind counts as a strange card."""
    best = max(alike.values())
    costs = {name: best - alike.get(name, min(best, towers.STRANGE)) for name in (*KINDS, BACK)}
    (first, name), (second, _), *_ = sorted((cost, name) for name, cost in costs.items())
    clear = second - first > towers.CLEAR + DIM * (1 - best)
    sure = clear and name != BACK and best > towers.STRANGE
    return Card({kind: costs[kind] for kind in KINDS}, sure)


class CardReader(Reader):
    """A reader of a field with cards through one camera."""

    def __init__(
        self, lens: Lens, deck: Deck, field: Field, taken: TeachingSeen | None = None, what: str = ""
    ) -> None:
        """Read cards of ``deck`` on ``field``; expect nothing yet; ``taken`` is how the deck was taught."""
        super().__init__(lens, taken, what)
        self._deck, self._field = deck, field

    @property
    def field(self) -> Field | str:
        """The field that the cards lie on."""
        return self._field

    def _find_heaps(self, picture: Picture, pose: Pose) -> list[Heap]:
        """Return the heaps of cards in a picture."""
        return find_heaps(picture, self._lens, pose, self._field)

    def _note_doubt(self, cards: Iterable[Why]) -> None:
        """Note the unsure cards as a doubt."""
        unsure = tuple(cards)
        self._doubts = (said("cards.unsure", cards=unsure),) if unsure else ()


class AreaReader(CardReader):
    """A reader of one side's towers through one camera."""

    def __init__(
        self, lens: Lens, deck: Deck, field: Field, side: int, taken: TeachingSeen | None = None
    ) -> None:
        """Read the ``field`` before the seat ``side``, 0 or 1; nothing is expected yet."""
        super().__init__(lens, deck, field, taken)
        self._side = side

    def _read(self, picture: Picture, pose: Pose) -> Finding:
        laid, state = self._find_heaps(picture, pose), self._state
        columns = [reading.read(heap, self._deck) for heap in laid]
        readings = towers.read(columns, elsewhere=self._count_elsewhere(state))
        layouts = list(dict.fromkeys(self._list_layouts(state, readings)))
        if not layouts:
            cards = tuple(standing.said for standing in readings.best if not standing.towers)
            return self._find_nothing(said("cards.no_tower", cards=cards))
        unsure = [number for number, standing in enumerate(readings.best) if not standing.sure]
        self._note_doubt(readings.best[number].said for number in unsure)

        def weigh_against(layout: Layout) -> float:
            return SURE * towers.measure_unlikeness(columns, layout[self._side])

        return self._judge(layouts, weigh_against, unsure, lambda number: laid[number].pixels)

    # The parts of a reading

    def _count_elsewhere(self, state: State) -> int:
        """Return the cards of the other side's towers, and of this side's flipped ones."""
        flipped = [tower for tower in state.towers[self._side] if tower.complete]
        return sum(tower.bag for tower in (*state.towers[1 - self._side], *flipped))

    def _list_layouts(self, state: State, readings: ColumnsRead) -> Iterator[Layout]:
        """Yield the possible layouts of both sides, the likeliest first."""
        flipped = Counter(msgspec.structs.replace(tower, complete=True) for tower in state.towers[self._side])
        for combined in readings.likely[: judging.MOST]:
            ways = [self._list_ways(flipped, storeys) for storeys in combined]
            for chosen in product(*ways):
                if not Counter(tower for tower in chosen if tower.complete) <= flipped:
                    continue
                ours = tuple(sorted(chosen))
                yield (ours, state.towers[1]) if self._side == 0 else (state.towers[0], ours)

    def _list_ways(self, flipped: Counter[Tower], storeys: tuple[str, ...] | int) -> tuple[Tower, ...]:
        """Return the towers that a column may be; one face down may be any flipped tower of its height."""
        if not isinstance(storeys, int):
            return ReadColumn(storeys, sure=True).towers
        return tuple(tower for tower in flipped if tower.height == storeys)


class MarketReader(CardReader):
    """A reader of the market through one camera."""

    def _read(self, picture: Picture, pose: Pose) -> Finding:
        laid = [reading.split(heap, self._deck.card_mm) for heap in self._find_heaps(picture, pose)]
        if not all(laid):
            return self._find_nothing(said("cards.apart"))
        found = [heap for some in laid for heap in some]
        cards = [read(reading.compare_names(heap, self._deck)) for heap in found]
        unsure = [number for number, card in enumerate(cards) if not card.sure]
        self._note_doubt(name_card(cards[number].name) for number in unsure)

        def weigh_against(layout: Cards) -> float:
            return SURE * measure_unlike_market(cards, layout)

        layouts = list(dict.fromkeys(_list_markets(cards)))
        return self._judge(layouts, weigh_against, unsure, lambda number: found[number].pixels)


def _list_markets(cards: Sequence[Card]) -> Iterator[Cards]:
    """Yield the possible markets, the likeliest first; at most one card differs from its likeliest kind."""
    names = [card.name for card in cards]
    others = ((cost, at, name) for at, card in enumerate(cards) for name, cost in card.costs.items())
    for _, at, name in [(0.0, 0, names[0]), *sorted(others)] if cards else []:
        yield tuple(sorted((*names[:at], name, *names[at + 1 :]), key=KINDS.index))
    if not cards:
        yield ()


def measure_unlike_market(cards: Sequence[Card], layout: Cards) -> float:
    """Return the least lack of likeness of cards to a market, compared with their likeliest kinds."""
    missing = dict.fromkeys(layout, towers.ASTRAY)
    return towers.find_cheapest_pairing(
        [card.costs for card in cards], [towers.ASTRAY] * len(cards), missing, layout
    )


def open_reader(mount: Mount, source: PictureSource, frame: PictureFrame) -> CardReader:
    """Return the reader for a camera; a simulated table's cards are known.

    Raises :class:`.LearntError` without a calibration, or without a taught deck.
    """
    lens, name = lens_of(mount, source, frame), mount.field
    if mount.simulated:
        from device.sensors.readers import paintings  # noqa: PLC0415 – real tables never need it

        table = load_table(mount.simulated)
        deck, area_mm, taken = paintings.deck_of(table.seed), table.area_mm, None
    else:
        known = teaching.Taught.load(mount.state_dir, mount.camera)
        if known is None:
            raise LearntError("cards.unknown")
        deck, area_mm, taken = known.deck, known.area_mm, known.taken
    field = teaching.field_of(name, area_mm)
    if name in AREAS:
        return AreaReader(lens, deck, field, AREAS.index(name), taken)
    return MarketReader(lens, deck, field, taken, MarketSight.NAME)
