"""A floor with its pieces: the score of a keshi at a place, and the claims of others.

A place is scored by the evidence inside its silhouette (see :func:`vision.tray.floor.weigh_evidence`), by the
edges along its outline, and against the evidence left just outside.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import msgspec
import numpy as np

from vision.tray.floor import FloorSeen
from vision.tray.plan import PPM, Caster, Mask, Plane, PrismPlace, Window

EDGES, OUTSIDE = 0.8, 0.5
"""The weights of a place's score: for edges along its outline, and against evidence left outside."""
FAINTER = 0.1
"""The reduction of an outline's share that faint edges show.

On 23 light floors white pieces have 0.44 or more of them, nothing at all 0.41 or less.
"""
SLACK_MM = 1.2
"""The most that a piece may reach through the floor's edge: the error of sizes and pose."""
NORTH_MM = 5.5
"""The same in the north, which has no wall."""

HALF_PX, TURN = 0.5 / PPM, math.radians(2)
WIDE = (4, 4), (2, 2)
"""The steps of a close look, in :data:`HALF_PX` and :data:`TURN`."""
NARROW = ((2, 2),)
FINE = ((1, 1),)
_RIM = 4
_WAYS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
_SQUARE3 = np.ones((3, 3), np.uint8)
_SQUARE5 = np.ones((5, 5), np.uint8)


class FoundPlace(msgspec.Struct, frozen=True):
    """A place with its explanation of the picture: ``score``, and its parts.

    ``inside`` is the mean evidence within the silhouette, ``outline`` the share of edges along it,
    ``outside`` the evidence left beside it, ``visible`` the share of it over the floor's visible part,
    ``own`` the share of edges along the part of the outline that belongs to no other piece.
    """

    place: PrismPlace
    score: float
    inside: float = 0.0
    outline: float = 0.0
    outside: float = 0.0
    visible: float = 1.0
    own: float = 0.0


class _Stamp(Window, frozen=True):
    """A silhouette on the plan with its outline and the ring just outside."""

    line: Mask
    ring: Mask


class EvidenceTable:
    """The evidence with the claims of the places taken so far."""

    def __init__(
        self,
        seen: FloorSeen,
        caster: Caster,
        speaks: Plane,
        edge: Plane,
        taken: Iterable[PrismPlace] = (),
    ) -> None:
        self.plan, self.keshi, self.caster = seen.plan, caster.keshi, caster
        self.rows, self.columns = seen.plan.shape
        self.seen_floor = seen.floor
        # The foot of a wall is an edge without a meaning.
        self.floor = _erode(seen.floor.astype(np.uint8), _SQUARE3)
        self._box = cv2.boundingRect(self.floor)
        self.all_speaks, self.all_edge = speaks, edge
        self.speaks, self.edge, self.beyond = speaks.copy(), edge.copy(), np.maximum(speaks, 0)
        self.taken = list(taken)
        self._stamps: dict[PrismPlace, _Stamp] = {}
        self._claims: dict[PrismPlace, tuple[Window, Mask]] = {}
        for place in self.taken:
            self.claim(place)

    def judge(self, speaks: Plane) -> None:
        """Start again with other evidence."""
        self.all_speaks = speaks
        self.speaks, self.edge, self.beyond = speaks.copy(), self.all_edge.copy(), np.maximum(speaks, 0)

    # --- scores

    def score(self, place: PrismPlace) -> FoundPlace:
        """Return the score of a place for the unclaimed evidence."""
        return self._rate(place, self._stamp(place))

    def _stamp(self, place: PrismPlace) -> _Stamp:
        if place not in self._stamps:
            part = self.caster.draw_silhouette(place, _RIM)
            mask, less, more = part.mask, _erode(part.mask, _SQUARE3), _dilate(part.mask, _SQUARE3)
            ring = _dilate(more, _SQUARE3) - more
            self._stamps[place] = _Stamp(part.row, part.column, mask, mask - less, ring)
        return self._stamps[place]

    def _move(self, stamp: _Stamp, east: int, north: int) -> _Stamp | None:
        """Return a place moved by some pixels; None if it would differ at the plan's edge."""
        rows, columns = stamp.mask.shape
        row, column = stamp.row - north, stamp.column + east
        inside = min(row, column, stamp.row, stamp.column) > 0
        last_row, last_column = max(row, stamp.row) + rows, max(column, stamp.column) + columns
        if not inside or last_row >= self.rows or last_column >= self.columns:
            return None
        return _Stamp(row, column, stamp.mask, stamp.line, stamp.ring)

    def _rate(self, place: PrismPlace, stamp: _Stamp) -> FoundPlace:
        at, mask, line, ring, visible = stamp.at, stamp.mask, stamp.line, stamp.ring, 1.0
        if not self._surrounds(stamp):
            floor = self.floor[at]
            visible = cv2.mean(floor, mask)[0]
            mask, line, ring = mask & floor, line & floor, ring & floor
        inside = cv2.mean(self.speaks[at], mask)[0]
        outline = cv2.mean(self.edge[at], line)[0]
        outside = cv2.mean(self.beyond[at], ring)[0]
        score = (inside + EDGES * outline - OUTSIDE * outside) * math.sqrt(visible)
        return FoundPlace(place, score, inside, outline, outside, visible)

    def _surrounds(self, part: Window) -> bool:
        """Return True if the floor in view, a rectangle, surrounds ``part``."""
        left, top, width, height = self._box
        rows, columns = part.mask.shape
        return (
            left <= part.column
            and top <= part.row
            and part.column + columns <= left + width
            and part.row + rows <= top + height
        )

    def fits(self, place: PrismPlace) -> bool:
        """Return True if a piece there stands on the floor; in the north, at the tower, it may reach out."""
        east, north = self.caster.find_half(place)
        return (
            place.x_mm - east > -SLACK_MM
            and place.y_mm - north > -SLACK_MM
            and place.x_mm + east < self.plan.width_mm + SLACK_MM
            and place.y_mm + north < self.plan.height_mm + NORTH_MM
        )

    def look_near(
        self, start: PrismPlace, steps: Iterable[tuple[int, int]] = WIDE, least: float = -math.inf
    ) -> FoundPlace | None:
        """Return the best place near a coarse one, by small steps; None if none stands on the floor.

        Stop after the first steps if the best is below ``least``.
        """
        stamps: dict[int, _Stamp] = {}

        def attempt(way: tuple[int, int, int]) -> FoundPlace | None:
            east, north, turn = way
            x, y = start.x_mm + east * HALF_PX, start.y_mm + north * HALF_PX
            place = PrismPlace(x, y, start.flat, start.turn + turn * TURN)
            if not self.fits(place):
                return None
            if east % 2 or north % 2:
                return self.score(place)
            if turn not in stamps:
                stamps[turn] = self._stamp(PrismPlace(start.x_mm, start.y_mm, start.flat, place.turn))
            # A silhouette hardly changes within so few pixels.
            return self._rate(place, self._move(stamps[turn], east // 2, north // 2) or self._stamp(place))

        here = 0, 0, 0
        known = {here}
        best = attempt(here)
        for step, (halves, turns) in enumerate(steps):
            if step and (best is None or best.score < least):
                break
            for _ in range(2):
                before = best
                for east, north, turn in _WAYS:
                    there = here[0] + halves * east, here[1] + halves * north, here[2] + turns * turn
                    if there in known:
                        continue
                    known.add(there)
                    found = attempt(there)
                    if found is not None and (best is None or found.score > best.score):
                        best, here = found, there
                if best is before:
                    break
        return best

    # --- claims

    def claim(self, place: PrismPlace) -> None:
        """Take the pixels of a piece there out of the evidence to explain."""
        if place not in self._claims:
            part = self.caster.draw_silhouette(place)
            self._claims[place] = part, _erode(part.mask, _SQUARE5)
        part, inner = self._claims[place]
        covered = part.mask > 0
        self.speaks[part.at][covered] = -1
        self.beyond[part.at][covered] = 0
        self.edge[part.at][inner > 0] = 0

    def free(self, place: PrismPlace, others: Iterable[PrismPlace]) -> None:
        """Give back the claim of a piece there, without the pixels that ``others`` claim."""
        part = self.caster.draw_silhouette(place, 6)
        self.speaks[part.at] = self.all_speaks[part.at]
        self.beyond[part.at] = np.maximum(self.all_speaks[part.at], 0)
        self.edge[part.at] = self.all_edge[part.at]
        for other in (*self.taken, *others):
            if other != place and measure_distance_mm(place, other) < 3 * self.keshi.across_mm:
                self.claim(other)

    def assess(
        self, place: PrismPlace, found: Iterable[FoundPlace], faint: EvidenceTable | None = None
    ) -> FoundPlace:
        """Judge a place among all others found, by clear edges and by ``faint`` ones."""
        others = [each.place for each in found if each.place != place]
        self.free(place, others)
        clear = self.look_near(place, FINE) or self.score(place)
        clear = msgspec.structs.replace(clear, own=self._measure_own(clear, others))
        self.claim(clear.place)
        if faint is None:
            return clear
        faint.free(place, others)
        dim = faint.look_near(place, FINE) or faint.score(place)
        own = max(clear.own, faint._measure_own(dim, others) - FAINTER)
        return msgspec.structs.replace(clear, own=own, score=max(clear.score, dim.score))

    def _measure_own(self, found: FoundPlace, others: Iterable[PrismPlace]) -> float:
        stamp = self._stamp(found.place)
        free = stamp.line & self.floor[stamp.at]
        for other in others:
            if measure_distance_mm(found.place, other) < 3 * self.keshi.across_mm:
                self._cut(free, stamp, self.caster.draw_silhouette(other, 3))
        return cv2.mean(self.edge[stamp.at], free)[0]

    @staticmethod
    def _cut(free: Mask, stamp: _Stamp, other: Window) -> None:
        """Take another piece and its surroundings out of a mask."""
        rows, columns = other.mask.shape
        top, left = max(stamp.row, other.row), max(stamp.column, other.column)
        end = min(stamp.row + free.shape[0], other.row + rows)
        right = min(stamp.column + free.shape[1], other.column + columns)
        if top < end and left < right:
            theirs = _dilate(other.mask, _SQUARE5)
            part = theirs[top - other.row : end - other.row, left - other.column : right - other.column]
            free[top - stamp.row : end - stamp.row, left - stamp.column : right - stamp.column][part > 0] = 0

    def find_left(self, places: Iterable[PrismPlace]) -> Plane:
        """Return the evidence that no piece explains: without pixels claimed, or within a pixel of these."""
        rest = self.all_speaks.copy()
        for place in places:
            part = self.caster.draw_silhouette(place, 3)
            rest[part.at][_dilate(part.mask, _SQUARE5) > 0] = -1
        return rest


def _erode(mask: Mask, square: Mask) -> Mask:
    return np.asarray(cv2.erode(mask, square), dtype=np.uint8)


def _dilate(mask: Mask, square: Mask) -> Mask:
    return np.asarray(cv2.dilate(mask, square), dtype=np.uint8)


def measure_distance_mm(one: PrismPlace, other: PrismPlace) -> float:
    """Return the distance of two places, in mm."""
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
