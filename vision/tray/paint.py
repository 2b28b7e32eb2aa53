"""Paint of a piece: its colour as a share of white, without the light on it."""

from __future__ import annotations

import math

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats
from vision.tray.floor import FloorSeen
from vision.tray.light import quantile
from vision.tray.plan import PPM
from vision.tray.prism import Caster, PrismPlace

NEAR_MM = 8.0
"""The distance around a piece of the floor that gives its light."""
DARK = -2.3
"""The tone below which there is no colour to speak of."""
OTHER = 0.45
"""The least distance of colours of two different paints."""


_EVENLY = np.full(3, 1 / 3, np.float32)


class Paint(msgspec.Struct, frozen=True):
    """The colour of a piece: ``middle`` is the median of its upper faces, ``dull`` their darker half,
    ``deep`` the dark part of all visible faces, where even a glossy piece shows its paint.

    They are (blue, green, red), linear shares of white in the local light; ``light`` is that light as a share
    of the tray's brightest, in the same order. ``mixed`` is the share of the piece with another colour than
    most of it: hardly any for one piece, much for two on one another. A ``flat`` piece shows one large face,
    which sends more light up than the three of one on its side.
    """

    deep: tuple[float, float, float]
    dull: tuple[float, float, float]
    middle: tuple[float, float, float]
    light: tuple[float, float, float]
    mixed: float = 0.0
    flat: bool = False


def brightest(share: NDArray[np.float32], seen: FloorSeen) -> Floats:
    """Return the colour of the well-lit floor, (3,), the reference for light elsewhere."""
    bare = share[::3, ::3][seen.bare[::3, ::3]]
    if len(bare) < 50:
        return np.ones(3)
    return _well_lit(bare)


def _well_lit(floor: NDArray[np.float32]) -> Floats:
    """Return the median colour of the brighter two fifths of a floor's pixels, (N, 3)."""
    bright = floor @ _EVENLY
    return quantile(floor[bright >= quantile(bright, 0.6)], 0.5)


def paint(
    share: NDArray[np.float32],
    seen: FloorSeen,
    caster: Caster,
    place: PrismPlace,
    best: Floats,
) -> Paint:
    """Return the paint of the piece at a place; ``best`` is :func:`brightest`."""
    whole = caster.silhouette(place)
    inner = cv2.erode(whole.mask, np.ones((3, 3), np.uint8)) > 0
    body = share[whole.at][inner]
    faces = caster.upper(place)
    values = share[faces.at][faces.mask > 0]
    if len(values) < 8:
        values = body
    rows, columns = whole.at
    sparse = _every_other(rows), _every_other(columns)
    floor = share[sparse][seen.bare[sparse]]
    light = np.ones(3)
    if len(floor) >= 25:
        light = np.clip(_well_lit(floor) / np.maximum(best, 0.01), 0.1, 1.5)
    level = values @ _EVENLY
    dull = values[level <= quantile(level, 0.5)].mean(axis=0) / light
    middle = quantile(values, 0.5) / light
    depth = body @ _EVENLY
    low, high = quantile(depth, 0.03), quantile(depth, 0.15)
    deep = body[(depth >= low) & (depth <= high)].mean(axis=0) / light
    mixed = _mixed(seen.tone[whole.at][inner])
    return Paint(_three(deep), _three(dull), _three(middle), _three(light), mixed, place.flat)


def _mixed(tone: NDArray[np.float32]) -> float:
    """Return the share of pixels, (N, 3) tones, with another colour than most; dark ones have none."""
    lit = tone[tone[:, 0] > DARK]
    if len(lit) < 20:
        return 0.0
    away = np.abs(lit[:, 1:] - quantile(lit[:, 1:], 0.5)).max(axis=1)
    return float((away > OTHER).mean())


def _every_other(covered: slice) -> slice:
    """Return every other row or column of a piece's window and its surroundings."""
    near = math.ceil(NEAR_MM * PPM)
    return slice(max(covered.start - near, 0), covered.stop + near, 2)


def _three(values: Floats) -> tuple[float, float, float]:
    blue, green, red = (float(value) for value in values)
    return blue, green, red
