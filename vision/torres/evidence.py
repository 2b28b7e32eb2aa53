"""Evidence of a layout in a picture: its logarithm over the same pixels for every layout.

Every pixel a board could reach is explained, whatever the layout: what no block covers shows the ground or
what lies outside, and that has its price too. A face has one colour, unknown but near its kind's, and its
light may change evenly across it or fall off in a shadow; its pixels' distance from that is what they cost,
never more than a pixel that nobody thought of. Neighbouring pixels say the same thing, so their sum counts
only a share (:data:`ALIKE`).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats
from vision.torres import colours
from vision.torres.colours import SHADE_BRIGHT, SHADE_DARK, SHADE_GRAIN, SHADE_PEAK, KindPalette, Single
from vision.torres.painter import FACES, GROUND, KIND, LABELS, Canvas, Labels

ALIKE = 12.0
"""How many pixels say one thing: the sum over pixels is divided by it."""

SLOPE = 0.35
"""How much the lightness of a face usually changes from one pixel to the next, in L*."""

STRAY = 12.0
"""How far, in squared deviations, a pixel may be from its face's colour to count for it."""

HALVES = 0.5
"""A face of whose pixels less than this share is like their mean has two lightnesses."""

STRANGE = 15.0
"""From which price on a face's colour, ever farther from its kind's, hardly costs more: glare is real."""

Sums = Floats
"""By label: how many pixels, the sums of L*, a*, b*, of x, y, xx, xy, yy, and of xL, yL; (LABELS, 11)."""


class Patch(msgspec.Struct, frozen=True):
    """A part of the canvas and what it might show: places on the flat canvas, the labels painted there, (N,),
    and those of each try, (K, N).

    All pixels of every face that differs anywhere must be among the places, or lie too far away to matter.
    """

    at: NDArray[np.intp]
    held: Labels
    tries: NDArray[np.int16]


class PatchEvidence(msgspec.Struct, frozen=True):
    """The log evidence of each of a patch's tries, (K,), and the log density of their pixels, (K, N).

    Only differences between tries of one patch mean something.
    """

    worth: Floats
    density: Single


class Evidence:
    """One picture on its canvas, seen with one palette.

    ``least`` is the log density below which no pixel falls: high while much of the board is yet to be found.
    With ``thin`` only every so many rows and columns count, for a quick look.
    """

    def __init__(
        self,
        canvas: Canvas,
        pixels: Single,
        labels: Labels,
        palette: KindPalette,
        least: float = -np.inf,
        thin: int = 1,
    ) -> None:
        self.canvas, self.pixels = canvas, pixels
        self._planes = np.ascontiguousarray(pixels.T, np.float64)
        self.least = np.float32(max(least, colours.floor()))
        self.fixed = np.maximum(colours.fixed(pixels, labels, palette, canvas.shape), self.least)
        self._count(thin)
        self._middle, self._spread, self._grain = (
            table[GROUND:] for table in (palette.middle, palette.spread, palette.grain)
        )
        self._per = (1.0 / self._grain).astype(np.float32)
        self._peak = (-np.log(self._grain).sum(1) - 1.5 * np.log(2 * np.pi)).astype(np.float32)
        self._hue_peak = (-np.log(self._grain[:, 1:]).sum(1) + SHADE_PEAK).astype(np.float32)

    def thinned(self, thin: int) -> Evidence:
        """Return the same evidence by every so many rows and columns alone, for a quick look."""
        found = copy(self)
        found._count(thin)
        return found

    def _count(self, thin: int) -> None:
        counted = np.zeros_like(self.canvas.seen)
        counted[::thin, ::thin] = self.canvas.seen[::thin, ::thin]
        self.alike = ALIKE / thin**2
        self.counted: NDArray[np.bool_] = counted.ravel()
        self.everywhere: NDArray[np.intp] = np.flatnonzero(self.counted)

    def totals(self, labels: Labels) -> Sums:
        """Return the sums of each label of a painted layout."""
        return self.sums(labels[self.everywhere], self.everywhere)

    def sums(self, labels: Labels, at: NDArray[np.intp]) -> Sums:
        """Return the sums of each label in some places."""
        return _totals(labels, LABELS, self._terms(at))

    def _terms(self, at: NDArray[np.intp]) -> tuple[Floats, ...]:
        """Return the pixels' terms of their labels' sums, but for their number."""
        y, x = (one.astype(np.float64) for one in np.divmod(at, self.canvas.shape[1]))
        light, green, yellow = self._planes[:, at]
        return light, green, yellow, x, y, x * x, x * y, y * y, x * light, y * light

    def strangers(self, labels: Labels) -> tuple[NDArray[np.intp], Floats, Floats]:
        """Return the faces of a painted layout, how many pixels each shows, and how strange its colour is.

        Strangeness is in squared deviations from its kind's colour.
        """
        sums = self.totals(labels)
        faces = np.flatnonzero(sums[:, 0])
        faces = faces[faces >= FACES]
        kinds, own = KIND[faces] - GROUND, sums[faces]
        middle, wide = self._middle[kinds], self._spread[kinds]
        return faces, own[:, 0], _apart(own[:, 1:4] / own[:, :1], middle, wide)

    def whole(self, labels: Labels) -> PatchEvidence:
        """Judge a painted layout by all pixels that count, which are :attr:`everywhere`."""
        own = labels[self.everywhere]
        return self.judged([Patch(self.everywhere, own, own[None])], self.totals(labels))[0]

    def compared(self, held: Labels, painted: NDArray[np.int16], totals: Sums) -> list[float]:
        """Return the log evidence of painted canvases, (K, pixels), judged wherever they may differ from
        ``held``.

        Only differences mean something.
        """
        other = (painted != held).any(0)
        touched = faces_of(held[other], painted[:, other].ravel())
        at = self.everywhere[(other | touched[held])[self.everywhere]]
        found: list[float] = self.judged([Patch(at, held[at], painted[:, at])], totals)[0].worth.tolist()
        return found

    def judged(self, patches: Sequence[Patch], totals: Sums) -> list[PatchEvidence]:
        """Return how well each try of each patch explains the picture; ``totals`` are those of what is held.

        Many small patches at once cost little more than one.
        """
        shapes = [patch.tries.shape for patch in patches]
        many = np.array([tries for tries, _ in shapes])
        groups = int(many.sum())
        own = np.concatenate([patch.tries.ravel() for patch in patches])
        at = np.concatenate([np.tile(patch.at, len(patch.tries)) for patch in patches])
        group = np.repeat(np.arange(groups), np.repeat([wide for _, wide in shapes], many))
        density = np.empty(len(own), np.float32)
        plain = own < FACES
        density[plain] = self.fixed[own[plain], at[plain]]
        flat = np.flatnonzero(~plain)
        keys = group[flat] * LABELS + own[flat]
        faces, which = _compact(keys, groups * LABELS)
        rest = totals[faces % LABELS] - self._within(patches, np.repeat(np.arange(len(patches)), many), faces)
        density[flat], price = self._faces(at[flat], which, KIND[faces % LABELS] - GROUND, rest)
        worth = np.bincount(group, density, groups) / self.alike
        worth += np.bincount(faces // LABELS, price, groups)
        found, start, first = [], 0, 0
        for tries, wide in shapes:
            end, last = start + tries * wide, first + tries
            found.append(PatchEvidence(worth[first:last], density[start:end].reshape(tries, wide)))
            start, first = end, last
        return found

    def _within(self, patches: Sequence[Patch], patch_of: NDArray[np.intp], faces: NDArray[np.intp]) -> Sums:
        """Return the part of the faces' totals within their try's patch; ``patch_of`` is each try's."""
        labels = np.concatenate([number * LABELS + patch.held for number, patch in enumerate(patches)])
        at = np.concatenate([patch.at for patch in patches])
        flat = np.flatnonzero(labels % LABELS >= FACES)
        held, which = _compact(labels[flat], len(patches) * LABELS)
        if not len(held):
            return np.zeros((len(faces), 11))
        sums = _totals(which, len(held), self._terms(at[flat]))
        wanted = patch_of[faces // LABELS] * LABELS + faces % LABELS
        place = np.minimum(np.searchsorted(held, wanted), len(held) - 1)
        return np.where((held[place] == wanted)[:, None], sums[place], 0.0)

    def _faces(
        self, at: NDArray[np.intp], which: NDArray[np.intp], kinds: NDArray[np.int16], rest: Sums
    ) -> tuple[Single, Floats]:
        """Return the log densities of pixels on faces, and the price of each face.

        ``which`` is each pixel's face, ``kinds`` the faces' kinds, ``rest`` what they have elsewhere.
        """
        seen, terms = self.pixels[at], self._terms(at)
        middle, wide, grain = self._middle[kinds], self._spread[kinds], self._grain[kinds]
        per = self._per[kinds][which]
        sums = _totals(which, len(kinds), terms[:3]) + rest[:, :4]
        off = (seen - _colour(sums, middle, wide, grain, self.alike).astype(np.float32)[which]) * per
        # A piece's edge or a shadow must not pull the face's colour along: once more without what strays.
        near = np.einsum("ij,ij->i", off, off) < STRAY
        # Where a shadow covers half of a face hardly anything is like the mean: then one half counts.
        split = np.bincount(which, near, len(kinds)) < HALVES * sums[:, 0]
        halves = np.flatnonzero(split[which])
        if len(halves):
            base = self._likelier_half(which[halves], seen[halves], off[halves, 0] > 0, kinds)
            off = (seen[halves] - base[which[halves]]) * per[halves]
            near[halves] = np.einsum("ij,ij->i", off, off) < STRAY
        close = np.flatnonzero(near)
        full = _totals(which[close], len(kinds), [term[close] for term in terms]) + rest
        colour, slope, price = _plane(full, middle, wide, grain, self.alike)
        price += _strange(full, kinds, middle, wide, grain, self.alike)
        expected = colour.astype(np.float32)[which]
        slope = slope[which]
        expected[:, 0] += (slope[:, 0] * terms[3] + slope[:, 1] * terms[4]).astype(np.float32)
        off = seen - expected
        even = off * per
        density = self._peak[kinds][which] - np.float32(0.5) * np.einsum("ij,ij->i", even, even)
        # In shadow: any lightness, below rather than above, and the same hue in less light.
        light = seen[:, 0] / np.maximum(expected[:, 0], 1.0)
        hue = (seen[:, 1:] - expected[:, 1:] * light[:, None]) * (per[:, 1:] * np.float32(1 / SHADE_GRAIN))
        falls = np.where(off[:, 0] < 0, np.float32(-1 / SHADE_DARK), np.float32(1 / SHADE_BRIGHT))
        strays = np.float32(0.5) * np.einsum("ij,ij->i", hue, hue)
        shade = self._hue_peak[kinds][which] - off[:, 0] * falls - strays
        return np.maximum(np.maximum(density, shade), self.least), price

    def _likelier_half(
        self, which: NDArray[np.intp], seen: Single, light: NDArray[np.bool_], kinds: NDArray[np.int16]
    ) -> Single:
        """Return the faces' colours by their light pixels or by their dark ones: whichever is more like their
        kinds'.
        """
        middle, wide, grain = self._middle[kinds], self._spread[kinds], self._grain[kinds]
        found = []
        for half in (light, ~light):
            sums = _totals(which[half], len(kinds), list(seen[half].T.astype(np.float64)))
            found.append(_colour(sums, middle, wide, grain, self.alike))
        lit, dark = found
        nearer = _apart(lit, middle, wide) <= _apart(dark, middle, wide)
        return np.where(nearer[:, None], lit, dark).astype(np.float32)


def faces_of(*labels: Labels) -> NDArray[np.bool_]:
    """Mark by label the faces that are among these."""
    found = np.zeros(LABELS, np.bool_)
    for some in labels:
        found[some] = True
    found[:FACES] = False
    return found


def _compact(keys: NDArray[np.intp], beyond: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the different keys, all below ``beyond``, by size, and for each key which of them it is."""
    there = np.zeros(beyond, np.bool_)
    there[keys] = True
    found = np.flatnonzero(there)
    number = np.empty(beyond, np.intp)
    number[found] = np.arange(len(found))
    return found, number[keys]


def _totals(which: NDArray[np.integer[Any]], many: int, terms: Sequence[Floats]) -> Sums:
    which = which.astype(np.intp, copy=False)  # once, as counting would do it for each term
    number = np.bincount(which, minlength=many).astype(np.float64)
    return np.stack([number, *(np.bincount(which, term, many) for term in terms)], 1)


def _strange(
    sums: Sums, kinds: NDArray[np.int16], middle: Floats, wide: Floats, grain: Floats, alike: float
) -> Floats:
    """Return the price of each face's colour: how far from its kind's, and how exactly the pixels know it."""
    most = np.where(kinds == 0, 3 * STRANGE, STRANGE)
    price = most * np.log1p(0.5 * _apart(_colour(sums, middle, wide, grain, alike), middle, wide) / most)
    room = np.log1p(sums[:, :1] / alike * (wide / grain) ** 2).sum(1)
    return np.asarray(-price - 0.5 * room, dtype=np.float64)


def _apart(colour: Floats, middle: Floats, wide: Floats) -> Floats:
    """Return the faces' distance from their kinds, in squared deviations; less light, weaker hues."""
    off = colour - middle
    off[:, 1:] = colour[:, 1:] - middle[:, 1:] * np.minimum(1.0, colour[:, :1] / middle[:, :1])
    return np.asarray(((off / wide) ** 2).sum(1), dtype=np.float64)


def _colour(sums: Sums, middle: Floats, wide: Floats, grain: Floats, alike: float) -> Floats:
    """Return a face's colour from its pixels and its kind's."""
    weight = sums[:, :1] / alike * (wide / grain) ** 2
    own = sums[:, 1:4] / np.maximum(sums[:, :1], 1.0)
    return np.asarray(middle + weight / (weight + 1.0) * (own - middle), dtype=np.float64)


def _plane(
    sums: Sums, middle: Floats, wide: Floats, grain: Floats, alike: float
) -> tuple[Floats, Floats, Floats]:
    """Return faces' colours at x = y = 0, how their L* changes with x and y, and each freedom's price."""
    colour = _colour(sums, middle, wide, grain, alike)
    number = np.maximum(sums[:, 0], 1.0)
    x, y, light = sums[:, 4] / number, sums[:, 5] / number, sums[:, 1] / number
    ridge = alike * (grain[:, 0] / SLOPE) ** 2
    xx = np.maximum(sums[:, 6] - number * x * x, 0.0) + ridge
    yy = np.maximum(sums[:, 8] - number * y * y, 0.0) + ridge
    xy = sums[:, 7] - number * x * y
    xl, yl = sums[:, 9] - number * x * light, sums[:, 10] - number * y * light
    size = np.maximum(xx * yy - xy * xy, ridge * ridge)
    slope = np.stack([yy * xl - xy * yl, xx * yl - xy * xl], 1) / size[:, None]
    colour[:, 0] -= slope[:, 0] * x + slope[:, 1] * y
    price = -0.5 * (slope**2).sum(1) / SLOPE**2 - 0.5 * np.log(size / ridge**2)
    return colour, slope, price
