"""Readings that sensors tell of a match, which it may have, and their meaning: a layout, or an answer.

>>> from engines import game
>>> from engines.contract import Setup
>>> san_gimignano = game("san_gimignano")
>>> readings(san_gimignano, san_gimignano.rules.start(Setup()))
('towers', 'market', 'fact')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from engines import notation
from engines.contract import Choice, Exact, Game, Interpretation, OutOfStep, Report, Several
from engines.errors import EngineError, Malformed, Refused
from engines.search import explain

FACT = "fact"
"""The word for a reading that answers what the table is asked, whatever the question."""
TOTAL = re.compile(r"total (0|[1-9]\d{0,2})")
"""A candidate that says how many things there are, not which."""


class Observation(msgspec.Struct, frozen=True):
    """A reading of ``what``, one of :func:`readings`: candidate texts, the likeliest first.

    ``candidates`` pairs a text with its confidence, 0 to 1; a reader that is sure gives one. The text is a
    layout of the game, or a step that answers a report. The sum may stay below 1: the rest is "something
    else".
    """

    what: str
    candidates: tuple[tuple[str, float], ...]

    @property
    def totals(self) -> Mapping[int, float]:
        """The chance of each number, where all candidates are only that: ``total 9``, from a scale or
        somebody's count. Empty for any other reading.
        """
        counted = [(TOTAL.fullmatch(text), confidence) for text, confidence in self.candidates]
        numbers = {int(found[1]): confidence for found, confidence in counted if found}
        return numbers if len(numbers) == len(counted) else {}


def written(seen: Observation) -> str:
    """Return an observation in one line, as a record keeps it: ``tray 0.82 2r1g | 0.11 3r``."""
    return f"{seen.what} " + " | ".join(f"{confidence:.2f} {text}" for text, confidence in seen.candidates)


def read(line: str) -> Observation:
    """Return the observation that :func:`written` wrote so, its confidences rounded; raises ValueError."""
    what, _, rest = line.partition(" ")
    candidates = []
    for one in rest.split(" | "):
        confidence, _, text = one.partition(" ")
        candidates.append((text, float(confidence)))
    return Observation(what, tuple(candidates))


def readings(game: Game[Any, Any], state: Any) -> tuple[str, ...]:
    """Return what a sensor may read now: each sight; and the report asked for, by question or as a fact."""
    pending = game.rules.pending(state)
    asked = (pending.question, FACT) if isinstance(pending, Report) else ()
    return tuple(dict.fromkeys((*game.in_sight(state), *asked)))


def interpret(game: Game[Any, Any], state: Any, observation: Observation) -> Interpretation:
    """Return the meaning of a reading, without how sure that is: see :func:`believed`."""
    return believed(game, state, observation)[0]


def believed(game: Game[Any, Any], state: Any, observation: Observation) -> tuple[Interpretation, float]:
    """Return the meaning of a reading, and how sure it is, 0 to 1: the sum over the candidates that say so.

    What is named like both the question asked and a sight is an answer, or a layout if no candidate is
    written as an answer. Impossible candidates count for nothing while there are others. Those that mean
    different things make one :class:`Several`, the likeliest first, each with its chance; a candidate that
    may mean several things means each of them as likely, if the game does not say how likely. A table that is
    likeliest unchanged is unchanged; if that is only less likely it is left out.

    Raises :class:`engines.errors.Malformed` for what is none of :func:`readings` and for a layout that cannot
    be read; if no candidate is written as an answer to a report, what :func:`engines.notation.read` raises
    for the first.
    """
    what = observation.what
    if what not in (known := readings(game, state)):
        raise Malformed(f"no reading {what!r} is taken now; there are {', '.join(known)}")
    if not observation.candidates:
        raise EngineError(f"an observation of {what!r} with no candidate")
    pending = game.rules.pending(state)
    answers = isinstance(pending, Report) and (
        what in (pending.question, FACT) and not (observation.totals and what in game.in_sight(state))
    )
    try:
        meant = (_answers if answers else _layouts)(game, state, observation)
    except Malformed:
        if not answers or what not in game.in_sight(state):
            raise
        _check_written(game, state, observation)
        meant = _layouts(game, state, observation)
    chances: dict[tuple[Choice, ...], float] = {}
    for meaning, confidence in meant:
        if isinstance(meaning, OutOfStep):
            continue
        ways = meaning.explanations if isinstance(meaning, Several) else (meaning.choices,)
        if not chances and ways == ((),):
            return meaning, confidence
        own = isinstance(meaning, Several) and meaning.chances
        for choices, chance in zip(ways, own or (1 / len(ways),) * len(ways), strict=True):
            if choices:
                chances[choices] = chances.get(choices, 0.0) + confidence * chance
    if not chances:
        return meant[0]
    ranked = sorted(chances, key=chances.__getitem__, reverse=True)
    sure = min(sum(chances.values()), 1.0)
    if len(ranked) == 1:
        return Exact(ranked[0]), sure
    return Several(tuple(ranked), tuple(chances[choices] for choices in ranked)), sure


Meant = list[tuple[Interpretation, float]]
"""What each candidate means, and its confidence."""


def _layouts(game: Game[Any, Any], state: Any, observation: Observation) -> Meant:
    sight = game.in_sight(state)[observation.what]
    seen = [(sight.read(text), confidence) for text, confidence in observation.candidates]
    return [(explain(game, sight, state, layout), confidence) for layout, confidence in seen]


def _check_written(game: Game[Any, Any], state: Any, observation: Observation) -> None:
    """Raise Malformed for the candidate that is neither a layout nor a number alone, or is there twice."""
    sight, texts = game.in_sight(state)[observation.what], [text for text, _ in observation.candidates]
    for at, text in enumerate(texts):
        sight.read(text)
        if text in texts[:at]:
            raise Malformed(f"{text!r} is there twice")


def _answers(game: Game[Any, Any], state: Any, observation: Observation) -> Meant:
    """Return the answers among the candidates; all of them if there is no other."""
    meant: Meant = []
    wrong: EngineError | None = None
    for text, confidence in observation.candidates:
        try:
            meant.append((Exact(tuple(notation.read(game, state, text)[0])), confidence))
        except Refused as error:
            meant.append((OutOfStep((), (text,), error.refusal), confidence))
        except EngineError as error:
            wrong = wrong or error
    if wrong and not meant:
        raise wrong
    return meant
