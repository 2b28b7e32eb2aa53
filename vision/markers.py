"""ArUco markers in a picture: their ids and corners, to a fraction of a pixel.

OpenCV finds them; this module measures each side again. OpenCV's own ways to measure corners are too slow
(its AprilTag way takes half a second) or look only at the corner, a few noisy pixels. A whole side tells
more: along lines across it black becomes white, and the corner is the intersection of two sides.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats, Picture

DICTIONARY = cv2.aruco.DICT_4X4_50
"""Fifty markers of four by four cells within a black border one cell wide."""

CELLS = 6
"""A marker's width in cells, border included."""

LINES = 24
"""The number of lines across a side."""

STEP_PX = 0.5
"""The distance of samples on each line."""

LEAST = 0.3
"""The least visible part of a side that counts."""

STRAIGHT_PX = 0.5
"""The largest distance (root mean square) of a side's points from the line through them."""

DARK: Final = 30
"""Nearly every pixel of a dark picture is below this grey level."""
BRIGHT: Final = 250
"""Most pixels of a bright picture are above this grey level."""
MOST: Final = 0.5
NEARLY_ALL: Final = 0.995
SOFT: Final = 0.10
"""In a picture in focus the steepest places rise from pixel to pixel by more than this share of its contrast.

Measured on every other sample, 30 rendered pictures of all kinds: 0.25 to 0.38 unchanged, 0.14 to 0.19 after
a Gaussian blur of 2.5 px, 0.09 to 0.14 of 4 px; boards and trays after 8 px: 0.04 to 0.07.
"""
MOVED: Final = 0.65
WAYS: Final = 12
"""A picture is taken in motion if its steepest places rise along one of so many ways by less than this share
of their rise along another: it is sharp only across the motion.

Measured on rendered pictures: 0.76 and more at rest, up to 0.57 with a motion of 21 px.
"""

Gray = NDArray[np.float32]
"""The brightness of a picture, (rows, columns), 0 to 255."""


class Cut(msgspec.Struct, frozen=True):
    """N lines across a side: their places, in parts of the side's length, (N,), the points, (N, 2) px, at
    which black becomes white, and the dark and bright levels beside these, (N,).
    """

    where: Floats
    points: Floats
    dark: Floats
    bright: Floats


class MarkerEdge(msgspec.Struct, frozen=True):
    """Part of a side: two places on it, as parts of its length, their px, (2, 2), and its outward direction,
    (2,).

    Only the distance of the px outwards is measured; positions along the side cannot be seen.
    """

    where: tuple[float, float]
    pixels: Floats
    outward: Floats


def gray_of(picture: Picture) -> Gray:
    """Return the brightness of a picture's pixels."""
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)


def across(gray: Gray, start: Floats, end: Floats, reach: float) -> Cut:
    """Look across the side from ``start`` to ``end``, (2,) px, by ``reach`` of its length to either hand.

    Walking along it in the picture, black is to the right, as inside a marker on the way around it.
    """
    along = end - start
    length = float(np.hypot(*along))
    outward = np.array([along[1], -along[0]]) / length
    far = max(2.0, reach * length)
    where = np.linspace(0.1, 0.9, LINES)
    offsets = np.arange(-far, far + STEP_PX / 2, STEP_PX)
    at = start + where[:, None, None] * along + offsets[None, :, None] * outward
    x, y = (np.ascontiguousarray(at[..., axis], dtype=np.float32) for axis in (0, 1))
    light = cv2.remap(gray, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float64)
    rise = np.clip(np.diff(light, axis=1), 0.0, None)
    # The edge is the middle of the rise, within a distance of its steepest place.
    middles = (offsets[:-1] + offsets[1:]) / 2
    steepest = middles[rise.argmax(axis=1)][:, None]
    weight = np.where(np.abs(middles - steepest) <= far / 2, rise, 0.0)
    edge = (weight * middles).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-6)
    dark = np.where(offsets < steepest, light, np.inf).min(axis=1)
    bright = np.where(offsets > steepest, light, -np.inf).max(axis=1)
    return Cut(where, start + where[:, None] * along + edge[:, None] * outward, dark, bright)


def line(points: Floats) -> Floats:
    """Fit the line a x + b y = c, (a, b, c) with (a, b) of length 1, to most of (N, 2) px."""
    dx, dy, x, y = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
    return np.array([dy, -dx, dy * x - dx * y])


def visible(
    gray: Gray, corners: Floats, reach: float, dark: float, bright: float
) -> list[tuple[int, MarkerEdge]]:
    """Return the visible parts of the sides of a marker at about ``corners``, (4, 2) px, by side number.

    ``dark`` and ``bright`` are the levels of ink and paper; if something covers the marker, one side of the
    edge has another level.
    """
    half = (dark + bright) / 2
    found = []
    for number in range(4):
        start, end = corners[number], corners[(number + 1) % 4]
        cut = across(gray, start, end, reach)
        good = (cut.dark < half) & (cut.bright > half) & (cut.bright - cut.dark > 0.6 * (bright - dark))
        for _ in range(3):
            if good.sum() < LEAST * LINES:
                break
            a, b, c = line(cut.points[good])
            away = cut.points @ np.array([a, b]) - c
            good &= np.abs(away) < 2 * STRAIGHT_PX
        if good.sum() < LEAST * LINES or np.sqrt((away[good] ** 2).mean()) > STRAIGHT_PX:
            continue
        where, along = cut.where[good], end - start
        outward = np.array([along[1], -along[0]]) / np.hypot(*along)
        ends = (float(where.min()), float(where.max()))
        at = start + np.array(ends)[:, None] * along
        # Go out to the measured line, straight across the expected side.
        out = (c - at @ np.array([a, b])) / float(np.array([a, b]) @ outward)
        found.append((number, MarkerEdge(ends, at + out[:, None] * outward, outward)))
    return found


class Marker(msgspec.Struct, frozen=True):
    """A marker in a picture: its id and its corners in px; the one printed top left first, then around."""

    id: int
    corners: tuple[tuple[float, float], ...]

    @property
    def array(self) -> Floats:
        """The corners, (4, 2) px."""
        return np.array(self.corners)


def detect(picture: Picture) -> tuple[Marker, ...]:
    """Find all markers of the dictionary in a picture, including false ones, by id, then from left to
    right.
    """
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    found, ids, _ = _make_detector().detectMarkers(gray)
    light, corners = gray.astype(np.float32), np.array(found, dtype=np.float64).reshape(-1, 4, 2)
    numbers = np.asarray(ids, dtype=np.int64).ravel().tolist() if len(corners) else ()
    markers = [_make_marker(id_, measured(light, one)) for id_, one in zip(numbers, corners, strict=True)]
    return tuple(sorted(markers, key=lambda one: (one.id, one.corners)))


def near(picture: Picture, places: Iterable[Floats]) -> tuple[Marker, ...]:
    """Find the markers near ``places``, (4, 2) px of corners each, within half their width; ignore other
    parts of the picture.
    """
    found = []
    for corners in places:
        low, high = corners.min(axis=0), corners.max(axis=0)
        left, top = np.maximum(low - (high - low) / 2, 0).astype(int).tolist()
        right, bottom = np.ceil(high + (high - low) / 2).astype(int).tolist()
        part = picture[top : max(top, bottom), left : max(left, right)]
        for marker in detect(part) if part.size else ():
            found.append(_make_marker(marker.id, (marker.array + np.array([left, top])).tolist()))
    return tuple(sorted(found, key=lambda seen: (seen.id, seen.corners)))


def _make_detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters)


def _make_marker(id_: int, corners: Iterable[Iterable[float]]) -> Marker:
    return Marker(int(id_), tuple((float(x), float(y)) for x, y in corners))


def measured(gray: Gray, corners: Floats) -> Floats:
    """Measure the corners of a marker, (4, 2) px, where its sides meet; return them unchanged if one cannot
    be measured.
    """
    lines = [_measure_side(gray, corners[i], corners[(i + 1) % 4]) for i in range(4)]
    result = corners.copy()
    for i in range(4):
        before, after = lines[i - 1], lines[i]
        if before is None or after is None:
            return corners
        result[i] = np.linalg.solve(np.stack([before[:2], after[:2]]), np.array([before[2], after[2]]))
    # At a sharp angle a small shift of a side moves its corner far.
    reach = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max() / CELLS
    return result if np.linalg.norm(result - corners, axis=1).max() < reach else corners


def _measure_side(gray: Gray, start: Floats, end: Floats) -> Floats | None:
    """Measure the side between two corners as a line a x + b y = c, (a, b, c); None if it is unclear."""
    cut = across(gray, start, end, 0.6 / CELLS)
    rise = cut.bright - cut.dark
    good = rise > 0.5 * np.median(rise)
    return line(cut.points[good]) if good.sum() >= LINES // 3 else None


class Flaw(StrEnum):
    """A flaw of a picture that shows nothing; a picture with found markers is good enough."""

    BLACK = "black"
    SATURATED = "saturated"
    BLURRED = "blurred"


def find_flaw(picture: Picture) -> Flaw | None:
    """Return the plainest flaw of a picture, None without one; a picture one pixel wide can only be black or
    white.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    if (grey < DARK).mean() > NEARLY_ALL:
        return Flaw.BLACK
    if (grey > BRIGHT).mean() > MOST:
        return Flaw.SATURATED
    if min(grey.shape) < 2:  # it has no two pixels side by side
        return None
    smooth = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32)
    low, high = np.percentile(smooth, (0.5, 99.5))
    across, down = np.diff(smooth, axis=1)[:-1], np.diff(smooth, axis=0)[:, :-1]
    far = np.hypot(across, down)
    there, turns = far >= np.percentile(far, 98), np.arange(WAYS) * np.pi / WAYS
    rises = np.outer(across[there], np.cos(turns)) + np.outer(down[there], np.sin(turns))
    steepest = np.sort(np.abs(rises), axis=0)[-max(1, far.size // 1000)]
    soft = steepest.max() < SOFT * max(float(high - low), 1.0)
    return Flaw.BLURRED if soft or steepest.min() < MOVED * steepest.max() else None
