"""What looks at the table by itself.

============ =============================================================================
module       what it holds
============ =============================================================================
``sensor``   what a sensor is: its name, its self-check
``messages`` what the daemon and a camera's process say to each other
``reader``   what reads a picture for a game, as the camera's process knows it
``camera``   the cameras' processes: kept alive, told what is expected, and what they read
``sources``  where pictures come from (OpenCV)
``lenses``   the calibrations of lenses (OpenCV)
``readers``  a reader for each game and field; no other file of device/ names a game
============ =============================================================================

OpenCV and numpy are imported in a camera's process and by commands, never in the daemon.
"""

from device.sensors.camera import CAMERA
from device.sensors.sensor import Checked, Sensor

SENSORS: tuple[Sensor, ...] = (CAMERA,)
"""Every kind there is."""

__all__ = ["SENSORS", "Checked", "Sensor"]
