"""Advice on how a camera should stand over a field, and which towers look alike from there.

From straight above no sides of towers are seen, from too flat towers hide what is behind them; along a
board's axis a block more looks like a step to the next cell. The standard is 50 to 68°, turned 15 to 30°.

A block more moves a tower's top in the picture as a step to another cell does. Where the two fall together,
tops of different heights on different cells coincide; turning the camera off the board's axes parts them.

Some tops coincide from everywhere: of the 384 of 8 by 8 cells with up to 5 blocks the nearest two are 0.00
to 0.11 cells apart at every elevation from 52 to 68° and every turn from 0 to 45°. So a single pair is no
reason to move a mast; what counts is how many there are among those that one turn could take for each other,
one or two blocks apart. Along an axis up to 39 % of the tops have such a twin, turned by 22 to 30° at most
14 % (blocks of a half to three quarters of a cell).
"""

from __future__ import annotations

import math
from enum import Enum

import msgspec
import numpy as np

from vision.field import Field
from vision.lens import Lens
from vision.pose import Pose, slide

NEAR_CELLS = 0.25
"""Tops that are nearer to each other than this many cells cannot be told apart by their place."""

STEPS = 2
"""By how many blocks two towers differ at most that could be taken for each other."""

MANY = 0.2
"""What share of tops may have a twin."""

LEAST_STEP_PX = 6.0
"""By how much a block should move a top in the picture at least to be seen well."""


class MastFault(Enum):
    """A fault of a camera's stand."""

    STEEP = "steep"
    FLAT = "flat"
    STRAIGHT = "straight"
    ASIDE = "aside"


class Mast(msgspec.Struct, frozen=True):
    """The ``elevation`` above the table and the turn ``off`` the south, least and most in degrees, at which a
    camera should stand, seen from the middle of the field.
    """

    elevation: tuple[float, float]
    off: tuple[float, float]


BOARD = Mast((50.0, 68.0), (15.0, 30.0))
"""For boards on which things stand."""

TRAY = Mast((70.0, 90.0), (0.0, 180.0))
"""For what lies flat between walls."""


class Advice(msgspec.Struct, frozen=True):
    """One thing to change: what is wrong, how many degrees it is, and how many it should be."""

    stand: MastFault
    degrees: float
    least: float
    most: float


def stands(pose: Pose, field: Field) -> tuple[float, float]:
    """Return the elevation above the field's middle and the turn off due south, to the east positive, in
    degrees.
    """
    x, y, z = pose.camera_mm - np.array([*field.middle, 0.0])
    return math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(x, -y))


def advice(pose: Pose, field: Field, mast: Mast = BOARD) -> tuple[Advice, ...]:
    """Return the faults of a camera's stand; none where it stands well."""
    elevation, azimuth = stands(pose, field)
    off = abs(azimuth)
    wrong = [
        (MastFault.STEEP, elevation > mast.elevation[1], elevation, mast.elevation),
        (MastFault.FLAT, elevation < mast.elevation[0], elevation, mast.elevation),
        (MastFault.STRAIGHT, off < mast.off[0], off, mast.off),
        (MastFault.ASIDE, off > mast.off[1], off, mast.off),
    ]
    return tuple(Advice(stand, degrees, *span) for stand, is_so, degrees, span in wrong if is_so)


class Grid(msgspec.Struct, frozen=True):
    """Square cells of ``cell_mm``, ``columns`` from the west by ``rows`` from the north, filling a field; on
    them towers of up to ``levels`` blocks, ``block_mm`` high.
    """

    columns: int
    rows: int
    cell_mm: float
    block_mm: float
    levels: int = 5


class Aliasing(msgspec.Struct, frozen=True):
    """The ``share`` of tops that have a twin, a higher top on another cell seen at nearly the same place, of
    all that could; and by how many px a block moves a top where it moves it least.
    """

    share: float
    step_px: float

    @property
    def bad(self) -> bool:
        """Return True if the camera should be moved."""
        return self.share > MANY or self.step_px < LEAST_STEP_PX


def aliasing(pose: Pose, lens: Lens, grid: Grid) -> Aliasing:
    """Measure how well towers can be told apart from a pose.

    A cell is as wide as the square root of its area in the picture, at the two tops on average. Pairs of
    which the higher hides the lower count too: that one of the two stands there is what has to be told.
    """
    heights, rows, columns = np.indices((grid.levels + 1, grid.rows, grid.columns)).reshape(3, -1)
    middles = (columns + 0.5) * grid.cell_mm, (grid.rows - rows - 0.5) * grid.cell_mm
    points = np.column_stack([*middles, heights * grid.block_mm])
    pixels, slopes = pose.project(lens, points), slide(lens, points, pose)
    cell = grid.cell_mm * np.sqrt(np.abs(np.linalg.det(slopes[:, :, :2])))
    apart = np.linalg.norm(pixels[:, None] - pixels[None], axis=2) / ((cell[:, None] + cell[None]) / 2)
    more = heights[None] - heights[:, None]
    places = np.arange(len(points)) % (grid.columns * grid.rows)
    alike = (apart < NEAR_CELLS) & (more > 0) & (more <= STEPS) & (places[:, None] != places[None])
    share = alike.any(axis=1)[heights < grid.levels].mean()
    step = grid.block_mm * np.linalg.norm(slopes[:, :, 2], axis=1).min()
    return Aliasing(float(share), float(step))
