"""The search for pieces: the keshis that best explain the evidence on the floor.

Take the best place, claim its pixels, and so on; then take up pieces that touch, one at a time, and lay them
down again. All places are tried coarsely, with every pose at every third pixel, good ones closely: see
:class:`.EvidenceTable`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats
from vision.tray.floor import SHADOW, FloorSeen, weigh_evidence
from vision.tray.paint import find_quantile
from vision.tray.plan import PPM, RIM_MM, Caster, Plane, PrismPlace, fill_hull, find_reach_px
from vision.tray.table import EDGES, NARROW, OUTSIDE, EvidenceTable, FoundPlace, measure_distance_mm

SURE = 1.0
"""The score from which a place is a piece: the first round takes only these."""
LEAST = 0.45
"""The score below which a place is nothing."""
LIGHT = 0.55
"""The floor's lightness (a share of white) from which some pieces, white ones, hardly differ from it."""
LEAST_FAINT = 0.38
"""The same as LEAST with faint edges."""
KEPT = 0.95
"""The score above which a place is not tried again with fainter edges."""
BARE_DIM = -0.15
"""The evidence of bare floor against a piece there: a piece of the floor's colour looks bare, too."""
PROMISING = 0.3
"""The improvement of a place by a closer look, hardly ever more."""
NEARLY = 0.15
"""The same for the last small steps."""
TRIES = 120
"""The most peaks of the coarse scores to try, the highest first."""
MOST = 60
"""The most pieces to search."""

POSES = [(True, 0.0)] + [(False, math.radians(turn)) for turn in range(0, 180, 30)]
"""The poses: flat or not, and the turn."""
NOWHERE = -9.0
_STEP = 3
_TILE = 54
"""The size of a tile in coarse pixels, in which all pieces lean the same way."""
_NEAR, _SOME = 15, 0.12
_BUSY = 25
_BAND = round(5 * PPM)
_SQUARE3 = np.ones((3, 3), np.uint8)


class PiecesFound(msgspec.Struct, frozen=True):
    """The pieces found, surest first, the evidence used, and its unexplained rest."""

    found: tuple[FoundPlace, ...]
    evidence: Plane
    left: Plane


def search(seen: FloorSeen, caster: Caster) -> PiecesFound:
    """Find the pieces on a floor."""
    clear = _Search(EvidenceTable(seen, caster, weigh_evidence(seen), seen.edge), ~seen.bare)
    sure = [each.place for each in clear.take([], SURE)]
    speaks = weigh_evidence(seen, *_find_shadows(seen, caster, sure))
    clear.table.judge(speaks)
    found = clear.lay_again(clear.lay_again(clear.take(sure, LEAST)))
    kept = [each for each in found if each.score > KEPT]
    # Search pieces that hardly differ from the floor again, by edges just above the noise.
    if seen.light < LIGHT:
        return _report(clear.table, speaks, [clear.table.assess(each.place, found) for each in found])
    busy = cv2.blur((seen.faint > 0.3).astype(np.float32), (_BUSY, _BUSY)) > 0.08
    dim = np.maximum(speaks, np.float32(BARE_DIM))
    faint = _Search(EvidenceTable(seen, caster, dim, seen.faint, [each.place for each in kept]), busy)
    more = faint.lay_again(faint.take([], LEAST_FAINT), every=True)
    everything = [*kept, *more]
    return _report(
        clear.table, speaks, [clear.table.assess(each.place, everything, faint.table) for each in everything]
    )


def _report(table: EvidenceTable, speaks: Plane, found: list[FoundPlace]) -> PiecesFound:
    found.sort(key=lambda each: -each.score)
    return PiecesFound(tuple(found), speaks, table.find_left([each.place for each in found]))


def _find_shadows(seen: FloorSeen, caster: Caster, places: list[PrismPlace]) -> tuple[float, Floats | None]:
    """Return the depth of the shadows beside sure pieces, and their tint."""
    pieces = np.zeros(seen.plan.shape, np.uint8)
    parts = [caster.draw_silhouette(place, _BAND) for place in places]
    for part in parts:
        pieces[part.at] |= part.mask
    wide = cv2.dilate(pieces, _SQUARE3, iterations=2)
    depths, tints = [], []
    for part in parts:
        ring = (wide[part.at] == 0) & seen.floor[part.at]
        rise = seen.rise[part.at][ring]
        if len(rise) < 50:
            continue
        deep = float(find_quantile(rise, 0.04))
        depths.append(-deep)
        if deep < -0.25:
            tints.append(find_quantile(seen.off[part.at][ring][rise < 0.6 * deep], 0.5))
    if len(depths) < 2:
        return SHADOW, None
    tint = np.median(tints, axis=0) if len(tints) > 1 else None
    return float(np.clip(np.median(depths), 0.25, 1.15)), tint


class _Search:
    """Takes pieces off a table, the best first."""

    def __init__(self, table: EvidenceTable, thing: NDArray[np.bool_]) -> None:
        """Prepare the search; ``thing`` is the mask of possible pieces."""
        self.table = table
        self.coarse = CoarseScores(table, thing)
        self.tries = TRIES

    def take(self, given: Iterable[PrismPlace], least: float) -> list[FoundPlace]:
        """Lay the given places down again, then find the best others, one after the other."""
        table, places = self.table, list(given)
        for place in places:
            table.claim(place)
        found = []
        for place in places:
            table.free(place, [other for other in places if other is not place])
            found.append(table.score(place))
            table.claim(found[-1].place)
        while len(found) < MOST:
            best = self._find_best(least)
            if best is None:
                break
            found.append(best)
            table.claim(best.place)
            self.coarse.look_again(best.place)
        return found

    def _find_best(self, least: float) -> FoundPlace | None:
        """Return the best place left; None without one, or after all tries."""
        while self.tries > 0:
            self.tries -= 1
            peak, row, column = self.coarse.find_peak()
            if peak < least:
                return None
            best = self._look_at(row, column, least)
            self.coarse.strike(row, column, 1 if best is not None else 2)
            if best is not None and best.score >= least:
                return best
        return None

    def _look_at(self, row: int, column: int, least: float) -> FoundPlace | None:
        """Look closely at a place of the coarse plan; return None if the best found is far below
        ``least``.
        """
        here = self.coarse.scores[:, row, column]
        # The best flat pose and the best on a side: coarsely they look alike.
        poses = [pose for pose in (0, 1 + int(here[1:].argmax())) if here[pose] > here.max() - 0.4]
        places = [PrismPlace(*self.coarse.find_mm(row, column), *POSES[pose]) for pose in poses]
        return self._find_closest(places, least)

    def lay_again(self, found: list[FoundPlace], every: bool = False) -> list[FoundPlace]:
        """Lay down again the pieces that touch or are doubtful, or all of them; return all."""
        found = list(found)
        for n, each in enumerate(found):
            others = [other.place for other in found if other is not each]
            near = min((measure_distance_mm(each.place, other) for other in others), default=math.inf)
            if near > 1.7 * self.table.keshi.across_mm and each.score > SURE and not every:
                continue
            self.table.free(each.place, others)
            here = self.table.look_near(each.place, NARROW) or each
            best = self._find_closest(self._find_other_poses(each.place), here.score)
            found[n] = best if best and best.score > here.score else here
            self.table.claim(found[n].place)
        return found

    def _find_closest(self, starts: Iterable[PrismPlace], least: float) -> FoundPlace | None:
        """Return the best place near the starts that may reach ``least``; None if none comes near."""
        best = None
        for start in starts:
            if self.table.score(start).score > least - PROMISING:
                close = self.table.look_near(start, least=max(least, best.score if best else least) - NEARLY)
                best = max(
                    (each for each in (best, close) if each), key=lambda each: each.score, default=None
                )
        return best

    @staticmethod
    def _find_other_poses(place: PrismPlace) -> list[PrismPlace]:
        """Return the other poses there: on the other kind of face, or on a side turned by eighths."""
        x, y = place.x_mm, place.y_mm
        if place.flat:
            return [PrismPlace(x, y, False, eighth * math.pi / 8) for eighth in range(8)]
        turned = [PrismPlace(x, y, False, place.turn + quarter * math.pi / 4) for quarter in (1, 2, 3)]
        return [PrismPlace(x, y, True, 0.0), *turned]


class CoarseScores:
    """The scores of all places: ``scores``, (poses, rows, columns)."""

    def __init__(self, table: EvidenceTable, thing: NDArray[np.bool_]) -> None:
        """Look at the whole table; ``thing`` is the mask of possible pieces."""
        self.table = table
        rows, columns = self.shape = table.rows // _STEP, table.columns // _STEP
        self.scores = np.full((len(POSES), rows, columns), NOWHERE, np.float32)
        self._best = np.full((rows, columns), NOWHERE, np.float32)
        self.half = find_reach_px(table.keshi) // _STEP
        keshi = table.keshi
        band = round((RIM_MM + min(keshi.across_mm, keshi.height_mm) / 2 - 0.8) * PPM / _STEP)
        # A few scattered pixels are no piece.
        near = cv2.blur((thing & table.seen_floor).astype(np.float32), (_NEAR, _NEAR))
        self.may = cv2.resize(near, (columns, rows), interpolation=cv2.INTER_AREA) > _SOME
        self.may[: round(RIM_MM / 2 * PPM / _STEP)] = self.may[rows - band :] = False
        self.may[:, :band] = self.may[:, columns - band :] = False
        self._size = cv2.getOptimalDFTSize(_TILE + 2 * self.half)
        around = rows + self._size, columns + self._size
        self._speaks, self._edge = np.zeros(around, np.float32), np.zeros(around, np.float32)
        self._kernels: dict[tuple[int, int], list[tuple[Plane, Plane]]] = {}
        self._scan(0, 0, rows, columns)

    def find_mm(self, row: float, column: float) -> tuple[float, float]:
        """Return the point of the floor at the middle of a coarse pixel."""
        return self.table.plan.find_mm((column + 0.5) * _STEP - 0.5, (row + 0.5) * _STEP - 0.5)

    def find_peak(self) -> tuple[float, int, int]:
        """Return the highest score, its row and column."""
        row, column = divmod(int(self._best.argmax()), self.shape[1])
        return float(self._best[row, column]), row, column

    def strike(self, row: int, column: int, near: int) -> None:
        """Strike out a place and ``near`` pixels around it, until :meth:`look_again` looks there again."""
        at = slice(max(0, row - near), row + near + 1), slice(max(0, column - near), column + near + 1)
        self.scores[:, *at] = self._best[at] = NOWHERE

    def look_again(self, place: PrismPlace) -> None:
        """Look again around a claimed place."""
        x, y = (self.table.plan.find_pixels(np.array([place.x_mm, place.y_mm])) / _STEP).tolist()
        far = round(1.3 * self.half)
        self._scan(round(y) - far, round(x) - far, round(y) + far + 1, round(x) + far + 1)

    def _scan(self, row: int, column: int, end_row: int, end_column: int) -> None:
        """Score all poses in a part of the plan, tile by tile."""
        row, column = max(0, row), max(0, column)
        end_row, end_column = min(self.shape[0], end_row), min(self.shape[1], end_column)
        self._look(row, column, end_row, end_column)
        for top in range(row - row % _TILE, end_row, _TILE):
            for left in range(column - column % _TILE, end_column, _TILE):
                down = slice(max(row, top), min(end_row, top + _TILE))
                across = slice(max(column, left), min(end_column, left + _TILE))
                if self.may[down, across].any():
                    self._scan_tile(down, across)

    def _look(self, row: int, column: int, end_row: int, end_column: int) -> None:
        """Update evidence and edges in a part of the plan and around it."""
        half = self.half
        row, column = max(0, row - half), max(0, column - half)
        end_row, end_column = min(self.shape[0], end_row + half), min(self.shape[1], end_column + half)
        fine = slice(row * _STEP, end_row * _STEP), slice(column * _STEP, end_column * _STEP)
        size = end_column - column, end_row - row
        here = slice(row + half, end_row + half), slice(column + half, end_column + half)
        # A thing half beyond the floor's edge, leaning over it, is judged by its other half.
        floor = self.table.floor[fine]
        speaks = np.where(floor, self.table.speaks[fine], np.float32(0.3))
        edge = np.where(floor, self.table.edge[fine], np.float32(0.2))
        self._speaks[here] = cv2.resize(speaks, size, interpolation=cv2.INTER_AREA)
        self._edge[here] = np.minimum(1.7 * cv2.resize(edge, size, interpolation=cv2.INTER_AREA), 1)

    def _scan_tile(self, down: slice, across: slice) -> None:
        """Score all poses in a part of a tile, by correlation of spectra that all poses share."""
        part = slice(down.start, down.start + self._size), slice(across.start, across.start + self._size)
        speaks, edge = _transform(self._speaks[part]), _transform(self._edge[part])
        may = self.may[down, across]
        rows, columns = may.shape
        for pose, (body, line) in enumerate(self._find_kernels(down.start // _TILE, across.start // _TILE)):
            both = cv2.mulSpectrums(speaks, body, 0, conjB=True) + cv2.mulSpectrums(edge, line, 0, conjB=True)
            score = cv2.idft(both, flags=cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)[:rows, :columns]
            self.scores[pose, down, across] = np.where(may, score, NOWHERE)
        self._best[down, across] = self.scores[:, down, across].max(axis=0)

    def _find_kernels(self, row: int, column: int) -> list[tuple[Plane, Plane]]:
        """Return the kernels of all poses in a tile."""
        if (row, column) not in self._kernels:
            x, y = self.find_mm((row + 0.5) * _TILE, (column + 0.5) * _TILE)
            self._kernels[row, column] = [self._weigh(PrismPlace(x, y, flat, turn)) for flat, turn in POSES]
        return self._kernels[row, column]

    def _weigh(self, place: PrismPlace) -> tuple[Plane, Plane]:
        """Return the spectra of the weights of evidence and edges around a place's middle."""
        caster, middle = self.table.caster, self.table.plan.find_pixels(np.array([place.x_mm, place.y_mm]))
        body = fill_hull(self.half + (caster.cast(place) - middle) / _STEP, (self._size, self._size))
        line = body - cv2.erode(body, _SQUARE3)
        ring = cv2.dilate(body, _SQUARE3) - body
        area, length, around = (max(1, cv2.countNonZero(part)) for part in (body, line, ring))
        weigh = body * np.float32(1 / area) - ring * np.float32(OUTSIDE / 2 / around)
        return _transform(weigh), _transform(line * np.float32(EDGES / length))


def _transform(plane: Plane) -> Plane:
    return np.asarray(cv2.dft(plane), dtype=np.float32)
