"""The camera's self-check: whether its source is there, what it needs can be loaded, and its lens is known.

No camera is opened: a running box may hold it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from device.config import CameraSettings
from device.sensors.sensor import Checked


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
    except lenses.LensError as error:
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
