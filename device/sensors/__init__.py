"""Sensors: parts that look at the table by themselves.

============ =============================================================================
module       what it holds
============ =============================================================================
``sensor``   what a sensor is: its name, its settings, its self-check, what it does
``door``     what a sensor gets of the box: what is expected, and how to say what it reads
``messages`` what the daemon and a sensor's process say to each other
``process``  a sensor's process
``host``     the sensors as the daemon has them: processes kept alive, readings told at the door
``kit``      for whoever builds a sensor: a door for tests, a check, a package to begin with
``camera``   the camera, as a sensor (OpenCV)
``scale``    the scale under a tray, as a sensor (numpy)
``reader``   what reads a picture for a game, as the camera knows it
``sources``  where pictures come from (OpenCV)
``lenses``   the calibrations of lenses (OpenCV)
``readers``  a reader for each game and field; no other file of device/ names a game
============ =============================================================================

OpenCV and numpy are imported in a sensor's process and by commands, never in the daemon.
"""

from device.sensors.door import Door, Ended
from device.sensors.messages import Expected
from device.sensors.sensor import Checked, Sensor, Verdict


def kinds() -> tuple[Sensor, ...]:
    """Return every kind of sensor that comes with the box."""
    from device.sensors.camera import CAMERA  # noqa: PLC0415 – which know what a sensor is
    from device.sensors.scale import SCALE  # noqa: PLC0415 – likewise

    return (CAMERA, SCALE)
