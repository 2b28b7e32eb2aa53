"""Pictures of regions beside the truth: read after an earlier picture, or alone by hexes taught elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec
import numpy as np

from device.sensors.readers import bench
from vision.tuscany import reading
from vision.tuscany.album import EMPTY, TILE, WILD, Album, HexShown
from vision.tuscany.hexes import HexLook, looks
from vision.tuscany.reading import ReadHex

TEACHERS: Final = 3
"""The number of other pictures that teach the look of hexes that are read alone."""


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


class Truth(bench.FieldTruth, frozen=True, kw_only=True):
    """The truth of a picture; ``earlier`` names the picture of the same region some placements before."""

    hex_corner_mm: bench.Positive
    hexes: tuple[Space, ...]
    earlier: str | None = None

    @property
    def shown(self) -> list[HexShown]:
        """Return what each hex shows."""
        return [space.shown for space in self.hexes]


class RegionFigures(bench.ReadingCounts, frozen=True, kw_only=True):
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


class JudgedHexes(NamedTuple):
    """One picture's hexes beside the truth: the outcome of each; whether what is placed there is right, and
    the kind of each without a wild one.
    """

    outcomes: tuple[bench.PictureOutcome, ...]
    placed: list[bool]
    printed: list[bool]
    stages: bench.Stages

    @classmethod
    def of(cls, hexes: Sequence[ReadHex], truth: Sequence[HexShown], stages: bench.Stages) -> JudgedHexes:
        """Return that of hexes as they were read."""
        pairs = list(zip(hexes, truth, strict=True))
        return cls(
            tuple(bench.PictureOutcome.of(read.shown == true, read.sure) for read, true in pairs),
            [read.shown.lies == true.lies for read, true in pairs],
            [read.shown.kind == true.kind for read, true in pairs if true.lies != WILD],
            stages,
        )

    @property
    def picture(self) -> bench.JudgedPicture:
        """Return the picture as a whole, exact where all that is placed was read right."""
        doubted, silent = (any(one) for one in zip(*(each[1:] for each in self.outcomes), strict=True))
        whole = bench.PictureOutcome(all(self.placed), doubted, silent)
        word, right = bench.word_of(self.outcomes, "hexes"), bench.Share(sum(self.placed), len(self.placed))
        return bench.JudgedPicture(word, (whole,), self.stages, right=right)


def measure(
    scenes: Mapping[str, bench.PictureWithTruth[Truth]], read: bench.Each, _options: bench.Options
) -> bench.ReportSection:
    """Read all pictures of regions in a folder."""
    later = {name: scene for name, scene in scenes.items() if scene.truth.earlier}
    first = {name: scene for name, scene in scenes.items() if not scene.truth.earlier}
    after = read(later, lambda scene: _after(scene, _earlier(scene, scenes)).picture)
    alone = read(first, lambda scene: _alone(scene, _others(scene, list(first.values()))))
    regions = RegionFigures.over(after.values(), hexes_right=bench.right_share(after.values()))
    taught, pictures = _taught_figures([*alone.values()]), {name: one.picture for name, one in alone.items()}
    return bench.section("tuscany", after, regions) + bench.section(
        "tuscany_taught", pictures, taught, ", taught"
    )


def _taught_figures(judged: Sequence[JudgedHexes]) -> TaughtFigures:
    middle, worst = bench.times([one.stages for one in judged])

    def share(found: Iterable[Iterable[bool]]) -> float | None:
        hexes = [*chain.from_iterable(found)]
        return bench.Share(sum(hexes), len(hexes)).value

    return TaughtFigures(
        n=len(judged),
        printed_right=share(one.printed for one in judged),
        hexes_right=share(one.placed for one in judged),
        silent_share=share((each.silent for each in one.outcomes) for one in judged),
        doubted_share=share((each.doubted for each in one.outcomes) for one in judged),
        ms_median=middle,
        ms_worst=worst,
    )


def _earlier(
    scene: bench.PictureWithTruth[Truth], scenes: Mapping[str, bench.PictureWithTruth[Truth]]
) -> bench.PictureWithTruth[Truth]:
    name = scene.truth.earlier or ""
    if found := scenes.get(Path(name).stem):
        return found
    raise bench.Unreadable(f"earlier: there is no truth of {name}")


def _others(
    scene: bench.PictureWithTruth[Truth], scenes: Sequence[bench.PictureWithTruth[Truth]]
) -> list[bench.PictureWithTruth[Truth]]:
    """Return the pictures that teach how to read one: the next in the folder."""
    at = next(number for number, other in enumerate(scenes) if other.picture == scene.picture)
    others = [*scenes[at + 1 :], *scenes[:at]][:TEACHERS]
    if not others:
        raise bench.Unreadable("there is no other picture to teach what hexes look like")
    return others


def _after(scene: bench.PictureWithTruth[Truth], earlier: bench.PictureWithTruth[Truth]) -> JudgedHexes:
    before = _taught(earlier)
    album = Album.of([before])
    return _judged(scene, lambda found: reading.read_after(before, found, album))


def _alone(
    scene: bench.PictureWithTruth[Truth], others: Sequence[bench.PictureWithTruth[Truth]]
) -> JudgedHexes:
    album = Album.of([_taught(other) for other in others])
    return _judged(scene, lambda found: reading.read(found, album))


def _judged(
    scene: bench.PictureWithTruth[Truth], read: Callable[[list[HexLook]], Sequence[ReadHex]]
) -> JudgedHexes:
    watch = bench.Stopwatch()
    found = _looks(scene, watch)
    with watch("read"):
        hexes = read(found)
    return JudgedHexes.of(hexes, scene.truth.shown, watch.stages)


def _taught(scene: bench.PictureWithTruth[Truth]) -> list[tuple[HexLook, HexShown]]:
    return list(zip(_looks(scene, bench.Stopwatch()), scene.truth.shown, strict=True))


def _looks(scene: bench.PictureWithTruth[Truth], watch: bench.Stopwatch) -> list[HexLook]:
    picture, truth = bench.open_picture(scene.picture), scene.truth
    with watch("find"):
        lens, field, sight = bench.place_of(picture, truth)
    if sight.pose is None:
        raise bench.Unreadable(f"{scene.picture}: the field is not found")
    middles = np.array([[space.x_mm, field.height_mm - space.y_mm] for space in truth.hexes])
    with watch("hexes"):
        return looks(picture, lens, sight.pose, middles, truth.hex_corner_mm)
