"""The cube tower's tray on a simulated table."""

from __future__ import annotations

import msgspec

from device.sensors.readers.tray import reader
from device.sensors.sources import Picture, SimulatedTable
from engines.marrakesh.keshis import COLOURS
from vision import painter, sheets
from vision.field import Field

PAPER = (205, 205, 205)
"""The strip is printed on paper."""


def field(_table: SimulatedTable) -> Field:
    """Return the field; the tray has one size."""
    return reader.TRAY


def painted(table: SimulatedTable, view: painter.PaintedView) -> Picture:
    """Paint the tray with what lies on it."""
    keshis = [painter.PaintedKeshi(x, y, colour, turn) for colour, x, y, turn in table.keshis]
    return painter.tray(view, keshis, table.keshi_mm)


class Strip(msgspec.Struct, frozen=True):
    """Paints the printed strip with a keshi of each colour in its slot."""

    def field(self, _table: SimulatedTable) -> Field:
        """Return the strip."""
        return sheets.STRIP

    def painted(self, table: SimulatedTable, view: painter.PaintedView) -> Picture:
        """Return the strip with its keshis."""
        places = zip(sheets.slots().tolist(), COLOURS, strict=True)
        keshis = [painter.PaintedKeshi(x, y, colour, 7.0 * x) for (x, y), colour in places]
        return painter.tray(view, keshis, table.keshi_mm, PAPER)


STRIP = Strip()
