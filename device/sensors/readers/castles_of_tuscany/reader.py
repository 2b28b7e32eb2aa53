"""The region before one seat through a camera, for the match: found, read, judged, and told.

Nobody needs to teach placed pieces: the first picture of the table as the match has it shows the look of the
copy's boards, and each later one is read after the last that was as expected. If the match asks for the print
of a board, the taught kinds give it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Final

import numpy as np

from device.sensors.learnt import Mount, lens_of
from device.sensors.messages import Expected, Reading
from device.sensors.readers.castles_of_tuscany import display, teaching
from device.sensors.readers.castles_of_tuscany.display import DisplayReader
from device.sensors.readers.castles_of_tuscany.ground import REGIONS, RegionGround, ground_of, slipped
from device.sensors.readers.reader import Finding, Reader, Seen
from device.sensors.sources import Picture, PictureFrame, PictureSource
from device.texts import said
from engines.castles_of_tuscany.layouts import Spaces
from engines.castles_of_tuscany.regions import HEXES, TURNED, Region, board
from engines.castles_of_tuscany.state import sight
from vision.field import Field
from vision.lens import Floats, Lens
from vision.pose import Pose
from vision.tuscany.album import EMPTY, TILE, WILD, Album, HexShown
from vision.tuscany.hexes import HexLook, cut, looks
from vision.tuscany.lying import thing
from vision.tuscany.reading import ReadHex, disorder, odd, printed, read_after

UNSURE, SURE = 1.5, 12.0
"""The evidence of an unsure hex, or of a sure one, against another content, as a logarithm."""
MOST: Final = 3
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

    def tell(self, seen: Seen) -> Reading | None:
        """Return the message of a finding to the daemon, None for a mere trouble."""
        if seen.agreed and seen.finding.as_expected:
            self._before, self._bare = self._now
        return super().tell(seen)

    def _read(self, picture: Picture, pose: Pose) -> Finding:
        there = self._ground
        assert there is not None
        flat = there.above(picture, self._lens, pose)
        lie = there.lie(flat)
        middles = there.found(lie.moved)
        look = partial(looks, picture, self._lens, pose, corner_mm=there.corner_mm)
        now: Spaces = self._sight.of(self._state)
        seen, wrong = look(middles), slipped(lie, self._state.sides[self._seat].boards)
        pairs = list(zip(seen, self._shown(now), strict=True))
        self._now = pairs, flat
        if (wrong or not self._before) and self._turned(there, flat, look, pairs):
            return self._nothing(said("regions.turned"))
        # A hand over a board makes it seem to lie elsewhere; a board that slipped leaves bare table behind.
        places = there.south(middles)
        at = thing(flat, None if wrong else self._bare, places, there.corner_mm)
        if at is not None:
            wrong = said("regions.beside", cell=self._names([int(np.hypot(*(places - at).T).argmin())]))
        if wrong:
            return self._nothing(wrong)
        if self._print_unknown:
            return self._printed(seen)
        if not self._before:
            return self._first(pairs)
        hexes = read_after(self._before, seen, Album.of([self._before]))
        # A change that people entered and the picture shows is no doubt any more.
        told = [old.lies != now.lies for (_, old), (_, now) in zip(self._before, pairs, strict=True)]
        unsure = [
            number
            for number, (one, (_, shown)) in enumerate(zip(hexes, pairs, strict=True))
            if not one.sure and not (told[number] and one.shown.lies == shown.lies)
        ]
        if len(unsure) > MOST:
            if self._turned(there, flat, look, pairs):
                return self._nothing(said("regions.turned"))
            return self._nothing(said("regions.covered", cells=self._names(unsure)))
        if unsure:
            self._doubts = (said("camera.unseen", cells=self._names(unsure)),)

        def part(number: int) -> Picture:
            around = middles[[number]], AROUND * there.corner_mm
            return np.asarray(cut(picture, self._lens, pose, *around)[0], np.uint8)

        return self._judged(
            list(self._layouts(hexes, unsure)), lambda one: self._evidence_against(one, hexes), unsure, part
        )

    # The parts of a reading

    @property
    def _printing(self) -> bool:
        """True if the match asks for the print of a board of this region."""
        asked = self._expected is not None and self._expected.question == PRINT
        return asked and self._state.seat == self._seat

    def _first(self, pairs: Pairs) -> Finding:
        """Judge the first picture: it shows the table as the match has it, or some hexes look odd."""
        if strange := odd(pairs):
            return self._nothing(said("regions.odd", cells=self._names(strange)))
        self._before = pairs
        return self._stands()

    def _turned(
        self, there: RegionGround, flat: Picture, look: Callable[[Floats], list[HexLook]], pairs: Pairs
    ) -> bool:
        """Return True if the region lies turned by half: then hexes in the opposite order look alike."""
        turned = there.turned
        lie, boards = turned.lie(flat), self._state.sides[self._seat].boards
        if self._print_unknown or slipped(lie, boards):
            return False
        other = zip(look(turned.found(lie.moved)), (shown for _, shown in pairs), strict=True)
        return disorder(list(other)) < ORDER * disorder(pairs)

    def _printed(self, seen: Sequence[HexLook]) -> Finding:
        """Return the print of the board that the match asks for."""
        if self._kinds is None:
            return self._nothing(said("regions.untaught"))
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
            self._doubts = (said("regions.print", cells=self._names(unsure)),)
        chances = [(other, (1 - SURELY) / len(others)) for other in others]
        return Finding(None, self.troubles, answers=(("".join(best), SURELY), *chances))

    def _shown(self, spaces: Spaces) -> Iterator[HexShown]:
        """Yield each hex as it looks with ``spaces`` filled."""
        assert self._land is not None
        for name, kind in zip(self._land.names, self._land.kinds, strict=True):
            if name in spaces.wild:
                yield HexShown("", WILD)
            else:
                yield HexShown(kind, TILE if name in spaces.tiles else EMPTY)

    def _layouts(self, hexes: Sequence[ReadHex], unsure: Sequence[int]) -> Iterator[Spaces]:
        """Yield the possible layouts, the likeliest first."""
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
        return Spaces(tiles, wild)

    def _evidence_against(self, spaces: Spaces, hexes: Sequence[ReadHex]) -> float:
        """Return the evidence against a layout, as a logarithm."""
        return sum(
            SURE if one.sure else UNSURE
            for one, shown in zip(hexes, self._shown(spaces), strict=True)
            if one.shown.lies != shown.lies
        )

    def _names(self, spaces: Sequence[int]) -> tuple[str, ...]:
        assert self._land is not None
        return tuple(self._land.names[number] for number in spaces)


def open_reader(mount: Mount, source: PictureSource, frame: PictureFrame) -> RegionReader | DisplayReader:
    """Return the reader for a camera; raises :class:`.LearntError` without a calibration."""
    name, lens = mount.field, lens_of(mount, source, frame)
    if name == display.NAME:
        return DisplayReader(lens)
    known = teaching.Taught.load(mount.state_dir, mount.camera)
    return RegionReader(lens, name, REGIONS.index(name), known.album if known else None)
