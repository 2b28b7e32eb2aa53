"""Sensors: parts that look at the table by themselves.

A :class:`Sensor` is a name, a section of the settings, a self-check, and what it does. What it reads goes
into the match by the one door (:mod:`device.match`), as everything else does.

============ =============================================================================
module       what it holds
============ =============================================================================
``door``     what a sensor gets of the box: what is expected, and how to say what it reads
``messages`` what the daemon and a sensor's process say to each other
``process``  a sensor's process
``host``     the sensors as the daemon has them: processes kept alive, readings told at the door
``kit``      for whoever builds a sensor: a door for tests, a check, a package to begin with
``camera``   the camera, as a sensor (OpenCV)
``scale``    the scale under a tray, as a sensor (numpy)
``reader``   what reads a picture for a game, as the camera knows it
``sources``  where pictures come from (OpenCV)
``lenses``   the calibrations of lenses (OpenCV)
``readers``  a reader for each game and field; no other file of device/ names a game
============ =============================================================================

OpenCV and numpy are imported in a sensor's process and by commands, never in the daemon.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from device.sensors.door import Door, Ended
from device.sensors.messages import Expected
from engines.facts import Use

Verdict = Literal["ok", "warn", "fail"]
"""``warn``: it works, but somebody should know. ``fail``: that part of the box will not work."""


class Checked(msgspec.Struct, frozen=True):
    """One check's outcome: ``ok``, ``warn`` or ``fail``, what was checked, what was found and what to do."""

    verdict: Verdict
    name: str
    detail: str


class Sensor(msgspec.Struct, frozen=True):
    """A kind of sensor. Each ``[[name]]`` section of the settings is one, in a process of its own.

    ``settings`` says what a section may hold. ``check(settings, folder)`` looks at one section and opens
    nothing that a running box holds; ``run(settings, door)`` works until the door raises
    :class:`~device.sensors.door.Ended`. Where it returns or raises anything else it begins again, after a
    while. ``folder`` is the sensor's own, :attr:`Door.folder`.

    ``named`` is the setting, a word or several, that tells sections of one kind apart. ``uses(settings)`` are
    the facts of a game that one needs beside those to play, ``keeps(settings)`` how many of its pictures and
    megabytes of them are kept; both are asked of sensors that come with the box. Two sections whose
    ``joins(settings)`` say the same share a process, which has the second as :attr:`Door.beside`; an empty
    one stands alone.
    """

    name: str
    settings: type[msgspec.Struct]
    check: Callable[[Any, Path], Iterator[Checked]]
    run: Callable[[Any, Door], None]
    named: str = "name"
    uses: Callable[[Any], Collection[Use]] = lambda _: ()
    keeps: Callable[[Any], tuple[int, int]] = lambda _: (200, 200)
    joins: Callable[[Any], str] = lambda _: ""


def kinds() -> tuple[Sensor, ...]:
    """Return every kind of sensor that comes with the box."""
    from device.sensors.camera import CAMERA  # noqa: PLC0415 – which know what a sensor is
    from device.sensors.scale import SCALE  # noqa: PLC0415 – likewise

    return (CAMERA, SCALE)
