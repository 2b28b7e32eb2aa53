"""The camera's process: pictures in, readings out; started by :mod:`device.sensors.camera.service`.

It reads lines of :mod:`device.sensors.camera.messages` on its input and writes them to its output. When its
input ends it ends. Nothing it does can stop the table: it may be killed at any moment.
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final

import cv2

from device.sensors.camera import messages
from device.sensors.camera.boards import BoardReader, Finding, Troubles
from device.sensors.camera.frames import CameraError, Frame, Source
from device.sensors.camera.lenses import LensError
from device.sensors.camera.messages import Away, Beat, Begin, Believe
from device.sensors.camera.sources import open_source
from device.sensors.camera.watching import Seen, Watcher
from vision.gate import Mask

log = logging.getLogger(__name__)

BEAT_S: Final = 1.0
RETRY_S: Final = (1.0, 30.0)
"""The first and the longest wait before a camera that is away is tried again."""


class Ended(Exception):
    """The daemon is gone, or has no more use for this process."""


class Worker:
    """One camera, read for as long as the daemon listens."""

    def __init__(
        self, begin: Begin, heard: queue.SimpleQueue[bytes], say: Callable[[messages.Up], None]
    ) -> None:
        """``heard`` are the lines from the daemon, an empty one when there will be no more."""
        self._begin, self._heard, self._say = begin, heard, say
        self._reader: BoardReader | None = None
        self._watcher: Watcher[Finding] | None = None
        self._believe: Believe | None = None
        self._last = (Beat(), 0.0)
        self._took_ms = 0.0
        self._wrong: Troubles = ()
        self._bumps = 0
        self._told = False

    def run(self) -> None:
        """Work until the daemon is gone; raises :class:`Ended` then."""
        wait = RETRY_S[0]
        while True:
            try:
                source = self._open()
            except CameraError as error:
                self._away(str(error), wait)
                wait = min(2 * wait, RETRY_S[1])
                continue
            wait = RETRY_S[0]
            try:
                self._watch(source)
            except CameraError as error:
                self._away(str(error), wait)
            finally:
                source.close()

    def _open(self) -> Source:
        simulated = Path(self._begin.simulated) if self._begin.simulated else None
        return open_source(self._begin.camera, simulated=simulated)

    def _away(self, why: str, wait_s: float) -> None:
        self._say(Away(why))
        end = time.monotonic() + wait_s
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, BEAT_S))
            self._listen()
            self._say(Away(why))

    def _watch(self, source: Source) -> None:
        """Read pictures for as long as the camera gives them."""
        self._reader = self._watcher = None
        while True:
            self._listen()
            frame = source.grab()
            seen = self._look(source, frame)
            if seen is not None:
                self._tell(seen)
            self._beat(source)

    def _tell(self, seen: Seen[Finding]) -> None:
        """Tell what was seen; that all is as it should be only where something else was told before."""
        assert self._reader
        assert self._believe
        as_believed = seen.agreed and seen.finding.as_believed
        if as_believed and not self._told:
            return
        if reading := self._reader.tell(seen, self._believe):
            self._say(reading)
            self._told = not as_believed

    def _look(self, source: Source, frame: Frame) -> Seen[Finding] | None:
        """What counts of a picture."""
        believe = self._believe
        self._wrong = ()
        if believe is None or not believe.position:
            return None
        if self._begin.camera.field != "board":
            self._wrong = (("camera.game", {}),)
            return None
        if self._reader is None:
            try:
                self._reader = BoardReader.open(self._begin, source, frame)
            except LensError as error:
                self._wrong = ((error.key, error.values),)
                return None
            self._reader.believe(believe)
        if self._watcher is None or self._bumps != self._reader.bumps:
            region = self._reader.region(frame)
            self._bumps = self._reader.bumps
            if region is None:
                self._watcher = None
                return None
            self._watcher = self._watcher or Watcher(self._timed)
            self._watcher.watch(region)
        return self._watcher.see(frame)

    def _timed(self, frame: Frame, touched: Mask | None) -> Finding:
        assert self._reader
        begin = time.monotonic()
        found = self._reader.read(frame, touched)
        if not self._reader.found:
            self._watcher = None  # the board is looked for anew
        self._took_ms = 1000 * (time.monotonic() - begin)
        return found

    def _listen(self) -> None:
        """Take in what the daemon said meanwhile; of several beliefs the last counts."""
        while not self._heard.empty():
            line = self._heard.get()
            if not line:
                raise Ended
            message = messages.down(line)
            if isinstance(message, Believe):
                self._believe = message
                if self._reader:
                    self._reader.believe(message)
                if self._watcher:
                    self._watcher.expect_anew()

    def _beat(self, source: Source) -> None:
        watcher, reader = self._watcher, self._reader
        troubles = reader.troubles if reader else self._wrong
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
    heard: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_hear, args=(lines, heard), name="from the daemon", daemon=True).start()

    def say(message: messages.Up) -> None:
        try:
            output.write(messages.encode(message) + b"\n")
            output.flush()
        except BrokenPipeError:
            raise Ended from None

    try:
        Worker(begin, heard, say).run()
    except Ended:
        return 0
    return 1


def _hear(lines: IO[bytes], heard: queue.SimpleQueue[bytes]) -> None:
    for line in lines:
        heard.put(line)
    heard.put(b"")


if __name__ == "__main__":
    raise SystemExit(main())
