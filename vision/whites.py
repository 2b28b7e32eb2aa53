"""Paper and ink of the markers: a reference for light and colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import cv2
import msgspec
import numpy as np

from vision.lens import Floats, Picture
from vision.markers import CELLS, Marker

RIM = 0.55
"""How far outside a marker its white rim is looked at, and inside its black border, in cells.

The rim is one cell wide on our sheets, the border too; the middle is safest from blur and from the cut.
"""

ALONG = np.linspace(0.05, 0.95, 19)
"""Where along a side; the parts of a side are looked at together, so that a speck on one does not count."""


class Whites(msgspec.Struct, frozen=True):
    """Paper and ink side by side: (N, 2) px where, (N, 3) what the white, (N, 3) what the black shows there.

    One row for each side of each marker, in the picture's order of colours and range (0 to 255).
    """

    pixels: Floats
    white: Floats
    black: Floats


class Sighted(Protocol):
    """A sight of a field that has markers."""

    @property
    def markers(self) -> Sequence[Marker]:
        """Return the markers in view."""
        ...


def whites(picture: Picture, sight: Sighted) -> Whites:
    """Find the white rims and the black borders of the markers a pose stands on.

    A side that lies partly outside the picture is left out: there may be no row at all.
    """
    start = np.array([marker.array for marker in sight.markers]).reshape(-1, 4, 2)
    along = np.roll(start, -1, axis=1) - start
    long = np.linalg.norm(along, axis=2, keepdims=True)
    outward = np.stack([along[..., 1], -along[..., 0]], axis=2) / long * long.mean(axis=1, keepdims=True)
    # Of each side of each marker a line along the rim, and one along the border.
    lines = (start[..., None, :] + ALONG[:, None] * along[..., None, :]).reshape(-1, 1, len(ALONG), 2)
    lines = lines + (RIM / CELLS * outward).reshape(-1, 1, 1, 2) * np.array([1.0, -1.0]).reshape(1, 2, 1, 1)
    last = picture.shape[1] - 1, picture.shape[0] - 1
    inside = ((lines >= 0) & (lines <= last)).all(axis=(1, 2, 3))
    lines = lines[inside]
    if not len(lines):
        return Whites(np.empty((0, 2)), np.empty((0, 3)), np.empty((0, 3)))
    x, y = cv2.split(lines.reshape(-1, 1, 2).astype(np.float32))
    shown = np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR)).reshape(-1, 2, len(ALONG), 3)
    colours = np.median(shown, axis=2)
    return Whites((start + along / 2).reshape(-1, 2)[inside], colours[:, 0], colours[:, 1])
