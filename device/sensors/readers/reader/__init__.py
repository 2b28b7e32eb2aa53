"""A reader of a field, as the camera's process knows it: every game's readers are of this frame.

It finds where its field lies, says what is wrong with the view, has what lies there read and judged, and
tells what was found.
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
from device.sensors.sources import Picture, PictureFrame, coded
from device.texts import Said, key_of, said
from engines.contract import Exact, Game, Sight
from vision.field import Field, FieldSight, Pose, TroubleKind, find
from vision.flaws import flaw
from vision.gate import Mask, WatchedRegion
from vision.lens import Floats, Lens

UNSURE: Final = 0.5
"""The most that a chance is worth where something could not be made out."""
AROUND_MM: Final = 70.0
"""How far around a field movement is watched."""
CROP_PX: Final = 160
"""Width and height at most of a crop: enough for a browser, and the display needs less."""


class Finding(msgspec.Struct, frozen=True, eq=False):
    """The finding of a picture: a verdict of the rules, or ``troubles`` why there is none; of a doubt
    ``part`` is what of the picture it is about.

    ``answers`` are what the table is asked, where the rules have no say: with chances, the likeliest first;
    ``idle`` says that nothing is there to answer yet. ``beside`` is a second camera's picture, where it was
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
        """Return what two findings must have in common to agree: the kind of verdict and the likeliest
        layout, the likeliest answer and whether it is in doubt, or why there is neither.
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
        """Return True if the table is as the match has it."""
        return self.idle or (isinstance(self.verdict, judging.Proposed) and self.verdict.meaning == Exact(()))


class Seen(msgspec.Struct, frozen=True, eq=False):
    """A finding that counts, with the picture it was made from; ``agreed`` of three pictures at least two."""

    finding: Any
    frame: PictureFrame
    agreed: bool


class Reader:
    """Reads one field of one game through one camera; each gives its :attr:`field` and reads where it lies.
    Whatever it raises is a reading that is not sure.

    The pose is kept from picture to picture and checked in each: a camera that was bumped is found anew.
    """

    blind = frozenset({TroubleKind.SIZE, TroubleKind.TURNED, TroubleKind.FEW})
    """With these there may be a pose, and it must not be used: of another field, or upside down."""
    any_way = False
    """True if the field's north may point anywhere in the picture, as where two cameras stand about it."""
    _seen: FieldSight
    _game: Game[Any, Any]
    _state: Any

    def __init__(self, lens: Lens, taken: TeachingSeen | None = None, what: str = "") -> None:
        """Take the lens; nothing is expected yet.

        ``what`` is the sight that is read, the game's first if empty; ``taken`` is how the pieces were seen
        by which others are known.
        """
        self._lens, self._taken, self._what = lens, taken, what
        self._expected: Expected | None = None
        self._pose: Pose | None = None
        self._view: Troubles = ()
        self._doubts: Troubles = ()
        self.bumps = 0
        """The number of bumps of camera or field: then what is watched lies elsewhere."""

    @property
    def field(self) -> Field | str:
        """The field, or the key of the text that says why nobody can look for it."""
        raise NotImplementedError

    @property
    def troubles(self) -> Troubles:
        """Return what is wrong with the view, and with what lies there."""
        return (*self._view, *self._doubts)

    @property
    def found(self) -> bool:
        """Return True if the field was found in the last picture, so that it can be read there."""
        return self._pose is not None

    def expect(self, expected: Expected) -> None:
        """Take in what the match has on the table."""
        self._expected = expected
        if expected.position:
            self._game = engines.game(expected.game)
            self._state = self._game.position.read(expected.position, expected.facts)

    def region(self, frame: PictureFrame) -> WatchedRegion | None:
        """Return what to watch in the small pictures; None while the field is not found."""
        pose, field = self._pose or self._find(frame.picture), self.field
        if pose is None or isinstance(field, str):
            return None
        outlines = (small(frame, pose.project(self._lens, field.outline(more))) for more in (0.0, AROUND_MM))
        return WatchedRegion.of((frame.small.shape[1], frame.small.shape[0]), *outlines)

    def read(self, frame: PictureFrame, _touched: Mask | None) -> Finding:
        """Read one picture; ``touched`` are the pixels of its small one where anything may have changed, None
        where nobody knows.
        """
        pose = self._find(frame.picture)
        return self._nothing() if pose is None else self._read(frame.picture, pose)

    def tell(self, seen: Seen) -> Reading | None:
        """Return a finding as the daemon is told; None for one that is only a trouble.

        A doubt is told as the layouts that it may be: the referee finds out what they mean.
        """
        expected, finding = self._expected, seen.finding
        if not seen.agreed:
            self._doubts = (said("camera.unsteady"),)
            return None
        if expected is None or (finding.verdict is None and not finding.answers):
            return None
        picture = coded(seen.frame.picture, ".jpg")
        beside = b"" if finding.beside is None else coded(finding.beside, ".jpg")
        told = partial(Reading, match=expected.match, steps=expected.steps, picture=picture, beside=beside)
        match finding.verdict:
            case None if finding.idle:
                return told(expected.question, candidates=finding.answers[:1], meanings=(Exact(()),))
            case None:
                return told(expected.question, candidates=finding.answers, why=finding.troubles)
            case judging.Doubted():
                return told(self._sight.NAME, **self._doubted(finding, finding.verdict))
            case verdict:
                chance = 1 / (1 + math.exp(-min(verdict.margin, 30.0)))
                text = self._sight.written(verdict.layout)
                return told(self._sight.NAME, candidates=((text, chance),), meanings=(verdict.meaning,))

    def _doubted(self, finding: Any, doubt: judging.Doubted) -> dict[str, Any]:
        """Return what is told of a doubt: the layouts, and what is shown beside the question."""
        share = UNSURE if doubt.unsure else 1.0
        texts = tuple((self._sight.written(one.layout), share * one.chance) for one in doubt.candidates)
        shown = b"" if finding.part is None else crop(finding.part)
        return {"candidates": texts, "why": finding.troubles, "crop": shown}

    @property
    def _sight(self) -> Sight[Any]:
        """Return what of the game is read."""
        return self._game.in_sight(self._state)[self._what] if self._what else self._game.sight

    def _read(self, picture: Picture, pose: Pose) -> Finding:
        """Read the field where it lies in a picture."""
        raise NotImplementedError

    def _nothing(self, *why: Said) -> Finding:
        """Return that nothing can be read: for the troubles that are told, or those of the view."""
        self._doubts = why or self._doubts
        return Finding(None, self.troubles)

    def _stands(self) -> Finding:
        """Return that all is as the match has it."""
        now = self._sight.of(self._state)
        return Finding(judging.Proposed(now, Exact(()), math.inf), self.troubles)

    def _judged(
        self,
        layouts: Sequence[judging.Layout],
        against: Callable[[Any], float],
        unsure: Sequence[int],
        part: Callable[[int], Picture],
    ) -> Finding:
        """Return what the rules make of layouts, the likeliest first; ``against`` is the evidence against
        one. Of what is ``unsure`` the first's ``part`` of the picture is shown.
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
        """Return where the field lies, if it can be read there."""
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
            self._view += self._taken.stale(TeachingSeen.of(self._lens, picture, sight))
        return self._pose


def small(frame: PictureFrame, places: Floats) -> Floats:
    """Convert places of the picture, (N, 2) px, to its small one."""
    height, width = frame.picture.shape[:2]
    return np.asarray(places * (frame.small.shape[1] / width, frame.small.shape[0] / height))


def troubles_of(picture: Picture, sight: FieldSight) -> Troubles:
    """Return the troubles of a picture in which a field was looked for: its flaw, or the markers'."""
    wrong = flaw(picture) if sight.pose is None else None
    if wrong:
        return (said(f"camera.{wrong.value}"),)
    return tuple(said(f"sight.{trouble.kind.value}", **trouble.figures) for trouble in sight.troubles)


def crop(picture: Picture) -> bytes:
    """Return what people are shown beside a question as a PNG; nothing where there is nothing to show."""
    if not picture.size:
        return b""
    scale = min(1.0, CROP_PX / max(picture.shape[:2]))
    fitted = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return coded(np.asarray(fitted, dtype=np.uint8), ".png")
