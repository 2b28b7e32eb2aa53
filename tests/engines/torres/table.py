"""A Torres table for the tests: states from position texts and the steps played on them."""

from engines import torres
from engines.contract import Level, Setup
from engines.torres.cells import NUMBERS
from engines.torres.ground import START
from engines.torres.layouts import write_heights
from tests.engines.asked import Asked

GAME = torres.GAME
_asked = Asked(GAME)
at, answer, play = _asked.at, _asked.answer, _asked.play
tokens, refusal, overruled = _asked.tokens, _asked.refusal, _asked.overruled
fields, points = _asked.fields, _asked.points


def blocks(more: str = "", base=START) -> str:
    """The heights' text of the starting castles with ``d2=2 d3=1`` put over them."""
    heights = bytearray(64)
    for name in base:
        heights[NUMBERS[name]] = 1
    for word in more.split():
        name, height = word.split("=")
        heights[NUMBERS[name]] = int(height)
    return write_heights(bytes(heights))


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


def start(seats: int = 2, first: int = 0, level: Level = Level.FULL, **options):
    """The first state of a match."""
    return GAME.rules.start(Setup(seats=seats, start=first, options=tuple(options.items()), level=level))
