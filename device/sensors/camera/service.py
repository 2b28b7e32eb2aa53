"""All cameras of the box: a process for each in the settings, told what the match has on the table."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from device.config import Camera
from device.sensors import messages, readers
from device.sensors.camera.child import HUNG_S, RETRY_S, Child
from device.sensors.messages import NOTHING, Away, Beat, Begin, Expected, Reading, Troubles
from device.texts import Texts

log = logging.getLogger(__name__)

COMMAND: Final = (sys.executable, "-m", "device.sensors.process.worker")


class CameraState(msgspec.Struct, frozen=True):
    """How a camera is doing: ``why`` it is away, or how calm its table is and what is wrong with the view."""

    source: str
    field: str
    online: bool
    why: str = ""
    calm: str = ""
    troubles: Troubles = ()

    def line(self, texts: Texts) -> str:
        """How it is, in words: away and why, what is wrong with its view, or how calm its table is."""
        if not self.online:
            return self.why or "away"
        troubles = [texts(key, **figures) for key, figures in self.troubles]
        return "; ".join(troubles) or (texts(f"camera.calm.{self.calm}") if self.calm else "ok")


class CameraService:
    """Keeps the cameras' processes running and hands on what they see."""

    def __init__(
        self,
        cameras: Sequence[Camera],
        state_dir: Path,
        *,
        on_reading: Callable[[Camera, Reading], None],
        on_state: Callable[[CameraState], None],
        simulated: Path | None = None,
        command: Sequence[str] = COMMAND,
        hung_s: float = HUNG_S,
        retry_s: tuple[float, float] = RETRY_S,
    ) -> None:
        """``simulated`` is the file of the simulated table. Both callbacks are called on the event loop."""
        begin = [Begin(camera, str(state_dir), str(simulated or "")) for camera in cameras]
        how = {"command": command, "hung_s": hung_s, "retry_s": retry_s}
        self._eyes = [_Eye(one, on_reading, on_state, **how) for one in begin]  # type: ignore[arg-type]
        self._expected = NOTHING

    @property
    def states(self) -> tuple[CameraState, ...]:
        """How each camera is doing, in the order of the settings."""
        return tuple(eye.state for eye in self._eyes)

    def expect(self, expected: Expected) -> None:
        """Tell the cameras what is on the table now; the same again is not told again.

        One whose field answers a question rests while something else is asked.
        """
        if expected != self._expected:
            self._expected = expected
            for eye in self._eyes:
                eye.expect(expected if readers.watched(expected, eye.state.field) else NOTHING)

    async def run(self) -> None:
        """Serve until cancelled; no process is left behind."""
        async with asyncio.TaskGroup() as tasks:
            for eye in self._eyes:
                tasks.create_task(eye.child.run(), name=f"camera {eye.state.source}")


class _Eye:
    """One camera and its process."""

    def __init__(
        self,
        begin: Begin,
        on_reading: Callable[[Camera, Reading], None],
        on_state: Callable[[CameraState], None],
        command: Sequence[str],
        hung_s: float,
        retry_s: tuple[float, float],
    ) -> None:
        self._begin = begin
        self._on_reading, self._on_state = on_reading, on_state
        self._expected = NOTHING
        self.state = CameraState(begin.camera.source, begin.camera.field, False, "starting")
        self.child = Child(command, self._heard, self._greet, self._gone, hung_s=hung_s, retry_s=retry_s)

    def expect(self, expected: Expected) -> None:
        if expected != self._expected:
            self._expected = expected
            self.child.say(messages.encode(expected))

    def _greet(self) -> None:
        self.child.say(messages.encode(self._begin))
        self.child.say(messages.encode(self._expected))

    def _heard(self, line: bytes) -> None:
        message = messages.up(line)
        if isinstance(message, Reading):
            if (message.match, message.steps) == (self._expected.match, self._expected.steps):
                self._on_reading(self._begin.camera, message)
        elif isinstance(message, Beat):
            self._turned(online=True, calm=message.calm, troubles=message.troubles)
        else:
            assert isinstance(message, Away)
            self._turned(online=False, why=message.why)

    def _gone(self, why: str) -> None:
        self._turned(online=False, why=f"its process {why}")

    def _turned(
        self,
        *,
        online: bool,
        why: str = "",
        calm: str = "",
        troubles: Troubles = (),
    ) -> None:
        state = CameraState(self.state.source, self.state.field, online, why, calm, troubles)
        if state != self.state:
            if (state.online, state.why) != (self.state.online, self.state.why):
                log.info("camera %s: %s", state.source, "online" if online else why)
            self.state = state
            self._on_state(state)
