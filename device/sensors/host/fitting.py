"""The sensors that the settings name, as far as the daemon knows them: it runs none of their code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from device.config import Config, PluginSection
from device.sensors import kinds
from device.sensors.messages import Begin
from engines.facts import Use


class Fitted(msgspec.Struct, frozen=True):
    """One section of the settings that is a sensor: what it is called among its kind, and what stands there.

    ``uses`` are the facts of a game that it needs; of its pictures ``keep`` are kept, and ``keep_mb``
    megabytes. ``beside`` is a section that shares its process.
    """

    name: str
    section: PluginSection
    uses: frozenset[Use] = frozenset()
    keep: int = 200
    keep_mb: int = 200
    beside: PluginSection | None = None

    @property
    def sensor(self) -> str:
        """Its kind."""
        return self.section.name

    @property
    def title(self) -> str:
        """Return what the status page calls it."""
        return f"{self.sensor} {self.name}".rstrip()

    def begin(self, state_dir: Path, simulated: Path | None = None) -> Begin:
        """Return what its process is told first."""
        folder = state_dir / "sensors" / self.sensor
        return Begin(self.section, str(folder), str(simulated or ""), self.beside)


def fitted(config: Config, *, safe: bool = False, apart: bool = False) -> Iterator[Fitted]:
    """Yield the sensors that the settings name, kind by kind.

    With ``safe`` they are only those that come with the box. Two sections that work together are one
    sensor, unless they are wanted ``apart``.
    """
    for kind in kinds():
        alone: dict[str, Fitted] = {}
        for number, settings in enumerate(getattr(config, kind.name)):
            section = PluginSection(kind.name, number, msgspec.to_builtins(settings))
            keep, keep_mb = kind.keeps(settings)
            value = section.values[kind.named]
            name = value if isinstance(value, str) else " ".join(value)
            one = Fitted(name, section, frozenset(kind.uses(settings)), keep, keep_mb)
            key = "" if apart else kind.joins(settings)
            first = alone.get(key) if key else None
            if first and first.beside is None:
                alone[key] = msgspec.structs.replace(first, beside=section)
            else:
                alone[f"{key}{number}" if first or not key else key] = one
        yield from sorted(alone.values(), key=lambda one: one.section.number)
    plugins = [section for section in config.plugins if section.name != config.display.driver]
    several = {section.name for section in plugins if section.number}
    for section in () if safe else plugins:
        nth = str(section.number + 1) if section.name in several else ""
        yield Fitted(str(section.values.get("name", nth)), section)
