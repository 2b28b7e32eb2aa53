"""Enrolling a copy's own colours: one piece of each on the printed strip, and a picture of it.

A box needs this once for each camera and copy; otherwise it uses the shipped looks.
"""

from __future__ import annotations

import numpy as np

from vision.field import FieldSight
from vision.lens import Lens, Picture
from vision.pose import Pose
from vision.sheets import SlotField
from vision.tray.paint import Paint
from vision.tray.prior import COLOURS
from vision.tray.prism import Keshi
from vision.tray.reading import look, piece_chance

NEAR_MM = 7.0
"""The largest distance of a piece from the middle of its slot."""
SURELY = 0.8
"""The least chance of a piece that is enrolled."""


def on_strip(
    picture: Picture, lens: Lens, strip: SlotField, sight: FieldSight, pose: Pose, keshi: Keshi
) -> dict[str, Paint]:
    """Return the paints of the pieces in the strip's slots, by colour; slots without a piece are left out."""
    looked = look(picture, lens, strip, sight, pose, keshi)
    found: dict[str, Paint] = {}
    # The surest come first.
    for thing, paint in zip(looked.things, looked.paints(), strict=True):
        far = np.hypot(*(strip.slots - [thing.place.x_mm, thing.place.y_mm]).T)
        slot = int(far.argmin())
        if far[slot] <= NEAR_MM and piece_chance(thing) >= SURELY:
            found.setdefault(COLOURS[slot], paint)
    return found
