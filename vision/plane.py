"""Flat things on a table in a camera's view: a picture of the table's plane, put into perspective."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.field import Field
from vision.lens import Floats, Lens, Picture
from vision.painter import TABLE, Colour, PaintedView, marker, noisy
from vision.pose import Pose

STEP = 8
"""The distance in px of computed places of a plane; those in between are interpolated."""
FAR = 12
"""The same distance for a picture's places, in a plane seen from above."""


PX_MM, AROUND_MM = 6.0, 60.0
"""The px per mm, and the width around a field, of a painted table before a camera sees it."""
SOFT_PX, NOISE = 0.6, 2.5
"""The blur of a picture in px, and a pixel's noise of 255, as standard deviations."""


class Light(msgspec.Struct, frozen=True):
    """Light on a table: its ``warmth`` (-0.15 to 0.15), its ``exposure``, and ``lamp`` (0 to 1), its loss
    towards one side; ``seed`` draws the direction of that side and the sensor's noise.
    """

    warmth: float = 0.0
    exposure: float = 1.0
    lamp: float = 0.3
    seed: int = 0


def places_mm(view: PaintedView, px: Floats) -> Floats:
    """Return the places on the table of ``px`` of a picture, (N, 2): (N, 2) mm in the field's coordinates."""
    ideal = cv2.undistortPoints(px.reshape(-1, 1, 2), view.lens.matrix, view.lens.coefficients).reshape(-1, 2)
    rays = np.column_stack([ideal, np.ones(len(ideal))]) @ view.pose.matrix
    camera = view.pose.camera_mm
    return np.asarray(camera[:2] - rays[:, :2] * (camera[2] / rays[:, 2])[:, None], dtype=np.float64)


def flattened(
    picture: Picture, lens: Lens, pose: Pose, field: Field, px_mm: float, margin_mm: float
) -> Picture:
    """Return a field seen from straight above, with ``margin_mm`` around, ``px_mm`` px per mm, north up."""
    wide, high = (int((mm + 2 * margin_mm) * px_mm) for mm in (field.width_mm, field.height_mm))
    # Lenses bend little over a dozen px: every such point is projected, the others are interpolated.
    columns, rows = np.meshgrid(np.arange(0, wide + FAR, FAR), np.arange(0, high + FAR, FAR))
    east, south = columns / px_mm - margin_mm, rows / px_mm - margin_mm
    places = np.stack([east.ravel(), field.height_mm - south.ravel(), np.zeros(east.size)], axis=1)
    at = pose.project(lens, places).astype(np.float32).reshape(*east.shape, 2)
    return _warped(picture, at, FAR, (wide, high), cv2.INTER_LINEAR, (0, 0, 0))


def canvas_of(view: PaintedView) -> tuple[int, int]:
    """Return the width and height in px of a painted table, :data:`AROUND_MM` beyond ``view``'s field."""
    field = view.field
    return round((field.width_mm + 2 * AROUND_MM) * PX_MM), round((field.height_mm + 2 * AROUND_MM) * PX_MM)


def photographed(plane: Picture, view: PaintedView, light: Light) -> Picture:
    """Return a camera's picture of a painted table, of the size of :func:`canvas_of` and north up, with its
    markers, in that light, slightly blurred, with a sensor's noise. The bare table shows beyond it.
    """
    width, height = view.lens.size
    columns, rows = np.meshgrid(np.arange(0, width + STEP, STEP), np.arange(0, height + STEP, STEP))
    px = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)
    mm = places_mm(view, px)
    north = view.field.height_mm + AROUND_MM
    at = np.column_stack([mm[:, 0] + AROUND_MM, north - mm[:, 1]]) * PX_MM - 0.5
    coarse = at.astype(np.float32).reshape(*columns.shape, 2)
    picture = _warped(_lit(plane, light), coarse, STEP, (width, height), cv2.INTER_AREA, TABLE)
    for number, corners in view.field.places().items():
        marker(picture, view, number, *corners[3, :2])
    soft = cv2.GaussianBlur(picture, (0, 0), SOFT_PX)
    return noisy(np.asarray(soft, dtype=np.uint8), light.seed, NOISE)


def _warped(
    picture: Picture, at: NDArray[np.float32], step: int, size: tuple[int, int], how: int, beyond: Colour
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


def _lit(plane: Picture, light: Light) -> Picture:
    lit = plane * _shares((plane.shape[1], plane.shape[0]), light.lamp, light.seed)
    tint = np.array([1 - light.warmth, 1.0, 1 + light.warmth]) * light.exposure
    if (tint != 1).any():
        lit *= tint
    return np.asarray(np.clip(lit, 0, 255, out=lit), dtype=np.uint8)


@lru_cache(maxsize=2)
def _shares(size: tuple[int, int], lamp: float, seed: int) -> Floats:
    """Return the share of the lamp's light at each place, (rows, columns, 1)."""
    width, height = size
    rows, columns = np.mgrid[0:height:STEP, 0:width:STEP]
    angle = np.random.default_rng(seed).uniform(0, 2 * math.pi)
    along = columns / width * math.cos(angle) + rows / height * math.sin(angle)
    return np.asarray(cv2.resize(1 - lamp * (along - along.min()), size)[..., None], dtype=np.float64)
