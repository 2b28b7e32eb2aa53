"""ArUco markers in a picture: which there are, and where their corners stand, to a fraction of a pixel.

OpenCV finds them; then each side is measured anew. OpenCV's own ways to measure corners are too slow (its
AprilTag way takes half a second) or look at the corner alone, a few noisy pixels, where a whole side of the
marker tells: the corner is where two sides meet.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import msgspec
import numpy as np

from vision.edges import LINES, Gray, across, gray_of, line
from vision.lens import Floats, Picture

DICTIONARY = cv2.aruco.DICT_4X4_50
"""Fifty markers of four by four cells within a black border one cell wide."""

CELLS = 6
"""How many cells a marker is wide, its border included."""


class Marker(msgspec.Struct, frozen=True):
    """A marker as it is seen: its id and its corners in px; the one printed top left first, then around."""

    id: int
    corners: tuple[tuple[float, float], ...]

    @property
    def array(self) -> Floats:
        """The corners, (4, 2) px."""
        return np.array(self.corners)


def detect(picture: Picture) -> tuple[Marker, ...]:
    """All markers of the dictionary that a picture shows, false ones too, by id, then from left to right."""
    found, ids, _ = _detector().detectMarkers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    if not len(found):
        return ()
    corners = np.array(found, dtype=np.float64).reshape(-1, 4, 2)
    gray = gray_of(picture)
    markers = zip(
        np.asarray(ids, dtype=np.int64).ravel(), (measured(gray, one) for one in corners), strict=True
    )
    return tuple(
        sorted((_marker(one, each) for one, each in markers), key=lambda seen: (seen.id, seen.corners))
    )


def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters)


def _marker(id_: np.int64, corners: Iterable[Iterable[float]]) -> Marker:
    return Marker(int(id_), tuple((float(x), float(y)) for x, y in corners))


def measured(gray: Gray, corners: Floats) -> Floats:
    """The corners of one marker, (4, 2) px, where its sides meet; as they were if not all can be measured."""
    lines = [_side(gray, corners[i], corners[(i + 1) % 4]) for i in range(4)]
    result = corners.copy()
    for i in range(4):
        before, after = lines[i - 1], lines[i]
        if before is None or after is None:
            return corners
        result[i] = np.linalg.solve(np.stack([before[:2], after[:2]]), np.array([before[2], after[2]]))
    # Where sides meet at a sharp angle a little to the side is far along.
    reach = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max() / CELLS
    return result if np.linalg.norm(result - corners, axis=1).max() < reach else corners


def _side(gray: Gray, start: Floats, end: Floats) -> Floats | None:
    """The side between two corners as a line a x + b y = c, (a, b, c); None where it cannot be measured."""
    cut = across(gray, start, end, 0.6 / CELLS)
    rise = cut.bright - cut.dark
    good = rise > 0.5 * np.median(rise)
    return line(cut.points[good]) if good.sum() >= LINES // 3 else None
