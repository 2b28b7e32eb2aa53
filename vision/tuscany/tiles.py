"""Loose hex tiles: on a table, turned any way, and in the slots of the printed sheet for learning."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import msgspec
import numpy as np

from vision import sheets
from vision.field import Field
from vision.lens import Floats, Lens, Picture
from vision.plane import PX_MM, Heap, find_flaws, find_heaps, flatten
from vision.pose import Pose
from vision.tuscany import lying
from vision.tuscany.album import SIDE, STRENGTH, AlbumHex, HexLook, cut, likeness, look_of, strength

REACH: Final = 0.6
"""The reach of a tile's look, in parts of the distance to a corner: nothing else shows."""
SLACK: Final = 0.12
"""The share by which a tile may seem larger or smaller than it is."""
UNLIKE, TINT, BRIGHT = 0.06, 0.06, 0.2
"""The standard deviations of tiles of one kind: of the pictogram's likeness, and, as logarithms, of the
ground's tint and its brightness, which a lamp makes uneven.
"""
THIN: Final = 5
"""Parts thinner than so many px belong to no tile; a larger figure would take its corners."""
SAME, OTHER = 2.0, 5.0
"""A cost below the first, in half squares of standard deviations, means the same look; above the second,
another thing; between them it is undecided.
"""
CLEAR: Final = 2.0
"""The least lead of the best over the next."""

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
TWINS, TWIN_COLOUR = 0.8, 0.15
"""Two tiles are the same kind if their pictograms are more alike than the first, and their colours differ by
less than the second, as logarithms.
"""


class Tile(msgspec.Struct, frozen=True, eq=False):
    """A tile: cut out as ``pixels``, and its ``looks`` turned by none to five sixths."""

    pixels: Picture
    looks: tuple[HexLook, ...]


def find_tiles(picture: Picture, lens: Lens, pose: Pose, field: Field, corner_mm: float) -> list[Tile] | None:
    """Return the tiles on a field, with corners ``corner_mm`` from their middles; None if something else lies
    there, or tiles touch.
    """
    found = find_heaps(picture, lens, pose, field, corner_mm**2, THIN)
    sides = np.array([math.sqrt(3) * corner_mm, 2 * corner_mm])
    for heap in found:
        if (np.abs(np.sort([heap.width, heap.height]) / sides - 1) > SLACK).any():
            return None
    return [_turn_tile(heap, corner_mm) for heap in found]


def _turn_tile(heap: Heap, corner_mm: float) -> Tile:
    """Return a tile with a corner up, and its looks turned by sixths."""
    high, wide = heap.pixels.shape[:2]
    scale = 2 * REACH * corner_mm * PX_MM / SIDE
    looks = []
    for sixth in range(6):
        angle = math.radians(60 * sixth + 90 * (heap.width > heap.height))
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]) * scale
        shift = np.array([wide - 1, high - 1]) / 2 - turn @ np.full(2, (SIDE - 1) / 2)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        patch = cv2.warpAffine(heap.pixels, np.column_stack([turn, shift]), (SIDE, SIDE), flags=flags)
        looks.append(look_of(patch.astype(np.float32)))
    return Tile(heap.pixels, tuple(looks))


def taught(tile: Tile, light: Floats) -> AlbumHex:
    """Return the lesson of a tile seen in a ``light``."""
    return AlbumHex(tile.looks[0].grey, strength(tile.looks[0]), tile.looks[0].colour - light)


def light_of(seen: Sequence[Tile], known: Sequence[AlbumHex]) -> Floats:
    """Return the light against that of the teaching, (3,) logarithms, from surely known tiles."""
    apart = []
    for tile in seen:
        forms = sorted((_cost_form(tile, one), at) for at, one in enumerate(known))
        if forms and forms[0][0] < SAME and (len(forms) == 1 or forms[1][0] - forms[0][0] > CLEAR):
            apart.append(_compare_light(tile, known[forms[0][1]]))
    return np.asarray(np.median(apart, axis=0) if apart else np.zeros(3), dtype=np.float64)


def named(tile: Tile, known: Sequence[AlbumHex], light: Floats) -> int | None:
    """Return the index of a tile in ``known``, -1 for none of them, None if unsure."""
    costs = sorted((_cost_form(tile, one) + _cost_tint(tile, one, light), at) for at, one in enumerate(known))
    if not costs or costs[0][0] > OTHER:
        return -1
    clear = len(costs) == 1 or costs[1][0] - costs[0][0] > CLEAR
    return costs[0][1] if clear and costs[0][0] < SAME else None


def _cost_form(tile: Tile, known: AlbumHex) -> float:
    alike = max(likeness(look, known.grey) for look in tile.looks)
    strong = (strength(tile.looks[0]) - known.strength) / STRENGTH
    return 0.5 * (((1 - alike) / UNLIKE) ** 2 + strong**2)


def _cost_tint(tile: Tile, known: AlbumHex, light: Floats) -> float:
    apart = _compare_light(tile, known) - light
    bright = apart.mean()
    return float(0.5 * (((apart - bright) / TINT) ** 2).sum() + 0.5 * (bright / BRIGHT) ** 2)


def _compare_light(tile: Tile, known: AlbumHex) -> Floats:
    assert known.colour is not None
    return tile.looks[0].colour - known.colour


def cut_tiles(
    picture: Picture, lens: Lens, pose: Pose, names: Sequence[str], corner_mm: float
) -> tuple[dict[str, Picture], list[tuple[str, tuple[str, ...]]]]:
    """Return the pictures in the slots of the printed sheet by name, and their flaws as
    :func:`vision.plane.find_flaws` has them; the tiles' corners are ``corner_mm`` from their middles.
    """
    slots, high = sheets.TILES.slots, sheets.TILES.height_mm
    flat = flatten(picture, lens, pose, sheets.TILES, lying.PX_MM, lying.AROUND_MM)
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
    return found, find_flaws(found, SOFT, lambda *pair: _are_twins(*(looks[name] for name in pair)))


def _are_twins(one: HexLook, other: HexLook) -> bool:
    apart = np.abs(one.colour - other.colour).max()
    return bool(apart < TWIN_COLOUR) and likeness(one, other.grey) > TWINS
