"""What one `[[scale]]` of the settings may hold."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from device.config import Pin, Word

Source = Annotated[
    str,
    Meta(
        pattern=r"\A(line:[a-z0-9_-]{1,32}|nau7802|hx711)\Z",
        description="line:NODE, such as line:tray-1, or nau7802 or hx711 on the box's own pins",
    ),
]


class Scale(msgspec.Struct, frozen=True):
    """A load cell, and what of the game lies on it: what the table is asked by the name ``under``.

    ``source`` is a node on a line, which knows its own cell, or the converter on the box's pins: ``nau7802``
    on I2C ``bus``, ``hx711`` on the pins ``data`` and ``clock``. For these ``capacity_g`` and ``mv_per_v``
    stand on the cell's data sheet, ``rate`` is in samples a second (80 or 10 on an HX711, as its pin RATE is
    wired), and ``tray_g`` is what the empty tray weighs.
    """

    source: Source
    under: Word = "tray"
    bus: Annotated[int, Meta(ge=0, le=22)] = 1
    data: Pin = 20
    clock: Pin = 21
    rate: Literal[10, 20, 40, 80] = 80
    capacity_g: Annotated[float, Meta(ge=50, le=20_000)] = 500.0
    mv_per_v: Annotated[float, Meta(ge=0.1, le=5)] = 1.0
    tray_g: Annotated[float, Meta(ge=0, le=5_000)] = 150.0

    @property
    def node(self) -> str:
        """The node on a line; empty for a converter on the box's pins."""
        return self.source.partition(":")[2]
