"""`podesta bench`: engines, presses, calls, latency, reading and journal, beside the bars they must clear."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from device.commands import Exit
from device.commands.values import add_json, whole
from engines import matchfile

_Figures = TypeVar("_Figures", bound=msgspec.Struct)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    engines = kinds.add_parser(
        "engines", help="decisions per second over python-chess, and what else takes time"
    )
    add_json(engines)
    engines.add_argument(
        "--seconds",
        metavar="S",
        type=_seconds,
        default=0.3 if os.environ.get("PODESTA_BENCH") == "smoke" else 5.0,
        help="CPU time for each game and for python-chess (default: %(default)s)",
    )
    engines.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        type=_option,
        default=[],
        help="measure with this option, where a game has it; may be given several times",
    )
    presses = kinds.add_parser("presses", help="key presses and detents per turn of the recorded matches")
    add_json(presses)
    calls = kinds.add_parser("calls", help="Python calls of a press that records, and of the page after it")
    add_json(calls)
    calls.add_argument(
        "--longest",
        action="store_true",
        default=os.environ.get("PODESTA_BENCH") == "smoke",
        help="of each game the longest recorded match alone",
    )
    latency = kinds.add_parser("latency", help="from a key's edge to the first changed byte on the display")
    add_json(latency)
    latency.add_argument(
        "--edges",
        metavar="N",
        type=whole(1, 10_000),
        default=20 if os.environ.get("PODESTA_BENCH") == "smoke" else 200,
        help="how many edges to measure (default: %(default)s)",
    )
    reading = kinds.add_parser("reading", help="from a layout to the turn that leads there")
    add_json(reading)
    reading.add_argument(
        "--turns",
        metavar="N",
        type=whole(1, 10_000),
        default=10 if os.environ.get("PODESTA_BENCH") == "smoke" else 300,
        help="how many random turns to read (default: %(default)s)",
    )
    journal = kinds.add_parser("journal", help="a group appended and synced, over a plain write and sync")
    add_json(journal)
    journal.add_argument(
        "--groups",
        metavar="N",
        type=whole(1, 100_000),
        default=50 if os.environ.get("PODESTA_BENCH") == "smoke" else 400,
        help="how many groups to append (default: %(default)s)",
    )
    journal.add_argument(
        "--folder", metavar="DIR", type=Path, default=Path(), help="on the disk to measure (default: here)"
    )


def run(options: argparse.Namespace) -> int:
    """Measure and print."""
    kinds = {
        "engines": _engines,
        "presses": _presses,
        "calls": _calls,
        "latency": _latency,
        "reading": _reading,
        "journal": _journal,
    }
    return kinds[options.kind](options)


def recorded_matches() -> list[Path]:
    """The recorded matches of the source tree; none where only the package is installed."""
    folder = Path(__file__).parents[2] / "tests" / "matches"
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in files if path.read_bytes().startswith(b"podesta match"))


def _seconds(text: str) -> float:
    try:
        if 0 < float(text) <= 3600:
            return float(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds up to 3600")


def _option(text: str) -> tuple[str, str]:
    import engines  # noqa: PLC0415 – brings games

    name, _, value = text.partition("=")
    there = [one for game in map(engines.game, engines.GAMES) for one in game.options if one.name == name]
    if not any(value in one.values for one in there):
        values = f"{name}={'|'.join(there[0].values)}" if there else "an option of a game, NAME=VALUE"
        raise argparse.ArgumentTypeError(f"{text!r} is not {values}")
    return name, value


def _engines(options: argparse.Namespace) -> int:
    from device import bench  # noqa: PLC0415 – brings games, pins and pictures

    figures = bench.measure_engines(options.seconds, recorded_matches(), options.option)
    if any(game.ratio is None for game in figures.games.values()):
        print("podesta: no ratio without python-chess: pip install 'podesta[bench]'", file=sys.stderr)
    return _print(options, figures, bench.engines_table)


def _presses(options: argparse.Namespace) -> int:
    from device import bench  # noqa: PLC0415 – brings games, pins and pictures

    return _print(options, bench.measure_presses(recorded_matches()), bench.presses_table)


def _calls(options: argparse.Namespace) -> int:
    from device import bench  # noqa: PLC0415 – brings games, pins and pictures

    paths = recorded_matches()
    if options.longest:
        by_size = sorted(paths, key=lambda path: path.stat().st_size)
        paths = list(
            {matchfile.read(path.read_text("utf-8"), path.name).game: path for path in by_size}.values()
        )
    return _print(options, bench.measure_calls(paths), bench.calls_table)


def _latency(options: argparse.Namespace) -> int:
    from device import bench  # noqa: PLC0415 – brings games, pins and pictures

    return _print(options, bench.measure_latency(options.edges), _listed)


def _reading(options: argparse.Namespace) -> int:
    from device.sensors.readers import turns  # noqa: PLC0415 – loads a game

    found = turns.measure(options.turns, Path(__file__).parents[2] / "tests" / "readings")
    return _print(options, found, turns.table)


def _journal(options: argparse.Namespace) -> int:
    from device import bench  # noqa: PLC0415 – brings games, pins and pictures

    return _print(options, bench.measure_journal(options.groups, folder=options.folder), _listed)


def _print(options: argparse.Namespace, figures: _Figures, table: Callable[[_Figures], list[str]]) -> int:
    """Print figures as JSON where that is asked for, else as the lines of ``table``."""
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(figures), indent=2).decode())
    else:
        print("\n".join(table(figures)))
    return Exit.FINE


def _listed(figures: msgspec.Struct) -> list[str]:
    """Return a line for each figure that is no list."""
    named = msgspec.structs.asdict(figures).items()
    return [f"{name}: {value}" for name, value in named if not isinstance(value, tuple)]
