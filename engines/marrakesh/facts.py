"""What a match goes by of its copy: what people told of boards and tiles, those of expansions among them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from engines.contract import Setup, Told
from engines.facts import Facts, Schema, Standing, of_match
from engines.marrakesh.boards import CHECKS, MADE_UP, SQUARE
from engines.marrakesh.expansions import facts as more

SCHEMA = Schema("marrakesh", more.WholeCopy, (*CHECKS, *more.CHECKS), made_up={**MADE_UP, **more.MADE_UP})


class Printing(msgspec.Struct, frozen=True, cache_hash=True):
    """What a match goes by of its copy: the boards, then the tiles that are ``known`` so far, by fact."""

    river_length: int = 14
    rapids: tuple[int, ...] = (3, 6, 9, 12)
    rapid_bonus: tuple[str, ...] = ("vp", "any", "goods", "vp3")
    jetty: tuple[int, ...] = (7, 5, 4, 3)
    mosque_steps: int = 15
    mosque_lines: tuple[int, ...] = (3, 6, 9, 12)
    palace_steps: int = 15
    palace_lines: tuple[int, ...] = (3, 6, 9, 12)
    square: tuple[str, ...] = SQUARE
    disc: tuple[int, ...] = (1, 1, 3, 1, 1, 3, 1, 3)
    gate_places: str = "ntygkwbp"
    track: tuple[str, ...] = ("keshi", "exchange", "keshi", "scroll", "keshi_of_two", "exchange")
    known: tuple[tuple[str, Any], ...] = ()


@lru_cache(16)
def facts_of(told: Told) -> Facts:
    """What is known of a copy in a match; the schema's defaults where nobody told anything."""
    return of_match(SCHEMA, told)[0]


def lacking(facts: Facts, setup: Setup) -> str:
    """The first fact that must be known before a start and is not, empty for none."""
    needed = (fact for fact in SCHEMA if not fact.may_wait and fact.needed(setup))
    return next((fact.name for fact in needed if facts[fact.name] is None), "")


@lru_cache(256)
def one(copy: Printing) -> Printing:
    """The one of all that are equal: what is kept by copy is found without comparing every tile."""
    return copy


def printing(facts: Facts) -> Printing:
    """What a match goes by; nothing must be :func:`lacking`. Of what is only likely people are asked.

    What a match does not need, another side of a board say, stays as a usual copy has it.
    """
    boards = {fact.name: facts[fact.name] for fact in SCHEMA if not fact.late}
    sure = (Standing.SURE, Standing.CONFIRMED)
    tiles = [(fact.name, facts.known[fact.name]) for fact in SCHEMA if fact.late]
    return one(
        Printing(
            **{name: value for name, value in boards.items() if value is not None},
            known=tuple((name, told.value) for name, told in tiles if told.standing in sure),
        )
    )


def known(copy: Printing, name: str) -> Any:
    """The value of a fact that is late, None while nobody has confirmed it."""
    return _known(copy).get(name)


def printed(copy: Printing, name: str) -> Any:
    """The value of any fact, None while nobody has confirmed one that is late."""
    return known(copy, name) if SCHEMA.fact(name).late else getattr(copy, name)


@lru_cache(256)
def _known(copy: Printing) -> dict[str, Any]:
    return dict(copy.known)
