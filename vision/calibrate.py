"""Lens calibration from pictures of a printed board: chequered, with a marker in each white square.

A calibration is as good as its pictures are different. They need the board in every part of the picture,
since a lens bends most at the edge, and tilted to all sides, since a board seen straight tells nothing about
the focal length. :class:`Collection` takes pictures one by one and tells which are still missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats, Lens, Picture

COLUMNS, ROWS = 10, 7
"""The board's squares. The number of rows is odd: boards with even rows changed their layout in OpenCV
4.6.
"""

SQUARE_MM, MARKER_MM = 25.0, 18.0
"""The sides of the board's squares and of the markers within. The lens found does not depend on the scale."""

DICTIONARY, CELLS = cv2.aruco.DICT_5X5_100, 7
"""Markers other than those of the fields, so that nobody takes a board on the table for a field; a marker is
so many cells wide, border included.
"""

LEAST_CORNERS = 12
"""The fewest of the board's 54 inner corners that must be in view."""

LEAST_VIEWS = 20
"""The number of different views needed."""

PARTS = 3
"""The number of columns and rows of the picture's parts; the board must have been in each part."""

LEAST_IN_PART = 20
"""The fewest corners, over all views, in each part."""

FITTED = 8
"""The number of views that give the focal length well enough to tell how a board is tilted. A guess that is
too long, as for a wide lens, makes a board held nearly straight look tilted.

For a lens of 380 px, in 40 draws of views with corners off by 0.3 px, nine in ten fits are off by up to 32 %
with five views, 1.0 % with six, 0.8 % with eight. With the guessed lens, of 720 px, 15 % of 48 views tilt
otherwise than with the true one; with any of these fits none does.
"""

TILT_DEG = 15.0
"""The least tilt to a side that counts."""

LEAST_TILTED = 2
"""The fewest views tilted to each side."""

SAME = 0.02
"""Two views are the same if their corners differ by less than this part of the picture's width."""

MOST_RMS_PX = 0.5
"""The largest error (root mean square over all corners) of an accepted calibration."""

ODD = 3.0
"""A view whose own error is so many times the median of all is left out: the board moved, or is not flat."""

GUESSES = (0.9, 0.6, 1.5)
"""Focal lengths to start from, in widths of the picture; the lens found must not depend on the start."""

MOST_LOOSE = 0.005
"""The largest part by which the lenses found may differ. Boards seen straight leave the focal length open:
the error was 0.05 px with a focal length 9 % wrong, for which OpenCV gave a standard deviation of 0.006 %.
"""


class FartherSide(Enum):
    """The edge of the board that is farther from the camera, in the picture."""

    TOP = "top"
    RIGHT = "right"
    BOTTOM = "bottom"
    LEFT = "left"


class BoardView(msgspec.Struct, frozen=True):
    """The board in one picture: the picture's name, the board's visible corners, (N, 3) mm, the same corners
    in the picture, (N, 2) px, and their ids, (N,).
    """

    name: str
    points: Floats
    pixels: Floats
    ids: tuple[int, ...]


class PictureFault(Enum):
    """The reason why a picture is not taken."""

    SIZE = "size"
    """Its size differs from that of earlier pictures."""
    UNSEEN = "unseen"
    """The board is not in view, or too little of it."""
    SAME = "same"
    """The board is at the same place as in an earlier picture."""


class Missing(msgspec.Struct, frozen=True):
    """The missing views: ``views`` is their number; ``parts``, (column, row) from the top left, are the parts
    of the picture where the board is missing; ``sides`` are those that must be farther away in a tilted view.
    """

    views: int
    parts: tuple[tuple[int, int], ...]
    sides: tuple[FartherSide, ...]

    def __bool__(self) -> bool:
        """Return True if anything is missing."""
        return bool(self.views or self.parts or self.sides)


class Reason(Enum):
    """The reason why a calibration is refused."""

    MISSING = "missing"
    """Some views are missing."""
    ERROR = "error"
    """The error is too large: a board that is not flat, pictures that are not sharp, or a focus that
    moved.
    """
    LOOSE = "loose"
    """The pictures leave the focal length open: tilt the board more."""
    ODD = "odd"
    """This model does not describe the lens: its middle or its proportions are far off."""


class CalibrationRefused(Exception):
    """A refused calibration: the ``reason``, the error ``rms_px`` and the ``worst`` pictures."""

    def __init__(self, reason: Reason, rms_px: float = 0.0, worst: tuple[str, ...] = ()) -> None:
        self.reason = reason
        self.rms_px = rms_px
        self.worst = worst


class LensCalibration(msgspec.Struct, frozen=True):
    """A lens, its error (root mean square over all corners, px), the pictures used, each with its error, and
    the names of those left out.
    """

    lens: Lens
    rms_px: float
    views: tuple[tuple[str, float], ...]
    left_out: tuple[str, ...]


def board() -> cv2.aruco.CharucoBoard:
    """Return the board; its first square, top left, is black."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, dictionary)


def look(picture: Picture, name: str = "") -> BoardView | None:
    """Find the board in a picture; None if too few of its corners are in view."""
    plan = board()
    detector = cv2.aruco.CharucoDetector(plan)
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    corners, ids, _, _ = detector.detectBoard(gray)
    if corners is None or len(corners) < LEAST_CORNERS:
        return None
    which = np.asarray(ids, dtype=np.int64).ravel()
    points = np.asarray(plan.getChessboardCorners(), dtype=np.float64).reshape(-1, 3)[which]
    # Corners in only one or two rows or columns tell too little.
    if min(len(np.unique(np.round(points[:, axis]))) for axis in (0, 1)) < 3:
        return None
    return BoardView(name, points, _refine(gray, np.asarray(corners)), tuple(which.tolist()))


def _refine(gray: NDArray[np.uint8], corners: NDArray[np.float32]) -> Floats:
    """Measure the corners where four squares meet, (N, 2) px: OpenCV 4.10 alone is half a pixel off."""
    pixels = corners.reshape(-1, 1, 2).astype(np.float32).copy()
    steps = np.linalg.norm(np.diff(pixels[:, 0], axis=0), axis=1)
    # The window must not reach the markers, which begin 0.14 of a square away.
    reach = int(np.clip(0.12 * steps.min(), 2, 8))
    enough = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 40, 0.001)
    cv2.cornerSubPix(gray, pixels, (reach, reach), (-1, -1), enough)
    return pixels.reshape(-1, 2).astype(np.float64)


class Collection:
    """The views so far, and the missing ones."""

    def __init__(self) -> None:
        self.size: tuple[int, int] | None = None
        self.views: list[BoardView] = []

    def add(self, picture: Picture, name: str = "") -> PictureFault | None:
        """Take a picture, or return the reason against it."""
        size = picture.shape[1], picture.shape[0]
        if self.size not in (None, size):
            return PictureFault.SIZE
        view = look(picture, name)
        if view is None:
            return PictureFault.UNSEEN
        if any(_measure_distance(view, other) < SAME * size[0] for other in self.views):
            return PictureFault.SAME
        self.size = size
        self.views.append(view)
        return None

    @property
    def missing(self) -> Missing:
        """The views that are still missing."""
        if self.size is None:
            parts = tuple((column, row) for row in range(PARTS) for column in range(PARTS))
            return Missing(LEAST_VIEWS, parts, tuple(FartherSide))
        width, height = self.size
        counts = np.zeros((PARTS, PARTS), dtype=int)
        for view in self.views:
            places = np.floor(view.pixels / [width, height] * PARTS).astype(int).clip(0, PARTS - 1)
            np.add.at(counts, (places[:, 1], places[:, 0]), 1)
        empty = [(int(column), int(row)) for row, column in np.argwhere(counts < LEAST_IN_PART)]
        few = len(self.views) < FITTED
        lens = (
            _guess_lens(self.size) if few else _calibrate_once(self.views, self.size, cv2.CALIB_FIX_K3).lens
        )
        tilted = [side for view in self.views for side in tilts(view, lens)]
        sides = [side for side in FartherSide if tilted.count(side) < LEAST_TILTED]
        return Missing(max(0, LEAST_VIEWS - len(self.views)), tuple(empty), tuple(sides))


def tilts(view: BoardView, lens: Lens) -> tuple[FartherSide, ...]:
    """Return the sides that are farther away in a tilted view, going by ``lens``."""
    done, turn, _ = cv2.solvePnP(
        view.points.reshape(-1, 1, 3),
        view.pixels.reshape(-1, 1, 2),
        lens.matrix,
        lens.coefficients,
        flags=cv2.SOLVEPNP_IPPE,
    )
    if not done:
        return ()
    away = np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)[:, 2]
    # The board's z points away from the viewer; if it leans to the right, the left side is farther away.
    across, down = np.degrees(np.arctan2(away[:2], away[2]))
    sides = [
        (FartherSide.LEFT, across > TILT_DEG),
        (FartherSide.RIGHT, across < -TILT_DEG),
        (FartherSide.TOP, down > TILT_DEG),
        (FartherSide.BOTTOM, down < -TILT_DEG),
    ]
    return tuple(side for side, so in sides if so)


def calibrate(collection: Collection) -> LensCalibration:
    """Return the lens that explains the views; raises :class:`CalibrationRefused` if none is reliable."""
    if collection.missing or collection.size is None:
        raise CalibrationRefused(Reason.MISSING)
    views = list(collection.views)
    solved = _solve(views, collection.size)
    odd = solved.errors > ODD * np.median(solved.errors)
    if odd.any() and len(views) - odd.sum() >= LEAST_VIEWS * 3 // 4:
        views = [view for view, out in zip(views, odd, strict=True) if not out]
        solved = _solve(views, collection.size)
    named = tuple((view.name, float(error)) for view, error in zip(views, solved.errors, strict=True))
    worst = tuple(name for name, _ in sorted(named, key=lambda each: -each[1])[:3])
    if not solved.rms < MOST_RMS_PX:
        raise CalibrationRefused(Reason.ERROR, solved.rms, worst)
    lens, (width, height) = solved.lens, collection.size
    if (
        abs(lens.fx / lens.fy - 1) > 0.05
        or max(abs(lens.cx / width - 0.5), abs(lens.cy / height - 0.5)) > 0.1
    ):
        raise CalibrationRefused(Reason.ODD, solved.rms, worst)
    others = [_calibrate_once(views, collection.size, cv2.CALIB_FIX_K3, guess) for guess in GUESSES]
    focal = [other.lens.fx for other in others]
    if max(focal) > (1 + MOST_LOOSE) * min(focal):
        raise CalibrationRefused(Reason.LOOSE, solved.rms, worst)
    left_out = {view.name for view in collection.views} - {name for name, _ in named}
    return LensCalibration(lens, solved.rms, named, tuple(sorted(left_out)))


class _Solved(msgspec.Struct, frozen=True):
    lens: Lens
    rms: float
    errors: Floats  # of each view, px


def _solve(views: Sequence[BoardView], size: tuple[int, int]) -> _Solved:
    """Calibrate with three terms of radial distortion if the third helps, otherwise with two."""
    two, three = (_calibrate_once(views, size, flags) for flags in (cv2.CALIB_FIX_K3, 0))
    return three if three.rms < 0.9 * two.rms else two


def _calibrate_once(
    views: Sequence[BoardView], size: tuple[int, int], flags: int, guess: float = GUESSES[0]
) -> _Solved:
    points = [view.points.reshape(-1, 1, 3).astype(np.float32) for view in views]
    pixels = [view.pixels.reshape(-1, 1, 2).astype(np.float32) for view in views]
    start = _guess_lens(size, guess)
    rms, found, dist, _, _, _, _, errors = cv2.calibrateCameraExtended(
        points, pixels, size, start.matrix, start.coefficients, flags=flags | cv2.CALIB_USE_INTRINSIC_GUESS
    )
    k1, k2, p1, p2, k3 = (float(each) for each in np.ravel(dist)[:5])
    fx, fy, cx, cy = (float(found[at]) for at in ((0, 0), (1, 1), (0, 2), (1, 2)))
    lens = Lens(size, fx, fy, cx, cy, (k1, k2, p1, p2, k3))
    return _Solved(lens, float(rms), np.ravel(errors).astype(np.float64))


def _guess_lens(size: tuple[int, int], focal: float = GUESSES[0]) -> Lens:
    """Return a lens to start from; ``focal`` is in widths of the picture."""
    wide = focal * max(size)
    return Lens(size, wide, wide, size[0] / 2, size[1] / 2)


def _measure_distance(view: BoardView, other: BoardView) -> float:
    """Return the mean distance of corners that two views share, px; infinity without a shared one."""
    where = dict(zip(other.ids, other.pixels, strict=True))
    pairs = [(at, where[id_]) for id_, at in zip(view.ids, view.pixels, strict=True) if id_ in where]
    if len(pairs) < LEAST_CORNERS:
        return float("inf")
    return float(np.mean([np.linalg.norm(a - b) for a, b in pairs]))
