"""Advice on a camera's stand over a field, and a measure of towers that look alike from there.

From straight above no sides of towers are visible; from too low, towers hide things behind them; along a
board's axis one more block looks like a step to the next cell. The standard is 50 to 68°, turned 15 to 30°.

One more block moves a tower's top in the picture as a step to another cell does. If the two moves are the
same, tops of different heights on different cells coincide; turning the camera off the board's axes separates
them.

Some tops coincide from everywhere: of the 384 of 8 by 8 cells with up to 5 blocks the nearest two are 0.00 to
0.11 cells apart at every elevation from 52 to 68° and every turn from 0 to 45°. So a single pair is no reason
to move a mast. What counts is the number of pairs among tops one or two blocks apart, which one turn could
confuse. Along an axis up to 39 % of the tops have such a twin, turned by 22 to 30° at most 14 % (blocks of a
half to three quarters of a cell).
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
"""Tops nearer to each other than this, in cells, cannot be told apart by their place."""

STEPS = 2
"""The most blocks by which two confusable towers differ."""

MANY = 0.2
"""The largest acceptable share of tops with a twin."""

LEAST_STEP_PX = 6.0
"""The least move of a top in the picture by one block for a good view."""


class MastFault(Enum):
    """A fault of a camera's stand."""

    STEEP = "steep"
    FLAT = "flat"
    STRAIGHT = "straight"
    ASIDE = "aside"


ELEVATION, OFF = (50.0, 68.0), (15.0, 30.0)
"""A good stand for boards with pieces that stand up: the elevation above the table and the turn off the
south, least and most in degrees, measured at the middle of the field.
"""


class Advice(msgspec.Struct, frozen=True):
    """A piece of advice: the fault, the angle in degrees, and the least and most that it should be."""

    stand: MastFault
    degrees: float
    least: float
    most: float


def stands(pose: Pose, field: Field) -> tuple[float, float]:
    """Return the elevation above the field's middle and the turn off due south, positive to the east, in
    degrees.
    """
    x, y, z = pose.camera_mm - np.array([*field.middle, 0.0])
    return math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(x, -y))


def advice(pose: Pose, field: Field) -> tuple[Advice, ...]:
    """Return the faults of a camera's stand; none for a good one."""
    elevation, azimuth = stands(pose, field)
    off = abs(azimuth)
    wrong = [
        (MastFault.STEEP, elevation > ELEVATION[1], elevation, ELEVATION),
        (MastFault.FLAT, elevation < ELEVATION[0], elevation, ELEVATION),
        (MastFault.STRAIGHT, off < OFF[0], off, OFF),
        (MastFault.ASIDE, off > OFF[1], off, OFF),
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
    """The ``share`` of tops with a twin (a higher top on another cell seen at nearly the same place) among
    all that could have one, and ``step_px``, the smallest move of any top by one block.
    """

    share: float
    step_px: float

    @property
    def bad(self) -> bool:
        """True if the camera should be moved."""
        return self.share > MANY or self.step_px < LEAST_STEP_PX


def aliasing(pose: Pose, lens: Lens, grid: Grid) -> Aliasing:
    """Measure how well towers can be told apart from a pose.

    A cell's width is the square root of its area in the picture, averaged over the two tops. Pairs whose
    higher top hides the lower one also count: a reader has to tell which of the two stands there.
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
