"""The camera as a sensor: pictures in, readings out.

============ =============================================================================
module       what it holds
============ =============================================================================
``worker``   what its process does, with a second camera that looks at the same field, too
``eye``      one field: its reader, what a reading may cost, and when it counts
============ =============================================================================
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from device.sensors.door import Checked, Door, Sensor
from device.sensors.learnt import LearntError
from device.settings import CameraSettings
from engines.facts import Use


def check(camera: CameraSettings, folder: Path) -> Iterator[Checked]:
    """Return what was looked at of a camera in the settings."""
    from device.sensors import lenses  # noqa: PLC0415 – OpenCV: in the process only
    from device.sensors.sources import CameraError, load  # noqa: PLC0415 – likewise

    name = f"camera {camera.source}"
    yield _source(camera.source, name)
    try:
        load(camera.source)
    except CameraError as error:
        yield Checked("fail", name, str(error))
        return
    try:
        found = lenses.load(folder.parents[1], camera)
    except LearntError as error:
        own = camera.source == "simulated"  # which knows the lens it paints through
        yield Checked("ok" if own else "warn", name, "needs no lens" if own else str(error))
    else:
        yield Checked("ok", name, f"lens of {found.made}, {found.rms_px:.2f} px")


def _source(source: str, name: str) -> Checked:
    path = source.removeprefix("folder:")
    if not path.startswith(("/", "~")):
        return Checked("ok", name, "no file here, not tried")
    file = os.path.expanduser(path)
    if not os.path.exists(file):
        return Checked("fail", name, "is not there; the box waits for it")
    if not os.access(file, os.R_OK):
        return Checked("fail", name, "is not ours to open (is the user in the group video?)")
    return Checked("ok", name, "is there")


def _run(camera: CameraSettings, door: Door) -> None:
    with door.busy():
        from device.sensors.camera import worker  # noqa: PLC0415 – OpenCV: in the process only

    worker.run(camera, door)


UNSIZED: Final = {"tray", "area1", "area2", "market"}
"""Fields that are read without the sizes that a copy's facts have."""


def _uses(camera: CameraSettings) -> tuple[Use, ...]:
    return () if camera.fields and UNSIZED.issuperset(camera.fields) else (Use.SIGHT,)


def _joins(camera: CameraSettings) -> str:
    """Return the field of a camera that another one may see, too."""
    return "board" if camera.fields == ("board",) else ""


CAMERA: Final = Sensor(
    "camera",
    CameraSettings,
    check,
    _run,
    "field",
    _uses,
    lambda camera: (camera.keep, camera.keep_mb),
    _joins,
)
"""A camera above one field or several; two see one board together."""
