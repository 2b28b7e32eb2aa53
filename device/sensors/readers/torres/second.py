"""The board as another camera sees it: its picture stands beside the first one's in one judgement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from device.sensors.learnt import LearntError
from device.sensors.lenses import lens_of
from device.sensors.messages import Troubles
from device.sensors.readers.reader import Reader
from device.sensors.sources import Picture, PictureFrame, PictureSource
from device.texts import said
from vision.field import Field
from vision.gate import Calm, Gate
from vision.torres.reading import BoardScene

if TYPE_CHECKING:
    from device.sensors.camera import SecondCamera


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
        """The picture that the last scene was joined by, None where it was not."""

    @property
    def field(self) -> Field | str:
        """Return the field that the first camera reads."""
        return self._field

    @property
    def troubles(self) -> Troubles:
        """Return that only one camera was read, where it is so; one that came back serves the next time."""
        if self._joined or (not self._gave and self._camera.here):
            return ()
        return (said("camera.one_view", camera=self._camera.mount.camera.source),)

    def beside(self, scene: BoardScene, field: Field | str, earlier: Picture | None) -> BoardScene:
        """Return the scene with this camera's picture; as it is where that does not show the board.

        ``earlier`` is its picture of when the table stood as the match had it.
        """
        self._field, self.picture = field, None
        taken = self._camera.grab()
        self._gave = taken is not None
        if taken is not None and self._fitted(taken[0], taken[-1]):
            picture = taken[-1].picture
            pose = self._find(picture)
            if pose is not None and self._lens.fits(picture) and self._calm(*taken[1:]):
                self.picture = picture
                scene = scene.beside(picture, self._lens, pose, earlier)
        self._joined = self.picture is not None
        return scene

    def accept(self) -> None:
        """Take the table as it was seen last for what the match has there."""
        if self._gate and self.picture is not None:
            self._gate[1].accept()

    def _calm(self, *frames: PictureFrame) -> bool:
        """Return True if nothing moves from one picture to the next, and no hand rests there."""
        if self._gate is None or self._gate[0] != self.bumps:
            region = self.region(frames[-1])
            if region is None:
                return False
            self._gate = self.bumps, Gate(region)
        looks = [self._gate[1].see(frame.ms, frame.small).calm for frame in frames]
        return looks[-1] not in (Calm.MOVING, Calm.HAND)

    def _fitted(self, source: PictureSource, frame: PictureFrame) -> bool:
        """Load the lens of a camera that was opened; return True if there is one."""
        if source is not self._of:
            try:
                lens = lens_of(self._camera.mount, source, frame)
            except LearntError:
                return False
            bumps, self._of = self.bumps, source
            super().__init__(lens)
            self.bumps = bumps + 1  # it may stand elsewhere by now
        return True
