"""Advice on how a camera should stand over a field.

From straight above no sides of towers are seen, from too flat towers hide what is behind them; along a
board's axis a block more looks like a step to the next cell. The standard is 50 to 68°, turned 15 to 30°.
"""

from __future__ import annotations

import math
from enum import Enum

import msgspec
import numpy as np

from vision.field import Field
from vision.pose import Pose


class Stand(Enum):
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

    stand: Stand
    degrees: float
    least: float
    most: float


def stands(pose: Pose, field: Field) -> tuple[float, float]:
    """The elevation above the field's middle and the turn off due south, to the east positive, in degrees."""
    x, y, z = pose.camera_mm - np.array([*field.middle, 0.0])
    return math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(x, -y))


def advice(pose: Pose, field: Field, mast: Mast = BOARD) -> tuple[Advice, ...]:
    """Return the faults of a camera's stand; none where it stands well."""
    elevation, azimuth = stands(pose, field)
    off = abs(azimuth)
    wrong = [
        (Stand.STEEP, elevation > mast.elevation[1], elevation, mast.elevation),
        (Stand.FLAT, elevation < mast.elevation[0], elevation, mast.elevation),
        (Stand.STRAIGHT, off < mast.off[0], off, mast.off),
        (Stand.ASIDE, off > mast.off[1], off, mast.off),
    ]
    return tuple(Advice(stand, degrees, *span) for stand, is_so, degrees, span in wrong if is_so)
