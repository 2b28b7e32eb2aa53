"""The towers before one seat through a camera, as the match sees them: found, read, judged, and told.

One camera sees one seat's field; the other side stays as the match has it. While a column is no tower yet, or
a card is hidden, nothing is told: it is waited for, and the trouble is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

import msgspec

from device.sensors.reader import Mount
from device.sensors.readers import judging, seeing, told
from device.sensors.readers.san_gimignano import decks, painting, towers
from device.sensors.readers.san_gimignano.cards import SURE, CardReader
from device.sensors.readers.san_gimignano.market import MarketReader
from device.sensors.readers.san_gimignano.towers import ColumnsRead, ReadColumn
from device.sensors.readers.shelf import TeachingSeen
from device.sensors.sources import PictureFrame, PictureSource, load_table
from engines.san_gimignano.cards import Tower
from engines.san_gimignano.layouts import Layout
from engines.san_gimignano.state import State
from vision.cards import fan
from vision.cards.deck import Deck
from vision.field import Field
from vision.gate import Mask
from vision.lens import Lens


class AreaReader(CardReader):
    """Reads the towers of one side through one camera."""

    def __init__(
        self, lens: Lens, deck: Deck, field: Field, side: int, taken: TeachingSeen | None = None
    ) -> None:
        """``side`` is the seat before which the ``field`` lies, 0 or 1; nothing is expected yet."""
        super().__init__(lens, deck, field, taken)
        self._side = side

    def read(self, frame: PictureFrame, _touched: Mask | None) -> told.ToldFinding:
        """Read one picture, whatever was touched."""
        assert self._game is not None
        assert self._state is not None
        pose = self._find(frame.picture)
        if pose is None:
            return told.ToldFinding(None, self.troubles)
        laid = self._laid(frame.picture, pose)
        columns = [fan.read(heap, self._deck) for heap in laid]
        readings = towers.read(columns, elsewhere=self._elsewhere(self._state))
        layouts = list(dict.fromkeys(self._layouts(self._state, readings)))
        if not layouts:
            self._doubts = (("cards.no_tower", {"cards": _said(readings)}),)
            return told.ToldFinding(None, self.troubles)

        def weigh(layouts: Sequence[Layout]) -> list[float]:
            return [-SURE * towers.unlike(columns, layout[self._side]) for layout in layouts]

        unsure = [number for number, standing in enumerate(readings.best) if not standing.sure]
        found = judging.judge(self._game, self._state, layouts, weigh, unsure=unsure)
        if unsure:
            cards = "; ".join(_text(readings.best[number]) for number in unsure)
            self._doubts = (("cards.unsure", {"cards": cards}),)
        return told.ToldFinding(found, self.troubles, laid[unsure[0]].pixels if unsure else None)

    # The parts of a reading

    def _elsewhere(self, state: State) -> int:
        """Return the cards of the other side's towers, and of this side's that were flipped."""
        flipped = [tower for tower in state.towers[self._side] if tower.complete]
        return sum(tower.bag for tower in (*state.towers[1 - self._side], *flipped))

    def _layouts(self, state: State, readings: ColumnsRead) -> Iterator[Layout]:
        """Return what both sides may look like, the likeliest first."""
        flipped = Counter(msgspec.structs.replace(tower, complete=True) for tower in state.towers[self._side])
        for combined in readings.likely[: judging.MOST]:
            ways = [self._ways(flipped, storeys) for storeys in combined]
            for chosen in product(*ways):
                if not Counter(tower for tower in chosen if tower.complete) <= flipped:
                    continue
                ours = tuple(sorted(chosen))
                yield (ours, state.towers[1]) if self._side == 0 else (state.towers[0], ours)

    def _ways(self, flipped: Counter[Tower], storeys: tuple[str, ...] | int) -> tuple[Tower, ...]:
        """Return the towers that a column may be; one face down is one of those as high that stood there."""
        if not isinstance(storeys, int):
            return ReadColumn(storeys, sure=True).towers
        return tuple(tower for tower in flipped if tower.height == storeys)


def open_reader(mount: Mount, source: PictureSource, frame: PictureFrame) -> CardReader:
    """Return the reader for a camera; raises :class:`.LensError` without a calibration, :class:`.DeckError`
    where no deck was taught. A simulated table's cards are known.
    """
    lens, name = seeing.lens_of(mount, source, frame), mount.field
    if mount.simulated:
        table = load_table(mount.simulated)
        deck, area_mm, taken = painting.deck_of(table), table.area_mm, None
    else:
        known = decks.load(mount.state_dir, mount.camera)
        deck, area_mm, taken = known.deck, known.area_mm, known.taken
    field = decks.field_of(name, area_mm)
    if name in decks.AREAS:
        return AreaReader(lens, deck, field, decks.AREAS.index(name), taken)
    return MarketReader(lens, deck, field, taken)


def _said(readings: ColumnsRead) -> str:
    """Return the columns that are no tower, as people call their cards."""
    return "; ".join(_text(standing) for standing in readings.best if not standing.towers)


def _text(standing: ReadColumn) -> str:
    storeys = standing.storeys
    return f"{storeys} face down" if isinstance(storeys, int) else " ".join(storeys)
