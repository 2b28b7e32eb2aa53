"""A San Gimignano table for the tests: states from position texts and the steps played on them."""

import engines
from engines.contract import Level, Setup
from tests.engines.asked import Asked

GAME = engines.game("san_gimignano")
_asked = Asked(GAME)
at, answer, play = _asked.at, _asked.answer, _asked.play
tokens, refusal, overruled = _asked.tokens, _asked.refusal, _asked.overruled
points = _asked.points


def field(state, name: str) -> str:
    """One field of the state's position text."""
    return _asked.fields(state)[name]


def start(level: Level = Level.FULL, donazione: str = "may", first: int = 0):
    """The first state of a match."""
    options = (("donazione", donazione),) if donazione != "may" else ()
    return GAME.rules.start(Setup(start=first, options=options, level=level))


LATE = "a=10x3,10x3,10x4,9x3,9x3,9x3 b=7x3,7x4,6x3 marker=a"
"""29 cards in towers; left are 8×8, 3×6 and 5×5."""
