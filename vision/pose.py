"""The pose of a camera over a field: one rotation and one shift, from points with known places.

Field coordinates are mm, right-handed: the origin is the field's south-west corner, x east, y north, z up.
"""

from __future__ import annotations

import math

import cv2
import msgspec
import numpy as np

from vision.lens import Floats, Lens

STEPS = 12
"""The most steps to improve a pose."""


class Slip(msgspec.Struct, frozen=True):
    """The offset of a marker, by its id, east and north of its place."""

    id: int
    x_mm: float
    y_mm: float


class Pose(msgspec.Struct, frozen=True):
    """The map from field to camera coordinates, as OpenCV has it: a Rodrigues vector and a shift in mm.

    ``slips`` are the learnt offsets of the markers; they change nothing in the pose's projections.
    """

    rotation: tuple[float, float, float]
    translation: tuple[float, float, float]
    slips: tuple[Slip, ...] = ()

    @property
    def matrix(self) -> Floats:
        """The rotation, (3, 3): field axes to camera axes (x right, y down, z away)."""
        turn = cv2.Rodrigues(np.array(self.rotation))[0]
        return np.asarray(turn, dtype=np.float64)

    @property
    def camera_mm(self) -> Floats:
        """The camera's place in the field's coordinates, (3,) mm."""
        return np.asarray(-self.matrix.T @ np.array(self.translation), dtype=np.float64)

    @property
    def elevation_deg(self) -> float:
        """The camera's angle below the horizon along the middle of its view: 90 is straight down."""
        return math.degrees(math.asin(min(1.0, max(-1.0, -self.matrix[2, 2]))))

    @property
    def azimuth_deg(self) -> float:
        """The side from which the camera looks: 0 is the south, 90 the east, -90 the west, 180 the north.

        It means little if the camera looks almost straight down.
        """
        east, north = self.matrix[2, :2]
        return math.degrees(math.atan2(-east, north))

    @property
    def roll_deg(self) -> float:
        """The direction of the field's north in the picture: 0 up, 90 to the right, 180 down."""
        away = self.matrix @ np.array([0.0, 1.0, 0.0])
        return math.degrees(math.atan2(away[0], -away[1]))

    def beside(self, east_mm: float, north_mm: float) -> Pose:
        """Return the pose over a field whose origin lies so far east and north of this one's."""
        x, y, z = self.matrix @ np.array([east_mm, north_mm, 0.0]) + np.array(self.translation)
        return Pose(self.rotation, (float(x), float(y), float(z)))

    def project(self, lens: Lens, points_mm: Floats) -> Floats:
        """Return the places of points of the field, (N, 3) mm, in the picture: (N, 2) px, distorted.

        The place of a point behind the camera is meaningless.
        """
        points = np.ascontiguousarray(points_mm, dtype=np.float64).reshape(-1, 1, 3)
        if not len(points):
            return np.empty((0, 2))
        pixels, _ = cv2.projectPoints(
            points, np.array(self.rotation), np.array(self.translation), lens.matrix, lens.coefficients
        )
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)


def solve(lens: Lens, points_mm: Floats, pixels: Floats) -> Pose | None:
    """Find the pose that sees (N, 3) mm at (N, 2) px, N >= 4; None if there is none with them in front."""
    points = np.ascontiguousarray(points_mm, dtype=np.float64).reshape(-1, 1, 3)
    places = np.ascontiguousarray(pixels, dtype=np.float64).reshape(-1, 1, 2)
    try:
        done, turn, shift = cv2.solvePnP(
            points, places, lens.matrix, lens.coefficients, flags=cv2.SOLVEPNP_SQPNP
        )
    except cv2.error:  # points on one line, for example
        return None
    if not done or not np.isfinite(turn).all() or not np.isfinite(shift).all():
        return None
    return refine(
        lens,
        points_mm,
        pixels,
        _pose(*(np.asarray(each, dtype=np.float64).ravel() for each in (turn, shift))),
    )


def refine(lens: Lens, points_mm: Floats, pixels: Floats, start: Pose, whiten: Floats | None = None) -> Pose:
    """Improve a pose until (N, 3) mm fall on their (N, 2) px as well as possible, by least squares.

    ``whiten``, (2N, 2N), turns the residuals (x and y of each point in turn) into figures of equal weight;
    without it all pixels have equal weight. The method is Levenberg and Marquardt's.
    """
    here = np.array([*start.rotation, *start.translation])

    def off(at: Floats) -> tuple[Floats, Floats]:
        seen, slopes = _slopes(lens, points_mm, at)
        rest = (seen - pixels).ravel()
        return (rest, slopes) if whiten is None else (whiten @ rest, whiten @ slopes)

    rest, slopes = off(here)
    damping = 1e-6
    for _ in range(STEPS):
        square = slopes.T @ slopes
        try:
            step = np.linalg.solve(square + damping * np.diag(np.diag(square)), -slopes.T @ rest)
        except np.linalg.LinAlgError:
            break
        rest_there, slopes_there = off(here + step)
        better = float(rest @ rest - rest_there @ rest_there)
        if better > 0:
            here, damping = here + step, damping / 10
            rest, slopes = rest_there, slopes_there
            if better < 1e-9:
                break
        elif damping > 1e6 or float(np.abs(step).max()) < 1e-9:
            break
        else:
            damping *= 10
    return _pose(here[:3], here[3:])


def slide(lens: Lens, points_mm: Floats, pose: Pose) -> Floats:
    """Return the slopes of (N, 3) mm, (N, 2, 3) px per mm, for moves east, north and up."""
    slopes = pose_slopes(lens, points_mm, pose)
    return np.asarray(slopes[:, 3:].reshape(-1, 2, 3) @ pose.matrix, dtype=np.float64)


def pose_slopes(lens: Lens, points_mm: Floats, pose: Pose) -> Floats:
    """Return the slopes of (N, 3) mm in the picture, (2N, 6), by a pose's rotation, then translation."""
    return _slopes(lens, points_mm, np.array([*pose.rotation, *pose.translation]))[1]


def stepped(pose: Pose, step: Floats) -> Pose:
    """Return a pose with (6,) added to its figures."""
    return _pose(np.array(pose.rotation) + step[:3], np.array(pose.translation) + step[3:])


def _slopes(lens: Lens, points_mm: Floats, at: Floats) -> tuple[Floats, Floats]:
    points = np.ascontiguousarray(points_mm, dtype=np.float64).reshape(-1, 1, 3)
    seen, slopes = cv2.projectPoints(points, at[:3], at[3:], lens.matrix, lens.coefficients)
    return np.asarray(seen, dtype=np.float64).reshape(-1, 2), np.asarray(slopes[:, :6], dtype=np.float64)


def _pose(turn: Floats, shift: Floats) -> Pose:
    a, b, c = (float(one) for one in turn)
    x, y, z = (float(one) for one in shift)
    return Pose((a, b, c), (x, y, z))
