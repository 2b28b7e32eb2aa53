"""A game of the tests as if it were one of the house's: its package, and one line in ``engines.GAMES``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import engines
from engines.facts import schema


def install(package: ModuleType) -> str:
    """Put a game in; gives its id. ``package`` has its ``GAME``, and beside it its rules and texts."""
    game_id: str = package.GAME.id
    sys.modules[f"engines.{game_id}"] = package
    engines.GAMES = (*engines.GAMES, game_id)
    schema.cache_clear()
    return game_id


def remove(game_id: str) -> None:
    """Take it out again, and whatever of it was loaded."""
    engines.GAMES = tuple(other for other in engines.GAMES if other != game_id)
    for name in [*sys.modules]:
        if f"{name}.".startswith(f"engines.{game_id}."):
            del sys.modules[name]
    engines.game.cache_clear()
    schema.cache_clear()


@contextmanager
def installed(package: ModuleType) -> Iterator[str]:
    """As long as the block runs."""
    game_id = install(package)
    try:
        yield game_id
    finally:
        remove(game_id)
