"""A door without a box: what a sensor says is kept, and its time does not pass."""

from __future__ import annotations

import queue
from collections.abc import Iterable
from pathlib import Path

from device.config import PluginSection
from device.sensors import messages
from device.sensors.door import Door, Ended
from device.sensors.messages import Begin, Expected, Heard, Reading
from device.telemetry import Told


class SimulatedDoor(Door):
    """Each :meth:`wait` takes the next of ``scenes`` at once: a match, what a node told, or nothing. After
    the last one the box is gone.
    """

    def __init__(self, folder: Path, scenes: Iterable[Expected | Told | None]) -> None:
        """``folder`` is the sensor's own."""
        self.said: list[messages.Up] = []
        super().__init__(
            Begin(PluginSection("simulated", 0, {}), str(folder)), queue.SimpleQueue(), self.said.append
        )
        self._scenes = iter(scenes)

    @property
    def readings(self) -> list[Reading]:
        """Return what was read so far."""
        return [one for one in self.said if isinstance(one, Reading)]

    def wait(self, seconds: float) -> bool:
        """Go on to the next scene; raises :class:`Ended` after the last."""
        try:
            scene = next(self._scenes)
        except StopIteration:
            raise Ended from None
        if scene is not None:
            self._take(messages.encode(Heard(scene) if isinstance(scene, Told) else scene))
        return scene is not None
