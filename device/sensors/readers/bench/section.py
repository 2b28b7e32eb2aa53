"""What a game's pictures came to: its part of the report, and its lines for people."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from device.sensors.readers.bench.figures import Stages


class Section(msgspec.Struct, frozen=True):
    """``figures`` by their key in the report; a line for each picture; what stages took how long, by key."""

    figures: Mapping[str, msgspec.Struct]
    pictures: tuple[str, ...]
    stages: Mapping[str, tuple[Stages, ...]]


def line(name: str, word: str, stages: Stages, note: str) -> str:
    """Return a picture's line: what it came to and how long that took."""
    spent = sum(ms for _, ms in stages)
    return f"{name}: {word}, {spent:.0f} ms{': ' if note else ''}{note}"
