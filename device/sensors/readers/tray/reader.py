"""The cube tower's tray through one camera, with all that is known of that camera and the copy.

What lies on it is counted by colour. Nothing of the match is needed for that, and nothing is expected: the
rules know only afterwards what fell through the tower.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from device.config import Camera
from device.sensors import lenses
from device.sensors.messages import Begin, Expected, Reading, Troubles
from device.sensors.reader import Seen
from device.sensors.readers import seeing
from device.sensors.readers.tray import enrolment
from device.sensors.sources import Frame, Source
from vision.field import Field, Pose, Sight, find
from vision.gate import Mask, Region
from vision.lens import Lens, Picture
from vision.tray.palette import Palette
from vision.tray.prism import Keshi
from vision.tray.reading import TrayReading, read

TRAY: Final = Field(180.0, 140.0, 4, 12.0)
"""The walled tray, by the standard that the marker sheets are printed to."""


class Tray(msgspec.Struct, frozen=True, eq=False):
    """What a picture shows of the tray, or ``troubles`` why it could not be read."""

    reading: TrayReading | None
    troubles: Troubles = ()
    as_expected: bool = False

    @property
    def key(self) -> object:
        """What lies there, or why nobody knows."""
        return str(self.troubles) if self.reading is None else (self.reading.counts, self.reading.sure)


class TrayReader:
    """Reads one tray: the ``keshi`` are the copy's, the ``palette`` is its colours."""

    def __init__(self, lens: Lens, keshi: Keshi, palette: Palette) -> None:
        """Nothing is expected yet."""
        self.lens, self.keshi, self.palette = lens, keshi, palette
        self.bumps = 0
        self.troubles: Troubles = ()
        self._expected: Expected | None = None
        self._pose: Pose | None = None

    @classmethod
    def open(cls, state_dir: Path, camera: Camera, keshi: Keshi) -> TrayReader:
        """The reader for a camera as it is set; without a palette of its own it uses the shipped one.

        ``keshi`` is what the copy's pieces measure; where some were enrolled, what was said then counts.
        Raises :class:`.LensError` without a calibration, :class:`.EnrolError` for a broken palette.
        """
        lens = lenses.load(state_dir, camera).lens
        known = enrolment.load(state_dir, camera)
        return cls(lens, known.keshi, known.palette) if known else cls(lens, keshi, Palette())

    @property
    def found(self) -> bool:
        """Whether the tray was found in the last picture."""
        return self._pose is not None

    def expect(self, expected: Expected) -> None:
        """Which match and step a reading is for."""
        self._expected = expected

    def region(self, frame: Frame) -> Region | None:
        """What to watch in the small pictures; None while the tray is not found."""
        self._find(frame.picture)
        return None if self._pose is None else seeing.region(self.lens, self._pose, TRAY, frame)

    def read(self, frame: Frame, _touched: Mask | None) -> Tray:
        """Read one picture, whatever was touched."""
        sight = self._find(frame.picture)
        if self._pose is None:
            return Tray(None, self.troubles)
        reading = read(frame.picture, self.lens, TRAY, sight, self.keshi, self.palette)
        self.troubles += tuple((f"tray.{doubt.name.lower()}", {}) for doubt in reading.doubts)
        return Tray(reading, self.troubles)

    def tell(self, seen: Seen[Tray]) -> Reading | None:
        """The counts by colour with their chance; None where pictures disagree, or there is no tray."""
        reading, expected = seen.finding.reading, self._expected
        if not seen.agreed:
            self.troubles += (("camera.unsteady", {}),)
            return None
        if reading is None or expected is None:
            return None
        text = " ".join(f"{colour}={number}" for colour, number in reading.counts.items())
        picture = seeing.coded(seen.frame.picture, ".jpg")
        return Reading(expected.match, expected.steps, ((text, reading.chance),), (), None, picture)

    def _find(self, picture: Picture) -> Sight:
        sight = find(picture, self.lens, TRAY, self._pose)
        self.troubles = seeing.troubles(picture, sight)
        self.bumps += self._pose is not None and any(key == "sight.bumped" for key, _ in self.troubles)
        self._pose = sight.pose
        return sight


def open_reader(begin: Begin, source: Source, frame: Frame) -> TrayReader:
    """The reader for a camera.

    Raises :class:`.LensError` without a calibration, :class:`.EnrolError` where no keshi was enrolled: nobody
    knows how large the copy's are.
    """
    lens = seeing.lens_of(begin, source, frame)
    known = enrolment.load(Path(begin.state_dir), begin.camera)
    if known is None:
        raise enrolment.EnrolError("enrol.unknown")
    return TrayReader(lens, known.keshi, known.palette)
