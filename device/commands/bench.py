"""`podesta bench`: engines, presses, calls, latency, reading, journal and event, beside their bars."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import engines
from device import bench
from device.commands import Command, Option, Options, require_desk, say, show, take
from engines import matchfile

SMOKE = os.environ.get("PODESTA_BENCH") == "smoke"
"""True if a bench measures little, only to show that it works."""

TESTS = Path(__file__).parents[2] / "tests"


class Figures(Protocol):
    """Figures of a bench."""

    def lines(self) -> list[str]:
        """Return the figures for people, the bars beside them."""


Measure = Callable[[Options], Figures]


def _make_kind(what: str, measure: Measure, *takes: Option) -> Command:
    """Return a kind of bench; an event that lost records is an error."""

    def run(options: Options) -> None:
        figures = measure(options)
        lost = getattr(figures, "lost", 0)
        show(options, figures, figures.lines, [f"{lost} records are not at the desk"] * bool(lost))

    return Command((take.json(), *takes), run, what)


def _take_number(name: str, most: int, smoke: int, usual: int, what: str) -> Option:
    default = smoke if SMOKE else usual
    return take.option(
        f"--{name} N", f"{what} (default: %(default)s)", type=take.whole(1, most), default=default
    )


def _take_seconds(smoke: float, usual: float, what: str) -> Option:
    def read(text: str) -> float:
        try:
            if 0 < float(text) <= 3600:
                return float(text)
        except ValueError:
            pass
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds up to 3600")

    default = smoke if SMOKE else usual
    return take.option("--seconds S", f"{what} (default: %(default)s)", type=read, default=default)


def _parse_option(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    there = [one for game in map(engines.game, engines.GAMES) for one in game.options if one.name == name]
    if not any(value in one.values for one in there):
        values = f"{name}={'|'.join(there[0].values)}" if there else "an option of a game, NAME=VALUE"
        raise argparse.ArgumentTypeError(f"{text!r} is not {values}")
    return name, value


def list_recorded_matches() -> list[Path]:
    """List the recorded matches of the source tree; an installed package has none."""
    files = (path for path in (TESTS / "matches").rglob("*") if path.is_file())
    return sorted(path for path in files if path.read_bytes().startswith(b"podesta match"))


def _measure_engines(options: Options) -> Figures:
    figures = bench.measure_engines(options.seconds, list_recorded_matches(), options.option)
    if any(game.ratio is None for game in figures.games.values()):
        say("podesta: no ratio without python-chess: pip install 'podesta[bench]'")
    return figures


def _measure_calls(options: Options) -> Figures:
    paths = list_recorded_matches()
    if options.longest:
        by_size = sorted(paths, key=lambda path: path.stat().st_size)
        longest = {matchfile.read(path.read_text("utf-8"), path.name).game: path for path in by_size}
        paths = list(longest.values())
    return bench.measure_calls(paths)


def _measure_event(options: Options) -> Figures:
    with require_desk():
        from device.bench import event  # noqa: PLC0415 – the extra

        return event.measure(options.boxes, options.light, options.seconds, options.rates)


KINDS = {
    "engines": _make_kind(
        "decisions per second over python-chess, and what else takes time",
        _measure_engines,
        _take_seconds(0.3, 5.0, "CPU time for each game and for python-chess"),
        take.option(
            "--option NAME=VALUE",
            "measure with this option, where a game has it; may be given several times",
            action="append",
            type=_parse_option,
            default=[],
        ),
    ),
    "presses": _make_kind(
        "key presses and detents per turn of the recorded matches",
        lambda _: bench.measure_presses(list_recorded_matches()),
    ),
    "calls": _make_kind(
        "Python calls of a press that records, and of the page after it",
        _measure_calls,
        take.option("--longest", "of each game the longest recorded match alone", default=SMOKE),
    ),
    "latency": _make_kind(
        "from a key's edge to the first changed byte on the display",
        lambda options: bench.measure_latency(options.edges, options.language),
        _take_number("edges", 10_000, 20, 200, "how many edges to measure"),
        take.language,
    ),
    "reading": _make_kind(
        "from a layout to the turn that leads there",
        lambda options: bench.measure_reading(options.turns, TESTS / "readings"),
        _take_number("turns", 10_000, 10, 300, "how many random layouts of each game to read"),
    ),
    "journal": _make_kind(
        "a group appended and synced, over a plain write and sync",
        lambda options: bench.measure_journal(options.groups, folder=options.folder),
        _take_number("groups", 100_000, 50, 400, "how many groups to append"),
        take.option("--folder DIR", "on the disk to measure (default: here)", default=Path()),
    ),
    "event": _make_kind(
        "an event of many boxes at a broker and a desk, faster until the page lags",
        _measure_event,
        _take_number("boxes", 500, 2, 50, "boxes as processes"),
        _take_number("light", 500, 4, 200, "lighter clients, in one process"),
        _take_number("rates", 12, 2, 8, "rates at most, each twice the one before"),
        _take_seconds(2.0, 20.0, "for each rate"),
    ),
}
run = Command(actions=KINDS)
