"""The pose that markers agree on.

A marker that was moved, a false one or one of something else must not win: a pose counts only where markers
agree on it, each within what a hand may have laid it down amiss.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

import msgspec
import numpy as np

from vision.lens import Floats, Lens
from vision.markers import Marker
from vision.pose import Pose, Slip, refine, solve
from vision.slack import Part, Places, figures, slack

SLIP_MM = 0.3
"""How well a marker is laid down by hand, in each direction (standard deviation)."""

KNOWN_SLIP_MM = 0.05
"""The same of a marker whose true place was learnt while all markers were in view."""

OFF_MM = 0.9
"""A marker that would have to lie further off its place does not agree with the others.

Measured on 52 rendered pictures: at most 0.47. One that lies 2 mm off where the others are within 0.3 mm is
found out every other time, one that lies 3 mm off always.
"""

MOST_BLEED_PX = 1.2
"""Markers that would have to bleed more are of another size, or nearer or farther than they should be."""

UNLIKE = 0.012
"""How much of its width a marker's shape may differ from what the others make of it (root mean square).

Measured on 92 rendered pictures: at most 0.0054. A thumb that covers a sixteenth of a marker makes it 0.02.
"""

HIDDEN_PX = 1.0
"""How much a marker out of view counts for staying where it was (standard deviation)."""

TRIES = 400
"""How many sets of markers of one size are tried at most when they do not all agree."""


class Fit(msgspec.Struct, frozen=True):
    """A pose with the slips of its markers, what it stands on, what it leaves unexplained (in squared
    standard deviations per figure) and whether the markers agree on it.
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
    """The pose that fits the markers ``used`` and the ``parts`` of others, one of each id; None if none does.

    ``places`` has the ``known`` slips in it already. ``stay`` is where the camera stood: markers out of view
    count a little for its standing there still.
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
    """A matrix of two that have nothing to do with each other."""
    (rows, columns), (more_rows, more_columns) = one.shape, other.shape
    both = np.zeros((rows + more_rows, columns + more_columns))
    both[:rows, :columns], both[rows:, columns:] = one, other
    return both


def width_of(lens: Lens, corners: Floats, pose: Pose) -> float:
    """Return a marker's width in the picture, px."""
    return float(np.linalg.norm(np.diff(pose.project(lens, corners), axis=0), axis=1).mean())


def agreeing(lens: Lens, places: Places, ours: Sequence[Marker], known: Sequence[Slip] = ()) -> Fit | None:
    """The largest set of markers that agree on a pose; of two as large the one that fits better.

    They must be more than half of those in view. There is none where others, as many, agree on something
    else: a second board, a picture of one.
    """
    half = len({marker.id for marker in ours}) // 2
    for size in range(len(ours), max(1, half), -1):
        fits = [fit(lens, places, used, known) for used in islice(_sets(ours, size), TRIES)]
        good = sorted((each for each in fits if each is not None and each.agree), key=lambda each: each.cost)
        if good:
            return good[0] if all(_shared(good[0], other) > 1 for other in good) else None
    return None


def _shared(one: Fit, other: Fit) -> int:
    """Count the markers that two poses share: two that share but one are two opinions."""
    return len(set(one.markers) & set(other.markers))


def _sets(ours: Sequence[Marker], size: int) -> Iterator[tuple[Marker, ...]]:
    return (used for used in combinations(ours, size) if len({marker.id for marker in used}) == size)


def slipped(places: Places, slips: Sequence[Slip]) -> dict[int, Floats]:
    """Return the markers' places, given how far they were found off them."""
    off = {slip.id: np.array([slip.x_mm, slip.y_mm, 0.0]) for slip in slips}
    return {id_: corners + off.get(id_, 0.0) for id_, corners in places.items()}


def off(lens: Lens, places: Places, marker: Marker, pose: Pose) -> float:
    """Return a marker's mean distance from where a pose has its corners, px."""
    far = marker.array - pose.project(lens, places[marker.id])
    return float(np.linalg.norm(far, axis=1).mean())
