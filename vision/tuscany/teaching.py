"""Tiles that people lay out for learning: cut out of a picture, with their flaws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision import sheets
from vision.flaws import of_pieces
from vision.lens import Lens, Picture
from vision.plane import flattened
from vision.pose import Pose
from vision.tuscany import lying
from vision.tuscany.hexes import cut, likeness, look_of

LOOSE_MM: Final = 9.0
"""The largest distance of a tile from the middle of its slot."""
NARROWER: Final = (1.0, 0.96, 0.92)
"""The possible widths of a tile, in widths of its hex."""
LEAST: Final = 0.2
"""The least visibility of a tile's rim; a bare slot has 0.1, a nearly white tile 0.35."""
SOFT: Final = 1.25
"""Tiles are blurred if half of them have no steeper edges than this, in standard deviations of their grey per
px.
"""
TWINS, SAME = 0.8, 0.15
"""Two tiles are the same kind if their pictograms are more alike than the first, and their colours differ by
less than the second, as logarithms.
"""


def tiles(
    picture: Picture, lens: Lens, pose: Pose, names: Sequence[str], corner_mm: float
) -> tuple[dict[str, Picture], list[tuple[str, tuple[str, ...]]]]:
    """Return the pictures in the slots of the printed sheet by name, and their flaws as
    :func:`vision.flaws.of_pieces` has them; the tiles' corners are ``corner_mm`` from their middles.
    """
    slots, high = sheets.TILES.slots, sheets.TILES.height_mm
    flat = flattened(picture, lens, pose, sheets.TILES, lying.PX_MM, lying.AROUND_MM)
    south = [np.array([[x, high - y]]) for x, y in slots]
    loose = (LOOSE_MM, LOOSE_MM)
    lies = [lying.find(flat, south, corner_mm * part, (0.0, 0.0), loose) for part in NARROWER]
    seen = np.array([lie.seen for lie in lies])
    moved = np.array([lie.moved for lie in lies])[seen.argmax(axis=0), range(len(slots))]
    patches = cut(picture, lens, pose, slots + moved, corner_mm).astype(np.uint8)
    found = {name: np.asarray(patch) for name, patch in zip(names, patches, strict=True)}
    empty = np.flatnonzero(seen.max(axis=0) < LEAST).tolist()
    if empty:
        return found, [("bare", tuple(names[slot] for slot in empty))]
    looks = {name: look_of(patch) for name, patch in found.items()}

    def alike(one: str, other: str) -> bool:
        apart = np.abs(looks[one].colour - looks[other].colour).max()
        return bool(apart < SAME) and likeness(looks[one], looks[other].grey) > TWINS

    return found, of_pieces(found, SOFT, alike)
