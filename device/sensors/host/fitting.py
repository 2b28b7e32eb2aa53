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
    megabytes.
    """

    name: str
    section: PluginSection
    uses: frozenset[Use] = frozenset()
    keep: int = 200
    keep_mb: int = 200

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
        return Begin(self.section, str(folder), str(simulated or ""))


def fitted(config: Config, *, safe: bool = False) -> Iterator[Fitted]:
    """The sensors that the settings name, kind by kind; with ``safe`` only those that come with the box."""
    for kind in kinds():
        for number, settings in enumerate(getattr(config, kind.name)):
            section = PluginSection(kind.name, number, msgspec.to_builtins(settings))
            keep, keep_mb = kind.keeps(settings)
            value = section.values[kind.named]
            name = value if isinstance(value, str) else " ".join(value)
            yield Fitted(name, section, frozenset(kind.uses(settings)), keep, keep_mb)
    plugins = [section for section in config.plugins if section.name != config.display.driver]
    several = {section.name for section in plugins if section.number}
    for section in () if safe else plugins:
        nth = str(section.number + 1) if section.name in several else ""
        yield Fitted(str(section.values.get("name", nth)), section)
