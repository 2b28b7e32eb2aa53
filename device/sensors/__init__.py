"""Sensors: parts that look at the table by themselves.

A :class:`Sensor` is a name, a section of the settings, a self-check, and what it does. What it reads goes
into the match by the one door (:mod:`device.match`), as everything else does.

============ =============================================================================
module       what it holds
============ =============================================================================
``door``     what a sensor is, and what it gets of the box: what is expected, how to say what it reads
``messages`` what the daemon and a sensor's process say to each other
``process``  a sensor's process
``learnt``   what was learnt on this box and is kept; the calibrations of lenses
``host``     the sensors as the daemon has them: processes kept alive, readings told at the door
``kit``      for whoever builds a sensor: a door for tests, a check, a package to begin with
``camera``   the camera, as a sensor (OpenCV)
``scale``    the scale under a tray, as a sensor (numpy)
``simulated_table`` a table that only exists here, as a file
``sources``  where pictures come from (OpenCV)
``readers``  a reader for each game and field; no other file of device/ names a game
============ =============================================================================

OpenCV and numpy are imported in a sensor's process and by commands, never in the daemon.
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
"""Fields that are read without the sizes that a copy's facts have."""


def _loaded(room: str) -> tuple[Callable[[Any, Path], Iterator[Checked]], Callable[[Any, Door], None]]:
    """Return a room's ``check`` and ``run``; it is loaded when they are called."""

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
    """Return the field of a camera that another one may see, too."""
    return "board" if camera.fields == ("board",) else ""


KINDS: Final = (
    Sensor(
        "camera",
        CameraSettings,
        *_loaded(f"{__name__}.camera"),
        named="field",
        uses=_uses,
        keeps=lambda camera: (camera.keep, camera.keep_mb),
        joins=_joins,
    ),
    Sensor("scale", Scale, *_loaded(f"{__name__}.scale"), named="under"),
)
"""The sensors that come with the box: cameras above one field or several, of which two see one board
together, and scales under trays.
"""


def kinds() -> tuple[Sensor, ...]:
    """Return every kind of sensor that comes with the box."""
    return KINDS
