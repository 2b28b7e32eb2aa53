"""Torres positions for pictures: a random match's board, and after a turn from it, or as no turn leads to."""

from random import Random

from msgspec import Struct

from device.sensors.readers.torres.bench import COLOURS, GAME, SEATS, TrueLayout, state_before
from engines.contract import Choice, Interpretation, OutOfStep
from engines.readings import Observation, interpret
from engines.search import steps_of
from engines.torres.cells import NAMES, SIDE, cells
from engines.torres.layouts import Layout, of
from engines.torres.state import State
from tests.engines.torres.reading_turns import illegal as unreachable
from tests.engines.torres.reading_turns import random_turn, starts, weight

TABLES = ("two", "three", "four")


class Position(Struct, frozen=True):
    """What a picture shows: the state before the turn, the layout after it, and how it was played (``turn``
    is empty where no turn leads there, and ``legal`` false then).
    """

    state: State
    seen: Layout
    turn: tuple[str, ...]
    legal: bool


def position(rng: Random, illegal: bool) -> Position:
    """A position of a random match, and a turn further by what a reader may know of it."""
    while True:
        start = rng.choice([*starts(rng.choice(TABLES), rng.randrange(10**6))])
        before = TrueLayout(**described(of(start), COLOURS))
        state = state_before(before, COLOURS[start.seat])
        turn = random_turn(state, rng, plain)
        if illegal:
            # Of two pieces on one space the picture shows one, and what is left may be legal.
            seen = TrueLayout(**described(unreachable(turn, rng)[0].layout, COLOURS)).layout(SEATS)
            if isinstance(meaning(state, seen), OutOfStep):
                return Position(start, seen, (), False)
        elif turn.layout != of(state):
            return Position(start, turn.layout, tuple(steps_of(GAME, state, turn.choices)), True)


def meaning(state: State, seen: Layout) -> Interpretation:
    """Return what the engine makes of the layout seen."""
    return interpret(GAME, state, Observation("board", ((str(seen), 1.0),)))


def plain(choice: Choice) -> float:
    """Return how likely an action is: none that a picture does not show, and no card."""
    return 0.0 if choice.token in ("card", "end", "stacks") or choice.token[0] in "ST" else weight(choice)


def described(layout: Layout, colours) -> dict:
    """A layout as a picture's truth has it: heights row by row, and pieces by space and colour."""
    rows = [list(layout.heights[at : at + SIDE]) for at in range(0, len(layout.heights), SIDE)]
    pieces = {NAMES[layout.king]: "king"} if layout.king >= 0 else {}
    for seat, own in enumerate(layout.knights):
        pieces.update({NAMES[cell]: colours[seat] for cell in cells(own)})
    return {"heights": rows, "pieces": pieces}
