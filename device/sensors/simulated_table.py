"""A simulated table, as a file: a simulated camera looks at it, a simulated scale weighs it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import msgspec

from device.errors import DeviceError, Exit
from device.files import read_file, replace_file


class CameraFault(StrEnum):
    """A deliberate fault of a simulated picture."""

    UNPLUGGED = "unplugged"
    BLACK = "black"
    SATURATED = "saturated"
    BLURRED = "blurred"
    UPSIDE_DOWN = "upside_down"
    COVERED = "covered"
    HAND = "hand"
    MOVED = "moved"
    NO_MARKERS = "no_markers"
    TWICE = "twice"
    """The same marker twice."""
    FOREIGN = "foreign"
    """Markers of another game."""
    SMALLER = "smaller"
    """A board of another size between the right markers."""
    PICTURE = "picture"
    """A picture of a table, held askew before the camera."""
    FROZEN = "frozen"
    """A camera that hangs and gives no more pictures."""


class ScaleFault(StrEnum):
    """A deliberate fault of the simulated scale."""

    UNPLUGGED = "unplugged"
    """The cell's cable, unplugged."""
    SATURATED = "saturated"
    REVERSED = "reversed"
    LIFTED = "lifted"
    HAND = "hand"
    SHAKEN = "shaken"


class TableError(DeviceError, ValueError):
    """Error raised when a file holds no table: the file, the key and the fault."""

    code = Exit.UNREADABLE


class SimulatedTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pieces on the board, the tray and the fields, and the place of the camera.

    ``heights`` are 64 digits from 0 to 9 and A to C, row by row from the north; ``pieces`` their colours by
    space. ``columns`` are cards by field, from west to east, each from its far end. ``hexes`` by field are
    row, half hexes from the left, the print and the placed tile. ``keshis`` are colour, x and y in mm, angle
    in degrees. Sizes are mm, angles degrees.

    A keshi weighs ``keshi_mg`` with a relative spread of ``keshi_spread``, drawn by ``seed``; the scale reads
    these three only at its start. ``second_faults`` are those of a second camera that looks at the board.
    """

    heights: str = "0" * 64
    pieces: dict[str, str] = {}
    keshis: tuple[tuple[str, float, float, float], ...] = ()
    columns: dict[str, tuple[tuple[str, ...], ...]] = {}
    hexes: dict[str, tuple[tuple[int, int, str, str], ...]] = {}
    cell_mm: float = 28.0
    area_mm: tuple[float, float] = (300.0, 225.0)
    block_mm: tuple[float, float, float] = (26.0, 26.0, 15.0)
    keshi_mm: tuple[float, float] = (11.0, 7.0)
    elevation_deg: float = 60.0
    azimuth_deg: float = 20.0
    distance_mm: float = 480.0
    light: float = 1.0
    faults: frozenset[CameraFault] = frozenset()
    second_faults: frozenset[CameraFault] = frozenset()
    keshi_mg: float = 540.0
    keshi_spread: float = 0.05
    seed: int = 1
    scale_faults: frozenset[ScaleFault] = frozenset()

    def save(self, path: Path) -> None:
        """Write the table to ``path``, whole or not at all."""
        replace_file(path, msgspec.json.encode(self))


def load(path: Path) -> SimulatedTable:
    """Read the table in a file, an empty one if it is missing; raises :class:`TableError` for
    another file.
    """
    try:
        data = read_file(path)
    except FileNotFoundError:
        return SimulatedTable()
    try:
        return msgspec.json.decode(data, type=SimulatedTable)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        why, _, key = str(error).partition(" - at `$")
        key = key.strip("`.")
        raise TableError(f"{path}: {key}: {why}" if key else f"{path}: {why}") from error
