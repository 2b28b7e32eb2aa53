"""The cameras' self-check: whether their process starts, their source is there, and their lens is known.

No camera is opened: a running box may hold it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from device.config import Camera
from device.sensors import messages
from device.sensors.camera.child import cause
from device.sensors.camera.service import COMMAND
from device.sensors.messages import TRY, Begin
from device.sensors.sensor import Checked, Sensor

LONGEST_S: Final = 60.0


def check(
    cameras: Sequence[Camera], state_dir: Path, *, command: Sequence[str] = COMMAND
) -> Iterator[Checked]:
    """What was looked at of each camera in the settings, in their order."""
    for camera in cameras:
        name = f"camera {camera.source}"
        yield _source(camera.source, name)
        dead = _try(Begin(camera, str(state_dir)), command)
        if dead:
            yield Checked("fail", name, f"its process {dead}")
        else:
            yield Checked("ok", name, "its process starts")
            yield _lens(camera, state_dir, name)


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


def _try(begin: Begin, command: Sequence[str]) -> str:
    """Why the process of a camera does not start; empty where it does."""
    try:
        done = subprocess.run(
            [*command, TRY],
            check=False,
            input=messages.encode(begin) + b"\n",
            capture_output=True,
            timeout=LONGEST_S,
        )
    except subprocess.TimeoutExpired:
        return f"does not start within {LONGEST_S:g} s"
    except OSError as error:
        return f"cannot be started: {error}"
    complaints = done.stderr.decode(errors="replace").splitlines()
    return cause(done.returncode, complaints) if done.returncode else ""


def _lens(camera: Camera, state_dir: Path, name: str) -> Checked:
    from device.sensors import lenses  # noqa: PLC0415 – OpenCV: after the process has shown that it loads

    try:
        found = lenses.load(state_dir, camera)
    except lenses.LensError as error:
        own = camera.source == "simulated"  # which knows the lens it paints through
        return Checked("ok" if own else "warn", name, "needs no lens" if own else str(error))
    return Checked("ok", name, f"lens of {found.made}, {found.rms_px:.2f} px")


CAMERA: Final = Sensor("camera", Camera, lambda config, state_dir: check(config.camera, state_dir))
"""The cameras, as the box knows them."""
