"""Packages of other people: found by their entry points, and tried.

A game has an entry point of the group ``podesta.games``: its name is the game's id, its value the module with
the ``GAME``. Beside that module are ``rules.toml`` and ``texts.en.toml``, and if needed ``remedies.toml``
(advice after a refusal), ``facts.py`` (facts printed on the copy) and ``drawing.toml`` (a drawn table)::

    [project.entry-points."podesta.games"]
    nines = "nines:GAME"
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, Self

import msgspec

from engines.contract import Game
from engines.errors import UnknownGame

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "podesta.games"

_left_out: list[frozenset[str]] = []


def leave_out() -> None:
    """Leave out the games of other packages from now on."""
    _left_out.append(frozenset(points()))
    points.cache_clear()


def left_out(game_id: str) -> bool:
    """Return True if a game is installed and was left out."""
    return any(game_id in games for games in _left_out)


@cache
def points(group: str = GROUP) -> Mapping[str, tuple[EntryPoint, ...]]:
    """Return the entry points of a group by name, without loading them; two of one name are an error."""
    from importlib.metadata import entry_points  # noqa: PLC0415 – slow to import

    found: dict[str, tuple[EntryPoint, ...]] = {}
    for point in sorted(() if _left_out else entry_points(group=group), key=source):
        found[point.name] = (*found.get(point.name, ()), point)
    return found


def source(point: EntryPoint) -> str:
    """Name the package of an entry point, ``nines 1.0``."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


def load(game_id: str) -> Game[Any, Any]:
    """Return the game of an entry point; raises UnknownGame with the fault."""
    first, *others = points()[game_id]
    if others:
        raise UnknownGame(f"game {game_id} is in {' and in '.join(map(source, (first, *others)))}")
    try:
        game = first.load()
    except (Exception, SystemExit) as error:
        raise UnknownGame(f"game {game_id} of {source(first)}: {why(error)}") from error
    if not isinstance(game, Game):
        kind = type(game).__name__
        raise UnknownGame(f"game {game_id} of {source(first)}: {first.value} is a {kind}, no Game")
    if game.id != game_id:
        raise UnknownGame(f"game {game_id} of {source(first)}: {first.value} has the id {game.id!r}")
    return game


def why(error: BaseException) -> str:
    """Return an error of other people's code in one line: ``ValueError: no such thing``."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")


class Trial(msgspec.Struct, frozen=True):
    """A trial of something that somebody built (a node, a sensor, a display, a game): what was ``seen`` and,
    if it failed, the ``remedy``.
    """

    verdict: Literal["ok", "fail", "not tried"]
    name: str
    seen: str
    remedy: str = ""

    @classmethod
    def judge(cls, fine: bool, name: str, seen: str, remedy: str) -> Self:
        """Return a trial that passed if ``fine``, else one that failed, with its remedy."""
        return cls("ok", name, seen) if fine else cls("fail", name, seen, remedy)
