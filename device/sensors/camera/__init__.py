"""The camera as a sensor: pictures in, readings out.

============ =============================================================================
module       what it holds
============ =============================================================================
``eye``      one field: its reader, the cost of a reading, and when it counts
============ =============================================================================
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final

import cv2
from msgspec.structs import replace

from device.machine import find_obstacle
from device.sensors import readers
from device.sensors.camera.eye import Eye, TooMuchToSee, limit_cpu_time
from device.sensors.door import BEAT_S, Checked, Door
from device.sensors.learnt import LearntError, Mount, load_lens
from device.sensors.messages import NO_MATCH, Away, Beat, Expected, Taught, Troubles
from device.sensors.sources import CameraError, PictureFrame, PictureSource, Work, load, open_source
from device.settings import SIMULATED, CameraSettings
from device.supervise import Backoff
from device.texts import Said, cause_of, said

RETRY_S: Final = (1.0, 30.0)
"""The first and the longest wait before another try to open a camera."""
STALE: Final = 1
"""The number of pictures to skip: a driver may still hold one from the last request."""
REST_MS: Final = 1000.0
"""The pause before the search for a field starts again, if the camera reads several: it need not be in the
picture.
"""
QUARTER_DEG: Final = 90.0
"""The angle round a simulated table at which its second camera stands."""
OTHER_MS: Final = 5000.0
"""The time without the field after which the second camera is watched instead."""


def run(camera: CameraSettings, door: Door) -> None:
    """Read a camera's pictures while the box listens, with a second camera beside it if there is one."""
    cv2.setNumThreads(1)  # on a busy machine its threads wait for one another longer than they save
    mount = Mount(camera, door.folder.parents[1], door.simulated)
    second = replace(mount, camera=door.beside, turned_deg=QUARTER_DEG) if door.beside else None
    Worker(mount, door, second, bound=limit_cpu_time).run()


def check(camera: CameraSettings, folder: Path) -> Iterator[Checked]:
    """Yield the checks of a camera in the settings."""
    name = f"camera {camera.source}"
    yield _check_source(camera.source, name)
    try:
        load(camera.source)
    except CameraError as error:
        yield Checked("fail", name, str(error))
        return
    try:
        found = load_lens(folder.parents[1], camera)
    except LearntError as error:
        own = camera.source == SIMULATED  # it knows the lens that it paints through
        yield Checked("ok" if own else "warn", name, "needs no lens" if own else str(error))
    else:
        yield Checked("ok", name, f"lens of {found.made}, {found.rms_px:.2f} px")


def _check_source(source: str, name: str) -> Checked:
    path = source.removeprefix("folder:")
    if not path.startswith(("/", "~")):
        return Checked("ok", name, "no file here, not tried")
    file = os.path.expanduser(path)
    if not os.path.exists(file):
        return Checked("fail", name, "is not there; the box waits for it")
    why = find_obstacle(file, "video", os.R_OK)
    return Checked("fail" if why else "ok", name, why or "is there")


class SecondCamera:
    """A camera whose pictures stand beside another's; it may go and come silently."""

    def __init__(self, mount: Mount, open_camera: Callable[[Mount], PictureSource]) -> None:
        """Open nothing yet; ``open_camera`` opens it, or raises CameraError."""
        self.mount = mount
        self._open = open_camera
        self._source: PictureSource | None = None
        self._backoff, self._again_s = Backoff(*RETRY_S), 0.0

    @property
    def here(self) -> bool:
        """True if the camera is open."""
        return self._source is not None

    def tend(self) -> None:
        """Open the camera if another try is due."""
        if self._source is None and time.monotonic() >= self._again_s:
            try:
                self._source = self._open(self.mount)
            except CameraError:
                self._lose()

    def grab(self) -> tuple[PictureSource, PictureFrame, PictureFrame] | None:
        """Return the source and two pictures of now in order, None while the camera is away."""
        self.tend()
        if self._source is None:
            return None
        try:
            for _ in range(STALE):
                self._source.grab()
            first, then = self._source.grab(), self._source.grab()
        except CameraError:
            self._lose()
            return None
        self._backoff.reset()
        return self._source, first, then

    def _lose(self) -> None:
        self.close()
        self._again_s = time.monotonic() + self._backoff.wait()

    def close(self) -> None:
        """Give the camera back."""
        source, self._source = self._source, None
        if source is not None:
            source.close()


class Worker:
    """One camera, or two that look at one field, read for as long as the box listens.

    The first of two is watched; the second gives a picture whenever the first is read. If one is away or does
    not find the field, the other goes on.
    """

    def __init__(
        self, mount: Mount, door: Door, second: Mount | None = None, *, bound: Work = nullcontext
    ) -> None:
        """Prepare a camera's work; ``bound`` limits each reading."""
        self._mount, self._door, self._bound = mount, door, bound
        self._beside = SecondCamera(second, self._open_source) if second else None
        self._unseen_ms = 0.0
        self._expected: Expected = NO_MATCH
        self._eyes: tuple[Eye, ...] = ()

    def run(self) -> None:
        """Work until the box is gone; then the door raises."""
        backoff = Backoff(*RETRY_S)
        while not self._door.wait(BEAT_S):
            pass
        self._listen()
        while True:
            try:
                with closing(self._open_either()) as source:
                    backoff.reset()
                    self._watch_or_turn(source)
            except CameraError as error:
                self._report_away(cause_of(error), backoff.wait())
            else:
                self._idle()

    def _open_either(self) -> PictureSource:
        """Open the camera, or else the second one; raises the first's CameraError if neither opens."""
        with self._door.busy():
            try:
                return self._open()
            except CameraError:
                if not self._swap_cameras():
                    raise
                with suppress(CameraError):
                    return self._open()
                self._swap_cameras()
                raise

    def _watch_or_turn(self, source: PictureSource) -> None:
        """Watch until something else is to do; if the camera goes away, turn to the second one."""
        try:
            self._watch(source)
        except CameraError:
            if not self._swap_cameras():
                raise
            self._listen()

    def _swap_cameras(self) -> bool:
        """Swap the cameras, so the second is watched from now on; return False if there is only one."""
        if self._beside is None:
            return False
        self._beside.close()
        self._mount, second = self._beside.mount, self._mount
        self._beside = SecondCamera(second, self._open_source)
        return True

    @property
    def _playing(self) -> bool:
        return bool(self._expected.position)

    def _open(self) -> PictureSource:
        fields = self._mount.camera.fields or readers.list_fields(self._expected.game)
        return self._open_source(self._mount, *(fields or self._sheet))

    @property
    def _sheet(self) -> tuple[str, ...]:
        """The sheet for the pieces of a lesson, empty without one."""
        lesson = self._door.lesson
        return (readers.ENROLMENTS[lesson.game].sheet,) if lesson else ()

    def _open_source(self, mount: Mount, *fields: str) -> PictureSource:
        painted = (fields or mount.camera.fields) if mount.camera.source == SIMULATED else ()
        return open_source(
            mount.camera,
            simulated=mount.simulated,
            paintings=[readers.load_painting(field) for field in painted],
            busy=self._door.busy,
            turned_deg=mount.turned_deg,
        )

    def _report_away(self, why: Said, wait_s: float) -> None:
        self._door.how(Away(why))
        while lesson := self._door.lesson:
            self._door.answer(Taught(lesson.number, (why,)))
        end = time.monotonic() + wait_s
        while (left := end - time.monotonic()) > 0:
            self._listen(left)

    def _idle(self) -> None:
        """Wait for a match or a lesson, with the camera closed."""
        while not (self._playing or self._door.lesson):
            self._door.how(Beat())
            self._listen(BEAT_S)

    def _watch(self, source: PictureSource) -> None:
        """Read pictures while the match goes on and the camera gives them."""
        self._eyes, game, self._unseen_ms = (), self._expected.game, 0.0
        self._learn(source)
        while self._playing and game == self._expected.game:
            frame = source.grab()
            self._look(source, frame)
            self._beat()
            self._listen()
            self._learn(source)
            if self._beside:
                self._beside.tend()
            if self._is_unseen(frame.ms) and self._swap_cameras():
                return

    def _is_unseen(self, ms: float) -> bool:
        """Return True if the field has not been found for :data:`OTHER_MS`."""
        if not self._unseen_ms or any(eye.calm for eye in self._eyes):
            self._unseen_ms = ms
        return ms - self._unseen_ms > OTHER_MS

    def _learn(self, source: PictureSource) -> None:
        """Answer the box's lessons; readings use the lesson from then on."""
        while lesson := self._door.lesson:
            frame, seen = self._take_lesson_picture(source)
            try:
                with self._limit_work():
                    taught = readers.learn(lesson, self._mount, seen, frame)
            except TooMuchToSee:
                taught = Taught(lesson.number, (said("camera.too_much"),))
            self._door.answer(taught)
            if taught.learnt:
                self._eyes = ()

    def _take_lesson_picture(self, source: PictureSource) -> tuple[PictureFrame, PictureSource]:
        """Return a picture for a lesson, and its source; a simulated camera paints the pieces."""
        if self._mount.camera.source == SIMULATED:
            source = self._open_source(self._mount, *self._sheet)
        return source.grab(), source

    def _look(self, source: PictureSource, frame: PictureFrame) -> None:
        """Take a picture in; say any reading that counts."""
        if not self._eyes:
            self._eyes = tuple(self._open_eyes())
        for eye in self._eyes:
            if reading := eye.look(source, frame, REST_MS if len(self._eyes) > 1 else 0.0):
                self._door.say(reading)
                for other in self._eyes if eye.differed else ():  # it withdraws their questions
                    other.differed = other is eye

    def _open_eyes(self) -> Iterator[Eye]:
        game = self._expected.game
        for field in self._mount.camera.fields or readers.list_fields(game):
            if readers.reads(game, field):
                eye = Eye(replace(self._mount, field=field, second=self._beside), self._limit_work)
                eye.expect(self._expected)
                yield eye

    @contextmanager
    def _limit_work(self) -> Iterator[None]:
        with self._door.busy(), self._bound():
            yield

    def _listen(self, wait_s: float = 0.0) -> None:
        """Take in what the box says, waiting for up to ``wait_s``."""
        self._door.wait(wait_s)
        expected = self._door.expected
        fields = self._mount.camera.fields or readers.list_fields(expected.game)
        watched = any(readers.is_watched(expected, field) for field in fields)
        if not (watched and readers.reads(expected.game)):
            expected = NO_MATCH
        if expected == self._expected:
            return
        self._expected = expected
        if self._playing:
            for eye in self._eyes:
                eye.expect(expected)

    def _beat(self) -> None:
        found = [eye for eye in self._eyes if eye.calm]
        calm = found[0].calm if found else ""
        self._door.how(Beat(said(f"camera.calm.{calm}") if calm else "", self._list_troubles(found)))

    def _list_troubles(self, found: list[Eye]) -> Troubles:
        """Return the troubles; without named fields one field in the picture is enough."""
        if not self._eyes:
            return (said("camera.game"),)
        eyes = self._eyes if self._mount.camera.fields else found or self._eyes[:1]
        return tuple(trouble for eye in eyes for trouble in eye.troubles)
