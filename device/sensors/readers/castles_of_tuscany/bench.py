"""Pictures of regions beside the truth: read after an earlier picture, or alone by hexes taught elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec
import numpy as np

from device.sensors.readers.bench import (
    Each,
    FieldTruth,
    Options,
    PictureOutcome,
    PictureWithTruth,
    Positive,
    ReadingCounts,
    ReportSection,
    Share,
    Stages,
    Stopwatch,
    Unreadable,
    line,
    lines,
    open_picture,
    place_of,
    times,
)
from vision.tuscany import reading
from vision.tuscany.album import EMPTY, TILE, WILD, Album, HexShown
from vision.tuscany.hexes import HexLook, looks
from vision.tuscany.reading import ReadHex

TEACHERS: Final = 3
"""So many other pictures teach what hexes look like that are read alone."""


class Space(msgspec.Struct, frozen=True):
    """A hex: its middle in mm from the field's north-west corner, and what is printed and placed there."""

    x_mm: float
    y_mm: float
    printed: str
    placed: Literal["tile", "wild"] | None = None

    @property
    def shown(self) -> HexShown:
        """Return what the hex shows."""
        if self.placed == "wild":
            return HexShown("", WILD)
        return HexShown(self.printed, TILE if self.placed else EMPTY)


class Truth(FieldTruth, frozen=True, kw_only=True):
    """What a picture holds; ``earlier`` names the picture of the same region some placements before."""

    hex_corner_mm: Positive
    hexes: tuple[Space, ...]
    earlier: str | None = None

    @property
    def shown(self) -> list[HexShown]:
        """Return what each hex shows."""
        return [space.shown for space in self.hexes]


class RegionFigures(ReadingCounts, frozen=True, kw_only=True):
    """Figures of pictures, ``exact`` where all that is placed was read right; ``hexes_right`` is a share."""

    hexes_right: float | None


class TaughtFigures(msgspec.Struct, frozen=True):
    """``n`` pictures read by hexes of others; shares of hexes: what is printed, of those without a wild one;
    what is placed; wrong in either without a doubt; doubted.
    """

    n: int
    printed_right: float | None
    hexes_right: float | None
    silent_share: float | None
    doubted_share: float | None
    ms_median: float | None
    ms_worst: float | None


class Judged(NamedTuple):
    """One picture's hexes as they were read, and the truth."""

    hexes: Sequence[ReadHex]
    truth: Sequence[HexShown]
    stages: Stages

    @property
    def placed(self) -> list[bool]:
        """Return True if what is placed on each hex is right."""
        return [read.shown.lies == true.lies for read, true in zip(self.hexes, self.truth, strict=True)]

    @property
    def printed(self) -> list[bool]:
        """Return True if the kind of each hex without a wild one is right."""
        pairs = zip(self.hexes, self.truth, strict=True)
        return [read.shown.kind == true.kind for read, true in pairs if true.lies != WILD]

    @property
    def silent(self) -> int:
        """Return how many hexes are wrong and not doubted."""
        pairs = zip(self.hexes, self.truth, strict=True)
        return sum(read.sure and read.shown != true for read, true in pairs)

    @property
    def doubted(self) -> int:
        """Return how many hexes are doubted."""
        return sum(not read.sure for read in self.hexes)


def measure(scenes: Mapping[str, PictureWithTruth[Truth]], read: Each, _options: Options) -> ReportSection:
    """Read all pictures of regions in a folder."""
    later = {name: scene for name, scene in scenes.items() if scene.truth.earlier}
    first = {name: scene for name, scene in scenes.items() if not scene.truth.earlier}
    after = read(later, lambda scene: _after(scene, _earlier(scene, scenes)))
    alone = read(first, lambda scene: _alone(scene, _others(scene, list(first.values()))))
    pictures = [line(name, _word(one), one.stages, "") for name, one in after.items()]
    pictures += [line(f"{name}, taught", _word(one), one.stages, "") for name, one in alone.items()]
    regions, taught = _region_figures([*after.values()]), _taught_figures([*alone.values()])
    return ReportSection(
        {"tuscany": regions, "tuscany_taught": taught},
        tuple(pictures),
        (*lines("tuscany", regions), *lines("tuscany_taught", taught)),
        {
            "tuscany": tuple(one.stages for one in after.values()),
            "tuscany_taught": tuple(one.stages for one in alone.values()),
        },
    )


def _region_figures(judged: Sequence[Judged]) -> RegionFigures:
    outcomes = [PictureOutcome(all(one.placed), one.doubted > 0, one.silent > 0) for one in judged]
    right = [hex_ for one in judged for hex_ in one.placed]
    share = Share(sum(right), len(right)).value
    return RegionFigures.of(outcomes, [one.stages for one in judged], hexes_right=share)


def _taught_figures(judged: Sequence[Judged]) -> TaughtFigures:
    middle, worst = times([one.stages for one in judged])
    hexes = sum(len(one.truth) for one in judged)
    printed = [right for one in judged for right in one.printed]
    return TaughtFigures(
        n=len(judged),
        printed_right=Share(sum(printed), len(printed)).value,
        hexes_right=Share(sum(sum(one.placed) for one in judged), hexes).value,
        silent_share=Share(sum(one.silent for one in judged), hexes).value,
        doubted_share=Share(sum(one.doubted for one in judged), hexes).value,
        ms_median=middle,
        ms_worst=worst,
    )


def _word(judged: Judged) -> str:
    right = sum(read.shown == true for read, true in zip(judged.hexes, judged.truth, strict=True))
    word = f"{right} of {len(judged.truth)} hexes right"
    if judged.doubted:
        word += f", {judged.doubted} doubted"
    return f"{word}, SILENT" if judged.silent else word


def _earlier(
    scene: PictureWithTruth[Truth], scenes: Mapping[str, PictureWithTruth[Truth]]
) -> PictureWithTruth[Truth]:
    name = scene.truth.earlier or ""
    if Path(name).stem not in scenes:
        raise Unreadable(f"earlier: there is no truth of {name}")
    return scenes[Path(name).stem]


def _others(
    scene: PictureWithTruth[Truth], scenes: Sequence[PictureWithTruth[Truth]]
) -> list[PictureWithTruth[Truth]]:
    """Return the pictures that teach how to read one: the next in the folder."""
    at = next(number for number, other in enumerate(scenes) if other.picture == scene.picture)
    others = [*scenes[at + 1 :], *scenes[:at]][:TEACHERS]
    if not others:
        raise Unreadable("there is no other picture to teach what hexes look like")
    return others


def _after(scene: PictureWithTruth[Truth], earlier: PictureWithTruth[Truth]) -> Judged:
    before = list(zip(_taught(earlier), earlier.truth.shown, strict=True))
    album = Album.of([before])
    watch = Stopwatch()
    found = _looks(scene, watch)
    with watch("read"):
        hexes = reading.read_after(before, found, album)
    return Judged(hexes, scene.truth.shown, watch.stages)


def _alone(scene: PictureWithTruth[Truth], others: Sequence[PictureWithTruth[Truth]]) -> Judged:
    album = Album.of([list(zip(_taught(other), other.truth.shown, strict=True)) for other in others])
    watch = Stopwatch()
    found = _looks(scene, watch)
    with watch("read"):
        hexes = reading.read(found, album)
    return Judged(hexes, scene.truth.shown, watch.stages)


def _taught(scene: PictureWithTruth[Truth]) -> list[HexLook]:
    return _looks(scene, Stopwatch())


def _looks(scene: PictureWithTruth[Truth], watch: Stopwatch) -> list[HexLook]:
    picture, truth = open_picture(scene.picture), scene.truth
    with watch("find"):
        lens, field, sight = place_of(picture, truth)
    if sight.pose is None:
        raise Unreadable(f"{scene.picture}: the field is not found")
    middles = np.array([[space.x_mm, field.height_mm - space.y_mm] for space in truth.hexes])
    with watch("hexes"):
        return looks(picture, lens, sight.pose, middles, truth.hex_corner_mm)
