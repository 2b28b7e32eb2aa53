"""A keshi as a solid: an octagonal prism, lying flat on an octagon or on one of its eight sides."""

from __future__ import annotations

import math
from functools import cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats
from vision.tray.plan import PPM, RIM_MM, Mask, Plan

_FINE_BITS = 4
_FINE = 1 << _FINE_BITS
"""Hulls are drawn from corners in such parts of a pixel."""
_CORNERS = math.pi / 8 + np.arange(8) * math.pi / 4


class Keshi(msgspec.Struct, frozen=True):
    """One copy's pieces: ``across_mm`` between two opposite sides of the octagon, ``height_mm`` thick."""

    across_mm: float
    height_mm: float

    @property
    def covers_mm2(self) -> float:
        """The area a piece covers at most, seen from above."""
        octagon = 2 * (math.sqrt(2) - 1) * self.across_mm**2
        return max(octagon, self.across_mm * self.height_mm)


class PrismPlace(msgspec.Struct, frozen=True):
    """The place of a keshi: its middle in mm, ``flat`` or on its side, turned by ``turn`` radians."""

    x_mm: float
    y_mm: float
    flat: bool
    turn: float


def solid(keshi: Keshi, place: PrismPlace) -> Floats:
    """Return the 16 corners of a keshi that lies there, (16, 3) mm."""
    corners = _standing(keshi, place.flat)
    cos, sin = math.cos(place.turn), math.sin(place.turn)
    turned = corners @ np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
    turned += np.array([place.x_mm, place.y_mm, 0.0])
    return np.asarray(turned)


@cache
def _standing(keshi: Keshi, flat: bool) -> Floats:
    """Return the corners of a keshi at the origin, flat or on its side along x, (16, 3) mm."""
    radius = keshi.across_mm / 2 / math.cos(math.pi / 8)
    one, other = radius * np.cos(_CORNERS), radius * np.sin(_CORNERS)
    if flat:
        parts = [np.column_stack([one, other, np.full(8, z)]) for z in (0.0, keshi.height_mm)]
    else:
        ends = (-keshi.height_mm / 2, keshi.height_mm / 2)
        parts = [np.column_stack([np.full(8, end), one, keshi.across_mm / 2 + other]) for end in ends]
    return np.concatenate(parts)


def top(keshi: Keshi, place: PrismPlace) -> Floats:
    """Return the corners of the faces that look up, (N, 3) mm: the octagon, or the three upper sides."""
    corners = solid(keshi, place)
    level = 0.5 * keshi.height_mm if place.flat else 0.6 * keshi.across_mm
    return np.asarray(corners[corners[:, 2] > level])


def cast(points_mm: Floats, camera_mm: Floats) -> Floats:
    """Return the shadows of points, (N, 3) mm, cast from the camera on the floor: (N, 2) mm."""
    far = camera_mm[2] / (camera_mm[2] - points_mm[:, 2])
    return np.asarray(camera_mm[:2] + (points_mm[:, :2] - camera_mm[:2]) * far[:, None])


def filled(pixels: Floats, shape: tuple[int, int]) -> Mask:
    """Fill the convex hull of points, (N, 2) column and row, as a mask."""
    return _filled(np.rint(pixels * _FINE).astype(np.int32), shape)


def _filled(fine: NDArray[np.int32], shape: tuple[int, int]) -> Mask:
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


def window(plan: Plan, points_mm: Floats, camera_mm: Floats, rim: int = 0) -> Window:
    """Return the hull of points, (N, 3) mm, as the camera sees it on a plan, with ``rim`` empty px around."""
    return _window(plan, plan.pixels(cast(points_mm, camera_mm)), rim)


def _window(plan: Plan, pixels: Floats, rim: int) -> Window:
    rows, columns = plan.shape
    fine = np.rint(pixels * _FINE).astype(np.int32)
    left, up, width, height = cv2.boundingRect(fine)
    column = min(max(left // _FINE - rim, 0), columns - 1)
    row = min(max(up // _FINE - rim, 0), rows - 1)
    end_column = min(max(-(-(left + width - 1) // _FINE) + rim + 1, column + 1), columns)
    end_row = min(max(-(-(up + height - 1) // _FINE) + rim + 1, row + 1), rows)
    fine -= (_FINE * column, _FINE * row)
    return Window(row, column, _filled(fine, (end_row - row, end_column - column)))


class Caster:
    """Silhouettes of one copy's keshis on one plan from one camera, fast: thousands are tried."""

    def __init__(self, plan: Plan, keshi: Keshi, camera_mm: Floats) -> None:
        self.plan, self.keshi = plan, keshi
        self._camera = float(camera_mm[0]), float(camera_mm[1])
        self._standing = {flat: _standing(keshi, flat) for flat in (True, False)}
        self._far = {
            flat: camera_mm[2] / (camera_mm[2] - self._standing[flat][:, 2]) for flat in (True, False)
        }
        self._turned: dict[tuple[bool, float], tuple[Floats, float, float]] = {}

    def half(self, place: PrismPlace) -> tuple[float, float]:
        """Return a piece's reach from its middle, in mm east and north, west and south alike."""
        return self._corners(place)[1:]

    def _corners(self, place: PrismPlace) -> tuple[Floats, float, float]:
        """Return the corners about the middle on the plan, as far as they are cast, in pixels, (16, 2).

        With them comes :meth:`half`.
        """
        key = place.flat, place.turn
        if key not in self._turned:
            cos, sin = math.cos(place.turn), math.sin(place.turn)
            turned = self._standing[place.flat][:, :2] @ np.array([[cos, sin], [-sin, cos]])
            east, north = turned.max(axis=0).tolist()
            cast_px = turned * self._far[place.flat][:, None] * np.array([PPM, -PPM])
            self._turned[key] = cast_px, east, north
        return self._turned[key]

    def leaning(self, place: PrismPlace) -> Floats:
        """Return the corners of a piece as seen on the plan, (16, 2) pixels from its middle."""
        x, y = self._camera
        middle = np.array([(place.x_mm - x) * PPM, (y - place.y_mm) * PPM])
        return np.asarray(self._corners(place)[0] + (self._far[place.flat] - 1)[:, None] * middle)

    def silhouette(self, place: PrismPlace, rim: int = 0) -> Window:
        """Return the silhouette of a piece, with ``rim`` empty pixels around."""
        column = (place.x_mm + RIM_MM) * PPM - 0.5
        row = (self.plan.height_mm + RIM_MM - place.y_mm) * PPM - 0.5
        return _window(self.plan, self.leaning(place) + np.array([column, row]), rim)


def reach_px(keshi: Keshi) -> int:
    """Return half the width of a window that holds any keshi with its outline's surroundings."""
    return math.ceil((0.75 * max(keshi.across_mm, keshi.height_mm) + 3.0) * PPM)
