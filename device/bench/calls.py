"""Python calls of a press that records, and of the page after it.

It plays the recorded matches through the menus, as :mod:`device.bench.presses` does, and counts the ``call``
events of :func:`sys.setprofile` on the pressing thread, without C functions. Nothing is drawn during the
press; the page before it was made, as for a display.
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
"""The bars: the most calls of a press that records, and of the page after it."""


class Calls(msgspec.Struct, frozen=True):
    """The medians over a game's recording ``presses``: of the press, and of the page after it."""

    presses: int
    record: float
    page: float

    @classmethod
    def of(cls, counted: Sequence[tuple[int, int]]) -> Calls:
        """Return the medians of at least one pair of counts, of a press and of its page."""
        record, page = (statistics.median(column) for column in zip(*counted, strict=True))
        return cls(len(counted), record, page)

    def missed(self, game: str) -> tuple[str, ...]:
        """Return the missed bars in words, with the figures."""
        bars = (("record", self.record, RECORD), ("page", self.page, PAGE))
        return tuple(f"{game} {name}: {calls:g} (bar {bar})" for name, calls, bar in bars if calls > bar)


class CallFigures(msgspec.Struct, frozen=True):
    """The calls by game, and the missed bars."""

    games: dict[str, Calls]
    missed: list[str]

    def lines(self) -> list[str]:
        """Return the figures in lines, then the missed bars."""
        lines = [
            f"{game}: {one.record:g} calls a press that records, {one.page:g} the page after it "
            f"({one.presses})"
            for game, one in self.games.items()
        ]
        return [*lines, *([f"missed: {text}" for text in self.missed] or ["every bar is met"])]


class Counting(Pilot):
    """A pilot who counts the calls of each recording press, and of the page after it."""

    def __init__(self, box: Box, counted: list[tuple[int, int]]) -> None:
        """Drive ``box``; ``counted`` gets both counts of each recording press."""
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
