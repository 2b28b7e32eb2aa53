"""How long a number takes from the last piece that fell to the line, stage by stage, in simulated time.

The stages are those of the tray's node; what the box makes of it comes on top.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from device.sensors.scale.cell import SPAN_MG, Settling

BAUD: Final = 115200
WORDS: Final = ("gate 1 12", "gate 2 12", "weight 12345 12 rest")
"""What a node with two gates says when its load has come to rest."""


class Latency(msgspec.Struct, frozen=True):
    """Milliseconds from the last piece on the tray.

    ``filter_ms`` until the filtered samples stay near where they end, ``rest_ms`` from there until the load
    counts as at rest, ``line_ms`` until the box has the last byte of the weight.
    """

    filter_ms: int
    rest_ms: int
    line_ms: int

    @property
    def total_ms(self) -> int:
        """All stages together."""
        return self.filter_ms + self.rest_ms + self.line_ms


def latency(settling: Settling, samples: Iterable[tuple[int, int | None]], landed_ms: int) -> Latency | None:
    """The stages of the first rest after ``landed_ms``, when the last piece touched the tray.

    ``samples`` are (ms, raw) from before that on; ``settling`` takes them. None where they end before a rest.
    """
    moved: list[tuple[int, int]] = []
    rests = settling.rests
    for ms, raw in samples:
        settling.feed(raw, ms)
        if ms < landed_ms:
            rests = settling.rests
        elif settling.state == "moving":
            moved.append((ms, settling.mg))
        elif moved and settling.rests > rests:
            near = [at for at, mg in moved if abs(mg - settling.mg) > SPAN_MG / 2]
            filtered = max([landed_ms, *near])
            return Latency(filtered - landed_ms, ms - filtered, line_ms())
    return None


def line_ms() -> int:
    """How long :data:`WORDS` are on a serial line, in ms, rounded up; a byte is ten bits."""
    told = sum(len(f"\n4294967295 {word}*FFFF\n") for word in WORDS)
    return -(-told * 10 * 1000 // BAUD)
