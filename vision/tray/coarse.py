"""All places of a table looked at coarsely: every way to lie, at every second pixel."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tray.plan import PPM, RIM_MM, Plane
from vision.tray.prism import PrismPlace, filled, reach_px
from vision.tray.table import EDGES, OUTSIDE, EvidenceTable

POSES = [(True, 0.0)] + [(False, math.radians(turn)) for turn in range(0, 180, 20)]
"""The ways to lie: flat or not, and the turn."""
NOWHERE = -9.0
_STEP = 2
_TILE = 64
_LEAN = 10
"""Pieces within so many coarse pixels lean the same way."""
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
        """Score all poses in a part of the plan, in tiles small enough to lean all the same way."""
        row, column = max(0, row), max(0, column)
        end_row, end_column = min(self.shape[0], end_row), min(self.shape[1], end_column)
        for top in range(row, end_row, _TILE):
            for left in range(column, end_column, _TILE):
                self._scan_tile(top, left, min(top + _TILE, end_row), min(left + _TILE, end_column))

    def _scan_tile(self, row: int, column: int, end_row: int, end_column: int) -> None:
        may = self.may[row:end_row, column:end_column]
        if not may.any():
            return
        down, across = np.flatnonzero(may.any(axis=1)), np.flatnonzero(may.any(axis=0))
        row, end_row = row + int(down[0]), row + int(down[-1]) + 1
        column, end_column = column + int(across[0]), column + int(across[-1]) + 1
        margin = self.half + 1
        r0, c0 = max(0, row - margin), max(0, column - margin)
        r1, c1 = min(self.shape[0], end_row + margin), min(self.shape[1], end_column + margin)
        fine = slice(r0 * _STEP, r1 * _STEP), slice(c0 * _STEP, c1 * _STEP)
        size = (c1 - c0, r1 - r0)
        # What lies half beyond the floor's edge, leaning over it, is judged by the other half.
        floor = self.table.floor[fine]
        speaks = np.where(floor, self.table.speaks[fine], np.float32(0.3))
        edge = np.where(floor, self.table.edge[fine], np.float32(0.2))
        speaks = cv2.resize(speaks, size, interpolation=cv2.INTER_AREA)
        edge = np.minimum(1.7 * cv2.resize(edge, size, interpolation=cv2.INTER_AREA), 1)
        inner = slice(row - r0, end_row - r0), slice(column - c0, end_column - c0)
        may = self.may[row:end_row, column:end_column]
        kernels = self._leaning((row + end_row) // 2, (column + end_column) // 2)
        for pose, (body, line) in enumerate(kernels):
            score = cv2.filter2D(speaks, cv2.CV_32F, body, borderType=cv2.BORDER_CONSTANT)
            along = cv2.filter2D(edge, cv2.CV_32F, line, borderType=cv2.BORDER_CONSTANT)
            score = np.add(score[inner], along[inner])
            self.scores[pose, row:end_row, column:end_column] = np.where(may, score, NOWHERE)
        here = slice(row, end_row), slice(column, end_column)
        self._best[here] = self.scores[:, *here].max(axis=0)

    def _leaning(self, row: int, column: int) -> list[tuple[Plane, Plane]]:
        """Return the kernels of all poses near a place."""
        cell = row // _LEAN, column // _LEAN
        if cell not in self._kernels:
            x, y = self.mm((cell[0] + 0.5) * _LEAN, (cell[1] + 0.5) * _LEAN)
            self._kernels[cell] = [self._kernel(PrismPlace(x, y, flat, turn)) for flat, turn in POSES]
        return self._kernels[cell]

    def _kernel(self, place: PrismPlace) -> tuple[Plane, Plane]:
        """Return the weights of evidence and edges around a place's middle."""
        shape = 2 * self.half + 1, 2 * self.half + 1
        body = filled(self.half + self.table.caster.leaning(place) / _STEP, shape)
        line = body - cv2.erode(body, _SQUARE3)
        ring = cv2.dilate(body, _SQUARE3) - body
        area, length, around = (max(1, cv2.countNonZero(part)) for part in (body, line, ring))
        weigh = body * np.float32(1 / area) - ring * np.float32(OUTSIDE / 2 / around)
        return weigh, line * np.float32(EDGES / length)
