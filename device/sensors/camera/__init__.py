"""The camera as a sensor: pictures in, readings out.

============ =============================================================================
module       what it holds
============ =============================================================================
``worker``   the work of its process, perhaps with a second camera that looks at the same field
``eye``      one field: its reader, the cost of a reading, and when it counts
============ =============================================================================
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from device.machine import barred
from device.sensors import learnt
from device.sensors.camera.worker import SecondCamera, run
from device.sensors.door import Checked
from device.sensors.learnt import LearntError
from device.sensors.sources import CameraError, load
from device.settings import CameraSettings


def check(camera: CameraSettings, folder: Path) -> Iterator[Checked]:
    """Yield the checks of a camera in the settings."""
    name = f"camera {camera.source}"
    yield _source(camera.source, name)
    try:
        load(camera.source)
    except CameraError as error:
        yield Checked("fail", name, str(error))
        return
    try:
        found = learnt.load_lens(folder.parents[1], camera)
    except LearntError as error:
        own = camera.source == "simulated"  # it knows the lens that it paints through
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
    why = barred(file, "video", os.R_OK)
    return Checked("fail" if why else "ok", name, why or "is there")
