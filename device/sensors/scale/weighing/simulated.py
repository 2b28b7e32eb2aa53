"""A converter that weighs what lies on the simulated table, for whoever has no scale."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from device.config import Scale
from device.sensors.scale.cell import mg_per_count
from device.sensors.sources import ScaleFault, SimulatedTable, load_table
from vision.scale.simulated import LoadCell, WeighedTable

LOOK_MS: Final = 200
"""The pause between two looks at the table's file."""
LASTS_MS: Final = 2**40
"""A fault lasts until the file has it no more."""
MOST: Final = 300
"""Pieces that there are; what lies there beyond is not weighed."""

FAULTS: Final = {
    ScaleFault.UNPLUGGED: WeighedTable.unplug,
    ScaleFault.SATURATED: WeighedTable.saturate,
    ScaleFault.LIFTED: WeighedTable.lift,
    ScaleFault.HAND: WeighedTable.hand,
    ScaleFault.SHAKEN: WeighedTable.shake,
}
"""How a table has what lasts."""


class Converter:
    """Weighs what lies on the table in ``file``; its samples come as its clock goes."""

    def __init__(self, scale: Scale, file: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Load the table; raises OSError if the file cannot be read, TableError if it holds no table."""
        self._file, self._clock = file, clock
        self._shown = SimulatedTable()
        first = load_table(file)
        per_count = mg_per_count(scale.capacity_g, scale.mv_per_v)
        self._table = WeighedTable(
            first.seed,
            mean_mg=first.keshi_mg,
            spread=first.keshi_spread,
            kinds=1,
            each=MOST,
            cell=LoadCell(per_count, scale.rate, scale.tray_g * 1000),
        )
        self._began_s = clock()
        self._look_ms = 0
        self._raw: int | None = None

    def begin(self) -> None:
        """Do nothing: there is nothing to power up."""

    def ready(self) -> bool:
        """Return True if the cell gave a sample since; raises what :meth:`__init__` does."""
        ms = round((self._clock() - self._began_s) * 1000)
        if ms >= self._look_ms:
            self._look_ms = ms + LOOK_MS
            self._lay(load_table(self._file))
        raws = [one.raw for one in self._table.run(ms - self._table.ms) if one.raw is not None]
        self._raw = raws[-1] if raws else None
        return bool(raws)

    def read(self) -> int | None:
        """Return that sample."""
        return self._raw

    def _lay(self, shown: SimulatedTable) -> None:
        """Lay on, take off and break what differs in the file from before."""
        table = self._table
        more = min(len(shown.keshis), MOST) - len(table.tray)
        if more > 0:
            table.lay([0] * more)
        elif more < 0:
            with suppress(ValueError):  # what still falls is taken at the next look
                table.take([0] * -more)
        for fault in shown.scale_faults ^ self._shown.scale_faults:
            if fault is ScaleFault.REVERSED:
                table.reverse()
            else:
                FAULTS[fault](table, LASTS_MS if fault in shown.scale_faults else 0)
        self._shown = shown
