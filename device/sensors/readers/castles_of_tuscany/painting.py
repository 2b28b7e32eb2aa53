"""The region before a seat, and the display, on a simulated table."""

from __future__ import annotations

import math

import msgspec

from device.sensors.readers.castles_of_tuscany import display
from device.sensors.readers.castles_of_tuscany.ground import ground_of, level
from device.sensors.sources import Picture, SimulatedTable
from engines.castles_of_tuscany.kinds import KINDS
from vision import painter, sheets
from vision.field import Field
from vision.plane import Light
from vision.tuscany.painter import PaintedHex, TilesScene
from vision.tuscany.painter import painted as paint


class Seat(msgspec.Struct, frozen=True):
    """Paints the region of the field of one ``name``."""

    name: str

    def field(self, table: SimulatedTable) -> Field:
        """Return the field, as large as the region there; an empty one where no region lies."""
        spots = [(row, column) for row, column, _, _ in table.hexes.get(self.name, ())]
        ground = ground_of(spots, table.cell_mm, self.name) if spots else level(table.cell_mm, self.name)[0]
        return ground.field

    def painted(self, table: SimulatedTable, view: painter.PaintedView) -> Picture:
        """Return the region with what lies there."""
        laid = table.hexes.get(self.name, ())
        if not laid:
            return painter.empty(view, painter.TABLE)
        there = ground_of([(row, column) for row, column, _, _ in laid], table.cell_mm, self.name)
        hexes = [
            PaintedHex(float(x), float(y), printed, placed)
            for (x, y), (_, _, printed, placed) in zip(there.middles, laid, strict=True)
        ]
        return paint(view, hexes, there.corner_mm, TilesScene(table.seed, table.seed, Light(seed=table.seed)))


class DisplayPainter:
    """Paints the display: tiles in two rows of four."""

    def field(self, table: SimulatedTable) -> Field | None:
        """Return the field, where there is a display on the table; it follows from the size of a hex."""
        return display.field_of(table.cell_mm) if display.NAME in table.hexes else None

    def painted(self, table: SimulatedTable, view: painter.PaintedView) -> Picture:
        """Return the tiles by row and column, of the kind that is placed there."""
        pitch, field = table.cell_mm, view.field
        hexes = [
            PaintedHex((2 * column + 1) * pitch, field.height_mm - (2 * row + 1) * pitch, "", kind)
            for row, column, _, kind in table.hexes[display.NAME]
        ]
        scene = TilesScene(table.seed, table.seed, Light(seed=table.seed))
        return paint(view, hexes, pitch / math.sqrt(3), scene)


DISPLAY = DisplayPainter()
REGION1, REGION2, REGION3, REGION4 = Seat("region1"), Seat("region2"), Seat("region3"), Seat("region4")


class SheetPainter:
    """Paints the sheet with a tile of each kind and a wild hex, of hexes as large as the table has them."""

    def field(self, _table: SimulatedTable) -> Field:
        """Return the sheet's field."""
        return sheets.TILES

    def painted(self, table: SimulatedTable, view: painter.PaintedView) -> Picture:
        """Return the sheet with what lies on it."""
        kinds = zip(sheets.tile_slots().tolist(), (*KINDS, "wild"), strict=True)
        hexes = [PaintedHex(x, y, kind, "wild" if kind == "wild" else "tile") for (x, y), kind in kinds]
        corner = table.cell_mm / math.sqrt(3)
        return paint(view, hexes, corner, TilesScene(table.seed, table.seed, Light(seed=table.seed)))


TILES = SheetPainter()
"""The sheet on which tiles are enrolled."""
