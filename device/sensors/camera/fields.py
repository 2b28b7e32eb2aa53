"""The fields on the table, by the standard that the marker sheets are printed to (hardware/README.md)."""

from __future__ import annotations

from typing import Final

from engines.torres.cells import SIDE
from vision.field import Field

TRAY: Final = Field(180.0, 140.0, 4, 12.0)
"""The cube tower's walled tray."""


def board(cell_mm: float) -> Field:
    """A Torres board whose spaces are so wide."""
    side = SIDE * cell_mm
    return Field(side, side, 0, 4.0)
