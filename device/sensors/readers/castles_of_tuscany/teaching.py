"""The look of a copy's kinds, as one camera sees them: one small file for each camera.

They are written by `podesta camera enrol castles_of_tuscany`, under the state directory.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from device.sensors.learnt import LearntError
from device.sensors.readers import REGIONS
from device.sensors.readers.castles_of_tuscany.ground import RegionGround, find_slip, list_usual_grounds
from device.sensors.readers.shelf import (
    Learnt,
    Pictures,
    Sheet,
    Sizes,
    Teaching,
    TeachingSeen,
    check_near,
    decode_pictures,
    encode_pictures,
    find_first_shown,
)
from device.texts import said
from engines.castles_of_tuscany.kinds import KINDS
from vision import sheets
from vision.field import find
from vision.lens import Lens, Picture
from vision.tuscany import tiles
from vision.tuscany.album import TILE, WILD, Album, HexLook, HexShown, cut, look_of
from vision.tuscany.reading import printed

NAMES: Final = ("castle", "town", "inn", "farm", "quarry", "village", "monastery", "cart", "wild hex")
"""The pieces on the sheet, row by row from the north-west: a tile of each of :data:`KINDS`, and
a wild hex.
"""
SLOTS: Final = (*(HexShown(kind, TILE) for kind in KINDS), HexShown("", WILD))
LEAST_PX_MM: Final = 1.5
"""The fewest px a mm that show enough of a field's tiles."""
ROUND: Final = 0.06
"""The largest relative difference between a hex's height and the height for its width."""


class Taught(Teaching, frozen=True, kw_only=True):
    """A copy's kinds: the size of a hex, and pictures as PNG files: of ``tiles`` by kind, with the wild hex
    at "", and of ``prints`` by kind.
    """

    game, broken = "castles_of_tuscany", "kinds.unreadable"
    hex_mm: tuple[float, float]
    tiles: dict[str, bytes]
    prints: dict[str, bytes]

    def __post_init__(self) -> None:
        _ = self.album

    @property
    def sizes(self) -> Sizes:
        """The given sizes, by name."""
        return {"hex": self.hex_mm}

    @property
    def album(self) -> Album:
        """The look of the kinds; raises ValueError if one is missing or is no picture."""
        if missing := {one.kind for one in SLOTS}.difference(self.tiles):
            raise ValueError(f"tiles: {', '.join(sorted(missing))} missing")
        return Album.of([[*_decode_looks(self.tiles, TILE)], [*_decode_looks(self.prints, "")]])


SHEET: Final = Sheet(sheets.tiles, tuple(said(f"kind.{kind}") for kind in (*KINDS, "w")))


def _decode_looks(some: Mapping[str, bytes], lies: str) -> Iterator[tuple[HexLook, HexShown]]:
    for kind, patch in decode_pictures("tiles", some).items():
        yield look_of(patch), HexShown(kind, lies if kind else WILD)


def learn(lens: Lens, pictures: Pictures, sizes: Sizes, _before: Taught | None) -> Learnt:
    """Learn the kinds from the first picture with all tiles on the sheet, and from pictures of empty boards.

    Any picture may show the prints of boards that lie empty before a seat. A kind whose print was not seen is
    missing; it is assumed to look like a paler tile.

    ``sizes`` has a ``hex``'s width and height. Raises :class:`LearntError` if no picture shows the tiles,
    ValueError for impossible sizes.
    """
    width, height = sizes["hex"]
    corner = width / math.sqrt(3)
    if not 10 <= width <= 60 or abs(height / (2 * corner) - 1) > ROUND:
        raise ValueError(
            said("kinds.size", width=f"{width:g}", should=f"{2 * corner:.1f}", height=f"{height:g}")
        )
    pictures = list(pictures)
    seen, taken = find_first_shown(
        pictures, lambda one: _find_tiles(one, lens, corner), LearntError("kinds.no_sheet")
    )
    album = Album.of([[(look_of(patch), shown) for shown, patch in seen.items()]])
    prints: dict[HexShown, Picture] = {}
    for _, picture in pictures:
        for name in REGIONS:
            prints |= _find_prints(picture, lens, list_usual_grounds(width, name), album)
    shown, plain = (encode_pictures(some, lambda one: one.kind) for some in (seen, prints))
    found = Taught(hex_mm=sizes["hex"], tiles=shown, prints=plain, taken=taken)
    lacking = tuple(said(f"kind.{kind}") for kind in KINDS if HexShown(kind) not in prints)
    missing = said("kinds.no_prints", kinds=lacking) if lacking else None
    return Learnt(found, said("teach.tiles", tiles=len(seen), prints=len(prints)), missing)


def _find_tiles(
    picture: Picture, lens: Lens, corner_mm: float
) -> tuple[dict[HexShown, Picture], TeachingSeen]:
    """Return the tiles on the printed sheet, and how they are seen.

    Raises :class:`LearntError` if the sheet is not seen, or a tile is missing or badly seen.
    """
    sight = find(picture, lens, sheets.TILES)
    if sight.pose is None:
        raise LearntError("kinds.no_sheet")
    check_near("kinds", lens, sight.pose, sheets.TILES, 0.0, LEAST_PX_MM)
    found, flaws = tiles.cut_tiles(picture, lens, sight.pose, NAMES, corner_mm)
    called = dict(zip(NAMES, (*KINDS, "w"), strict=True))
    for flaw, shown in flaws:
        raise LearntError(f"kinds.{flaw}", tiles=tuple(said(f"kind.{called[name]}") for name in shown))
    return dict(zip(SLOTS, found.values(), strict=True)), TeachingSeen.of(lens, picture, sight)


def _find_prints(
    picture: Picture, lens: Lens, ways: Sequence[RegionGround], album: Album
) -> dict[HexShown, Picture]:
    """Return the prints seen for sure on boards without tiles, which lie in one of some ``ways``."""
    pose = find(picture, lens, ways[0].field).pose
    if pose is None:
        return {}
    flat = ways[0].flatten(picture, lens, pose)
    lies = [(ground, lie) for ground in ways if not find_slip(lie := ground.find_lie(flat), ("", "", ""))]
    if not lies:
        return {}
    ground, lie = max(lies, key=lambda one: float(one[1].seen.mean()))
    patches = cut(picture, lens, pose, ground.place_hexes(lie.moved), ground.corner_mm).astype(np.uint8)
    read = printed([look_of(patch) for patch in patches], album)
    return {HexShown(one[0]): patch for one, patch in zip(read, patches, strict=True) if len(one) == 1}
