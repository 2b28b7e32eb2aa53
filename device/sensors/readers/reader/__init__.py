"""The frame of a reader: the camera's process knows every game's readers by it.

A reader finds its field, tells troubles with the view, reads and judges the layout, and reports its finding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import cv2
import msgspec
import numpy as np

import engines
from device.sensors.messages import Expected, Reading, Troubles
from device.sensors.readers import judging
from device.sensors.readers.shelf import TeachingSeen
from device.sensors.sources import Picture, PictureFrame, encode_picture
from device.texts import Said, key_of, said
from engines.contract import Exact, Game, Sight
from vision.field import Field, FieldSight, Pose, TroubleKind, find
from vision.gate import Mask, WatchedRegion
from vision.lens import Floats, Lens
from vision.markers import find_flaw

UNSURE: Final = 0.5
"""The share left of a chance if something could not be made out."""
AROUND_MM: Final = 70.0
"""The width of the watched strip around a field."""
CROP_PX: Final = 160
"""The greatest width and height of a crop: enough for a browser; the display needs less."""


class Finding(msgspec.Struct, frozen=True, eq=False):
    """The finding of a picture: a verdict of the rules, or ``troubles`` why there is none. ``part`` is the
    part of the picture that a doubt is about.

    ``answers`` answer the table's question if the rules have no say: with chances, the likeliest first.
    ``idle`` says that nothing is there to answer yet. ``beside`` is a second camera's picture, if it was
    read.
    """

    verdict: judging.Verdict | None = None
    troubles: Troubles = ()
    part: Picture | None = None
    answers: tuple[tuple[str, float], ...] = ()
    idle: bool = False
    beside: Picture | None = None

    @property
    def key(self) -> Any:
        """The common part of findings that agree: the kind of verdict and the likeliest layout, or the
        likeliest answer and whether it is in doubt, or the troubles.
        """
        match self.verdict:
            case None if self.answers:
                return self.answers[0][0], bool(self.troubles)
            case None:
                return tuple(map(key_of, self.troubles))
            case judging.Doubted():
                return "doubted", str(self.verdict.candidates[0].layout)
            case _:
                return type(self.verdict).__name__, str(self.verdict.layout)

    @property
    def as_expected(self) -> bool:
        """True if the table is as the match has it."""
        return self.idle or (isinstance(self.verdict, judging.Proposed) and self.verdict.meaning == Exact(()))


class Seen(msgspec.Struct, frozen=True, eq=False):
    """A finding that counts, with its picture; ``agreed`` says that two of at most three pictures agree."""

    finding: Any
    frame: PictureFrame
    agreed: bool


class Reader:
    """A reader of one field of one game through one camera; each game's gives its :attr:`field` and reads it.
    An error that it raises becomes a trouble, and nothing is reported.

    The pose is kept from picture to picture and checked in each, so a bumped camera is found again.
    """

    blind = frozenset({TroubleKind.SIZE, TroubleKind.TURNED, TroubleKind.FEW})
    """Troubles with which a pose must not be used: it is of another field, or upside down."""
    any_way = False
    """True if the field's north may point anywhere in the picture, such as with two cameras round it."""
    _seen: FieldSight
    _game: Game[Any, Any]
    _state: Any

    def __init__(self, lens: Lens, taken: TeachingSeen | None = None, what: str = "") -> None:
        """Take the lens; nothing is expected yet.

        ``what`` is the sight to read, the game's first if empty. ``taken`` is how the taught pieces were
        seen, which this reader compares others with.
        """
        self._lens, self._taken, self._what = lens, taken, what
        self._expected: Expected | None = None
        self._pose: Pose | None = None
        self._view: Troubles = ()
        self._doubts: Troubles = ()
        self.bumps = 0
        """The number of bumps of camera or field; each moves the watched region."""

    @property
    def field(self) -> Field | str:
        """The field, or the key of the text that says why it cannot be looked for."""
        raise NotImplementedError

    @property
    def troubles(self) -> Troubles:
        """The troubles of the view, and of the things there."""
        return (*self._view, *self._doubts)

    @property
    def found(self) -> bool:
        """True if the field was found in the last picture, so it can be read."""
        return self._pose is not None

    def expect(self, expected: Expected) -> None:
        """Take in the match's table."""
        self._expected = expected
        if expected.position:
            self._game = engines.game(expected.game)
            self._state = self._game.position.read(expected.position, expected.facts)

    def find_region(self, frame: PictureFrame) -> WatchedRegion | None:
        """Return the region to watch in the small pictures, None while the field is not found."""
        pose, field = self._pose or self._find(frame.picture), self.field
        if pose is None or isinstance(field, str):
            return None
        outlines = (shrink(frame, pose.project(self._lens, field.outline(more))) for more in (0.0, AROUND_MM))
        return WatchedRegion.of((frame.small.shape[1], frame.small.shape[0]), *outlines)

    def read(self, frame: PictureFrame, _touched: Mask | None) -> Finding:
        """Read one picture; ``touched`` are the pixels of its small one where something may have changed,
        None if unknown.
        """
        pose = self._find(frame.picture)
        return self._find_nothing() if pose is None else self._read(frame.picture, pose)

    def report(self, seen: Seen) -> Reading | None:
        """Return the message of a finding to the daemon, None for a mere trouble.

        A doubt is reported as its possible layouts: the referee finds their meanings.
        """
        expected, finding = self._expected, seen.finding
        if not seen.agreed:
            self._doubts = (said("camera.unsteady"),)
            return None
        if expected is None or (finding.verdict is None and not finding.answers):
            return None
        picture = encode_picture(seen.frame.picture, ".jpg")
        beside = b"" if finding.beside is None else encode_picture(finding.beside, ".jpg")
        make = partial(Reading, match=expected.match, steps=expected.steps, picture=picture, beside=beside)
        match finding.verdict:
            case None if finding.idle:
                return make(expected.question, candidates=finding.answers[:1], meanings=(Exact(()),))
            case None:
                return make(expected.question, candidates=finding.answers, why=finding.troubles)
            case judging.Doubted():
                return make(self._sight.NAME, **self._describe_doubt(finding, finding.verdict))
            case verdict:
                chance = 1 / (1 + math.exp(-min(verdict.margin, 30.0)))
                text = self._sight.written(verdict.layout)
                return make(self._sight.NAME, candidates=((text, chance),), meanings=(verdict.meaning,))

    def _describe_doubt(self, finding: Any, doubt: judging.Doubted) -> dict[str, Any]:
        """Return the fields of a doubt's message: the layouts, and the crop beside the question."""
        share = UNSURE if doubt.unsure else 1.0
        texts = tuple((self._sight.written(one.layout), share * one.chance) for one in doubt.candidates)
        shown = b"" if finding.part is None else crop(finding.part)
        return {"candidates": texts, "why": finding.troubles, "crop": shown}

    @property
    def _sight(self) -> Sight[Any]:
        """The game's sight that is read."""
        return self._game.in_sight(self._state)[self._what] if self._what else self._game.sight

    def _read(self, picture: Picture, pose: Pose) -> Finding:
        """Read the field at its pose in a picture."""
        raise NotImplementedError

    def _find_nothing(self, *why: Said) -> Finding:
        """Return a finding that nothing can be read, for the reasons ``why``, or for the view's troubles."""
        self._doubts = why or self._doubts
        return Finding(None, self.troubles)

    def _find_as_expected(self) -> Finding:
        """Return a finding that all is as the match has it."""
        now = self._sight.of(self._state)
        return Finding(judging.Proposed(now, Exact(()), math.inf), self.troubles)

    def _judge(
        self,
        layouts: Sequence[judging.Layout],
        against: Callable[[Any], float],
        unsure: Sequence[int],
        part: Callable[[int], Picture],
    ) -> Finding:
        """Return the rules' finding on layouts, the likeliest first; ``against`` is the evidence against one.
        People see the ``part`` of the picture for the first that is ``unsure``.
        """
        verdict = judging.judge(
            self._game,
            self._state,
            layouts,
            lambda some: [-against(one) for one in some],
            unsure=unsure,
            sight=self._sight,
        )
        return Finding(verdict, self.troubles, part(unsure[0]) if unsure else None)

    def _find(self, picture: Picture) -> Pose | None:
        """Return the pose of the field if it can be read there, else None."""
        self._doubts, field = (), self.field
        if isinstance(field, str):
            self._view, self._pose = (said(field),), None
            return None
        sight = self._seen = find(picture, self._lens, field, self._pose)
        self._view, blind = troubles_of(picture, sight), self.blind
        if self.any_way:
            blind -= {TroubleKind.TURNED}
            turned = f"sight.{TroubleKind.TURNED.value}"
            self._view = tuple(one for one in self._view if key_of(one) != turned)
        bumped = self._pose is not None and sight.has(TroubleKind.BUMPED)
        self._pose = None if any(map(sight.has, blind)) else sight.pose
        self.bumps += bumped and self._pose is not None
        if self._pose is not None and self._taken:
            self._view += self._taken.find_stale(TeachingSeen.of(self._lens, picture, sight))
        return self._pose


def shrink(frame: PictureFrame, places: Floats) -> Floats:
    """Convert places of the picture, (N, 2) px, to its small one."""
    height, width = frame.picture.shape[:2]
    return np.asarray(places * (frame.small.shape[1] / width, frame.small.shape[0] / height))


def troubles_of(picture: Picture, sight: FieldSight) -> Troubles:
    """Return the troubles of a picture that was searched for a field: its flaw, or the markers'."""
    wrong = find_flaw(picture) if sight.pose is None else None
    if wrong:
        return (said(f"camera.{wrong.value}"),)
    return tuple(said(f"sight.{trouble.kind.value}", **trouble.figures) for trouble in sight.troubles)


def crop(picture: Picture) -> bytes:
    """Return a PNG to show beside a question; empty if the picture is."""
    if not picture.size:
        return b""
    scale = min(1.0, CROP_PX / max(picture.shape[:2]))
    fitted = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return encode_picture(np.asarray(fitted, dtype=np.uint8), ".png")
