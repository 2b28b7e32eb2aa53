"""Paint of a piece: its colour as a share of white, the light that falls on it taken out."""

from __future__ import annotations

import math

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats
from vision.tray.floor import FloorSeen
from vision.tray.plan import PPM
from vision.tray.prism import Keshi, PrismPlace, solid, window
from vision.tray.search import upper

NEAR_MM = 8.0
"""The light on a piece is judged by the floor this far around it."""
DARK = -2.3
"""A tone darker than this has no colour to speak of."""
OTHER = 0.45
"""Tones whose colours are this far apart are of different paints."""


class Paint(msgspec.Struct, frozen=True):
    """The colour of a piece: ``middle`` is the median of its upper faces, ``dull`` their darker half,
    ``deep`` the dark part of all faces in view, where even a glossy piece shows its paint.

    They are (blue, green, red), linear shares of white in the light that falls there; ``light`` is that light
    as a share of the tray's brightest, the same three. ``mixed`` is the share of the piece that has another
    colour than most of it: of one piece hardly any, of two on one another much. A piece that is ``flat``
    shows one large face, which sends more light up than the three of one on its side.
    """

    deep: tuple[float, float, float]
    dull: tuple[float, float, float]
    middle: tuple[float, float, float]
    light: tuple[float, float, float]
    mixed: float = 0.0
    flat: bool = False


def brightest(share: NDArray[np.float32], seen: FloorSeen) -> Floats:
    """Return the floor's colour where it is well lit, (3,): the light elsewhere is compared with it."""
    bare = share[::3, ::3][seen.bare[::3, ::3]]
    if len(bare) < 50:
        return np.ones(3)
    bright = bare.mean(axis=1)
    return np.asarray(np.median(bare[bright >= np.percentile(bright, 60)], axis=0), dtype=np.float64)


def paint(
    share: NDArray[np.float32],
    seen: FloorSeen,
    keshi: Keshi,
    camera_mm: Floats,
    place: PrismPlace,
    best: Floats,
) -> Paint:
    """Return the paint of the piece at a place; ``best`` is :func:`brightest`."""
    corners = solid(keshi, place)
    whole = window(seen.plan, corners, camera_mm)
    inner = cv2.erode(whole.mask, np.ones((3, 3), np.uint8)) > 0
    body = share[whole.at][inner]
    faces = upper(seen.plan, keshi, camera_mm, place)
    values = share[faces.at][faces.mask > 0]
    if len(values) < 8:
        values = body
    around = window(seen.plan, corners, camera_mm, math.ceil(NEAR_MM * PPM))
    rows, columns = around.at
    sparse = slice(rows.start, rows.stop, 2), slice(columns.start, columns.stop, 2)
    floor = share[sparse][seen.bare[sparse]]
    light = np.ones(3)
    if len(floor) >= 25:
        bright = floor.mean(axis=1)
        light = np.median(floor[bright >= np.percentile(bright, 60)], axis=0) / np.maximum(best, 0.01)
        light = np.clip(light, 0.1, 1.5)
    level = values.mean(axis=1)
    dull = values[level <= np.median(level)].mean(axis=0) / light
    middle = np.median(values, axis=0) / light
    depth = body.mean(axis=1)
    low, high = np.percentile(depth, (3, 15))
    deep = body[(depth >= low) & (depth <= high)].mean(axis=0) / light
    mixed = _mixed(seen.tone[whole.at][inner])
    return Paint(_three(deep), _three(dull), _three(middle), _three(light), mixed, place.flat)


def _mixed(tone: NDArray[np.float32]) -> float:
    """Return the share of pixels, (N, 3) tones, whose colour is not that of most; dark ones have none."""
    lit = tone[tone[:, 0] > DARK]
    if len(lit) < 20:
        return 0.0
    away = np.abs(lit[:, 1:] - np.median(lit[:, 1:], axis=0)).max(axis=1)
    return float((away > OTHER).mean())


def _three(values: Floats) -> tuple[float, float, float]:
    blue, green, red = (float(value) for value in values)
    return blue, green, red
