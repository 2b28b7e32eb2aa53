"""Light and paint: from a picture's numbers to the colour of a piece, without the light on it.

The white is that of the markers' paper, in the same light. If one of its channels is clipped (warm light
clips red), the markers' ink gives the colour of the light: it is neutral too, and never clipped.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.field import Whites
from vision.lens import Floats, Picture
from vision.tray.floor import FloorSeen
from vision.tray.plan import PPM, Caster, PrismPlace
from vision.tray.table import FoundPlace

CLIPPED = 243.0
"""The least value (0 to 255) of paper that may be clipped."""
PAPER_TO_INK = 27.0
"""The brightness of paper relative to ink (measured on the sample pictures: 24 to 31)."""

_CURVE = np.arange(256) / 255.0
LINEAR: NDArray[np.float32] = np.where(
    _CURVE <= 0.04045, _CURVE / 12.92, ((_CURVE + 0.055) / 1.055) ** 2.4
).astype(np.float32)
"""The light, 0 to 1, for each number of a picture, 0 to 255."""


def find_white(whites: Whites) -> Floats:
    """Return the light of a white sheet, (3,) linear, in the picture's order of colours.

    Only the brighter half of the markers' sides counts: the others lie in a shadow. Without any the result is
    1.
    """
    if not len(whites.white):
        return np.ones(3)
    bright = whites.white.mean(axis=1)
    best = bright >= np.median(bright)
    paper = np.median(whites.white[best], axis=0)
    steps = np.arange(256)
    light, ink = (
        np.array([np.interp(value, steps, LINEAR) for value in values])
        for values in (paper, np.median(whites.black[best], axis=0))
    )
    clipped = paper >= CLIPPED
    if not clipped.any() or ink.min() <= 0:
        return light
    level = np.max(light[~clipped] / ink[~clipped]) if (~clipped).any() else PAPER_TO_INK
    return np.where(clipped, np.maximum(light, ink * level), light)


def measure_shares(plan_picture: Picture, white_light: Floats) -> NDArray[np.float32]:
    """Return each pixel's light as a share of the white's, (rows, columns, 3)."""
    table = (LINEAR[:, None] / white_light).astype(np.float32)
    return np.asarray(cv2.LUT(plan_picture, table[None]), dtype=np.float32)


def find_quantile(values: NDArray[np.floating[Any]], share: float) -> Floats:
    """Return the quantile ``share`` of the rows, (N, ...), N > 0, column by column, interpolated. NumPy's own
    takes four times as long and more over a few hundred.
    """
    ordered = np.sort(values, axis=0)
    row, part = divmod(share * (len(ordered) - 1), 1)
    low, high = ordered[int(row)], ordered[min(int(row) + 1, len(ordered) - 1)]
    return np.asarray(low + part * (high - low), dtype=np.float64)


TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
XYZ_WHITE = np.array([0.9505, 1.0, 1.089])
"""CIE XYZ of linear red, green and blue, and of white."""


def find_lab(bgr: Floats) -> Floats:
    """Return CIE Lab of shares of white, (..., 3) linear blue, green, red; L is 0 to 100 and may be more."""
    xyz = np.maximum(bgr[..., ::-1] @ TO_XYZ.T, 0.0) / XYZ_WHITE
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = f[..., 0], f[..., 1], f[..., 2]
    return np.asarray(np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1))


NEAR_MM, WIDE_MM = 5.0, 10.0
"""The distances around a piece within which the floor gives its light, and tells how even that is."""
FEW = 25
"""Fewer pixels of bare floor tell no light."""
SHADED, MISFIT = 0.45, 1.0
"""The error of a piece's light for each logarithm by which the brightest floor around is brighter than the
floor beside it; and for what its outline lacks to :data:`FITTING`, as its place is wrong.

Of 1319 ray-traced pieces the light is 0.16 off, of 24 with such a logarithm above 0.6 it is 0.48 off.
"""
FITTING = 0.5
"""The share of edges along the outline of a piece that was found where it is."""
UNLIT = 0.3
"""The error for a piece without any bare floor around."""
DARK = -2.3
"""The tone below which there is no colour to speak of."""
DIMMEST = 0.01
"""The light, a share of white, below which differences are noise."""
OTHER = 0.45
"""The least distance of colours of two different paints."""


_EVENLY = np.full(3, 1 / 3, np.float32)


class Paint(msgspec.Struct, frozen=True):
    """The colour of a piece: ``middle`` is the median of its upper faces, ``dull`` their darker half,
    ``deep`` the dark part of all visible faces, where even a glossy piece shows its paint.

    They are (blue, green, red), linear shares of white in the local light; ``unsure`` is the error of that
    light, one standard deviation in logarithms. ``mixed`` is the share of the piece with another colour than
    most of it: hardly any for one piece, much for two on one another. A ``flat`` piece shows one large face,
    which sends more light up than the three of one on its side.
    """

    deep: tuple[float, float, float]
    dull: tuple[float, float, float]
    middle: tuple[float, float, float]
    unsure: float = 0.0
    mixed: float = 0.0
    flat: bool = False


def find_brightest(share: NDArray[np.float32], seen: FloorSeen) -> Floats:
    """Return the colour of the well-lit floor, (3,), the reference for light elsewhere."""
    bare = share[::3, ::3][seen.bare[::3, ::3]]
    if len(bare) < 50:
        return np.ones(3)
    return _find_well_lit(bare)


def _find_well_lit(floor: NDArray[np.float32]) -> Floats:
    """Return the median colour of the brighter two fifths of a floor's pixels, (N, 3)."""
    bright = floor @ _EVENLY
    return find_quantile(floor[bright >= find_quantile(bright, 0.6)], 0.5)


def measure_paint(
    share: NDArray[np.float32],
    seen: FloorSeen,
    caster: Caster,
    found: FoundPlace,
    best: Floats,
) -> Paint:
    """Return the paint of a piece; ``best`` is :func:`find_brightest`."""
    place = found.place
    whole = caster.draw_silhouette(place)
    inner = cv2.erode(whole.mask, np.ones((3, 3), np.uint8)) > 0
    body = share[whole.at][inner]
    faces = caster.draw_upper(place)
    values = share[faces.at][faces.mask > 0]
    if len(values) < 8:
        values = body
    light, shaded = _measure_light(share, seen, caster, place, best)
    unsure = math.hypot(shaded, MISFIT * max(FITTING - found.outline, 0.0))
    level = values @ _EVENLY
    dull = values[level <= find_quantile(level, 0.5)].mean(axis=0) / light
    middle = find_quantile(values, 0.5) / light
    depth = body @ _EVENLY
    low, high = find_quantile(depth, 0.03), find_quantile(depth, 0.15)
    deep = body[(depth >= low) & (depth <= high)].mean(axis=0) / light
    mixed = _measure_mixed(seen.tone[whole.at][inner])
    return Paint(_make_triple(deep), _make_triple(dull), _make_triple(middle), unsure, mixed, place.flat)


def _measure_light(
    share: NDArray[np.float32], seen: FloorSeen, caster: Caster, place: PrismPlace, best: Floats
) -> tuple[Floats, float]:
    """Return the light on a piece, (3,) shares of the ``best``, and its error by uneven light.

    A piece's own shadow covers less than half of the floor around it, a wall's all of it.
    """
    around = caster.draw_silhouette(place, round(WIDE_MM * PPM))
    away_mm = cv2.distanceTransform(1 - around.mask, cv2.DIST_L2, 3) / PPM
    bare = seen.bare[around.at] & (away_mm > 0)
    wide = share[around.at][bare & (away_mm <= WIDE_MM)]
    if len(wide) < FEW:
        return np.ones(3), UNLIT
    near = share[around.at][bare & (away_mm <= NEAR_MM)]
    if len(near) < FEW:
        near = wide
    dim, bright = find_quantile(near @ _EVENLY, 0.5), find_quantile(wide @ _EVENLY, 0.9)
    shaded = SHADED * max(math.log((bright + DIMMEST) / (dim + DIMMEST)), 0.0)
    return np.clip(_find_well_lit(near) / np.maximum(best, 0.01), 0.1, 1.5), shaded


def _measure_mixed(tone: NDArray[np.float32]) -> float:
    """Return the share of pixels, (N, 3) tones, with another colour than most; dark ones have none."""
    lit = tone[tone[:, 0] > DARK]
    if len(lit) < 20:
        return 0.0
    away = np.abs(lit[:, 1:] - find_quantile(lit[:, 1:], 0.5)).max(axis=1)
    return float((away > OTHER).mean())


def _make_triple(values: Floats) -> tuple[float, float, float]:
    blue, green, red = (float(value) for value in values)
    return blue, green, red
