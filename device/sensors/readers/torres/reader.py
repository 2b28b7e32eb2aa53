"""A Torres board in a camera's picture, for the match: found, read, judged, and reported.

The reader learns from the board whose colour is whose. A second camera's picture joins the
first one's in one judgement.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from device.sensors.learnt import LearntError, Mount, lens_of
from device.sensors.messages import Expected, Question, Reading, Troubles
from device.sensors.readers import judging, torres
from device.sensors.readers.reader import Finding, Reader, Seen, crop, shrink
from device.sensors.sources import PictureFrame, PictureSource
from device.texts import said
from engines.contract import Exact, Interpretation, OutOfStep, Several
from engines.torres.cells import CELLS, NAMES, SIDE
from engines.torres.layouts import Layout
from vision import mast
from vision.field import Field, Pose
from vision.gate import Calm, Gate, Mask, WatchedRegion
from vision.lens import Lens, Picture
from vision.torres import CopySizes
from vision.torres.reading import BoardScene, read
from vision.torres.reading import crop as space

if TYPE_CHECKING:
    from device.sensors.camera import SecondCamera


class BoardFinding(Finding, frozen=True, eq=False):
    """The finding of a board's picture; ``seats`` are the seats of colours by it, ``whole`` says that nothing
    foreign hides a space.
    """

    scene: BoardScene | None = None
    seats: torres.Seats = msgspec.field(default_factory=dict)
    whole: bool = True

    @property
    def key(self) -> Any:
        """The kind of verdict and the likeliest layout; one key for all findings with something
        in the way.
        """
        return super().key if self.whole else "camera.unseen"


class KeptPicture(msgspec.Struct, frozen=True, eq=False):
    """A picture without anything foreign, and the layout that it shows beyond doubt.

    ``bumps`` is the camera's number of bumps by then; ``beside`` is the second camera's picture of that time,
    if it was read.
    """

    picture: Picture
    layout: Layout
    bumps: int
    beside: Picture | None = None
    beside_bumps: int = 0


class SecondView(Reader):
    """A board through a camera that is asked only when another one's picture is read.

    It has a lens, a pose, bumps and a gate of its own. While it is away, does not find the board, or sees
    something move or reach in, the first camera is read alone.
    """

    def __init__(self, camera: SecondCamera) -> None:
        """Take the second camera; its lens is loaded with its first picture."""
        self.bumps, self.any_way = 0, True
        self._camera = camera
        self._of: PictureSource | None = None
        self._gate: tuple[int, Gate] | None = None
        self._field: Field | str = "camera.sizes"
        self._joined = self._gave = True
        self.picture: Picture | None = None
        """The picture that joined the last scene, None if none did."""

    @property
    def field(self) -> Field | str:
        """The field that the first camera reads."""
        return self._field

    @property
    def troubles(self) -> Troubles:
        """A note that only one camera was read; none if it has come back, as it serves the next time."""
        if self._joined or (not self._gave and self._camera.here):
            return ()
        return (said("camera.one_view", camera=self._camera.mount.camera.source),)

    def join(self, scene: BoardScene, field: Field | str, earlier: Picture | None) -> BoardScene:
        """Return the scene with this camera's picture, or unchanged if that does not show the board.

        ``earlier`` is its picture from when the table was as the match had it.
        """
        self._field, self.picture = field, None
        taken = self._camera.grab()
        self._gave = taken is not None
        if taken is not None and self._fit_lens(taken[0], taken[-1]):
            picture = taken[-1].picture
            pose = self._find(picture)
            if pose is not None and self._lens.fits(picture) and self._is_calm(*taken[1:]):
                self.picture = picture
                scene = scene.beside(picture, self._lens, pose, earlier)
        self._joined = self.picture is not None
        return scene

    def accept(self) -> None:
        """Accept the table as last seen for the match's."""
        if self._gate and self.picture is not None:
            self._gate[1].accept()

    def _is_calm(self, *frames: PictureFrame) -> bool:
        """Return True if nothing moves from one picture to the next, and no hand rests there."""
        if self._gate is None or self._gate[0] != self.bumps:
            region = self.find_region(frames[-1])
            if region is None:
                return False
            self._gate = self.bumps, Gate(region)
        looks = [self._gate[1].see(frame.ms, frame.small).calm for frame in frames]
        return looks[-1] not in (Calm.MOVING, Calm.HAND)

    def _fit_lens(self, source: PictureSource, frame: PictureFrame) -> bool:
        """Load the lens of a newly opened camera; return True if there is one."""
        if source is not self._of:
            try:
                lens = lens_of(self._camera.mount, source, frame)
            except LearntError:
                return False
            bumps, self._of = self.bumps, source
            super().__init__(lens)
            self.bumps = bumps + 1  # it may stand elsewhere by now
        return True


class BoardReader(Reader):
    """A reader of one board through one camera or two."""

    def __init__(self, lens: Lens, second: SecondView | None = None) -> None:
        """Take the lens and a ``second`` view, if any; nothing is expected yet."""
        super().__init__(lens)
        self._second, self.any_way = second, second is not None
        self._seats: torres.Seats = {}
        self._guess: torres.Seats = {}
        self._advice: Troubles = ()
        self._kept: tuple[KeptPicture, ...] = ()

    @property
    def field(self) -> Field | str:
        """The board, once its sizes are known."""
        expected = self._expected
        if expected is None or not expected.cell_mm or not all(expected.block_mm):
            return "camera.sizes"
        return torres.field_of(expected.cell_mm)

    @property
    def troubles(self) -> Troubles:
        """The troubles of the view."""
        beside = self._second.troubles if self._second and self._pose else ()
        return (*super().troubles, *(self._advice if self._pose else ()), *beside)

    def expect(self, expected: Expected) -> None:
        """Take in the match's table; another match has other colours."""
        last = self._expected
        if last is None or expected.match != last.match:
            self._seats = self._guess = {}
            self._kept = ()
        if last is None or (expected.cell_mm, expected.block_mm) != (last.cell_mm, last.block_mm):
            self._pose = None  # it was of a board of another size
        super().expect(expected)

    def find_region(self, frame: PictureFrame) -> WatchedRegion | None:
        """Return the region to watch in the small pictures, None while the board is not found."""
        region = super().find_region(frame)
        if self._pose is not None:
            self._advice = self._advise(self._pose)
        return region

    def read(self, frame: PictureFrame, touched: Mask | None) -> BoardFinding:
        """Read one picture and the second camera's, if any; ``touched`` is as in :meth:`.Reader.read`."""
        pose = self._find(frame.picture)
        if pose is None:
            return BoardFinding(None, self.troubles)
        expected: Layout = self._game.sight.of(self._state)
        # A wrong guess shows as knights of other colours on the same spaces, which give the right one.
        before = torres.colour_layout(expected, self._guess)
        self._kept = tuple(one for one in self._kept if self._shows(one, expected))[-1:]
        kept = self._kept[-1] if self._kept else None
        earlier = kept.picture if kept else None
        scene = BoardScene.of(frame.picture, self._lens, pose, self._copy_sizes, before, earlier)
        if self._second:
            same = kept is not None and kept.beside_bumps == self._second.bumps
            scene = self._second.join(scene, self.field, kept.beside if kept and same else None)
        reading = read(scene)
        learnt = {**torres.learn_seats(expected, reading.best, self._seats), **self._seats}
        known = torres.add_newcomer(learnt, reading.best, self._state.seat, self._state.variant.seats)
        self._guess = known
        if reading.unknown:
            whole = len(reading.unknown) == CELLS
            cells = "a1–h8" if whole else tuple(NAMES[cell] for cell in sorted(reading.unknown))
            self._doubts = (said("camera.unseen", cells=cells),)
        # A hidden space that nothing touched is unchanged; a touched one may hold anything.
        hidden = reading.hidden & self._find_touched(frame, touched)
        try:
            found = torres.judge_board(self._game, self._state, scene, reading, known, hidden)
        except torres.NobodysColour as error:
            # Beside something foreign a colour means little.
            if not reading.unknown:
                self._doubts = (said("camera.colour", colour=said(f"camera.colours.{error}")),)
            return BoardFinding(None, self.troubles)
        beside, bumps = (self._second.picture, self._second.bumps) if self._second else (None, 0)
        finding = BoardFinding(
            found, self.troubles, beside=beside, scene=scene, seats=known, whole=not reading.unknown
        )
        if finding.whole and isinstance(found, judging.Proposed):
            self._kept += (KeptPicture(frame.picture, found.layout, self.bumps, beside, bumps),)
        if finding.as_expected:  # only then is everybody's colour certain
            self._seats = known
            if self._second:
                self._second.accept()
        return finding

    def report(self, seen: Seen) -> Reading | None:
        """Return the message of a finding to the daemon, None for a mere trouble.

        While something foreign, such as a hand or a cup, hides a space, nothing is reported.
        """
        return None if seen.agreed and not seen.finding.whole else super().report(seen)

    # The parts of a reading

    def _shows(self, kept: KeptPicture, layout: Layout) -> bool:
        """Return True if a picture shows the match's table from the camera's present place."""
        return kept.bumps == self.bumps and kept.layout == layout

    def _find_touched(self, frame: PictureFrame, touched: Mask | None) -> frozenset[int]:
        """Return the spaces over which something was seen since the table was last as the match has it."""
        assert self._pose is not None
        if touched is None:
            return frozenset(range(CELLS))
        cell = self._copy_sizes.cell_mm
        found = set()
        for number in range(CELLS):
            row, column = divmod(number, 8)
            corners = np.array([(x, y, 0.0) for x in (column, column + 1) for y in (7 - row, 8 - row)])
            places = shrink(frame, self._pose.project(self._lens, corners * (cell, cell, 1)))
            low, high = np.floor(places.min(axis=0)).astype(int), np.ceil(places.max(axis=0)).astype(int)
            if touched[max(0, low[1]) : high[1] + 1, max(0, low[0]) : high[0] + 1].any():
                found.add(number)
        return frozenset(found)

    def _describe_doubt(self, finding: BoardFinding, doubt: judging.Doubted) -> dict[str, Any]:
        """Ask about the first space on which the two likeliest layouts differ.

        Each answer is the first of the layouts with the same content there, and its meaning is their common
        meaning.
        """
        assert finding.scene is not None
        views = [torres.colour_layout(one.layout, finding.seats) for one in doubt.candidates]
        cell = min(views[0].differences(views[1]))
        alike: dict[Any, list[int]] = {}
        for at, view in enumerate(views):
            alike.setdefault((view.heights[cell], dict(view.pieces).get(cell)), []).append(at)
        meanings = [one.meaning for one in doubt.candidates]
        for same in alike.values():
            meanings[same[0]] = _merge_meanings([doubt.candidates[at].meaning for at in same])
        return {
            "candidates": tuple((str(one.layout), one.chance) for one in doubt.candidates),
            "meanings": tuple(meanings),
            "question": Question(NAMES[cell], tuple(same[0] for same in alike.values())),
            "crop": crop(space(finding.scene, cell)),
        }

    # The place of the board

    def _advise(self, pose: Pose) -> Troubles:
        """Return advice on the camera's place; the board is read all the same."""
        field = self.field
        assert isinstance(field, Field)
        found = [
            said(
                f"mast.{one.stand.value}",
                degrees=round(one.degrees),
                least=round(one.least),
                most=round(one.most),
            )
            for one in mast.advice(pose, field)
            if not (self.any_way and one.stand is mast.MastFault.ASIDE)
        ]
        copy = self._copy_sizes
        alike = mast.aliasing(pose, self._lens, mast.Grid(SIDE, SIDE, copy.cell_mm, copy.block_mm[2]))
        if alike.bad:
            found.append(said("mast.alike", share=round(100 * alike.share)))
        return tuple(found)

    @property
    def _copy_sizes(self) -> CopySizes:
        assert self._expected is not None
        return CopySizes(self._expected.cell_mm, self._expected.block_mm)


def open_reader(mount: Mount, source: PictureSource, frame: PictureFrame) -> BoardReader:
    """Open the reader for a camera; raises :class:`.LearntError` without a calibration."""
    second = SecondView(mount.second) if mount.second else None
    return BoardReader(lens_of(mount, source, frame), second)


def _merge_meanings(meanings: Sequence[Interpretation]) -> Interpretation:
    """Merge meanings: keep the simplest turn of each, and leave out "no turn"."""
    first, *others = meanings
    if not others or isinstance(first, OutOfStep):
        return first
    turns: dict[Any, None] = {}
    for one in meanings:
        if isinstance(one, Exact):
            turns[one.choices] = None
        elif isinstance(one, Several):
            turns[one.explanations[0]] = None
    turns.pop((), None)
    return Several(tuple(turns)) if turns else first
