"""Evidence of a layout in a picture: its logarithm over the same pixels for every layout.

Every pixel that a board could reach is explained in any layout: pixels without a block show the ground or its
surroundings, which also has its price. A face has one colour, unknown but near its kind's; its light may
change evenly across it or fall off in a shadow. Its pixels cost their distance from that, but never more than
an unforeseen pixel. Neighbouring pixels agree, so their sum counts only in part (:data:`ALIKE`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
"""The number of pixels that count as one: the sum over pixels is divided by it."""

SLOPE = 0.35
"""The usual change of a face's lightness from one pixel to the next, in L*."""

STRAY = 12.0
"""The largest distance, in squared deviations, of a pixel from its face's colour that counts for the face."""

HALVES = 0.5
"""A face has two lightnesses if less than this share of its pixels is like their mean."""

STRANGE = 15.0
"""The price above which a face's colour costs hardly more for being farther from its kind's: glare is
real.
"""

Sums = Floats
"""By label: the number of pixels, the sums of L*, a*, b*, of x, y, xx, xy, yy, and of xL, yL; (LABELS,
11).
"""


class Explained(msgspec.Struct, frozen=True):
    """A picture as a painted canvas explains it: the log density of each of its pixels, 0 for pixels that do
    not count, and the price of each label's face, (LABELS,).
    """

    density: Single
    price: Floats


class Patch(msgspec.Struct, frozen=True):
    """A part of the canvas with tries: places on the flat canvas, (N,), and the labels of each try, (K, N),
    the held ones first; each should differ little from the one before.

    The places must include all pixels of every face that differs anywhere.
    """

    at: NDArray[np.intp]
    tries: NDArray[np.int16]


class PatchEvidence(msgspec.Struct, frozen=True):
    """The log evidence of each of a patch's tries relative to the first, (K,), the log density of their
    pixels, (K, N), and the prices with the last, (LABELS,).
    """

    worth: Floats
    density: Single
    price: Floats


class Evidence:
    """One picture on its canvas, seen with one palette.

    ``least`` is the lowest log density of a pixel: high while much of the board is yet to be found. With
    ``thin`` only every so many rows and columns count, for a quick look.
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
        self.canvas = canvas
        self._planes = np.ascontiguousarray(pixels.T)
        self._y, self._x = np.indices(canvas.shape, np.float32).reshape(2, -1)
        self.least = np.float32(max(least, colours.UNEXPLAINED))
        self.fixed = np.maximum(colours.rate_fixed(pixels, labels, palette, canvas.shape), self.least)
        self._count(thin)
        self._middle, self._spread, self._grain = (
            table[GROUND:] for table in (palette.middle, palette.spread, palette.grain)
        )
        self._per = np.ascontiguousarray((1.0 / self._grain).T, np.float32)
        self._peak = (-np.log(self._grain).sum(1) - 1.5 * np.log(2 * np.pi)).astype(np.float32)
        self._hue_peak = (-np.log(self._grain[:, 1:]).sum(1) + SHADE_PEAK).astype(np.float32)

    def thinned(self, thin: int) -> Evidence:
        """Return the same evidence from every ``thin``-th row and column, for a quick look."""
        found = copy(self)
        found._count(thin)
        return found

    def _count(self, thin: int) -> None:
        counted = np.zeros_like(self.canvas.seen)
        counted[::thin, ::thin] = self.canvas.seen[::thin, ::thin]
        self.thin, self.alike = thin, ALIKE / thin**2
        self.counted: NDArray[np.bool_] = counted.ravel()
        self.everywhere: NDArray[np.intp] = np.flatnonzero(self.counted)

    def strangers(self, labels: Labels) -> tuple[NDArray[np.intp], Floats, Floats]:
        """Return the faces of a painted layout, their numbers of pixels, and the strangeness of their
        colours.

        Strangeness is the distance from the kind's colour in squared deviations.
        """
        sums = _sum_by_face(labels[self.everywhere], LABELS, self._planes[:, self.everywhere])
        faces = np.flatnonzero(sums[:, 0])
        faces = faces[faces >= FACES]
        kinds, own = KIND[faces] - GROUND, sums[faces]
        middle, wide = self._middle[kinds], self._spread[kinds]
        return faces, own[:, 0], _measure_strangeness(own[:, 1:4] / own[:, :1], middle, wide)

    def whole(self, labels: Labels) -> Explained:
        """Judge a painted layout by all pixels that count."""
        at, found = self.everywhere, Explained(np.zeros(len(labels), np.float32), np.zeros(LABELS))
        found.density[at], faces, price = self._explain(at, labels[at], np.zeros(len(at), np.intp), 1)
        found.price[faces] = price
        return found

    def patch(self, tries: NDArray[np.int16]) -> Patch:
        """Return the patch of painted canvases, (K, pixels), where any may differ from the first."""
        other = (tries != tries[0]).any(0)
        touched = faces_of(tries[:, other].ravel())
        at = self.everywhere[(other | touched[tries[0]])[self.everywhere]]
        return Patch(at, tries[:, at])

    def judged(self, patches: Sequence[Patch], held: Explained) -> list[PatchEvidence]:
        """Return the evidence of each try of each patch, relative to ``held``.

        A try is judged where it differs from the one before it, and on the faces that differ. Many small
        patches at once cost little more than one.
        """
        touched = [_find_touched(patch.tries) for patch in patches]
        steps = [_list_steps(patch.tries, faces) for patch, faces in zip(patches, touched, strict=True)]
        first = np.cumsum([0, *map(len, touched)])
        each = [
            (patch.at[places], patch.tries[rows + 1, places], rows + before)
            for patch, (rows, places), before in zip(patches, steps, first, strict=False)
        ]
        at, labels, group = (np.concatenate(some) for some in zip(*each, strict=True))
        density, faces, price = self._explain(at, labels, group, int(first[-1]))
        prices = np.zeros((first[-1], LABELS))
        prices.ravel()[faces] = price
        densities = np.split(density, np.cumsum([len(rows) for rows, _ in steps])[:-1])
        parts = zip(patches, touched, steps, densities, np.split(prices, first[1:-1]), strict=True)
        return [self._follow(held, *part) for part in parts]

    def _follow(
        self,
        held: Explained,
        patch: Patch,
        touched: NDArray[np.bool_],
        steps: tuple[NDArray[np.intp], NDArray[np.intp]],
        density: Single,
        prices: Floats,
    ) -> PatchEvidence:
        """Follow a patch from try to try: new judgements replace old ones."""
        rows, places = steps
        ends = np.searchsorted(rows, np.arange(len(touched) + 1)).tolist()
        found, price, worth = [held.density[patch.at]], held.price.copy(), [0.0]
        for own, new, start, end in zip(touched, prices, ends, ends[1:], strict=False):
            now, here = found[-1].copy(), places[start:end]
            gain = density[start:end].sum(dtype=np.float64) - now[here].sum(dtype=np.float64)
            worth.append(worth[-1] + float(gain / self.alike + (new[own] - price[own]).sum()))
            now[here], price[own] = density[start:end], new[own]
            found.append(now)
        return PatchEvidence(np.array(worth), np.stack(found), price)

    def _explain(
        self, at: NDArray[np.intp], labels: Labels, group: NDArray[np.intp], groups: int
    ) -> tuple[Single, NDArray[np.intp], Floats]:
        """Return the log density of pixels under labels, their faces and the faces' prices.

        A face's key is its label plus LABELS times its group: faces of different groups have nothing in
        common.
        """
        density = np.empty(len(at), np.float32)
        plain = labels < FACES
        density[plain] = self.fixed[labels[plain], at[plain]]
        flat = np.flatnonzero(~plain)
        faces, which = _number_keys(group[flat] * LABELS + labels[flat], groups * LABELS)
        density[flat], price = self._judge_faces(at[flat], which, KIND[faces % LABELS] - GROUND)
        return density, faces, price

    def _judge_faces(
        self, at: NDArray[np.intp], which: NDArray[np.intp], kinds: NDArray[np.int16]
    ) -> tuple[Single, Floats]:
        """Return the log densities of pixels on faces, and the price of each face.

        ``which`` is each pixel's face, ``kinds`` the faces' kinds.
        """
        seen = self._planes[:, at]
        middle, wide, grain = self._middle[kinds], self._spread[kinds], self._grain[kinds]
        per = self._per[:, kinds][:, which]
        sums = _sum_by_face(which, len(kinds), seen)
        usual = _estimate_colours(sums, middle, wide, grain, self.alike).T.astype(np.float32)
        off = (seen - usual[:, which]) * per
        # A piece's edge or a shadow must not pull the face's colour along: once more without stray pixels.
        near = _sum_squares(off) < STRAY
        # If a shadow covers half of a face, hardly any pixel is like the mean: then one half counts.
        split = np.bincount(which, near, len(kinds)) < HALVES * sums[:, 0]
        halves = np.flatnonzero(split[which])
        if len(halves):
            base = self._find_likelier_half(which[halves], seen[:, halves], off[0, halves] > 0, kinds)
            near[halves] = _sum_squares((seen[:, halves] - base[:, which[halves]]) * per[:, halves]) < STRAY
        close = np.flatnonzero(near)
        x, y = self._x[at], self._y[at]
        full = _sum_by_face(which[close], len(kinds), _list_terms(seen[:, close], x[close], y[close]))
        colour, slope, price = _fit_planes(full, middle, wide, grain, self.alike)
        price += _price_colours(full, kinds, middle, wide, grain, self.alike)
        expected: Single = colour.T.astype(np.float32)[:, which]
        slope_x, slope_y = slope.T.astype(np.float32)[:, which]
        expected[0] += slope_x * x + slope_y * y
        off = seen - expected
        density = self._peak[kinds][which] - np.float32(0.5) * _sum_squares(off * per)
        # In shadow: any lightness, darker rather than lighter, and the same hue in less light.
        light = seen[0] / np.maximum(expected[0], np.float32(1.0))
        hue = (seen[1:] - expected[1:] * light) * (per[1:] * np.float32(1 / SHADE_GRAIN))
        falls = np.where(off[0] < 0, np.float32(-1 / SHADE_DARK), np.float32(1 / SHADE_BRIGHT))
        shade = self._hue_peak[kinds][which] - off[0] * falls - np.float32(0.5) * _sum_squares(hue)
        return np.maximum(np.maximum(density, shade), self.least), price

    def _find_likelier_half(
        self, which: NDArray[np.intp], seen: Single, light: NDArray[np.bool_], kinds: NDArray[np.int16]
    ) -> Single:
        """Return the faces' colours, (3, faces), by their light pixels or by their dark ones, by the half
        that more of their pixels resemble.
        """
        middle, wide, grain = self._middle[kinds], self._spread[kinds], self._grain[kinds]
        found, like = [], []
        for half in (light, ~light):
            sums = _sum_by_face(which[half], len(kinds), seen[:, half])
            found.append(_estimate_colours(sums, middle, wide, grain, self.alike))
            off = (seen - found[-1].T.astype(np.float32)[:, which]) * self._per[:, kinds][:, which]
            like.append(np.bincount(which, _sum_squares(off) < STRAY, len(kinds)))
        lit, dark = found
        return np.where((like[0] >= like[1])[:, None], lit, dark).T.astype(np.float32)


def faces_of(*labels: Labels) -> NDArray[np.bool_]:
    """Return a mask by label of the faces among ``labels``."""
    found = np.zeros(LABELS, np.bool_)
    for some in labels:
        found[some] = True
    found[:FACES] = False
    return found


def _find_touched(tries: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Return a mask of the faces, (K - 1, LABELS), that gain or lose pixels in each try."""
    touched = np.zeros((len(tries) - 1, LABELS), np.bool_)
    rows, places = np.nonzero(tries[1:] != tries[:-1])
    touched[rows, tries[rows, places]] = touched[rows, tries[rows + 1, places]] = True
    touched[:, :FACES] = False
    return touched


def _list_steps(
    tries: NDArray[np.int16], touched: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the places to judge again, try by try."""
    anew = np.take_along_axis(touched, tries[1:].astype(np.intp), 1) | (tries[1:] != tries[:-1])
    rows, places = np.nonzero(anew)
    return rows, places


def _number_keys(keys: NDArray[np.intp], beyond: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the distinct keys, all below ``beyond``, in order, and for each key its index among them."""
    there = np.zeros(beyond, np.bool_)
    there[keys] = True
    found = np.flatnonzero(there)
    number = np.empty(beyond, np.intp)
    number[found] = np.arange(len(found))
    return found, number[keys]


def _sum_squares(planes: Single) -> Single:
    """Return the sum of planes' squares."""
    found: Single = planes[0] * planes[0]
    for plane in planes[1:]:
        found += plane * plane
    return found


def _list_terms(seen: Single, x: Single, y: Single) -> tuple[NDArray[np.floating[Any]], ...]:
    """Return the pixels' terms of their faces' sums, except their number."""
    light, east, south = (one.astype(np.float64) for one in (seen[0], x, y))
    return *seen, x, y, east * east, east * south, south * south, east * light, south * light


def _sum_by_face(
    which: NDArray[np.integer[Any]], many: int, terms: Iterable[NDArray[np.floating[Any]]]
) -> Sums:
    number = np.bincount(which, minlength=many).astype(np.float64)
    return np.stack([number, *(np.bincount(which, term, many) for term in terms)], 1)


def _price_colours(
    sums: Sums, kinds: NDArray[np.int16], middle: Floats, wide: Floats, grain: Floats, alike: float
) -> Floats:
    """Return the price of each face's colour: its distance from its kind's, and the precision that its pixels
    give.
    """
    most = np.where(kinds == 0, 3 * STRANGE, STRANGE)
    colour = _estimate_colours(sums, middle, wide, grain, alike)
    price = most * np.log1p(0.5 * _measure_strangeness(colour, middle, wide) / most)
    room = np.log1p(sums[:, :1] / alike * (wide / grain) ** 2).sum(1)
    return np.asarray(-price - 0.5 * room, dtype=np.float64)


def _measure_strangeness(colour: Floats, middle: Floats, wide: Floats) -> Floats:
    """Return the faces' distance from their kinds, in squared deviations; in less light hues are weaker."""
    off = colour - middle
    off[:, 1:] = colour[:, 1:] - middle[:, 1:] * np.minimum(1.0, colour[:, :1] / middle[:, :1])
    return np.asarray(((off / wide) ** 2).sum(1), dtype=np.float64)


def _estimate_colours(sums: Sums, middle: Floats, wide: Floats, grain: Floats, alike: float) -> Floats:
    """Return a face's colour from its pixels and its kind's."""
    weight = sums[:, :1] / alike * (wide / grain) ** 2
    own = sums[:, 1:4] / np.maximum(sums[:, :1], 1.0)
    return np.asarray(middle + weight / (weight + 1.0) * (own - middle), dtype=np.float64)


def _fit_planes(
    sums: Sums, middle: Floats, wide: Floats, grain: Floats, alike: float
) -> tuple[Floats, Floats, Floats]:
    """Return the faces' colours at x = y = 0, the changes of their L* with x and y, and the price of each
    freedom.
    """
    colour = _estimate_colours(sums, middle, wide, grain, alike)
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
