"""The games that can be played: the house's, and those of other packages that stand a trial."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from string import Formatter
from typing import TYPE_CHECKING, Any

import msgspec

import engines
from engines import packages, rules
from engines.contract import Setup
from engines.errors import EngineError
from engines.facts import playable, schema

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Plugged(msgspec.Struct, frozen=True):
    """A game of another package: its id, the package with its version, and why it is not played, "" where it
    is.
    """

    name: str
    source: str
    problem: str = ""


def games() -> tuple[str, ...]:
    """Return the ids of all games that can be played."""
    return (*engines.GAMES, *(one.name for one in plugged() if not one.problem))


def plugged() -> tuple[Plugged, ...]:
    """Return the games of other packages, also those that cannot be played; all are loaded and tried once."""
    return tried(tuple(one for several in packages.points().values() for one in several))


@cache
def tried(points: tuple[EntryPoint, ...]) -> tuple[Plugged, ...]:
    """Return what comes of each entry point."""
    return tuple(Plugged(one.name, packages.source(one), _problem(one.name)) for one in points)


def _problem(game_id: str) -> str:
    """Return what is wrong with a game, tried as far as its first question; empty for nothing."""
    if game_id in engines.GAMES:
        return f"game {game_id} comes with the box"
    try:
        _try(game_id)
    except EngineError as error:
        return str(error)
    except (Exception, SystemExit) as error:
        return packages.why(error)
    return ""


def _try(game_id: str) -> None:
    game = engines.game(game_id)
    rules.load(game_id)
    texts = tomllib.loads((engines.folder(game_id) / "texts.en.toml").read_text("utf-8"))
    if "title" not in texts:
        raise EngineError("texts.en.toml has no title")
    for key, text in _leaves(texts):
        blanks = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
        if wrong := next((name for name in blanks if not name.isidentifier()), None):
            raise EngineError(f"texts.en.toml: {key}: {{{wrong}}} is not a plain name")
    state = game.rules.start(playable(schema(game_id), Setup(game.seats[0])))
    game.rules.pending(state)
    game.scoring.bookings(state)
    game.position.write(state)


def _leaves(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{above}{name}.")
        elif isinstance(value, str):
            yield f"{above}{name}", value
        else:
            raise EngineError(f"texts.en.toml: {above}{name} is no text")
