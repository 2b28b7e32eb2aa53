"""`podesta vision bench`: a folder of pictures with truth through the readers, and each game's section."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from device.sensors.readers import BENCHES
from device.sensors.readers.bench import figures
from device.sensors.readers.bench.figures import Stages
from device.sensors.readers.bench.folder import P, PictureWithTruth, Unreadable, look

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

    def __call__(
        self, scenes: Mapping[str, PictureWithTruth[P]], one: Callable[[PictureWithTruth[P]], R], /
    ) -> dict[str, R]:
        """Return what ``one`` makes of each scene."""


class ReportSection(msgspec.Struct, frozen=True):
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


class BenchReport(msgspec.Struct, frozen=True):
    """What a folder's pictures came to: the ``sections`` of the games. ``skipped`` counts pictures of other
    things, ``unreadable`` are files that are not right and ``failed`` pictures at which a reader failed, a
    line each.
    """

    sections: tuple[ReportSection, ...]
    skipped: Mapping[str, int]
    unreadable: tuple[str, ...]
    failed: tuple[str, ...]

    @property
    def figures(self) -> dict[str, Any]:
        """The figures of all games by their key."""
        return {key: one for section in self.sections for key, one in section.figures.items()}

    @property
    def pictures(self) -> tuple[str, ...]:
        """A line for each picture."""
        return tuple(chain.from_iterable(section.pictures for section in self.sections))

    @property
    def wrong(self) -> tuple[str, ...]:
        """Return what went wrong, a line each."""
        return (*self.unreadable, *self.failed)

    def json(self) -> dict[str, Any]:
        """Return the report as it is printed."""
        counts = {"skipped": self.skipped, "unreadable": len(self.unreadable), "faults": len(self.failed)}
        return {**msgspec.to_builtins(self.figures), **counts}


def measure(folder: Path, options: Options) -> BenchReport:
    """Read all pictures of a folder; raises OSError where it cannot be looked into.

    The first picture of a kind is read twice and the second time counts: what a reader makes ready once in
    its life belongs to no picture.
    """
    kinds = {game: import_module(name) for game, name in BENCHES.items()}
    found = look(folder, {game: kind.Truth for game, kind in kinds.items()})
    unreadable, failed = list(found.wrong), list[str]()

    def read(
        scenes: Mapping[str, PictureWithTruth[P]], one: Callable[[PictureWithTruth[P]], R]
    ) -> dict[str, R]:
        first = next(iter(scenes.values()), None)
        done: dict[str, R] = {}
        for name, scene in scenes.items():
            try:
                if scene is first:
                    one(scene)
                done[name] = one(scene)
            except Unreadable as error:
                unreadable.append(f"{scene.picture}: {error}")
            except Exception as error:
                # One picture's fault must not cost the others: it is told, and the exit status tells too.
                why = " ".join(str(error).split())
                failed.append(f"{scene.picture}: {type(error).__name__}: {why}")
        return done

    sections = tuple(kind.measure(found.scenes[game], read, options) for game, kind in kinds.items())
    return BenchReport(sections, found.skipped, tuple(unreadable), tuple(failed))


def table(measured: BenchReport) -> Iterator[str]:
    """Yield the whole of it for people to read."""
    yield from measured.pictures
    for section in measured.sections:
        yield from section.table
    for section in measured.sections:
        for key, taken in section.stages.items():
            yield from (f"{key} {line}" for line in figures.by_stage(taken))
    for kind, number in measured.skipped.items():
        yield f"passed over: {number} of {kind}"
