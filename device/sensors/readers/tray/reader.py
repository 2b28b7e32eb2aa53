"""The cube tower's tray through one camera, with all that is known of that camera and the copy.

What lies on it is counted by colour and judged by what can (:mod:`.judging`). The tray is empty before a
throw (MK-4.3): so an empty one is as the match has it, and a throw of which nothing came out is for people
to say. While a hand or anything else that is no keshi lies there nothing is told: it is waited for.
"""

from __future__ import annotations

from typing import Final

import msgspec

from device.sensors.learnt import LearntError
from device.sensors.messages import Expected, Reading, Troubles
from device.sensors.reader import Mount, Seen
from device.sensors.readers import seeing
from device.sensors.readers.placed import Placed
from device.sensors.readers.shelf import TeachingSeen
from device.sensors.readers.tray import enrolment
from device.sensors.readers.tray.judging import EVERYTHING, TrayJudgement, judge
from device.sensors.sources import PictureFrame, PictureSource, load_table
from device.texts import said
from engines.contract import Exact
from vision.field import Field
from vision.gate import Mask
from vision.lens import Lens
from vision.tray import counting
from vision.tray.palette import KeshiPalette
from vision.tray.prism import Keshi
from vision.tray.reading import TrayDoubt, read

TRAY: Final = Field(180.0, 140.0, 4, 12.0)
"""The walled tray, by the standard that the marker sheets are printed to."""


WAITS: Final = frozenset({TrayDoubt.NO_POSE, TrayDoubt.NO_FLOOR, TrayDoubt.FOREIGN})
"""With these a tray may hold anything."""


class Tray(msgspec.Struct, frozen=True, eq=False):
    """The tray as a picture shows it, or ``troubles`` why it cannot be told."""

    judged: TrayJudgement | None
    troubles: Troubles = ()

    @property
    def key(self) -> object:
        """Return what lies there and whether that is in doubt, or why nobody knows."""
        return str(self.troubles) if self.judged is None else (self.judged.best, bool(self.judged.why))

    @property
    def as_expected(self) -> bool:
        """Return True if nothing lies there yet."""
        return self.judged is not None and not self.judged.best and not self.judged.why


class TrayReader(Placed):
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

    def read(self, frame: PictureFrame, _touched: Mask | None) -> Tray:
        """Read one picture, whatever was touched."""
        if self._find(frame.picture) is None:
            return Tray(None, self.troubles)
        reading = read(frame.picture, self._lens, TRAY, self._seen, self.keshi, self.palette)
        if WAITS.intersection(reading.doubts):
            self._doubts = tuple(said(f"tray.{doubt.name.lower()}") for doubt in reading.doubts)
            return Tray(None, self.troubles)
        domain = self._expected.domain if self._expected else None
        there = EVERYTHING if domain is None or domain.caps is None else domain.caps
        counted = dict(self._expected.counted) if self._expected else {}
        return Tray(judge(reading, there, counting.said(counted) if counted else None), self.troubles)

    def tell(self, seen: Seen[Tray]) -> Reading | None:
        """Return the counts with their chance; None if pictures disagree, or the counts are unknown."""
        judged, expected = seen.finding.judged, self._expected
        if not seen.agreed:
            self._doubts = (said("camera.unsteady"),)
            return None
        if judged is None or expected is None or expected.domain is None:
            return None
        candidates = tuple((expected.domain.write(one.keshis), one.chance) for one in judged.contents)
        if seen.finding.as_expected:
            return Reading("tray", expected.match, expected.steps, candidates[:1], (Exact(()),))
        picture = seeing.coded(seen.frame.picture, ".jpg")
        return Reading("tray", expected.match, expected.steps, candidates, (), None, picture, judged.why)


def open_reader(mount: Mount, source: PictureSource, frame: PictureFrame) -> TrayReader:
    """Open the reader for a camera.

    Raises :class:`.LearntError` without a calibration, and if no keshi was enrolled: the size of the copy's
    is not known then. Those of a simulated table are known.
    """
    lens = seeing.lens_of(mount, source, frame)
    known = enrolment.load(mount.state_dir, mount.camera)
    if known is None and mount.simulated:
        return TrayReader(lens, Keshi(*load_table(mount.simulated).keshi_mm), KeshiPalette())
    if known is None:
        raise LearntError("enrol.unknown")
    return TrayReader(lens, known.keshi, known.palette, known.taken)
