"""The command `podesta`: reads the command line, runs one subcommand, turns what goes wrong into one line.

>>> main(["rules", "no_such_game"])
<Exit.USAGE: 2>
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from device.errors import DeviceError, Exit

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("run", "the box: keys, screen, lines and panel (--simulate without hardware)"),
    "play": ("terminal", "one match in this terminal"),
    "replay": ("replay", "replay a match file or journal strictly and show the score"),
    "verify": ("verify", "whether a journal, or an exported one, is what was recorded and by the rules"),
    "export": ("export", "a match as match file, table, JSON, BG Stats play, score sheet or log to verify"),
    "explain": ("explain", "one step of a match: who, what, what else was legal, what it changed"),
    "tower": ("replay.tower", "what the cube tower did: inside now, longest inside, out of each throw"),
    "rules": ("rules", "a game's rules, one clause, or which tests cover them"),
    "perft": ("perft", "count the ways to make so many choices"),
    "score": ("score", "the score of a position, or everything wrong with it"),
    "i18n": ("i18n", "the catalogues of another language: bring them up to date, check them"),
    "bench": ("bench", "how fast the engines are, how many presses a turn costs"),
    "plugin": ("plugin", "packages that add sensors and games: list them, check one, begin one"),
    "backup": ("keeping.backup", "everything that the box keeps, in one file"),
    "restore": ("keeping.restore", "go on with what a box had saved by backup"),
    "reset": ("keeping.reset", "the state of a new box; matches stay unless --matches"),
    "doctor": ("checks", "look for trouble: packages, settings, disk, journals, hardware"),
    "node": ("plugin.node", "whether a home-made node on the line keeps to the protocol"),
    "config": ("box", "the settings in force"),
    "judge": ("keeping.judge", "the PIN by which a judge proves to be one"),
    "provision": (
        "event.provision",
        "an event's boxes: a file with table and key for each; a box takes its own",
    ),
    "bundle": ("event.bundle", "every match of an event in one file, with keys and checkpoints"),
    "strike": ("keeping.strike", "take a player's name out of everything that this box keeps, for good"),
    "desk": ("event.desk", "an event's desk: signed results in, what is outstanding, rulings, on a page"),
    "continue": ("event.spare", "a spare box goes on with the match of a box that is gone"),
    "pair": ("keeping.pair", "the code by which a phone takes its seat, for a box without a display"),
    "facts": ("facts", "what is printed on your copy of a game: check, edit, export, import, compare"),
    "markers": (
        "camera.markers",
        "a PDF of markers to print, cut out and lay around a field; the board for calibrating",
    ),
    "camera": ("camera", "calibrate a camera's lens"),
    "tray": ("tray", "the scale under the tray: calibrate, selftest, simulate"),
    "vision": ("vision", "how well the camera's readers do on pictures with truth"),
}
"""Each subcommand: its module in :mod:`device.commands`, its name there if that is not ``run``; its help."""

LONGEST = 2000
"""The most characters of an error that are shown: what it quotes may be a whole file."""

EPILOG = f"""exit status:
  {Exit.FINE}   fine
  {Exit.WRONG}   what was looked at is not right: a replay does not fit, a journal is damaged or forged,
      a position is impossible, a clause lacks a test, doctor found trouble
  {Exit.USAGE}   the command line is not right
  {Exit.UNREADABLE}   a file cannot be found or read
  {Exit.LACKING}   something is not installed here
  {Exit.UNFINISHED}   verify: what there is holds, but the match is not finished, or holds nothing;
      node check: nothing is wrong, but not everything could be tried
  {Exit.BUSY}   another podesta has the state directory
  {Exit.FAULT}  a fault in podesta itself; PODESTA_DEBUG=1 shows where

podesta COMMAND --help tells more about a command."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(Exit.USAGE, f"podesta: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line, by default this process's; returns the exit status, see :class:`Exit`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that cannot show × still gets the figures
    options = argparse.Namespace()
    try:
        status = _run(sys.argv[1:] if argv is None else argv, options)
        sys.stdout.flush()
    except SystemExit as leaving:  # argparse has said why
        return leaving.code if isinstance(leaving.code, int) else Exit.FINE
    except BrokenPipeError:
        # Whoever read our output has seen enough; the interpreter must not fail on it once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + 13
    except KeyboardInterrupt:
        return 128 + 2
    except Exception as error:
        if os.environ.get("PODESTA_DEBUG"):
            raise
        from engines.texts import plain  # noqa: PLC0415 – only when something is wrong

        reasons, status = _explain(error, options)
        for reason in reasons:
            said = plain(" ".join(reason[: 4 * LONGEST].split()))
            print(f"podesta: {said if len(said) <= LONGEST else said[:LONGEST] + ' …'}", file=sys.stderr)
    return status


def _run(argv: Sequence[str], options: argparse.Namespace) -> int:
    parser = _Parser(
        prog="podesta",
        description="A referee and scorer beside the board game table.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and leave")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, (_, what) in COMMANDS.items():
        formatter: Any = argparse.RawDescriptionHelpFormatter
        command = commands.add_parser(name, help=what, description=what, formatter_class=formatter)
        if name == (argv[0] if argv else ""):
            add_options(name, command)
    parser.parse_args(argv, options)
    if options.version:
        print(f"podesta {_find_version()}")
        return Exit.FINE
    if options.command is None:
        parser.error("which command?")
    if not hasattr(options, "state"):
        return options.run(options) or Exit.FINE
    with import_module("device.commands.box").work_in_state(options, argv):
        return options.run(options) or Exit.FINE


def add_options(name: str, parser: argparse.ArgumentParser) -> None:
    """Add what a subcommand takes; the default ``run`` of its parser, or of an action's, is what does it."""
    place, _, called = COMMANDS[name][0].partition(".")
    getattr(import_module(f"device.commands.{place}"), called or "run").fill(parser)


def _find_version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 – slow, and rarely wanted

    try:
        return version("podesta")
    except PackageNotFoundError:
        return "(not installed)"


def _explain(error: Exception, options: argparse.Namespace) -> tuple[Sequence[str], int]:
    """Return the lines and the exit status for an error, an engine's in the language asked for; an unexpected
    one is said to be a fault of ours.
    """
    from device.config import SERVICE_STATE  # noqa: PLC0415 – only when something is wrong
    from device.texts import Texts  # noqa: PLC0415 – likewise
    from engines import GAMES  # noqa: PLC0415 – likewise
    from engines.errors import EngineError  # noqa: PLC0415 – likewise
    from engines.fact_words import error_in_words  # noqa: PLC0415 – likewise
    from engines.texts import DEFAULT_LANGUAGE  # noqa: PLC0415 – likewise

    match error:
        case DeviceError(code=Exit.BUSY):
            how = ": sudo systemctl stop podesta" if str(SERVICE_STATE) in str(error) else ""
            return [f"{error}; stop that one first{how}"], Exit.BUSY
        case DeviceError():
            return error.reasons or [str(error)], error.code
        case EngineError():
            games = (one for one in GAMES if one == getattr(options, "game", ""))
            texts = Texts.load(getattr(options, "language", DEFAULT_LANGUAGE), *games)
            return [error_in_words(error, texts)], Exit.WRONG
        case ModuleNotFoundError():
            lacks = f"{error.name} is not installed here, and this command needs it"
            return [f"{lacks}: pip install 'podesta[box]'"], Exit.LACKING
        case OSError():
            place = f"{error.filename}: " if error.filename else ""
            return [f"{place}{error.strerror or error}"], Exit.UNREADABLE
    kind = type(error).__name__
    return [f"{kind}: {error}; set PODESTA_DEBUG=1 for the traceback"], Exit.FAULT


if __name__ == "__main__":
    sys.exit(main())
