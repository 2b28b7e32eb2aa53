"""Times of explaining a layout by the steps that lead to it, by game.

A layout of a random match some choices after a state may have an explanation. One of a later turn has none
and takes longest, as every explanation must be ruled out. Recorded layouts are the slowest ever found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import process_time
from typing import Any

import msgspec

import engines
from device.bench.engines import random_play, usual
from engines.contract import Game, OutOfStep
from engines.search import explain

BARS = {"median_ms": "< 100", "p99_ms": "< 1000"}
LATER = 12
"""The most choices between a state and the layout that is read there."""


class ReadingTimes(msgspec.Struct, frozen=True):
    """CPU times in ms of ``readings``, and the number out of step; ``worst`` is the slowest as ``position |
    layout``.
    """

    readings: int
    out_of_step: int
    median_ms: float
    p99_ms: float
    worst_ms: float
    worst: str


class ReadingFigures(msgspec.Struct, frozen=True):
    """Times by game of random layouts, and of recorded ones if there are any."""

    games: dict[str, ReadingTimes]
    recorded: dict[str, ReadingTimes]

    def lines(self) -> list[str]:
        """Return the figures for people, with the bars."""
        lines = list[str]()
        # Recorded layouts are the slowest of thousands, so their median has no bar.
        for what, games, bars in (("", self.games, BARS), (" recorded", self.recorded, {})):
            for game, found in games.items():
                values: Sequence[tuple[str, Any]] = list(msgspec.structs.asdict(found).items())
                lines += [
                    f"{game}{what} {name}: {value} {bars.get(name, '')}".rstrip() for name, value in values
                ]
        return lines


Case = tuple[Any, Any]
"""A state and the next layout seen."""


def cases(game: Game[Any, Any], rng: Random) -> Iterator[Case]:
    """Yield random states without end, each with a different layout of some choices later."""
    sight = game.sight
    while True:
        states = [state for state, _, _ in random_play(game, game.rules.start(usual(game)), rng)]
        for at, state in enumerate(states[:-LATER]):
            seen = sight.of(states[at + rng.randint(1, LATER)])
            if seen != sight.of(state):
                yield state, seen


def recorded(game: Game[Any, Any], folder: Path) -> list[Case]:
    """Read a game's file of lines ``position | layout``, ``#`` before a remark; none without one."""
    file = folder / f"{game.id}.txt"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    pairs = (line.split(" | ") for line in lines if line and line[0] != "#")
    return [(game.position.read(position), game.sight.read(layout)) for position, layout in pairs]


def times(game: Game[Any, Any], read: Iterable[Case]) -> ReadingTimes:
    """Explain at least one case, and return the times."""
    spent, out_of_step, worst = list[float](), 0, ""
    for state, layout in read:
        begin = process_time()
        found = explain(game, game.sight, state, layout)
        spent.append((process_time() - begin) * 1000)
        out_of_step += isinstance(found, OutOfStep)
        if spent[-1] == max(spent):
            worst = f"{game.position.write(state)} | {game.sight.written(layout)}"
    percentiles = quantiles(spent, n=100, method="inclusive") if len(spent) > 1 else spent * 99
    middle, late, most = (round(ms, 2) for ms in (median(spent), percentiles[98], max(spent)))
    return ReadingTimes(len(spent), out_of_step, middle, late, most, worst)


def measure(number: int, folder: Path, seed: int = 1) -> ReadingFigures:
    """Explain ``number`` random layouts of each game, and those recorded in ``folder``."""
    games = [engines.game(name) for name in engines.GAMES]
    drawn = {game.id: times(game, islice(cases(game, Random(seed)), number)) for game in games}
    known = {game.id: times(game, kept) for game in games if (kept := recorded(game, folder))}
    return ReadingFigures(drawn, known)
