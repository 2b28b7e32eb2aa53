"""Flat things on a table as a camera sees them: a picture of the table's plane, put into perspective."""

from __future__ import annotations

import cv2
import numpy as np

from vision.lens import Floats, Picture
from vision.painter import TABLE, View

STEP = 8
"""The plane's places are computed every so many px and filled in between."""


def places_mm(view: View, px: Floats) -> Floats:
    """Return what ``px`` of a picture, (N, 2), show of the table: (N, 2) mm in the field's coordinates."""
    ideal = cv2.undistortPoints(px.reshape(-1, 1, 2), view.lens.matrix, view.lens.coefficients).reshape(-1, 2)
    rays = np.column_stack([ideal, np.ones(len(ideal))]) @ view.pose.matrix
    camera = view.pose.camera_mm
    return np.asarray(camera[:2] - rays[:, :2] * (camera[2] / rays[:, 2])[:, None], dtype=np.float64)


def seen(plane: Picture, px_mm: float, north_west: tuple[float, float], view: View) -> Picture:
    """Return the picture that ``view``'s camera takes of a table that looks like ``plane`` from above.

    ``plane`` has ``px_mm`` px a mm, north up; its upper left corner lies at ``north_west``, mm in the field's
    coordinates. Beyond it the bare table shows.
    """
    width, height = view.lens.size
    columns, rows = np.meshgrid(np.arange(0, width + STEP, STEP), np.arange(0, height + STEP, STEP))
    px = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)
    mm = places_mm(view, px)
    at = np.column_stack([mm[:, 0] - north_west[0], north_west[1] - mm[:, 1]]) * px_mm - 0.5
    coarse = at.astype(np.float32).reshape(*columns.shape, 2)
    fine_x, fine_y = np.meshgrid(
        np.arange(width, dtype=np.float32) / STEP, np.arange(height, dtype=np.float32) / STEP
    )
    maps = cv2.remap(coarse, fine_x, fine_y, cv2.INTER_LINEAR)
    found = cv2.remap(
        plane, maps[..., 0], maps[..., 1], cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=TABLE
    )
    return np.asarray(found, dtype=np.uint8)
