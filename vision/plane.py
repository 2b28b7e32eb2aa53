"""Flat things on a table in a camera's view: the table seen from above, the heaps on it, and the flaws of
pieces laid out for learning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.field import Field
from vision.lens import Lens, Picture
from vision.pose import Pose

FAR = 12
"""The distance in px of computed places in a plane seen from above; those in between are interpolated."""

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

PAD_MM: Final = 3.0
"""The width of table shown around a heap."""


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


def flatten(
    picture: Picture, lens: Lens, pose: Pose, field: Field, px_mm: float, margin_mm: float
) -> Picture:
    """Return a field seen from straight above, with ``margin_mm`` around, ``px_mm`` px per mm, north up."""
    wide, high = (int((mm + 2 * margin_mm) * px_mm) for mm in (field.width_mm, field.height_mm))
    # Lenses bend little over a dozen px: every such point is projected, the others are interpolated.
    columns, rows = np.meshgrid(np.arange(0, wide + FAR, FAR), np.arange(0, high + FAR, FAR))
    east, south = columns / px_mm - margin_mm, rows / px_mm - margin_mm
    places = np.stack([east.ravel(), field.height_mm - south.ravel(), np.zeros(east.size)], axis=1)
    at = pose.project(lens, places).astype(np.float32).reshape(*east.shape, 2)
    return warp(picture, at, FAR, (wide, high), cv2.INTER_LINEAR, (0, 0, 0))


def warp(
    picture: Picture,
    at: NDArray[np.float32],
    step: int,
    size: tuple[int, int],
    how: int,
    beyond: tuple[int, int, int],
) -> Picture:
    """Return a picture of that ``size``, each of its px from a place in ``picture``; ``at`` has the places of
    every ``step``-th px, (rows, columns, 2), and those in between are interpolated.
    """
    across, down = (np.arange(count, dtype=np.float32) / np.float32(step) for count in size)
    x, y = np.meshgrid(across, down)
    maps = cv2.remap(at, x, y, cv2.INTER_LINEAR)
    found = cv2.remap(
        picture, maps[..., 0], maps[..., 1], how, borderMode=cv2.BORDER_CONSTANT, borderValue=beyond
    )
    return np.asarray(found, dtype=np.uint8)


def find_heaps(
    picture: Picture,
    lens: Lens,
    pose: Pose,
    field: Field,
    least_mm2: float = _LEAST_MM2,
    open_px: int = _OPEN,
) -> list[Heap]:
    """Return the heaps on a field, from west to east: larger than ``least_mm2`` and nowhere thinner than
    ``open_px``.
    """
    flat = flatten(picture, lens, pose, field, PX_MM, MARGIN_MM)
    contours, _ = cv2.findContours(_mask_heaps(flat, open_px), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = [contour for contour in contours if cv2.contourArea(contour) > least_mm2 * PX_MM**2]
    return sorted((_cut_upright(flat, np.asarray(contour)) for contour in found), key=lambda heap: heap.east)


def _mask_heaps(flat: Picture, open_px: int) -> NDArray[np.uint8]:
    """Return a mask of the px that do not look like the table, (rows, columns), 0 or 1."""
    lab = cv2.cvtColor(flat, cv2.COLOR_BGR2LAB).astype(np.float32)
    apart = (lab - np.median(_cut_ring(lab), axis=0)) * np.array([_LIGHTNESS, 1, 1], np.float32)
    covered = (np.square(apart).sum(axis=2) > _APART**2).astype(np.uint8)
    edge = int((MARGIN_MM - SPILL_MM) * PX_MM)
    covered[:edge] = covered[-edge:] = 0
    covered[:, :edge] = covered[:, -edge:] = 0
    closed = cv2.morphologyEx(covered, cv2.MORPH_CLOSE, np.ones((_CLOSE, _CLOSE), np.uint8))
    # A card may have the table's colour within its border.
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(closed, contours, -1, 1, cv2.FILLED)
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((open_px, open_px), np.uint8)))


def _cut_ring(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
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


def _cut_upright(flat: Picture, contour: NDArray[np.int32]) -> Heap:
    (x, y), (width, height), turned = cv2.minAreaRect(contour)
    if abs(turned) > 45:  # versions of OpenCV call different sides the width
        turned, width, height = turned - np.copysign(90, turned), height, width
    pad = PAD_MM * PX_MM
    size = (round(width + 2 * pad), round(height + 2 * pad))
    turn = np.array(cv2.getRotationMatrix2D((x, y), turned, 1.0), dtype=np.float64)
    turn[:, 2] += np.array(size) / 2 - (x, y)
    pixels = np.asarray(cv2.warpAffine(flat, turn, size, flags=cv2.INTER_LINEAR), dtype=np.uint8)
    return Heap(
        pixels, x / PX_MM - MARGIN_MM, y / PX_MM - MARGIN_MM, width / PX_MM, height / PX_MM, float(turned)
    )


def cut_single(
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


def compare(around: Picture | NDArray[np.float32], part: Picture | NDArray[np.float32]) -> float:
    """Return the best likeness of ``part`` at any place in a picture, -1 to 1, in any light and contrast."""
    return float(cv2.matchTemplate(around, part, cv2.TM_CCOEFF_NORMED).max())


INNER: Final = 10
"""The width in px of the border of a piece's picture, without print."""
BLOWN: Final = 0.35
"""A larger share than this of nearly white pixels on a piece is glare."""
BARE: Final = 4.0
"""A piece whose grey varies less than this, of 255, is bare paper."""


def find_flaws(
    pieces: Mapping[str, Picture], soft: float, alike: Callable[[str, str], bool]
) -> list[tuple[str, tuple[str, ...]]]:
    """Return the flaws that make pieces hard to tell apart by their pictures, the worst first, each with its
    pieces.

    A flaw is ``bare``, ``glare``, ``blurred`` (most of them have steepest edges below ``soft``), or
    ``twins``, which are ``alike``.
    """
    grey = {name: cv2.cvtColor(piece, cv2.COLOR_BGR2GRAY) for name, piece in pieces.items()}
    blurred = tuple(name for name, one in grey.items() if _measure_edges(one) < soft)
    found: list[tuple[str, tuple[str, ...]]] = [
        ("bare", tuple(name for name, one in grey.items() if one.std() < BARE)),
        ("glare", tuple(name for name, one in pieces.items() if (one.min(axis=2) >= 252).mean() > BLOWN)),
        ("blurred", blurred if 2 * len(blurred) > len(grey) else ()),
        ("twins", next((pair for pair in combinations(grey, 2) if alike(*pair)), ())),
    ]
    return [(flaw, names) for flaw, names in found if names]


def _measure_edges(grey: NDArray[Any]) -> float:
    """Return the steepness of the sharpest edges inside a piece's border, in standard deviations of its grey
    per px.
    """
    inner = grey[INNER:, INNER:].astype(np.float32)
    steep = np.abs(cv2.Laplacian(inner, cv2.CV_32F))
    return float(np.percentile(steep, 98) / max(float(inner.std()), 1.0))
