"""A watch that recognises a still table in small grey pictures, so that nothing is read while somebody acts.

It compares each picture with the one before (does anything move?) and with the last accepted one (does a hand
rest there, and where may anything have changed?). A background learnt over time would not do: after a second
it takes in a resting hand, or the piece just laid down.

A change of light differs from a change of the table by its shape: after dividing out brightness that varies
smoothly over the whole picture, little is left.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
Mask = NDArray[np.bool_]

STILL_MS: Final = 700
"""The time without motion before a reading, in ms."""
LIGHT_MS: Final = 1000
"""The same time after a change of light: lamps and cameras take a moment to settle."""
MOVES: Final = 0.001
"""The changed part of the watched picture from which something moves."""
LIGHT: Final = 0.20
"""The part changed at once from which it may be the light, if little is left after dividing that out."""
LEFT: Final = 0.3
"""The largest part of such a change that may be left."""
STEP: Final = 8.0
"""The least difference of a changed pixel in grey levels, plus three times the noise."""
PATCH: Final = 12
"""The fewest connected pixels that are a change; fewer are noise."""
TILES: Final = (3, 4)
"""Rows and columns of the map that divides out the light."""


class Calm(StrEnum):
    """The table's motion."""

    MOVING = "moving"
    """Something moves."""
    HAND = "hand"
    """Nothing moves, but something reaches over the edge of the watched region into the field."""
    LIGHT = "light"
    """The light has just changed."""
    SETTLING = "settling"
    """Nothing moves any more, but not yet for long enough."""
    STILL = "still"
    """It can be read now."""


class WatchedRegion(msgspec.Struct, frozen=True, eq=False):
    """The watched part of a picture: the pixels of the ``field``, and ``around``, those with their
    surroundings.

    ``around`` should reach 60 to 80 mm beyond the field. The shadow of an arm that hovers outside of the
    picture is the commonest false stillness, and a tower on the far edge leans out of the field in the
    picture.
    """

    field: Mask
    around: Mask

    @classmethod
    def of(
        cls, size: tuple[int, int], field: NDArray[np.float64], around: NDArray[np.float64]
    ) -> WatchedRegion:
        """Return the region inside two outlines, each (N, 2) px of a picture of ``size`` (width, height)."""
        return cls(_fill_outline(size, field), _fill_outline(size, around))


class GateLook(msgspec.Struct, frozen=True, eq=False):
    """One picture's verdict: the motion of the table, and what was touched.

    ``touched`` are the pixels at which anything was seen since the last accepted picture, be it a hand, its
    shadow or a piece: only pieces there can have changed. It is None before the first accepted picture.
    """

    calm: Calm
    touched: Mask | None


class Gate:
    """The watch over one field; it knows time only from its pictures."""

    def __init__(self, region: WatchedRegion) -> None:
        """Watch ``region``; nothing has been accepted yet."""
        self._region = region
        self._size = int(region.around.sum()) or 1
        self._edge = _find_edge(region.around)
        self._before: Grey | None = None
        self._accepted: Grey | None = None
        self._touched = np.zeros_like(region.around)
        self._noise = np.inf
        self._quiet_since: float | None = None
        self._light_until = 0.0

    def see(self, ms: float, grey: Grey) -> GateLook:
        """Look at the next picture, of the time ``ms``, in the size of the region."""
        grey = np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.uint8)
        before, self._before = self._before, grey
        if before is None:
            self._quiet_since = ms
            return self._look(Calm.SETTLING)
        self._learn_noise(before, grey)
        changed = self._find_changes(before, grey)
        if changed.sum() > LIGHT * self._size and self._is_light(before, grey, changed):
            self._quiet_since, self._light_until = ms, ms + LIGHT_MS
            return self._look(Calm.LIGHT)
        against = self._compare_accepted(grey)
        self._touched |= against
        if changed.sum() > MOVES * self._size:
            self._touched |= changed
            self._quiet_since = None
            return self._look(Calm.MOVING)
        if self._quiet_since is None:
            self._quiet_since = ms
        if ms < self._light_until:
            return self._look(Calm.LIGHT)
        if self._reaches_in(against):
            return self._look(Calm.HAND)
        still = ms - self._quiet_since >= STILL_MS
        return self._look(Calm.STILL if still else Calm.SETTLING)

    def accept(self) -> None:
        """Accept the latest picture as known; touches are collected anew from here on."""
        self._accepted = self._before
        self._touched = np.zeros_like(self._region.around)

    def _look(self, calm: Calm) -> GateLook:
        return GateLook(calm, None if self._accepted is None else self._touched.copy())

    def _find_changes(self, before: Grey, grey: Grey) -> Mask:
        """Return the watched pixels that differ by more than noise, without specks."""
        return _drop_specks((cv2.absdiff(before, grey) > STEP + 3 * self._noise) & self._region.around)

    def _learn_noise(self, before: Grey, grey: Grey) -> None:
        """Learn the noise of pictures; more noise only slowly, as it may be something else."""
        noise = 1.4826 * float(np.median(cv2.absdiff(before, grey)[self._region.around]))
        self._noise = min(noise, 1.05 * self._noise + 0.05)

    def _compare_accepted(self, grey: Grey) -> Mask:
        if self._accepted is None:
            return np.zeros_like(self._region.around)
        return self._find_changes(_relight(self._accepted, grey, self._region.around), grey)

    def _is_light(self, before: Grey, grey: Grey, changed: Mask) -> bool:
        left = self._find_changes(_relight(before, grey, self._region.around), grey)
        return bool(left.sum() < LEFT * changed.sum())

    def _reaches_in(self, against: Mask) -> bool:
        """Return True if something new is connected from the edge of the watched region into the field."""
        number, labels = cv2.connectedComponents(against.astype(np.uint8), connectivity=8)
        on_edge, inside = (np.unique(labels[mask & against]) for mask in (self._edge, self._region.field))
        return number > 1 and np.intersect1d(on_edge, inside).size > 0


def _fill_outline(size: tuple[int, int], outline: NDArray[np.float64]) -> Mask:
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 1)
    return mask.astype(np.bool_)


def _find_edge(mask: Mask) -> Mask:
    """Return the pixels of a mask next to pixels outside of it or of the picture."""
    kernel = np.ones((3, 3), np.uint8)
    inner = cv2.erode(mask.astype(np.uint8), kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return mask & ~inner.astype(np.bool_)


def _drop_specks(mask: Mask) -> Mask:
    """Remove parts smaller than a patch from a mask."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    large = stats[:, cv2.CC_STAT_AREA] >= PATCH
    large[0] = False
    return np.asarray(large[labels], np.bool_)


def _relight(before: Grey, grey: Grey, around: Mask) -> Grey:
    """Return ``before`` in the light of ``grey``: scaled by the ratio of the two, tile by tile, smoothly."""
    ratio = np.divide(grey.astype(np.float32) + 1, before.astype(np.float32) + 1)
    rows, columns = (np.array_split(np.arange(n), parts) for n, parts in zip(grey.shape, TILES, strict=True))
    everywhere = float(np.median(ratio[around])) if around.any() else 1.0
    tiles = np.full(TILES, everywhere, np.float32)
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            where = np.ix_(row, column)
            if around[where].sum() >= PATCH:
                tiles[i, j] = np.median(ratio[where][around[where]])
    smooth = cv2.resize(tiles, (grey.shape[1], grey.shape[0]), interpolation=cv2.INTER_LINEAR)
    lit = (before.astype(np.float32) + 1) * smooth - 1
    return np.asarray(np.clip(lit, 0, 255), np.uint8)
