"""The place of a region in the field before a seat; the field fits the widest region."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby, product
from typing import Final

import msgspec
import numpy as np

from device.sensors.readers import FIELDS
from device.sensors.sources import Picture
from device.texts import Said, said
from engines.castles_of_tuscany.kinds import KINDS
from engines.castles_of_tuscany.regions import BOARDS, HEXES, board, region, seams, widest
from vision.field import Field
from vision.lens import Floats, Lens
from vision.plane import flatten
from vision.pose import Pose
from vision.tuscany import lying
from vision.tuscany.lying import Lie

MARGIN_MM: Final = 30.0
"""The distance from a field's edge to the middles of the outermost hexes of the widest region."""
SLOP_MM: Final = 20.0
"""The distance beyond its room within which a region is looked for."""
USUAL: Final = (5, 5)
"""The rows of every known board."""
WAYS: Final = (("left", "right"), ("near", "far"))
"""Words for the west and east, and the south and north, of a field, as people at the table say them."""


class RegionGround(msgspec.Struct, frozen=True, eq=False):
    """A region's ``field``, and the ``boards`` in its middle: for each the middles of its hexes, (10, 2) mm
    east and south of the north-west corner. ``corner_mm`` is the distance from a hex's middle to its corners.
    """

    field: Field
    boards: Floats
    corner_mm: float

    @property
    def middles(self) -> Floats:
        """The middles of the hexes in the field's coordinates, (30, 2) mm east and north."""
        return self.place_hexes(np.zeros((len(self.boards), 2)))

    @property
    def turned(self) -> RegionGround:
        """The same region turned by half; its hexes keep their order."""
        whole = self.boards.reshape(-1, 2)
        return msgspec.structs.replace(self, boards=whole.min(axis=0) + whole.max(axis=0) - self.boards)

    def place_hexes(self, moved: Floats) -> Floats:
        """Return the hexes' middles in the field's coordinates, for boards ``moved`` east and north."""
        return self.turn_south((self.boards + (moved * (1, -1))[:, None]).reshape(-1, 2))

    def turn_south(self, middles: Floats) -> Floats:
        """Convert places in the field's coordinates to mm east and south of its north-west
        corner, or back.
        """
        return np.column_stack([middles[:, 0], self.field.height_mm - middles[:, 1]])

    def flatten(self, picture: Picture, lens: Lens, pose: Pose) -> Picture:
        """Return the field as seen from straight above."""
        return flatten(picture, lens, pose, self.field, lying.PX_MM, lying.AROUND_MM)

    def find_lie(self, flat: Picture) -> Lie:
        """Return the lie of the boards in a field seen from above."""
        whole = self.boards.reshape(-1, 2)
        room = np.minimum(whole.min(axis=0), (self.field.width_mm, self.field.height_mm) - whole.max(axis=0))
        east, south = np.maximum(room - MARGIN_MM, 0) + SLOP_MM
        return lying.find(flat, list(self.boards), self.corner_mm, (float(east), float(south)))


def ground_of(spots: Sequence[tuple[int, int]], pitch_mm: float, name: str) -> RegionGround:
    """Return the ground for hexes of ``pitch_mm`` from flat side to flat side.

    ``spots`` are their places, board by board: row, and half hexes from the left.
    """
    rows = [len([*some]) for _, some in groupby(row for row, _ in spots)]
    corner = pitch_mm / math.sqrt(3)
    places = np.array(spots, dtype=np.float64)[:, ::-1] * (pitch_mm / 2, 1.5 * corner) + MARGIN_MM
    wide = (widest(tuple(rows[: len(rows) // BOARDS])) - 2) * pitch_mm / 2
    field = Field(wide + 2 * MARGIN_MM, float(places[:, 1].max()) + MARGIN_MM, *FIELDS[name])
    places[:, 0] += (field.width_mm - MARGIN_MM - places[:, 0].max()) / 2
    return RegionGround(field, places.reshape(BOARDS, -1, 2), corner)


def list_usual_grounds(pitch_mm: float, name: str) -> list[RegionGround]:
    """Return the grounds of three usual boards, with every choice of seams between them."""
    blank, outline = (KINDS[0] * HEXES,) * BOARDS, (USUAL,) * BOARDS
    ways = product(seams(USUAL), repeat=BOARDS - 1)
    return [ground_of(region(blank, way, outline).spots, pitch_mm, name) for way in ways]


def find_slip(lie: Lie, names: Sequence[str]) -> Said | None:
    """Return a trouble of boards of these ``names``, in words; None if they lie together."""
    if lie.covered:
        return said("regions.hidden", boards=tuple(board(names[number]) for number in lie.covered))
    if lie.slipped is None:
        return None
    apart = lie.apart[lie.slipped]
    axis = int(np.abs(apart).argmax())
    way, mm = WAYS[axis][int(apart[axis] > 0)], round(abs(float(apart[axis])))
    return said(f"regions.slipped.{way}", board=board(names[lie.slipped]), mm=mm)
