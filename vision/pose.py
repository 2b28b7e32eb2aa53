"""The pose of a camera over a field: one rotation and one shift, from points with known places, and the pose
that markers agree on.

Field coordinates are mm, right-handed: the origin is the field's south-west corner, x east, y north, z up.

A marker that was moved, a false one or one of something else must not win: a pose counts only if markers
agree on it, each within the error of a hand that laid it down.

Markers give a pose only as well as they are cut and laid: by hand some tenths of a millimetre off, and ink
and blur make black a little smaller. A pose that takes them for exact is wrong by a pixel where one with some
slack is not (measured on rendered tables: the elevation is 0.13° off without slack, 0.05° with it).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, islice

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats, Lens
from vision.markers import Marker, MarkerEdge

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
        _make_pose(*(np.asarray(each, dtype=np.float64).ravel() for each in (turn, shift))),
    )


def refine(lens: Lens, points_mm: Floats, pixels: Floats, start: Pose, whiten: Floats | None = None) -> Pose:
    """Improve a pose until (N, 3) mm fall on their (N, 2) px as well as possible, by least squares.

    ``whiten``, (2N, 2N), turns the residuals (x and y of each point in turn) into figures of equal weight;
    without it all pixels have equal weight. The method is Levenberg and Marquardt's.
    """
    here = np.array([*start.rotation, *start.translation])

    def off(at: Floats) -> tuple[Floats, Floats]:
        seen, slopes = _project_slopes(lens, points_mm, at)
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
    return _make_pose(here[:3], here[3:])


def slide(lens: Lens, points_mm: Floats, pose: Pose) -> Floats:
    """Return the slopes of (N, 3) mm, (N, 2, 3) px per mm, for moves east, north and up."""
    slopes = pose_slopes(lens, points_mm, pose)
    return np.asarray(slopes[:, 3:].reshape(-1, 2, 3) @ pose.matrix, dtype=np.float64)


def pose_slopes(lens: Lens, points_mm: Floats, pose: Pose) -> Floats:
    """Return the slopes of (N, 3) mm in the picture, (2N, 6), by a pose's rotation, then translation."""
    return _project_slopes(lens, points_mm, np.array([*pose.rotation, *pose.translation]))[1]


def stepped(pose: Pose, step: Floats) -> Pose:
    """Return a pose with (6,) added to its figures."""
    return _make_pose(np.array(pose.rotation) + step[:3], np.array(pose.translation) + step[3:])


def _project_slopes(lens: Lens, points_mm: Floats, at: Floats) -> tuple[Floats, Floats]:
    points = np.ascontiguousarray(points_mm, dtype=np.float64).reshape(-1, 1, 3)
    seen, slopes = cv2.projectPoints(points, at[:3], at[3:], lens.matrix, lens.coefficients)
    return np.asarray(seen, dtype=np.float64).reshape(-1, 2), np.asarray(slopes[:, :6], dtype=np.float64)


def _make_pose(turn: Floats, shift: Floats) -> Pose:
    a, b, c = (float(one) for one in turn)
    x, y, z = (float(one) for one in shift)
    return Pose((a, b, c), (x, y, z))


# The pose that markers agree on

PIXEL_PX = 0.12
"""The error of a measured corner of a marker (standard deviation)."""

BLEED_PX = 0.25
"""The common shift of all black edges of a picture by ink and blur (standard deviation)."""

SLIP_MM = 0.3
"""The error of a marker laid down by hand, in each direction (standard deviation)."""

KNOWN_SLIP_MM = 0.05
"""The same error of a marker whose true place was learnt while all markers were in view."""

OFF_MM = 0.9
"""A marker farther off its place does not agree with the others.

Measured on 52 rendered pictures: at most 0.47. A marker that lies 2 mm off while the others are within 0.3 mm
is found out every other time, one that lies 3 mm off always.
"""

MOST_BLEED_PX = 1.2
"""Markers that bleed more are of another size, or nearer or farther than they should be."""

UNLIKE = 0.012
"""The largest difference of a marker's shape from the one by the others (root mean square), in its widths.

Measured on 92 rendered pictures: at most 0.0054. A thumb on a sixteenth of a marker makes it 0.02.
"""

HIDDEN_PX = 1.0
"""The standard deviation of markers out of view, whose old places count if the camera has stayed."""

TRIES = 400
"""The most sets of markers of one size to try if they do not all agree."""

Places = Mapping[int, Floats]
"""The places of each marker's corners by id, (4, 3) mm, in the order of :class:`vision.markers.Marker`."""


class Part(msgspec.Struct, frozen=True):
    """A partly covered marker: the visible parts of its sides; side 0 is the one printed on top."""

    id: int
    sides: tuple[tuple[int, MarkerEdge], ...]


class MeasuredPoints(msgspec.Struct, frozen=True):
    """Measured points: N points, (N, 3) mm and (N, 2) px, the number of each one's marker, (N,), and its move
    for one px of bleeding, (N, 2). ``select``, (R, 2N), makes the R measured figures of the x and y of all
    points: a side gives only its distance outwards. ``owners``, (R,), is the number of each figure's marker.
    """

    points: Floats
    pixels: Floats
    owner: NDArray[np.int64]
    bleed: Floats
    select: Floats
    owners: NDArray[np.int64]


class Slack(msgspec.Struct, frozen=True):
    """Causes of error besides the pose: (R, K) px per unit of K causes, the standard deviation of each, and
    the (R, R) spread of the R figures by causes and noise.
    """

    slopes: Floats
    sigma: Floats
    spread: Floats

    @property
    def whiten(self) -> Floats:
        """The matrix that makes the figures independent with standard deviation 1, (R, R)."""
        return np.asarray(np.linalg.inv(np.linalg.cholesky(self.spread)), dtype=np.float64)

    def causes(self, rest: Floats) -> Floats:
        """Return the likeliest causes, (K,), of residuals (R,)."""
        return np.asarray(self.sigma**2 * (self.slopes.T @ np.linalg.solve(self.spread, rest)))


def measure_points(places: Places, used: Sequence[Marker], parts: Sequence[Part] = ()) -> MeasuredPoints:
    """Return the figures of whole markers and of parts of others."""
    points, pixels, owner, owners, bleed = [], [], [], [], []
    select: list[Floats] = []
    for number, marker in enumerate(used):
        arms = marker.array - marker.array.mean(axis=0)
        points.append(places[marker.id])
        pixels.append(marker.array)
        bleed.append(np.sqrt(2) * arms / np.linalg.norm(arms, axis=1)[:, None])
        owner += [number] * 4
        owners += [number] * 8
        select.append(np.eye(8))
    for number, part in enumerate(parts, len(used)):
        for side, edge in part.sides:
            start, end = places[part.id][side], places[part.id][(side + 1) % 4]
            points.append(start + np.array(edge.where)[:, None] * (end - start))
            pixels.append(edge.pixels)
            bleed.append(np.tile(edge.outward, (2, 1)))
            owner += [number] * 2
            owners += [number] * 2
            select += [edge.outward[None, :]] * 2
    at, seen, out = (np.concatenate(each) for each in (points, pixels, bleed))
    every = reduce(_join_blocks, select)
    return MeasuredPoints(at, seen, np.array(owner), out, every, np.array(owners))


def slack(lens: Lens, told: MeasuredPoints, pose: Pose, give_mm: Sequence[float]) -> Slack:
    """Return the slack of points seen from about ``pose``: each marker may slip by ``give_mm``, all may
    bleed.
    """
    moves = slide(lens, told.points, pose)[:, :, :2]
    slopes = np.zeros((len(told.points), 2, 2 * len(give_mm) + 1))
    for number in range(len(give_mm)):
        own = told.owner == number
        slopes[own, :, 2 * number : 2 * number + 2] = moves[own]
    slopes[:, :, -1] = told.bleed
    causes = told.select @ slopes.reshape(-1, slopes.shape[2])
    sigma = np.array([*np.repeat(give_mm, 2), BLEED_PX])
    return Slack(causes, sigma, PIXEL_PX**2 * np.eye(len(causes)) + (causes * sigma**2) @ causes.T)


class Fit(msgspec.Struct, frozen=True):
    """A pose with the slips of its markers, the markers and parts that it rests on, its cost (the unexplained
    rest, in squared standard deviations per figure), and True if the markers agree on it.
    """

    pose: Pose
    markers: tuple[Marker, ...]
    parts: tuple[Part, ...]
    cost: float
    agree: bool


def fit(
    lens: Lens,
    places: Places,
    used: Sequence[Marker],
    known: Sequence[Slip] = (),
    stay: Pose | None = None,
    parts: Sequence[Part] = (),
) -> Fit | None:
    """Fit a pose to the markers ``used`` and the ``parts`` of others, one of each id; None if none fits.

    ``places`` include the ``known`` slips. ``stay`` is the old pose of the camera: markers out of view count
    a little for its staying there.
    """
    told = measure_points(places, used, parts)
    start = stay or solve(lens, told.points[: 4 * len(used)], told.pixels[: 4 * len(used)])
    if start is None:
        return None
    ids = [*(marker.id for marker in used), *(part.id for part in parts)]
    learnt = {slip.id for slip in known}
    loose = slack(lens, told, start, [KNOWN_SLIP_MM if id_ in learnt else SLIP_MM for id_ in ids])
    points, pixels, whiten = told.points, told.pixels, loose.whiten @ told.select
    hidden = [places[id_] for id_ in places if id_ not in ids]
    if stay and hidden:
        away = np.concatenate(hidden)
        points, pixels = np.concatenate([points, away]), np.concatenate([pixels, stay.project(lens, away)])
        whiten = _join_blocks(whiten, np.eye(2 * len(away)) / HIDDEN_PX)
    pose = refine(lens, points, pixels, start, whiten)
    rest = told.select @ (told.pixels - pose.project(lens, told.points)).ravel()
    causes = loose.causes(rest)
    left, slips, bleed = rest - loose.slopes @ causes, causes[:-1].reshape(-1, 2), float(causes[-1])
    agree = (
        abs(bleed) < MOST_BLEED_PX
        and np.hypot(*slips.T).max() < OFF_MM
        and all(
            np.sqrt((left[told.owners == number] ** 2).mean()) < UNLIKE * width_of(lens, places[id_], pose)
            for number, id_ in enumerate(ids)
        )
    )
    new = [Slip(id_, x, y) for id_, (x, y) in zip(ids, slips.tolist(), strict=True) if id_ not in learnt]
    every = sorted((*known, *new), key=lambda slip: slip.id)
    whole = loose.whiten @ rest
    pose = msgspec.structs.replace(pose, slips=tuple(every))
    return Fit(pose, tuple(used), tuple(parts), float(whole @ whole) / len(whole), bool(agree))


def _join_blocks(one: Floats, other: Floats) -> Floats:
    """Join two independent matrices into one, block by block."""
    (rows, columns), (more_rows, more_columns) = one.shape, other.shape
    both = np.zeros((rows + more_rows, columns + more_columns))
    both[:rows, :columns], both[rows:, columns:] = one, other
    return both


def width_of(lens: Lens, corners: Floats, pose: Pose) -> float:
    """Return a marker's width in the picture, px."""
    return float(np.linalg.norm(np.diff(pose.project(lens, corners), axis=0), axis=1).mean())


def agreeing(lens: Lens, places: Places, ours: Sequence[Marker], known: Sequence[Slip] = ()) -> Fit | None:
    """Return the largest set of markers that agree on a pose; of equally large ones the one that fits better.

    They must be more than half of those in view. None if as many others agree on something else: a second
    board, or a picture of one.
    """
    half = len({marker.id for marker in ours}) // 2
    for size in range(len(ours), max(1, half), -1):
        fits = [fit(lens, places, used, known) for used in islice(_choose_sets(ours, size), TRIES)]
        good = sorted((each for each in fits if each is not None and each.agree), key=lambda each: each.cost)
        if good:
            return good[0] if all(_count_shared(good[0], other) > 1 for other in good) else None
    return None


def _count_shared(one: Fit, other: Fit) -> int:
    """Return the number of markers that two poses share; poses that share only one are two opinions."""
    return len(set(one.markers) & set(other.markers))


def _choose_sets(ours: Sequence[Marker], size: int) -> Iterator[tuple[Marker, ...]]:
    return (used for used in combinations(ours, size) if len({marker.id for marker in used}) == size)


def slipped(places: Places, slips: Sequence[Slip]) -> dict[int, Floats]:
    """Return the markers' places with their learnt slips."""
    off = {slip.id: np.array([slip.x_mm, slip.y_mm, 0.0]) for slip in slips}
    return {id_: corners + off.get(id_, 0.0) for id_, corners in places.items()}


def distance_px(lens: Lens, places: Places, marker: Marker, pose: Pose) -> float:
    """Return the mean distance of a marker's corners from their places by a pose, px."""
    far = marker.array - pose.project(lens, places[marker.id])
    return float(np.linalg.norm(far, axis=1).mean())
