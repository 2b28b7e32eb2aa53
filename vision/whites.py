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
    rows = [row for marker in sight.markers for row in _sides(picture, marker.array)]
    return Whites(*(np.array([row[i] for row in rows]).reshape(-1, 3 if i else 2) for i in range(3)))


def _sides(picture: Picture, corners: Floats) -> list[tuple[Floats, Floats, Floats]]:
    rows, cell = [], np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean() / CELLS
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = end - start
        outward = np.array([along[1], -along[0]]) / np.linalg.norm(along) * cell * RIM
        line = start + ALONG[:, None] * along
        if _inside(picture, line + outward) and _inside(picture, line - outward):
            white, black = (_median(picture, line + sign * outward) for sign in (1, -1))
            rows.append(((start + end) / 2, white, black))
    return rows


def _inside(picture: Picture, points: Floats) -> bool:
    return bool((points >= 0).all() and (points <= [picture.shape[1] - 1, picture.shape[0] - 1]).all())


def _median(picture: Picture, points: Floats) -> Floats:
    x, y = (np.ascontiguousarray(points[:, axis], dtype=np.float32) for axis in (0, 1))
    colours = np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR), dtype=np.float64).reshape(-1, 3)
    return np.asarray(np.median(colours, axis=0), dtype=np.float64)
