"""The scale under the cube tower's tray: how many pieces lie there.

================== =======================================================================
module             what it holds
================== =======================================================================
``weighing``       from the scale's words to numbers read (numpy)
``cell``           drivers, settling and gates: files that run on a Pico too
================== =======================================================================

What is imported here numpy does not come with: the daemon does without.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from device.sensors.door import Checked, Door, Sensor
from device.settings import Scale


def _check(scale: Scale, folder: Path) -> Iterator[Checked]:
    from device.sensors.scale import weighing  # noqa: PLC0415 – as above

    return weighing.check(scale, folder)


def _run(scale: Scale, door: Door) -> None:
    with door.busy():
        from device.sensors.scale import weighing  # noqa: PLC0415 – as above

    weighing.run(scale, door)


SCALE: Final = Sensor("scale", Scale, _check, _run, named="under")
"""The scales, as the box knows them."""
