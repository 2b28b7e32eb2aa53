"""The cube tower's tray through one camera, with all that is known of that camera and the copy.

What lies on it is counted by colour and judged by what can (:mod:`.judging`). The tray is empty before a
throw (MK-4.3): so an empty one is as the match has it, and a throw of which nothing came out is for people
to say. While a hand or anything else that is no keshi lies there nothing is told: it is waited for.
"""

from __future__ import annotations

from typing import Final

from device.sensors.learnt import LearntError, Mount, lens_of
from device.sensors.messages import Expected
from device.sensors.readers import FIELDS
from device.sensors.readers.reader import Finding, Reader
from device.sensors.readers.shelf import TeachingSeen
from device.sensors.readers.tray import teaching
from device.sensors.readers.tray.judging import EVERYTHING, judge
from device.sensors.simulated_table import load as load_table
from device.sensors.sources import Picture, PictureFrame, PictureSource
from device.texts import said
from vision.field import Field
from vision.lens import Lens
from vision.pose import Pose
from vision.tray import counting
from vision.tray.palette import KeshiPalette
from vision.tray.prism import Keshi
from vision.tray.reading import TrayDoubt, read

TRAY: Final = Field(180.0, 140.0, *FIELDS["tray"])
"""The walled tray, by the standard that the marker sheets are printed to."""


WAITS: Final = frozenset({TrayDoubt.NO_POSE, TrayDoubt.NO_FLOOR, TrayDoubt.FOREIGN})
"""With these a tray may hold anything."""


class TrayReader(Reader):
    """Reads one tray: the ``keshi`` are the copy's, the ``palette`` is its colours."""

    blind = frozenset()
    field = TRAY

    def __init__(
        self, lens: Lens, keshi: Keshi, palette: KeshiPalette, taken: TeachingSeen | None = None
    ) -> None:
        """Take the lens and the copy; expect nothing yet; ``taken`` is how the palette's pieces were seen."""
        super().__init__(lens, taken)
        self.keshi, self.palette = keshi, palette

    def expect(self, expected: Expected) -> None:
        """Take the match and step a reading is for, what can lie there, and what was counted."""
        self._expected = expected

    def _read(self, picture: Picture, _pose: Pose) -> Finding:
        domain = self._expected.domain if self._expected else None
        reading = read(picture, self._lens, TRAY, self._seen, self.keshi, self.palette)
        if domain is None or WAITS.intersection(reading.doubts):
            return self._nothing(*(said(f"tray.{doubt.name.lower()}") for doubt in reading.doubts))
        there = EVERYTHING if domain.caps is None else domain.caps
        counted = dict(self._expected.counted) if self._expected else {}
        judged = judge(reading, there, counting.said(counted) if counted else None)
        answers = tuple((domain.write(one.keshis), one.chance) for one in judged.contents)
        return Finding(None, judged.why, answers=answers, idle=not judged.best and not judged.why)


def open_reader(mount: Mount, source: PictureSource, frame: PictureFrame) -> TrayReader:
    """Open the reader for a camera.

    Raises :class:`.LearntError` without a calibration, and if no keshi was enrolled: the size of the copy's
    is not known then. Those of a simulated table are known.
    """
    lens = lens_of(mount, source, frame)
    known = teaching.Taught.load(mount.state_dir, mount.camera)
    if known is None and mount.simulated:
        return TrayReader(lens, Keshi(*load_table(mount.simulated).keshi_mm), KeshiPalette())
    if known is None:
        raise LearntError("enrol.unknown")
    return TrayReader(lens, known.keshi, known.palette, known.taken)
