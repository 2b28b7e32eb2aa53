"""The region before a seat, the display, and the sheet to enrol tiles on, on a simulated table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from device.sensors.readers.castles_of_tuscany import display
from device.sensors.readers.castles_of_tuscany.ground import RegionGround, ground_of, level
from device.sensors.sources import Picture, SimulatedTable
from engines.castles_of_tuscany.kinds import KINDS
from vision import painter, sheets
from vision.field import Field
from vision.plane import Light
from vision.tuscany.painter import PaintedHex, TilesScene
from vision.tuscany.painter import painted as paint


class HexPainting(NamedTuple):
    """Paints hexes, as large as the table has them: which field it is, None where it is not on the table, and
    what lies there; where there is nothing the table is ``bare``.
    """

    field: Callable[[SimulatedTable], Field | None]
    hexes: Callable[[SimulatedTable], Iterator[PaintedHex]]
    bare: bool = False

    def painted(self, table: SimulatedTable, view: painter.PaintedView) -> Picture:
        """Return the field with what lies there."""
        hexes = list(self.hexes(table))
        if self.bare and not hexes:
            return painter.empty(view, painter.TABLE)
        scene = TilesScene(table.seed, table.seed, Light(seed=table.seed))
        return paint(view, hexes, table.cell_mm / math.sqrt(3), scene)


def _ground(name: str, table: SimulatedTable) -> RegionGround:
    """Return where a region lies in a field as large as it needs it; an empty one where there is none."""
    spots = [(row, column) for row, column, _, _ in table.hexes.get(name, ())]
    return ground_of(spots, table.cell_mm, name) if spots else level(table.cell_mm, name)[0]


def _region(name: str, table: SimulatedTable) -> Iterator[PaintedHex]:
    laid = table.hexes.get(name, ())
    for (x, y), (_, _, printed, placed) in zip(_ground(name, table).middles, laid, strict=False):
        yield PaintedHex(float(x), float(y), printed, placed)


def _seat(name: str) -> HexPainting:
    return HexPainting(lambda table: _ground(name, table).field, partial(_region, name), bare=True)


def _display(table: SimulatedTable) -> Iterator[PaintedHex]:
    """Yield tiles by row and column, of the kind that is placed there."""
    pitch, height = table.cell_mm, display.field_of(table.cell_mm).height_mm
    for row, column, _, kind in table.hexes[display.NAME]:
        yield PaintedHex((2 * column + 1) * pitch, height - (2 * row + 1) * pitch, "", kind)


def _sheet(_table: SimulatedTable) -> Iterator[PaintedHex]:
    """Yield a tile of each kind and a wild hex in the slots of the sheet."""
    for (x, y), kind in zip(sheets.tile_slots().tolist(), (*KINDS, "wild"), strict=True):
        yield PaintedHex(x, y, kind, "wild" if kind == "wild" else "tile")


REGION1, REGION2, REGION3, REGION4 = (_seat(f"region{number}") for number in range(1, 5))
DISPLAY = HexPainting(
    lambda table: display.field_of(table.cell_mm) if display.NAME in table.hexes else None, _display
)
TILES = HexPainting(lambda _table: sheets.TILES, _sheet)
