"""One layout of a board in the making: the contents of each space, painted, and tries of others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from vision.torres import COLOURS, Colour, Coloured
from vision.torres.evidence import Evidence, Explained, Patch, faces_of
from vision.torres.painter import EDGE, FACES, PER_CELL, PIECE, Box, Labels, PaintedStand

Spot = tuple[int, PaintedStand | None]
"""The contents of a space: a height and a piece or none."""

HIDDEN = 40
"""A change in fewer pixels of the canvas than this is not seen."""

HIDDEN_PIECE = 16
"""A piece that shows in fewer pixels than this is not seen; a whole one has 150 and more."""

KNIGHT, KING = PaintedStand(0), PaintedStand(len(COLOURS) - 1)


def shown(spot: Spot) -> tuple[int, Colour | None]:
    """Return a spot in a layout's terms: its height and its piece's colour."""
    height, stand = spot
    return height, None if stand is None else COLOURS[stand.colour]


def layout_of(spots: Iterable[Spot]) -> Coloured:
    """Return the layout in which the spaces hold ``spots``."""
    heights, pieces = zip(*map(shown, spots), strict=True)
    return Coloured(bytes(heights), tuple((cell, one) for cell, one in enumerate(pieces) if one is not None))


class HeldSpots:
    """The spot that each space holds, the canvas painted with them, and their explanation of the picture.

    ``front`` has for each pixel the rank of the space painted there last, as in :attr:`.Canvas.rank`, -1 for
    none: a space shows exactly where nothing nearer does.
    """

    def __init__(self, evidence: Evidence, start: list[Spot]) -> None:
        self.evidence, self.canvas = evidence, evidence.canvas
        self.heights = [height for height, _ in start]
        self.pieces = [stand for _, stand in start]
        size = self.canvas.shape[0] * self.canvas.shape[1]
        self.labels: Labels = np.zeros(size, np.int16)
        self.front: Labels = np.zeros(size, np.int16)
        self._trial: Labels = np.zeros(size, np.int16)
        self._trial_front: Labels = np.zeros(size, np.int16)
        self.canvas.paint(self.heights, self.pieces, self.labels, front=self.front)
        self._place = np.full(size, -1, np.int32)
        self._own = np.zeros(size, np.bool_)
        self._put: list[NDArray[np.intp]] = []
        self._then: Labels = self.labels.copy()
        self._explained = evidence.whole(self.labels)

    def layout(self) -> Coloured:
        """Return the held layout."""
        return layout_of(self.spots())

    def spot(self, cell: int) -> Spot:
        """Return the spot that a space holds."""
        return self.heights[cell], self.pieces[cell]

    def spots(self) -> list[Spot]:
        """Return the spots of all spaces."""
        return list(zip(self.heights, self.pieces, strict=True))

    def put(self, cell: int, spot: Spot) -> None:
        """Let a space hold another spot."""
        box = self.canvas.reach(cell, max(spot[0], self.heights[cell])).box
        part = self.canvas.within(box)
        self.heights[cell], self.pieces[cell] = spot
        self.canvas.paint(self.heights, self.pieces, self._trial, box, self._trial_front)
        self._put.append(part[self.evidence.counted[part] & (self._trial[part] != self.labels[part])])
        self.labels[part], self.front[part] = self._trial[part], self._trial_front[part]

    def hold(self, spots: Iterable[Spot]) -> None:
        """Let every space hold its spot of ``spots``."""
        for cell, spot in enumerate(spots):
            if spot != self.spot(cell):
                self.put(cell, spot)

    def behind(self, cell: int, box: Box) -> Labels:
        """Paint the part of the canvas behind a space, valid within a box and until the next call."""
        self.canvas.paint(self.heights, self.pieces, self._trial, box, beyond=self.canvas.rank[cell])
        return self._trial

    def visible(self, cell: int, pixels: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return a mask of those of a space's pixels that no nearer space covers."""
        return np.asarray(self.front[pixels] <= self.canvas.rank[cell], dtype=np.bool_)

    def stamps(self, cell: int, spot: Spot) -> Iterator[tuple[NDArray[np.intp], Labels]]:
        """Return the stamps of a spot: first the stack, then the piece."""
        height, stand = spot
        if height:
            stamp = self.canvas.column(cell, height)
            shows = self.visible(cell, stamp.pixels)
            yield stamp.pixels[shows], stamp.labels[shows]
        if stand is not None:
            pixels = self.canvas.piece(cell, height, stand).pixels
            pixels = pixels[self.visible(cell, pixels)]
            yield pixels, np.full(len(pixels), PIECE + stand.colour, np.int16)

    @contextmanager
    def placed(self, at: NDArray[np.intp]) -> Iterator[NDArray[np.int32]]:
        """Yield a canvas with the index of each of some pixels, and -1 elsewhere."""
        self._place[at] = np.arange(len(at))
        yield self._place
        self._place[at] = -1

    def touched(self, pixels: NDArray[np.intp], other: Labels) -> NDArray[np.intp]:
        """Return some pixels and all others of the faces that they show, or would show with other labels."""
        if not len(pixels):
            return pixels
        faces = faces_of(self.labels[pixels], other)
        rows, columns = np.divmod(pixels, self.canvas.shape[1])
        boxes = [(columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)]
        for cell in set(((np.flatnonzero(faces) - FACES) // PER_CELL).tolist()):
            boxes.append(self.canvas.reach(cell, self.heights[cell]).box)
        low, high = np.min(boxes, axis=0).tolist(), np.max(boxes, axis=0).tolist()
        part = self.canvas.within((low[0], low[1], high[2], high[3]), self.evidence.thin)
        self._own[pixels] = True
        at = part[(self._own[part] | faces[self.labels[part]]) & self.evidence.counted[part]]
        self._own[pixels] = False
        return at

    def explained(self) -> Explained:
        """Return the held spots' explanation of the picture, with changed parts judged again."""
        changed = np.concatenate([*self._put, np.array([], np.intp)])
        self._put = []
        changed = changed[self._then[changed] != self.labels[changed]]
        if len(changed):
            at = self.touched(changed, self._then[changed])
            patch = Patch(at, np.stack([self._then[at], self.labels[at]]))
            found = self.evidence.judged([patch], self._explained)[0]
            self._explained.density[at], self._explained.price[:] = found.density[1], found.price
            self._then[changed] = self.labels[changed]
        return self._explained

    def shows(self, cell: int) -> float:
        """Return the number of pixels in which the piece of a space shows; infinity without a piece."""
        height, stand = self.spot(cell)
        if stand is None:
            return float("inf")
        at = self.canvas.piece(cell, height, stand).pixels
        return float(np.count_nonzero(self.labels[at] == PIECE + stand.colour))

    def would_show(self, cell: int, spot: Spot) -> int:
        """Return the number of pixels in which another spot of a space would show by covering the present
        picture.

        Outlines do not count: they lie a pixel or two off their places, and tell little.
        """
        return sum(
            int(
                np.count_nonzero(
                    (labels != self.labels[pixels]) & (labels != EDGE) & self.evidence.counted[pixels]
                )
            )
            for pixels, labels in self.stamps(cell, spot)
        )


class SpotSpace:
    """A space and its possible contents: the pixels where they can show, and the labels to paint there.

    ``heights`` are all that it may have.
    """

    def __init__(self, held: HeldSpots, cell: int, heights: Iterable[int]) -> None:
        self.held, self.cell, self.spots = held, cell, [held.spot(cell)]
        canvas = held.canvas
        reach = canvas.reach(cell, max(*heights, self.spots[0][0]))
        mine = reach.pixels[held.visible(cell, reach.pixels)]
        mine = mine[held.evidence.counted[mine]]
        self._bare = held.behind(cell, reach.box)[mine]
        self.at = held.touched(mine, self._bare)
        with held.placed(self.at) as place:
            self._mine = place[mine]

    def patch(self, spots: Iterable[Spot]) -> Patch:
        """Return the patch of a space with each of some spots, the present one first."""
        self.spots = [self.held.spot(self.cell), *spots]
        labels = self.held.labels[self.at]
        tries = np.tile(labels, (len(self.spots), 1))
        tries[1:, self._mine] = self._bare
        with self.held.placed(self.at) as place:
            for row, spot in zip(tries[1:], self.spots[1:], strict=True):
                for pixels, painted in self.held.stamps(self.cell, spot):
                    to = place[pixels]
                    row[to[to >= 0]] = painted[to >= 0]
        return Patch(self.at, tries)
