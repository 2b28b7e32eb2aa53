"""Help for building a sensor: a door for its tests, a check of its behaviour, a package to begin with.

=============== =============================================================================
module          what it holds
=============== =============================================================================
``conformance`` a sensor's process at a simulated box: its faults, each with a remedy
``template``    the files of ``podesta plugin new``
=============== =============================================================================
"""

from __future__ import annotations

import queue
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import engines.kit
from device.sensors import KINDS, messages
from device.sensors.door import Door, Ended
from device.sensors.kit.conformance import conforming
from device.sensors.messages import Away, Beat, Begin, Expected, Heard, Reading
from device.settings import PluginSection, Settings
from device.telemetry import ReceivedMessage

NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
SENSOR: Final = Path(__file__).parent / "template"
GAME: Final = Path(engines.kit.__file__).parent / "template"
"""The game of ``engines/README.md``."""


class SimulatedDoor(Door):
    """A door for tests: each :meth:`wait` takes the next of ``scenes`` at once: a match, a node's message, or
    nothing. After the last one the box is gone.
    """

    def __init__(self, folder: Path, scenes: Iterable[Expected | ReceivedMessage | None]) -> None:
        """Play ``scenes`` to a sensor whose own folder is ``folder``."""
        self.said: list[messages.Up] = []
        super().__init__(
            Begin(PluginSection("simulated", 0, {}), str(folder)), queue.SimpleQueue(), self.said.append
        )
        self._scenes = iter(scenes)

    @property
    def readings(self) -> list[Reading]:
        """All readings so far."""
        return [one for one in self.said if isinstance(one, Reading)]

    def wait(self, seconds: float) -> bool:
        """Go on to the next scene; raises :class:`Ended` after the last."""
        try:
            scene = next(self._scenes)
        except StopIteration:
            raise Ended from None
        if scene is not None:
            self._receive(messages.encode(Heard(scene) if isinstance(scene, ReceivedMessage) else scene))
        return scene is not None


class MakingError(ValueError):
    """Error raised when no package can be made, with the reason."""


def make(name: str, folder: Path, *, game: bool = False) -> list[Path]:
    """Write the package of a sensor or a ``game`` into the new ``folder``; return its files.

    :raises MakingError: if the name is invalid or taken, or the folder exists.
    """
    if not NAME.fullmatch(name):
        raise MakingError(f"{name!r} is not up to 32 of a-z, 0-9 and _, beginning with a letter")
    if game and name in engines.GAMES:
        raise MakingError(f"game {name} comes with the box")
    if not game and (name in Settings.__struct_fields__ or name in {kind.name for kind in KINDS}):
        raise MakingError(f"{name} is a section of the box's own settings")
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise MakingError(f"{folder}: exists") from None
    made, template = [], GAME if game else SENSOR
    for file in template.rglob("*.txt"):
        path = folder / named(str(file.relative_to(template)).removesuffix(".txt"), name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(named(file.read_text("utf-8"), name), "utf-8")
        made.append(path)
    return sorted(made)


def named(text: str, name: str) -> str:
    """Return a template's text for ``name``: ``nines``, and ``Nines`` for people."""
    return text.replace("MINE", name).replace("TITLE", name.replace("_", " ").capitalize())
