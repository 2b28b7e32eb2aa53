"""The games that can be played: the built-in ones, and those of other packages that pass a trial."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

import engines
from engines import packages, rules
from engines.contract import Setup
from engines.errors import EngineError
from engines.facts import playable, schema
from engines.texts import TextError, read

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Plugged(msgspec.Struct, frozen=True):
    """A game of another package: its id, the package with its version, and the fault that keeps it from being
    played, empty for none.
    """

    name: str
    source: str
    problem: str = ""


def games() -> tuple[str, ...]:
    """Return the ids of all games that can be played."""
    return (*engines.GAMES, *(one.name for one in plugged() if not one.problem))


def plugged() -> tuple[Plugged, ...]:
    """Return the games of other packages, faulty ones too; each is loaded and tried once."""
    return tried(tuple(one for several in packages.points().values() for one in several))


@cache
def tried(points: tuple[EntryPoint, ...]) -> tuple[Plugged, ...]:
    """Return the game of each entry point."""
    return tuple(Plugged(one.name, packages.source(one), _find_problem(one.name)) for one in points)


def _find_problem(game_id: str) -> str:
    """Return the fault of a game, tried up to its first question; empty for none."""
    if game_id in engines.GAMES:
        return f"game {game_id} comes with the box"
    try:
        _try(game_id)
    except (EngineError, TextError) as error:
        return str(error)
    except (Exception, SystemExit) as error:
        return packages.why(error)
    return ""


def _try(game_id: str) -> None:
    game = engines.game(game_id)
    rules.load(game_id)
    if "title" not in read(engines.folder(game_id) / "texts.en.toml"):
        raise EngineError("texts.en.toml has no title")
    state = game.rules.start(playable(schema(game_id), Setup(game.seats[0])))
    game.rules.pending(state)
    game.scoring.bookings(state)
    game.position.write(state)
