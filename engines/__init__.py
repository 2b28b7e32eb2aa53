"""The rules as a library: legal actions, effects, scores. Pure: no I/O, clock, randomness or device word.

Start with :mod:`engines.contract`, which describes a game, then read any game's package. ``engines.game(id)``
loads and returns a game. :mod:`engines.packages` finds games of other packages.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from engines import packages
from engines.contract import Drawing, Game
from engines.errors import UnknownGame, nearest

GAMES = ("san_gimignano", "torres", "castles_of_tuscany", "marrakesh")
"""The ids of the built-in games; each is a package here whose ``GAME`` is the game."""


def game(game_id: str) -> Game[Any, Any]:
    """Return the game of that id, whose states have the type ``Any``.

    Raises UnknownGame, which names the nearest id or the fault of the game's package.
    """
    if game_id in GAMES:
        built_in: Game[Any, Any] = import_module(f"engines.{game_id}").GAME
        return built_in
    known = (*GAMES, *packages.points())
    if game_id in known:
        return packages.load(game_id)
    near = nearest(game_id, known, 0.8)  # a slip; "stones" does not mean torres
    if near and not packages.left_out(game_id):
        raise UnknownGame("no game {game!r}; did you mean {near}?", game_id, near)
    raise UnknownGame(
        "game {game}: its package is not installed, or was left out by --safe; there are {known}",
        game_id,
        ", ".join(known),
    )


def module(game_id: str) -> str:
    """Return the name of a game's module without loading it; there may be no such module."""
    if game_id not in GAMES and (points := packages.points().get(game_id)):
        return points[0].module
    return f"engines.{game_id}"


def folder(game_id: str) -> Path:
    """Return the folder of a game's package without loading it; raises UnknownGame if no package has the id.

    Rules and texts are in it, beside the code.
    """
    try:
        spec = find_spec(module(game_id)) if game_id.isidentifier() else None
    except ImportError:
        spec = None
    if spec is None or spec.origin is None:
        raise UnknownGame(f"no game {game_id!r}")
    return Path(spec.origin).parent


@cache
def drawing(game_id: str) -> Drawing:
    """Return a game's colours and pictograms, empty if it has none.

    Raises :class:`msgspec.ValidationError` or ``tomllib.TOMLDecodeError`` for a wrong file, and UnknownGame.
    """
    file = folder(game_id) / "drawing.toml"
    return msgspec.convert(tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}, Drawing)
