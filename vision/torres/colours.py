"""Colours in this picture's light: the looks of each kind of label, learned from a layout.

Colours are CIE L*a*b*. Each face (top, side, ground) has a colour of its own, near its kind's; each other
kind has one spread for the whole picture. :func:`guess_palette` knows only the picture;
:func:`learn_palette` looks at it under a nearly right layout, the last one or the best so far. The lamp's
effects are then in the learned colours, too.
"""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats, Picture
from vision.torres.painter import (
    AROUND,
    BEYOND,
    DOOR,
    EDGE,
    FACES,
    GROUND,
    KIND,
    KINDS,
    LABELS,
    LINE,
    PIECE,
    SIDE,
    TOP,
    Labels,
)

Single = NDArray[np.float32]

PAINTS = np.array(
    [(0.48, 0.05, 0.04), (0.05, 0.07, 0.22), (0.055, 0.145, 0.05), (0.68, 0.39, 0.035), (0.68, 0.58, 0.46)]
)
"""The pieces' reflectances, as linear red, green, blue relative to a white marker; by COLOURS."""

SHADES = np.array([0.35, 0.55, 0.8, 1.1, 1.5])
"""The light on a piece's parts, relative to its usual."""

_FIRST_BLUR = np.array([(6.0, 7.0, 7.0)] * 4 + [(6.0, 4.5, 5.5)])

FLOOR = 0.04
"""The share of pixels that show something unforeseen."""

SHADE_SHARE = 0.2
"""The share of a face in a shadow, or in light that the rest of the face does not get."""

SHADE_DARK, SHADE_BRIGHT = 12.0, 9.0
"""The usual difference of such a pixel, darker and lighter, from its face in L*; larger ones are rarer."""

SHADE_GRAIN = 1.6
"""The factor by which its hue strays more than in even light."""

SHADE_PEAK = float(np.log(SHADE_SHARE / (SHADE_DARK + SHADE_BRIGHT) / (2 * np.pi * SHADE_GRAIN**2)))
"""The log density of a shadow's pixel with its face's hue and nearly its lightness, for a grain of 1."""

_SPAN = 100.0 * 120.0 * 120.0
"""The number of colours for unforeseen things, all equally likely."""

UNEXPLAINED = float(np.log(FLOOR / _SPAN))
"""The log density of an unexplained pixel, with its rarity."""

RARE = 0.1 / _SPAN
"""The density of an area outside the field with a colour that none of its surfaces has."""

MANY = 4000
"""The number of pixels that suffices for a median."""

_FEW = 12
"""The fewest pixels of a face that teach anything."""


class KindPalette(msgspec.Struct, frozen=True):
    """The looks of each kind.

    ``middle``, ``spread``: the colours of a kind's faces, (KINDS, 3); ``grain``: the deviation of a face's
    pixels from its own colour, (KINDS, 3). Kinds that are no faces use only ``middle`` and ``grain``.
    ``paints``: the pieces' colours in their usual light, linear red, green, blue, (5, 3); ``blur``: the
    deviation of their pixels, (5, 3).
    """

    middle: Floats
    spread: Floats
    grain: Floats
    paints: Floats
    blur: Floats


def to_lab(picture: Picture) -> Single:
    """Return a picture's colours, (pixels, 3)."""
    part = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    return np.ascontiguousarray(part.reshape(-1, 3))


def measure_light(picture: Picture, labels: Labels) -> Floats:
    """Measure the light, as linear red, green, blue, by the whitest pixels around the field, the markers."""
    around = picture.reshape(-1, 3)[labels == AROUND]
    if len(around) < 100:
        return np.ones(3)
    least = around.min(1)
    return np.asarray(
        np.median(_linearise(around[least >= np.quantile(least, 0.985)][:, ::-1] / 255.0), axis=0)
    )


def guess_palette(pixels: Single, empty: Labels, light: Floats) -> KindPalette:
    """Make a palette without any layout: the ground as around the field, blocks of any light wood or ivory.

    ``empty`` are the labels of an empty board.
    """
    middle, spread, grain = np.zeros((KINDS, 3)), np.zeros((KINDS, 3)), np.zeros((KINDS, 3))
    around = pixels[empty == AROUND]
    ground = np.median(around, axis=0) if len(around) else np.array([60.0, 0.0, 15.0])
    ground = np.median(around[np.abs(around - ground).max(1) < 15], axis=0)
    top = _lab_of((np.array([0.75, 0.57, 0.32]) * light)[None])[0]
    grain[GROUND : SIDE + 4] = (3, 1.5, 1.5)
    middle[GROUND], spread[GROUND] = ground, (6, 2.5, 2.5)
    middle[TOP], spread[TOP] = top, (10, 6, 8)
    middle[SIDE : SIDE + 4], spread[SIDE : SIDE + 4] = top * (0.68, 1, 0.8), (14, 6, 8)
    middle[DOOR], grain[DOOR] = top * (0.25, 0.3, 0.4), (8, 3, 5)
    middle[LINE], grain[LINE] = ground * (0.65, 0.6, 0.7), (9, 3, 4)
    middle[EDGE], grain[EDGE] = top * (0.75, 0.8, 0.8), (19, 6, 8)
    return KindPalette(middle, spread, grain, PAINTS * light, _FIRST_BLUR)


def learn_palette(pixels: Single, labels: Labels, before: KindPalette) -> KindPalette:
    """Learn colours from a picture under a layout; keep ``before`` for kinds that it shows too little of."""
    middle, spread, grain = before.middle.copy(), before.spread.copy(), before.grain.copy()
    kinds = KIND[labels]
    number = np.bincount(labels, minlength=LABELS)
    means = (
        np.stack([np.bincount(labels, pixels[:, i], LABELS) for i in range(3)], 1)
        / np.maximum(number, 1)[:, None]
    )
    for kind in range(GROUND, SIDE + 4):
        own = (kind == KIND) & (number >= _FEW)
        own[:FACES] = False
        if own.sum() < 3:
            continue
        faces, weights = means[own], np.sqrt(number[own])
        middle[kind] = [_find_median(faces[:, i], weights) for i in range(3)]
        off = np.abs(faces - middle[kind])
        wide = np.array([_find_median(off[:, i], weights) for i in range(3)]) * 1.5
        # Few faces tell little about the differences of faces.
        few = 6.0 / (6.0 + own.sum())
        least = (3.0, 0.8, 1.0) if kind == GROUND else (3.0, 1.5, 2.0)
        spread[kind] = np.maximum((1 - few) * wide + few * before.spread[kind], least)
        shown = sample(np.flatnonzero(own[labels]))
        stray = np.abs(pixels[shown] - means[labels[shown]])
        grain[kind] = np.clip(np.median(stray, axis=0) * 1.5, (2.0, 1.0, 1.2), (3.0, 1.6, 2.0))
    for kind in (LINE, EDGE, DOOR):
        own = pixels[kinds == kind]
        if len(own) >= 40:
            middle[kind] = np.median(own, axis=0)
            grain[kind] = np.clip(
                1.5 * np.median(np.abs(own - middle[kind]), axis=0), (6.0, 2.0, 3.0), (20.0, 8.0, 10.0)
            )
    paints, blur = _learn_paints(pixels, kinds, before)
    return KindPalette(middle, spread, grain, paints, blur)


def _learn_paints(pixels: Single, kinds: Labels, before: KindPalette) -> tuple[Floats, Floats]:
    """Learn the pieces' colours at the layout's pieces, if they are anything like the expected ones."""
    paints, blur = before.paints.copy(), before.blur.copy()
    for colour in range(len(paints)):
        own = pixels[kinds == PIECE + colour]
        if len(own) < 40:
            continue
        known = rate_paint(own.T, before.paints[colour], before.blur[colour])
        like = known > known.max() - 8
        # If most of it is something else, the piece has gone.
        if like.mean() < 0.5 or known.max() < UNEXPLAINED:
            continue
        own = own[like]
        seen = np.median(_linear_of(own), axis=0)
        paints[colour] = before.paints[colour] * np.clip(seen / before.paints[colour], 0.6, 1.6)
        shades = _shade_paint(paints[colour])
        nearest = shades[np.abs(own[:, None, 0] - shades[None, :, 0]).argmin(1)]
        stray = 1.5 * np.median(np.abs(own - nearest), axis=0)
        blur[colour] = np.clip(stray, (5.0, 3.0, 3.5), _FIRST_BLUR[colour])
    return paints, blur


def _shade_paint(base: Floats) -> Floats:
    return _lab_of(np.clip(base * SHADES[:, None], 0.0, 1.0))


def rate_paint(planes: Single, base: Floats, blur: Floats) -> Single:
    """Return the log density of colours, (3, N), for a piece of a paint, in any of its shades."""
    return _rate_nearest(planes, _shade_paint(base), blur) - np.float32(np.log(len(SHADES) / 2))


def _rate_nearest(planes: Single, middles: Floats, spread: Floats) -> Single:
    """Return the log density of colours around the nearest of ``middles``, (K, 3), with squares multiplied
    out.
    """
    per = (spread**-2.0).astype(np.float32)
    best = np.full(planes.shape[1], -1e9, np.float32)
    for to in middles.astype(np.float32):
        near = _sum_weighted(to * per, planes)
        near -= np.float32(0.5) * (to * to * per).sum()
        np.maximum(best, near, out=best)
    best -= np.float32(0.5) * _sum_weighted(per, planes * planes)
    best -= np.float32(np.log(spread).sum() + 1.5 * np.log(2 * np.pi))
    return best


def _sum_weighted(weights: Single, planes: Single) -> Single:
    """Return the weighted sum of planes, in one thread, unlike a matrix product."""
    found: Single = weights[0] * planes[0]
    for weight, plane in zip(weights[1:], planes[1:], strict=True):
        found += weight * plane
    return found


def rate_fixed(pixels: Single, labels: Labels, palette: KindPalette, shape: tuple[int, int]) -> Single:
    """Return the log density of every pixel for every kind that is no face, (kinds, pixels).

    ``pixels`` and ``labels`` are the rows of a canvas of ``shape``.
    """
    planes = np.ascontiguousarray(pixels.T)
    density = np.empty((PIECE + len(palette.paints), len(pixels)), np.float32)
    # The end of the board's margin is unknown: either surface may show anywhere around the field.
    surfaces = [_rate_surface(planes, labels == kind, shape) for kind in (AROUND, BEYOND)]
    density[AROUND] = density[BEYOND] = np.log(
        np.float32(0.45) * sum(map(np.exp, surfaces)) + np.float32(RARE)
    )
    for kind in (LINE, EDGE, DOOR):
        density[kind] = _rate_nearest(planes, palette.middle[kind][None], palette.grain[kind])
    for colour, base in enumerate(palette.paints):
        density[PIECE + colour] = rate_paint(planes, base, palette.blur[colour])
    return density


def _rate_surface(planes: Single, own: NDArray[np.bool_], shape: tuple[int, int]) -> Single:
    """Return the log density of every pixel as part of a plain surface, in shadow or not.

    The surface's light changes slowly; ``own`` are the pixels that most likely show it.
    """
    at = np.flatnonzero(own)
    if len(at) < 200:
        return np.full(planes.shape[1], -100.0, np.float32)
    shown = planes[:, sample(at)]
    usual = np.median(shown, axis=1, keepdims=True)
    usual = np.median(shown[:, np.abs(shown - usual).max(0) < 12], axis=1, keepdims=True)
    plain = at[np.abs(planes[:, at] - usual).max(0) < 12]
    weight = np.zeros(planes.shape[1], np.float32)
    weight[plain] = 1.0
    little, share = np.float32(1e-4), cv2.blur(weight.reshape(shape), _NEAR).ravel() + np.float32(1e-4)
    off, local = np.empty_like(planes), np.empty_like(planes)
    for plane, middle, about, apart in zip(planes, usual.astype(np.float32), local, off, strict=True):
        sums = cv2.blur((plane * weight).reshape(shape), _NEAR).ravel()
        np.divide(sums + little * middle, share, out=about)
        np.subtract(plane, about, out=apart)
    stray = np.median(np.abs(off[:, sample(plain)]), axis=1)
    grain = np.maximum(1.5 * stray, (2.0, 1.0, 1.2)).astype(np.float32)
    flat = np.float32(-0.5) * _sum_weighted(grain**-2, off * off)
    flat -= np.float32(np.log(grain).sum() + 1.5 * np.log(2 * np.pi))
    light = planes[0] / np.maximum(local[0], np.float32(1.0))
    wide = np.float32(SHADE_GRAIN) * grain[1:]
    hue = planes[1:] - local[1:] * light
    other = _sum_weighted(wide**-2, hue * hue)
    shade = np.float32(-0.5) * other
    shade -= off[0] * np.where(off[0] < 0, np.float32(-1 / SHADE_DARK), np.float32(1 / SHADE_BRIGHT))
    shade += np.float32(SHADE_PEAK - np.log(wide / SHADE_GRAIN).sum())
    # A soft shadow is as even as the surface under it: the pixels around give its depth.
    dark = (own & (off[0] < 0) & (shade > flat) & (other < SHADE_ALIKE)).astype(np.float32)
    sums, share = (cv2.blur(one.reshape(shape), _CLOSE).ravel() for one in (planes[0] * dark, dark))
    even = (planes[0] - sums / np.maximum(share, little)) / grain[0]
    soft = np.float32(-0.5) * (other + even * even)
    soft += np.float32(np.log(SHADE_SHARE) - np.log(grain[0]) - np.log(wide).sum() - 1.5 * np.log(2 * np.pi))
    soft[share < SHADE_LEAST] = -np.inf
    return np.asarray(np.maximum(np.maximum(flat, shade), soft), dtype=np.float32)


SHADE_ALIKE = 9.0
"""The largest distance, in squared deviations, of a pixel's hue in a shadow from its surface's own."""

SHADE_LEAST = 0.1
"""The least share of surrounding pixels in a shadow that gives its depth."""

_CLOSE = (15, 15)
"""The extent on the canvas in which a shadow counts as even, in px."""

_NEAR = (61, 61)
"""The extent on the canvas in which a surface's light counts as even, in px."""


def sample(places: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return every n-th of some places, enough for a median."""
    return places[:: max(1, len(places) // MANY)]


def _find_median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values)
    run = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(run, run[-1] / 2)])


def _linearise(values: Floats) -> Floats:
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _lab_of(linear: Floats) -> Floats:
    """Convert linear red, green, blue, (N, 3), to L*a*b*."""
    clipped = np.clip(linear, 0.0, 1.0)
    coded = np.where(clipped <= 0.0031308, clipped * 12.92, 1.055 * clipped ** (1 / 2.4) - 0.055)
    part = cv2.cvtColor(coded.astype(np.float32)[None, :, ::-1], cv2.COLOR_BGR2Lab)
    return np.asarray(part[0], dtype=np.float64)


def _linear_of(colours: Single) -> Floats:
    """Convert L*a*b*, (N, 3), to linear red, green, blue."""
    part = cv2.cvtColor(np.ascontiguousarray(colours[None]), cv2.COLOR_Lab2BGR)[0, :, ::-1]
    return _linearise(np.clip(part.astype(np.float64), 0.0, 1.0))
