"""The tray's floor seen from above, a grid of millimetres, with the picture and keshis on it.

The reader works on this plan only: x grows east, rows grow south, one pixel is ``1 / PPM`` mm. The plan
includes a rim around the floor, because things at a wall lean over it in the picture. A keshi
is an octagonal prism, flat on an octagon or on one of its eight sides.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TypeVar

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats, Lens, Picture
from vision.pose import Pose

Plane = NDArray[np.float32]
"""One figure for each pixel of a plan, (rows, columns)."""
Number = TypeVar("Number", float, Floats)
Mask = NDArray[np.uint8]
"""1 or 0 for each pixel of a plan, (rows, columns)."""

PPM = 2.5
"""Pixels of a plan per mm: a little fewer than the pictures have, so that nothing is invented."""
RIM_MM = 6.0
"""The width of the rim around the floor in a plan."""
_STEP = 8
"""The step of pixels at which the lens gives places; those in between are interpolated."""


class Plan(msgspec.Struct, frozen=True):
    """A plan of a floor of ``width_mm`` by ``height_mm``."""

    width_mm: float
    height_mm: float

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return round((self.height_mm + 2 * RIM_MM) * PPM), round((self.width_mm + 2 * RIM_MM) * PPM)

    def find_pixels(self, points_mm: Floats) -> Floats:
        """Return the places of points of the floor, (N, 2) mm, on the plan: (N, 2) column and row.

        Whole figures are the middles of pixels.
        """
        flip = np.array([RIM_MM, self.height_mm + RIM_MM])
        return np.asarray((flip + points_mm * np.array([1.0, -1.0])) * PPM - 0.5)

    def find_mm(self, column: Number, row: Number) -> tuple[Number, Number]:
        """Return the point of the floor at a place of the plan, or of many."""
        return (column + 0.5) / PPM - RIM_MM, self.height_mm + RIM_MM - (row + 0.5) / PPM

    def mask_floor(self, shrink_mm: float = 0.0) -> Mask:
        """Return a mask of the floor, without a band of ``shrink_mm`` along its edge."""
        mask = np.zeros(self.shape, np.uint8)
        band = round((RIM_MM + shrink_mm) * PPM)
        mask[band : self.shape[0] - band, band : self.shape[1] - band] = 1
        return mask


def rectify(picture: Picture, lens: Lens, pose: Pose, plan: Plan) -> Picture:
    """Turn the picture to a view from straight above the floor; standing things lean outward."""
    rows, columns = plan.shape
    across, down = (np.arange(0, size + _STEP, _STEP) for size in (columns, rows))
    east, north = plan.find_mm(*np.meshgrid(across.astype(float), down.astype(float)))
    grid = np.stack([east, north, np.zeros(east.shape)], axis=2)
    seen = pose.project(lens, grid.reshape(-1, 3)).reshape(*east.shape, 2).astype(np.float32)
    fine = np.array([[1 / _STEP, 0.0, 0.0], [0.0, 1 / _STEP, 0.0]])
    where = cv2.warpAffine(seen, fine, (columns, rows), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    east_px, south_px = cv2.split(where)
    return np.asarray(cv2.remap(picture, east_px, south_px, cv2.INTER_LINEAR), dtype=np.uint8)


_FINE_BITS = 4
_FINE = 1 << _FINE_BITS
"""The fraction of a pixel in which hulls get their corners."""
_CORNERS = math.pi / 8 + np.arange(8) * math.pi / 4
_SQUARE3 = np.ones((3, 3), np.uint8)


class Keshi(msgspec.Struct, frozen=True):
    """One copy's pieces: ``across_mm`` between two opposite sides of the octagon, ``height_mm`` thick."""

    across_mm: float
    height_mm: float

    @property
    def covers_mm2(self) -> float:
        """The most area that a piece covers, seen from above."""
        octagon = 2 * (math.sqrt(2) - 1) * self.across_mm**2
        return max(octagon, self.across_mm * self.height_mm)


class PrismPlace(msgspec.Struct, frozen=True):
    """The place of a keshi: its middle in mm, ``flat`` or on its side, turned by ``turn`` radians."""

    x_mm: float
    y_mm: float
    flat: bool
    turn: float


@cache
def _stand(keshi: Keshi, flat: bool) -> Floats:
    """Return the corners of a keshi at the origin, flat or on its side along x, (16, 3) mm."""
    radius = keshi.across_mm / 2 / math.cos(math.pi / 8)
    one, other = radius * np.cos(_CORNERS), radius * np.sin(_CORNERS)
    if flat:
        parts = [np.column_stack([one, other, np.full(8, z)]) for z in (0.0, keshi.height_mm)]
    else:
        ends = (-keshi.height_mm / 2, keshi.height_mm / 2)
        parts = [np.column_stack([np.full(8, end), one, keshi.across_mm / 2 + other]) for end in ends]
    return np.concatenate(parts)


def fill_hull(pixels: Floats, shape: tuple[int, int]) -> Mask:
    """Fill the convex hull of points, (N, 2) column and row, as a mask."""
    return _fill_hull(np.rint(pixels * _FINE).astype(np.int32), shape)


def _fill_hull(fine: NDArray[np.int32], shape: tuple[int, int]) -> Mask:
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(fine), (1,), cv2.LINE_8, _FINE_BITS)
    return mask


class Window(msgspec.Struct, frozen=True):
    """A mask of a part of a plan, whose first pixel is at ``row`` and ``column``."""

    row: int
    column: int
    mask: Mask

    @property
    def at(self) -> tuple[slice, slice]:
        """The part of a plane that it covers."""
        rows, columns = self.mask.shape
        return slice(self.row, self.row + rows), slice(self.column, self.column + columns)


class Caster:
    """Silhouettes of one copy's keshis on one plan from one camera, fast enough for thousands of tries."""

    def __init__(self, plan: Plan, keshi: Keshi, camera_mm: Floats) -> None:
        self.plan, self.keshi = plan, keshi
        east, north, high = camera_mm.tolist()
        self._standing = {flat: _stand(keshi, flat) for flat in (True, False)}
        # A point at this height is cast farther from the camera's foot by this factor.
        self._far = {flat: high / (high - self._standing[flat][:, 2:]) for flat in (True, False)}
        below = plan.find_pixels(np.array([east, north]))
        origin = plan.find_pixels(np.zeros(2))
        self._off = {flat: origin + (1 - far) * (below - origin) for flat, far in self._far.items()}
        self._turned: dict[tuple[bool, float], tuple[Floats, float, float]] = {}

    def find_half(self, place: PrismPlace) -> tuple[float, float]:
        """Return a piece's reach from its middle, in mm east and north; west and south are the same."""
        return self._find_corners(place)[1:]

    def _find_corners(self, place: PrismPlace) -> tuple[Floats, float, float]:
        """Return the corners on the plan of a piece whose middle is the origin, (16, 2) pixels, and
        :meth:`find_half`.
        """
        key = place.flat, place.turn
        if key not in self._turned:
            cos, sin = math.cos(place.turn), math.sin(place.turn)
            turned = self._standing[place.flat][:, :2] @ np.array([[cos, sin], [-sin, cos]])
            east, north = turned.max(axis=0).tolist()
            cast_px = self._off[place.flat] + turned * self._far[place.flat] * np.array([PPM, -PPM])
            self._turned[key] = cast_px, east, north
        return self._turned[key]

    def cast(self, place: PrismPlace) -> Floats:
        """Return the corners of a piece as seen on the plan, (16, 2) column and row."""
        middle = np.array((place.x_mm * PPM, -place.y_mm * PPM))
        return np.asarray(self._find_corners(place)[0] + self._far[place.flat] * middle)

    def draw_silhouette(self, place: PrismPlace, rim: int = 0) -> Window:
        """Return the silhouette of a piece, with ``rim`` empty pixels around."""
        return self._draw_window(self.cast(place), rim)

    def draw_upper(self, place: PrismPlace) -> Window:
        """Return the upper faces of a piece, the octagon or three sides, a little inside their edges."""
        level = 0.5 * self.keshi.height_mm if place.flat else 0.6 * self.keshi.across_mm
        part = self._draw_window(self.cast(place)[self._standing[place.flat][:, 2] > level])
        inner = cv2.erode(part.mask, _SQUARE3, borderType=cv2.BORDER_CONSTANT, borderValue=0)
        return Window(part.row, part.column, np.asarray(inner, dtype=np.uint8))

    def _draw_window(self, pixels: Floats, rim: int = 0) -> Window:
        """Return the convex hull of points, (N, 2) column and row, with ``rim`` empty pixels around."""
        rows, columns = self.plan.shape
        fine = np.rint(pixels * _FINE).astype(np.int32)
        left, up, width, height = cv2.boundingRect(fine)
        column = min(max(left // _FINE - rim, 0), columns - 1)
        row = min(max(up // _FINE - rim, 0), rows - 1)
        end_column = min(max(-(-(left + width - 1) // _FINE) + rim + 1, column + 1), columns)
        end_row = min(max(-(-(up + height - 1) // _FINE) + rim + 1, row + 1), rows)
        fine -= (_FINE * column, _FINE * row)
        return Window(row, column, _fill_hull(fine, (end_row - row, end_column - column)))


def find_reach_px(keshi: Keshi) -> int:
    """Return half the width of a window that holds any keshi with its outline's surroundings."""
    return math.ceil((0.75 * max(keshi.across_mm, keshi.height_mm) + 3.0) * PPM)
