"""The teachings of a copy: a small file for each camera, stale once its lens or the light is another.

A file of before this was watched does not say how it was taken: it is never stale.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Generic, TypeVar

import msgspec
import numpy as np

from device.config import CameraSettings
from device.sensors import lenses
from device.sensors.messages import Troubles
from vision.field import FieldSight, whites
from vision.lens import Lens, Picture
from vision.tray.light import white

ANOTHER_LIGHT: Final = 4.0
"""Paper that sends back so many times more or less of a colour lies in another light: two stops. Of 24
columns of 8 painted decks 23 are read exactly at 4.6 times less of all colours, 8 at 11 and one wrongly."""

T = TypeVar("T", bound=msgspec.Struct)


class TeachingSeen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The way a teaching was seen: through which ``lens``, and what ``white`` paper sent back there: blue,
    green and red, linear, 1 where the picture cannot be brighter.
    """

    lens: Lens
    white: tuple[float, float, float]

    @classmethod
    def of(cls, lens: Lens, picture: Picture, sight: FieldSight) -> TeachingSeen:
        """Return how a picture is seen, by the paper of its field's markers."""
        blue, green, red = white(whites(picture, sight)).tolist()
        return cls(lens, (blue, green, red))

    def stale(self, now: TeachingSeen) -> Troubles:
        """Return why what was learnt so need not hold any more: nothing where it does."""
        if now.lens != self.lens:
            return (("teach.other_lens", {}),)
        light = np.log(np.maximum(now.white, 1e-4)) - np.log(np.maximum(self.white, 1e-4))
        return (("teach.other_light", {}),) if np.abs(light).max() > np.log(ANOTHER_LIGHT) else ()


class Shelf(msgspec.Struct, Generic[T], frozen=True):
    """Teachings of one ``kind`` in a ``folder`` of the state directory.

    ``whole`` raises ValueError for one that is not; a broken file raises ``wrong`` with the text ``key``.
    """

    folder: str
    kind: type[T]
    wrong: type[lenses.LearntError]
    key: str
    whole: Callable[[T], object]

    def path(self, state_dir: Path, camera: CameraSettings) -> Path:
        """Return the file that belongs to a camera; its name is that of the lens's calibration."""
        return state_dir / self.folder / lenses.path(state_dir, camera).name

    def save(self, state_dir: Path, camera: CameraSettings, found: T) -> Path:
        """Keep what was learnt in place of what was known; return its file. Raises OSError."""
        return lenses.put(self.path(state_dir, camera), found)

    def load(self, state_dir: Path, camera: CameraSettings) -> T | None:
        """Return what was learnt with a camera, None where nothing was; raises ``wrong``."""
        return self.read(self.path(state_dir, camera))

    def before(self, state_dir: Path, camera: CameraSettings) -> T | None:
        """Return what is to be learnt anew: nothing where it cannot be read."""
        with suppress(self.wrong):
            return self.load(state_dir, camera)
        return None

    def read(self, file: Path) -> T | None:
        """Return what a file holds, None where there is none; raises ``wrong``."""
        found = lenses.get(file, self.kind, self.wrong, self.key)
        try:
            if found is not None:
                self.whole(found)
        except ValueError as error:
            raise self.wrong(self.key, file=file.name, why=str(error)) from error
        return found
