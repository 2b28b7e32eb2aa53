"""What a game's pictures came to: its part of the report, and its lines for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

import msgspec

from device.sensors.readers.bench.figures import Stages
from device.sensors.readers.bench.folder import P, Scene

R = TypeVar("R")


class Options(msgspec.Struct, frozen=True):
    """What of a truth the readers may use: with ``prior`` what stood there before and whose turn it was, with
    ``scale`` the weight, with ``one_view`` no more than the first picture. In an ``evening`` the pictures are
    turns of one match by one fixed camera, in the order of their names.
    """

    prior: bool = False
    scale: bool = False
    one_view: bool = False
    evening: bool = False
    by_keys: Callable[[str, str, Sequence[str]], int] = lambda *_: 0
    """How many presses it costs to enter the steps of a turn at the keys, of a game from a position."""


class Each(Protocol):
    """Reads scenes one by one; those that cannot be read are left out, and told."""

    def __call__(self, scenes: Mapping[str, Scene[P]], one: Callable[[Scene[P]], R], /) -> dict[str, R]:
        """Return what ``one`` makes of each scene."""


class Section(msgspec.Struct, frozen=True):
    """``figures`` by their key in the report; a line for each picture; the figures for people; what stages
    took how long, by key.
    """

    figures: Mapping[str, msgspec.Struct]
    pictures: tuple[str, ...]
    table: tuple[str, ...]
    stages: Mapping[str, tuple[Stages, ...]]


def line(name: str, word: str, stages: Stages, note: str) -> str:
    """Return a picture's line: what it came to and how long that took."""
    spent = sum(ms for _, ms in stages)
    return f"{name}: {word}, {spent:.0f} ms{': ' if note else ''}{note}"


def lines(key: str, figures: msgspec.Struct) -> tuple[str, ...]:
    """Return figures for people, a line each; of no picture none."""
    found = msgspec.to_builtins(figures)
    return tuple(f"{key}: {name.replace('_', ' ')} {value}" for name, value in found.items() if found["n"])
