"""Enrolling a copy's own colours: one piece of each on the printed strip, and a picture of it.

A box needs this once for each camera and copy; otherwise it uses the shipped looks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.field import Field, FieldSight
from vision.lens import Floats, Lens, Picture
from vision.tray.paint import Paint
from vision.tray.prior import COLOURS
from vision.tray.prism import Keshi
from vision.tray.reading import look, piece_chance

NEAR_MM = 7.0
"""The largest distance of a piece from the middle of its slot."""
SURELY = 0.8
"""The least chance of a piece that is enrolled."""


def on_strip(
    picture: Picture,
    lens: Lens,
    field: Field,
    sight: FieldSight,
    keshi: Keshi,
    slots_mm: Floats,
    colours: Sequence[str] = COLOURS,
) -> dict[str, Paint]:
    """Return the paints of the pieces in the slots, by colour; slots without a piece are left out.

    ``slots_mm`` are the slots' middles, (N, 2) mm of the strip's ``field``, one for each of ``colours``.
    Raises ValueError if the strip's markers do not give its place.
    """
    if sight.pose is None:
        raise ValueError("the strip is not in view")
    looked = look(picture, lens, field, sight, sight.pose, keshi)
    found: dict[str, Paint] = {}
    # The surest come first.
    for thing, paint in zip(looked.things, looked.paints(), strict=True):
        far = np.hypot(*(slots_mm - [thing.place.x_mm, thing.place.y_mm]).T)
        slot = int(far.argmin())
        if far[slot] <= NEAR_MM and piece_chance(thing) >= SURELY:
            found.setdefault(colours[slot], paint)
    return found
