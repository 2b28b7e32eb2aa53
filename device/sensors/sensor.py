"""What a sensor is to the box: a name, a section of the settings, and a self-check.

What it reads goes into the match by the one door (:mod:`device.match`), as everything else does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from device.config import Config


class Checked(msgspec.Struct, frozen=True):
    """One thing that a sensor's self-check looked at: ``warn`` works, but somebody should know."""

    verdict: Literal["ok", "warn", "fail"]
    name: str
    detail: str


class Sensor(msgspec.Struct, frozen=True):
    """A kind of sensor: its ``name`` in texts and in the config (``[[name]]``), what a section of it may hold
    (``settings``), and its self-check.

    ``check(config, state_dir)`` looks at all of the kind that are set, and opens nothing that a running box
    holds. Running ones have ``states``, each with a ``line`` for the status page, and ``run()``.
    """

    name: str
    settings: type[msgspec.Struct]
    check: Callable[[Config, Path], Iterator[Checked]]
