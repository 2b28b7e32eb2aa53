"""Light and colour: from a picture's numbers to shares of a white sheet's light.

The white is that of the markers' paper, in the same light. If one of its channels is clipped (warm light
clips red), the markers' ink gives the colour of the light: it is neutral too, and never clipped.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field import Whites
from vision.lens import Floats, Picture

CLIPPED = 243.0
"""The least value (0 to 255) of paper that may be clipped."""
PAPER_TO_INK = 27.0
"""The brightness of paper relative to ink (measured on the sample pictures: 24 to 31)."""

_CURVE = np.arange(256) / 255.0
LINEAR: NDArray[np.float32] = np.where(
    _CURVE <= 0.04045, _CURVE / 12.92, ((_CURVE + 0.055) / 1.055) ** 2.4
).astype(np.float32)
"""The light, 0 to 1, for each number of a picture, 0 to 255."""


def white(whites: Whites) -> Floats:
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


def shares(plan_picture: Picture, white_light: Floats) -> NDArray[np.float32]:
    """Return each pixel's light as a share of the white's, (rows, columns, 3)."""
    table = (LINEAR[:, None] / white_light).astype(np.float32)
    return np.asarray(cv2.LUT(plan_picture, table[None]), dtype=np.float32)


def quantile(values: NDArray[np.floating[Any]], share: float) -> Floats:
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


def lab(bgr: Floats) -> Floats:
    """Return CIE Lab of shares of white, (..., 3) linear blue, green, red; L is 0 to 100 and may be more."""
    xyz = np.maximum(bgr[..., ::-1] @ TO_XYZ.T, 0.0) / XYZ_WHITE
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = f[..., 0], f[..., 1], f[..., 2]
    return np.asarray(np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1))
