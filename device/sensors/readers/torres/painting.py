"""A Torres board on a simulated table."""

from __future__ import annotations

import msgspec

from device.sensors.readers.torres.board import field_of
from device.sensors.sources import CameraFault, Picture, SimulatedTable
from engines.torres.cells import NUMBERS
from vision import painter
from vision.field import Field
from vision.torres.shapes import Colour, Coloured, CopySizes

LEVELS = "0123456789ABC"


def field(table: SimulatedTable) -> Field:
    """Return the field, by the table's sizes."""
    return field_of(table.cell_mm)


def painted(table: SimulatedTable, view: painter.PaintedView) -> Picture:
    """Paint the board, or one that is smaller than the match has it."""
    copy = CopySizes(table.cell_mm, table.block_mm)
    if CameraFault.SMALLER in table.faults:
        copy = CopySizes(
            0.8 * copy.cell_mm, (0.8 * copy.block_mm[0], 0.8 * copy.block_mm[1], copy.block_mm[2])
        )
    return painter.board(view, coloured(table), copy)


def coloured(table: SimulatedTable) -> Coloured:
    """Return what stands on the board."""
    pieces = sorted((NUMBERS[cell], colour) for cell, colour in table.pieces.items())
    heights = bytes(LEVELS.index(mark) for mark in table.heights)
    return Coloured(heights, msgspec.convert(pieces, tuple[tuple[int, Colour], ...]))
