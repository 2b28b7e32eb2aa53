"""The search for the layout that explains a picture best: from a first guess, one space after another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.torres import CELLS, LEVELS, SIDE, Coloured
from vision.torres.colours import Single
from vision.torres.evidence import ALIKE, Evidence, Patch, PatchEvidence
from vision.torres.held import HIDDEN_PIECE, KING, KNIGHT, HeldSpots, Spot, SpotSpace, shown
from vision.torres.painter import PIECE, PLACES, PaintedStand, stands

Cost = Callable[[int, Spot], float]
"""The unlikeliness of a space's contents beforehand, as log evidence to subtract."""

Heights = Callable[[int], Iterable[int]]
"""The possible heights of a space."""

TOGETHER = 8
"""The number of spaces judged at once: enough to be quick, few enough for the processor's cache."""

_WORTH, _FACES = 4.0, 4.0
"""Log evidence of a piece's pixels from which it is worth a closer look, and the most that it brings for each
unit of theirs: it also frees the faces behind it from its colour.
"""

OUT = 300.0
"""A height so far behind the best of its space is out of the question, whatever the spaces around become."""

PLAIN = 90.0
"""The lead over all other contents, in every second row and column, at which a space needs no closer look and
no other view.
"""

SWAP_LOSS, ROW = 150.0, 3
"""The largest loss at first of a row of stacks of other heights, and the most stacks in it."""


class SpotOption(msgspec.Struct, frozen=True):
    """A possible spot of a space, and the gain of its explanation of the picture (below 0: a loss).

    ``gain`` includes the cost of unlikely changes, ``evidence`` is of the picture alone.
    """

    cell: int
    spot: Spot
    gain: float
    evidence: float


class LayoutSearch(HeldSpots):
    """A layout in the making with the alternatives of each space.

    ``cost`` is subtracted from the evidence of a space's spot: its unlikeliness beforehand. ``beside`` are
    the same layout in other views of the board, whose evidence is added.
    """

    def __init__(
        self, evidence: Evidence, start: list[Spot], cost: Cost, beside: Sequence[LayoutSearch] = ()
    ) -> None:
        super().__init__(evidence, start)
        self.cost = cost
        self.beside: tuple[LayoutSearch, ...] = tuple(beside)
        self.gained = 0.0
        self.kings = True
        """False once the king is found: then no other space is tried with it."""
        self._at: dict[int, NDArray[np.intp]] = {}
        self._density: Single = np.zeros(len(self.labels), np.float32)

    def options(self, cells: Iterable[int], heights: Heights) -> dict[int, list[SpotOption]]:
        """Return the options of spaces with their heights, including each present spot, best first."""
        found: dict[int, list[SpotOption]] = {}
        waiting = list(cells)
        while waiting:
            now, waiting = waiting[:TOGETHER], waiting[TOGETHER:]
            found |= self._judge_options({cell: sorted({*heights(cell), self.heights[cell]}) for cell in now})
        return found

    def put(self, cell: int, spot: Spot) -> None:
        """Let a space hold another spot, in every view."""
        super().put(cell, spot)
        for other in self.beside:
            other.put(cell, spot)

    def thinned(self, thin: int) -> LayoutSearch:
        """Return a search that holds the same, with evidence from every ``thin``-th row and column."""
        beside = [view.thinned(thin) for view in self.beside]
        return LayoutSearch(self.evidence.thinned(thin), self.spots(), self.cost, beside)

    def would_show(self, cell: int, spot: Spot) -> int:
        """Return the number of pixels of all views in which another spot would show; see
        :meth:`.HeldSpots.would_show`.
        """
        return super().would_show(cell, spot) + sum(view.would_show(cell, spot) for view in self.beside)

    def shows(self, cell: int) -> float:
        """Return the number of pixels of all views in which the piece of a space shows."""
        return super().shows(cell) + sum(view.shows(cell) for view in self.beside)

    def _judge_options(self, heights: dict[int, list[int]]) -> dict[int, list[SpotOption]]:
        """Judge spots in this view and, if a doubt is left, in all views; there, also those that only another
        view finds worth a look.
        """
        worth = self._weigh_heights(heights)
        ranked = {cell: self._rank(cell, worth[cell]) for cell in heights}
        unsure = {cell: heights[cell] for cell, some in ranked.items() if not is_plain(some, self.spot(cell))}
        if not self.beside or not unsure:
            return ranked
        views = (self, *self.beside)
        found = [worth, *(view._weigh_heights(unsure) for view in self.beside)]
        for view, own in zip(views, found, strict=True):
            lacking = {
                cell: spots
                for cell in unsure
                if (spots := [spot for other in found for spot in other[cell] if spot not in own[cell]])
            }
            for cell, added in view._weigh_wanted(lacking).items():
                own[cell] |= added
        return ranked | {
            cell: self._rank(cell, {spot: sum(own[cell][spot] for own in found) for spot in worth[cell]})
            for cell in unsure
        }

    def _weigh_wanted(self, wanted: dict[int, list[Spot]]) -> dict[int, dict[Spot, float]]:
        """Return by space the worth in this view of the ``wanted`` spots, relative to the present one."""
        spaces = [SpotSpace(self, cell, [height for height, _ in spots]) for cell, spots in wanted.items()]
        patches = [space.patch(dict.fromkeys(wanted[space.cell])) for space in spaces]
        return {
            space.cell: dict(zip(space.spots, judged.worth.tolist(), strict=True))
            for space, judged in zip(spaces, self._judge(patches), strict=True)
        }

    def _weigh_heights(self, heights: dict[int, list[int]]) -> dict[int, dict[Spot, float]]:
        """Return by space the worth of ``heights``, relative to the present spot, in this view; with pieces
        that the pixels suggest.
        """
        spaces = [SpotSpace(self, cell, own) for cell, own in heights.items()]
        self._at |= {space.cell: space.at for space in spaces}
        first = [space.patch(self._list_usual(space.cell, heights[space.cell])) for space in spaces]
        worth: list[dict[Spot, float]] = []
        more: list[tuple[int, Patch]] = []
        for number, (space, judged) in enumerate(zip(spaces, self._judge(first), strict=True)):
            worth.append(dict(zip(space.spots, judged.worth.tolist(), strict=True)))
            # Without a piece, each pixel's density shows where a piece would explain more.
            welcome = []
            for spot, density in zip(space.spots, judged.density, strict=True):
                if spot[1] is None:
                    self._density[space.at] = density
                    lead = worth[number][spot] + PLAIN
                    welcome += [(spot[0], stand) for stand in self._find_welcome(space, spot[0], lead)]
            self._density[space.at] = 0.0
            if new := [spot for spot in welcome if spot not in worth[number]]:
                more.append((number, space.patch(new)))
        for (number, _), judged in zip(more, self._judge([patch for _, patch in more]), strict=True):
            gains = judged.worth.tolist()
            worth[number] |= dict(zip(spaces[number].spots, gains, strict=True))
        return {space.cell: found for space, found in zip(spaces, worth, strict=True)}

    def _judge(self, patches: list[Patch]) -> list[PatchEvidence]:
        return self.evidence.judged(patches, self.explained()) if patches else []

    def _list_usual(self, cell: int, heights: Iterable[int]) -> list[Spot]:
        """Return each height bare, and with the piece held now, without the present spot."""
        either = dict.fromkeys((None, self.pieces[cell]))
        spots = [(height, stand) for height in heights for stand in either]
        return [spot for spot in spots if spot != self.spot(cell)]

    def _rank(self, cell: int, worth: dict[Spot, float]) -> list[SpotOption]:
        cost = self.cost(cell, self.spot(cell))
        options = [
            SpotOption(cell, spot, score - self.cost(cell, spot) + cost, score)
            for spot, score in worth.items()
        ]
        return sorted(options, key=lambda one: -one.gain)

    def _find_welcome(self, space: SpotSpace, height: int, lead: float) -> list[PaintedStand]:
        """Return the pieces that would explain a stack's pixels better, judged by the pixels that they would
        cover; if the stack is behind by ``lead``, only those that could make up for it.
        """
        cell, density, fixed = space.cell, self._density, self.evidence.fixed
        alike = self.evidence.alike
        worth = max(_WORTH, -lead / _FACES) * alike
        best: list[PaintedStand] = []
        sorts = ((KNIGHT, PIECE, PIECE + 4), (KING, PIECE + 4, PIECE + 5))
        for sort, first, beyond in sorts if self.kings else sorts[:1]:
            middle = self.canvas.piece(cell, height, sort).pixels
            if lead < len(middle) * float(self.evidence.least) / ALIKE:
                continue
            # A piece aside explains most of the pixels that one in the middle covers.
            middle = middle[(density[middle] < 0) & self.visible(cell, middle)]
            better = np.maximum(fixed[first:beyond, middle] - density[middle], 0.0)
            if better.sum(1).max() <= worth:
                continue
            at = self.canvas.places(cell, height, sort)
            free = (density[at] < 0) & self.visible(cell, at)
            gains = np.where(free, fixed[first:beyond, at] - density[at], 0.0)
            # A piece also frees the faces behind it: pixels that it explains better count twice.
            gains = (gains + np.maximum(gains, 0.0)).sum(2)
            gains[:, free.sum(1) < HIDDEN_PIECE * alike / ALIKE] = 0.0
            colour, place = np.unravel_index(gains.argmax(), gains.shape)
            if gains[colour, place] > 0.0:
                best.append(PaintedStand(first - PIECE + int(colour), int(place)))
        return best

    def climb(
        self,
        heights: Heights,
        cells: Collection[int],
        least: float = 0.0,
        steps: int = 200,
        higher: bool = False,
    ) -> dict[int, list[SpotOption]]:
        """Make the best change repeatedly, as long as it gains more than ``least``; return the alternatives
        of each space in the end.

        With ``higher``, a stack whose highest try is the best is tried still higher: a stack of half its
        height would leave the rest to its neighbours. A change outdates the judgement of spaces nearby; an
        outdated one is renewed when its turn comes.
        """
        best = self.options(cells, heights)
        tops = {cell: max(heights(cell)) for cell in cells if higher}

        def taller(cell: int) -> Iterable[int]:
            return range(min(heights(cell)), tops[cell] + 1)

        while rising := [cell for cell, top in tops.items() if best[cell][0].spot[0] == top < LEVELS]:
            tops |= {cell: min(tops[cell] + 2, LEVELS) for cell in rising}
            best |= self.options(rising, taller)
        fresh, old = dict.fromkeys(cells, 0), dict.fromkeys(cells, 0)

        def left(cell: int) -> Iterable[int]:
            near = best[cell][0].gain - OUT
            return {one.spot[0] for one in best[cell] if one.gain > near}

        for step in range(1, steps):
            while best:
                cell = max(best, key=lambda one: best[one][0].gain)
                if fresh[cell] >= old[cell]:
                    break
                best |= self.options([cell], left)
                fresh[cell] = step
            if not best or best[cell][0].gain <= least:
                stale = [one for one in best if fresh[one] < old[one]]
                if not stale:
                    break
                best |= self.options(stale, left)
                fresh |= dict.fromkeys(stale, step)
                continue
            option = best[cell][0]
            aside = shown(self.spot(cell)) == shown(option.spot)
            self.put(cell, option.spot)
            self.gained += option.gain
            best[cell] = [
                SpotOption(cell, one.spot, one.gain - option.gain, one.evidence - option.evidence)
                for one in best[cell]
            ]
            fresh[cell] = step
            # Moving a piece aside on its space changes nothing for others.
            old |= dict.fromkeys(() if aside else self.aged(best.keys() - {cell}), step)
        return best

    def aged(self, cells: Iterable[int]) -> list[int]:
        """Return those of some spaces whose last judgement, in some view, depends on spots put since."""
        changed = np.concatenate([*self._put, np.array([], np.intp)])
        self._own[changed] = True
        found = [cell for cell in cells if cell in self._at and self._own[self._at[cell]].any()]
        self._own[changed] = False
        return [*found, *(cell for view in self.beside for cell in view.aged(cells))]

    def swap(self, heights: Heights) -> None:
        """Try other readings of every stack: a lower stack, whose top is that of a stack before or behind it
        which shows at the same place, the top there in turn that of the next one, and so on; with the best
        spots of the spaces around. Keep a reading that gains in all.
        """
        for cell in sorted(range(CELLS), key=lambda one: -self.canvas.rank[one]):
            for other, high in self.canvas.twins(cell, self.heights[cell]) if self.heights[cell] else ():
                held, self.gained = self.spots(), 0.0
                row = self._find_row(cell, other, high)
                for space, wanted in reversed(row):
                    self._take(space, [wanted])
                # Lowering the stack itself wins back little of the loss by a row that nobody sees.
                if self.gained > -2 * SWAP_LOSS:
                    self._take(cell, range(self.heights[cell]))
                if self.gained > -SWAP_LOSS:
                    spaces = {cell, *(space for space, _ in row)}
                    self.climb(heights, sorted(spaces.union(*map(neighbours, spaces))), steps=8)
                if self.gained > 1.0:
                    break
                self.hold(held)

    def _find_row(self, cell: int, other: int, high: int) -> list[tuple[int, int]]:
        """Return the spaces with their heights if a stack's top is really another's, and so on in a row."""
        row, step = [(other, high)], other - cell
        while self.heights[other] and len(row) < ROW:
            twins = dict(self.canvas.twins(other, self.heights[other]))
            if other + step not in twins:
                break
            other += step
            row.append((other, twins[other]))
        return row

    def _take(self, cell: int, heights: Collection[int]) -> None:
        """Let a space hold the best spot with one of ``heights``."""
        best = next(one for one in self.options([cell], lambda _: heights)[cell] if one.spot[0] in heights)
        self.put(cell, best.spot)
        self.gained += best.gain

    def place(self, layout: Coloured, known: list[Spot]) -> None:
        """Hold a layout, its pieces at their known places, otherwise at the best ones."""
        spots, anew = spots_of(layout), list[tuple[int, int, PaintedStand]]()
        for cell, (height, stand) in enumerate(spots):
            before = known[cell][1]
            if stand is not None and before is not None and before.colour == stand.colour:
                spots[cell] = height, before
            elif stand is not None:
                anew.append((cell, height, stand))
        self.hold(spots)
        for cell, height, stand in anew:
            places: list[Spot] = [
                (height, PaintedStand(stand.colour, place)) for place in range(1, len(PLACES))
            ]
            worth = [view._weigh_wanted({cell: places})[cell] for view in (self, *self.beside)]
            self.put(cell, max(worth[0], key=lambda spot: sum(one[spot] for one in worth)))


def is_plain(options: list[SpotOption], spot: Spot) -> bool:
    """Return True if the contents of a space are far ahead of all alternatives."""
    others = (one.gain for one in options if shown(one.spot) != shown(spot))
    return max(others, default=-np.inf) < -PLAIN


def neighbours(cell: int) -> frozenset[int]:
    """Return the spaces around a space, two rows to the front and the back."""
    row, column = divmod(cell, SIDE)
    return frozenset(
        other
        for other in range(CELLS)
        if other != cell and abs(other // SIDE - row) <= 2 and abs(other % SIDE - column) <= 1
    )


def spots_of(layout: Coloured) -> list[Spot]:
    """Return the spots of a layout, each piece in the middle of its space."""
    return list(zip(layout.heights, stands(layout), strict=True))
