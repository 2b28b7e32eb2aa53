"""The camera as a sensor: pictures in, readings out."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, Final, TypeVar

import cv2
import msgspec

from device.config import Camera
from device.sensors import readers
from device.sensors.camera.bounds import TooMuchToSee, cpu_time
from device.sensors.camera.watching import Watcher
from device.sensors.door import BEAT_S, Door
from device.sensors.lenses import TextError
from device.sensors.messages import NOTHING, Beat, Expected, Troubles
from device.sensors.reader import Finding, Mount, Reader, Seen
from device.sensors.sources import CameraError, Frame, Source, open_source
from vision.gate import Mask

log = logging.getLogger(__name__)

T = TypeVar("T")

RETRY_S: Final = (1.0, 30.0)
"""The first and the longest wait before a camera that is away is tried again."""
AGAIN_MS: Final = 10_000.0
"""After a reader failed at finding its field it is left in peace for so long."""
CAUSE: Final = 100
"""Letters of a surprise that people are told."""


def run(camera: Camera, door: Door) -> None:
    """Read what a camera sees for as long as the box listens."""
    cv2.setNumThreads(1)  # on a busy machine its threads wait for one another longer than they save
    Worker(Mount(camera, door.folder.parents[1], door.simulated), door, bound=cpu_time).run()


class Unread(msgspec.Struct, frozen=True):
    """A picture that a reader could make nothing of: it failed, or there was too much to see."""

    troubles: Troubles
    as_expected: bool = False

    @property
    def key(self) -> str:
        """Why."""
        return str(self.troubles)


class Worker:
    """One camera, read for as long as the daemon listens."""

    def __init__(
        self, mount: Mount, door: Door, *, bound: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        """A reading lasts no longer than ``bound`` lets it."""
        self._mount, self._door, self._bound = mount, door, bound
        self._reader: Reader[Any] | None = None
        self._watcher: Watcher[Finding | Unread] | None = None
        self._expected: Expected = NOTHING
        self._wrong: Troubles = ()
        self._unread: Unread | None = None
        self._again_ms = 0.0
        self._bumps = 0
        self._told = False

    def run(self) -> None:
        """Work until the box is gone: the door raises then."""
        wait = RETRY_S[0]
        while not self._door.wait(BEAT_S):
            pass
        self._listen()
        while True:
            try:
                with self._door.busy():
                    source = self._open()
                wait = RETRY_S[0]
                try:
                    self._watch(source)
                finally:
                    source.close()
            except CameraError as error:
                self._away(str(error), wait)
                wait = min(2 * wait, RETRY_S[1])
            else:
                self._idle()

    @property
    def _playing(self) -> bool:
        return bool(self._expected.position)

    def _open(self) -> Source:
        camera = self._mount.camera
        return open_source(camera, simulated=self._mount.simulated, painting=readers.painting(camera.field))

    def _away(self, why: str, wait_s: float) -> None:
        self._door.away(why)
        end = time.monotonic() + wait_s
        while (left := end - time.monotonic()) > 0:
            self._listen(left)

    def _idle(self) -> None:
        """Without a match no picture is taken, and the camera is closed: it is known to be there."""
        while not self._playing:
            self._door.how(Beat())
            self._listen(BEAT_S)

    def _watch(self, source: Source) -> None:
        """Read pictures for as long as there is a match, and the camera gives them."""
        self._reader = self._watcher = self._unread = None
        while self._playing:
            frame = source.grab()
            seen = self._look(source, frame)
            if seen is not None:
                self._tell(seen)
            self._beat()
            self._listen()

    def _tell(self, seen: Seen[Finding | Unread]) -> None:
        """Tell what was seen; that all is as it should be only where something else was told before."""
        finding = seen.finding
        if isinstance(finding, Unread):
            return
        assert self._reader
        as_expected = seen.agreed and finding.as_expected
        if as_expected and not self._told:
            return
        if reading := self._reader.tell(Seen(finding, seen.frame, seen.agreed)):
            self._door.say(reading)
            self._told = not as_expected

    def _look(self, source: Source, frame: Frame) -> Seen[Finding | Unread] | None:
        """What counts of a picture."""
        self._wrong = ()
        if not readers.reads(self._expected.game, self._mount.camera.field):
            self._wrong = (("camera.game", {}),)
            return None
        if self._reader is None:
            try:
                self._reader = readers.open_reader(self._expected.game, self._mount, source, frame)
            except TextError as error:
                self._wrong = ((error.key, error.values),)
                return None
            self._reader.expect(self._expected)
        if (self._watcher is None or self._bumps != self._reader.bumps) and not self._find(frame):
            return None
        assert self._watcher
        return self._watcher.see(frame)

    def _find(self, frame: Frame) -> bool:
        """Watch what is to be read, where it lies now; whether it was found."""
        assert self._reader
        self._watcher, watcher = None, self._watcher
        if frame.ms < self._again_ms:
            return False
        region = self._guarded(partial(self._reader.region, frame))
        self._bumps = self._reader.bumps
        if isinstance(region, Unread):
            self._again_ms = frame.ms + AGAIN_MS
            return False
        if region is None:
            return False
        self._watcher = watcher or Watcher(self._read)
        self._watcher.watch(region)
        return True

    def _read(self, frame: Frame, touched: Mask | None) -> Finding | Unread:
        assert self._reader
        found = self._guarded(partial(self._reader.read, frame, touched))
        if not self._reader.found:
            self._watcher = None  # the field is looked for anew
        return found

    def _guarded(self, act: Callable[[], T]) -> T | Unread:
        """Let a reader work: it may fail, and take no longer than it is let. The camera's end stays one."""
        try:
            with self._door.busy(), self._bound():
                found = act()
        except CameraError:
            raise
        except TooMuchToSee:
            unread = Unread((("camera.too_much", {}),))
        except Exception as error:
            # Whatever it is, the next picture is another; only a surprise that is new goes to the log.
            why = ": ".join(filter(None, (type(error).__name__, " ".join(str(error).split()))))
            unread = Unread((("camera.surprise", {"why": why[:CAUSE]}),))
            if unread != self._unread:
                log.exception("a reader failed")
        else:
            self._unread = None
            return found
        self._unread = unread
        return unread

    def _listen(self, wait_s: float = 0.0) -> None:
        """Take in what the box said meanwhile, or says first."""
        self._door.wait(wait_s)
        told = self._door.expected
        watched = readers.reads(told.game) and readers.watched(told, self._mount.camera.field)
        expected = told if watched else NOTHING
        if expected == self._expected:
            return
        if expected.game != self._expected.game:
            self._reader = self._watcher = None
        self._expected = expected
        if self._reader:
            self._reader.expect(expected)
        if self._watcher:
            self._watcher.expect_anew()

    def _beat(self) -> None:
        watcher, reader = self._watcher, self._reader
        troubles = reader.troubles if reader else self._wrong
        if self._unread:
            troubles = (*troubles, *self._unread.troubles)
        if watcher and watcher.hand_rests:
            troubles = (*troubles, ("camera.hand", {}))
        self._door.how(Beat((f"camera.calm.{watcher.calm}" if watcher else "", {}), troubles))
