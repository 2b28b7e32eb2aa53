"""Odometers of a device that keeps pieces in matches: the cube tower, say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engines.contract import Game, Label
from engines.match import Fallen, Match


def odometer(matches: Sequence[Match]) -> tuple[Label, ...]:
    """Return what it did in these matches of one game, the oldest first; "" without one."""
    return matches[0].game.telling.odometer([list(_kept(match)) for match in matches])


def has_odometer(game: Game[Any, Any]) -> bool:
    """Return True if something in a game keeps pieces."""
    return bool(game.telling.odometer([[]]))


def _kept(match: Match) -> Iterator[str]:
    """Return what stays of all reports of a match, also those before which people went back."""
    for at, made in enumerate(match.steps):
        if isinstance(made, Fallen):
            yield from made.words
        stayed = (match.game.rules.stays(state, choice) for state, choice in match.reported(at))
        yield from filter(None, stayed)
