"""A sensor as the box knows it: a name, a section of the settings, a self-check, and what it does.

What it reads goes into the match by the one door (:mod:`device.match`), as everything else does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from device.sensors.door import Door
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
