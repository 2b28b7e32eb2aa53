"""Looking for the layout that explains a picture best: from a first guess, one space after another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

import msgspec
import numpy as np

from engines.torres.cells import CELLS, SIDE
from vision.torres import limits
from vision.torres.colours import Single
from vision.torres.evidence import ALIKE, Evidence, Sums
from vision.torres.painter import BEYOND, EDGE, PIECE, PLACES, Box, Labels, Stand, stands
from vision.torres.shapes import COLOURS, Colour, Coloured

Cost = Callable[[int, "Spot"], float]
"""How unlikely it is beforehand that a space holds something, as log evidence to take off."""

Spot = tuple[int, Stand | None]
"""What one space holds: a height and a piece or none."""

_WORTH = 4.0
"""Log evidence from which on a piece's outline is worth a closer look."""

SHAKES, SHAKE_EACH, SHAKE_LOSS = 10, 2, 150.0
"""How many losing changes are tried in all, how many on one space, and how much they may lose at first."""

_KNIGHT, _KING = Stand(0), Stand(len(COLOURS) - 1)


def shown(spot: Spot) -> tuple[int, Colour | None]:
    """What a layout says of a spot: its height and its piece's colour, wherever on the space it stands."""
    height, stand = spot
    return height, None if stand is None else COLOURS[stand.colour]


class Option(msgspec.Struct, frozen=True):
    """What a space could hold, and how much better than now that explains the picture (below 0: worse).

    ``gain`` counts what the search adds for likely and unlikely changes, ``evidence`` the picture alone.
    """

    cell: int
    spot: Spot
    gain: float
    evidence: float


class Search:
    """One layout in the making: what each space holds, painted, and its sums.

    ``cost`` is what a space's holding something takes off the evidence: how unlikely it is beforehand.
    """

    def __init__(self, evidence: Evidence, start: list[Spot], cost: Cost) -> None:
        self.evidence, self.canvas, self.cost = evidence, evidence.canvas, cost
        self.heights = [height for height, _ in start]
        self.pieces = [stand for _, stand in start]
        self.home = list(self.pieces)
        self.labels: Labels = np.zeros(self.canvas.shape[0] * self.canvas.shape[1], np.int16)
        self.trial = self.labels.copy()
        self.gained = 0.0
        self._density: Single = np.zeros(len(self.labels), np.float32)
        self.settle()

    def settle(self) -> None:
        """Paint what is held now."""
        self.canvas.paint(self.heights, self.pieces, self.labels)
        self.totals: Sums = self.evidence.totals(self.labels)

    def layout(self) -> Coloured:
        """What is held now."""
        pieces = tuple(
            (cell, COLOURS[held.colour]) for cell, held in enumerate(self.pieces) if held is not None
        )
        return Coloured(bytes(self.heights), pieces)

    def spot(self, cell: int) -> Spot:
        """What a space holds now."""
        return self.heights[cell], self.pieces[cell]

    def spots(self) -> list[Spot]:
        """What all spaces hold now."""
        return list(zip(self.heights, self.pieces, strict=True))

    def put(self, cell: int, spot: Spot) -> None:
        """Let a space hold something else; :meth:`settle` paints it."""
        self.heights[cell], self.pieces[cell] = spot

    def density(self) -> Single:
        """The log density of every pixel of the canvas under what is held now; 0 where none counts."""
        window = self.evidence.whole()
        density = np.zeros(len(self.labels), np.float32)
        density[window.at] = self.evidence.costs(self.labels, window)[1]
        return density

    def poor(self) -> list[int]:
        """By space: how many pixels where it could show are not what the layout held would show."""
        inner = (self.labels >= PIECE) | (self.labels <= BEYOND)
        image = ((self.density() < limits.POOR) & inner).reshape(self.canvas.shape)
        boxes = [self.box(cell, height + 1) for cell, height in enumerate(self.heights)]
        return [int(np.count_nonzero(image[top:bottom, left:right])) for left, top, right, bottom in boxes]

    def box(self, cell: int, height: int) -> Box:
        """The part of the canvas that a stack up to a height, with a piece on it, can show in."""
        boxes = [self.canvas.piece(cell, height, _KING).box, self.canvas.piece(cell, 0, _KING).box]
        boxes.append(self.canvas.column(cell, max(1, height)).box)
        left, top, right, bottom = zip(*boxes, strict=True)
        return min(left), min(top), max(right), max(bottom)

    def shows(self, cell: int) -> float:
        """In how many pixels the piece of a space shows; without end where there is none."""
        height, stand = self.spot(cell)
        if stand is None:
            return float("inf")
        at = self.canvas.piece(cell, height, stand).pixels
        return float(np.count_nonzero(self.labels[at] == PIECE + stand.colour))

    def would_show(self, cell: int, spot: Spot) -> int:
        """In how many pixels something else on a space would show.

        Outlines do not count: they lie a pixel or two beside where they should, and say little.
        """
        box, held = self.box(cell, max(spot[0], self.heights[cell])), self.spot(cell)
        self.put(cell, spot)
        self.canvas.paint(self.heights, self.pieces, self.trial, box)
        self.put(cell, held)
        at = self.evidence.window(box).at
        return int(np.count_nonzero((self.trial[at] != self.labels[at]) & (self.trial[at] != EDGE)))

    def options(self, cell: int, heights: Iterable[int]) -> list[Option]:
        """What a space could hold with these heights, the present spot among them, best first."""
        held = self.spot(cell)
        wanted = sorted({*heights, held[0]})
        box = self.box(cell, wanted[-1])
        window = self.evidence.window(box)
        rest = self.evidence.rest(self.labels, window, self.totals)
        found: dict[Spot, float] = {}

        def judge(spot: Spot) -> Single:
            self.put(cell, spot)
            self.canvas.paint(self.heights, self.pieces, self.trial, box)
            found[spot], density = self.evidence.costs(self.trial, window, rest)
            return density

        judge(held)
        for height in wanted:
            # Without a piece, each pixel's density says where a piece would be welcome.
            self._density[window.at] = judge((height, None))
            welcome = self._welcome(cell, height)
            for stand in (held[1], self.home[cell], *welcome):
                if stand is not None and (height, stand) not in found:
                    judge((height, stand))
        self.put(cell, held)
        present, cost = found[held], self.cost(cell, held)
        options = [
            Option(cell, spot, score - present - self.cost(cell, spot) + cost, score - present)
            for spot, score in found.items()
        ]
        return sorted(options, key=lambda one: -one.gain)

    def _welcome(self, cell: int, height: int) -> list[Stand]:
        """The pieces that would explain a stack's pixels better, judged by what they would cover.

        ``trial`` must be painted with the bare stack.
        """
        density, fixed, bare = self._density, self.evidence.fixed, self.trial.copy()
        worth, least = _WORTH * self.evidence.alike, limits.HIDDEN_PIECE * self.evidence.alike / ALIKE
        best: list[Stand] = []
        for sort, own in ((_KNIGHT, slice(PIECE, PIECE + 4)), (_KING, slice(PIECE + 4, PIECE + 5))):
            stamp = self.canvas.piece(cell, height, sort)
            glow = (fixed[own, stamp.pixels] - density[stamp.pixels]).max(0)[density[stamp.pixels] < 0]
            if np.maximum(glow, 0.0).sum() < worth:
                continue
            gains: dict[tuple[int, int], float] = {}
            for place in range(len(PLACES)):
                self.put(cell, (height, Stand(sort.colour, place)))
                stamp = self.canvas.piece(cell, height, Stand(sort.colour, place))
                self.canvas.paint(self.heights, self.pieces, self.trial, stamp.box)
                # Where the paint differs from the bare stack, the piece would show: nothing stands before it.
                free = stamp.pixels[self.trial[stamp.pixels] != bare[stamp.pixels]]
                free = free[density[free] < 0]
                if len(free) < least:
                    continue
                before = float(density[free].sum())
                for colour in range(own.start, own.stop):
                    gains[colour - PIECE, place] = float(fixed[colour, free].sum()) - before
            colour, place = max(gains, key=lambda one: gains[one], default=(0, 0))
            if gains and gains[colour, place] > worth:
                best.append(Stand(colour, place))
        return best

    def climb(
        self,
        heights: Callable[[int], Iterable[int]],
        cells: Collection[int],
        least: float = 0.0,
        steps: int = 200,
    ) -> dict[int, list[Option]]:
        """Make the best change again and again, as long as it gains more than ``least``.

        A change makes the judgement of spaces nearby old; an old one is renewed when its turn comes. Returns
        what each space could hold instead in the end.
        """
        best = {cell: self.options(cell, heights(cell)) for cell in cells}
        fresh, old = dict.fromkeys(cells, 0), dict.fromkeys(cells, 0)
        for step in range(1, steps):
            while best:
                cell = max(best, key=lambda one: best[one][0].gain)
                if fresh[cell] >= old[cell]:
                    break
                best[cell], fresh[cell] = self.options(cell, heights(cell)), step
            if not best or best[cell][0].gain <= least:
                stale = [one for one in best if fresh[one] < old[one]]
                for one in stale:
                    best[one], fresh[one] = self.options(one, heights(one)), step
                if not stale:
                    break
                continue
            option = best[cell][0]
            aside = shown(self.spot(cell)) == shown(option.spot)
            self.put(cell, option.spot)
            self.settle()
            self.gained += option.gain
            best[cell] = [
                Option(cell, one.spot, one.gain - option.gain, one.evidence - option.evidence)
                for one in best[cell]
            ]
            fresh[cell] = step
            # A piece set a little aside on its space changes nothing for others.
            for one in () if aside else best.keys() & nearby(cell) - {cell}:
                old[one] = step
        return best

    def shake(self, options: dict[int, list[Option]], heights: Callable[[int], Iterable[int]]) -> None:
        """Try changes that lose at first, with what the spaces beside make of them; keep what gains in all.

        A stack may stand for what its neighbour holds, and neither change by itself look better. ``options``
        are kept as they should be.
        """
        poor = self.poor()
        tries = [
            (one.gain, cell, one.spot)
            for cell in sorted(options, key=lambda one: -poor[one])
            for one in _different(options[cell], self.spot(cell))[:SHAKE_EACH]
            if one.gain > -SHAKE_LOSS
        ]
        for loss, cell, spot in tries[:SHAKES]:
            held = self.spots()
            if shown(held[cell]) == shown(spot):
                continue
            self.put(cell, spot)
            self.settle()
            self.gained = loss
            around = beside(cell)
            better = self.climb(heights, sorted(around), steps=6)
            if self.gained > 1.0 and self.spot(cell) == spot:
                options.update(better)
                options[cell] = self.options(cell, heights(cell))
                continue
            for other, before in enumerate(held):
                self.put(other, before)
            self.settle()

    def place(self, layout: Coloured, known: list[Spot]) -> None:
        """Hold a layout, its pieces where they are known to stand, or else where they look best."""
        anew = []
        for cell, (height, stand) in enumerate(start(layout)):
            before = known[cell][1]
            if stand is not None and before is not None and before.colour == stand.colour:
                self.put(cell, (height, before))
            else:
                self.put(cell, (height, stand))
                anew += [cell] * (stand is not None)
        self.settle()
        for cell in anew:
            height, stand = self.spot(cell)
            if stand is None:
                continue
            box = self.box(cell, height)
            window = self.evidence.window(box)
            rest = self.evidence.rest(self.labels, window, self.totals)
            scores = []
            for place in range(len(PLACES)):
                self.put(cell, (height, Stand(stand.colour, place)))
                self.canvas.paint(self.heights, self.pieces, self.trial, box)
                scores.append(self.evidence.score(self.trial, window, rest))
            self.put(cell, (height, Stand(stand.colour, int(np.argmax(scores)))))
            self.settle()


def _different(options: list[Option], spot: Spot) -> list[Option]:
    found: dict[tuple[int, Colour | None], Option] = {}
    for one in options:
        if shown(one.spot) != shown(spot):
            found.setdefault(shown(one.spot), one)
    return list(found.values())


def beside(cell: int) -> frozenset[int]:
    """The spaces around a space, two rows to the front and the back."""
    row, column = divmod(cell, SIDE)
    return frozenset(
        other
        for other in range(CELLS)
        if other != cell and abs(other // SIDE - row) <= 2 and abs(other % SIDE - column) <= 1
    )


def nearby(cell: int) -> frozenset[int]:
    """The spaces whose judgement may change when a space changes."""
    row, column = divmod(cell, SIDE)
    return frozenset(
        other for other in range(CELLS) if abs(other // SIDE - row) <= 3 and abs(other % SIDE - column) <= 2
    )


def start(layout: Coloured) -> list[Spot]:
    """What the spaces hold in a layout, each piece in the middle of its space."""
    return list(zip(layout.heights, stands(layout), strict=True))
