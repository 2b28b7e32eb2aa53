"""`podesta score GAME POSITION`: the score of a position, without any play before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

import engines
from device.commands import Options, UsageError, command, read_facts, show, take
from device.exports import (
    STANDING,
    FinalStanding,
    compute_standing,
    tell_ties_behind,
    tell_winner,
    write_table,
)
from device.texts import Texts
from engines.contract import SEATS, Game, Level, Told
from engines.errors import EngineError
from engines.facts import is_sample
from engines.texts import DEFAULT_LANGUAGE
from engines.words import Words


class WrongField(msgspec.Struct, frozen=True):
    """One fault of a position: its field, the clause, and the fault in words."""

    where: str
    clause: str
    what: str


class Score(msgspec.Struct, frozen=True):
    """The output of `podesta score --json`: ``standing`` is null if there are ``problems``.

    ``position`` is the whole position as it was understood. ``sample`` is true if the copy is made up and the
    score rests on its facts.
    """

    game: str
    position: str
    names: tuple[str, ...]
    standing: FinalStanding | None
    problems: tuple[WrongField, ...]
    sample: bool = False


@command(
    take.game,
    take.option(
        "POSITION…",
        "its fields, such as a=10x3*,5-9 b=7x3*,6-10* marker=a; without level= only what scores must be told",
    ),
    take.copy,
    take.option("--names A,B", "the players, by seat", default=""),
    take.language,
    take.json(Score, *STANDING, WrongField),
)
def run(options: Options) -> None:
    """Print the score; raises :class:`CommandError` with every fault of the position."""
    names = [name.strip() for name in options.names.split(",") if name.strip()]
    facts = read_facts(options.game, options.copy)
    found = score(options.game, " ".join(options.position), names, facts, options.language)
    wrong = (f"{one.where}: {one.clause}: {one.what}" for one in found.problems)
    show(options, found, lambda: write_lines(found, options.language), wrong)


def write_lines(found: Score, language: str) -> list[str]:
    """Return a score for people to read; nothing for a position without one."""
    shown = []
    if found.standing:
        words = Words(Texts.load(language, found.game), engines.game(found.game), found.names)
        totals = " : ".join(map(str, found.standing.scores.values()))
        won = f"{totals}, {tell_winner(words, found.standing)}"
        shown = [*write_table(words, found.standing), "", won, *tell_ties_behind(words, found.standing)]
    if found.sample:
        shown.append(Texts.load(language)("facts.sample_match"))
    return shown


def score(
    game_id: str,
    position: str,
    names: Sequence[str] = (),
    facts: Told = (),
    language: str = DEFAULT_LANGUAGE,
) -> Score:
    """Score a position on a copy with these ``facts``; without ``names`` the seats have letters.

    Its faults are told in a ``language``. Raises BadPosition for a text that cannot be read,
    :class:`UsageError` for a wrong number of names.
    """
    game = engines.game(game_id)
    if names and len(names) not in game.seats:
        seats = " or ".join(map(str, game.seats))
        raise UsageError(f"{game.title} is for {seats} players, not {len(names)}")
    told = any(field.startswith("level=") for field in position.split())
    if Level.SCORE in game.levels and not told:
        position += f" level={Level.SCORE}"  # then the places of all cards need not be told
    letters = tuple(names or SEATS[: max(game.seats)])
    found = _score(game, position, names, letters, facts, language)
    if not is_sample(facts):
        return found
    try:
        bare = _score(game, position, names, letters, (), language)
    except EngineError:
        bare = None
    rests = not bare or (bare.standing, bare.problems) != (found.standing, found.problems)
    return replace(found, sample=rests)


def _score(
    game: Game[Any, Any],
    position: str,
    names: Sequence[str],
    letters: tuple[str, ...],
    facts: Told,
    language: str,
) -> Score:
    words = Words(Texts.load(language, game.id), game, letters)
    wrong = [
        WrongField(problem.where, problem.clause, words(f"position.{problem.check}", problem.figures))
        for problem in game.position.status(position, facts)
    ]
    if wrong:
        return Score(game.id, position, letters, None, tuple(wrong))
    state = game.position.read(position, facts)
    seated = game.rules.seated(state)
    if names and len(names) != seated:
        raise UsageError(f"the position has {seated} seats, not {len(names)}")
    there = letters[:seated]
    return Score(game.id, game.position.write(state), there, compute_standing(game, state, there), ())
