"""Pictures of regions beside the truth: read after an earlier picture, or alone by hexes taught elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec
import numpy as np

from device.sensors.readers import bench
from vision.tuscany import reading
from vision.tuscany.album import EMPTY, TILE, WILD, Album, HexLook, HexShown, looks

AFTER, TAUGHT = "tuscany", "tuscany_taught"
"""The keys of pictures read after an earlier one, and of those read alone."""
TEACHERS: Final = 3
"""The number of other pictures that teach the hexes of a picture read alone."""


class Space(msgspec.Struct, frozen=True):
    """A hex: its middle in mm from the field's north-west corner, its print and its placed piece."""

    x_mm: float
    y_mm: float
    printed: str
    placed: Literal["tile", "wild"] | None = None

    @property
    def shown(self) -> HexShown:
        """The look of the hex."""
        if self.placed == "wild":
            return HexShown("", WILD)
        return HexShown(self.printed, TILE if self.placed else EMPTY)


class Truth(bench.FieldTruth, frozen=True, kw_only=True):
    """The truth of a picture; ``earlier`` names the picture of the same region some placements before."""

    hex_corner_mm: bench.Positive
    hexes: tuple[Space, ...]
    earlier: str | None = None

    @property
    def shown(self) -> list[HexShown]:
        """The look of each hex."""
        return [space.shown for space in self.hexes]


def name_figures(_options: bench.Options) -> Mapping[str, Mapping[str, bench.Total]]:
    """Return the figures by key.

    A picture read after an earlier one is exact if every placed piece was read right. One read alone has
    shares of its hexes.
    """
    shares = dict.fromkeys(
        ("printed_right", "hexes_right", "silent_share", "doubted_share"), bench.sum_shares
    )
    return {
        AFTER: {**bench.COUNTED, "hexes_right": bench.sum_shares},
        TAUGHT: {"n": sum, **shares, **bench.TIMES},
    }


def judge(
    scene: bench.PictureWithTruth[Truth], scenes: bench.Scenes[Truth], _options: bench.Options
) -> bench.JudgedPicture:
    """Read the region of a picture and compare its hexes with their truth."""
    before = []
    if earlier := scene.truth.earlier:
        before = _teach(bench.find_named(scenes, earlier, "earlier"))
    album = Album.of([before] if before else [_teach(other) for other in _find_teachers(scene, scenes)])
    watch = bench.Stopwatch()
    seen = _find_looks(scene, watch)
    with watch("read"):
        hexes = reading.read_after(before, seen, album) if before else reading.read(seen, album)
    pairs = list(zip(hexes, scene.truth.shown, strict=True))
    outcomes = [bench.PictureOutcome.of(one.shown == true, one.sure) for one, true in pairs]
    placed = [one.shown.lies == true.lies for one, true in pairs]
    doubted, silent = ([each.doubted for each in outcomes], [each.silent for each in outcomes])
    text = bench.describe_outcomes(outcomes, "hexes")
    if before:
        whole = bench.PictureOutcome(all(placed), any(doubted), any(silent))
        figures = {**bench.count_outcomes([whole], watch.stages), "hexes_right": (sum(placed), len(placed))}
        return bench.JudgedPicture(text, watch.stages, {AFTER: figures})
    printed = [one.shown.kind == true.kind for one, true in pairs if true.lies != WILD]
    held = {"printed_right": printed, "hexes_right": placed, "silent_share": silent, "doubted_share": doubted}
    shares = {name: (sum(found), len(found)) for name, found in held.items()}
    figures = {"n": 1, **shares, **bench.add_times(watch.stages)}
    return bench.JudgedPicture(f"taught, {text}", watch.stages, {TAUGHT: figures})


def _find_teachers(
    scene: bench.PictureWithTruth[Truth], scenes: bench.Scenes[Truth]
) -> list[bench.PictureWithTruth[Truth]]:
    """Return the pictures that teach how to read one: the next ones in the folder."""
    alone = [other for other in scenes.values() if not other.truth.earlier]
    at = alone.index(scene)
    others = [*alone[at + 1 :], *alone[:at]][:TEACHERS]
    if not others:
        raise bench.Unreadable("there is no other picture to teach what hexes look like")
    return others


def _teach(scene: bench.PictureWithTruth[Truth]) -> list[tuple[HexLook, HexShown]]:
    return list(zip(_find_looks(scene, bench.Stopwatch()), scene.truth.shown, strict=True))


def _find_looks(scene: bench.PictureWithTruth[Truth], watch: bench.Stopwatch) -> list[HexLook]:
    picture, truth = bench.open_picture(scene.picture), scene.truth
    with watch("find"):
        lens, field, sight = bench.place_of(picture, truth)
    if sight.pose is None:
        raise bench.Unreadable(f"{scene.picture}: the field is not found")
    middles = np.array([[space.x_mm, field.height_mm - space.y_mm] for space in truth.hexes])
    with watch("hexes"):
        return looks(picture, lens, sight.pose, middles, truth.hex_corner_mm)
