"""The looks of the twelve colours, and the chances that a piece has each.

Nine figures describe a piece: CIE Lab of the dark part of all its faces, of the darker half of its upper
ones, and of their median: three, because gloss adds the lamp's colour to some. A :class:`KeshiPalette` has
the means of each colour and the spread of pieces around them. Pieces of one picture share its light: their
common offset is taken out. Tuples of chances have the order of the game's own colours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from vision.lens import Floats
from vision.tray.light import TO_XYZ, XYZ_WHITE, lab
from vision.tray.paint import Paint
from vision.tray.prior import BETWEEN, COLOURS, FLAT, MEANS, SIDE, WITHIN

SHRINK = 2.0
"""An enrolled mean has the weight of the pieces enrolled, the shipped one this weight."""
TAIL = 8.0
"""Degrees of freedom of the distribution of looks: some pieces look unusual, by a reflex or a shade."""
TEMPER = 1.3
"""The factor by which chances are made more even, since the figures agree with one another too much.

With it 3.8 of 880 pieces in 89 ray-traced trays (look ``tune``, means from the other trays) are expected to
be of another colour than they seem, without it 1.7; 5 are, four of them black and gray confused.
"""
GAIN = 0.08
"""The error of the white found for a picture (one standard deviation, in logarithms of light)."""
STRAY = 0.20
"""The deviation of one channel of one piece from its colour's mean, in the same unit."""
SHADE = 5.0
"""The further deviation of a piece's lightness, the same in all figures: its light is judged by the
floor's.
"""
_LIGHTNESS = np.array([1.0, 0, 0] * 3)
_LIES = np.repeat([SIDE, FLAT], 3, axis=1) * _LIGHTNESS
_VEIL = 0.03
_ROUNDS = 3


class KeshiPalette(msgspec.Struct, frozen=True):
    """The looks of the colours: ``means`` are 12 times nine figures.

    ``pieces`` are the numbers of enrolled pieces by colour.
    """

    means: tuple[tuple[float, ...], ...] = MEANS
    pieces: tuple[int, ...] = (0,) * len(COLOURS)

    def spreads(self) -> Floats:
        """Return the covariances of pieces around the means, (12, 9, 9).

        Paints differ from copy to copy; for enrolled colours only a part of that is left.
        """
        left = SHRINK / (SHRINK + np.array(self.pieces, dtype=np.float64))
        shares = left[:, None, None] * np.array(BETWEEN)
        shade = np.outer(_LIGHTNESS, _LIGHTNESS) * SHADE**2
        return np.asarray(np.array(WITHIN) * (2 - left)[:, None, None] + shares + shade)


def features(paint: Paint) -> Floats:
    """Return the nine figures of a piece, (9,), corrected for lying flat or on its side."""
    figures = np.concatenate([lab(np.array(part)) for part in (paint.deep, paint.dull, paint.middle)])
    return np.asarray(figures - _LIES[int(paint.flat)])


def enrolled(samples: Mapping[str, Sequence[Paint]], shipped: KeshiPalette | None = None) -> KeshiPalette:
    """Make a palette for one copy from pieces with known colours; other colours keep the shipped looks.

    Raises ValueError for an unknown colour.
    """
    base = shipped or KeshiPalette()
    means, pieces = list(base.means), list(base.pieces)
    for colour, paints in samples.items():
        if colour not in COLOURS:
            raise ValueError(f"{colour!r} is no keshi's colour; they are {', '.join(COLOURS)}")
        if not paints:
            continue
        kind = COLOURS.index(colour)
        weight = SHRINK + pieces[kind]
        total = np.sum([features(paint) for paint in paints], axis=0) + weight * np.array(means[kind])
        means[kind] = tuple(float(value) for value in total / (weight + len(paints)))
        pieces[kind] += len(paints)
    return KeshiPalette(tuple(means), tuple(pieces))


def chances(paints: Sequence[Paint], palette: KeshiPalette | None = None) -> Floats:
    """Return the chances that each piece has each colour, (N, 12), rows sum to 1; judged together."""
    known = palette or KeshiPalette()
    if not paints:
        return np.empty((0, len(COLOURS)))
    means, spreads = np.array(known.means), known.spreads()
    inverse = np.linalg.inv(spreads)
    size = np.linalg.slogdet(spreads)[1]
    deep = np.array([paint.deep for paint in paints])
    dull = np.array([paint.dull for paint in paints])
    middle = np.array([paint.middle for paint in paints])
    lies = _LIES[[int(paint.flat) for paint in paints]]
    # The reflectance of each colour's median face, to compare lights channel by channel.
    usual = np.log(bgr(means[:, 6:]) + _VEIL)
    gain = np.zeros(3)
    result = np.empty((len(paints), len(COLOURS)))
    for _ in range(_ROUNDS):
        light = np.exp(gain)
        figures = np.concatenate([lab(part / light) for part in (deep, dull, middle)], axis=1) - lies
        away = figures[:, None, :] - means[None]
        square = np.einsum("nki,kij,nkj->nk", away, inverse, away)
        logs = -0.5 * (TAIL + figures.shape[1]) * np.log1p(square / TAIL) - 0.5 * size
        result = np.exp((logs - logs.max(axis=1, keepdims=True)) / TEMPER)
        result /= result.sum(axis=1, keepdims=True)
        rest = np.clip(np.log(middle + _VEIL)[:, None, :] - usual[None], -0.6, 0.6)
        typical = result * (TAIL + figures.shape[1]) / (TAIL + square)
        gain = np.einsum("nk,nki->i", typical, rest) / (typical.sum() + (STRAY / GAIN) ** 2)
    return result


def bgr(figures: Floats) -> Floats:
    """Convert CIE Lab, (N, 3), to linear blue, green, red."""
    y = (figures[:, 0] + 16) / 116
    f = np.stack([y + figures[:, 1] / 500, y, y - figures[:, 2] / 200], axis=1)
    xyz = np.where(f > 6 / 29, f**3, (f - 16 / 116) / 7.787) * XYZ_WHITE
    return np.asarray(np.maximum((xyz @ np.linalg.inv(TO_XYZ).T)[:, ::-1], 0.0))
