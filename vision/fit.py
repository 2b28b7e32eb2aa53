"""The pose that markers agree on.

A marker that was moved, a false one or one of something else must not win: a pose counts only if markers
agree on it, each within the error of a hand that laid it down.

Markers give a pose only as well as they are cut and laid: by hand some tenths of a millimetre off, and ink
and blur make black a little smaller. A pose that takes them for exact is wrong by a pixel where one with some
slack is not (measured on rendered tables: the elevation is 0.13° off without slack, 0.05° with it).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats, Lens
from vision.markers import Marker, MarkerEdge
from vision.pose import Pose, Slip, refine, slide, solve

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
    points: a side gives only its distance outwards.
    """

    points: Floats
    pixels: Floats
    owner: NDArray[np.int64]
    bleed: Floats
    select: Floats

    @property
    def owners(self) -> NDArray[np.int64]:
        """The number of each figure's marker, (R,)."""
        return np.asarray(self.owner[np.abs(self.select).argmax(axis=1) // 2], dtype=np.int64)


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


def figures(places: Places, used: Sequence[Marker], parts: Sequence[Part] = ()) -> MeasuredPoints:
    """Return the figures of whole markers and of parts of others."""
    points, pixels, owner, bleed = [], [], [], []
    select: list[Floats] = []
    for number, marker in enumerate(used):
        arms = marker.array - marker.array.mean(axis=0)
        points.append(places[marker.id])
        pixels.append(marker.array)
        bleed.append(np.sqrt(2) * arms / np.linalg.norm(arms, axis=1)[:, None])
        owner += [number] * 4
        select += [np.eye(2)] * 4
    for number, part in enumerate(parts, len(used)):
        for side, edge in part.sides:
            start, end = places[part.id][side], places[part.id][(side + 1) % 4]
            points.append(start + np.array(edge.where)[:, None] * (end - start))
            pixels.append(edge.pixels)
            bleed.append(np.tile(edge.outward, (2, 1)))
            owner += [number] * 2
            select += [edge.outward[None, :]] * 2
    every = np.zeros((sum(len(rows) for rows in select), 2 * len(owner)))
    row = 0
    for number, rows in enumerate(select):
        every[row : row + len(rows), 2 * number : 2 * number + 2] = rows
        row += len(rows)
    arrays = (np.concatenate(each) for each in (points, pixels, bleed))
    at, seen, out = arrays
    return MeasuredPoints(at, seen, np.array(owner), out, every)


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
    told = figures(places, used, parts)
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
        whiten = _beside(whiten, np.eye(2 * len(away)) / HIDDEN_PX)
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


def _beside(one: Floats, other: Floats) -> Floats:
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
        fits = [fit(lens, places, used, known) for used in islice(_sets(ours, size), TRIES)]
        good = sorted((each for each in fits if each is not None and each.agree), key=lambda each: each.cost)
        if good:
            return good[0] if all(_shared(good[0], other) > 1 for other in good) else None
    return None


def _shared(one: Fit, other: Fit) -> int:
    """Return the number of markers that two poses share; poses that share only one are two opinions."""
    return len(set(one.markers) & set(other.markers))


def _sets(ours: Sequence[Marker], size: int) -> Iterator[tuple[Marker, ...]]:
    return (used for used in combinations(ours, size) if len({marker.id for marker in used}) == size)


def slipped(places: Places, slips: Sequence[Slip]) -> dict[int, Floats]:
    """Return the markers' places with their learnt slips."""
    off = {slip.id: np.array([slip.x_mm, slip.y_mm, 0.0]) for slip in slips}
    return {id_: corners + off.get(id_, 0.0) for id_, corners in places.items()}


def distance_px(lens: Lens, places: Places, marker: Marker, pose: Pose) -> float:
    """Return the mean distance of a marker's corners from their places by a pose, px."""
    far = marker.array - pose.project(lens, places[marker.id])
    return float(np.linalg.norm(far, axis=1).mean())
