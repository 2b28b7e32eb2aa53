"""A San Gimignano table for the tests: states from position texts and the steps played on them."""

from __future__ import annotations

import engines
from engines import notation
from engines.contract import Choice, Level, Setup

GAME = engines.game("san_gimignano")


def at(position: str, path: str = ""):
    """The state of a position text (written over as many lines as it takes) after the tokens of ``path``."""
    state = GAME.position.read(" ".join(position.split()))
    for token in path.split():
        choice = answer(state, token)
        refusal = GAME.rules.why_not(state, choice)
        assert refusal is None, f"{token}: {refusal}"
        state = GAME.rules.apply(state, choice)
    return state


def answer(state, token: str) -> Choice:
    """``token`` as the answer to what the state asks; it must be written as the domain writes its own."""
    pending = GAME.rules.pending(state)
    assert pending.domain.holds(token), f"{token!r} is not in {pending.domain}"
    return Choice(pending.question, token)


def play(state, *steps: str):
    """The state after whole steps in notation."""
    for text in steps:
        _, state = notation.read(GAME, state, text)
    return state


def tokens(state) -> list[str]:
    """What may be answered."""
    return [choice.token for choice in GAME.rules.legal(state)]


def refusal(state, token: str):
    """Why ``token`` may not be answered."""
    return GAME.rules.why_not(state, answer(state, token))


def field(state, name: str) -> str:
    """One field of the state's position text."""
    fields = dict(word.split("=") for word in GAME.position.write(state).split())
    return fields[name]


def points(state) -> list[dict[str, int]]:
    """Booked points by seat and category."""
    booked: list[dict[str, int]] = [{}, {}]
    for booking in GAME.scoring.bookings(state):
        booked[booking.seat][booking.category] = booking.points
    return booked


def start(level: Level = Level.FULL, donazione: str = "may", first: int = 0):
    """The first state of a match."""
    options = (("donazione", donazione),) if donazione != "may" else ()
    return GAME.rules.start(Setup(start=first, options=options, level=level))


LATE = "a=10x3,10x3,10x4,9x3,9x3,9x3 b=7x3,7x4,6x3 marker=a"
"""29 cards in towers; left are 8×8, 3×6 and 5×5."""
