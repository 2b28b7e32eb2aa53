"""A Torres table for the tests: states from position texts and the steps played on them."""

from __future__ import annotations

from engines import notation, torres
from engines.contract import Choice, Level, Setup
from engines.torres.cells import NUMBERS
from engines.torres.ground import START
from engines.torres.layout import heights_text

GAME = torres.GAME


def blocks(more: str = "", base=START) -> str:
    """The heights' text of the starting castles with ``d2=2 d3=1`` put over them."""
    heights = bytearray(64)
    for name in base:
        heights[NUMBERS[name]] = 1
    for word in more.split():
        name, height = word.split("=")
        heights[NUMBERS[name]] = int(height)
    return heights_text(bytes(heights))


def turn(more: str = "", pieces: str = "a=c3 b=f6 king=h4", stacks: str = "3-3-3-3", **fields) -> str:
    """A position of two in the first round, seat a to move."""
    words = [f"blocks={blocks(more)}", pieces]
    given = {"stacks.a": stacks, "stacks.b": "3-3-3-3"}
    given |= {
        name.replace("_", ".", 1) if name[-2:] in ("_a", "_b") else name: value
        for name, value in fields.items()
    }
    words += [f"{name}={value}" for name, value in given.items()]
    return " ".join(words)


def at(position: str, path: str = ""):
    """The state of a position text after the tokens of ``path``."""
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
    assert pending.domain.holds(token), f"{token!r} is not in {pending.domain.name}"
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


def fields(state) -> dict[str, str]:
    """The fields of the state's position text."""
    return dict(word.split("=") for word in GAME.position.write(state).split())


def points(state) -> list[dict[str, int]]:
    """Booked points by seat and category."""
    booked: list[dict[str, int]] = [{} for _ in range(state.variant.seats)]
    for booking in GAME.scoring.bookings(state):
        mine = booked[booking.seat]
        mine[booking.category] = mine.get(booking.category, 0) + booking.points
    return booked


def start(seats: int = 2, first: int = 0, level: Level = Level.FULL, **options):
    """The first state of a match."""
    return GAME.rules.start(Setup(seats=seats, start=first, options=tuple(options.items()), level=level))


def spaces(text: str) -> set[str]:
    """``c4 d5`` as a set."""
    return set(text.split())
