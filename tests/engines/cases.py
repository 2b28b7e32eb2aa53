"""What a game's checks refuse and let pass, as data: ``tests/engines/<game>/cases.py`` has a list ``CASES``.

``KNOWLEDGE`` beside it names the checks that refuse by what was seen.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from msgspec import Struct

import engines
from tests.engines.asked import Asked


class Case(Struct, frozen=True):
    """``token`` is refused after ``path`` in ``position``; ``passes`` is (position, path, token) let pass,
    where an empty position or a path of None stands for the same.
    """

    check: str
    clause: str
    position: str
    path: str
    token: str
    figures: dict[str, int | str]
    passes: tuple[str, str | None, str]

    @property
    def passing(self) -> tuple[str, str, str]:
        """What is let pass: the position, the path and the token."""
        position, path, token = self.passes
        return position or self.position, self.path if path is None else path, token


def case(
    check: str,
    clause: str,
    position: str,
    path: str,
    token: str,
    passes: tuple[str, str | None, str],
    **figures: int | str,
) -> Case:
    """A case; ``from_`` stands for the figure that Python has a word of its own for."""
    figures = {name.rstrip("_"): value for name, value in figures.items()}
    return Case(check, clause, position, path, token, figures, passes)


def brought(game_id: str, module: str, name: str, without: Any) -> Any:
    """What a module of a game's tests has by a name, or ``without`` where there is no such module: then
    the game's own test says so, and the tests of other games run.
    """
    path = f"tests.engines.{game_id}.{module}"
    try:
        return getattr(import_module(path), name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{path}.".startswith(f"{error.name}."):
            raise
        return without


def of(game_id: str) -> dict[str, Case]:
    """A game's cases by the names of their tests."""
    cases = brought(game_id, "cases", "CASES", [])
    return {f"{game_id}-{number}-{one.check}": one for number, one in enumerate(cases)}


def by_knowledge(game_id: str) -> set[str]:
    """The checks that refuse by what was seen."""
    known: set[str] = brought(game_id, "cases", "KNOWLEDGE", set())
    return known


def refused(game_id: str, one: Case) -> Any:
    """The refusal that a case is about."""
    asked = Asked(engines.game(game_id))
    return asked.refusal(asked.at(one.position, one.path), one.token)


def verify(game_id: str, one: Case) -> None:
    """Raise AssertionError unless the case's check, and no other, refuses and lets pass as it says."""
    asked = Asked(engines.game(game_id))
    found = refused(game_id, one)
    assert found is not None, f"{one.token} is not refused"
    assert (found.check, found.clause) == (one.check, one.clause)
    assert dict(found.figures) == one.figures
    assert one.token not in asked.tokens(asked.at(one.position, one.path))
    position, path, token = one.passing
    allowed = asked.at(position, path)
    assert asked.refusal(allowed, token) is None
    assert token in asked.tokens(allowed) or not asked.game.rules.pending(allowed).domain.listed
