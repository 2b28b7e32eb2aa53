"""One field of a table through a camera: its reader, the time to read, and when a reading counts.

Nothing is read while the table is not still. A reading counts if two of three pictures agree on it. After
that the field is not read again until something moves or the match expects something else there.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any, Final, TypeVar

import numpy as np

from device.sensors import readers
from device.sensors.learnt import LearntError, Mount
from device.sensors.messages import NO_MATCH, Expected, Reading, Troubles
from device.sensors.readers.reader import Finding, Reader, Seen
from device.sensors.sources import CameraError, PictureFrame, PictureSource, Work
from device.texts import cause_of, quoted, said
from engines import packages
from vision.gate import Calm, Gate, Mask, WatchedRegion

log = logging.getLogger(__name__)

T = TypeVar("T")

READING_S: Final = 5.0
"""The most CPU time of a reading. A cluttered picture took 4.9 s in the median and 45 s at worst on a machine
that reads a readable board in 0.3 to 1 s.
"""
AGAIN_S: Final = 0.5
"""The error is raised again after this time: a reader inside a callback swallows it."""
APART_MS: Final = 150.0
"""The time between the pictures that must agree."""
READS: Final = 3
"""The number of pictures that are read; two must agree."""
HELD_MS: Final = 10_000.0
"""The time after which people are told that a resting hand is in the way. At the same interval the reader
checks that the camera was not turned or blinded: the gate cannot tell that from a hand.
"""
AGAIN_MS: Final = 10_000.0
"""The pause after a reader failed to find its field."""
CAUSE: Final = 100
"""The most letters of an unforeseen error that people are told."""


class TooMuchToSee(Exception):
    """Error raised when a reading has used up its CPU time."""


@contextmanager
def limit_cpu_time(seconds: float = READING_S) -> Iterator[None]:
    """Raise :class:`TooMuchToSee` inside once this process has used this much CPU time; in its main thread.

    CPU time, not the clock's: on a busy machine a reading takes longer and is just as good.
    """

    def over(_number: int, _frame: FrameType | None) -> None:
        raise TooMuchToSee

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


class Watcher:
    """The watch over one field in its present place; its past is unknown."""

    def __init__(self, read: Callable[[PictureFrame, Mask | None], Any], region: WatchedRegion) -> None:
        """Start without a picture.

        ``read(frame, touched)`` reads a picture. ``touched`` are the pixels of its small one that something
        touched since the table was as the match has it, or since people confirmed the table; None while that
        is unknown.
        """
        self._read, self._gate = read, Gate(region)
        self._nothing: Mask = np.zeros_like(region.around)
        self._touched: Mask | None = None
        self._settled: Mask | None = None
        self._findings: list[tuple[float, Any]] = []
        self._done = False
        self._hand_since: float | None = None
        self.calm = Calm.SETTLING
        self.hand_rests = False

    def expect_anew(self) -> None:
        """Read again, after people have said what is on the table.

        Pixels touched until now raise no more questions.
        """
        self._settled = self._nothing if self._touched is None else self._touched
        self._begin()

    def _begin(self) -> None:
        self._findings, self._done = [], False

    def see(self, frame: PictureFrame) -> Seen | None:
        """Take a picture in; return what is seen once it counts."""
        look = self._gate.see(frame.ms, frame.small)
        self.calm, self._touched = look.calm, look.touched
        if self._has_hand_rested(look.calm, frame.ms):
            self._read(
                frame, self._find_newly_touched()
            )  # tells of troubles with the view, not of its finding
        if look.calm is not Calm.STILL:
            self._begin()
            return None
        if self._done or (self._findings and frame.ms - self._findings[-1][0] < APART_MS):
            return None
        finding = self._read(frame, self._find_newly_touched())
        before = [one.key for _, one in self._findings]
        self._findings.append((frame.ms, finding))
        agreed = finding.key in before
        if not agreed and len(self._findings) < READS:
            return None
        self._done = True
        if agreed and finding.as_expected:
            self._gate.accept()
            self._settled = None
        return Seen(finding, frame, agreed)

    def _find_newly_touched(self) -> Mask | None:
        """Return the pixels touched since people last confirmed the table."""
        if self._settled is None:
            return self._touched
        return (self._nothing if self._touched is None else self._touched) & ~self._settled

    def _has_hand_rested(self, calm: Calm, ms: float) -> bool:
        """Return True if a hand has rested for :data:`HELD_MS` since it came or was last checked."""
        if calm is not Calm.HAND:
            self._hand_since, self.hand_rests = None, False
            return False
        if self._hand_since is None:
            self._hand_since = ms
        if ms - self._hand_since < HELD_MS:
            return False
        self._hand_since, self.hand_rests = ms, True
        return True


class Eye:
    """A reader of one field through a camera, picture by picture."""

    def __init__(self, mount: Mount, work: Work) -> None:
        """Watch the field of ``mount``; each reading runs inside ``work``."""
        self._mount, self._work = mount, work
        self._reader: Reader | None = None
        self._watcher: Watcher | None = None
        self._expected: Expected = NO_MATCH
        self._wrong: Troubles = ()
        self._unread: Finding | None = None
        """The finding of a reader that failed, or saw too much; None after a success."""
        self._again_ms = 0.0
        self._bumps = 0
        self.differed = False
        """True while its last message to the box was anything but that all is as expected."""

    @property
    def calm(self) -> str:
        """The stillness of the field, "" while it is not found."""
        return str(self._watcher.calm) if self._watcher else ""

    @property
    def troubles(self) -> Troubles:
        """The troubles of the view, of the things there, and of the reader."""
        found = self._reader.troubles if self._reader else self._wrong
        if self._unread:
            found = (*found, *self._unread.troubles)
        if self._watcher and self._watcher.hand_rests:
            found = (*found, said("camera.hand"))
        return found

    def expect(self, expected: Expected) -> None:
        """Take in the match's table."""
        if expected == self._expected:
            return
        if expected.game != self._expected.game:
            self._reader = self._watcher = None
        self._expected = expected
        if self._reader:
            self._reader.expect(expected)
        if self._watcher:
            self._watcher.expect_anew()

    def look(self, source: PictureSource, frame: PictureFrame, rest_ms: float = 0.0) -> Reading | None:
        """Take a picture in; return a reading for the box, if any. A field that is not found is left alone
        for ``rest_ms``. Raises CameraError.
        """
        seen = self._look(source, frame, rest_ms)
        if seen is None:
            return None
        assert self._reader
        # The box hears that all is as expected only after it heard otherwise.
        as_expected = seen.agreed and seen.finding.as_expected
        if as_expected and not self.differed:
            return None
        reading = self._reader.report(seen)
        if reading:
            self.differed = not as_expected
        return reading

    def _look(self, source: PictureSource, frame: PictureFrame, rest_ms: float) -> Seen | None:
        """Return what counts in a picture."""
        self._wrong = ()
        if self._reader is None:
            try:
                with self._work():
                    reader: Reader = readers.open_reader(self._expected.game, self._mount, source, frame)
            except TooMuchToSee:
                self._wrong = (said("camera.too_much"),)
                return None
            except LearntError as error:
                self._wrong = (cause_of(error),)
                return None
            self._reader = reader
            self._reader.expect(self._expected)
        if self._watcher is None or self._bumps != self._reader.bumps:
            self._watcher = self._find_field(self._reader, frame, rest_ms)
        seen = self._watcher.see(frame) if self._watcher else None
        return None if self._unread else seen

    def _find_field(self, reader: Reader, frame: PictureFrame, rest_ms: float) -> Watcher | None:
        """Find the field; return the watch over it in its present place, None if it is not found."""
        if frame.ms < self._again_ms:
            return None
        region = self._guard(partial(reader.find_region, frame))
        self._bumps = reader.bumps
        if region is None:
            self._again_ms = frame.ms + (AGAIN_MS if self._unread else rest_ms)
            return None
        return Watcher(self._read, region)

    def _read(self, frame: PictureFrame, touched: Mask | None) -> Finding | None:
        assert self._reader
        found = self._guard(partial(self._reader.read, frame, touched))
        if not self._reader.found:
            self._watcher = None  # search for the field again
        return self._unread or found

    def _guard(self, act: Callable[[], T]) -> T | None:
        """Run a reader, which may fail or take too long; let a CameraError through."""
        try:
            with self._work():
                found = act()
        except CameraError:
            raise
        except TooMuchToSee:
            why = said("camera.too_much")
        except Exception as error:
            # The next picture may well be readable; only a new error goes to the log.
            why = said("camera.surprise", why=quoted(packages.why(error), CAUSE))
            if self._unread is None or self._unread.troubles != (why,):
                log.exception("a reader failed")
        else:
            self._unread = None
            return found
        self._unread = Finding(None, (why,))
        return None
