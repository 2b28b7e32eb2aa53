"""What is legal, what happens and what it scores. Pure: no I/O, clock, randomness source or device word.

Start with :mod:`engines.contract` (what a game offers), then any game's package. ``engines.game(id)`` hands
out a game; nothing of it is loaded before.
"""

from __future__ import annotations

import difflib
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engines.contract import Game
from engines.errors import UnknownGame

GAMES = ("san_gimignano", "torres", "castles_of_tuscany", "marrakesh")
"""The ids of all games; each is a package here whose ``GAME`` is the game."""


@cache
def game(game_id: str) -> Game[Any, Any]:
    """The game of that id; raises UnknownGame, naming the nearest."""
    if game_id not in GAMES:
        near = difflib.get_close_matches(game_id, GAMES, n=1, cutoff=0.4) or sorted(GAMES)
        raise UnknownGame(f"no game {game_id!r}; did you mean {near[0]}?")
    found: Game[Any, Any] = import_module(f"engines.{game_id}").GAME
    return found


def folder(game_id: str) -> Path:
    """Where a game's package lies, its rules and texts beside its code; nothing of it is loaded.

    Raises UnknownGame for an id that no package here has.
    """
    spec = find_spec(f"engines.{game_id}") if game_id.isidentifier() else None
    places = spec.submodule_search_locations if spec else None
    if not places:
        raise UnknownGame(f"no game {game_id!r}")
    return Path(next(iter(places)))
