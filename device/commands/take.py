"""Options and arguments of subcommands, each written as in a line of usage."""

from __future__ import annotations

import argparse
import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import engines
from device.commands import Option
from device.texts import Texts
from engines.errors import UnknownGame
from engines.packages import points
from engines.texts import DEFAULT_LANGUAGE

PATHS = frozenset({"BUNDLE", "DIR", "FILE", "FOLDER", "PATH", "PICTURE", "SOURCE"})
"""The names in a usage whose values are paths."""


def option(usage: str, what: str, **more: Any) -> Option:
    """Return an option or an argument, written as in a usage: ``--out PATH``, ``--force``, ``FILE``,
    ``[STEP]``, ``[VALUE…]``; ``more`` is for argparse.

    An option without a value is a flag; a file or a folder is a :class:`Path`.
    """
    flag, _, called = usage.partition(" ") if usage.startswith("--") else ("", "", usage)
    bare = called.strip("[]…")
    known: dict[str, Any] = (
        {"metavar": bare} if bare else {} if "choices" in more else {"action": "store_true"}
    )
    if "…" in called:
        known["nargs"] = "*" if "[" in called else "+"
    elif "[" in called:
        known["nargs"] = "?"
    if bare in PATHS:
        known["type"] = Path
    return lambda parser: parser.add_argument(flag or bare.lower(), help=what, **known | more)


def game_id(text: str) -> str:
    """Return the id of a game; refuse one that does not exist."""
    try:
        return engines.game(text).id
    except UnknownGame as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def game(parser: argparse.ArgumentParser) -> None:
    """Add the argument ``GAME``, a game's id."""
    parser.add_argument("game", metavar="GAME", type=game_id, help=", ".join((*engines.GAMES, *points())))


copy = option(
    "--copy FILE",
    "the copy that the position stands on, a file of podesta facts (default: the usual one, or a sample "
    "where there is none)",
)
"""Takes a copy's file; :func:`read_facts` reads it."""


def language(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--language``, the language of output for people."""
    parser.add_argument(
        "--language",
        metavar="CODE",
        choices=Texts.languages(),
        default=_find_language(),
        help=f"of what is printed for people: {', '.join(Texts.languages())} (default: as the shell has it)",
    )


def _find_language() -> str:
    """Return the shell's language (POSIX: LANGUAGE before LC_ALL, LC_MESSAGES and LANG), else English."""
    wanted = [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    wanted = [*os.environ.get("LANGUAGE", "").split(":"), next(filter(None, wanted), "")]
    codes = (one.partition("_")[0].partition(".")[0] for one in wanted)
    return next((code for code in codes if code in Texts.languages()), DEFAULT_LANGUAGE)


def json(*printed: type) -> Option:
    """Return ``--json``; the help ends with the docstrings of the ``printed`` types."""
    says = "\n\n".join(f"JSON, {kind.__name__}: {inspect.getdoc(kind)}" for kind in printed).replace("`", "")

    def add(parser: argparse.ArgumentParser) -> None:
        option("--json", "print one JSON object instead")(parser)
        parser.epilog = says

    return add


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return a reader for an argument that is a whole number from ``least`` to ``most``."""

    def read(text: str) -> int:
        if text.isdecimal() and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")

    return read


def force(what: str = "PATH if it exists") -> Option:
    """Return ``--force``, which lets the command replace ``what``."""
    return option("--force", f"replace {what}")


config = option("--config FILE", "the settings (default: $PODESTA_CONFIG, else /etc/podesta/podesta.toml)")
state = option("--state DIR", "where matches are kept (default: as the settings say)")


def box(parser: argparse.ArgumentParser) -> None:
    """Add ``--config`` and ``--state``, which most commands take."""
    config(parser)
    state(parser)


def section(section: str) -> Option:
    """Return the number of a section as ``--SECTION``; :func:`.choose_section` finds it."""
    what = f"which [[{section}]] of the settings, from 1 (default: 1)"
    return option(f"--{section} N", what, type=whole(1, 9), default=1)
