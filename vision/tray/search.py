"""Finding the pieces: the keshis that explain best what lies on the floor.

A place is scored by what is inside its silhouette (see :func:`vision.tray.floor.evidence`), by the edges
along its outline, and against what is left over just outside. The best place is taken, its pixels are
claimed, and so on; then pieces that touch are taken up one at a time and laid down anew. All places are
looked at coarsely, the good ones closely.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats
from vision.tray.floor import SHADOW, Ground, evidence
from vision.tray.plan import PPM, RIM_MM, Plan, Plane
from vision.tray.prism import Caster, Keshi, Place, Window, cast, filled, reach_px, solid, top, window

EDGES, OUTSIDE = 0.8, 0.5
"""How much the outline's edges count for a place, and what is left outside against it."""
SURE = 1.0
"""A place that scores this much is a piece: the first round takes only such."""
LEAST = 0.45
"""A place that scores less is nothing."""
LIGHT = 0.55
"""Only on a floor this light (a share of white) are there pieces that hardly differ from it, white ones."""
LEAST_FAINT = 0.3
"""The same where faint edges count."""
KEPT = 0.95
"""A place that scores more is not looked at again for fainter edges."""
BARE_DIM = -0.15
"""What bare floor says against a piece there: it may be as bare as a piece of the floor's colour."""
PROMISING = 0.3
"""A closer look makes a place that much better, hardly ever more."""
TRIES = 120
"""So many peaks of the coarse scores are looked at, the highest first."""
MOST = 60
"""More pieces than this are not looked for."""
SLACK_MM = 1.2
"""How far a piece may reach through the floor's edge: what sizes and pose may be wrong by."""
NORTH_MM = 5.5
"""The same in the north, where there is no wall."""

_COARSE = 2
_TILE = 64
_BUSY = 25
_POSES = [(True, 0.0)] + [(False, math.radians(turn)) for turn in range(0, 180, 20)]
_STEPS = ((0.8, math.radians(8)), (0.3, math.radians(4)))
_WAYS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
_SQUARE3 = np.ones((3, 3), np.uint8)
_SQUARE5 = np.ones((5, 5), np.uint8)


class Found(msgspec.Struct, frozen=True):
    """A place and how well it explains the picture: ``score``, and its parts.

    ``inside`` is the mean evidence within the silhouette, ``outline`` the share of edges along it,
    ``outside`` the evidence left beside it, ``visible`` the share of it that is over the floor's visible
    part, ``faint`` the share of faint edges along it.
    """

    place: Place
    score: float
    inside: float = 0.0
    outline: float = 0.0
    outside: float = 0.0
    visible: float = 1.0
    faint: float = 0.0


class Finding(msgspec.Struct, frozen=True):
    """The pieces found, surest first, the evidence they were found in, and what is left unexplained of it."""

    found: tuple[Found, ...]
    evidence: Plane
    left: Plane


def search(seen: Ground, keshi: Keshi, camera_mm: Floats) -> Finding:
    """Find the pieces on a floor; see the module."""
    clear = _Table(seen, keshi, camera_mm, evidence(seen), seen.edge, ~seen.bare)
    sure = [each.place for each in clear.take([], SURE)]
    speaks = evidence(seen, *_shadows(seen, keshi, camera_mm, sure))
    clear.judge(speaks)
    found = clear.relaid(clear.relaid(clear.take(sure, LEAST)))
    kept = [each for each in found if each.score > KEPT]
    # What is hardly told from the floor is looked for again, by edges that hardly rise above the noise.
    if seen.light < LIGHT:
        return _finding(clear, speaks, [clear.judged(each.place, found) for each in found])
    busy = cv2.blur((seen.faint > 0.3).astype(np.float32), (_BUSY, _BUSY)) > 0.08
    dim = np.where(seen.bare, np.float32(BARE_DIM), speaks)
    faint = _Table(seen, keshi, camera_mm, dim, seen.faint, busy, [each.place for each in kept])
    more = faint.relaid(faint.take([], LEAST_FAINT), every=True)
    everything = [*kept, *more]
    return _finding(clear, speaks, [clear.judged(each.place, everything, faint) for each in everything])


def _finding(table: _Table, speaks: Plane, found: list[Found]) -> Finding:
    found.sort(key=lambda each: -each.score)
    return Finding(tuple(found), speaks, table.left([each.place for each in found]))


def _shadows(
    seen: Ground, keshi: Keshi, camera_mm: Floats, places: list[Place]
) -> tuple[float, Floats | None]:
    """How deep the shadows beside sure pieces are, and their tint."""
    band = round(5 * PPM)
    pieces = np.zeros(seen.plan.shape, np.uint8)
    for place in places:
        part = window(seen.plan, solid(keshi, place), camera_mm)
        pieces[part.at] |= part.mask
    wide = cv2.dilate(pieces, _SQUARE3, iterations=2)
    depths, tints = [], []
    for place in places:
        part = window(seen.plan, solid(keshi, place), camera_mm, band)
        ring = (wide[part.at] == 0) & seen.floor[part.at]
        rise = seen.rise[part.at][ring]
        if len(rise) < 50:
            continue
        deep = float(np.percentile(rise, 4))
        depths.append(-deep)
        if deep < -0.25:
            tints.append(np.median(seen.off[part.at][ring][rise < 0.6 * deep], axis=0))
    if len(depths) < 2:
        return SHADOW, None
    tint = np.median(tints, axis=0) if len(tints) > 1 else None
    return float(np.clip(np.median(depths), 0.25, 1.15)), tint


class _Table:
    """The evidence with the claims of the places taken so far."""

    def __init__(
        self,
        seen: Ground,
        keshi: Keshi,
        camera_mm: Floats,
        speaks: Plane,
        edge: Plane,
        thing: NDArray[np.bool_],
        taken: Sequence[Place] = (),
    ) -> None:
        self.plan, self.keshi, self.camera = seen.plan, keshi, camera_mm
        self.caster = Caster(seen.plan, keshi, camera_mm)
        # The foot of a wall is an edge that says nothing.
        self.floor = np.asarray(cv2.erode(seen.floor.astype(np.uint8), _SQUARE3), dtype=np.uint8)
        self.all_speaks, self.all_edge = speaks, edge
        self.speaks, self.edge, self.beyond = speaks.copy(), edge.copy(), np.maximum(speaks, 0)
        self.reach = reach_px(keshi)
        rows, columns = (size // _COARSE for size in seen.plan.shape)
        self.scores = np.full((len(_POSES), rows, columns), -9.0, np.float32)
        band = round((RIM_MM + min(keshi.across_mm, keshi.height_mm) / 2 - 0.8) * PPM / _COARSE)
        near = cv2.dilate((thing & seen.floor).astype(np.uint8), _SQUARE5)
        self.may = cv2.resize(near, (columns, rows), interpolation=cv2.INTER_AREA) > 0
        self.may[: round(RIM_MM / 2 * PPM / _COARSE)] = self.may[rows - band :] = False
        self.may[:, :band] = self.may[:, columns - band :] = False
        self.taken = list(taken)
        self.tries = TRIES
        for place in taken:
            self._claim(place)
        self._scan(0, 0, rows, columns)

    def judge(self, speaks: Plane) -> None:
        """Start anew with other evidence; the coarse scores stay."""
        self.all_speaks = speaks
        self.speaks, self.edge, self.beyond = speaks.copy(), self.all_edge.copy(), np.maximum(speaks, 0)

    # --- looking coarsely

    def _scan(self, row: int, column: int, end_row: int, end_column: int) -> None:
        """Score all poses in a part of the coarse plan, in tiles small enough to lean all the same way."""
        rows, columns = self.may.shape
        row, column = max(0, row), max(0, column)
        end_row, end_column = min(rows, end_row), min(columns, end_column)
        for top_row in range(row, end_row, _TILE):
            for left in range(column, end_column, _TILE):
                self._scan_tile(top_row, left, min(top_row + _TILE, end_row), min(left + _TILE, end_column))

    def _scan_tile(self, row: int, column: int, end_row: int, end_column: int) -> None:
        may = self.may[row:end_row, column:end_column]
        if not may.any():
            return
        down, across = np.flatnonzero(may.any(axis=1)), np.flatnonzero(may.any(axis=0))
        row, end_row = row + int(down[0]), row + int(down[-1]) + 1
        column, end_column = column + int(across[0]), column + int(across[-1]) + 1
        margin = self.reach // _COARSE + 1
        r0, c0 = max(0, row - margin), max(0, column - margin)
        r1, c1 = min(self.may.shape[0], end_row + margin), min(self.may.shape[1], end_column + margin)
        fine = slice(r0 * _COARSE, r1 * _COARSE), slice(c0 * _COARSE, c1 * _COARSE)
        size = (c1 - c0, r1 - r0)
        # What lies half beyond the floor's edge, leaning over it, is judged by the other half.
        floor = self.floor[fine]
        speaks = cv2.resize(np.where(floor, self.speaks[fine], 0.3), size, interpolation=cv2.INTER_AREA)
        edge = cv2.resize(np.where(floor, self.edge[fine], 0.2), size, interpolation=cv2.INTER_AREA)
        edge = np.minimum(1.7 * edge, 1)
        middle = self.plan.mm((column + end_column) / 2 * _COARSE, (row + end_row) / 2 * _COARSE)
        inner = slice(row - r0, end_row - r0), slice(column - c0, end_column - c0)
        for pose, (flat, turn) in enumerate(_POSES):
            body, line = self._kernels(Place(*middle, flat, turn))
            score = cv2.filter2D(speaks, cv2.CV_32F, body, borderType=cv2.BORDER_CONSTANT)
            along = cv2.filter2D(edge, cv2.CV_32F, line, borderType=cv2.BORDER_CONSTANT)
            score = np.add(score, along)
            self.scores[pose, row:end_row, column:end_column] = np.where(
                self.may[row:end_row, column:end_column], score[inner], -9
            )

    def _kernels(self, place: Place) -> tuple[Plane, Plane]:
        """What the evidence and the edges are weighed with around a place's middle."""
        half = self.reach // _COARSE
        lean = cast(solid(self.keshi, place), self.camera) - np.array([place.x_mm, place.y_mm])
        at = half + lean * np.array([1.0, -1.0]) * PPM / _COARSE
        body = filled(at, (2 * half + 1, 2 * half + 1))
        line = body - cv2.erode(body, _SQUARE3)
        ring = cv2.dilate(body, _SQUARE3) - body
        inside, along, beyond = (
            part.astype(np.float32) / max(1, int(part.sum())) for part in (body, line, ring)
        )
        around = (inside - OUTSIDE / 2 * beyond).astype(np.float32)
        return around, (EDGES * along).astype(np.float32)

    # --- looking closely

    def score(self, place: Place) -> Found:
        """How well a place explains what is not claimed."""
        part = self.caster.silhouette(place, 4)
        mask = part.mask
        grown = cv2.dilate(mask, _SQUARE3)
        line, ring = mask - cv2.erode(mask, _SQUARE3), cv2.dilate(grown, _SQUARE3) - grown
        floor = self.floor[part.at]
        inside = cv2.mean(self.speaks[part.at], cv2.bitwise_and(mask, floor))[0]
        outline = cv2.mean(self.edge[part.at], cv2.bitwise_and(line, floor))[0]
        outside = cv2.mean(self.beyond[part.at], cv2.bitwise_and(ring, floor))[0]
        visible = cv2.mean(floor, mask)[0]
        score = (inside + EDGES * outline - OUTSIDE * outside) * math.sqrt(visible)
        return Found(place, score, inside, outline, outside, visible)

    def fits(self, place: Place) -> bool:
        """Whether a piece there stands on the floor; in the north, where the tower is, it may reach out."""
        x, y = self.caster.corners(place)
        return bool(
            x.min() > -SLACK_MM
            and y.min() > -SLACK_MM
            and x.max() < self.plan.width_mm + SLACK_MM
            and y.max() < self.plan.height_mm + NORTH_MM
        )

    def closely(self, start: Place, steps: tuple[tuple[float, float], ...] = _STEPS) -> Found | None:
        """The best place near a coarse one, by small steps; None where none stands on the floor."""
        best = self.score(start) if self.fits(start) else None
        here = start
        for step, turn in steps:
            for _ in range(2):
                before = best
                for dx, dy, dt in _WAYS:
                    there = Place(
                        here.x_mm + dx * step, here.y_mm + dy * step, here.flat, here.turn + dt * turn
                    )
                    if not self.fits(there):
                        continue
                    tried = self.score(there)
                    if best is None or tried.score > best.score:
                        best, here = tried, there
                if best is before:
                    break
        return best

    def take(self, given: Iterable[Place], least: float) -> list[Found]:
        """The given places, laid down anew, and the best others, one after the other."""
        places = list(given)
        for place in places:
            self._claim(place)
        found = []
        for place in places:
            self.free(place, [other for other in places if other is not place])
            found.append(self.closely(place, _STEPS[1:]) or self.score(place))
            self._claim(found[-1].place)
        while len(found) < MOST:
            best = self._best(least)
            if best is None:
                break
            found.append(best)
            self._claim(best.place)
            self._rescan(best.place)
        return found

    def _best(self, least: float) -> Found | None:
        """The best place left; None as well when it was looked for often enough."""
        while self.tries > 0:
            self.tries -= 1
            flat = self.scores.max(axis=0)
            row, column = (int(at) for at in np.unravel_index(int(flat.argmax()), flat.shape))
            if flat[row, column] < least - 0.1:
                return None
            best = self._at(row, column, least - PROMISING)
            near = 1 if best is not None else 2
            self.scores[
                :, max(0, row - near) : row + near + 1, max(0, column - near) : column + near + 1
            ] = -9
            if best is not None and best.score >= least:
                return best
        return None

    def _at(self, row: int, column: int, least: float) -> Found | None:
        """The best close look at a place of the coarse plan; None where the first look is below ``least``."""
        x, y = self.plan.mm((column + 0.5) * _COARSE - 0.5, (row + 0.5) * _COARSE - 0.5)
        here = self.scores[:, row, column]
        # The best way to lie flat and the best on a side: coarsely they look alike.
        poses = [pose for pose in (0, 1 + int(here[1:].argmax())) if here[pose] > here.max() - 0.4]
        starts = [place for pose in poses if self.score(place := Place(x, y, *_POSES[pose])).score > least]
        close = [self.closely(start) for start in starts]
        return max((each for each in close if each), key=lambda each: each.score, default=None)

    def relaid(self, found: list[Found], every: bool = False) -> list[Found]:
        """The same pieces; those that touch or are doubtful are laid down anew, or all of them."""
        found = list(found)
        for n, each in enumerate(found):
            others = [other.place for other in found if other is not each]
            near = min((_far(each.place, other) for other in others), default=math.inf)
            if near > 1.7 * self.keshi.across_mm and each.score > SURE and not every:
                continue
            self.free(each.place, others)
            tried = [self.closely(each.place, _STEPS[1:])]
            worth = (tried[0] or each).score - 0.35
            tried += [
                self.closely(start)
                for start in self._otherwise(each.place)
                if self.score(start).score > worth
            ]
            best = max((one for one in tried if one), key=lambda one: one.score, default=each)
            found[n] = best
            self._claim(best.place)
        return found

    @staticmethod
    def _otherwise(place: Place) -> list[Place]:
        """The other ways to lie there: on the other kind of face, or on a side turned by a right angle."""
        x, y = place.x_mm, place.y_mm
        if place.flat:
            return [Place(x, y, False, eighth * math.pi / 8) for eighth in range(8)]
        return [Place(x, y, True, 0.0), Place(x, y, False, place.turn + math.pi / 2)]

    # --- claims

    def _claim(self, place: Place) -> None:
        part = self.caster.silhouette(place)
        self.speaks[part.at][part.mask > 0] = -1
        self.beyond[part.at][part.mask > 0] = 0
        self.edge[part.at][cv2.erode(part.mask, _SQUARE5) > 0] = 0

    def _rescan(self, place: Place) -> None:
        x, y = (self.plan.pixels(np.array([place.x_mm, place.y_mm])) / _COARSE).tolist()
        far = round(1.3 * self.reach / _COARSE)
        self._scan(round(y) - far, round(x) - far, round(y) + far + 1, round(x) + far + 1)

    def judged(self, place: Place, found: Iterable[Found], faint: _Table | None = None) -> Found:
        """A place among all others that were found, by clear edges and by ``faint`` ones."""
        others = [each.place for each in found if each.place != place]
        self.free(place, others)
        clear = self.score(place)
        self._claim(place)
        if faint is None:
            return clear
        faint.free(place, others)
        dim = faint.score(place)
        return msgspec.structs.replace(clear, faint=dim.outline, score=max(clear.score, dim.score))

    def free(self, place: Place, others: Iterable[Place]) -> None:
        part = self.caster.silhouette(place, 6)
        self.speaks[part.at] = self.all_speaks[part.at]
        self.beyond[part.at] = np.maximum(self.all_speaks[part.at], 0)
        self.edge[part.at] = self.all_edge[part.at]
        for other in (*self.taken, *others):
            if other != place and _far(place, other) < 3 * self.keshi.across_mm:
                self._claim(other)

    def left(self, places: Iterable[Place]) -> Plane:
        """The evidence that no piece explains: what is claimed, or within a pixel of it, is taken out."""
        rest = self.all_speaks.copy()
        for place in places:
            part = self.caster.silhouette(place, 3)
            rest[part.at][cv2.dilate(part.mask, _SQUARE5) > 0] = -1
        return rest


def _far(one: Place, other: Place) -> float:
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def upper(plan: Plan, keshi: Keshi, camera_mm: Floats, place: Place) -> Window:
    """The faces of a piece that look up, a little inside their edges."""
    part = window(plan, top(keshi, place), camera_mm)
    inner = cv2.erode(part.mask, _SQUARE3, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return Window(part.row, part.column, np.asarray(inner, dtype=np.uint8))
