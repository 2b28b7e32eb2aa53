"""What every field has: the table top, the sheet it lies on, and four markers; and what hides a marker."""

from random import Random

import cv2
import numpy as np
from msgspec import Struct

from tests.vision.scenes.looks import INK, WHITE
from tests.vision.scenes.povray import about_z, box, finish, placed

MARKER = 24.0
PAD = 3.0
"""How much white stands round a marker."""
_DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


class Marker(Struct, frozen=True):
    """A marker's id and middle in the field, how it is turned, the width of its black square and the height
    of its sheet."""

    id: int
    x: float
    y: float
    turn_deg: float = 0.0
    side: float = MARKER
    up: float = 0.0

    def corners(self, half: float = MARKER / 2) -> np.ndarray:
        """Its four corners in the order a detector gives them, or those of a square round it: (4, 3) mm."""
        square = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
        return square @ about_z(self.turn_deg).T + (self.x, self.y, 0)


def markers(field, first: int, gap: float, rng: Random | None = None, off: float = 0.0) -> list[Marker]:
    """The four of a field, each laid down ``off`` mm (standard deviation) from where it should be."""
    width, height = field
    out = gap + MARKER / 2
    places = [(-out, height + out), (width + out, height + out), (width + out, -out), (-out, -out)]
    return [
        Marker(
            first + n,
            x + (rng.gauss(0, off) if rng else 0.0),
            y + (rng.gauss(0, off) if rng else 0.0),
            rng.gauss(0, off) if rng else 0.0,
        )
        for n, (x, y) in enumerate(places)
    ]


def things(field, margin: float, sheet, table, laid: list[Marker]) -> list[str]:
    """Table, sheet (its top at height 0) and markers."""
    width, height = field
    found = [
        box((-3000, -3000, -12), (3000, 3000, -2), finish(table)),
        box((-margin, -margin, -2), (width + margin, height + margin, 0), finish(sheet)),
    ]
    for marker in laid:
        found += drawn(marker)
    return found


def drawn(marker: Marker) -> list[str]:
    """A marker on its paper."""
    turn, at = about_z(marker.turn_deg), (marker.x, marker.y, marker.up)
    half = marker.side / 2
    pad = half + PAD * marker.side / MARKER
    parts = [
        (box((-pad, -pad, 0), (pad, pad, 0.02), ""), WHITE),
        (box((-half, -half, 0), (half, half, 0.03), ""), INK),
    ]
    cell = marker.side / 6
    bits = cv2.aruco.generateImageMarker(_DICTIONARY, marker.id, 6, borderBits=1)
    for row, column in np.argwhere(bits > 127):
        x, y = -half + column * cell, half - (row + 1) * cell
        parts.append((box((x, y, 0), (x + cell, y + cell, 0.04), ""), WHITE))
    return [placed(shape, finish(colour), turn, at) for shape, colour in parts]


def hidden(marker: Marker, camera, boxes: np.ndarray, half: float = MARKER / 2 + 1) -> bool:
    """Return True if one of ``boxes`` (N, 2, 3: low and high corners) stands between the camera and the
    marker.
    """
    steps = np.linspace(-half, half, 13)
    x, y = np.meshgrid(steps, steps)
    spots = np.stack([x.ravel() + marker.x, y.ravel() + marker.y, np.full(x.size, 0.05)], -1)
    return bool(crossed(spots, np.asarray(camera, float), boxes).any())


def crossed(spots: np.ndarray, camera: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """For each of ``spots`` (N, 3) whether a box stands between it and the camera."""
    if not len(boxes):
        return np.zeros(len(spots), bool)
    way = camera - spots
    way = np.where(np.abs(way) < 1e-9, 1e-9, way)
    low = (boxes[None, :, 0] - spots[:, None]) / way[:, None]
    high = (boxes[None, :, 1] - spots[:, None]) / way[:, None]
    enter = np.minimum(low, high).max(-1)
    leave = np.maximum(low, high).min(-1)
    return ((enter < leave) & (leave > 1e-6) & (enter < 1)).any(-1)
