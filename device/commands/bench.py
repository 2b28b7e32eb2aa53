"""`podesta bench`: engines, presses, calls, latency, reading, journal and event, beside their bars."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

import engines
from device import bench
from device.commands import CommandError, add_json, add_language, add_path, desk_extra, say, show, whole
from engines import matchfile

SMOKE = os.environ.get("PODESTA_BENCH") == "smoke"
"""True where little is measured, only to see that it can be."""

TESTS = Path(__file__).parents[2] / "tests"

Measured = tuple[msgspec.Struct, list[str]]
"""Figures, and the same in lines for people."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)

    def kind(
        name: str, what: str, measure: Callable[[argparse.Namespace], Measured]
    ) -> argparse.ArgumentParser:
        made = kinds.add_parser(name, help=what)
        add_json(made)
        made.set_defaults(measure=measure)
        return made

    walks = kind("engines", "decisions per second over python-chess, and what else takes time", _engines)
    _seconds(walks, 0.3 if SMOKE else 5.0, "CPU time for each game and for python-chess")
    walks.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        type=_option,
        default=[],
        help="measure with this option, where a game has it; may be given several times",
    )
    kind("presses", "key presses and detents per turn of the recorded matches", _presses)
    calls = kind("calls", "Python calls of a press that records, and of the page after it", _calls)
    calls.add_argument(
        "--longest", action="store_true", default=SMOKE, help="of each game the longest recorded match alone"
    )
    latency = kind("latency", "from a key's edge to the first changed byte on the display", _latency)
    _number(latency, "edges", 10_000, 20 if SMOKE else 200, "how many edges to measure")
    add_language(latency)
    reading = kind("reading", "from a layout to the turn that leads there", _reading)
    _number(reading, "turns", 10_000, 10 if SMOKE else 300, "how many random layouts of each game to read")
    journal = kind("journal", "a group appended and synced, over a plain write and sync", _journal)
    _number(journal, "groups", 100_000, 50 if SMOKE else 400, "how many groups to append")
    add_path(journal, "--folder", "DIR", "on the disk to measure (default: here)", default=Path())
    event = kind("event", "an event of many boxes at a broker and a desk, faster until the page lags", _event)
    _number(event, "boxes", 500, 2 if SMOKE else 50, "boxes as processes")
    _number(event, "light", 500, 4 if SMOKE else 200, "lighter clients, in one process")
    _number(event, "rates", 12, 2 if SMOKE else 8, "rates at most, each twice the one before")
    _seconds(event, 2.0 if SMOKE else 20.0, "for each rate")


def _number(parser: argparse.ArgumentParser, name: str, most: int, usual: int, what: str) -> None:
    kind, said = whole(1, most), f"{what} (default: %(default)s)"
    parser.add_argument(f"--{name}", metavar="N", type=kind, default=usual, help=said)


def _seconds(parser: argparse.ArgumentParser, usual: float, what: str) -> None:
    def read(text: str) -> float:
        try:
            if 0 < float(text) <= 3600:
                return float(text)
        except ValueError:
            pass
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds up to 3600")

    said = f"{what} (default: %(default)s)"
    parser.add_argument("--seconds", metavar="S", type=read, default=usual, help=said)


def _option(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    there = [one for game in map(engines.game, engines.GAMES) for one in game.options if one.name == name]
    if not any(value in one.values for one in there):
        values = f"{name}={'|'.join(there[0].values)}" if there else "an option of a game, NAME=VALUE"
        raise argparse.ArgumentTypeError(f"{text!r} is not {values}")
    return name, value


def run(options: argparse.Namespace) -> None:
    """Print the figures; raises :class:`CommandError` where an event lost records."""
    figures, lines = options.measure(options)
    show(options, figures, lambda: lines)
    if lost := getattr(figures, "lost", 0):
        raise CommandError(f"{lost} records are not at the desk")


def recorded_matches() -> list[Path]:
    """List the recorded matches of the source tree; none where only the package is installed."""
    files = (path for path in (TESTS / "matches").rglob("*") if path.is_file())
    return sorted(path for path in files if path.read_bytes().startswith(b"podesta match"))


def _engines(options: argparse.Namespace) -> Measured:
    figures = bench.measure_engines(options.seconds, recorded_matches(), options.option)
    if any(game.ratio is None for game in figures.games.values()):
        say("podesta: no ratio without python-chess: pip install 'podesta[bench]'")
    return figures, bench.engines_table(figures)


def _presses(_options: argparse.Namespace) -> Measured:
    figures = bench.measure_presses(recorded_matches())
    return figures, bench.presses_table(figures)


def _calls(options: argparse.Namespace) -> Measured:
    paths = recorded_matches()
    if options.longest:
        by_size = sorted(paths, key=lambda path: path.stat().st_size)
        longest = {matchfile.read(path.read_text("utf-8"), path.name).game: path for path in by_size}
        paths = list(longest.values())
    figures = bench.measure_calls(paths)
    return figures, bench.calls_table(figures)


def _latency(options: argparse.Namespace) -> Measured:
    return _listed(bench.measure_latency(options.edges, options.language))


def _reading(options: argparse.Namespace) -> Measured:
    figures = bench.measure_reading(options.turns, TESTS / "readings")
    return figures, bench.reading_table(figures)


def _journal(options: argparse.Namespace) -> Measured:
    return _listed(bench.measure_journal(options.groups, folder=options.folder))


def _event(options: argparse.Namespace) -> Measured:
    from device.bench import event  # noqa: PLC0415 – the extra of the desk

    with desk_extra():
        figures = event.measure(options.boxes, options.light, options.seconds, options.rates)
    return figures, event.table(figures)


def _listed(figures: msgspec.Struct) -> Measured:
    """Return figures with a line for each that is no list."""
    named: dict[str, Any] = msgspec.structs.asdict(figures)
    return figures, [f"{name}: {value}" for name, value in named.items() if not isinstance(value, tuple)]
