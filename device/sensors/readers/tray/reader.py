"""The cube tower's tray through one camera, read with the knowledge of that camera and the copy.

The keshis on it are counted by colour and judged by the possible contents (:mod:`.judging`). The tray is
empty before a throw (MK-4.3): so an empty one is as the match has it, and people must say if nothing came out
of a throw. While a hand or anything else but keshis lies there, nothing is told: the reader waits.
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
"""The walled tray, by the standard of the printed marker sheets."""


WAITS: Final = frozenset({TrayDoubt.NO_POSE, TrayDoubt.NO_FLOOR, TrayDoubt.FOREIGN})
"""Doubts with which a tray may hold anything."""


class TrayReader(Reader):
    """A reader of one tray: the ``keshi`` is the copy's, the ``palette`` has its colours."""

    blind = frozenset()
    field = TRAY

    def __init__(
        self, lens: Lens, keshi: Keshi, palette: KeshiPalette, taken: TeachingSeen | None = None
    ) -> None:
        """Take the lens and the copy; expect nothing yet; ``taken`` is how the palette's pieces were seen."""
        super().__init__(lens, taken)
        self.keshi, self.palette = keshi, palette

    def expect(self, expected: Expected) -> None:
        """Take the match and step for a reading, the possible contents, and the counted numbers."""
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
    """Open the reader for a camera; a simulated table's keshis are known.

    Raises :class:`.LearntError` without a calibration, and without enrolled keshis: then their size is
    unknown.
    """
    lens = lens_of(mount, source, frame)
    known = teaching.Taught.load(mount.state_dir, mount.camera)
    if known is None and mount.simulated:
        return TrayReader(lens, Keshi(*load_table(mount.simulated).keshi_mm), KeshiPalette())
    if known is None:
        raise LearntError("enrol.unknown")
    return TrayReader(lens, known.keshi, known.palette, known.taken)
