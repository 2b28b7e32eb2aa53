"""The towers before one seat through a camera, as the match sees them: found, read, judged, and told.

One camera sees one seat's field; the other side stays as the match has it. While a column is no tower yet, or
a card is hidden, nothing is told: it is waited for, and the trouble is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

import msgspec

import engines
from device.sensors.messages import Expected, Reading, Troubles
from device.sensors.reader import Mount, Seen
from device.sensors.readers import judging, seeing, told
from device.sensors.readers.san_gimignano import decks, painting, towers
from device.sensors.readers.san_gimignano.towers import Readings, Standing
from device.sensors.sources import Frame, Picture, Source, load_table
from engines.contract import Game
from engines.san_gimignano.cards import Tower
from engines.san_gimignano.layouts import Layout
from engines.san_gimignano.state import State
from vision.cards import fan
from vision.cards.deck import Deck
from vision.cards.flat import flatten, heaps
from vision.field import Field, Kind, Pose, find
from vision.gate import Mask, Region
from vision.lens import Lens

SURE: Final = judging.MARGIN / towers.CLEAR
"""What likeness is worth as a logarithm: what parts two readings clearly is what the judgement asks for."""


class AreaReader:
    """Reads the towers of one side through one camera."""

    def __init__(self, lens: Lens, deck: Deck, field: Field, side: int) -> None:
        """``side`` is the seat before which the ``field`` lies, 0 or 1; nothing is expected yet."""
        self._lens, self._deck, self._field, self._side = lens, deck, field, side
        self._game: Game[State, Layout] | None = None
        self._expected: Expected | None = None
        self._state: State | None = None
        self._pose: Pose | None = None
        self._view: Troubles = ()
        self._doubts: Troubles = ()
        self.bumps = 0
        """How often the camera or the field has been bumped."""

    @property
    def troubles(self) -> Troubles:
        """What is wrong with the view, and with what lies there."""
        return (*self._view, *self._doubts)

    @property
    def found(self) -> bool:
        """Whether the field was found in the last picture."""
        return self._pose is not None

    def expect(self, expected: Expected) -> None:
        """Take in what the match has on the table."""
        self._expected = expected
        if expected.position:
            self._game = engines.game(expected.game)
            self._state = self._game.position.read(expected.position, expected.facts)

    def region(self, frame: Frame) -> Region | None:
        """Return what to watch in the small pictures; None while the field is not found."""
        pose = self._pose or self._find(frame.picture)
        return None if pose is None else seeing.region(self._lens, pose, self._field, frame)

    def read(self, frame: Frame, _touched: Mask | None) -> told.Finding:
        """Read one picture, whatever was touched."""
        assert self._game is not None
        assert self._state is not None
        pose = self._find(frame.picture)
        if pose is None:
            return told.Finding(None, self.troubles)
        laid = heaps(flatten(frame.picture, self._lens, pose, self._field))
        columns = [fan.read(heap, self._deck) for heap in laid]
        readings = towers.read(columns, elsewhere=self._elsewhere(self._state))
        layouts = list(dict.fromkeys(self._layouts(self._state, readings)))
        if not layouts:
            self._doubts = (("cards.no_tower", {"cards": _said(readings)}),)
            return told.Finding(None, self.troubles)

        def weigh(layouts: Sequence[Layout]) -> list[float]:
            return [-SURE * towers.unlike(columns, layout[self._side]) for layout in layouts]

        unsure = [number for number, standing in enumerate(readings.best) if not standing.sure]
        found = judging.judge(self._game, self._state, layouts, weigh, unsure=unsure)
        if unsure:
            cards = "; ".join(_text(readings.best[number]) for number in unsure)
            self._doubts = (("cards.unsure", {"cards": cards}),)
        return told.Finding(found, self.troubles, laid[unsure[0]].pixels if unsure else None)

    def tell(self, seen: Seen[told.Finding]) -> Reading | None:
        """Return a finding as the daemon is told; None for one that is only a trouble."""
        expected = self._expected
        if not seen.agreed:
            self._doubts = (("camera.unsteady", {}),)
            return None
        return told.reading(self._game.sight, seen, expected) if expected and self._game else None

    # The parts of a reading

    def _elsewhere(self, state: State) -> int:
        """Return the cards of the other side's towers, and of this side's that were flipped."""
        flipped = [tower for tower in state.towers[self._side] if tower.complete]
        return sum(tower.bag for tower in (*state.towers[1 - self._side], *flipped))

    def _layouts(self, state: State, readings: Readings) -> Iterator[Layout]:
        """Return what both sides may look like, the likeliest first."""
        for combined in readings.likely[: judging.MOST]:
            ways = [self._ways(state, storeys) for storeys in combined]
            for chosen in product(*ways):
                ours = tuple(sorted(chosen))
                yield (ours, state.towers[1]) if self._side == 0 else (state.towers[0], ours)

    def _ways(self, state: State, storeys: tuple[str, ...] | int) -> tuple[Tower, ...]:
        """Return the towers that a column may be; of one face down the match knows which was so high."""
        if not isinstance(storeys, int):
            return Standing(storeys, sure=True).towers
        high = [tower for tower in state.towers[self._side] if tower.height == storeys]
        return tuple(dict.fromkeys(msgspec.structs.replace(tower, complete=True) for tower in high))

    def _find(self, picture: Picture) -> Pose | None:
        self._doubts = ()
        sight = find(picture, self._lens, self._field, self._pose)
        self._view = seeing.troubles(picture, sight)
        usable = not (sight.has(Kind.SIZE) or sight.has(Kind.TURNED) or sight.has(Kind.FEW))
        self._pose = sight.pose if usable else None
        self.bumps += self._pose is not None and sight.has(Kind.BUMPED)
        return self._pose


def open_reader(mount: Mount, source: Source, frame: Frame) -> AreaReader:
    """Return the reader for a camera; raises :class:`.LensError` without a calibration, :class:`.DeckError`
    where no deck was taught. A simulated table's cards are known.
    """
    lens, name = seeing.lens_of(mount, source, frame), mount.field
    if mount.simulated:
        table = load_table(mount.simulated)
        deck, area_mm = painting.deck_of(table), table.area_mm
    else:
        deck, area_mm = decks.load(mount.state_dir, mount.camera)
    return AreaReader(lens, deck, decks.field_of(name, area_mm), decks.AREAS.index(name))


def _said(readings: Readings) -> str:
    """Return the columns that are no tower, as people call their cards."""
    return "; ".join(_text(standing) for standing in readings.best if not standing.towers)


def _text(standing: Standing) -> str:
    storeys = standing.storeys
    return f"{storeys} face down" if isinstance(storeys, int) else " ".join(storeys)
