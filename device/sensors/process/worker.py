"""The camera's process: pictures in, readings out; started by :mod:`device.sensors.camera.service`.

It reads lines of :mod:`device.sensors.messages` on its input and writes them to its output. When its
input ends it ends. Nothing it does can stop the table: it may be killed at any moment.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import IO, Any, Final, TypeVar

import cv2
import msgspec

from device.sensors import messages, readers
from device.sensors.lenses import TextError
from device.sensors.messages import TRY, Away, Beat, Begin, Expected, Troubles
from device.sensors.process.bounds import TooMuchToSee, cpu_time, signs_of_life
from device.sensors.process.watching import Watcher
from device.sensors.reader import Finding, Reader, Seen
from device.sensors.sources import CameraError, Frame, Source, load, open_source
from vision.gate import Mask

log = logging.getLogger(__name__)

T = TypeVar("T")

BEAT_S: Final = 1.0
BEATS: Final = 60
"""So many signs of life are given while a picture is read: whoever reads for longer hangs."""
RETRY_S: Final = (1.0, 30.0)
"""The first and the longest wait before a camera that is away is tried again."""
AGAIN_MS: Final = 10_000.0
"""After a reader failed at finding its field it is left in peace for so long."""
CAUSE: Final = 100
"""Letters of a surprise that people are told."""


class Ended(Exception):
    """The daemon is gone, or has no more use for this process."""


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
        self,
        begin: Begin,
        heard: queue.SimpleQueue[bytes],
        say: Callable[[messages.Up], None],
        *,
        bound: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """``heard`` are the lines from the daemon, an empty one when there will be no more.

        ``say`` is called from two threads. A reading lasts no longer than ``bound`` lets it.
        """
        self._begin, self._heard, self._say, self._bound = begin, heard, say, bound
        self._reader: Reader[Any] | None = None
        self._watcher: Watcher[Finding | Unread] | None = None
        self._expected: Expected | None = None
        self._last = (Beat(), 0.0)
        self._took_ms = 0.0
        self._wrong: Troubles = ()
        self._unread: Unread | None = None
        self._again_ms = 0.0
        self._bumps = 0
        self._told = False

    def run(self) -> None:
        """Work until the daemon is gone; raises :class:`Ended` then."""
        wait = RETRY_S[0]
        while self._expected is None:
            self._listen(BEAT_S)
        while True:
            try:
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
                self._idle(source)

    @property
    def _playing(self) -> bool:
        return self._expected is not None and bool(self._expected.position)

    def _open(self) -> Source:
        simulated = Path(self._begin.simulated) if self._begin.simulated else None
        camera = self._begin.camera
        return open_source(camera, simulated=simulated, painting=readers.painting(camera.field))

    def _away(self, why: str, wait_s: float) -> None:
        self._say(Away(why))
        end = time.monotonic() + wait_s
        while (left := end - time.monotonic()) > 0:
            self._listen(min(left, BEAT_S))
            self._say(Away(why))

    def _idle(self, source: Source) -> None:
        """Without a match no picture is taken, and the camera is closed: it is known to be there."""
        while not self._playing:
            self._say(Beat(source.name))
            self._listen(BEAT_S)

    def _watch(self, source: Source) -> None:
        """Read pictures for as long as there is a match, and the camera gives them."""
        self._reader = self._watcher = self._unread = None
        while self._playing:
            frame = source.grab()
            seen = self._look(source, frame)
            if seen is not None:
                self._tell(seen)
            self._beat(source)
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
            self._say(reading)
            self._told = not as_expected

    def _look(self, source: Source, frame: Frame) -> Seen[Finding | Unread] | None:
        """What counts of a picture."""
        assert self._expected
        self._wrong = ()
        if not readers.reads(self._expected.game, self._begin.camera.field):
            self._wrong = (("camera.game", {}),)
            return None
        if self._reader is None:
            try:
                self._reader = readers.open_reader(self._expected.game, self._begin, source, frame)
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
        begin = time.monotonic()
        alive = signs_of_life(lambda: self._say(self._last[0]), BEAT_S, BEATS)
        try:
            with alive, self._bound():
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
        finally:
            self._took_ms = 1000 * (time.monotonic() - begin)
        self._unread = unread
        return unread

    def _listen(self, wait_s: float = 0.0) -> None:
        """Take in what the daemon said meanwhile, or says first; of several the last counts."""
        with contextlib.suppress(queue.Empty):
            while True:
                line = self._heard.get(timeout=wait_s) if wait_s else self._heard.get_nowait()
                wait_s = 0.0
                if not line:
                    raise Ended
                message = messages.down(line)
                if isinstance(message, Expected):
                    if self._expected is None or message.game != self._expected.game:
                        self._reader = self._watcher = None
                    self._expected = message
                    if self._reader:
                        self._reader.expect(message)
                    if self._watcher:
                        self._watcher.expect_anew()

    def _beat(self, source: Source) -> None:
        watcher, reader = self._watcher, self._reader
        troubles = reader.troubles if reader else self._wrong
        if self._unread:
            troubles = (*troubles, *self._unread.troubles)
        if watcher and watcher.hand_rests:
            troubles = (*troubles, ("camera.hand", {}))
        beat = Beat(source.name, watcher.calm if watcher else "", troubles, round(self._took_ms, 1))
        last, at = self._last
        now = time.monotonic()
        if beat != last or now - at >= BEAT_S:
            self._say(beat)
            self._last = beat, now


def main() -> int:
    """Serve on standard input and output."""
    output, sys.stdout = sys.stdout.buffer, sys.stderr  # libraries that print must not be taken for us
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    cv2.setNumThreads(1)  # on a busy machine its threads wait for one another longer than they save
    lines = sys.stdin.buffer
    begin = messages.down(lines.readline())
    if not isinstance(begin, Begin):
        log.error("the first line must be the beginning")
        return 1
    if TRY in sys.argv:
        return _tried(begin.camera.source)
    heard: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_hear, args=(lines, heard), name="from the daemon", daemon=True).start()

    speaking = threading.Lock()

    def say(message: messages.Up) -> None:
        try:
            with speaking:
                output.write(messages.encode(message) + b"\n")
                output.flush()
        except BrokenPipeError:
            raise Ended from None

    try:
        Worker(begin, heard, say, bound=cpu_time).run()
    except Ended:
        return 0
    return 1


def _tried(source: str) -> int:
    """Whether all that a camera needs can be loaded; what cannot is the last word of the error output."""
    try:
        load(source)
    except CameraError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _hear(lines: IO[bytes], heard: queue.SimpleQueue[bytes]) -> None:
    for line in lines:
        heard.put(line)
    heard.put(b"")


if __name__ == "__main__":
    raise SystemExit(main())
