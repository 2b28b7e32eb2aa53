"""Places of boards of hexes in their field, by the rims of the hexes, and other things in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats, Picture

PX_MM: Final = 2.0
"""The px per mm of a field seen from above, in :func:`vision.plane.flatten`."""
AROUND_MM: Final = 2.0
"""The margin of that picture in mm."""
RIM_MM: Final = 1.6
"""The width of searched rims of hexes: tiles lie a little beside their places."""
BAND: Final = (0.72, 0.9)
"""The band of a hex, in parts of its reach, that is even: edges there speak against a rim."""
STEEP: Final = 92.0
"""The percentile of edges above which all count alike: pictograms, and the boards' own edge."""
NOISE: Final = 0.4
"""The least such edge, in logarithms over a px and eight times: on a bare sheet less is noise."""
SEEN: Final = 0.2
"""The least visibility of rims: clear pictures have 0.39 to 0.74, places between the hexes 0."""
LIKE: Final = 0.6
"""The least visibility of a slipped board, as a part of the others'; a covered one has less."""
SLIP_MM: Final = 3.0
"""A board farther than this from its place by the others has slipped; places are found to 1.5 mm."""
OTHER: Final = 0.25
"""The least distance in a colour's logarithms of another thing."""
THING_MM2: Final = 150.0
"""The least area of a thing."""
EVEN: Final = 0.75
"""If so much of a mat looks alike, the rest is a thing, even without a picture of the bare mat."""

Plane = NDArray[np.float32]


class Lie(msgspec.Struct, frozen=True, eq=False):
    """The places of boards: the offset of each from its expected place, (N, 2) mm east and north, and the
    visibility of its rims, up to 1.
    """

    moved: Floats
    seen: Floats

    @property
    def apart(self) -> Floats:
        """The offset of each board from its place by the others, (N, 2) mm."""
        return np.asarray(self.moved - np.median(self.moved, axis=0))

    @property
    def slipped(self) -> int | None:
        """The board that has slipped farthest, None if they lie together."""
        far = np.hypot(*self.apart.T)
        return int(far.argmax()) if far.max() > SLIP_MM else None

    @property
    def covered(self) -> list[int]:
        """The boards that are hardly visible; one that seems to have slipped must be as visible as the
        others.
        """
        least = np.full(len(self.seen), SEEN)
        if self.slipped is not None:
            least[self.slipped] = max(SEEN, LIKE * float(np.median(self.seen)))
        return np.flatnonzero(self.seen < least).tolist()


def find(
    flat: Picture,
    boards: Sequence[Floats],
    corner_mm: float,
    room_mm: tuple[float, float],
    loose_mm: tuple[float, float] | None = None,
) -> Lie:
    """Return the places of boards in a field, seen from above as ``flat``.

    Together they lie no farther than ``room_mm`` east and north from their expected places, and each no
    farther than ``loose_mm``, or a little more than a hex, from its place by the others. ``boards`` are the
    middles of their hexes, each (N, 2) mm from the field's north-west corner, east and south, and
    ``corner_mm`` is the distance of a hex's corners from its middle.
    """
    smooth = cv2.GaussianBlur(_take_logs(flat), (0, 0), 1.0)
    steep = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)).max(axis=2)
    steep = np.minimum(steep / max(float(np.percentile(steep, STEEP)), NOISE), 1.0).astype(np.float32)
    whole, _ = _find_best(steep, np.concatenate(boards), corner_mm, room_mm)
    loose = loose_mm or (2 * corner_mm, corner_mm)
    each = [_find_best(steep, one + whole, corner_mm, loose) for one in boards]
    moved = np.array([whole + further for further, _ in each]) * (1, -1)
    return Lie(moved, np.array([seen for _, seen in each]))


def _find_best(
    steep: Plane, middles: Floats, corner_mm: float, room_mm: tuple[float, float]
) -> tuple[Floats, float]:
    """Return the best offset of the rims of hexes, east and south in mm, and their visibility."""
    px, reach = (middles + AROUND_MM) * PX_MM, corner_mm * PX_MM
    low = np.floor(px.min(axis=0) - reach).astype(int) - 2
    wide, high = np.ceil(px.max(axis=0) + reach).astype(int) + 3 - low
    east, south = (round(mm * PX_MM) for mm in room_mm)
    columns, rows = low[0] + np.arange(-east, wide + east), low[1] + np.arange(-south, high + south)
    there = steep[np.clip(rows, 0, len(steep) - 1)[:, None], np.clip(columns, 0, steep.shape[1] - 1)]
    scores = cv2.matchTemplate(there, _draw_rims(px - low, reach, (int(high), int(wide))), cv2.TM_CCORR)
    _, seen, _, best = cv2.minMaxLoc(scores)
    return (np.array(best) - (east, south)) / PX_MM, float(seen)


def _draw_rims(px: Floats, reach: float, shape: tuple[int, int]) -> Plane:
    """Return the weights of a match: of the rims of hexes, 1 in all, and of the bands inside them, -1."""
    rims, bands = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    for part, value in ((BAND[1], 1), (BAND[0], 0)):
        for outline in _outline_hexes(px, reach * part):
            cv2.fillPoly(bands, [outline], value, cv2.LINE_8, 4)
    for outline in _outline_hexes(px, reach):
        cv2.polylines(rims, [outline], True, 1, round(RIM_MM * PX_MM), cv2.LINE_8, 4)
    bands[rims > 0] = 0
    return np.asarray(rims / rims.sum() - bands / bands.sum(), dtype=np.float32)


def _outline_hexes(px: Floats, reach: float) -> list[NDArray[np.int32]]:
    """Return the outlines of hexes around places, in sixteenths of a px."""
    angles = np.radians(30 + 60 * np.arange(6))
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * reach
    return [np.round((ring + middle) * 16).astype(np.int32) for middle in px]


def thing(flat: Picture, before: Picture | None, middles: Floats, corner_mm: float) -> Floats | None:
    """Return the middle of the largest thing beside the hexes, mm east and south; None without one.

    It was not there in the picture ``before``; without that picture it does not look like the mat around it.
    """
    beside = np.ones(flat.shape[:2], np.uint8)
    for outline in _outline_hexes((middles + AROUND_MM) * PX_MM, corner_mm * 1.2 * PX_MM):
        cv2.fillPoly(beside, [outline], 0, cv2.LINE_8, 4)
    now = _take_logs(flat) - (0.0 if before is None else _take_logs(before))
    apart = np.abs(now - np.median(now[beside > 0], axis=0)).max(axis=2)
    other = ((apart > OTHER) & (beside > 0)).astype(np.uint8)
    if before is None and other.sum() > (1 - EVEN) * beside.sum():
        return None
    other = cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    _, _, figures, places = cv2.connectedComponentsWithStats(other)
    if len(figures) < 2:
        return None
    largest = 1 + int(figures[1:, cv2.CC_STAT_AREA].argmax())
    if figures[largest, cv2.CC_STAT_AREA] < THING_MM2 * PX_MM**2:
        return None
    return np.asarray(places[largest] / PX_MM - AROUND_MM, dtype=np.float64)


def _take_logs(flat: Picture) -> Plane:
    return np.asarray(np.log(cv2.GaussianBlur(flat, (0, 0), 0.7).astype(np.float32) + 8.0))
