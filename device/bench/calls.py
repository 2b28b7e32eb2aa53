"""Python calls of a press that records, and of the page after it.

The recorded matches are played through the menus as :mod:`device.bench.presses` plays them. Counted are
``call`` events of :func:`sys.setprofile` on the thread that presses, those of C functions left out. Nothing
is drawn while the press is counted; the page before it was made, as a display would have shown it.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from types import FrameType

import msgspec

from device.bench.presses import Pilot, play
from device.keys import Key, KeyEvent, Press
from device.menus import Box

RECORD, PAGE = 1500, 3000
"""The bars: so many calls at most of a press that records, and of the page after it."""


class Calls(msgspec.Struct, frozen=True):
    """The medians over a game's ``presses`` that record something: the press, and the page after it."""

    presses: int
    record: float
    page: float

    @classmethod
    def of(cls, counted: Sequence[tuple[int, int]]) -> Calls:
        """Return the medians of counts, each of a press and of its page; there must be one."""
        record, page = (statistics.median(column) for column in zip(*counted, strict=True))
        return cls(len(counted), record, page)

    def missed(self, game: str) -> tuple[str, ...]:
        """Return the bars that are missed, in words with the figures."""
        bars = (("record", self.record, RECORD), ("page", self.page, PAGE))
        return tuple(f"{game} {name}: {calls:g} (bar {bar})" for name, calls, bar in bars if calls > bar)


class CallFigures(msgspec.Struct, frozen=True):
    """The calls by game, and the bars that are missed."""

    games: dict[str, Calls]
    missed: list[str]

    def lines(self) -> list[str]:
        """Return the figures in lines, then the bars that are missed."""
        lines = [
            f"{game}: {one.record:g} calls a press that records, {one.page:g} the page after it "
            f"({one.presses})"
            for game, one in self.games.items()
        ]
        return [*lines, *([f"missed: {text}" for text in self.missed] or ["every bar is met"])]


class Counting(Pilot):
    """A pilot who counts the calls of each press that records, and of the page after it."""

    def __init__(self, box: Box, counted: list[tuple[int, int]]) -> None:
        """Drive ``box``; ``counted`` gets both counts of each press that records."""
        super().__init__(box)
        self.counted = counted

    def key(self, event: KeyEvent) -> None:
        """Press or turn, then make the page."""
        head = self.referee.head
        if event != Press(Key.OK):
            self.box.key(event)
            self.box.page()
            return
        pressed = calls(lambda: self.box.key(event))
        shown = calls(self.box.page)
        if self.referee.head > head:
            self.counted.append((pressed, shown))


def calls(act: Callable[[], object]) -> int:
    """Return the number of calls of Python functions until ``act`` returns, its own included."""
    count = 0

    def note(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


def measure(paths: Iterable[Path]) -> CallFigures:
    """Return the calls of every recording press of these matches, by game."""
    found: dict[str, list[tuple[int, int]]] = {}
    for path in paths:
        counted: list[tuple[int, int]] = []
        played = play(path, partial(Counting, counted=counted))
        found.setdefault(played.game, []).extend(counted)
    games = {game: Calls.of(counted) for game, counted in sorted(found.items()) if counted}
    return CallFigures(games, [text for game, one in games.items() for text in one.missed(game)])
