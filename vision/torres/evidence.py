"""How well a layout explains a picture: log evidence over the same pixels for every layout.

Every pixel a board could reach is explained, whatever the layout: what no block covers shows the ground or
what lies outside, and that has its price too. A face has one colour, unknown but near its kind's, and its
light may change evenly across it or fall off in a shadow; its pixels' distance from that is what they cost,
never more than a pixel that nobody thought of. Neighbouring pixels say the same thing, so their sum counts
only a share (:data:`ALIKE`).
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats
from vision.torres import colours
from vision.torres.colours import SHADE_BRIGHT, SHADE_DARK, SHADE_GRAIN, SHADE_PEAK, Palette, Single
from vision.torres.painter import FACES, GROUND, KIND, LABELS, Box, Canvas, Labels

ALIKE = 12.0
"""How many pixels say one thing: the sum over pixels is divided by it."""

SLOPE = 0.35
"""How much the lightness of a face usually changes from one pixel to the next, in L*."""

SECOND_PRICE = 2.0
"""What a pixel in a face's second lightness costs more than one in its own."""

SECOND_LEAST = 25
"""How many pixels of a window a face must have in its second lightness."""

SECOND_HUE = 7.0
"""How badly, in log density, a pixel may fit the face's hue to count for its second lightness."""

STRAY = 12.0
"""How far, in squared deviations, a pixel may be from its face's colour to count for it."""

STRANGE = 15.0
"""From which price on a face's colour, ever farther from its kind's, hardly costs more: glare is real."""

Sums = Floats
"""By label: how many pixels, the sums of L*, a*, b*, of x, y, xx, xy, yy, and of xL, yL; (LABELS, 11)."""


class Window(msgspec.Struct, frozen=True):
    """A part of the canvas: its box, and of the pixels in it that count the places, colours and densities.

    ``terms`` are the pixels' contributions to :data:`Sums`, but for the first; ``rise`` the log densities of
    how steep the picture is there, by kind of face.
    """

    box: Box
    at: NDArray[np.intp]
    colours: Single
    fixed: Single
    terms: tuple[Floats, ...]
    rise: Single


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
        palette: Palette,
        least: float = -100.0,
        thin: int = 1,
    ) -> None:
        self.canvas, self.pixels, self.palette = canvas, pixels, palette
        self.fixed = colours.fixed(pixels, labels, palette, canvas.shape)
        steps = np.log(np.maximum(palette.steps, 1e-4) / np.diff(colours.STEPS)).astype(np.float32)
        steep = colours.steep(pixels, canvas.shape)
        self.fixed += steps[:FACES][:, steep]
        self.least, self.alike = np.float32(least), ALIKE / thin**2
        self.seen = np.zeros_like(canvas.seen)
        self.seen[::thin, ::thin] = canvas.seen[::thin, ::thin]
        self.fixed = np.maximum(self.fixed, self.least)
        self._rise = np.ascontiguousarray(steps[GROUND:][:, steep])
        self.floor = np.float32(colours.floor())
        self._kept: dict[Box, Window] = {}
        self._middle, self._spread, self._grain = (
            table[GROUND:] for table in (palette.middle, palette.spread, palette.grain)
        )
        self._per = (1.0 / self._grain).astype(np.float32)
        self._peak = (-np.log(self._grain).sum(1) - 1.5 * np.log(2 * np.pi)).astype(np.float32)
        self._hue_peak = (-np.log(self._grain[:, 1:]).sum(1) + SHADE_PEAK).astype(np.float32)

    def window(self, box: Box) -> Window:
        """The pixels in a box that count."""
        if box not in self._kept:
            left, top, right, bottom = box
            rows, columns = np.nonzero(self.seen[top:bottom, left:right])
            y, x = (rows + top).astype(np.float64), (columns + left).astype(np.float64)
            at = (rows + top) * self.canvas.shape[1] + columns + left
            here = self.pixels[at]
            light, green, yellow = (np.ascontiguousarray(one) for one in here.astype(np.float64).T)
            terms = (light, green, yellow, x, y, x * x, x * y, y * y, x * light, y * light)
            fixed, rise = (np.ascontiguousarray(table[:, at]) for table in (self.fixed, self._rise))
            self._kept[box] = Window(box, at, here, fixed, terms, rise)
        return self._kept[box]

    def whole(self) -> Window:
        """All the pixels that count."""
        rows, columns = self.canvas.shape
        return self.window((0, 0, columns, rows))

    def totals(self, labels: Labels) -> Sums:
        """What each face of a painted layout has in all."""
        return _sums(labels, self.whole())

    def rest(self, labels: Labels, window: Window, totals: Sums) -> Sums:
        """What of a painted layout with these totals lies outside a window, for judging changes inside it."""
        return totals - _sums(labels, window)

    def strangers(self, labels: Labels) -> tuple[NDArray[np.intp], Floats, Floats]:
        """The faces of a painted layout, how many pixels each shows, and how strange its colour is.

        Strange in squared deviations from its kind's colour.
        """
        sums = self.totals(labels)
        faces = np.flatnonzero(sums[:, 0])
        faces = faces[faces >= FACES]
        kinds, own = KIND[faces] - GROUND, sums[faces]
        middle, wide = self._middle[kinds], self._spread[kinds]
        return faces, own[:, 0], _apart(own[:, 1:4] / own[:, :1], middle, wide)

    def score(self, labels: Labels, window: Window, rest: Sums | None = None) -> float:
        """The log evidence of a painted layout within a window, as the only part that differs."""
        return self.costs(labels, window, rest)[0]

    def costs(self, labels: Labels, window: Window, rest: Sums | None = None) -> tuple[float, Single]:
        """The log evidence, and the log density of each pixel of the window."""
        own = labels[window.at]
        flat = np.flatnonzero(own >= FACES)
        held = own[flat]
        number = np.bincount(held, minlength=LABELS)
        faces = np.flatnonzero(number)
        which = _positions(faces)[held]
        seen = window.colours[flat]
        kinds = KIND[faces] - GROUND
        middle, wide, grain = self._middle[kinds], self._spread[kinds], self._grain[kinds]
        per = self._per[kinds][which]
        terms = [term[flat] for term in window.terms]
        sums = np.stack([number[faces], *(np.bincount(which, term, len(faces)) for term in terms[:3])], 1)
        if rest is not None:
            sums = sums + rest[faces, :4]
        off = (seen - _colour(sums, middle, wide, grain, self.alike).astype(np.float32)[which]) * per
        # A piece's edge or a shadow must not pull the face's colour along: once more without what strays.
        near = (np.einsum("ij,ij->i", off, off) < STRAY).astype(np.float64)
        full = np.stack(
            [
                np.bincount(which, near, len(faces)),
                *(np.bincount(which, near * term, len(faces)) for term in terms),
            ],
            1,
        )
        if rest is not None:
            full += rest[faces]
        colour, slope, price = _plane(full, middle, wide, grain, self.alike)
        expected = colour.astype(np.float32)[which]
        expected[:, 0] += (slope[which, 0] * terms[3] + slope[which, 1] * terms[4]).astype(np.float32)
        off = seen - expected
        even = off * per
        plain = self._peak[kinds][which] - np.float32(0.5) * np.einsum("ij,ij->i", even, even)
        # In shadow: any lightness, below rather than above, and the same hue in less light.
        light = seen[:, 0] / np.maximum(expected[:, 0], 1.0)
        hue = (seen[:, 1:] - expected[:, 1:] * light[:, None]) * (per[:, 1:] * np.float32(1 / SHADE_GRAIN))
        falls = np.where(off[:, 0] < 0, np.float32(-1 / SHADE_DARK), np.float32(1 / SHADE_BRIGHT))
        rare = off[:, 0] * falls
        shade = self._hue_peak[kinds][which] - rare - np.float32(0.5) * np.einsum("ij,ij->i", hue, hue)
        # Where a shadow's edge crosses a face it has a second lightness: what strays with the same hue.
        second = ((near == 0) & (shade > self._hue_peak[kinds][which] - SECOND_HUE)).astype(np.float64)
        there = np.bincount(which, second, len(faces))
        level = np.bincount(which, second * terms[0], len(faces)) / np.maximum(there, 1.0)
        beside = (seen[:, 0] - level.astype(np.float32)[which]) * per[:, 0] * np.float32(1 / SHADE_GRAIN)
        twice = (
            self._peak[kinds][which]
            - np.float32(SECOND_PRICE)
            - np.float32(0.5) * (beside * beside + np.einsum("ij,ij->i", hue, hue))
        )
        plain = np.where((there >= SECOND_LEAST)[which], np.maximum(plain, twice), plain)
        density = window.fixed[np.minimum(KIND[own], FACES - 1), np.arange(len(own))]
        known = np.maximum(np.maximum(plain, shade), self.floor) + window.rise[kinds[which], flat]
        density[flat] = np.maximum(known, self.least)
        worth = float(density.sum()) / self.alike + price
        return worth + _strange(full, kinds, middle, wide, grain, self.alike), density


def _strange(
    sums: Sums, kinds: NDArray[np.int16], middle: Floats, wide: Floats, grain: Floats, alike: float
) -> float:
    """The price of faces' colours: how far from their kinds', and how exactly the pixels know them."""
    most = np.where(kinds == 0, 3 * STRANGE, STRANGE)
    price = most * np.log1p(0.5 * _apart(_colour(sums, middle, wide, grain, alike), middle, wide) / most)
    room = np.log1p(sums[:, :1] / alike * (wide / grain) ** 2).sum()
    return float(-price.sum() - 0.5 * room)


def _apart(colour: Floats, middle: Floats, wide: Floats) -> Floats:
    """How far faces' colours are from their kinds', in squared deviations; less light, weaker hues."""
    off = colour - middle
    off[:, 1:] = colour[:, 1:] - middle[:, 1:] * np.minimum(1.0, colour[:, :1] / middle[:, :1])
    return np.asarray(((off / wide) ** 2).sum(1), dtype=np.float64)


def _colour(sums: Sums, middle: Floats, wide: Floats, grain: Floats, alike: float) -> Floats:
    """A face's colour from its pixels and its kind's."""
    weight = sums[:, :1] / alike * (wide / grain) ** 2
    own = sums[:, 1:4] / np.maximum(sums[:, :1], 1.0)
    return np.asarray(middle + weight / (weight + 1.0) * (own - middle), dtype=np.float64)


def _plane(
    sums: Sums, middle: Floats, wide: Floats, grain: Floats, alike: float
) -> tuple[Floats, Floats, float]:
    """Faces' colours as at x = y = 0, how their L* changes with x and y, and the price of that freedom."""
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
    price = -0.5 * float((slope**2).sum()) / SLOPE**2 - 0.5 * float(np.log(size / ridge**2).sum())
    return colour, slope, price


def _positions(faces: NDArray[np.intp]) -> NDArray[np.intp]:
    """For each label where it is among ``faces``."""
    positions = np.zeros(LABELS, np.intp)
    positions[faces] = np.arange(len(faces))
    return positions


def _sums(labels: Labels, window: Window) -> Sums:
    own = labels[window.at]
    number = np.bincount(own, minlength=LABELS).astype(np.float64)
    return np.stack([number, *(np.bincount(own, term, LABELS) for term in window.terms)], 1)
