"""The region before one seat through a camera, as the match sees it: found, read, judged, and told.

Nobody need teach anything: the first picture in which the table stands as the match has it shows what the
copy's boards look like, and each later one is read beside the last that was as it should be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

import msgspec
import numpy as np

from device.sensors.messages import Expected, Reading
from device.sensors.reader import Mount, Seen
from device.sensors.readers import FIELDS, judging, seeing, told
from device.sensors.readers.castles_of_tuscany import display
from device.sensors.readers.castles_of_tuscany.display import DisplayReader
from device.sensors.readers.placed import Placed
from device.sensors.sources import Frame, Source
from engines.castles_of_tuscany.layouts import Spaces
from engines.castles_of_tuscany.regions import Region
from engines.castles_of_tuscany.state import State, known_region
from engines.contract import Exact, Sight
from vision.field import Field
from vision.gate import Mask
from vision.lens import Floats, Lens
from vision.tuscany.album import EMPTY, TILE, WILD, Album, Shown
from vision.tuscany.hexes import Look, cut, looks
from vision.tuscany.reading import Hex, odd, read_after

MARGIN_MM: Final = 30.0
"""So far the middles of the outermost hexes lie inside a region's field."""
UNSURE, SURE = 1.5, 12.0
"""What a hex of which nobody is sure, or somebody is, speaks against anything else there, as a logarithm."""
MOST: Final = 3
"""Of more hexes than these nobody can be unsure: then there is something in the way."""
AROUND: Final = 2.0
"""So many times as wide as a hex is the picture that people are shown of it."""

Pairs = Sequence[tuple[Look, Shown]]


class Ground(msgspec.Struct, frozen=True, eq=False):
    """Where a region lies: its ``field``, the ``middles`` of its hexes in that, (30, 2) mm, and how far their
    corners are from there.
    """

    field: Field
    middles: Floats
    corner_mm: float


def ground_of(spots: Sequence[tuple[int, int]], pitch_mm: float, name: str) -> Ground:
    """Return where hexes lie that are ``pitch_mm`` from flat side to flat side, by their ``spots``: row and
    half hexes from the left.
    """
    corner = pitch_mm / math.sqrt(3)
    rows, halves = np.array(spots, dtype=np.float64).reshape(-1, 2).T
    east, south = halves * pitch_mm / 2 + MARGIN_MM, rows * 1.5 * corner + MARGIN_MM
    first, gap = FIELDS[name]
    field = Field(float(east.max()) + MARGIN_MM, float(south.max()) + MARGIN_MM, first, gap)
    return Ground(field, np.column_stack([east, field.height_mm - south]), corner)


class Finding(told.Finding, frozen=True, eq=False):
    """What a picture was found to show; ``pairs`` are the hexes and what they show by the match."""

    pairs: Pairs = ()


class RegionReader(Placed):
    """Reads the region of one seat through one camera."""

    def __init__(self, lens: Lens, name: str, seat: int) -> None:
        """``name`` is that of the field before the ``seat``; nothing is expected yet."""
        super().__init__(lens)
        self._name, self._seat = name, seat
        self._land: Region | None = None
        self._before: Pairs = ()

    @property
    def field(self) -> Field | str:
        """The region's field, once its boards and the size of a hex are known."""
        if there := self._ground():
            return there.field
        return "regions.unknown" if self._land is None else "regions.size"

    def expect(self, expected: Expected) -> None:
        """Take in what the match has on the table; of another region nothing is known."""
        last = self._expected
        super().expect(expected)
        if not expected.position:
            return
        land = known_region(self._state, self._seat) if self._seat < len(self._state.sides) else None
        same = last is not None and (last.match, last.cell_mm) == (expected.match, expected.cell_mm)
        if not same or land != self._land:
            self._before, self._pose = (), None
        self._land = land

    def read(self, frame: Frame, _touched: Mask | None) -> Finding:
        """Read one picture, whatever was touched."""
        pose, there = self._find(frame.picture), self._ground()
        if pose is None or there is None:
            return Finding(None, self.troubles)
        assert self._game is not None
        assert self._state is not None
        seen = looks(frame.picture, self._lens, pose, there.middles, there.corner_mm)
        now: Spaces = self._sight.of(self._state)
        pairs = list(zip(seen, self._shown(now), strict=True))
        if not self._before:
            return self._first(pairs)
        hexes = read_after(self._before, seen, Album.of([self._before]))
        # What people have told meanwhile, and the picture shows, is no doubt any more.
        said = [old.lies != now.lies for (_, old), (_, now) in zip(self._before, pairs, strict=True)]
        unsure = [
            number
            for number, (one, (_, shown)) in enumerate(zip(hexes, pairs, strict=True))
            if not one.sure and not (said[number] and one.shown.lies == shown.lies)
        ]
        if len(unsure) > MOST:
            self._doubts = (("regions.covered", {"cells": self._names(unsure)}),)
            return Finding(None, self.troubles)
        layouts = list(self._layouts(hexes, unsure))

        def weigh(layouts: Sequence[Spaces]) -> list[float]:
            return [-self._unlike(layout, hexes) for layout in layouts]

        found = judging.judge(self._game, self._state, layouts, weigh, unsure=unsure, sight=self._sight)
        if unsure:
            self._doubts = (("camera.unseen", {"cells": self._names(unsure)}),)
        part = None
        if unsure:
            around = there.middles[unsure[:1]], AROUND * there.corner_mm
            part = cut(frame.picture, self._lens, pose, *around)[0].astype(np.uint8)
        return Finding(found, self.troubles, part, pairs)

    def tell(self, seen: Seen[Finding]) -> Reading | None:
        """Return a finding as the daemon is told; None for one that is only a trouble."""
        if seen.agreed and seen.finding.as_expected:
            self._before = seen.finding.pairs
        return super().tell(seen)

    # The parts of a reading

    @property
    def _sight(self) -> Sight[State]:
        assert self._game is not None
        return self._game.sights[self._seat]

    def _first(self, pairs: Pairs) -> Finding:
        """The first picture: it shows what the match has, or something differs from all that is like it."""
        assert self._state is not None
        strange = odd(pairs)
        if strange:
            self._doubts = (("regions.odd", {"cells": self._names(strange)}),)
            return Finding(None, self.troubles)
        self._before = pairs
        now = self._sight.of(self._state)
        return Finding(judging.Proposed(now, Exact(()), math.inf), self.troubles, pairs=pairs)

    def _shown(self, spaces: Spaces) -> Iterator[Shown]:
        """What each hex shows where ``spaces`` are filled."""
        assert self._land is not None
        for name, kind in zip(self._land.names, self._land.kinds, strict=True):
            if name in spaces.wild:
                yield Shown("", WILD)
            else:
                yield Shown(kind, TILE if name in spaces.tiles else EMPTY)

    def _layouts(self, hexes: Sequence[Hex], unsure: Sequence[int]) -> Iterator[Spaces]:
        """Return what may lie there, the likeliest first."""
        lies = [one.shown.lies for one in hexes]
        ways = [(lies[number], *({EMPTY, TILE, WILD} - {lies[number]})) for number in unsure]
        for chosen in product(*ways):
            there = dict(enumerate(lies)) | dict(zip(unsure, chosen, strict=True))
            yield self._spaces(there)

    def _spaces(self, lies: dict[int, str]) -> Spaces:
        assert self._land is not None
        tiles, wild = (
            frozenset(self._land.names[number] for number, what in lies.items() if what == kind)
            for kind in (TILE, WILD)
        )
        return Spaces(tiles, wild, self._land)

    def _unlike(self, spaces: Spaces, hexes: Sequence[Hex]) -> float:
        """Return what speaks against a layout, as a logarithm."""
        return sum(
            SURE if one.sure else UNSURE
            for one, shown in zip(hexes, self._shown(spaces), strict=True)
            if one.shown.lies != shown.lies
        )

    def _names(self, spaces: Sequence[int]) -> str:
        assert self._land is not None
        return ", ".join(self._land.names[number] for number in spaces)

    # Where the region is

    def _ground(self) -> Ground | None:
        if self._land is None or self._expected is None or not self._expected.cell_mm:
            return None
        return ground_of(self._land.spots, self._expected.cell_mm, self._name)


def open_reader(mount: Mount, source: Source, frame: Frame) -> RegionReader | DisplayReader:
    """Return the reader for a camera; raises :class:`.LensError` without a calibration."""
    name, lens = mount.field, seeing.lens_of(mount, source, frame)
    return DisplayReader(lens) if name == display.NAME else RegionReader(lens, name, REGIONS.index(name))


REGIONS: Final = ("region1", "region2", "region3", "region4")
"""The fields before the seats."""
