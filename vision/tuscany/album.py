"""The looks of hexes cut out of a picture, and an album of a copy's kinds, taught from known hexes.

Three things distinguish hexes, each with a blind spot: the pictogram, in any light; its strength, which
separates a tile from the paler print below; and the colour of the ground, once the light of a picture is
known from the hexes themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats, Lens, Picture
from vision.plane import compare
from vision.pose import Pose

SIDE: Final = 40
"""The width and height in px of a cut-out hex."""
REACH: Final = 0.76
"""The reach of a cut-out, in parts of the distance to a corner: neither rim nor neighbours show."""
SLIP: Final = 3
"""The largest offset of a pictogram in px, as a tile laid by hand has it."""

_AXIS = np.linspace(-1.0, 1.0, SIDE)
_FAR = np.hypot(*np.meshgrid(_AXIS, _AXIS))
_INNER = _FAR < 0.62
_DARKEST, _GROUND = 4.0, 60.0
"""Percentiles of the grey of a hex: its pictogram, and its ground."""


Greys = NDArray[np.float32]
"""A hex's grey picture, (SIDE, SIDE)."""


class HexLook(msgspec.Struct, frozen=True, eq=False):
    """The look of a hex: its ``grey`` picture, ``contrast``, by which the pictogram is darker than the ground
    (0 to 1), and the ``colour`` of the ground, (3,), as logarithms of blue, green and red.
    """

    grey: Greys
    contrast: float
    colour: Floats


def looks(picture: Picture, lens: Lens, pose: Pose, middles_mm: Floats, corner_mm: float) -> list[HexLook]:
    """Return the looks of hexes around ``middles_mm``, (N, 2) in the field's coordinates, with corners at a
    distance of ``corner_mm``.
    """
    return [look_of(patch) for patch in cut(picture, lens, pose, middles_mm, corner_mm)]


def cut(
    picture: Picture, lens: Lens, pose: Pose, middles_mm: Floats, corner_mm: float
) -> NDArray[np.float32]:
    """Return hexes cut out of a picture, (N, SIDE, SIDE, 3), the field's north up."""
    east, south = np.meshgrid(_AXIS * REACH * corner_mm, _AXIS * REACH * corner_mm)
    places = np.stack([east, -south], axis=-1) + middles_mm[:, None, None, :]
    flat = np.concatenate([places.reshape(-1, 2), np.zeros((places.size // 2, 1))], axis=1)
    at = pose.project(lens, flat).astype(np.float32).reshape(-1, SIDE, 2)
    found = cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR).astype(np.float32)
    return found.reshape(-1, SIDE, SIDE, 3)


def look_of(cut_out: NDArray[Any]) -> HexLook:
    """Return the look of a hex that :func:`cut` has cut out, (SIDE, SIDE, 3)."""
    patch = np.asarray(cut_out, dtype=np.float32)
    grey = np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), dtype=np.float32)
    inner = grey[_INNER]
    dark, ground = np.percentile(inner, (_DARKEST, _GROUND))
    light = patch[_INNER & (grey >= ground - 0.02 * ground)]
    colour = np.log(np.maximum(np.median(light, axis=0), 1.0))
    return HexLook(grey, float(1 - dark / max(ground, 1.0)), np.asarray(colour, dtype=np.float64))


def likeness(look: HexLook, known: Greys) -> float:
    """Return the likeness of a hex and a ``known`` grey picture, -1 to 1, in any light and contrast."""
    core = np.ascontiguousarray(known[SLIP:-SLIP, SLIP:-SLIP])
    return compare(look.grey, core)


EMPTY, TILE, WILD = "", "tile", "wild"
"""The states of a space: empty, a tile of the printed kind, a wild hex."""


class HexShown(NamedTuple):
    """The content of a hex: the ``kind`` printed there or of its tile, "" for a wild hex; ``lies`` is its
    state.
    """

    kind: str
    lies: str = EMPTY


UNLIKE: Final = 0.12
"""The usual lack of likeness of a pictogram to its own kind, one standard deviation."""
STRENGTH: Final = 0.12
"""The standard deviation of the logarithm of a pictogram's strength."""
TINT: Final = 0.09
"""The standard deviation of the logarithms of a ground's colour in known light: light and paper are
uneven.
"""
UNKNOWN_TINT: Final = 3.0
"""The cost of a class whose colour was not taught, in the half squares of the others."""
USUAL_RATIO: Final = 0.8
"""The logarithm by which a tile's pictogram is stronger than its print, if none was seen."""
FAINT: Final = 0.01
"""Added to strengths before their logarithm is taken: a wild hex may have none at all."""
BLANK: Final = float(np.log(0.03))
"""The strength of a wild hex that nobody has taught: it has no pictogram."""


class AlbumHex(msgspec.Struct, frozen=True, eq=False):
    """The look of hexes with the same content: their mean grey picture and strength, and their colour in the
    light of the first picture, None if no such hex was seen.
    """

    grey: Greys
    strength: float
    colour: Floats | None


class Album(msgspec.Struct, frozen=True, eq=False):
    """The looks of hexes by their content."""

    known: Mapping[HexShown, AlbumHex]

    @classmethod
    def of(cls, pictures: Sequence[Iterable[tuple[HexLook, HexShown]]]) -> Album:
        """Teach from pictures, each in its own light: pairs of a look and the content."""
        known: dict[HexShown, AlbumHex] = {}
        for pairs in pictures:
            there = list(pairs)
            light = _estimate_light([(look.colour, known[shown]) for look, shown in there if shown in known])
            looks: dict[HexShown, list[HexLook]] = {}
            for look, shown in there:
                looks.setdefault(shown, []).append(look)
            for shown, some in looks.items():
                known.setdefault(shown, _teach(some, light))
        return cls(_complete(known))

    def learnt(self, pairs: Iterable[tuple[HexLook, HexShown]], light: Floats) -> Album:
        """Return this album with missing colours added from a picture in that ``light``."""
        looks: dict[HexShown, list[HexLook]] = {}
        for look, shown in pairs:
            looks.setdefault(shown, []).append(look)
        news = {shown: _teach(some, light) for shown, some in looks.items()}
        return Album({**self.known, **{one: news[one] for one in news if self.known[one].colour is None}})

    def light(self, looks: Sequence[HexLook]) -> Floats:
        """Return the light of a picture against the album's, (3,) logarithms, from hexes with sure
        contents.
        """
        pairs = []
        for look in looks:
            costs = sorted((self._cost_form(look, shown), shown) for shown in self.known)
            if len(costs) == 1 or costs[1][0] - costs[0][0] > 2.0:
                pairs.append((look.colour, self.known[costs[0][1]]))
        return _estimate_light(pairs)

    def costs(self, look: HexLook, light: Floats) -> dict[HexShown, float]:
        """Return the cost of each possible content of a hex, in half squares of standard deviations."""
        return {
            shown: self._cost_form(look, shown) + self._cost_tint(look, shown, light) for shown in self.known
        }

    def prints(self, look: HexLook, light: Floats) -> dict[str, float]:
        """Return the cost of each kind that may be printed, or lie as a tile, by pictogram and colour.

        A print may be paler than its tile by an unknown amount, so strength counts only for a wild hex, "".
        """
        costs: dict[str, float] = {}
        for shown, taught in self.known.items():
            alike = 0.5 * ((1 - likeness(look, taught.grey)) / UNLIKE) ** 2 if shown.kind else None
            cost = self._cost_tint(look, shown, light) + (
                self._cost_form(look, shown) if alike is None else alike
            )
            costs[shown.kind] = min(cost, costs.get(shown.kind, cost))
        return costs

    def _cost_form(self, look: HexLook, shown: HexShown) -> float:
        taught = self.known[shown]
        strong = (strength(look) - taught.strength) / STRENGTH
        if shown.lies == WILD:
            return 0.5 * strong**2
        return 0.5 * (((1 - likeness(look, taught.grey)) / UNLIKE) ** 2 + strong**2)

    def _cost_tint(self, look: HexLook, shown: HexShown, light: Floats) -> float:
        colour = self.known[shown].colour
        if colour is None:
            return UNKNOWN_TINT
        return float(0.5 * (((look.colour - light - colour) / TINT) ** 2).sum())


def strength(look: HexLook) -> float:
    """Return the strength of a pictogram, as a logarithm."""
    return float(np.log(look.contrast + FAINT))


def _teach(looks: Sequence[HexLook], light: Floats) -> AlbumHex:
    return AlbumHex(
        np.mean([look.grey for look in looks], axis=0, dtype=np.float32),
        float(np.mean([strength(look) for look in looks])),
        np.mean([look.colour for look in looks], axis=0) - light,
    )


def _estimate_light(pairs: Sequence[tuple[Floats, AlbumHex]]) -> Floats:
    apart = [colour - taught.colour for colour, taught in pairs if taught.colour is not None]
    return np.asarray(np.median(apart, axis=0) if apart else np.zeros(3), dtype=np.float64)


def _complete(known: Mapping[HexShown, AlbumHex]) -> dict[HexShown, AlbumHex]:
    """Return ``known`` with unseen hexes added: a tile has the pictogram of its print, stronger as others
    are.
    """
    found = {HexShown("", WILD): AlbumHex(np.zeros((0, 0), np.float32), BLANK, None), **known}
    kinds = {shown.kind for shown in known if shown.kind}
    ratios = [
        known[HexShown(kind, TILE)].strength - known[HexShown(kind)].strength
        for kind in kinds
        if {HexShown(kind), HexShown(kind, TILE)} <= known.keys()
    ]
    ratio = float(np.median(ratios)) if ratios else USUAL_RATIO
    for kind in kinds:
        empty, tile = HexShown(kind), HexShown(kind, TILE)
        for one, other, more in ((tile, empty, ratio), (empty, tile, -ratio)):
            if one not in known:
                found[one] = AlbumHex(known[other].grey, known[other].strength + more, None)
    return found
