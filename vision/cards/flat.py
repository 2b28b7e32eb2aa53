"""A field seen from straight above, and the heaps on it: parts that do not look like the table around it."""

from __future__ import annotations

from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.field import Field
from vision.lens import Lens, Picture
from vision.plane import flattened
from vision.pose import Pose

PX_MM: Final = 3.0
"""The px per mm of a flattened field: as many as a picture of the standard has."""
MARGIN_MM: Final = 14.0
"""The width shown around a field: its markers lie there, and the table between them."""
SPILL_MM: Final = 4.0
"""The most that a card may lie over the edge of its field."""

_RING_MM = (5.0, 9.0)
"""The band inside the picture's edge that shows the table, in mm; no marker lies there."""
_CORNERS_MM = MARGIN_MM + 30.0
_APART, _LIGHTNESS = 22.0, 0.6
"""The least distance of a card from the table's colour (CIELAB), and the weight of lightness in it, which
shadows change most.
"""
_CLOSE, _OPEN = 9, 15
_LEAST_MM2 = 40.0 * 40.0


class Flat(msgspec.Struct, frozen=True, eq=False):
    """A field from above, ``pixels`` at :data:`PX_MM` with :data:`MARGIN_MM` around, north up."""

    pixels: Picture


class Heap(msgspec.Struct, frozen=True, eq=False):
    """Touching cards: cut out upright as ``pixels`` at :data:`PX_MM`, with :data:`PAD_MM` of table around.

    ``east`` and ``south`` are the mm from the field's north-west corner to its middle, ``width`` and
    ``height`` its size in mm, ``turned`` its turn in degrees.
    """

    pixels: Picture
    east: float
    south: float
    width: float
    height: float
    turned: float


PAD_MM: Final = 3.0


def flatten(picture: Picture, lens: Lens, pose: Pose, field: Field) -> Flat:
    """Return the field seen from above."""
    return Flat(flattened(picture, lens, pose, field, PX_MM, MARGIN_MM))


def single(
    picture: Picture, lens: Lens, pose: Pose, middle_mm: tuple[float, float], size_mm: tuple[float, float]
) -> Heap:
    """Return the surroundings of a place as if one card of that size lay there straight."""
    (x, y), (width, height) = middle_mm, size_mm
    east = np.arange(-width / 2 - PAD_MM, width / 2 + PAD_MM, 1 / PX_MM)
    south = np.arange(-height / 2 - PAD_MM, height / 2 + PAD_MM, 1 / PX_MM)
    columns, rows = np.meshgrid(x + east, y - south)
    places = np.stack([columns.ravel(), rows.ravel(), np.zeros(columns.size)], axis=1)
    at = pose.project(lens, places).astype(np.float32).reshape(*columns.shape, 2)
    pixels = cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    return Heap(np.asarray(pixels, dtype=np.uint8), x, -y, width, height, 0.0)


def heaps(flat: Flat, least_mm2: float = _LEAST_MM2, open_px: int = _OPEN) -> list[Heap]:
    """Return the heaps on the field, from west to east: larger than ``least_mm2`` and nowhere thinner than
    ``open_px``.
    """
    contours, _ = cv2.findContours(_covered(flat, open_px), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = [contour for contour in contours if cv2.contourArea(contour) > least_mm2 * PX_MM**2]
    return sorted((_upright(flat, np.asarray(contour)) for contour in found), key=lambda heap: heap.east)


def _covered(flat: Flat, open_px: int) -> NDArray[np.uint8]:
    """Return a mask of the px that do not look like the table, (rows, columns), 0 or 1."""
    lab = cv2.cvtColor(flat.pixels, cv2.COLOR_BGR2LAB).astype(np.float32)
    apart = (lab - np.median(_ring(lab), axis=0)) * np.array([_LIGHTNESS, 1, 1], np.float32)
    covered = (np.square(apart).sum(axis=2) > _APART**2).astype(np.uint8)
    edge = int((MARGIN_MM - SPILL_MM) * PX_MM)
    covered[:edge] = covered[-edge:] = 0
    covered[:, :edge] = covered[:, -edge:] = 0
    closed = cv2.morphologyEx(covered, cv2.MORPH_CLOSE, np.ones((_CLOSE, _CLOSE), np.uint8))
    # A card may have the table's colour within its border.
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(closed, contours, -1, 1, cv2.FILLED)
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((open_px, open_px), np.uint8)))


def _ring(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the px of the table around the field, (N, 3)."""
    near, far = (int(mm * PX_MM) for mm in _RING_MM)
    corner = int(_CORNERS_MM * PX_MM)
    sides = (
        pixels[near:far, corner:-corner],
        pixels[-far:-near, corner:-corner],
        pixels[corner:-corner, near:far],
        pixels[corner:-corner, -far:-near],
    )
    return np.concatenate([side.reshape(-1, 3) for side in sides])


def _upright(flat: Flat, contour: NDArray[np.int32]) -> Heap:
    (x, y), (width, height), turned = cv2.minAreaRect(contour)
    if abs(turned) > 45:  # versions of OpenCV call different sides the width
        turned, width, height = turned - np.copysign(90, turned), height, width
    pad = PAD_MM * PX_MM
    size = (round(width + 2 * pad), round(height + 2 * pad))
    turn = np.array(cv2.getRotationMatrix2D((x, y), turned, 1.0), dtype=np.float64)
    turn[:, 2] += np.array(size) / 2 - (x, y)
    pixels = np.asarray(cv2.warpAffine(flat.pixels, turn, size, flags=cv2.INTER_LINEAR), dtype=np.uint8)
    return Heap(
        pixels, x / PX_MM - MARGIN_MM, y / PX_MM - MARGIN_MM, width / PX_MM, height / PX_MM, float(turned)
    )
