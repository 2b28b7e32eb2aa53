"""What readers share that look for a field: what the match has there, where it lies, what is wrong, what is
told.
"""

from __future__ import annotations

from typing import Any

import engines
from device.sensors.messages import Expected, Reading, Troubles
from device.sensors.reader import Seen
from device.sensors.readers import seeing, told
from device.sensors.readers.shelf import TeachingSeen
from device.sensors.sources import Picture, PictureFrame
from engines.contract import Game, Sight
from vision.field import Field, Pose, TroubleKind, find
from vision.gate import WatchedRegion
from vision.lens import Lens


class Placed:
    """A field through a camera; what reads it gives its :attr:`field` and reads where it lies.

    The pose is kept from picture to picture and checked in each: a camera that was bumped is found anew.
    """

    any_way = False
    """Whether the field's north may point anywhere in the picture, as where two cameras stand about it."""

    def __init__(self, lens: Lens, taken: TeachingSeen | None = None) -> None:
        """Nothing is expected yet; ``taken`` is how the things were seen by which it knows others."""
        self._lens, self._taken = lens, taken
        self._expected: Expected | None = None
        self._game: Game[Any, Any] | None = None
        self._state: Any = None
        self._pose: Pose | None = None
        self._view: Troubles = ()
        self._doubts: Troubles = ()
        self.bumps = 0
        """How often the camera or the field has been bumped: then what is watched lies elsewhere."""

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

    @property
    def _sight(self) -> Sight[Any]:
        """Return what of the game is read: its first sight, if nothing else is said."""
        assert self._game is not None
        return self._game.sight

    def tell(self, seen: Seen[Any]) -> Reading | None:
        """Return a finding as the daemon is told; None for one that is only a trouble."""
        if not seen.agreed:
            self._doubts = (("camera.unsteady", {}),)
            return None
        return told.reading(self._sight, seen, self._expected) if self._expected else None

    def region(self, frame: PictureFrame) -> WatchedRegion | None:
        """Return what to watch in the small pictures; None while the field is not found."""
        pose, field = self._pose or self._find(frame.picture), self.field
        if pose is None or isinstance(field, str):
            return None
        return seeing.region(self._lens, pose, field, frame)

    def _find(self, picture: Picture) -> Pose | None:
        """Return where the field lies, if it can be read there."""
        self._doubts, field = (), self.field
        if isinstance(field, str):
            self._view, self._pose = ((field, {}),), None
            return None
        sight = find(picture, self._lens, field, self._pose)
        self._view = seeing.troubles(picture, sight)
        # Upside down, or with sizes of another field, there is a pose and it must not be used.
        turned = sight.has(TroubleKind.TURNED)
        if turned and self.any_way:
            self._view = tuple(one for one in self._view if one[0] != f"sight.{TroubleKind.TURNED.value}")
            turned = False
        usable = not (sight.has(TroubleKind.SIZE) or turned or sight.has(TroubleKind.FEW))
        bumped = self._pose is not None and sight.has(TroubleKind.BUMPED)
        self._pose = sight.pose if usable else None
        self.bumps += bumped and self._pose is not None
        if self._pose is not None and self._taken:
            self._view += self._taken.stale(TeachingSeen.of(self._lens, picture, sight))
        return self._pose
