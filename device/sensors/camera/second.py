"""Another camera that looks at the field of this process: its picture when one is asked for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from device.backoff import Backoff
from device.sensors.reader import Mount
from device.sensors.sources import CameraError, PictureFrame, PictureSource

RETRY_S: Final = (1.0, 30.0)
"""The first and the longest wait before it is opened again."""
STALE: Final = 1
"""The pictures that go by: a driver may still hold one of when it was asked last."""


class SecondCamera:
    """A camera whose pictures stand beside another's; it may go and come without a word."""

    def __init__(self, mount: Mount, opened: Callable[[Mount], PictureSource]) -> None:
        """Open nothing yet; ``opened`` opens the camera, and raises CameraError."""
        self.mount = mount
        self._opened = opened
        self._source: PictureSource | None = None
        self._backoff, self._again_s = Backoff(*RETRY_S), 0.0

    @property
    def here(self) -> bool:
        """Return True if it is open."""
        return self._source is not None

    def tend(self) -> None:
        """Open it, if it is time to try."""
        if self._source is None and time.monotonic() >= self._again_s:
            try:
                self._source = self._opened(self.mount)
            except CameraError:
                self._gone()

    def grab(self) -> tuple[PictureSource, PictureFrame, PictureFrame] | None:
        """Return what took two pictures of now, and these, one after the other; None while it is away."""
        self.tend()
        if self._source is None:
            return None
        try:
            for _ in range(STALE):
                self._source.grab()
            first, then = self._source.grab(), self._source.grab()
        except CameraError:
            self._gone()
            return None
        self._backoff.reset()
        return self._source, first, then

    def _gone(self) -> None:
        self.close()
        self._again_s = time.monotonic() + self._backoff.wait()

    def close(self) -> None:
        """Give it back."""
        source, self._source = self._source, None
        if source is not None:
            source.close()
