"""The camera as a sensor: pictures in, readings out.

============ =============================================================================
module       what it holds
============ =============================================================================
``worker``   what its process does
``second``   another camera that looks at the same field
``eye``      one field: its reader, and the watch over it
``watching`` when to read, and when a reading counts
``bounds``   what a reading may cost
``checking`` the self-check
============ =============================================================================
"""

from typing import Final

from device.config import CameraSettings
from device.sensors.camera.checking import check
from device.sensors.door import Door
from device.sensors.sensor import Sensor
from engines.facts import Use


def _run(camera: CameraSettings, door: Door) -> None:
    with door.busy():
        from device.sensors.camera import worker  # noqa: PLC0415 – OpenCV: in the process only

    worker.run(camera, door)


UNSIZED: Final = {"tray", "area1", "area2", "market"}
"""Fields that are read without the sizes that a copy's facts have."""


def _uses(camera: CameraSettings) -> tuple[Use, ...]:
    return () if camera.fields and UNSIZED.issuperset(camera.fields) else (Use.SIGHT,)


def _keeps(camera: CameraSettings) -> tuple[int, int]:
    return camera.keep, camera.keep_mb


def _joins(camera: CameraSettings) -> str:
    """Return the field of a camera that another one may see, too."""
    return "board" if camera.fields == ("board",) else ""


CAMERA: Final = Sensor("camera", CameraSettings, check, _run, "field", _uses, _keeps, _joins)
"""A camera above one field or several; two see one board together."""

__all__ = ["CAMERA"]
