"""Sources of a scale's messages: a node on the line, a converter on the box's own pins, or a simulated one.

The callers do not know which: all give :class:`~device.telemetry.Weight`, ``Gate`` and ``Health``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, Protocol

import gpiozero

from device.keys import ControlsError, pin_factory
from device.sensors.scale.cell import HX711, NAU7802, Settling, mg_per_count
from device.sensors.simulated_table import ScaleFault, SimulatedTable
from device.sensors.simulated_table import load as load_table
from device.settings import SIMULATED, Scale
from device.telemetry import Health, ReceivedMessage, ScaleMessage, Weight
from vision.simulated_tray import LoadCell, WeighedTable

LOOK_S: Final = 0.2
"""The pause between two looks at a scale on the box's pins, and the longest wait for a node's message."""
AGAIN_S: Final = 2.0
"""The pause before a converter that does not answer is tried again."""
NAP_S: Final = 0.002
"""The pause between two looks for a sample; samples come every 12.5 ms at most."""


class NoTable(Exception):
    """Error raised when a simulated scale has no simulated table."""


class Converter(Protocol):
    """A converter, as its driver in ``cell`` has it. Its only errors are OSErrors."""

    def begin(self) -> None:
        """Power up and start converting."""

    def ready(self) -> bool:
        """Return True if there is a new sample."""

    def read(self) -> int | None:
        """Return the sample, −8388608 to 8388607, or None for a spoilt one."""


class NodeWeighing(Protocol):
    """A listener to nodes: a :class:`~device.sensors.Door`, or a command with the lines open.

    ``simulated`` is the file of the simulated table, None if everything is real.
    """

    simulated: Path | None

    def wait(self, seconds: float) -> bool:
        """Sleep at most ``seconds``; return True as soon as a node says something."""

    def telemetry(self) -> list[ReceivedMessage]:
        """Return the messages of nodes since the last call, the oldest first."""


def open_source(scale: Scale, door: NodeWeighing) -> OnLine | OnPins:
    """Open the source of the settings; its device may come later. Raises :class:`NoTable`."""
    if scale.node:
        return OnLine(door, scale.node)
    open_chip: Callable[[Scale], Converter] = open_nau7802 if scale.source == "nau7802" else open_hx711
    if scale.source == SIMULATED:
        if door.simulated is None:
            raise NoTable
        open_chip = partial(SimulatedConverter, file=door.simulated)
    settling = Settling(mg_per_count(scale.capacity_g, scale.mv_per_v), tray_mg=round(scale.tray_g * 1000))
    return OnPins(lambda: open_chip(scale), settling, door.wait)


class OnLine:
    """The messages of one node."""

    def __init__(self, door: NodeWeighing, node: str) -> None:
        """Listen only to ``node``; it may be on any line."""
        self._door, self._node = door, node

    def messages(self) -> Sequence[ScaleMessage]:
        """Wait a little; return the node's messages of that time, the oldest first."""
        self._door.wait(LOOK_S)
        return [one.message for one in self._door.telemetry() if one.node == self._node]


class OnPins:
    """The messages of a converter on the box's pins, after settling."""

    def __init__(
        self,
        open_chip: Callable[[], Converter],
        settling: Settling,
        wait: Callable[[float], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open nothing yet; ``open_chip`` opens the converter, or raises OSError, which ``why`` keeps.

        ``wait`` sleeps for the given seconds and is called several times a second.
        """
        self._open, self._settling, self._wait, self._clock = open_chip, settling, wait, clock
        self.why = ""
        self._chip: Converter | None = None
        self._started = False

    def messages(self) -> Sequence[ScaleMessage]:
        """Return the current weight and the cell's health; the first call tells of a restart: the zero is
        unknown.
        """
        if not self._started:
            self._started = True
            return [Health("rebooted")]
        try:
            if self._chip is None:
                self._chip = self._open()
                self._chip.begin()
            self._sample(self._chip)
        except OSError as error:
            self.why = str(error)
            self._chip = None
            self._settling.feed(None, round(self._clock() * 1000))
            self._wait(AGAIN_S)
            return [Health("cell-gone")]
        settling = self._settling
        figures = (("rate", settling.rate), ("noise", settling.noise_mg), ("unique", settling.unique))
        messages: list[ScaleMessage] = [
            Health(settling.health, tuple((key, round(value, 1)) for key, value in figures))
        ]
        if settling.rate:
            messages.append(Weight(settling.mg, settling.sd_mg, settling.state == "rest"))
        return messages

    def _sample(self, chip: Converter) -> None:
        """Take samples for a while; tell the settling if none came."""
        end = self._clock() + LOOK_S
        taken = False
        while (now := self._clock()) < end:
            if chip.ready():
                self._settling.feed(chip.read(), round(now * 1000))
                taken = True
            self._wait(NAP_S)
        if not taken:
            self._settling.feed(None, round(now * 1000))


WeighingSource = OnLine | OnPins
"""The source of a scale's messages."""


def open_nau7802(scale: Scale) -> Converter:
    """Open the NAU7802 on the box's I2C; raises OSError if the bus is missing."""
    from smbus2 import SMBus  # noqa: PLC0415 – only needed with this chip

    wires = SMBus(scale.bus)
    bus = SimpleNamespace(  # like MicroPython's
        readfrom_mem=lambda *where: bytes(wires.read_i2c_block_data(*where)),
        writeto_mem=lambda address, at, data: wires.write_i2c_block_data(address, at, list(data)),
    )
    return NAU7802(bus, lambda ms: time.sleep(ms / 1000), rate=scale.rate)  # type: ignore[no-untyped-call]


def open_hx711(scale: Scale, factory: Any = None) -> Converter:
    """Open the HX711 on two pins of gpiozero's ``factory``, by default the Pi's; raises OSError if absent."""
    try:
        factory = factory or pin_factory("lgpio")
        data, clock = factory.pin(scale.data), factory.pin(scale.clock)
        data.function, clock.function = "input", "output"
    except (ControlsError, gpiozero.GPIOZeroError) as error:
        raise OSError(str(error)) from error
    return HX711(  # type: ignore[no-untyped-call]
        lambda: data.state,
        lambda level: setattr(clock, "state", level),
        lambda: time.monotonic_ns() // 1000,
    )


LOOK_MS: Final = 200
"""The pause between two looks at the table's file."""
LASTS_MS: Final = 2**40
"""The length of a fault: it lasts until it leaves the file."""
MOST: Final = 300
"""The number of pieces that exist; any beyond are not weighed."""

FAULTS: Final = {
    ScaleFault.UNPLUGGED: WeighedTable.unplug,
    ScaleFault.SATURATED: WeighedTable.saturate,
    ScaleFault.LIFTED: WeighedTable.lift,
    ScaleFault.HAND: WeighedTable.hand,
    ScaleFault.SHAKEN: WeighedTable.shake,
}
"""The lasting faults, each with its method of the table."""


class WeighedConverter:
    """A converter under a table that only exists here; its samples follow its clock."""

    def __init__(self, table: WeighedTable, clock: Callable[[], float] = time.monotonic) -> None:
        """Weigh the pieces on the ``table``, whose time begins now."""
        self._table, self._clock = table, clock
        self._began_s = clock()
        self._raw: int | None = None

    def begin(self) -> None:
        """Do nothing: there is nothing to power up."""

    def ready(self) -> bool:
        """Return True if the cell gave a sample since the last call."""
        ms = round((self._clock() - self._began_s) * 1000)
        raws = [one.raw for one in self._table.run(ms - self._table.ms) if one.raw is not None]
        self._raw = raws[-1] if raws else None
        return bool(raws)

    def read(self) -> int | None:
        """Return the last sample."""
        return self._raw


class SimulatedConverter(WeighedConverter):
    """A converter that weighs the pieces on the simulated table in ``file``."""

    def __init__(self, scale: Scale, file: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Load the table; raises OSError if the file cannot be read, TableError if it holds no table."""
        first, per_count = load_table(file), mg_per_count(scale.capacity_g, scale.mv_per_v)
        table = WeighedTable(
            first.seed,
            mean_mg=first.keshi_mg,
            spread=first.keshi_spread,
            kinds=1,
            each=MOST,
            cell=LoadCell(per_count, scale.rate, scale.tray_g * 1000),
        )
        super().__init__(table, clock)
        self._file, self._shown, self._look_ms = file, SimulatedTable(), 0

    def ready(self) -> bool:
        """Return True if the cell gave a sample since the last call; raises as :meth:`__init__`."""
        if self._table.ms >= self._look_ms:
            self._look_ms = self._table.ms + LOOK_MS
            self._lay(load_table(self._file))
        return super().ready()

    def _lay(self, shown: SimulatedTable) -> None:
        """Lay on, take off and break whatever changed in the file."""
        table = self._table
        more = min(len(shown.keshis), MOST) - len(table.tray)
        if more > 0:
            table.lay([0] * more)
        elif more < 0:
            with suppress(ValueError):  # a piece that is still falling is taken at the next look
                table.take([0] * -more)
        for fault in shown.scale_faults ^ self._shown.scale_faults:
            if fault is ScaleFault.REVERSED:
                table.reverse()
            else:
                FAULTS[fault](table, LASTS_MS if fault in shown.scale_faults else 0)
        self._shown = shown
