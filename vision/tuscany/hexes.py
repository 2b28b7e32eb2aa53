"""Hexes cut out of a picture as seen from straight above, and their looks.

A hex has a ground of one colour and on it a pictogram, darker or lighter. Light changes the colour of the
ground, but neither the pictogram's look nor its strength.
"""

from __future__ import annotations

from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats, Lens, Picture
from vision.pose import Pose

SIDE: Final = 40
"""The width and height in px of a cut-out hex."""
REACH: Final = 0.76
"""The reach of a cut-out, in parts of the distance to a corner: neither rim nor neighbours show."""
SLIP: Final = 3
"""The largest offset of a pictogram in px, as a tile laid by hand has it."""

_AXIS = np.linspace(-1.0, 1.0, SIDE)
_FAR = np.hypot(*np.meshgrid(_AXIS, _AXIS))
_INNER = _FAR < 0.62
_DARKEST, _GROUND = 4.0, 60.0
"""Percentiles of the grey of a hex: its pictogram, and its ground."""


Greys = NDArray[np.float32]
"""A hex's grey picture, (SIDE, SIDE)."""


class HexLook(msgspec.Struct, frozen=True, eq=False):
    """The look of a hex: its ``grey`` picture, ``contrast``, by which the pictogram is darker than the ground
    (0 to 1), and the ``colour`` of the ground, (3,), as logarithms of blue, green and red.
    """

    grey: Greys
    contrast: float
    colour: Floats


def looks(picture: Picture, lens: Lens, pose: Pose, middles_mm: Floats, corner_mm: float) -> list[HexLook]:
    """Return the looks of hexes around ``middles_mm``, (N, 2) in the field's coordinates, with corners at a
    distance of ``corner_mm``.
    """
    return [look_of(patch) for patch in cut(picture, lens, pose, middles_mm, corner_mm)]


def cut(
    picture: Picture, lens: Lens, pose: Pose, middles_mm: Floats, corner_mm: float
) -> NDArray[np.float32]:
    """Return hexes cut out of a picture, (N, SIDE, SIDE, 3), the field's north up."""
    east, south = np.meshgrid(_AXIS * REACH * corner_mm, _AXIS * REACH * corner_mm)
    places = np.stack([east, -south], axis=-1) + middles_mm[:, None, None, :]
    flat = np.concatenate([places.reshape(-1, 2), np.zeros((places.size // 2, 1))], axis=1)
    at = pose.project(lens, flat).astype(np.float32).reshape(-1, SIDE, 2)
    found = cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR).astype(np.float32)
    return found.reshape(-1, SIDE, SIDE, 3)


def look_of(cut_out: NDArray[Any]) -> HexLook:
    """Return the look of a hex that :func:`cut` has cut out, (SIDE, SIDE, 3)."""
    patch = np.asarray(cut_out, dtype=np.float32)
    grey = np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), dtype=np.float32)
    inner = grey[_INNER]
    dark, ground = np.percentile(inner, (_DARKEST, _GROUND))
    light = patch[_INNER & (grey >= ground - 0.02 * ground)]
    colour = np.log(np.maximum(np.median(light, axis=0), 1.0))
    return HexLook(grey, float(1 - dark / max(ground, 1.0)), np.asarray(colour, dtype=np.float64))


def likeness(look: HexLook, known: Greys) -> float:
    """Return the likeness of a hex and a ``known`` grey picture, -1 to 1, in any light and contrast."""
    core = np.ascontiguousarray(known[SLIP:-SLIP, SLIP:-SLIP])
    return float(cv2.matchTemplate(look.grey, core, cv2.TM_CCOEFF_NORMED).max())
