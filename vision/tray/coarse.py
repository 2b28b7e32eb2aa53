"""All places of a table looked at coarsely: every way to lie, at every third pixel."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tray.plan import PPM, RIM_MM, Plane
from vision.tray.prism import PrismPlace, filled, reach_px
from vision.tray.table import EDGES, OUTSIDE, EvidenceTable

POSES = [(True, 0.0)] + [(False, math.radians(turn)) for turn in range(0, 180, 30)]
"""The ways to lie: flat or not, and the turn."""
NOWHERE = -9.0
_STEP = 3
_TILE = 54
"""Pieces in a tile of so many coarse pixels lean the same way."""
_NEAR, _SOME = 15, 0.12
_SQUARE3 = np.ones((3, 3), np.uint8)


class Coarse:
    """The scores of all places: ``scores``, (poses, rows, columns)."""

    def __init__(self, table: EvidenceTable, thing: NDArray[np.bool_]) -> None:
        """Look at the whole table; ``thing`` is where pieces may be."""
        self.table = table
        rows, columns = self.shape = table.rows // _STEP, table.columns // _STEP
        self.scores = np.full((len(POSES), rows, columns), NOWHERE, np.float32)
        self._best = np.full((rows, columns), NOWHERE, np.float32)
        self.half = reach_px(table.keshi) // _STEP
        keshi = table.keshi
        band = round((RIM_MM + min(keshi.across_mm, keshi.height_mm) / 2 - 0.8) * PPM / _STEP)
        # A few pixels here and there are no piece.
        near = cv2.blur((thing & table.seen_floor).astype(np.float32), (_NEAR, _NEAR))
        self.may = cv2.resize(near, (columns, rows), interpolation=cv2.INTER_AREA) > _SOME
        self.may[: round(RIM_MM / 2 * PPM / _STEP)] = self.may[rows - band :] = False
        self.may[:, :band] = self.may[:, columns - band :] = False
        self._size = cv2.getOptimalDFTSize(_TILE + 2 * self.half)
        around = rows + self._size, columns + self._size
        self._speaks, self._edge = np.zeros(around, np.float32), np.zeros(around, np.float32)
        self._kernels: dict[tuple[int, int], list[tuple[Plane, Plane]]] = {}
        self._scan(0, 0, rows, columns)

    def mm(self, row: float, column: float) -> tuple[float, float]:
        """Return the point of the floor at the middle of a coarse pixel."""
        return self.table.plan.mm((column + 0.5) * _STEP - 0.5, (row + 0.5) * _STEP - 0.5)

    def peak(self) -> tuple[float, int, int]:
        """Return the highest score, its row and column."""
        row, column = divmod(int(self._best.argmax()), self.shape[1])
        return float(self._best[row, column]), row, column

    def strike(self, row: int, column: int, near: int) -> None:
        """Strike out a place and so many pixels around it: it is never looked at again."""
        at = slice(max(0, row - near), row + near + 1), slice(max(0, column - near), column + near + 1)
        self.scores[:, *at] = self._best[at] = NOWHERE

    def anew(self, place: PrismPlace) -> None:
        """Look again around a place that was claimed."""
        x, y = (self.table.plan.pixels(np.array([place.x_mm, place.y_mm])) / _STEP).tolist()
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
        """Take evidence and edges anew in a part of the plan and around it."""
        half = self.half
        row, column = max(0, row - half), max(0, column - half)
        end_row, end_column = min(self.shape[0], end_row + half), min(self.shape[1], end_column + half)
        fine = slice(row * _STEP, end_row * _STEP), slice(column * _STEP, end_column * _STEP)
        size = end_column - column, end_row - row
        here = slice(row + half, end_row + half), slice(column + half, end_column + half)
        # What lies half beyond the floor's edge, leaning over it, is judged by the other half.
        floor = self.table.floor[fine]
        speaks = np.where(floor, self.table.speaks[fine], np.float32(0.3))
        edge = np.where(floor, self.table.edge[fine], np.float32(0.2))
        self._speaks[here] = cv2.resize(speaks, size, interpolation=cv2.INTER_AREA)
        self._edge[here] = np.minimum(1.7 * cv2.resize(edge, size, interpolation=cv2.INTER_AREA), 1)

    def _scan_tile(self, down: slice, across: slice) -> None:
        """Score all poses in a part of a tile: correlations by spectra, which all poses share."""
        part = slice(down.start, down.start + self._size), slice(across.start, across.start + self._size)
        speaks, edge = _spectrum(self._speaks[part]), _spectrum(self._edge[part])
        may = self.may[down, across]
        rows, columns = may.shape
        for pose, (body, line) in enumerate(self._leaning(down.start // _TILE, across.start // _TILE)):
            both = cv2.mulSpectrums(speaks, body, 0, conjB=True) + cv2.mulSpectrums(edge, line, 0, conjB=True)
            score = cv2.idft(both, flags=cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)[:rows, :columns]
            self.scores[pose, down, across] = np.where(may, score, NOWHERE)
        self._best[down, across] = self.scores[:, down, across].max(axis=0)

    def _leaning(self, row: int, column: int) -> list[tuple[Plane, Plane]]:
        """Return the kernels of all poses in a tile."""
        if (row, column) not in self._kernels:
            x, y = self.mm((row + 0.5) * _TILE, (column + 0.5) * _TILE)
            self._kernels[row, column] = [self._kernel(PrismPlace(x, y, flat, turn)) for flat, turn in POSES]
        return self._kernels[row, column]

    def _kernel(self, place: PrismPlace) -> tuple[Plane, Plane]:
        """Return the spectra of the weights of evidence and edges around a place's middle."""
        caster, middle = self.table.caster, self.table.plan.pixels(np.array([place.x_mm, place.y_mm]))
        body = filled(self.half + (caster.seen(place) - middle) / _STEP, (self._size, self._size))
        line = body - cv2.erode(body, _SQUARE3)
        ring = cv2.dilate(body, _SQUARE3) - body
        area, length, around = (max(1, cv2.countNonZero(part)) for part in (body, line, ring))
        weigh = body * np.float32(1 / area) - ring * np.float32(OUTSIDE / 2 / around)
        return _spectrum(weigh), _spectrum(line * np.float32(EDGES / length))


def _spectrum(plane: Plane) -> Plane:
    return np.asarray(cv2.dft(plane), dtype=np.float32)
