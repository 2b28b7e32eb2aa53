"""The tray's floor seen from above: a grid of millimetres, and the picture turned onto it.

The reader works on this plan only: x grows east, rows grow south, one pixel is ``1 / PPM`` mm. The plan
includes a rim around the floor, because things at a wall lean over it in the picture.
"""

from __future__ import annotations

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

    def pixels(self, points_mm: Floats) -> Floats:
        """Return the places of points of the floor, (N, 2) mm, on the plan: (N, 2) column and row.

        Whole figures are the middles of pixels.
        """
        flip = np.array([RIM_MM, self.height_mm + RIM_MM])
        return np.asarray((flip + points_mm * np.array([1.0, -1.0])) * PPM - 0.5)

    def mm(self, column: Number, row: Number) -> tuple[Number, Number]:
        """Return the point of the floor at a place of the plan, or of many."""
        return (column + 0.5) / PPM - RIM_MM, self.height_mm + RIM_MM - (row + 0.5) / PPM

    def floor(self, shrink_mm: float = 0.0) -> Mask:
        """Return a mask of the floor, without a band of ``shrink_mm`` along its edge."""
        mask = np.zeros(self.shape, np.uint8)
        band = round((RIM_MM + shrink_mm) * PPM)
        mask[band : self.shape[0] - band, band : self.shape[1] - band] = 1
        return mask


def rectified(picture: Picture, lens: Lens, pose: Pose, plan: Plan) -> Picture:
    """Turn the picture to a view from straight above the floor; standing things lean outward."""
    rows, columns = plan.shape
    across, down = (np.arange(0, size + _STEP, _STEP) for size in (columns, rows))
    east, north = plan.mm(*np.meshgrid(across.astype(float), down.astype(float)))
    grid = np.stack([east, north, np.zeros(east.shape)], axis=2)
    seen = pose.project(lens, grid.reshape(-1, 3)).reshape(*east.shape, 2).astype(np.float32)
    fine = np.array([[1 / _STEP, 0.0, 0.0], [0.0, 1 / _STEP, 0.0]])
    where = cv2.warpAffine(seen, fine, (columns, rows), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    east_px, south_px = cv2.split(where)
    return np.asarray(cv2.remap(picture, east_px, south_px, cv2.INTER_LINEAR), dtype=np.uint8)
