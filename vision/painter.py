"""Simple painted pictures of a table, for the simulated camera and for unit tests.

Flat colours, no shadows, no reflections: a reader that gets these right has shown that its geometry holds,
and nothing more. The quality of a reader is measured on other pictures.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.field import Field
from vision.lens import Floats, Lens, Picture
from vision.markers import CELLS as MARKER_CELLS
from vision.markers import DICTIONARY
from vision.plane import warp
from vision.pose import Pose
from vision.torres import (
    CELLS,
    SIDE,
    Coloured,
    CopySizes,
    block_corners,
    centre_mm,
    door_corners,
    rings,
)

Colour = tuple[int, int, int]
"""Blue, green, red."""

TABLE: Final[Colour] = (70, 95, 125)
BOARD: Final[Colour] = (140, 175, 190)
LINE: Final[Colour] = (95, 125, 140)
BLOCK: Final[Colour] = (110, 190, 225)
WHITE: Final[Colour] = (245, 245, 245)
BLACK: Final[Colour] = (25, 25, 25)
PIECES: Final[dict[str, Colour]] = {
    "red": (45, 40, 190),
    "blue": (170, 85, 40),
    "green": (70, 140, 50),
    "yellow": (40, 190, 220),
    "king": (230, 235, 238),
}
"""Torres' pieces."""
KESHIS: Final[dict[str, Colour]] = {
    "black": (35, 33, 32),
    "gray": (128, 128, 128),
    "white": (228, 230, 232),
    "beige": (160, 195, 215),
    "brown": (45, 70, 105),
    "red": (45, 40, 190),
    "pink": (165, 130, 225),
    "orange": (40, 125, 230),
    "yellow": (50, 205, 235),
    "green": (70, 140, 50),
    "turquoise": (165, 165, 35),
    "purple": (125, 45, 105),
}
"""Marrakesh's keshis."""

EDGE_MM: Final = 4.0
"""The width of the white rim around a marker."""
FINE: Final = 4
"""The bits of a pixel's fraction in painted lines."""
PARTS: Final = 8
"""The divisions of a pixel, each way, when an outline is filled."""
LIGHT: Final = (0.85, 0.62)
"""The brightness of sides: those facing north or south, those facing east or west; tops have 1."""
DARK: Final = 0.5
"""The brightness of doors and edges."""

STEP = 8
"""The distance in px of computed places of a plane; those in between are interpolated."""

PX_MM, AROUND_MM = 6.0, 60.0
"""The px per mm, and the width around a field, of a painted table before a camera sees it."""
SOFT_PX, NOISE = 0.6, 2.5
"""The blur of a picture in px, and a pixel's noise of 255, as standard deviations."""


class PaintedView(msgspec.Struct, frozen=True):
    """A field, and the lens and pose that see it."""

    lens: Lens
    pose: Pose
    field: Field


class Light(msgspec.Struct, frozen=True):
    """Light on a table: its ``warmth`` (-0.15 to 0.15), its ``exposure``, and ``lamp`` (0 to 1), its loss
    towards one side; ``seed`` draws the direction of that side and the sensor's noise.
    """

    warmth: float = 0.0
    exposure: float = 1.0
    lamp: float = 0.3
    seed: int = 0


class PaintedKeshi(msgspec.Struct, frozen=True):
    """A keshi on the tray: its middle in mm, turned by ``turn_deg``."""

    x_mm: float
    y_mm: float
    colour: str
    turn_deg: float = 0.0


def looking(field: Field, elevation_deg: float, azimuth_deg: float, distance_mm: float) -> Pose:
    """Return a camera that looks at a field's middle from that elevation; azimuth 0 is due south."""
    up, around = math.radians(elevation_deg), math.radians(azimuth_deg)
    middle = np.array([*field.middle, 0.0])
    towards = np.array([math.cos(up) * math.sin(around), -math.cos(up) * math.cos(around), math.sin(up)])
    away = -towards
    right = np.array([math.cos(around), math.sin(around), 0.0])
    matrix = np.stack([right, np.cross(away, right), away])
    turn = cv2.Rodrigues(matrix)[0].ravel()
    shift = -matrix @ (middle + distance_mm * towards)
    return Pose(
        (float(turn[0]), float(turn[1]), float(turn[2])), (float(shift[0]), float(shift[1]), float(shift[2]))
    )


def empty(view: PaintedView, colour: Colour = BOARD) -> Picture:
    """Paint the table, the field and its markers, without anything on it."""
    width, height = view.lens.size
    picture = np.full((height, width, 3), TABLE, np.uint8)
    east, north = view.field.width_mm, view.field.height_mm
    _fill(picture, view, [(0, 0, 0), (east, 0, 0), (east, north, 0), (0, north, 0)], colour)
    for number, corners in view.field.places().items():
        marker(picture, view, number, *corners[3, :2])
    return picture


def board(view: PaintedView, layout: Coloured, copy: CopySizes) -> Picture:
    """Paint a Torres board; ``view``'s field must be eight spaces wide and high."""
    picture = empty(view)
    cell = copy.cell_mm
    for line in range(SIDE + 1):
        for ends in ([(line, 0), (line, SIDE)], [(0, line), (SIDE, line)]):
            points = np.array([(x * cell, y * cell, 0.0) for x, y in ends])
            a, b = _fixed(view.pose.project(view.lens, points))
            cv2.line(picture, _point(a), _point(b), LINE, 1, cv2.LINE_AA, FINE)
    pieces = dict(layout.pieces)
    corners = block_corners(copy)
    doors = door_corners(corners)
    camera = view.pose.camera_mm
    for at in sorted(range(CELLS), key=lambda at: -math.dist(centre_mm(copy, at), camera[:2])):
        for level in range(layout.heights[at]):
            _block(picture, view, corners[at, level : level + 2], doors[at, level])
        if at in pieces:
            foot = (*centre_mm(copy, at), layout.heights[at] * copy.block_mm[2])
            _turned(picture, view, rings(pieces[at], foot), PIECES[pieces[at]])
    return picture


def tray(
    view: PaintedView,
    keshis: Iterable[PaintedKeshi],
    keshi_mm: tuple[float, float],
    floor: Colour = (150, 120, 95),
) -> Picture:
    """Paint a tray with keshis that lie flat.

    They are octagons; ``keshi_mm`` is their width across flats and their height.
    """
    picture = empty(view, floor)
    across, height = keshi_mm
    reach = across / 2 / math.cos(math.pi / 8)
    for one in keshis:
        colour = KESHIS[one.colour]
        angles = np.radians(one.turn_deg + 22.5 + 45 * np.arange(8))
        ring = np.column_stack([one.x_mm + reach * np.cos(angles), one.y_mm + reach * np.sin(angles)])
        foot, top = (np.column_stack([ring, np.full(8, z)]) for z in (0.0, height))
        _hull(picture, view, np.concatenate([foot, top]), _dimmed(colour, LIGHT[1]))
        _fill(picture, view, top, colour)
    return picture


def canvas_of(view: PaintedView) -> tuple[int, int]:
    """Return the width and height in px of a painted table, :data:`AROUND_MM` beyond ``view``'s field."""
    field = view.field
    return round((field.width_mm + 2 * AROUND_MM) * PX_MM), round((field.height_mm + 2 * AROUND_MM) * PX_MM)


def photograph(plane: Picture, view: PaintedView, light: Light) -> Picture:
    """Return a camera's picture of a painted table, of the size of :func:`canvas_of` and north up, with its
    markers, in that light, slightly blurred, with a sensor's noise. The bare table shows beyond it.
    """
    width, height = view.lens.size
    columns, rows = np.meshgrid(np.arange(0, width + STEP, STEP), np.arange(0, height + STEP, STEP))
    px = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)
    mm = _places_mm(view, px)
    north = view.field.height_mm + AROUND_MM
    at = np.column_stack([mm[:, 0] + AROUND_MM, north - mm[:, 1]]) * PX_MM - 0.5
    coarse = at.astype(np.float32).reshape(*columns.shape, 2)
    picture = warp(_light_up(plane, light), coarse, STEP, (width, height), cv2.INTER_AREA, TABLE)
    for number, corners in view.field.places().items():
        marker(picture, view, number, *corners[3, :2])
    soft = cv2.GaussianBlur(picture, (0, 0), SOFT_PX)
    return noisy(np.asarray(soft, dtype=np.uint8), light.seed, NOISE)


def _places_mm(view: PaintedView, px: Floats) -> Floats:
    """Return the places on the table of ``px`` of a picture, (N, 2): (N, 2) mm in the field's coordinates."""
    ideal = cv2.undistortPoints(px.reshape(-1, 1, 2), view.lens.matrix, view.lens.coefficients).reshape(-1, 2)
    rays = np.column_stack([ideal, np.ones(len(ideal))]) @ view.pose.matrix
    camera = view.pose.camera_mm
    return np.asarray(camera[:2] - rays[:, :2] * (camera[2] / rays[:, 2])[:, None], dtype=np.float64)


def _light_up(plane: Picture, light: Light) -> Picture:
    lit = plane * _share_light((plane.shape[1], plane.shape[0]), light.lamp, light.seed)
    tint = np.array([1 - light.warmth, 1.0, 1 + light.warmth]) * light.exposure
    if (tint != 1).any():
        lit *= tint
    return np.asarray(np.clip(lit, 0, 255, out=lit), dtype=np.uint8)


@lru_cache(maxsize=2)
def _share_light(size: tuple[int, int], lamp: float, seed: int) -> Floats:
    """Return the share of the lamp's light at each place, (rows, columns, 1)."""
    width, height = size
    rows, columns = np.mgrid[0:height:STEP, 0:width:STEP]
    angle = np.random.default_rng(seed).uniform(0, 2 * math.pi)
    along = columns / width * math.cos(angle) + rows / height * math.sin(angle)
    return np.asarray(cv2.resize(1 - lamp * (along - along.min()), size)[..., None], dtype=np.float64)


def noisy(picture: Picture, seed: int, sigma: float = 2.0) -> Picture:
    """Add a sensor's noise to a picture, the same for the same seed."""
    return np.asarray(cv2.add(picture, _noise(seed, sigma, picture.shape), dtype=cv2.CV_8U), np.uint8)


@lru_cache(maxsize=2)
def _noise(seed: int, sigma: float, shape: tuple[int, ...]) -> NDArray[np.int16]:
    """Return the noise to add, in whole steps; cached, since many pictures share it and drawing it is
    slow.
    """
    drawn = np.random.default_rng(seed).standard_normal(shape)
    drawn *= sigma
    return np.floor(drawn, out=drawn).astype(np.int16)


def marker(picture: Picture, view: PaintedView, number: int, x: float, y: float) -> None:
    """Paint a marker whose south-west corner lies at (x, y) mm."""
    size = view.field.marker_mm
    cell = size / MARKER_CELLS

    def square(left: float, top: float, side: float) -> list[tuple[float, float, float]]:
        return [(left, top, 0), (left + side, top, 0), (left + side, top - side, 0), (left, top - side, 0)]

    _fill(picture, view, square(x - EDGE_MM, y + size + EDGE_MM, size + 2 * EDGE_MM), WHITE)
    _fill(picture, view, square(x, y + size, size), BLACK)
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    bits = cv2.aruco.generateImageMarker(dictionary, number, MARKER_CELLS)
    for row, column in zip(*np.nonzero(bits), strict=True):
        _fill(picture, view, square(x + column * cell, y + size - row * cell, cell), WHITE)


def patch(picture: Picture, view: PaintedView, x: float, y: float, side: float, colour: Colour) -> None:
    """Paint a square whose south-west corner lies at (x, y) mm."""
    _fill(picture, view, [(x, y, 0), (x + side, y, 0), (x + side, y + side, 0), (x, y + side, 0)], colour)


def _block(picture: Picture, view: PaintedView, levels: Floats, doors: Floats) -> None:
    """Paint one block: ``levels`` are its floor and its top, (2, 4, 3) mm, ``doors`` (4, 4, 3) mm by side."""
    middle, camera = levels[0].mean(axis=0), view.pose.camera_mm
    for side in range(4):
        here, there = levels[0, side], levels[0, (side + 1) % 4]
        outward = np.array([there[1] - here[1], here[0] - there[0]])
        if outward @ (camera - middle)[:2] > np.hypot(*outward) * np.hypot(*(there - here)[:2]) / 2:
            face = [here, there, levels[1, (side + 1) % 4], levels[1, side]]
            _outlined(picture, view, face, _dimmed(BLOCK, LIGHT[side % 2]))
            _fill(picture, view, doors[side], _dimmed(BLOCK, DARK))
    _outlined(picture, view, levels[1], BLOCK)


def _outlined(picture: Picture, view: PaintedView, face: Iterable[Iterable[float]], colour: Colour) -> None:
    points = np.array([tuple(point) for point in face], np.float64)
    _fill(picture, view, points, colour)
    places = _fixed(view.pose.project(view.lens, points))
    cv2.polylines(picture, [places], True, _dimmed(BLOCK, DARK), 1, cv2.LINE_AA, FINE)


def _turned(picture: Picture, view: PaintedView, solid: Floats, colour: Colour) -> None:
    """Paint a piece turned on a lathe: rings (rings, points, 3) mm from its foot up."""
    foot, top = solid[0, 0, 2], solid[-1, 0, 2]
    for low, high in pairwise(solid):
        light = 0.7 + 0.3 * float((high[0, 2] - foot) / (top - foot))
        _hull(picture, view, np.concatenate([low, high]), _dimmed(colour, light))


def _fill(picture: Picture, view: PaintedView, points: Iterable[Iterable[float]], colour: Colour) -> None:
    places = view.pose.project(view.lens, np.array([tuple(point) for point in points], np.float64))
    _cover(picture, places, colour)


def _hull(picture: Picture, view: PaintedView, points: Floats, colour: Colour) -> None:
    """Paint the outline of a convex solid."""
    places = view.pose.project(view.lens, points)
    _cover(picture, cv2.convexHull(places.astype(np.float32)).reshape(-1, 2).astype(np.float64), colour)


def _cover(picture: Picture, places: Floats, colour: Colour) -> None:
    """Fill an outline, (N, 2) px; each pixel counts by its part inside.

    OpenCV's own smooth filling swells outlines by half a pixel, which makes a marker one size larger.
    """
    height, width = picture.shape[:2]
    low = np.clip(np.floor(places.min(axis=0)).astype(int) - 1, 0, (width, height))
    high = np.clip(np.ceil(places.max(axis=0)).astype(int) + 2, 0, (width, height))
    if (high <= low).any():
        return
    size = high - low
    fine = np.zeros((size[1] * PARTS, size[0] * PARTS), np.uint8)
    corners = np.round((places - low + 0.5) * PARTS - 0.5).astype(np.int32)
    cv2.fillPoly(fine, [corners], 255)
    part = cv2.resize(fine, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)[:, :, None] / 255.0
    there = picture[low[1] : high[1], low[0] : high[0]]
    there[:] = np.round(there * (1 - part) + np.array(colour) * part)


def _fixed(places: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.round(places * (1 << FINE)).astype(np.int32)


def _point(place: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> tuple[int, int]:
    return int(place[0]), int(place[1])


def _dimmed(colour: Colour, light: float) -> Colour:
    blue, green, red = (round(light * part) for part in colour)
    return blue, green, red
