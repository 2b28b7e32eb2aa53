"""One field of a table through a camera: its reader, and the watch over it."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any, Final, TypeVar

import msgspec

from device.sensors import readers
from device.sensors.camera.watching import Watcher
from device.sensors.learnt import LearntError
from device.sensors.messages import NOTHING, Expected, Reading, Troubles
from device.sensors.reader import Finding, Mount, Reader, Seen
from device.sensors.sources import CameraError, PictureFrame, PictureSource, Work
from device.texts import cause_of, said, words
from engines import packages
from vision.gate import Mask

READING_S: Final = 5.0
"""CPU time of a reading at most. A cluttered picture cost 4.9 s in the median and 45 s at worst on a machine
where a board that can be read took 0.3 to 1 s.
"""
AGAIN_S: Final = 0.5
"""A reader in the middle of a callback swallows what is raised there: so it is raised again."""


class TooMuchToSee(Exception):
    """A reading has cost all the time that it may."""


@contextmanager
def cpu_time(seconds: float = READING_S) -> Iterator[None]:
    """Raise :class:`TooMuchToSee` inside once this process has used so much CPU time; in its main thread.

    CPU time, not the clock's: on a busy machine a reading takes longer and is none the worse for it.
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


log = logging.getLogger(__name__)

T = TypeVar("T")

AGAIN_MS: Final = 10_000.0
"""After a reader failed at finding its field it is left in peace for so long."""
CAUSE: Final = 100
"""Letters of a surprise that people are told."""


class Unread(msgspec.Struct, frozen=True):
    """A picture that a reader could make nothing of: it failed, or there was too much to see."""

    troubles: Troubles
    as_expected: bool = False

    @property
    def key(self) -> str:
        """Why."""
        return str(self.troubles)


class Eye:
    """Reads one field through a camera, picture by picture."""

    def __init__(self, mount: Mount, work: Work) -> None:
        """Watch the field of ``mount``; every reading is done within ``work``."""
        self._mount, self._work = mount, work
        self._reader: Reader[Any] | None = None
        self._watcher: Watcher[Finding | Unread] | None = None
        self._expected: Expected = NOTHING
        self._wrong: Troubles = ()
        self._unread: Unread | None = None
        self._again_ms = 0.0
        self._bumps = 0
        self.told = False
        """What it told last, other than that all is as it should be, still stands."""

    @property
    def calm(self) -> str:
        """Return how still the field is, empty while it is not found."""
        return str(self._watcher.calm) if self._watcher else ""

    @property
    def troubles(self) -> Troubles:
        """Return what is wrong with the view, with what lies there, or with the reader."""
        found = self._reader.troubles if self._reader else self._wrong
        if self._unread:
            found = (*found, *self._unread.troubles)
        if self._watcher and self._watcher.hand_rests:
            found = (*found, said("camera.hand"))
        return found

    def expect(self, expected: Expected) -> None:
        """Take in what the match has on the table."""
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
        """Take a picture in; return what the box is told. A field that is not found is left alone for
        ``rest_ms``. Raises CameraError.
        """
        seen = self._look(source, frame, rest_ms)
        if seen is None or isinstance(seen.finding, Unread):
            return None
        assert self._reader
        # That all is as it should be is told only where something else was told before.
        as_expected = seen.agreed and seen.finding.as_expected
        if as_expected and not self.told:
            return None
        reading = self._reader.tell(Seen(seen.finding, seen.frame, seen.agreed))
        if reading:
            self.told = not as_expected
        return reading

    def _look(
        self, source: PictureSource, frame: PictureFrame, rest_ms: float
    ) -> Seen[Finding | Unread] | None:
        """Return what counts of a picture."""
        self._wrong = ()
        if self._reader is None:
            try:
                with self._work():
                    reader = readers.open_reader(self._expected.game, self._mount, source, frame)
            except TooMuchToSee:
                self._wrong = (said("camera.too_much"),)
                return None
            except LearntError as error:
                self._wrong = (cause_of(error),)
                return None
            self._reader = reader
            self._reader.expect(self._expected)
        lost = self._watcher is None or self._bumps != self._reader.bumps
        if lost and not self._find(frame, rest_ms):
            return None
        assert self._watcher
        return self._watcher.see(frame)

    def _find(self, frame: PictureFrame, rest_ms: float) -> bool:
        """Find what is to be read and watch it where it lies now; return True if it was found."""
        assert self._reader
        self._watcher, watcher = None, self._watcher
        if frame.ms < self._again_ms:
            return False
        region = self._guarded(partial(self._reader.region, frame))
        self._bumps = self._reader.bumps
        if isinstance(region, Unread) or region is None:
            self._again_ms = frame.ms + (AGAIN_MS if region else rest_ms)
            return False
        self._watcher = watcher or Watcher(self._read)
        self._watcher.watch(region)
        return True

    def _read(self, frame: PictureFrame, touched: Mask | None) -> Finding | Unread:
        assert self._reader
        found = self._guarded(partial(self._reader.read, frame, touched))
        if not self._reader.found:
            self._watcher = None  # the field is looked for anew
        return found

    def _guarded(self, act: Callable[[], T]) -> T | Unread:
        """Let a reader work: it may fail, and take no longer than allowed; a CameraError goes on up."""
        try:
            with self._work():
                found = act()
        except CameraError:
            raise
        except TooMuchToSee:
            unread = Unread((said("camera.too_much"),))
        except Exception as error:
            # Whatever it is, the next picture is another; only a surprise that is new goes to the log.
            unread = Unread((said("camera.surprise", why=words(packages.why(error), CAUSE)),))
            if unread != self._unread:
                log.exception("a reader failed")
        else:
            self._unread = None
            return found
        self._unread = unread
        return unread
