"""The display through one camera, for the match: found, read, judged, and told.

Nobody needs to teach anything, or lay tiles in order. Pictures of the display as the match has it show which
tiles look alike and which kinds they may be; each turn leaves fewer ways to tell them apart. While several
turns fit a picture, people are asked, and their answer teaches, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from device.sensors.messages import Expected
from device.sensors.readers import FIELDS, judging
from device.sensors.readers.reader import Finding, Reader
from device.sensors.sources import Picture
from device.texts import said
from engines.castles_of_tuscany.kinds import FARM, KINDS
from engines.castles_of_tuscany.layouts import DisplaySight
from engines.contract import OutOfStep
from engines.search import changes, explain
from vision.cards.flat import flatten
from vision.field import Field
from vision.lens import Lens
from vision.pose import Pose
from vision.tuscany import tiles
from vision.tuscany.album import AlbumHex

NAME: Final = DisplaySight.NAME
HEXES: Final = (8.0, 4.0)
"""Width and height of the field in hexes: two rows of four tiles with room between them."""
SURE: Final = 12.0
"""The evidence against a tile's being of a kind that the learnt ways exclude, as a logarithm."""

MOST: Final = 2
"""The most tiles that can be unsure: with more, something is in the way."""

Kinds = tuple[str, ...]


def field_of(pitch_mm: float) -> Field:
    """Return the display's field, with hexes of ``pitch_mm`` from flat side to flat side."""
    wide, high = (number * pitch_mm for number in HEXES)
    return Field(wide, high, *FIELDS[NAME])


class Learnt(msgspec.Struct, frozen=True, eq=False):
    """The looks ``known`` apart, and all ``ways`` to give each its kind: a letter a look."""

    known: tuple[AlbumHex, ...] = ()
    ways: tuple[str, ...] = ("",)


class DisplayReader(Reader):
    """A reader of the display through one camera."""

    def __init__(self, lens: Lens) -> None:
        """Take the lens; nothing is expected or learnt yet."""
        super().__init__(lens, what=NAME)
        self._learnt = Learnt()

    @property
    def field(self) -> Field | str:
        """The display's field, once the size of a hex is known."""
        pitch = self._expected.cell_mm if self._expected else 0.0
        return field_of(pitch) if pitch else "regions.size"

    def expect(self, expected: Expected) -> None:
        """Take in the match's table; tiles of another size are another copy's."""
        if self._expected and self._expected.cell_mm != expected.cell_mm:
            self._learnt, self._pose = Learnt(), None
        super().expect(expected)

    def _read(self, picture: Picture, pose: Pose) -> Finding:
        assert self._expected
        pitch = self._expected.cell_mm
        seen = tiles.tiles(flatten(picture, self._lens, pose, field_of(pitch)), pitch / math.sqrt(3))
        if seen is None:
            return self._nothing(said("display.apart"))
        now = self._sight.of(self._state)
        light = tiles.light_of(seen, self._learnt.known)
        old, known = self._learnt, list(self._learnt.known)
        numbers: list[int | None] = []
        for tile in seen:
            number = tiles.named(tile, known, light)
            if number == -1:
                number = len(known)
                known.append(tiles.taught(tile, light))
            numbers.append(number)
        new = len(known) - len(old.known)
        whole = None not in numbers and len(numbers) == len(now)
        fits = extended(old.ways, new, lambda way: whole and _fits_match(numbers, way, now))
        if fits and whole:
            self._learnt = Learnt(tuple(known), fits)
            return self._stands()
        if not old.known:
            return self._nothing(said("display.odd"))
        if len(seen) < len(now) and any(self._state.own.piles):
            # A taken tile looks like an unseen one, until the next one lies there (CT-3.5).
            return self._nothing(said("display.short"))
        unsure = [at for at, number in enumerate(numbers) if number is None or number >= len(old.known)]
        layouts = self._layouts(numbers, extended(old.ways, new)) if len(unsure) <= MOST else []
        if not 0 < len(layouts) <= judging.MOST:
            return self._nothing(said("display.learning"))
        if unsure:
            self._doubts = (said("display.unsure", n=len(unsure)),)

        def against(layout: Kinds) -> float:
            return SURE * min(changes(self._sight.differences(layout, one)) for one in layouts)

        return self._judged(layouts, against, unsure, lambda number: seen[number].pixels)

    def _layouts(self, numbers: Sequence[int | None], ways: Sequence[str]) -> list[Kinds]:
        """Return the possible layouts; if a turn leads to any, only those."""
        found = dict.fromkeys(layout for way in ways for layout in _possible(numbers, way))
        game, sight, state = self._game, self._sight, self._state
        legal = [one for one in found if not isinstance(explain(game, sight, state, one), OutOfStep)]
        return legal or [*found]


def extended(ways: Sequence[str], new: int, fits: Callable[[str], bool] = bool) -> tuple[str, ...]:
    """Return the ways to give looks their kinds, with ``new`` looks added.

    No two looks are of one kind, except farms. Only ways that ``fits`` accepts are returned.
    """
    found = tuple(filter(fits, ways)) if any(ways) else tuple(ways)
    for _ in range(new):
        longer = (way + kind for way in found for kind in KINDS if kind == FARM or kind not in way)
        found = tuple(filter(fits, longer))
    return found


def _fits_match(numbers: Sequence[int | None], way: str, now: Kinds) -> bool:
    """Return True if the match has at least as many tiles of each kind as a way gives to its known looks."""
    there = [way[number] for number in numbers if number is not None and number < len(way)]
    return all(there.count(kind) <= now.count(kind) for kind in there)


def _kinds(numbers: Sequence[int | None], way: str) -> Kinds:
    return tuple(sorted((way[number] for number in numbers if number is not None), key=KINDS.index))


def _possible(numbers: Sequence[int | None], way: str) -> Iterator[Kinds]:
    """Yield the possible layouts of looks in a way; a look without a known kind may be of any."""
    if None not in numbers:
        yield _kinds(numbers, way)
        return
    at = [*numbers].index(None)
    for number in range(len(way)):
        yield from _possible([*numbers[:at], number, *numbers[at + 1 :]], way)
