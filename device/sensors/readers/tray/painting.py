"""The cube tower's tray on a simulated table."""

from __future__ import annotations

from device.sensors.readers.tray.reader import TRAY
from device.sensors.sources import Picture, SimulatedTable
from vision import painter
from vision.field import Field


def field(_table: SimulatedTable) -> Field:
    """The field; the tray has one size."""
    return TRAY


def painted(table: SimulatedTable, view: painter.View) -> Picture:
    """The tray with what lies on it."""
    keshis = [painter.Keshi(x, y, colour, turn) for colour, x, y, turn in table.keshis]
    return painter.tray(view, keshis, table.keshi_mm)
