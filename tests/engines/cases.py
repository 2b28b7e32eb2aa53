"""What a game's checks refuse and let pass, as data: ``tests/engines/<game>/cases.py`` has a list ``CASES``.

``KNOWLEDGE`` beside it names the checks that refuse by what was seen; ``STANDS`` has what people may let
stand all the same, ``NEVER`` what the pieces themselves forbid.
"""

import re
from collections.abc import Callable
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


_HEAD = re.compile(r"(?P<check>\S+) (?P<clause>\S+): (?P<position>.+)")
_ANSWER = r"(?:after (?P<path>.+?): )?(?P<token>\S+)"
_REFUSED = re.compile(rf"{_ANSWER} is refused(?: \((?P<figures>.+?)\))?; (?P<rest>.+)")
_PASSES = re.compile(rf"(?:(?P<how>with|in) (?P<position>.+?): (?=after|\S+ passes))?{_ANSWER} passes")


def rows(text: str, position: Callable[[str], str]) -> list[Case]:
    """Return the cases of a text; ``position`` makes a line of the words that tell of one.

    A case begins with its check, clause and position; indented below, what becomes of two answers:
    ``after t g`` are answers given before, ``with`` are words besides, ``in`` is another position.
    """
    blocks = re.split(r"\n(?! )", text.strip())
    return [_row(block, position) for block in blocks if not block.startswith("#")]


def _row(block: str, position: Callable[[str], str]) -> Case:
    head, verdict = re.split(r"\n    (?! )", block)
    told = _HEAD.fullmatch(" ".join(head.split()))
    refused = _REFUSED.fullmatch(" ".join(verdict.split()))
    assert told, block
    assert refused, block
    passes = _PASSES.fullmatch(refused["rest"])
    assert passes, block
    figures = dict(pair.split("=", 1) for pair in (refused["figures"] or "").split())
    there = {"with": told["position"] + f" {passes['position']}", "in": passes["position"]}.get(passes["how"])
    return Case(
        told["check"],
        told["clause"],
        position(told["position"]),
        refused["path"] or "",
        refused["token"],
        {name: int(value) if value.isdigit() else value.strip("'") for name, value in figures.items()},
        (position(there) if there else "", passes["path"] or "", passes["token"]),
    )


def brought(game_id: str, module: str, name: str, without: Any) -> Any:
    """Return what a module of a game's tests has by a name, or ``without`` where there is none such: then the
    game's own test says so, and the tests of other games run.
    """
    path = f"tests.engines.{game_id}.{module}"
    try:
        return getattr(import_module(path), name, without)
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
    found, state = refused(game_id, one), asked.at(one.position, one.path)
    assert found is not None, f"{one.token} is not refused"
    assert (found.check, found.clause) == (one.check, one.clause)
    assert dict(found.figures) == one.figures
    assert bool(found.basis) == (one.check in by_knowledge(game_id)), "only what was seen is a basis"
    assert all(asked.game.rules.fact(state, key) >= 0 for key in found.basis)
    assert one.token not in asked.tokens(state)
    position, path, token = one.passing
    allowed = asked.at(position, path)
    assert asked.refusal(allowed, token) is None
    assert token in asked.tokens(allowed) or not asked.game.rules.pending(allowed).domain.listed
    questions = {check.name: check.questions for check in asked.game.rules.checks}
    assert asked.answer(allowed, token).question in questions[one.check]
