"""One layout of a board in the making: what each space holds, painted, and tries of what it could hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from vision.torres import limits
from vision.torres.colours import Single
from vision.torres.evidence import Evidence, Patch, Sums, faces_of
from vision.torres.painter import BEYOND, EDGE, PIECE, Box, Labels, PaintedStand
from vision.torres.shapes import COLOURS, Colour, Coloured

Spot = tuple[int, PaintedStand | None]
"""What one space holds: a height and a piece or none."""

KNIGHT, KING = PaintedStand(0), PaintedStand(len(COLOURS) - 1)


def shown(spot: Spot) -> tuple[int, Colour | None]:
    """Return a spot as a layout has it: its height and its piece's colour."""
    height, stand = spot
    return height, None if stand is None else COLOURS[stand.colour]


def laid(spots: Iterable[Spot]) -> Coloured:
    """Return the layout in which the spaces hold ``spots``."""
    heights, pieces = zip(*map(shown, spots), strict=True)
    return Coloured(bytes(heights), tuple((cell, one) for cell, one in enumerate(pieces) if one is not None))


class HeldSpots:
    """The spot that each space holds, the canvas painted so, and the sums of what is painted.

    ``front`` says for each pixel how near the space is that was painted there last, as in
    :attr:`.Canvas.rank`, -1 for none: what a space holds shows exactly where nothing nearer does.
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
        self.totals: Sums = evidence.totals(self.labels)

    def layout(self) -> Coloured:
        """Return the layout that is held."""
        return laid(self.spots())

    def spot(self, cell: int) -> Spot:
        """Return the spot that a space holds."""
        return self.heights[cell], self.pieces[cell]

    def spots(self) -> list[Spot]:
        """Return the spots of all spaces."""
        return list(zip(self.heights, self.pieces, strict=True))

    def put(self, cell: int, spot: Spot) -> None:
        """Let a space hold something else."""
        box = self.canvas.reach(cell, max(spot[0], self.heights[cell])).box
        part = self.canvas.within(box)
        self.heights[cell], self.pieces[cell] = spot
        self.canvas.paint(self.heights, self.pieces, self._trial, box, self._trial_front)
        at = part[self.evidence.counted[part] & (self._trial[part] != self.labels[part])]
        self.totals -= self.evidence.sums(self.labels[at], at)
        self.labels[part], self.front[part] = self._trial[part], self._trial_front[part]
        self.totals += self.evidence.sums(self.labels[at], at)

    def hold(self, spots: Iterable[Spot]) -> None:
        """Let every space hold something."""
        for cell, spot in enumerate(spots):
            if spot != self.spot(cell):
                self.put(cell, spot)

    def painted(self, cell: int, spot: Spot, box: Box) -> Labels:
        """Paint the canvas, right within a box, as if a space held something else; until the next call."""
        held = self.spot(cell)
        self.heights[cell], self.pieces[cell] = spot
        self.canvas.paint(self.heights, self.pieces, self._trial, box)
        self.heights[cell], self.pieces[cell] = held
        return self._trial

    def visible(self, cell: int, pixels: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Mark those of a space's pixels that no nearer space covers."""
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

    def density(self) -> Single:
        """Return the log density of every pixel of the canvas under what is held now; 0 where none counts."""
        density = np.zeros(len(self.labels), np.float32)
        density[self.evidence.everywhere] = self.evidence.whole(self.labels).density[0]
        return density

    def poor(self) -> list[int]:
        """Count by space how many pixels where it could show are not what the layout held would show."""
        inner = (self.labels >= PIECE) | (self.labels <= BEYOND)
        image = ((self.density() < limits.POOR) & inner).reshape(self.canvas.shape)
        boxes = [self.canvas.reach(cell, height + 1).box for cell, height in enumerate(self.heights)]
        return [int(np.count_nonzero(image[top:bottom, left:right])) for left, top, right, bottom in boxes]

    def shows(self, cell: int) -> float:
        """Count the pixels in which the piece of a space shows; infinite if there is no piece."""
        height, stand = self.spot(cell)
        if stand is None:
            return float("inf")
        at = self.canvas.piece(cell, height, stand).pixels
        return float(np.count_nonzero(self.labels[at] == PIECE + stand.colour))

    def would_show(self, cell: int, spot: Spot) -> int:
        """Count the pixels in which something else on a space would show by covering what is there now.

        Outlines do not count: they lie a pixel or two beside where they should, and say little.
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
    """One space and what it could hold: where that can show, and what would be painted there.

    ``heights`` are all that it may have.
    """

    def __init__(self, held: HeldSpots, cell: int, heights: Iterable[int]) -> None:
        self.held, self.cell, self.spots = held, cell, [held.spot(cell)]
        reach = held.canvas.reach(cell, max(*heights, self.spots[0][0]))
        part = held.canvas.within(reach.box)
        self.bare: Labels = held.painted(cell, (0, None), reach.box).copy()
        mine = reach.pixels[held.visible(cell, reach.pixels)]
        own: NDArray[np.bool_] = np.zeros(len(self.bare), np.bool_)
        own[mine] = True
        touched = faces_of(held.labels[mine], self.bare[mine])
        self.at = part[(own[part] | touched[held.labels[part]]) & held.evidence.counted[part]]

    def patch(self, spots: Iterable[Spot]) -> Patch:
        """Return the patch of a space with each of some spots, the present one first."""
        self.spots = [self.held.spot(self.cell), *spots]
        held = self.held.labels[self.at]
        return Patch(self.at, held, np.stack([held, *(self._with(spot) for spot in self.spots[1:])]))

    def _with(self, spot: Spot) -> Labels:
        painted = self.bare.copy()
        for pixels, labels in self.held.stamps(self.cell, spot):
            painted[pixels] = labels
        return painted[self.at]
