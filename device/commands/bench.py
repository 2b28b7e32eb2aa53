"""`podesta bench`: engines, presses, calls, latency, reading, journal and event, beside their bars.

`podesta perft GAME`: how many ways there are to make so many choices, in the referee's knowledge. The figure
tells whether what is legal has changed: two versions of the rules are compared by it.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

import engines
from device.commands import (
    CommandError,
    Exit,
    add_copy,
    add_game,
    add_json,
    add_language,
    add_path,
    desk_extra,
    facts_of,
    say,
    show,
    whole,
)
from device.texts import Texts
from engines import matchfile
from engines.contract import Setup
from engines.facts import is_sample
from engines.search import divide, perft

F = TypeVar("F")

SMOKE = os.environ.get("PODESTA_BENCH") == "smoke"
"""True where little is measured, only to see that it can be."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)

    def kind(name: str, what: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        made = kinds.add_parser(name, help=what)
        add_json(made)
        made.set_defaults(run=run)
        return made

    walks = kind("engines", "decisions per second over python-chess, and what else takes time", _engines)
    walks.add_argument(
        "--seconds",
        metavar="S",
        type=_seconds,
        default=0.3 if SMOKE else 5.0,
        help="CPU time for each game and for python-chess (default: %(default)s)",
    )
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
    _number(reading, "turns", 10_000, 10 if SMOKE else 300, "how many random turns to read")
    journal = kind("journal", "a group appended and synced, over a plain write and sync", _journal)
    _number(journal, "groups", 100_000, 50 if SMOKE else 400, "how many groups to append")
    add_path(journal, "--folder", "DIR", "on the disk to measure (default: here)", default=Path())
    event = kind("event", "an event of many boxes at a broker and a desk, faster until the page lags", _event)
    _number(event, "boxes", 500, 2 if SMOKE else 50, "boxes as processes")
    _number(event, "light", 500, 4 if SMOKE else 200, "lighter clients, in one process")
    _number(event, "rates", 12, 2 if SMOKE else 8, "rates at most, each twice the one before")
    event.add_argument(
        "--seconds",
        metavar="S",
        type=_seconds,
        default=2.0 if SMOKE else 20.0,
        help="for each rate (default: %(default)s)",
    )


def _number(parser: argparse.ArgumentParser, name: str, most: int, usual: int, what: str) -> None:
    kind, said = whole(1, most), f"{what} (default: %(default)s)"
    parser.add_argument(f"--{name}", metavar="N", type=kind, default=usual, help=said)


def recorded_matches() -> list[Path]:
    """List the recorded matches of the source tree; none where only the package is installed."""
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
        say("podesta: no ratio without python-chess: pip install 'podesta[bench]'")
    return _shown(options, figures, bench.engines_table)


def _presses(options: argparse.Namespace) -> int:
    from device import bench  # noqa: PLC0415 – brings games, pins and pictures

    return _shown(options, bench.measure_presses(recorded_matches()), bench.presses_table)


def _calls(options: argparse.Namespace) -> int:
    from device import bench  # noqa: PLC0415 – brings games, pins and pictures

    paths = recorded_matches()
    if options.longest:
        by_size = sorted(paths, key=lambda path: path.stat().st_size)
        paths = list(
            {matchfile.read(path.read_text("utf-8"), path.name).game: path for path in by_size}.values()
        )
    return _shown(options, bench.measure_calls(paths), bench.calls_table)


def _latency(options: argparse.Namespace) -> int:
    from device import bench  # noqa: PLC0415 – brings games, pins and pictures

    return _shown(options, bench.measure_latency(options.edges, options.language), _listed)


def _reading(options: argparse.Namespace) -> int:
    from device.sensors.readers import turns  # noqa: PLC0415 – loads a game

    found = turns.measure(options.turns, Path(__file__).parents[2] / "tests" / "readings")
    return _shown(options, found, turns.table)


def _journal(options: argparse.Namespace) -> int:
    from device import bench  # noqa: PLC0415 – brings games, pins and pictures

    return _shown(options, bench.measure_journal(options.groups, folder=options.folder), _listed)


def _event(options: argparse.Namespace) -> int:
    from device.bench import event  # noqa: PLC0415 – brings games, pins and pictures

    with desk_extra():
        figures = event.measure(options.boxes, options.light, options.seconds, options.rates)
    shown = _shown(options, figures, event.table)
    if figures.lost:
        raise CommandError(f"{figures.lost} records are not at the desk")
    return shown


def _shown(options: argparse.Namespace, figures: F, table: Callable[[F], list[str]]) -> int:
    show(options, figures, lambda: table(figures))
    return Exit.FINE


def _listed(figures: msgspec.Struct) -> list[str]:
    """Return a line for each figure that is no list."""
    named = msgspec.structs.asdict(figures).items()
    return [f"{name}: {value}" for name, value in named if not isinstance(value, tuple)]


# podesta perft


def counting(parser: argparse.ArgumentParser) -> None:
    """Add the options that ``podesta perft`` takes."""
    add_game(parser)
    parser.add_argument("--depth", metavar="N", type=whole(1, 99), required=True, help="how many choices")
    parser.add_argument(
        "--position", metavar="TEXT", default="", help="where to count from (default: the start)"
    )
    add_copy(parser)
    parser.add_argument("--divide", action="store_true", help="split the count by the first choice")
    parser.set_defaults(run=_count)


def _count(options: argparse.Namespace) -> int:
    """Print how many positions there are; raises BadPosition, and :class:`CommandError` for a copy's file."""
    game = engines.game(options.game)
    at, facts = options.position, facts_of(options.game, options.copy)
    state = game.position.read(at, facts) if at else game.rules.start(Setup(game.seats[0], facts=facts))
    if options.divide:
        counts = divide(game, state, options.depth)
        for token, count in counts.items():
            print(f"{token}: {count}")
        print(f"total: {sum(counts.values())}")
    else:
        print(perft(game, state, options.depth))
    if is_sample(facts):
        print(Texts.load("en")("facts.sample_match"))
    return Exit.FINE
