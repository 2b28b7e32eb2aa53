"""Painted pictures of regions, for the simulated camera and for tests.

A copy's artwork is invented from a number: a tint and a pictogram for each kind, pale in print, strong on a
tile. The quality of a reader is measured on other pictures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats, Picture
from vision.painter import AROUND_MM, PX_MM, TABLE, Colour, Light, PaintedView, canvas_of, photograph

PALE: Final = 0.55
"""The share of white in the print; a tile has none."""
SMALLER: Final = 0.94
"""The width of a tile in widths of its hex."""


STACKED: Final = 4
"""The tiles of a stack; each is painted 1 mm farther north-west, as it is nearer to the camera."""
SKIN: Final = (120, 150, 205)
HAND_MM: Final = 70.0


class PaintedHex(msgspec.Struct, frozen=True):
    """A hex: its middle in the field's mm, the kind ``printed``, "" for the bare table, the piece ``placed``
    on it ("", "tile", "wild", or a kind of its own), and that piece's turn ``turned_deg``.
    """

    x_mm: float
    y_mm: float
    printed: str
    placed: str = ""
    turned_deg: float = 0.0


class TilesScene(msgspec.Struct, frozen=True):
    """A copy's ``artwork`` by its number, the ``seed`` of its tiles' places, the light on them, and obstacles
    at places of the field, in mm: a ``stack`` of tiles, a ``hand`` that reaches there from the south.
    """

    artwork: int = 0
    seed: int = 0
    light: Light = Light()
    stack: tuple[float, float] | None = None
    hand: tuple[float, float] | None = None


def painted(view: PaintedView, hexes: Sequence[PaintedHex], corner_mm: float, scene: TilesScene) -> Picture:
    """Return the picture of a region; its hexes' corners are ``corner_mm`` from their middles."""
    wide, high = canvas_of(view)
    canvas = np.full((high, wide, 3), TABLE, np.uint8)

    def at(place: tuple[float, float]) -> Floats:
        return np.array([AROUND_MM + place[0], AROUND_MM + view.field.height_mm - place[1]]) * PX_MM

    for number, one in enumerate(hexes):
        rng = np.random.default_rng([scene.seed, number])
        spot = at((one.x_mm, one.y_mm))
        if one.printed:
            _paint(canvas, one.printed, spot, corner_mm, PALE, scene.artwork)
        if one.placed:
            kind = one.printed if one.placed == "tile" else one.placed
            beside, turned = rng.uniform(-1.0, 1.0, 2) * PX_MM, one.turned_deg + rng.uniform(-4, 4)
            _paint(canvas, kind, spot + beside, corner_mm * SMALLER, 0.0, scene.artwork, turned)
    if scene.stack:
        for up in range(STACKED):
            _paint(canvas, "", at(scene.stack) - up * PX_MM, corner_mm * SMALLER, 0.0, scene.artwork)
    if scene.hand:
        tip = at(scene.hand).round().astype(int).tolist()
        cv2.line(canvas, tip, (tip[0], high), SKIN, round(HAND_MM * PX_MM), cv2.LINE_AA)
    return photograph(canvas, view, scene.light)


def _paint(
    canvas: Picture, kind: str, at: Floats, corner_mm: float, pale: float, artwork: int, turned: float = 0.0
) -> None:
    """Paint a hex around a place of the canvas, with a rim."""
    tint, shape = _look(kind, artwork)
    reach = corner_mm * PX_MM
    outline = _hexagon(at, reach, turned)
    cv2.fillPoly(canvas, [outline], _paler(tint, pale), cv2.LINE_AA)
    cv2.polylines(canvas, [outline], True, _paler((40, 45, 50), pale * 0.6), 3, cv2.LINE_AA)
    if kind == "wild":
        return
    angle = math.radians(turned)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    sign = (shape @ turn.T * reach * 0.5 + at).round().astype(np.int32)
    cv2.fillPoly(canvas, [sign], _paler((35, 35, 40), pale * 0.8), cv2.LINE_AA)


def _hexagon(at: Floats, reach: float, turned: float) -> NDArray[np.int32]:
    angles = np.radians(turned + 30 + 60 * np.arange(6))
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * reach + at
    return np.asarray(ring.round(), dtype=np.int32)


@lru_cache(maxsize=64)
def _look(kind: str, artwork: int) -> tuple[Colour, Floats]:
    """Return a kind's tint, and its pictogram as a shape that reaches to 1."""
    rng = np.random.default_rng([artwork, *kind.encode()])
    blue, green, red = (int(part) for part in rng.integers(90, 230, 3))
    points = int(rng.integers(5, 12))
    angles = np.sort(rng.uniform(0, 2 * math.pi, points))
    far = rng.uniform(0.25, 1.0, points)
    return (blue, green, red), np.column_stack([np.cos(angles) * far, np.sin(angles) * far])


def _paler(colour: Colour, white: float) -> Colour:
    blue, green, red = (round(part + (235 - part) * white) for part in colour)
    return blue, green, red
