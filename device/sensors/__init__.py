"""Sensors: parts that look at the table by themselves.

A :class:`Sensor` is a name, a section of the settings, a self-check and its work. Its readings go into the
match by the one door (:mod:`device.match`), like everything else.

============ =============================================================================
module       what it holds
============ =============================================================================
``door``     a sensor's face, and its way to the box: the expected table, readings, status
``messages`` the messages between the daemon and a sensor's process
``process``  a sensor's process
``learnt``   things learnt on this box and kept; the calibrations of lenses
``host``     the daemon's side: processes kept alive, readings put to the match
``kit``      help for building a sensor: a door for tests, a check, a package to begin with
``camera``   the camera, as a sensor (OpenCV)
``scale``    the scale under a tray, as a sensor (numpy)
``simulated_table`` a simulated table, as a file
``sources``  sources of pictures (OpenCV)
``readers``  a reader for each game and field; no other file of device/ names a game
============ =============================================================================

The daemon never imports OpenCV or numpy; a sensor's process and the commands do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from device.sensors.door import Checked, Door, Ended, Sensor, Verdict
from device.sensors.messages import Expected
from device.settings import CameraSettings, Scale
from engines.facts import Use

UNSIZED: Final = {"tray", "area1", "area2", "market"}
"""Fields that can be read without the sizes in a copy's facts."""


def _load_late(room: str) -> tuple[Callable[[Any, Path], Iterator[Checked]], Callable[[Any, Door], None]]:
    """Return a room's ``check`` and ``run``, which import the room when they are called."""

    def check(settings: Any, folder: Path) -> Iterator[Checked]:
        found: Iterator[Checked] = import_module(room).check(settings, folder)
        return found

    def run(settings: Any, door: Door) -> None:
        with door.busy():
            loaded = import_module(room)
        loaded.run(settings, door)

    return check, run


def _uses(camera: CameraSettings) -> tuple[Use, ...]:
    return () if camera.fields and UNSIZED.issuperset(camera.fields) else (Use.SIGHT,)


def _joins(camera: CameraSettings) -> str:
    """Return the field that this camera may share with another one, "" if it sees no such field alone."""
    return "board" if camera.fields == ("board",) else ""


KINDS: Final = (
    Sensor(
        "camera",
        CameraSettings,
        *_load_late(f"{__name__}.camera"),
        named="field",
        uses=_uses,
        keeps=lambda camera: (camera.keep, camera.keep_mb),
        joins=_joins,
    ),
    Sensor("scale", Scale, *_load_late(f"{__name__}.scale"), named="under"),
)
"""The sensors that come with the box: cameras above one field or several, and scales under trays. Two cameras
may see one board together.
"""
