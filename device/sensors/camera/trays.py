"""Reading the cube tower's tray through one camera, with all that is known of that camera and the copy."""

from __future__ import annotations

from pathlib import Path

import msgspec

from device.config import Camera
from device.sensors.camera import enrolment, lenses
from device.sensors.camera.fields import TRAY
from vision.field import find
from vision.lens import Lens, Picture
from vision.tray.palette import Palette
from vision.tray.prism import Keshi
from vision.tray.reading import TrayReading, read


class TrayReader(msgspec.Struct, frozen=True):
    """Reads one tray through one camera: the ``keshi`` are the copy's, the ``palette`` is its colours."""

    lens: Lens
    keshi: Keshi
    palette: Palette

    @classmethod
    def open(cls, state_dir: Path, camera: Camera, keshi: Keshi) -> TrayReader:
        """The reader for a camera as it is set; without a palette of its own it uses the shipped one.

        ``keshi`` is what the copy's pieces measure; where some were enrolled, what was said then counts.
        Raises :class:`.LensError` without a calibration, :class:`.EnrolError` for a broken palette.
        """
        lens = lenses.load(state_dir, camera).lens
        known = enrolment.load(state_dir, camera)
        return cls(lens, known.keshi, known.palette) if known else cls(lens, keshi, Palette())

    def read(self, picture: Picture) -> TrayReading:
        """What lies on the tray; raises ValueError for a picture that is not the lens's."""
        return read(picture, self.lens, TRAY, find(picture, self.lens, TRAY), self.keshi, self.palette)
