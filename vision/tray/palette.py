"""The looks of the twelve colours, and the chances that a piece has each.

Nine figures describe a piece: CIE Lab of the dark part of all its faces, of the darker half of its upper
ones, and of their median: three, because gloss adds the lamp's colour to some. A :class:`KeshiPalette` has
the means of each colour and the spread of pieces around them. Pieces of one picture share its light: a white
that is a little off, and the gloss that lamps lay on all of them. Tuples of chances have the
order of :data:`COLOURS`.

The shipped looks are means and covariances of the nine figures of :func:`find_features` over 714 keshis in 76
pictures drawn by a ray tracer (``tests/vision/scenes``), whose paints, lamps and white balances all vary:
look ``tune`` from 29130001 on, and the odd numbers of ``keep`` from 29110001, 29118801 and 29119901 on. The
covariances of copy, light and piece are told apart by expectation maximization. The means are drawn a little
to those of 1271 keshis in 131 other pictures, which also gave the effect of lying flat. None of these
pictures counts in any figure quoted elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from vision.lens import Floats
from vision.tray.paint import TO_XYZ, XYZ_WHITE, Paint, find_lab

COLOURS = (
    *("turquoise", "green", "black", "white", "gray", "beige", "brown", "pink", "red"),
    *("yellow", "purple", "orange"),
)
KINDS = len(COLOURS)
MEANS = (
    (49.5, -23.9, -2.6, 64.1, -28.4, -3.7, 70.7, -31.1, -4.1),
    (41.1, -26.7, 21.7, 53.0, -30.9, 24.6, 57.4, -32.4, 25.9),
    (16.7, 0.2, 1.2, 27.4, 0.2, 1.2, 31.7, 0.3, 1.3),
    (73.2, -0.2, 3.7, 88.5, -0.6, 3.0, 95.5, -0.7, 2.9),
    (44.5, 1.5, 0.8, 56.4, 1.4, 0.2, 60.8, 1.5, -0.1),
    (66.5, 2.1, 21.3, 79.6, 2.3, 24.7, 85.1, 2.2, 25.8),
    (31.2, 9.1, 10.7, 40.7, 10.0, 11.1, 45.3, 10.5, 11.4),
    (54.3, 29.9, 2.6, 66.1, 35.2, 1.1, 71.6, 38.1, 0.8),
    (37.0, 39.1, 21.2, 47.8, 44.9, 24.0, 52.0, 47.6, 25.2),
    (61.4, -1.7, 49.0, 78.2, -2.7, 58.6, 85.2, -3.0, 62.8),
    (28.8, 20.9, -16.6, 39.8, 23.9, -19.4, 44.3, 25.6, -20.8),
    (49.0, 24.4, 38.0, 63.4, 29.4, 44.6, 69.1, 31.7, 47.0),
)
"""By colour, in the order of :data:`COLOURS`: Lab of the dark part of all faces, of the darker half of the
upper ones, and of their median.
"""

FLAT, SIDE = (3.0, 6.3, 3.1), (-1.8, -3.7, -1.8)
"""The extra lightness of those three for a piece that lies flat, and for one on its side."""

WITHIN = (
    (40.22, -1.06, 5.72, 6.35, -0.94, 2.89, -2.08, -1.72, 1.50),
    (-1.06, 4.67, 0.55, -1.08, 2.39, 0.08, -0.99, 1.35, 0.14),
    (5.72, 0.55, 6.17, 1.19, -0.26, 2.73, -1.00, -0.52, 1.50),
    (6.35, -1.08, 1.19, 11.84, -1.97, 1.27, 7.92, -2.04, 0.31),
    (-0.94, 2.39, -0.26, -1.97, 3.30, -0.29, -1.76, 2.84, 0.15),
    (2.89, 0.08, 2.73, 1.27, -0.29, 3.71, -0.02, -0.18, 2.84),
    (-2.08, -0.99, -1.00, 7.92, -1.76, -0.02, 12.66, -1.91, 0.96),
    (-1.72, 1.35, -0.52, -2.04, 2.84, -0.18, -1.91, 4.29, 0.18),
    (1.50, 0.14, 1.50, 0.31, 0.15, 2.84, 0.96, 0.18, 4.16),
)
"""The covariance of pieces of one colour in one picture, (9, 9)."""

BETWEEN = (
    (12.95, 0.68, 3.37, 3.40, 0.87, 1.05, 1.06, 0.94, -0.46),
    (0.68, 2.85, -0.95, 0.56, 3.20, -1.21, -0.37, 3.45, -1.69),
    (3.37, -0.95, 3.30, 0.84, -0.92, 2.45, 0.75, -1.03, 2.04),
    (3.40, 0.56, 0.84, 2.96, 0.58, 0.63, 2.26, 0.50, 0.41),
    (0.87, 3.20, -0.92, 0.58, 3.81, -1.32, -0.64, 4.12, -1.97),
    (1.05, -1.21, 2.45, 0.63, -1.32, 2.75, 1.02, -1.60, 2.95),
    (1.06, -0.37, 0.75, 2.26, -0.64, 1.02, 2.88, -0.93, 1.19),
    (0.94, 3.45, -1.03, 0.50, 4.12, -1.60, -0.93, 4.61, -2.41),
    (-0.46, -1.69, 2.04, 0.41, -1.97, 2.95, 1.19, -2.41, 3.75),
)
"""The covariance of a colour's mean from copy to copy and light to light, (9, 9)."""

LIGHT = (
    (0.00612, 0.00545, 0.00498, 0.00011, -0.00036),
    (0.00545, 0.00710, 0.00654, 0.00019, -0.00043),
    (0.00498, 0.00654, 0.00691, -0.00012, -0.00063),
    (0.00011, 0.00019, -0.00012, 0.00031, 0.00014),
    (-0.00036, -0.00043, -0.00063, 0.00014, 0.00016),
)
"""The covariance of a picture's light, by its effects: see :func:`find_light_effects`, (5, 5)."""

SHRINK = 2.0
"""An enrolled mean has the weight of the pieces enrolled, the shipped one this weight."""
TAIL = 8.0
"""Degrees of freedom of the distribution of looks: some pieces look unusual, by a reflex or a shade."""
_LIGHTNESS = np.array([1.0, 0, 0] * 3)
_LIES = np.repeat([SIDE, FLAT], 3, axis=1) * _LIGHTNESS
_STEP = 1e-3
_ROUNDS = 4


class KeshiPalette(msgspec.Struct, frozen=True):
    """The looks of the colours: ``means`` are 12 times nine figures.

    ``pieces`` are the numbers of enrolled pieces by colour.
    """

    means: tuple[tuple[float, ...], ...] = MEANS
    pieces: tuple[int, ...] = (0,) * len(COLOURS)

    @property
    def spreads(self) -> Floats:
        """The covariances of pieces around the means, (12, 9, 9).

        Paints differ from copy to copy; for enrolled colours only a part of that is left.
        """
        left = SHRINK / (SHRINK + np.array(self.pieces, dtype=np.float64))[:, None, None]
        return np.asarray((2 - left) * np.array(WITHIN) + left * np.array(BETWEEN))


def find_features(paint: Paint) -> Floats:
    """Return the nine figures of a piece, (9,), corrected for lying flat or on its side."""
    figures = np.concatenate([find_lab(np.array(part)) for part in (paint.deep, paint.dull, paint.middle)])
    return np.asarray(figures - _LIES[int(paint.flat)])


def enrol(samples: Mapping[str, Sequence[Paint]], shipped: KeshiPalette | None = None) -> KeshiPalette:
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
        total = np.sum([find_features(paint) for paint in paints], axis=0) + weight * np.array(means[kind])
        means[kind] = tuple(float(value) for value in total / (weight + len(paints)))
        pieces[kind] += len(paints)
    return KeshiPalette(tuple(means), tuple(pieces))


def find_chances(paints: Sequence[Paint], palette: KeshiPalette | None = None) -> Floats:
    """Return the chances that each piece has each colour, (N, 12), rows sum to 1; judged together.

    Each piece is judged in the light that the others show, as far as they show it: the light is a normal
    distribution over :func:`find_light_effects`, and so is what a piece tells of it by the colours that it
    may have.
    """
    if not paints:
        return np.empty((0, len(COLOURS)))
    known = palette or KeshiPalette()
    means = np.array(known.means)
    effects = find_light_effects(means)
    brighter = effects[..., :3].sum(axis=2)
    error = np.array([paint.unsure for paint in paints]) ** 2
    spreads = known.spreads + error[:, None, None, None] * (brighter[..., None] * brighter[..., None, :])
    inverse, sizes = np.linalg.inv(spreads), np.linalg.slogdet(spreads)[1]
    away = np.array([find_features(paint) for paint in paints])[:, None] - means
    square = np.einsum("nka,nkab,nkb->nk", away, inverse, away)
    # What a piece of a colour tells of the light: precisions, and precisions times means.
    weighed = np.einsum("kai,nkab->nkib", effects, inverse)
    precision, pull = weighed @ effects, np.einsum("nkib,nkb->nki", weighed, away)
    before = np.linalg.inv(np.array(LIGHT))
    told_precision, told_pull = np.zeros((len(paints), *before.shape)), np.zeros((len(paints), len(before)))
    result = np.empty(square.shape)
    for _ in range(_ROUNDS):
        others = before + told_precision.sum(axis=0) - told_precision
        light = np.linalg.solve(others, (told_pull.sum(axis=0) - told_pull)[..., None])[..., 0]
        # Squared distances and spreads in that light and its error, by the matrix inversion lemma.
        rest, both = pull - np.einsum("nkij,nj->nki", precision, light), others[:, None] + precision
        gained = np.einsum("nki,nki->nk", rest, np.linalg.solve(both, rest[..., None])[..., 0])
        lit = square - np.einsum("nki,ni->nk", pull + rest, light) - gained
        wide = sizes + np.linalg.slogdet(both)[1] - np.linalg.slogdet(others)[1][:, None]
        logs = -0.5 * (TAIL + means.shape[1]) * np.log1p(lit / TAIL) - 0.5 * wide
        result = np.exp(logs - logs.max(axis=1, keepdims=True))
        result /= result.sum(axis=1, keepdims=True)
        typical = result * np.minimum((TAIL + means.shape[1]) / (TAIL + lit), 1)
        told_precision = np.einsum("nk,nkij->nij", typical, precision)
        told_pull = np.einsum("nk,nki->ni", typical, pull)
    return result


def find_light_effects(means: Floats) -> Floats:
    """Return the effects of a picture's light on the looks of colours, (K, 9) to (K, 9, 5).

    They are a brighter blue, green and red, by logarithms; and a veil over the upper faces, where lamps
    shine, and over the dark part, where the floor does, in shares of white.
    """
    parts = find_bgr(means.reshape(-1, 3)).reshape(-1, 3, 3)
    gains = np.exp(_STEP * np.eye(3))[:, None]
    veils = _STEP * np.array([[0.0, 1, 1], [1, 0, 0]])[:, :, None]
    lit = np.concatenate([parts[:, None] * gains, parts[:, None] + veils], axis=1)
    changed = (find_lab(lit) - find_lab(parts)[:, None]) / _STEP
    return np.asarray(changed.reshape(len(means), 5, 9).transpose(0, 2, 1))


def find_bgr(figures: Floats) -> Floats:
    """Convert CIE Lab, (N, 3), to linear blue, green, red."""
    y = (figures[:, 0] + 16) / 116
    f = np.stack([y + figures[:, 1] / 500, y, y - figures[:, 2] / 200], axis=1)
    xyz = np.where(f > 6 / 29, f**3, (f - 16 / 116) / 7.787) * XYZ_WHITE
    return np.asarray(np.maximum((xyz @ np.linalg.inv(TO_XYZ).T)[:, ::-1], 0.0))
