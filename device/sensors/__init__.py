"""Sensors: parts that look at the table by themselves.

A :class:`Sensor` is a name, a section of the settings, a self-check, and what it does. What it reads goes
into the match by the one door (:mod:`device.match`), as everything else does.

============ =============================================================================
module       what it holds
============ =============================================================================
``door``     what a sensor is, and what it gets of the box: what is expected, how to say what it reads
``messages`` what the daemon and a sensor's process say to each other
``process``  a sensor's process
``learnt``   what was learnt on this box and is kept
``host``     the sensors as the daemon has them: processes kept alive, readings told at the door
``kit``      for whoever builds a sensor: a door for tests, a check, a package to begin with
``camera``   the camera, as a sensor (OpenCV)
``scale``    the scale under a tray, as a sensor (numpy)
``sources``  where pictures come from (OpenCV)
``lenses``   the calibrations of lenses (OpenCV)
``readers``  a reader for each game and field; no other file of device/ names a game
============ =============================================================================

OpenCV and numpy are imported in a sensor's process and by commands, never in the daemon.
"""

from __future__ import annotations

from device.sensors.door import Checked, Door, Ended, Sensor, Verdict
from device.sensors.messages import Expected


def kinds() -> tuple[Sensor, ...]:
    """Return every kind of sensor that comes with the box."""
    from device.sensors.camera import CAMERA  # noqa: PLC0415 – which know what a sensor is
    from device.sensors.scale import SCALE  # noqa: PLC0415 – likewise

    return (CAMERA, SCALE)
