"""Layouts painted as labels: the part of the board that each pixel would show.

A label is a small number. The first few are things with one colour for the whole picture: the surroundings of
the field, its lines, outlines, doors, and the pieces by colour. From :data:`FACES` on each label is one face
of one block or one space's ground, with a colour of its own. :data:`KIND` gives a label's kind.

Spaces are painted from the far ones to the near ones, each as a ready column: its blocks' visible sides level
by level with their doors, its top, the outlines, and the piece on it. Corners are projected with the lens's
distortion, so the picture itself is never straightened.
"""

from __future__ import annotations

from collections import deque

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision import torres
from vision.lens import Floats, Lens, Picture
from vision.pose import Pose
from vision.torres import CELLS, COLOURS, LEVELS, Coloured, CopySizes

Labels = NDArray[np.int16]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom on the canvas; the last two are exclusive."""

AROUND, BEYOND, LINE, EDGE, DOOR = range(5)
PIECE = 5
FACES = 16
PER_CELL = 2 + 4 * LEVELS
LABELS = FACES + CELLS * PER_CELL
GROUND, TOP, SIDE = 10, 11, 12
"""Kinds of faces; the sides south, east, north and west are four kinds, since each has its own light."""
KINDS = 16

CELL_PX = 27.0
"""The least width of a space on the canvas; finer pictures are shrunk by a whole number."""

TALL = 8
"""The greatest height of a stack that fits on the canvas."""

AROUND_MM = 34.0
"""The extent of the field's own surroundings (the board's margin, the markers)."""

ASIDE_MM = 2.0
TIP_MM = 2 * (ASIDE_MM + torres.KING[-1][0])
"""The width of a piece's top with all its places on the space."""
PLACES: tuple[tuple[float, float], ...] = (
    (0.0, 0.0),
    *((x, y) for x in (-ASIDE_MM, 0.0, ASIDE_MM) for y in (-ASIDE_MM, 0.0, ASIDE_MM) if x or y),
)
"""The places of a piece on its space, in mm from the middle."""

TWIN = 0.4
"""Tops nearer to each other than this share of a block's width may be confused."""

STILL_PX = 0.5
"""A camera stands still if no corner of any block moves by this: poses from noisy pictures of one camera
differ by up to 0.4 px there.
"""

_SHIFT = 4


def _list_kinds() -> NDArray[np.int16]:
    kinds = np.zeros(LABELS, np.int16)
    kinds[:FACES] = np.arange(FACES)
    for cell in range(CELLS):
        at = FACES + cell * PER_CELL
        kinds[at], kinds[at + 1] = GROUND, TOP
        kinds[at + 2 : at + PER_CELL] = SIDE + np.arange(4 * LEVELS) % 4
    return kinds


KIND = _list_kinds()


def ground_of(cell: int) -> int:
    """Return the label of a space's ground."""
    return FACES + cell * PER_CELL


def top_of(cell: int) -> int:
    """Return the label of a stack's top."""
    return FACES + cell * PER_CELL + 1


def side_of(cell: int, level: int, side: int) -> int:
    """Return the label of a block's side; the lowest block's level is 0."""
    return FACES + cell * PER_CELL + 2 + 4 * level + side


class PaintedStamp(msgspec.Struct, frozen=True):
    """A column or a piece ready for painting: places on the flat canvas, their labels, the box that they
    fill.
    """

    pixels: NDArray[np.intp]
    labels: Labels
    box: Box


class PaintedStand(msgspec.Struct, frozen=True):
    """A piece as painted: its colour as an index in COLOURS, its place as one in PLACES."""

    colour: int
    place: int = 0


class Canvas:
    """The part of a picture in which a board can show, shrunk, and the stamps that paint layouts on it.

    ``origin`` is its left top corner in the shrunken picture, ``shrink`` the px of the picture per px of
    that, ``shape`` its rows and columns. ``seen`` are the pixels that a board could reach: exactly these
    judge every layout.
    """

    def __init__(self, lens: Lens, pose: Pose, copy: CopySizes) -> None:
        self.copy, self.lens, self.pose = copy, lens, pose
        floors = torres.block_corners(copy)
        flat = pose.project(lens, floors[:, 0].reshape(-1, 3)).reshape(CELLS, 4, 2)
        width_px = (
            float(np.median(np.linalg.norm(flat[:, 1] - flat[:, 0], axis=1)))
            * copy.cell_mm
            / copy.block_mm[0]
        )
        self.shrink = max(1, round(width_px / CELL_PX))
        small = tuple(side // self.shrink for side in lens.size)
        reach = self._shrink_points(floors[:, [0, TALL]].reshape(-1, 3))
        low = np.clip(np.floor(reach.min(0)).astype(int) - 4, 0, np.array(small) - 1)
        high = np.clip(np.ceil(reach.max(0)).astype(int) + 5, low + 1, small)
        self.origin = (int(low[0]), int(low[1]))
        self.shape = (int(high[1] - low[1]), int(high[0] - low[0]))
        self._corners = self._fix_points(floors)
        tips = CopySizes(copy.cell_mm, (TIP_MM, TIP_MM, copy.block_mm[2]))
        self._tips = self._fix_points(torres.block_corners(tips) + np.array((0.0, 0.0, torres.KING[-1][1])))
        doors = torres.door_corners(floors)
        self._doors = self._fix_points(doors)
        camera = pose.camera_mm
        middles = np.array([torres.centre_mm(copy, cell) for cell in range(CELLS)])
        away = np.hypot(*(middles - camera[:2]).T)
        self.order: list[int] = np.argsort(-away, kind="stable").tolist()
        self.rank = [self.order.index(cell) for cell in range(CELLS)]
        """The rank of each space by nearness: 0 is the farthest."""
        half = np.array(copy.block_mm[:2]) / 2
        beside = camera[:2] - middles
        self._sides = [
            [
                side
                for side, shows in enumerate((y < -half[1], x > half[0], y > half[1], x < -half[0]))
                if shows
            ]
            for x, y in beside
        ]
        self._columns: dict[tuple[int, int], PaintedStamp] = {}
        self._pieces: dict[tuple[int, int, bool], tuple[PaintedStamp, NDArray[np.intp]]] = {}
        self._reach: dict[tuple[int, int], PaintedStamp] = {}
        self.empty = self._paint_empty()
        self.seen = self._find_seen()

    def _shrink_points(self, points_mm: Floats) -> Floats:
        return (self.pose.project(self.lens, points_mm) + 0.5) / self.shrink - 0.5

    def _fix_points(self, points_mm: Floats) -> NDArray[np.int32]:
        """Return places on the canvas in fixed point, (…, 2), of points of the field, (…, 3)."""
        places = (self._shrink_points(points_mm.reshape(-1, 3)) - self.origin) * (1 << _SHIFT)
        fixed = np.clip(np.round(places), -(1 << 24), 1 << 24).astype(np.int32)
        return fixed.reshape(*points_mm.shape[:-1], 2)

    def picture(self, picture: Picture) -> Picture:
        """Cut the canvas's part out of a picture, shrunk by averaging."""
        (left, top), (rows, columns), by = self.origin, self.shape, self.shrink
        part = picture[top * by : (top + rows) * by, left * by : (left + columns) * by]
        return np.asarray(cv2.resize(part, (columns, rows), interpolation=cv2.INTER_AREA), dtype=np.uint8)

    def _paint_empty(self) -> Labels:
        labels = np.full(self.shape, BEYOND, np.int16)
        side = self.copy.cell_mm * 8
        wide = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (side / 2 + AROUND_MM) + side / 2
        # The lens bends a straight edge of the field: paint it in short pieces.
        ends = np.concatenate([np.linspace(wide[i], wide[(i + 1) % 4], 8, endpoint=False) for i in range(4)])
        around = self._fix_points(np.column_stack([ends, np.zeros(len(ends))]))
        cv2.fillPoly(labels, [around], AROUND, cv2.LINE_8, _SHIFT)
        # Spaces are a little wider than blocks.
        whole = CopySizes(self.copy.cell_mm, (self.copy.cell_mm, self.copy.cell_mm, self.copy.block_mm[2]))
        spaces = self._fix_points(torres.block_corners(whole)[:, 0])
        for cell, corners in enumerate(spaces):
            cv2.fillConvexPoly(labels, corners, ground_of(cell), cv2.LINE_8, _SHIFT)
        for corners in spaces:
            cv2.polylines(labels, [corners], True, LINE, 1, cv2.LINE_8, _SHIFT)
        return labels

    def _find_seen(self) -> NDArray[np.bool_]:
        reach = np.zeros(self.shape, np.uint8)
        for cell in range(CELLS):
            hull = cv2.convexHull(self._corners[cell, [0, TALL]].reshape(-1, 1, 2))
            cv2.fillConvexPoly(reach, hull, 1, cv2.LINE_8, _SHIFT)
        return np.asarray(reach, dtype=bool)

    def column(self, cell: int, height: int) -> PaintedStamp:
        """Return the stack of a space, with at least one block."""
        if (cell, height) not in self._columns:
            self._columns[cell, height] = self._paint_column(cell, height)
        return self._columns[cell, height]

    def _paint_column(self, cell: int, height: int) -> PaintedStamp:
        corners = self._corners[cell, : height + 1]
        box, start = self._find_box(corners.reshape(-1, 2))
        local = np.full((box[3] - box[1], box[2] - box[0]), -1, np.int16)
        corners = corners - start
        doors = self._doors[cell, :height] - start
        for level in range(height):
            for side in self._sides[cell]:
                after = (side + 1) % 4
                wall = np.array(
                    [
                        corners[level, side],
                        corners[level, after],
                        corners[level + 1, after],
                        corners[level + 1, side],
                    ]
                )
                cv2.fillConvexPoly(local, wall, side_of(cell, level, side), cv2.LINE_8, _SHIFT)
                cv2.fillConvexPoly(local, doors[level, side], DOOR, cv2.LINE_8, _SHIFT)
                cv2.polylines(local, [wall], True, EDGE, 2, cv2.LINE_8, _SHIFT)
        cv2.fillConvexPoly(local, corners[height], top_of(cell), cv2.LINE_8, _SHIFT)
        cv2.polylines(local, [corners[height]], True, EDGE, 2, cv2.LINE_8, _SHIFT)
        return self._make_stamp(local, box)

    def piece(self, cell: int, height: int, stand: PaintedStand) -> PaintedStamp:
        """Return the outline of a piece on a stack of that height; all its labels are 0."""
        stamp, aside = self._stand(cell, height, stand)
        if not stand.place:
            return stamp
        (x, y), (left, top, right, bottom) = aside[stand.place].tolist(), stamp.box
        box = left + x, top + y, right + x, bottom + y
        return PaintedStamp(stamp.pixels + (y * self.shape[1] + x), stamp.labels, box)

    def places(self, cell: int, height: int, stand: PaintedStand) -> NDArray[np.intp]:
        """Return the pixels of a piece on each of :data:`PLACES`, (places, pixels)."""
        stamp, aside = self._stand(cell, height, stand)
        return np.asarray(stamp.pixels + (aside[:, 1:] * self.shape[1] + aside[:, :1]), dtype=np.intp)

    def _stand(self, cell: int, height: int, stand: PaintedStand) -> tuple[PaintedStamp, NDArray[np.intp]]:
        """Return a piece in the middle of its space, and its offset in whole pixels on each of
        :data:`PLACES`, (places, 2); pixels that could leave the canvas there are left out.
        """
        king = COLOURS[stand.colour] == "king"
        if (cell, height, king) not in self._pieces:
            corners, (width, depth, _) = self._corners[cell, height], self.copy.block_mm
            by_mm = np.array([(corners[1] - corners[0]) / width, (corners[3] - corners[0]) / depth])
            aside = np.rint(np.array(PLACES) @ by_mm / (1 << _SHIFT)).astype(np.intp)
            stamp = self._paint_piece(cell, height, stand, int(np.abs(aside).max()))
            self._pieces[cell, height, king] = stamp, aside
        return self._pieces[cell, height, king]

    def _paint_piece(self, cell: int, height: int, stand: PaintedStand, margin: int) -> PaintedStamp:
        x, y = torres.centre_mm(self.copy, cell)
        rings = self._fix_points(torres.rings(COLOURS[stand.colour], (x, y, height * self.copy.block_mm[2])))
        return self._fill_hulls([rings[part].reshape(-1, 2) for part in torres.BULGES], margin)

    def _fill_hulls(
        self, parts: list[NDArray[np.int32]], margin: int = 0, outlined: bool = False
    ) -> PaintedStamp:
        box, start = self._find_box(np.concatenate(parts))
        local = np.full((box[3] - box[1], box[2] - box[0]), -1, np.int16)
        for part in parts:
            hull = cv2.convexHull(part - start)
            cv2.fillConvexPoly(local, hull, 0, cv2.LINE_8, _SHIFT)
            if outlined:
                cv2.polylines(local, [hull], True, 0, 3, cv2.LINE_8, _SHIFT)
        return self._make_stamp(local, box, margin)

    def _find_box(self, fixed: NDArray[np.int32]) -> tuple[Box, NDArray[np.int32]]:
        """Return the box around fixed-point places, and its left top corner in fixed point."""
        low, high = (fixed.min(0) >> _SHIFT) - 1, (fixed.max(0) >> _SHIFT) + 3
        return (int(low[0]), int(low[1]), int(high[0]), int(high[1])), (low << _SHIFT).astype(np.int32)

    def _make_stamp(self, local: Labels, box: Box, margin: int = 0) -> PaintedStamp:
        rows, columns = np.nonzero(local >= 0)
        labels = local[rows, columns]
        y, x = rows + box[1], columns + box[0]
        low, (high, wide) = margin, (side - margin for side in self.shape)
        within = (max(low, box[0]), max(low, box[1]), min(wide, box[2]), min(high, box[3]))
        pixels = y * self.shape[1] + x
        if within != box:
            inside = (y >= low) & (y < high) & (x >= low) & (x < wide)
            pixels, labels = pixels[inside], labels[inside]
        return PaintedStamp(pixels, labels, within)

    def reach(self, cell: int, height: int) -> PaintedStamp:
        """Return the pixels where a space's stack up to a height, and a piece on it, can show; all labels are
        0.
        """
        height = min(height, LEVELS)
        if (cell, height) not in self._reach:
            around = self._corners[cell, 0], self._corners[cell, height], self._tips[cell, height]
            self._reach[cell, height] = self._fill_hulls([np.concatenate(around)], outlined=True)
        return self._reach[cell, height]

    def twins(self, cell: int, height: int) -> list[tuple[int, int]]:
        """Return the other spaces and heights whose top would show at nearly the same place as a stack's."""
        tops = self._corners[:, 1 : TALL + 1].mean(axis=2)
        wide = np.linalg.norm(self._corners[cell, height, 1] - self._corners[cell, height, 0])
        away = np.linalg.norm(tops - self._corners[cell, height].mean(axis=0), axis=2)
        away[cell] = np.inf
        near = np.argwhere(away < TWIN * wide)
        return [(int(other), int(high) + 1) for other, high in near]

    def within(self, box: Box, thin: int = 1) -> NDArray[np.intp]:
        """Return the places of a box's pixels on the flat canvas, of every ``thin``-th row and column."""
        left, top, right, bottom = box
        rows = np.arange(top + -top % thin, bottom, thin)[:, None] * self.shape[1]
        return np.asarray((rows + np.arange(left + -left % thin, right, thin)).ravel(), dtype=np.intp)

    def paint(
        self,
        heights: list[int],
        pieces: list[PaintedStand | None],
        labels: Labels,
        box: Box | None = None,
        front: Labels | None = None,
        beyond: int | None = None,
    ) -> None:
        """Paint a layout on ``labels``, as long as the flat canvas; with a ``box`` only that part is valid.
        With a rank ``beyond``, paint only the farther spaces.

        ``front`` gets for each pixel the :attr:`rank` of the space painted there last, -1 for none.
        """
        rows, columns = self.shape
        left, top, right, bottom = box or (0, 0, columns, rows)
        part = np.s_[top:bottom, left:right]
        labels.reshape(self.shape)[part] = self.empty[part]
        if front is not None:
            front.reshape(self.shape)[part] = -1
        for rank, cell in enumerate(self.order[:beyond]):
            height, stand = heights[cell], pieces[cell]
            if height:
                stamp = self.column(cell, height)
                if box is None or _meet(stamp.box, box):
                    labels[stamp.pixels] = stamp.labels
                    if front is not None:
                        front[stamp.pixels] = rank
            if stand is not None:
                stamp = self.piece(cell, height, stand)
                if box is None or _meet(stamp.box, box):
                    labels[stamp.pixels] = PIECE + stand.colour
                    if front is not None:
                        front[stamp.pixels] = rank


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


_KEPT: deque[Canvas] = deque(maxlen=4)


def canvas(lens: Lens, pose: Pose, copy: CopySizes) -> Canvas:
    """Return the canvas of a camera over a board, the same one until either moves by :data:`STILL_PX`."""
    reach = torres.block_corners(copy)[:, [0, TALL]].reshape(-1, 3)
    now = pose.project(lens, reach)
    for kept in _KEPT:
        if (kept.lens, kept.copy) == (lens, copy):
            then = kept.pose.project(lens, reach)
            if np.abs(now - then).max() < STILL_PX:
                return kept
    _KEPT.append(Canvas(lens, pose, copy))
    return _KEPT[-1]


def stands(layout: Coloured) -> list[PaintedStand | None]:
    """Return a layout's pieces by space, each in the middle of its own."""
    held = dict(layout.pieces)
    return [PaintedStand(COLOURS.index(held[cell])) if cell in held else None for cell in range(CELLS)]
