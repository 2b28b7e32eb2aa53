"""Subcommands of `podesta`: each a :class:`Command`, with its options above the function that does the work.

::

    @command(take.game, take.option("--depth N", "how many choices", type=take.whole(1, 99)))
    def run(options: Options) -> Exit | None: ...

A pure function in between makes the data to print. `podesta` imports only the module of the given subcommand,
and heavy libraries (pins, pictures, servers) only where they are used.

:mod:`device.cli` prints a :class:`device.errors.DeviceError` and exits with its status. This module has the
ways to print, :mod:`device.commands.take` the options.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from device.copy_file import parse
from device.errors import DeviceError, Exit
from device.files import read_file
from device.texts import Texts
from engines.contract import Setup, Told
from engines.fact_words import FactWords
from engines.facts import as_header, playable, schema
from engines.packages import Trial
from engines.texts import breadth, plain

Options: TypeAlias = argparse.Namespace
Run: TypeAlias = Callable[[Options], int | None]
Option: TypeAlias = Callable[[argparse.ArgumentParser], object]
"""Adds an option or an argument to a parser."""


class Command(msgspec.Struct, frozen=True):
    """A subcommand, or an action of one: the options that it ``takes``, its function or its ``actions``."""

    takes: tuple[Option, ...] = ()
    run: Run | None = None
    what: str = ""
    actions: Mapping[str, Command] = {}

    def fill(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's options to a parser; its function becomes the parser's default ``run``."""
        for add in self.takes:
            add(parser)
        if self.run:
            parser.set_defaults(run=self.run)
        if self.actions:
            there = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
            for name, one in self.actions.items():
                one.fill(there.add_parser(name, help=one.what, description=one.what, formatter_class=RAW))


RAW: Any = argparse.RawDescriptionHelpFormatter


def command(*takes: Option) -> Callable[[Run], Command]:
    """Make a function a subcommand that takes these options."""
    return lambda run: Command(takes, run)


def action(what: str, *takes: Option) -> Callable[[Run], Command]:
    """Make a function an action of a subcommand; ``what`` is its help."""
    return lambda run: Command(takes, run, what)


class CommandError(DeviceError):
    """A command's failure, for one or several reasons, each in one line."""

    def __init__(self, *reasons: str, code: Exit = Exit.WRONG) -> None:
        """Take the reasons; ``code`` becomes the exit status."""
        super().__init__("\n".join(reasons))
        self.reasons = reasons
        self.code = code


class UsageError(CommandError):
    """A wrong command line, for one or several reasons."""

    def __init__(self, *reasons: str) -> None:
        """Take the reasons."""
        super().__init__(*reasons, code=Exit.USAGE)


def read_facts(game: str, copy: Path | None) -> Told:
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


def check_free(path: Path, *, force: bool) -> None:
    """Raise :class:`CommandError` if the file to write exists and may not be replaced."""
    if path.is_dir():
        raise UsageError(f"{path}: is a folder")
    if path.exists() and not force:
        raise UsageError(f"{path}: exists; --force replaces it")


def find_version(*names: str) -> str:
    """Return the version of the first of these packages that is installed, empty if none is."""
    for name in names:
        with contextlib.suppress(metadata.PackageNotFoundError):
            return metadata.version(name)
    return ""


# Printing


@contextlib.contextmanager
def require_desk() -> Iterator[None]:
    """Turn a failed import of the extra ``podesta[desk]`` into :class:`CommandError`, naming the package."""
    brought = ("sqlalchemy", "argon2", "jinja2", "markupsafe", "python_multipart", "aiomqtt")
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in (*brought, "starlette", "uvicorn", "segno"):
            raise
        why = f"{error.name} is not installed here: pip install 'podesta[desk]'"
        raise CommandError(why, code=Exit.LACKING) from error


def show(
    options: Options, found: object, lines: Callable[[], Iterable[str]], wrong: Iterable[str] = ()
) -> None:
    """Print the result: as JSON if asked for, else in ``lines`` for people. Then raise :class:`CommandError`
    if anything is ``wrong``.
    """
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        for line in lines():
            print(plain(line))
    if wrong := tuple(wrong):
        raise CommandError(*wrong)


def fold(text: str, head: str = "", width: int = 100) -> list[str]:
    """Wrap a text behind a head to lines of at most ``width`` columns, by the rules of the display."""
    from device.screen.pixels import SMALL, load_font, wrap  # noqa: PLC0415 – slow, and rarely needed

    small = load_font(SMALL)
    room = width - breadth(head) - 1  # a Japanese stop hangs out by half its width
    lines = wrap(text, small, room * small.cell)
    return [f"{' ' * breadth(head) if at else head}{line}" for at, line in enumerate(lines)]


def say(line: str) -> None:
    """Print a line for people on standard error; standard output is for programs."""
    print(line, file=sys.stderr, flush=True)


def print_trials(checks: Iterable[Trial]) -> Exit:
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
