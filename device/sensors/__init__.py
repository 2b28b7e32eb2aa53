"""What looks at the table by itself.

============ =============================================================================
module       what it holds
============ =============================================================================
``sensor``   what a sensor is: its name, its self-check
``messages`` what the daemon and a camera's process say to each other
``reader``   what reads a picture for a game, as the camera's process knows it
``camera``   the cameras as the daemon has them: processes kept alive, readings told at the door
``process``  a camera's process (OpenCV)
``sources``  where pictures come from (OpenCV)
``lenses``   the calibrations of lenses (OpenCV)
``readers``  a reader for each game and field; no other file of device/ names a game
============ =============================================================================

OpenCV and numpy are imported in a camera's process and by commands, never in the daemon.
"""

from device.sensors.sensor import Checked, Sensor


def kinds() -> tuple[Sensor, ...]:
    """Every kind of sensor; imported only here, as a camera's process needs nothing of what tells them."""
    from device.sensors.camera import CAMERA  # noqa: PLC0415

    return (CAMERA,)


__all__ = ["Checked", "Sensor", "kinds"]
