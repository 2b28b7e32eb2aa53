"""Slack of markers: they tell a pose only as well as they are cut and laid.

Markers are cut out and laid down by hand, some tenths of a millimetre off, and ink and blur make black a
little smaller than it is. A pose that takes them for exact is wrong by a pixel where one found with some
slack is not (measured on rendered tables: the elevation is 0.13° off without slack, 0.05° with it).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats, Lens
from vision.markers import Edge, Marker
from vision.pose import Pose, slide

PIXEL_PX = 0.12
"""How well a corner of a marker is measured (standard deviation)."""

BLEED_PX = 0.25
"""How far ink and blur may shift all black edges of a picture alike (standard deviation)."""


Places = Mapping[int, Floats]
"""By id where each marker's corners are, (4, 3) mm, in the order of :class:`vision.markers.Marker`."""


class Part(msgspec.Struct, frozen=True):
    """A marker that is partly covered: what is in view of its sides; side 0 is the one printed on top."""

    id: int
    sides: tuple[tuple[int, Edge], ...]


class Figures(msgspec.Struct, frozen=True):
    """Measured points: N points, (N, 3) mm and (N, 2) px, the number of the marker each belongs to, (N,),
    and where one px of bleeding moves each, (N, 2). ``select``, (R, 2N), makes the R figures that are
    measured of the x and y of all points: of a side only how far out it lies.
    """

    points: Floats
    pixels: Floats
    owner: NDArray[np.int64]
    bleed: Floats
    select: Floats

    @property
    def owners(self) -> NDArray[np.int64]:
        """The number of the marker that each figure belongs to, (R,)."""
        return np.asarray(self.owner[np.abs(self.select).argmax(axis=1) // 2], dtype=np.int64)


class Slack(msgspec.Struct, frozen=True):
    """Causes of error besides the pose: (R, K) px per unit of K causes, the standard deviation of each, and
    the (R, R) spread of the R figures that they and the noise make.
    """

    slopes: Floats
    sigma: Floats
    spread: Floats

    @property
    def whiten(self) -> Floats:
        """Return the matrix that makes the figures independent with standard deviation 1, (R, R)."""
        return np.asarray(np.linalg.inv(np.linalg.cholesky(self.spread)), dtype=np.float64)

    def causes(self, rest: Floats) -> Floats:
        """Return the likeliest causes, (K,), of residuals (R,)."""
        return np.asarray(self.sigma**2 * (self.slopes.T @ np.linalg.solve(self.spread, rest)))


def figures(places: Places, used: Sequence[Marker], parts: Sequence[Part] = ()) -> Figures:
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
    return Figures(at, seen, np.array(owner), out, every)


def slack(lens: Lens, told: Figures, pose: Pose, give_mm: Sequence[float]) -> Slack:
    """The slack of what is seen from about ``pose``: each marker may slip by ``give_mm``, all may bleed."""
    moves = slide(lens, told.points, pose)[:, :, :2]
    slopes = np.zeros((len(told.points), 2, 2 * len(give_mm) + 1))
    for number in range(len(give_mm)):
        own = told.owner == number
        slopes[own, :, 2 * number : 2 * number + 2] = moves[own]
    slopes[:, :, -1] = told.bleed
    causes = told.select @ slopes.reshape(-1, slopes.shape[2])
    sigma = np.array([*np.repeat(give_mm, 2), BLEED_PX])
    return Slack(causes, sigma, PIXEL_PX**2 * np.eye(len(causes)) + (causes * sigma**2) @ causes.T)
