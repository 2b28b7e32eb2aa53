"""Subcommands of `podesta`, most in a module of their own.

A module's ``arguments(parser)`` declares what the subcommand takes; its ``run(options) -> int`` does the work
and returns an :class:`Exit`. If a module has several subcommands, or a subcommand has actions, each parser's
default ``run`` names the function. A pure function in between makes the data to print. `podesta` imports only
the module of the given subcommand, and heavy libraries (pins, pictures, servers) only where they are used.

A :class:`device.errors.DeviceError` is left to :mod:`device.cli`, which tells it and leaves with its status.
Here are the options that several take, and the ways in which they print.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

import engines
from device.copy_file import parse
from device.errors import DeviceError, Exit
from device.files import read_file
from device.texts import Texts
from engines.contract import Setup, Told
from engines.errors import UnknownGame
from engines.fact_words import FactWords
from engines.facts import as_header, playable, schema
from engines.packages import points
from engines.texts import DEFAULT_LANGUAGE, breadth, plain
from engines.trying import Trial


class CommandError(DeviceError):
    """A command's failure, for one or several reasons, each in one line."""

    def __init__(self, *reasons: str, code: Exit = Exit.WRONG) -> None:
        """Take the reasons; ``code`` becomes the exit status."""
        super().__init__("\n".join(reasons))
        self.reasons = reasons
        self.code = code


def add_path(parser: argparse.ArgumentParser, name: str, called: str, what: str, **more: Any) -> None:
    """Add the argument ``name``, a file or a folder; the help calls it ``called`` and explains ``what``."""
    parser.add_argument(name, metavar=called, type=Path, help=what, **more)


def game_id(text: str) -> str:
    """Return the id of a game; refuse one that does not exist."""
    try:
        return engines.game(text).id
    except UnknownGame as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the argument ``GAME``, a game's id."""
    parser.add_argument("game", metavar="GAME", type=game_id, help=", ".join((*engines.GAMES, *points())))


def add_copy(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--copy``, a copy's file; :func:`facts_of` reads it."""
    add_path(
        parser,
        "--copy",
        "FILE",
        "the copy that the position stands on, a file of podesta facts (default: the usual one, "
        "or a sample where there is none)",
    )


def facts_of(game: str, copy: Path | None) -> Told:
    """Return the facts of a copy's file, or without one those of a match with the usual set-up.

    Raises :class:`CommandError` with every fault of the file, OSError if it cannot be read.
    """
    facts = schema(game)
    if copy is None:
        return playable(facts, Setup()).facts
    loaded = parse(read_file(copy), copy, FactWords(facts, Texts.load("en", game)))
    if loaded.problems:
        raise CommandError(*map(str, loaded.problems))
    return as_header(loaded.facts, facts)


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--language``, the language of output for people."""
    parser.add_argument(
        "--language",
        metavar="CODE",
        choices=Texts.languages(),
        default=_spoken_here(),
        help=f"of what is printed for people: {', '.join(Texts.languages())} (default: as the shell has it)",
    )


def _spoken_here() -> str:
    """Return the shell's language (POSIX: LANGUAGE before LC_ALL, LC_MESSAGES and LANG), else English."""
    wanted = [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    wanted = [*os.environ.get("LANGUAGE", "").split(":"), next(filter(None, wanted), "")]
    codes = (one.partition("_")[0].partition(".")[0] for one in wanted)
    return next((code for code in codes if code in Texts.languages()), DEFAULT_LANGUAGE)


def add_json(parser: argparse.ArgumentParser, *printed: type) -> None:
    """Add the option ``--json``; the help ends with the docstrings of the ``printed`` types."""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")
    says = (f"JSON, {kind.__name__}: {inspect.getdoc(kind)}" for kind in printed)
    parser.epilog = "\n\n".join(says).replace("`", "")


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return a reader for an argument that is a whole number from ``least`` to ``most``."""

    def read(text: str) -> int:
        if text.isdecimal() and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")

    return read


def add_force(parser: argparse.ArgumentParser, what: str = "PATH if it exists") -> None:
    """Add the option ``--force``, which lets the command replace ``what``."""
    parser.add_argument("--force", action="store_true", help=f"replace {what}")


def check_free(path: Path, *, force: bool) -> None:
    """Raise :class:`CommandError` if the file to write exists and may not be replaced."""
    if path.is_dir():
        raise CommandError(f"{path}: is a folder", code=Exit.USAGE)
    if path.exists() and not force:
        raise CommandError(f"{path}: exists; --force replaces it", code=Exit.USAGE)


def installed(*names: str) -> str:
    """Return the version of the first of these packages that is installed, empty if none is."""
    for name in names:
        with contextlib.suppress(metadata.PackageNotFoundError):
            return metadata.version(name)
    return ""


# Printing


@contextlib.contextmanager
def desk_extra() -> Iterator[None]:
    """Turn a failed import of the extra ``podesta[desk]`` into :class:`CommandError`, naming the package."""
    brought = ("sqlalchemy", "argon2", "jinja2", "markupsafe", "python_multipart", "aiomqtt")
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in (*brought, "starlette", "uvicorn", "segno"):
            raise
        why = f"{error.name} is not installed here: pip install 'podesta[desk]'"
        raise CommandError(why, code=Exit.LACKING) from error


def show(options: argparse.Namespace, found: object, lines: Callable[[], Iterable[str]]) -> None:
    """Print ``found`` as JSON with ``--json``, otherwise the ``lines`` for people."""
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        for line in lines():
            print(plain(line))


def folded(text: str, head: str = "", width: int = 100) -> list[str]:
    """Write a text behind a head in lines of at most ``width`` columns, broken like those of the display."""
    from device.screen.pixels import SMALL, font, wrap  # noqa: PLC0415 – slow, and not every command folds

    small = font(SMALL)
    room = width - breadth(head) - 1  # a Japanese stop hangs out by half its width
    lines = wrap(text, small, room * small.cell)
    return [f"{' ' * breadth(head) if at else head}{line}" for at, line in enumerate(lines)]


def say(line: str) -> None:
    """Tell people something on standard error, beside the output for programs."""
    print(line, file=sys.stderr, flush=True)


def report(checks: Iterable[Trial]) -> Exit:
    """Print each check of a kit as it finishes, then the number of each verdict; return the exit status."""
    count: Counter[str] = Counter()
    for check in checks:
        count[check.verdict] += 1
        print(plain(f"{check.verdict:<9} {check.name}: {check.seen}"), flush=True)
        if check.remedy:
            print(f"{'':<9} remedy: {check.remedy}", flush=True)
    print(f"{count['ok']} ok, {count['fail']} failed, {count['not tried']} not tried")
    if count["fail"]:
        return Exit.WRONG
    return Exit.UNFINISHED if count["not tried"] else Exit.FINE
