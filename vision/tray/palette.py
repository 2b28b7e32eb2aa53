"""The looks of the twelve colours, and the chances that a piece has each.

Nine figures describe a piece: CIE Lab of the dark part of all its faces, of the darker half of its upper
ones, and of their median: three, because gloss adds the lamp's colour to some. Shade, gloss, paint and lamp
vary in light, and the same light changes the figures of dark and of colourful pieces unequally. So each
colour has a spread of its own, by the slopes of its figures at its mean. Pieces of one picture share the
error of its white, which is estimated from all of them. Tuples of chances have the order of the game's own
colours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from vision.lens import Floats
from vision.tray.light import TO_XYZ, XYZ_WHITE, lab
from vision.tray.paint import Paint
from vision.tray.prior import COLOURS, FLAT, GLOSS, LIGHT, MEANS, PAINT, PAINT_REST, REST, SHADE, SIDE, TINT

TAIL = 16.0
"""Degrees of freedom of the distribution of looks: some pieces look unusual, by a reflex or a shade.

Of 8 and 16 the one under which the 150 keshis of 18 trays of the look ``tune`` are likelier.
"""
LIES = np.array([np.ravel([[lightness, 0.0, 0.0] for lightness in lie]) for lie in (SIDE, FLAT)])
"""The effect on the nine figures of lying on a side, and flat."""
_DARKEST = 0.004
_STEP = 0.02
_ROUNDS = 3


class Looks(msgspec.Struct, frozen=True):
    """The distribution of the figures of each colour: ``means``, (12, 9); ``slopes`` by the light of each
    channel in logarithms, (12, 9, 3); covariances of pieces of one copy, ``within``, and of copies' means,
    ``between``, (12, 9, 9).
    """

    means: Floats
    slopes: Floats
    within: Floats
    between: Floats


class KeshiPalette(msgspec.Struct, frozen=True):
    """The looks of the colours: ``means`` are 12 times nine figures.

    ``pieces`` are the numbers of enrolled pieces by colour.
    """

    means: tuple[tuple[float, ...], ...] = MEANS
    pieces: tuple[int, ...] = (0,) * len(COLOURS)

    def looks(self) -> Looks:
        """Return the distributions of the figures; enrolled pieces leave a part of the copies' variation."""
        means = np.array(self.means)
        lights = np.maximum(bgr(means.reshape(-1, 3)), _DARKEST)[:, None]
        steps = np.exp(_STEP * np.eye(3))
        slopes = (lab(lights * steps) - lab(lights / steps)) / (2 * _STEP)  # (36, channels, Lab)
        channels = slopes.swapaxes(1, 2).reshape(-1, 3, 3, 3)
        shade, gloss = (
            each.sum(axis=1).reshape(-1, 3, 3) for each in (slopes, slopes / lights.swapaxes(1, 2))
        )
        by_light = channels.reshape(-1, 9, 3)
        within = _together(shade, SHADE) + _together(gloss, GLOSS)
        within += TINT**2 * by_light @ by_light.swapaxes(1, 2) + REST**2 * np.eye(9)
        between = by_light @ _channels(*PAINT) @ by_light.swapaxes(1, 2) + PAINT_REST**2 * np.eye(9)
        pieces = np.array(self.pieces, dtype=np.float64)[:, None, None]
        known = pieces * between @ np.linalg.solve(pieces * between + within, between)
        return Looks(means, by_light, within, between - known)


def _together(parts: Floats, covariance: tuple[tuple[float, ...], ...]) -> Floats:
    """Return the covariances of nine figures that change by (12, 3 parts, Lab) times what has a covariance
    from part to part, (3, 3).
    """
    return np.asarray(np.einsum("kpa,pq,kqb->kpaqb", parts, covariance, parts).reshape(-1, 9, 9))


def _channels(each: float, all_: float) -> Floats:
    """Return the covariance of three channels that deviate each by itself and all together."""
    return np.asarray(each**2 * np.eye(3) + all_**2)


def features(paint: Paint) -> Floats:
    """Return the nine figures of a piece, (9,), corrected for lying flat or on its side."""
    figures = np.concatenate([lab(np.array(part)) for part in (paint.deep, paint.dull, paint.middle)])
    return np.asarray(figures - LIES[int(paint.flat)])


def enrolled(samples: Mapping[str, Sequence[Paint]]) -> KeshiPalette:
    """Make a palette for one copy from pieces with known colours; other colours keep the shipped looks.

    Raises ValueError for an unknown colour.
    """
    looks = KeshiPalette().looks()
    means, pieces = list(MEANS), [0] * len(COLOURS)
    for colour, paints in samples.items():
        if colour not in COLOURS:
            raise ValueError(f"{colour!r} is no keshi's colour; they are {', '.join(COLOURS)}")
        if not paints:
            continue
        kind, pieces[COLOURS.index(colour)] = COLOURS.index(colour), len(paints)
        away = np.mean([features(paint) for paint in paints], axis=0) - looks.means[kind]
        between, error = looks.between[kind], looks.within[kind] / len(paints)
        means[kind] = tuple((looks.means[kind] + between @ np.linalg.solve(between + error, away)).tolist())
    return KeshiPalette(tuple(means), tuple(pieces))


def chances(paints: Sequence[Paint], palette: KeshiPalette | None = None) -> Floats:
    """Return the chances that each piece has each colour, (N, 12), rows sum to 1; judged together.

    The light is off by the same in all pieces: the mean and covariance of that follow from the chances, and
    these from it, in a few rounds.
    """
    if not paints:
        return np.empty((0, len(COLOURS)))
    looks = (palette or KeshiPalette()).looks()
    away = np.array([features(paint) for paint in paints])[:, None] - looks.means
    spreads = looks.within + looks.between
    slopes, turned = looks.slopes, looks.slopes.swapaxes(1, 2)
    weighing = turned @ np.linalg.inv(spreads)
    usual = _channels(*LIGHT)
    light, error = np.zeros(3), usual
    result = np.empty((len(paints), len(COLOURS)))
    for _ in range(_ROUNDS):
        whole = spreads + slopes @ error @ turned
        rest = away - slopes @ light
        square = np.einsum("nki,kij,nkj->nk", rest, np.linalg.inv(whole), rest)
        logs = -0.5 * ((TAIL + 9) * np.log1p(square / TAIL) + np.linalg.slogdet(whole)[1])
        result = np.exp(logs - logs.max(axis=1, keepdims=True))
        result /= result.sum(axis=1, keepdims=True)
        typical = result * (TAIL + 9) / (TAIL + square)
        sure = np.einsum("nk,kab->ab", typical, weighing @ slopes) + np.linalg.inv(usual)
        light = np.linalg.solve(sure, np.einsum("nk,kai,nki->a", typical, weighing, away))
        error = np.linalg.inv(sure)
    return result


def bgr(figures: Floats) -> Floats:
    """Convert CIE Lab, (N, 3), to linear blue, green, red."""
    y = (figures[:, 0] + 16) / 116
    f = np.stack([y + figures[:, 1] / 500, y, y - figures[:, 2] / 200], axis=1)
    xyz = np.where(f > 6 / 29, f**3, (f - 16 / 116) / 7.787) * XYZ_WHITE
    return np.asarray(np.maximum((xyz @ np.linalg.inv(TO_XYZ).T)[:, ::-1], 0.0))
