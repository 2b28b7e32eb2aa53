"""The sensors that the settings name, as far as the daemon knows them: it runs none of their code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from device.config import Config
from device.sensors import kinds
from device.sensors.messages import Begin
from engines.facts import Use


class Fitted(msgspec.Struct, frozen=True):
    """One section of the settings that is a sensor: of which kind, what it is called, and what stands there.

    ``uses`` are the facts of a game that it needs; of its pictures ``keep`` are kept, and ``keep_mb``
    megabytes.
    """

    sensor: str
    name: str
    section: dict[str, Any]
    uses: frozenset[Use] = frozenset()
    keep: int = 200
    keep_mb: int = 200

    @property
    def title(self) -> str:
        """What the status page calls it."""
        return f"{self.sensor} {self.name}".rstrip()

    def begin(self, state_dir: Path, simulated: Path | None = None) -> Begin:
        """What its process is told first."""
        folder = state_dir / "sensors" / self.sensor
        return Begin(self.sensor, self.section, str(folder), str(simulated or ""))


def fitted(config: Config) -> Iterator[Fitted]:
    """The sensors that the settings name, kind by kind."""
    for kind in kinds():
        for settings in getattr(config, kind.name):
            section = msgspec.to_builtins(settings)
            keep, keep_mb = kind.keeps(settings)
            yield Fitted(
                kind.name, str(section[kind.named]), section, frozenset(kind.uses(settings)), keep, keep_mb
            )
