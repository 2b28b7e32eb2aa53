"""What sensors may tell of a match, and what that means: the layout, or an answer to what the table is asked.

>>> from engines import game
>>> from engines.contract import Setup
>>> san_gimignano = game("san_gimignano")
>>> readings(san_gimignano, san_gimignano.start(Setup()))
('towers', 'market', 'fact')
"""

from __future__ import annotations

from typing import Any

from engines import notation
from engines.contract import Exact, Game, Interpretation, OutOfStep, Report
from engines.errors import EngineError, Malformed
from engines.observation import Observation
from engines.search import interpret

FACT = "fact"
"""The word for a reading that answers what the table is asked, whatever the question."""


def readings(game: Game[Any, Any], state: Any) -> tuple[str, ...]:
    """What a sensor may read now: the layout; and the report asked for, by its question or as a fact."""
    pending = game.rules.pending(state)
    asked = (pending.question, FACT) if isinstance(pending, Report) else ()
    return (game.sight.NAME, *asked)


def believed(game: Game[Any, Any], state: Any, observation: Observation) -> tuple[Interpretation, float]:
    """What a reading means, and the confidence of the candidate that says so: the likeliest that can be.

    ``observation`` has one candidate or more. Raises :class:`engines.errors.Malformed` for what is none of
    :func:`readings` and for a layout that cannot be read; where no candidate answers a report, what
    :func:`engines.notation.read` raises for the first.
    """
    what = observation.what
    if what not in (known := readings(game, state)):
        raise Malformed(f"no reading {what!r} is taken now; there are {', '.join(known)}")
    mean = _layout if what == game.sight.NAME else _answer
    return mean(game, state, observation)


def _layout(game: Game[Any, Any], state: Any, observation: Observation) -> tuple[Interpretation, float]:
    for text, _ in observation.candidates:
        game.sight.read(text)
    alone = (Observation(observation.what, (candidate,)) for candidate in observation.candidates)
    meanings = ((interpret(game, state, one), one.candidates[0][1]) for one in alone)
    first = next(meanings)
    if not isinstance(first[0], OutOfStep):
        return first
    return next((found for found in meanings if not isinstance(found[0], OutOfStep)), first)


def _answer(game: Game[Any, Any], state: Any, observation: Observation) -> tuple[Interpretation, float]:
    refused: EngineError | None = None
    for text, confidence in observation.candidates:
        try:
            return Exact(tuple(notation.read(game, state, text)[0])), confidence
        except EngineError as error:
            refused = refused or error
    assert refused
    raise refused
