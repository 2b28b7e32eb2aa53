"""The scale's process: words in, readings and troubles out of the door, what was learnt onto the disk."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from device.config import SIMULATED, Scale
from device.sensors.door import BEAT_S, Door
from device.sensors.messages import Beat, Expected
from device.sensors.scale.weighing import calibrating
from device.sensors.scale.weighing.calibrating import CalibrationError
from device.sensors.scale.weighing.core import Trouble, Weighing, WeighingTable
from device.sensors.scale.weighing.sources import NodeWeighing, NoTable, WeighingSource, open_source
from device.sensors.sensor import Checked
from device.sensors.sources import TableError
from device.texts import Texts
from vision.scale.calibration import ENOUGH, PieceCalibration


def run(
    scale: Scale, door: Door, opened: Callable[[Scale, NodeWeighing], WeighingSource] = open_source
) -> None:
    """Weigh until the box is gone. A calibration that cannot be used is told, and learnt anew in play."""
    try:
        source = opened(scale, door)
    except NoTable:
        door.away("scale.no_table")
        while True:
            door.wait(BEAT_S)
    texts = Texts.load()

    def said(one: Trouble) -> Trouble:
        key, figures = one
        simulated = scale.source == SIMULATED
        return ("scale.simulated", {"says": texts(key, **figures)}) if simulated else one

    file: list[Trouble] = []
    try:
        kept = calibrating.load(door.folder, scale.source)
    except CalibrationError as error:
        kept, file = PieceCalibration(), [error.said]
    weighing = Weighing(scale.under, kept)
    while True:
        try:
            words = source.words()
        except TableError as error:
            door.how(Beat(troubles=(("scale.simulated", {"says": str(error)}),)))
            door.wait(BEAT_S)
            continue
        read = weighing.look(_table(door.expected, scale.under), words, time.monotonic_ns() // 1_000_000)
        if read:
            door.reading(scale.under, [(chance, text) for text, chance in read.candidates], read.why)
        if weighing.calibration is not kept:
            kept = weighing.calibration
            file = list(_saved(door.folder, scale.source, kept))
        troubles = (*filter(None, [weighing.trouble]), *file)
        door.how(Beat(said(weighing.says), tuple(map(said, troubles))))


def _table(expected: Expected, what: str) -> WeighingTable:
    return WeighingTable(expected.match, expected.question, expected.lying.get(what))


def _saved(folder: Path, source: str, calibration: PieceCalibration) -> Iterator[Trouble]:
    """Keep it; what hinders that. In memory it holds all the same."""
    try:
        calibrating.save(folder, source, calibration)
    except OSError as error:
        yield "scale.unsaved", {"why": error.strerror or str(error)}


def check(scale: Scale, folder: Path) -> Iterator[Checked]:
    """Return what can be looked at while a box runs: the calibration, and whether the bus is there."""
    name = f"scale {scale.source}"
    if scale.source == "nau7802":
        bus = Path(f"/dev/i2c-{scale.bus}")
        yield (
            Checked("ok", name, f"{bus} is there")
            if bus.exists()
            else Checked("fail", name, f"{bus} is not there (is I2C switched on?)")
        )
    try:
        found = calibrating.load(folder, scale.source)
    except CalibrationError as error:
        key, figures = error.said
        yield Checked("fail", name, Texts.load()(key, **figures))
        return
    if found.enough:
        detail = f"{found.pieces} pieces weighed, {found.mean_mg:.0f} mg each ± {100 * found.error:.1f} %"
        yield Checked("ok", name, detail)
    else:
        detail = (
            f"{found.pieces} of {ENOUGH} pieces weighed: podesta tray calibrate, or play on and enter throws"
        )
        yield Checked("warn", name, detail)
