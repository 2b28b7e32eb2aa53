"""Readings of sensors, and their meaning in a match: a layout, or an answer to a report.

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
"""The name of a reading that answers the table's question, whatever it is."""
TOTAL = re.compile(r"total (0|[1-9]\d{0,2})")
"""A candidate that is only a number of things, without their kinds."""


class Observation(msgspec.Struct, frozen=True):
    """A reading of ``what``, one of :func:`readings`: candidate texts, the likeliest first.

    ``candidates`` pairs a text with its confidence, 0 to 1; a reader that is sure has one. The text is a
    layout of the game, or a step that answers a report. If the sum is below 1, the rest is "something else".
    """

    what: str
    candidates: tuple[tuple[str, float], ...]

    @property
    def totals(self) -> Mapping[int, float]:
        """The chance of each number if all candidates are numbers, ``total 9``, as of a scale; otherwise
        empty.
        """
        counted = [(TOTAL.fullmatch(text), confidence) for text, confidence in self.candidates]
        numbers = {int(found[1]): confidence for found, confidence in counted if found}
        return numbers if len(numbers) == len(counted) else {}


def written(seen: Observation) -> str:
    """Write an observation in one line, as a record keeps it: ``tray 0.82 2r1g | 0.11 3r``."""
    return f"{seen.what} " + " | ".join(f"{confidence:.2f} {text}" for text, confidence in seen.candidates)


def read(line: str) -> Observation:
    """Return the observation of a line of :func:`written`, its confidences rounded; raises ValueError."""
    what, _, rest = line.partition(" ")
    candidates = []
    for one in rest.split(" | "):
        confidence, _, text = one.partition(" ")
        candidates.append((text, float(confidence)))
    return Observation(what, tuple(candidates))


def readings(game: Game[Any, Any], state: Any) -> tuple[str, ...]:
    """Return the names of readings that a match may have now: the sights, and the report if one is asked."""
    pending = game.rules.pending(state)
    asked = (pending.question, FACT) if isinstance(pending, Report) else ()
    return tuple(dict.fromkeys((*game.in_sight(state), *asked)))


def interpret(game: Game[Any, Any], state: Any, observation: Observation) -> Interpretation:
    """Return the meaning of a reading without its confidence: see :func:`believed`."""
    return believed(game, state, observation)[0]


def believed(game: Game[Any, Any], state: Any, observation: Observation) -> tuple[Interpretation, float]:
    """Return the meaning of a reading, and the sum of its candidates' confidences, 0 to 1.

    A name of both the pending question and a sight means an answer, or a layout if no candidate is written as
    an answer. Impossible candidates are dropped if there are others. Candidates with different meanings make
    one :class:`Several`, the likeliest first, each with its chance. A candidate with several meanings gives
    each the same chance, unless the game knows better. If the table is likeliest unchanged, that is the
    meaning; otherwise "unchanged" is left out.

    Raises :class:`engines.errors.Malformed` for a name that is not in :func:`readings` and for a layout that
    cannot be read. If no candidate is an answer to the report, raises the error of
    :func:`engines.notation.read` for the first.
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
        meant = (_read_answers if answers else _read_layouts)(game, state, observation)
    except Malformed:
        if not answers or what not in game.in_sight(state):
            raise
        _check_written(game, state, observation)
        meant = _read_layouts(game, state, observation)
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
"""The meaning of each candidate, and its confidence."""


def _read_layouts(game: Game[Any, Any], state: Any, observation: Observation) -> Meant:
    sight = game.in_sight(state)[observation.what]
    seen = [(sight.read(text), confidence) for text, confidence in observation.candidates]
    return [(explain(game, sight, state, layout), confidence) for layout, confidence in seen]


def _check_written(game: Game[Any, Any], state: Any, observation: Observation) -> None:
    """Raise Malformed for a candidate that is neither a layout nor a number, or is there twice."""
    sight, texts = game.in_sight(state)[observation.what], [text for text, _ in observation.candidates]
    for at, text in enumerate(texts):
        sight.read(text)
        if text in texts[:at]:
            raise Malformed(f"{text!r} is there twice")


def _read_answers(game: Game[Any, Any], state: Any, observation: Observation) -> Meant:
    """Return the candidates that are answers; raise the first error if there are none."""
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
