"""Options that several subcommands take."""

from __future__ import annotations

import argparse
import inspect
import os
from collections.abc import Callable
from pathlib import Path

import engines
from device.commands import CommandError
from device.facts import parse
from device.files import read_file
from device.texts import Texts
from engines.contract import Setup, Told
from engines.errors import UnknownGame
from engines.fact_words import FactWords
from engines.facts import playable, schema, told
from engines.packages import points
from engines.texts import DEFAULT_LANGUAGE


def game_id(text: str) -> str:
    """The id of a game there is."""
    try:
        return engines.game(text).id
    except UnknownGame as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_game(parser: argparse.ArgumentParser) -> None:
    """Take a game's id as ``GAME``."""
    parser.add_argument("game", metavar="GAME", type=game_id, help=", ".join((*engines.GAMES, *points())))


def add_config(parser: argparse.ArgumentParser) -> None:
    """Take a config file as ``--config``."""
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="the settings (default: $PODESTA_CONFIG, else /etc/podesta/podesta.toml)",
    )


def add_state(parser: argparse.ArgumentParser) -> None:
    """Take the state directory as ``--state``."""
    parser.add_argument(
        "--state", metavar="DIR", type=Path, help="where matches are kept (default: as the settings say)"
    )


def add_copy(parser: argparse.ArgumentParser) -> None:
    """Take a copy's file as ``--copy``; :func:`facts_of` reads it."""
    parser.add_argument(
        "--copy",
        metavar="FILE",
        type=Path,
        help="the copy that the position stands on, a file of podesta facts (default: the usual one, "
        "or a sample where there is none)",
    )


def facts_of(game: str, copy: Path | None) -> Told:
    """Return the facts of a copy's file; without one those of a match of the usual set-up.

    Raises :class:`CommandError` with everything wrong with the file, OSError where it cannot be read.
    """
    facts = schema(game)
    if copy is None:
        return playable(facts, Setup()).facts
    loaded = parse(read_file(copy), copy, FactWords(facts, Texts.load("en", game)))
    if loaded.problems:
        raise CommandError(*map(str, loaded.problems))
    return told(loaded.facts, facts)


def add_language(parser: argparse.ArgumentParser) -> None:
    """Take the language of what is printed for people as ``--language``."""
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
    """Take ``--json``; the help ends with what the types that are ``printed`` say of themselves."""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")
    says = (f"JSON, {kind.__name__}: {inspect.getdoc(kind)}" for kind in printed)
    parser.epilog = "\n\n".join(says).replace("`", "")


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads an argument that is a whole number from ``least`` to ``most``."""

    def read(text: str) -> int:
        if text.isdecimal() and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")

    return read
