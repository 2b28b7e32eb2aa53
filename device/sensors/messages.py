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
    """The first line to the process: its section of the settings and its folder in the state directory.

    ``simulated`` is the file of the simulated table, "" on a real box. ``beside`` is another section that
    works with this one.
    """

    section: PluginSection
    folder: str
    simulated: str = ""
    beside: PluginSection | None = None


class Expected(msgspec.Struct, frozen=True, tag="expect"):
    """The table of the match in the file ``match``: its ``position`` after ``steps`` steps.

    ``facts`` are those of the match. Sizes are the copy's, in mm, 0 if unknown. ``answers`` counts how often
    people confirmed that the table is so. An empty ``position`` means that nothing is watched.

    ``question`` is the name of the table's question, "" without one; if its answer is counts, ``domain`` says
    what can lie there. ``counted`` are numbers of things there that another source told, each with its
    confidence, 0 to 1. ``lying`` gives the record's number of pieces for each place where they can be
    counted: ``{"tray": 9}``.
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
    """A message of a node on the line, for a sensor that reads this node."""

    received: telemetry.ReceivedMessage = msgspec.field(name="told")


class Teach(msgspec.Struct, frozen=True, tag="teach"):
    """A request to a camera for its picture now and, with ``learn``, to keep the look of a copy's pieces.

    The answer bears the same ``number``. ``sizes`` are those of pieces, mm by name, if given. A simulated
    camera shows the sheet of that ``game``.
    """

    number: int
    game: str
    sizes: dict[str, tuple[float, float]] = {}
    learn: bool = False


class Beat(msgspec.Struct, frozen=True, tag="beat"):
    """A sign of life, sent once a second and at every change, with the sensor's status and troubles."""

    status: Why = ""
    troubles: Troubles = ()


class Away(msgspec.Struct, frozen=True, tag="away"):
    """The state of a sensor without its device, and why; the process goes on trying."""

    why: Why


class Question(msgspec.Struct, frozen=True):
    """A question that the reader cannot answer: what ``cell`` holds. Each of ``answers`` is the number of a
    candidate that stands for one possibility.
    """

    cell: str
    answers: tuple[int, ...]


class Reading(msgspec.Struct, frozen=True, tag="reading"):
    """A reading of the table at the expected match and steps: layouts or answers, the likeliest first.

    ``what`` is a sight of the game, or the table's question. ``candidates`` are texts with their confidence.
    ``meanings`` are as many, or none if the reader knows no rules: then the referee finds them. ``question``
    asks about one cell in doubt. ``picture`` is a JPEG, ``why`` the reader's reasons for doubt, ``crop`` a
    PNG of the doubtful part, ``beside`` another camera's picture.
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
"""Option of a process that only loads its sensor."""

PRINTED: Final = "--printed="
"""Prefix of the option that names a file for what a sensor prints; without it that goes to its log."""

CANNOT: Final = 78
"""Exit status of a process whose last complaint says all."""

CHECK: Final = "--check"
"""Option of a process that only checks its sensor: one :class:`~device.sensors.door.Checked` a line."""

NO_MATCH: Final = Expected("", 0, "", "")
"""The table without a match: nothing is watched."""

Down = Begin | Expected | Heard | Teach
Up = Beat | Away | Reading | Taught

encode = msgspec.json.Encoder().encode

down: Callable[[bytes], Down] = msgspec.json.Decoder(Down).decode
"""Decoder of a line to the process; it raises ValueError."""

up: Callable[[bytes], Up] = msgspec.json.Decoder(Up).decode
"""Decoder of a line from the process; it raises ValueError."""
