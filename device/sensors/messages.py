"""Messages between the daemon and a sensor's process: one JSON line each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from device import telemetry
from device.settings import PluginSection
from device.texts import Why
from engines.contract import Exact, Multiset, OutOfStep, Several, Told

Troubles = tuple[Why, ...]
"""Texts by key, or plain ones."""


class Begin(msgspec.Struct, frozen=True, tag="begin"):
    """The first line to the process: its section of the settings, its folder in the state directory, and the
    file of the simulated table where there is one. ``beside`` is another section that works with it.
    """

    section: PluginSection
    folder: str
    simulated: str = ""
    beside: PluginSection | None = None


class Expected(msgspec.Struct, frozen=True, tag="expect"):
    """The table by the match with the file ``match``: its ``position`` after so many ``steps``.

    It stands on the match's ``facts``. Sizes are the copy's, in mm, 0 where they are not known. ``answers``
    counts how often people said that the table is so. An empty ``position`` watches nothing.

    ``question`` is what the table is asked, empty where it is not; where that is answered with counts,
    ``domain`` says what can lie there. ``counted`` are numbers of what lies there, told from elsewhere, each
    with its confidence, 0 to 1. ``lying`` says by the record, for each place where pieces lie that can be
    counted, how many do: ``{"tray": 9}``.
    """

    match: str
    steps: int
    game: str
    position: str
    cell_mm: float = 0.0
    block_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    answers: int = 0
    facts: Told = ()
    question: str = ""
    domain: Multiset | None = None
    counted: tuple[tuple[int, float], ...] = ()
    lying: dict[str, int] = {}
    simulated: bool = False


class Heard(msgspec.Struct, frozen=True, tag="told"):
    """A word of a node on the line that this sensor reads."""

    told: telemetry.Told


class Teach(msgspec.Struct, frozen=True, tag="teach"):
    """Ask a camera for the picture it sees now and, with ``learn``, to keep what a copy's pieces look like.

    The answer bears the same ``number``. ``sizes`` are those of pieces, mm by name, where they are told. A
    simulated camera shows what is laid out for that ``game``.
    """

    number: int
    game: str
    sizes: dict[str, tuple[float, float]] = {}
    learn: bool = False


class Beat(msgspec.Struct, frozen=True, tag="beat"):
    """A sign of life, once a second and whenever something changes: how it is, and what is wrong."""

    status: Why = ""
    troubles: Troubles = ()


class Away(msgspec.Struct, frozen=True, tag="away"):
    """The sensor's device is not there, and why; the process goes on trying."""

    why: Why


class Question(msgspec.Struct, frozen=True):
    """A question that the reader cannot answer: what ``cell`` holds. Each of ``answers`` is the number of a
    candidate that stands for one possibility.
    """

    cell: str
    answers: tuple[int, ...]


class Reading(msgspec.Struct, frozen=True, tag="reading"):
    """A reading of the table, for the match and the steps that were expected: layouts or answers, the
    likeliest first, and what each means; the question where one cell is in doubt; the picture as JPEG.

    ``what`` is a sight of the game, or what the table is asked. ``candidates`` are texts with their
    confidence, ``meanings`` as many, or none where the reader knows no rules: then the referee finds out.
    ``why`` is what makes the reader doubt it, ``crop`` a PNG of that, ``beside`` another camera's picture.
    """

    what: str
    match: str
    steps: int
    candidates: tuple[tuple[str, float], ...]
    meanings: tuple[Exact | Several | OutOfStep, ...] = ()
    question: Question | None = None
    picture: bytes = b""
    why: Troubles = ()
    crop: bytes = b""
    beside: bytes = b""


class Taught(msgspec.Struct, frozen=True, tag="taught"):
    """The answer to a :class:`Teach`: what was learnt, or why nothing was, and the picture as JPEG."""

    number: int
    says: Troubles = ()
    learnt: bool = False
    picture: bytes = b""


LOAD: Final = "--load"
"""Asks a process to load its sensor, and to end."""

PRINTED: Final = "--printed="
"""Behind it stands the file that what a sensor prints goes to, else it is a complaint."""

CANNOT: Final = 78
"""What a process ends with whose last complaint says all."""

CHECK: Final = "--check"
"""Asks a process for its sensor's self-check: one :class:`~device.sensors.door.Checked` a line, and to
end.
"""

NOTHING: Final = Expected("", 0, "", "")
"""There is no match: nothing is watched."""

Down = Begin | Expected | Heard | Teach
Up = Beat | Away | Reading | Taught

encode = msgspec.json.Encoder().encode

down: Callable[[bytes], Down] = msgspec.json.Decoder(Down).decode
"""Reads a line to the process; raises ValueError."""

up: Callable[[bytes], Up] = msgspec.json.Decoder(Up).decode
"""Reads a line from the process; raises ValueError."""
