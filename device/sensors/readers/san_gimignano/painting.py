"""The cards before a seat, and the market's, on a simulated table."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from device.sensors.readers.san_gimignano import decks
from device.sensors.readers.san_gimignano.decks import field_of
from device.sensors.sources import CameraFault, Picture, SimulatedTable
from vision import painter
from vision.cards.deck import Deck
from vision.cards.painter import CardsScene, FannedColumn, slots
from vision.cards.painter import painted as paint
from vision.field import Field
from vision.lens import Lens
from vision.plane import Light

CARD_MM: Final = (57.0, 87.0)
SLOTTED_MM: Final = (300.0, 225.0)
"""The field on which the cards lie that teach a simulated deck."""
LENS: Final = Lens((1280, 960), 1060.0, 1060.0, 640.0, 480.0)
ABOVE_DEG, DISTANCE_MM = 80.0, 420.0
"""By what lens and from where the cards are seen that teach a simulated deck."""
BETWEEN_MM: Final = 14.0
"""How far apart columns lie."""
SOUTH_MM: Final = 20.0
"""How far from the field's far edge a column begins."""


class Laid(msgspec.Struct, frozen=True):
    """Paints the field of one ``name``: columns side by side or, in a ``market``, which need not be on the
    table, single cards in rows.
    """

    name: str
    market: bool = False

    def field(self, table: SimulatedTable) -> Field | None:
        """Return the field; all have one size."""
        there = not self.market or self.name in table.columns
        return field_of(self.name, table.area_mm) if there else None

    def painted(self, table: SimulatedTable, view: painter.PaintedView) -> Picture:
        """Return the cards that lie there, or ones that are smaller than the match has them."""
        laid, pitch, row = table.columns.get(self.name, ()), CARD_MM[0] + BETWEEN_MM, CARD_MM[1] + BETWEEN_MM
        wide = int((table.area_mm[0] - BETWEEN_MM) / pitch) if self.market else len(laid)
        south = BETWEEN_MM if self.market else SOUTH_MM
        columns = [
            FannedColumn(storeys, BETWEEN_MM + at % wide * pitch, south + at // wide * row)
            for at, storeys in enumerate(laid)
        ]
        return paint(view, columns, scene(table, 0.8 if CameraFault.SMALLER in table.faults else 1.0))


class Slots(msgspec.Struct, frozen=True):
    """Paints a seat's field with one card of each kind, in rows of four."""

    def field(self, _table: SimulatedTable) -> Field:
        """Return the field; it has the size of the printed sheet's standard."""
        return field_of(decks.AREAS[0], SLOTTED_MM)

    def painted(self, table: SimulatedTable, view: painter.PaintedView) -> Picture:
        """Return the field with the cards of this table's deck."""
        return slots(view, decks.SLOTS, scene(table))


def scene(table: SimulatedTable, scale: float = 1.0) -> CardsScene:
    """Return how a simulated table's cards look."""
    return CardsScene(
        table.seed, table.seed, Light(seed=table.seed), card_mm=(scale * CARD_MM[0], scale * CARD_MM[1])
    )


def deck_of(table: SimulatedTable) -> Deck:
    """Return the deck that a simulated table's cards teach."""
    return _taught(table.seed)


@lru_cache(maxsize=1)
def _taught(seed: int) -> Deck:
    table = SimulatedTable(seed=seed)
    field = CARDS.field(table)
    view = painter.PaintedView(LENS, painter.looking(field, ABOVE_DEG, 0.0, DISTANCE_MM), field)
    laid = decks.laid_out(CARDS.painted(table, view), view.lens, SLOTTED_MM, CARD_MM)
    return decks.deck_of(laid.heaps, CARD_MM)


AREA1, AREA2, CARDS, MARKET = Laid("area1"), Laid("area2"), Slots(), Laid("market", market=True)
