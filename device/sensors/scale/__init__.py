"""The scale under the cube tower's tray: how many pieces lie there (numpy).

=============== ==========================================================================
module          what it holds
=============== ==========================================================================
``weighing``    the judgement of a scale's messages: no input or output
``sources``     sources of its messages: a node, a converter on the box's pins, a simulated one
``calibrating`` the weight of a piece: pieces counted in, and the file in the state directory
``cell``        drivers and settling: files that run on a Pico too
=============== ==========================================================================
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from device.sensors.door import BEAT_S, Checked, Door
from device.sensors.learnt import LearntError
from device.sensors.messages import Beat, Troubles
from device.sensors.scale.calibrating import Calibrating, load, save
from device.sensors.scale.sources import NoTable, OnPins, WeighedConverter, WeighingSource, open_source
from device.sensors.scale.weighing import Weighing
from device.sensors.simulated_table import TableError
from device.settings import SIMULATED, Scale
from device.texts import Why, cause_of, said
from vision.scale.calibration import ENOUGH, PieceCalibration


def run(scale: Scale, door: Door) -> None:
    """Weigh until the box is gone. An unusable calibration is told, and learnt again in play."""
    try:
        source = open_source(scale, door)
    except NoTable:
        door.away("scale.no_table")
        while True:
            door.wait(BEAT_S)
    simulated = scale.source == SIMULATED

    def marked(one: Why) -> Why:
        return said("scale.simulated", says=one) if simulated else one

    file: Troubles = ()
    try:
        kept = load(door.folder, scale.source)
    except LearntError as error:
        kept, file = PieceCalibration(), (cause_of(error),)
    weighing = Weighing(scale.under, kept)
    while True:
        try:
            messages = source.messages()
        except TableError as error:
            door.how(Beat(troubles=(said("scale.simulated", says=cause_of(error)),)))
            door.wait(BEAT_S)
            continue
        read = weighing.look(door.expected, messages, time.monotonic_ns() // 1_000_000)
        if read:
            door.reading(scale.under, *read)
        if weighing.calibration is not kept:
            kept, file = weighing.calibration, ()
            try:
                save(door.folder, scale.source, kept)
            except OSError as error:  # it still holds in memory
                file = (said("scale.unsaved", why=cause_of(error)),)
        troubles = (*filter(None, [weighing.trouble]), *file)
        door.how(Beat(marked(weighing.says), tuple(map(marked, troubles))))


def check(scale: Scale, folder: Path) -> Iterator[Checked]:
    """Yield checks that a running box allows: of the bus and of the calibration."""
    name = f"scale {scale.source}"
    if scale.source == "nau7802":
        bus = Path(f"/dev/i2c-{scale.bus}")
        there = bus.exists()
        detail = "is there" if there else "is not there (is I2C switched on?)"
        yield Checked("ok" if there else "fail", name, f"{bus} {detail}")
    try:
        found = load(folder, scale.source)
    except LearntError as error:
        yield Checked("fail", name, str(error))
        return
    detail = f"{found.pieces} of {ENOUGH} pieces weighed: podesta tray calibrate, or play on and enter throws"
    if found.enough:
        detail = f"{found.pieces} pieces weighed, {found.mean_mg:.0f} mg each ± {100 * found.error:.1f} %"
    yield Checked("ok" if found.enough else "warn", name, detail)
