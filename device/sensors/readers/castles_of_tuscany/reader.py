"""The region before one seat, and the display, through a camera: found, read, judged, and reported.

Nobody needs to teach placed pieces: the first picture of the table as the match has it shows the look of the
copy's boards, and each later one is read after the last that was as expected. If the match asks for the print
of a board, the taught kinds give it.

Nor need anybody lay the display's tiles in order. Pictures of it as the match has it show which tiles look
alike and which kinds they may be; each turn leaves fewer ways to tell them apart. While several turns fit a
picture, people are asked, and their answer teaches, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Final

import msgspec
import numpy as np

from device.sensors.learnt import Mount, lens_of
from device.sensors.messages import Expected, Reading
from device.sensors.readers import DISPLAY, FIELDS, REGIONS, judging
from device.sensors.readers.castles_of_tuscany import teaching
from device.sensors.readers.castles_of_tuscany.ground import RegionGround, find_slip, ground_of
from device.sensors.readers.reader import Finding, Reader, Seen
from device.sensors.sources import Picture, PictureFrame, PictureSource
from device.texts import said
from engines.castles_of_tuscany.kinds import FARM, KINDS
from engines.castles_of_tuscany.layouts import Spaces
from engines.castles_of_tuscany.regions import HEXES, TURNED, Region, board
from engines.castles_of_tuscany.state import sight
from engines.contract import OutOfStep
from engines.search import changes, explain
from vision.field import Field
from vision.lens import Floats, Lens
from vision.pose import Pose
from vision.tuscany import tiles
from vision.tuscany.album import EMPTY, TILE, WILD, Album, AlbumHex, HexLook, HexShown, cut, looks
from vision.tuscany.lying import thing
from vision.tuscany.reading import ReadHex, disorder, odd, printed, read_after

UNSURE, SURE = 1.5, 12.0
"""The evidence of an unsure hex, or of a sure one, against another content, as a logarithm; also that of the
display against kinds that the learnt ways exclude.
"""

# Regions

MOST_HEXES: Final = 3
"""The most hexes that can be unsure: with more, something is in the way."""
AROUND: Final = 2.0
"""The width in hexes of the picture of one hex for people."""

ORDER: Final = 0.5
"""A region lies turned if, read in the opposite order, it has less than this share of its usual disorder."""
PRINT: Final = "print"
"""The question for the ten kinds of a board."""
SURELY: Final = 0.8
"""The chance of a board as it was read."""

Pairs = Sequence[tuple[HexLook, HexShown]]


class RegionReader(Reader):
    """A reader of one seat's region through one camera."""

    def __init__(self, lens: Lens, name: str, seat: int, kinds: Album | None = None) -> None:
        """Read the field ``name`` before the ``seat``; nothing is expected yet.

        ``kinds`` are the taught ones of the copy, None without a teaching.
        """
        super().__init__(lens, what=sight(seat))
        self._name, self._seat, self._kinds = name, seat, kinds
        self._land: Region | None = None
        self._print_unknown = False
        """True if the boards are named but their print is unknown."""
        self._ground: RegionGround | None = None
        self._before: Pairs = ()
        """The hexes and their look by the match, in the last picture that was as expected."""
        self._bare: Picture | None = None
        """The field from straight above, in the same picture."""
        self._now: tuple[Pairs, Picture | None] = (), None
        """Both for the last picture."""

    @property
    def field(self) -> Field | str:
        """The region's field, once its boards and the size of a hex are known."""
        if self._land is None or (self._print_unknown and not self._printing):
            return "regions.unknown"
        return self._ground.field if self._ground else "regions.size"

    def expect(self, expected: Expected) -> None:
        """Take in the match's table; another region begins without knowledge."""
        last = self._expected
        super().expect(expected)
        if not expected.position:
            return
        there = self._seat < len(self._state.sides)
        land = self._state.known_region(self._seat) if there else None
        self._print_unknown = land is None
        land = land or (self._state.blank_region(self._seat) if there else None)
        same = last is not None and (last.match, last.cell_mm) == (expected.match, expected.cell_mm)
        if not same or land != self._land:
            self._before, self._bare, self._pose = (), None, None
        self._land, self._ground = land, None
        if land and expected.cell_mm:
            self._ground = ground_of(land.spots, expected.cell_mm, self._name)

    def report(self, seen: Seen) -> Reading | None:
        """Return the message of a finding to the daemon, None for a mere trouble."""
        if seen.agreed and seen.finding.as_expected:
            self._before, self._bare = self._now
        return super().report(seen)

    def _read(self, picture: Picture, pose: Pose) -> Finding:
        there = self._ground
        assert there is not None
        flat = there.flatten(picture, self._lens, pose)
        lie = there.find_lie(flat)
        middles = there.place_hexes(lie.moved)
        look = partial(looks, picture, self._lens, pose, corner_mm=there.corner_mm)
        now: Spaces = self._sight.of(self._state)
        seen, wrong = look(middles), find_slip(lie, self._state.sides[self._seat].boards)
        pairs = list(zip(seen, self._show_hexes(now), strict=True))
        self._now = pairs, flat
        if (wrong or not self._before) and self._is_turned(there, flat, look, pairs):
            return self._find_nothing(said("regions.turned"))
        # A hand over a board makes it seem to lie elsewhere; a board that slipped leaves bare table behind.
        places = there.turn_south(middles)
        at = thing(flat, None if wrong else self._bare, places, there.corner_mm)
        if at is not None:
            wrong = said("regions.beside", cell=self._name_cells([int(np.hypot(*(places - at).T).argmin())]))
        if wrong:
            return self._find_nothing(wrong)
        if self._print_unknown:
            return self._read_print(seen)
        if not self._before:
            return self._judge_first(pairs)
        hexes = read_after(self._before, seen, Album.of([self._before]))
        # A change that people entered and the picture shows is no doubt any more.
        entered = [old.lies != new.lies for (_, old), (_, new) in zip(self._before, pairs, strict=True)]
        unsure = [
            number
            for number, (one, (_, shown)) in enumerate(zip(hexes, pairs, strict=True))
            if not one.sure and not (entered[number] and one.shown.lies == shown.lies)
        ]
        if len(unsure) > MOST_HEXES:
            if self._is_turned(there, flat, look, pairs):
                return self._find_nothing(said("regions.turned"))
            return self._find_nothing(said("regions.covered", cells=self._name_cells(unsure)))
        if unsure:
            self._doubts = (said("camera.unseen", cells=self._name_cells(unsure)),)

        def cut_part(number: int) -> Picture:
            around = middles[[number]], AROUND * there.corner_mm
            return np.asarray(cut(picture, self._lens, pose, *around)[0], np.uint8)

        return self._judge(
            list(self._list_layouts(hexes, unsure)),
            lambda one: self._add_evidence_against(one, hexes),
            unsure,
            cut_part,
        )

    # The parts of a reading

    @property
    def _printing(self) -> bool:
        """True if the match asks for the print of a board of this region."""
        asked = self._expected is not None and self._expected.question == PRINT
        return asked and self._state.seat == self._seat

    def _judge_first(self, pairs: Pairs) -> Finding:
        """Judge the first picture: it shows the table as the match has it, or some hexes look odd."""
        if strange := odd(pairs):
            return self._find_nothing(said("regions.odd", cells=self._name_cells(strange)))
        self._before = pairs
        return self._find_as_expected()

    def _is_turned(
        self, there: RegionGround, flat: Picture, look: Callable[[Floats], list[HexLook]], pairs: Pairs
    ) -> bool:
        """Return True if the region lies turned by half: then hexes in the opposite order look alike."""
        turned = there.turned
        lie, boards = turned.find_lie(flat), self._state.sides[self._seat].boards
        if self._print_unknown or find_slip(lie, boards):
            return False
        other = zip(look(turned.place_hexes(lie.moved)), (shown for _, shown in pairs), strict=True)
        return disorder(list(other)) < ORDER * disorder(pairs)

    def _read_print(self, seen: Sequence[HexLook]) -> Finding:
        """Return the print of the board that the match asks for."""
        if self._kinds is None:
            return self._find_nothing(said("regions.untaught"))
        assert self._land is not None
        asked, boards = self._state.frames[-1].tile, self._state.sides[self._seat].boards
        at = [board(name) for name in boards].index(asked)
        spaces = range(at * HEXES, (at + 1) * HEXES)
        if boards[at].endswith(TURNED):
            spaces = spaces[::-1]
        may = [printed(seen, self._kinds)[space] for space in spaces]
        best = [kinds[0] for kinds in may]
        others = [
            "".join([*best[:n], kinds[1], *best[n + 1 :]]) for n, kinds in enumerate(may) if len(kinds) > 1
        ]
        if others:
            unsure = [space for space, kinds in zip(spaces, may, strict=True) if len(kinds) > 1]
            self._doubts = (said("regions.print", cells=self._name_cells(unsure)),)
        chances = [(other, (1 - SURELY) / len(others)) for other in others]
        return Finding(None, self.troubles, answers=(("".join(best), SURELY), *chances))

    def _show_hexes(self, spaces: Spaces) -> Iterator[HexShown]:
        """Yield each hex as it looks with ``spaces`` filled."""
        assert self._land is not None
        for name, kind in zip(self._land.names, self._land.kinds, strict=True):
            if name in spaces.wild:
                yield HexShown("", WILD)
            else:
                yield HexShown(kind, TILE if name in spaces.tiles else EMPTY)

    def _list_layouts(self, hexes: Sequence[ReadHex], unsure: Sequence[int]) -> Iterator[Spaces]:
        """Yield the possible layouts, the likeliest first."""
        lies = [one.shown.lies for one in hexes]
        ways = [(lies[number], *({EMPTY, TILE, WILD} - {lies[number]})) for number in unsure]
        for chosen in product(*ways):
            there = dict(enumerate(lies)) | dict(zip(unsure, chosen, strict=True))
            yield self._fill_spaces(there)

    def _fill_spaces(self, lies: dict[int, str]) -> Spaces:
        assert self._land is not None
        laid, wild = (
            frozenset(self._land.names[number] for number, what in lies.items() if what == kind)
            for kind in (TILE, WILD)
        )
        return Spaces(laid, wild)

    def _add_evidence_against(self, spaces: Spaces, hexes: Sequence[ReadHex]) -> float:
        """Return the evidence against a layout, as a logarithm."""
        return sum(
            SURE if one.sure else UNSURE
            for one, shown in zip(hexes, self._show_hexes(spaces), strict=True)
            if one.shown.lies != shown.lies
        )

    def _name_cells(self, spaces: Sequence[int]) -> tuple[str, ...]:
        assert self._land is not None
        return tuple(self._land.names[number] for number in spaces)


# The display

DISPLAY_HEXES: Final = (8.0, 4.0)
"""Width and height of the field in hexes: two rows of four tiles with room between them."""
MOST_TILES: Final = 2
"""The most tiles that can be unsure: with more, something is in the way."""

Kinds = tuple[str, ...]


def display_of(pitch_mm: float) -> Field:
    """Return the display's field, with hexes of ``pitch_mm`` from flat side to flat side."""
    wide, high = (number * pitch_mm for number in DISPLAY_HEXES)
    return Field(wide, high, *FIELDS[DISPLAY])


class TilesLearnt(msgspec.Struct, frozen=True, eq=False):
    """The looks ``known`` apart, and all ``ways`` to give each its kind: a letter a look."""

    known: tuple[AlbumHex, ...] = ()
    ways: tuple[str, ...] = ("",)


class DisplayReader(Reader):
    """A reader of the display through one camera."""

    def __init__(self, lens: Lens) -> None:
        """Take the lens; nothing is expected or learnt yet."""
        super().__init__(lens, what=DISPLAY)
        self._learnt = TilesLearnt()

    @property
    def field(self) -> Field | str:
        """The display's field, once the size of a hex is known."""
        pitch = self._expected.cell_mm if self._expected else 0.0
        return display_of(pitch) if pitch else "regions.size"

    def expect(self, expected: Expected) -> None:
        """Take in the match's table; tiles of another size are another copy's."""
        if self._expected and self._expected.cell_mm != expected.cell_mm:
            self._learnt, self._pose = TilesLearnt(), None
        super().expect(expected)

    def _read(self, picture: Picture, pose: Pose) -> Finding:
        assert self._expected
        pitch = self._expected.cell_mm
        seen = tiles.find_tiles(picture, self._lens, pose, display_of(pitch), pitch / math.sqrt(3))
        if seen is None:
            return self._find_nothing(said("display.apart"))
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
        fits = extend_ways(old.ways, new, lambda way: whole and _fits_match(numbers, way, now))
        if fits and whole:
            self._learnt = TilesLearnt(tuple(known), fits)
            return self._find_as_expected()
        if not old.known:
            return self._find_nothing(said("display.odd"))
        if len(seen) < len(now) and any(self._state.own.piles):
            # A taken tile looks like an unseen one, until the next one lies there (CT-3.5).
            return self._find_nothing(said("display.short"))
        unsure = [at for at, number in enumerate(numbers) if number is None or number >= len(old.known)]
        layouts = self._list_layouts(numbers, extend_ways(old.ways, new)) if len(unsure) <= MOST_TILES else []
        if not 0 < len(layouts) <= judging.MOST:
            return self._find_nothing(said("display.learning"))
        if unsure:
            self._doubts = (said("display.unsure", n=len(unsure)),)

        def weigh_against(layout: Kinds) -> float:
            return SURE * min(changes(self._sight.differences(layout, one)) for one in layouts)

        return self._judge(layouts, weigh_against, unsure, lambda number: seen[number].pixels)

    def _list_layouts(self, numbers: Sequence[int | None], ways: Sequence[str]) -> list[Kinds]:
        """Return the possible layouts; if a turn leads to any, only those."""
        found = dict.fromkeys(layout for way in ways for layout in _list_possible(numbers, way))
        meaning = partial(explain, self._game, self._sight, self._state)
        legal = [one for one in found if not isinstance(meaning(one), OutOfStep)]
        return legal or [*found]


def extend_ways(ways: Sequence[str], new: int, fits: Callable[[str], bool] = bool) -> tuple[str, ...]:
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


def _name_kinds(numbers: Sequence[int | None], way: str) -> Kinds:
    return tuple(sorted((way[number] for number in numbers if number is not None), key=KINDS.index))


def _list_possible(numbers: Sequence[int | None], way: str) -> Iterator[Kinds]:
    """Yield the possible layouts of looks in a way; a look without a known kind may be of any."""
    if None not in numbers:
        yield _name_kinds(numbers, way)
        return
    at = [*numbers].index(None)
    for number in range(len(way)):
        yield from _list_possible([*numbers[:at], number, *numbers[at + 1 :]], way)


def open_reader(mount: Mount, source: PictureSource, frame: PictureFrame) -> RegionReader | DisplayReader:
    """Return the reader for a camera; raises :class:`.LearntError` without a calibration."""
    name, lens = mount.field, lens_of(mount, source, frame)
    if name == DISPLAY:
        return DisplayReader(lens)
    known = teaching.Taught.load(mount.state_dir, mount.camera)
    return RegionReader(lens, name, REGIONS.index(name), known.album if known else None)
