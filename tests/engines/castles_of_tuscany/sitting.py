"""Seats at a table of The Castles of Tuscany with the made-up copy, for tests that need no position text.

Seat a's region are the boards A1, B1 and C1 one below the other, its castle stands on b1::

    i c m v v       a1 to e1
     i m r r v
    t r c f f
     t r v v v
    v c q f t
     v r q f f      a6 to e6
"""

from functools import cache

from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany import GAME
from engines.castles_of_tuscany.facts import SCHEMA
from engines.castles_of_tuscany.kinds import NUMBERS, order
from engines.castles_of_tuscany.kinds import SQUARES as SQUARE_KINDS
from engines.contract import Choice, Level, Setup
from engines.facts import Facts, playable, with_facts

RULES = GAME.rules
BOARDS = ("A1 B1+0 C1+0", "A2 B2+0 C2+0", "A3 B3+0 C3+0", "A4 B4+0 C4+0")
CASTLES = ("b1", "a1", "a1", "a1")
SQUARES = ("marble", "worker", "cards", "yield")
DISPLAY = "t fa fb q v v m r"


def setup(seats=2, level=Level.FULL):
    """A setup with the made-up copy."""
    return playable(SCHEMA, Setup(seats=seats, level=level))


def start(seats=2, level=Level.FULL):
    """The first state of a match under version 1: its regions have any seam."""
    return RULES.start(replace(setup(seats, level), rules_version=1))


def play(state, steps):
    """The state after these tokens, each of them legal."""
    for token in steps.split():
        choice = Choice(RULES.pending(state).question, token)
        assert RULES.why_not(state, choice) is None, choice
        state = RULES.apply(state, choice)
    return state


def asked(state):
    """The question that a state asks, empty once the match is over."""
    return getattr(RULES.pending(state), "question", "")


def gains(state, seat=0):
    """Return what a seat gained: category, VP, what gave them."""
    return [(gain.category, gain.points, gain.what) for gain in state.sides[seat].gains]


@cache
def seated(seats=2):
    """A match whose set-up is done: seat a begins, :data:`DISPLAY` lies open."""
    steps = (*BOARDS[:seats], *CASTLES[:seats], *SQUARES[:seats], DISPLAY)
    return play(start(seats), " ".join(steps))


def bag(kinds):
    """Tiles or region cards of these kinds, a letter each."""
    return bags.bag(NUMBERS[kind] for kind in kinds)


def squares(names):
    """Square tiles called so."""
    return bags.bag(SQUARE_KINDS.index(name) for name in names.split())


def spaces(state, seat, names):
    """The set of the spaces called so in the region of a seat."""
    return sum(1 << state.region(seat).number(name) for name in names.split())


def having(state, seat=0, *, filled="", wild="", stored="", **fields):
    """The state with other things before a seat: spaces filled besides, tiles in storage, other fields."""
    side = state.sides[seat]
    both = spaces(state, seat, f"{filled} {wild}")
    return state.with_side(
        seat,
        filled=side.filled | both,
        wild=side.wild | spaces(state, seat, wild),
        stored=tuple(sorted(stored.split(), key=order)),
        **fields,
    )


LEAST = {"cards_per_draw": 3, "farms": ("vines",), "outline": (3, 4, 3), "storage_points": 2}
"""What must be known of a copy before a start; all else is asked in the match."""
SETUPS = {
    "two": setup(2),
    "three, little known": with_facts(Facts.of(SCHEMA).confirm(LEAST), Setup(3)),
    "four": setup(4),
}
