"""Set-up (TO-1, TO-6.1): the first state, the castles, the first knights and the king.

``Fd1`` founds a castle, ``Ec3`` enters a knight, ``Kh4`` is the king's space.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from engines.contract import Domain, Level, Picker, Setup
from engines.errors import BadSetup
from engines.kit import Objection, of_frame, opening
from engines.torres import facts, position
from engines.torres.blocks import not_too_tall
from engines.torres.book import BOOK, is_free, read_cell, squares
from engines.torres.cells import NAMES, NUMBERS, cells, distance
from engines.torres.ground import EMPTY, START, Ground, castle_at, with_block
from engines.torres.state import OPTIONS, Frame, State, blank, options, variant_of
from engines.torres.turns import CROWN, begin

LEVELS = (Level.FULL, Level.SCORE)
"""``full`` asks for nothing hidden, so ``table`` would be the same."""
SEATS_AT_TABLE = (2, 3, 4)
BOOK.asks(
    Domain("found", squares("F"), Picker.GRID),
    "found",
    fits=lambda state: state.variant.master and state.ground.blocks < len(START),
)
BOOK.asks(Domain("enter", squares("E"), Picker.GRID), "enter")
BOOK.asks(CROWN, "crown")
BOOK.figures("found", "enter", "crown")(of_frame("phase"))


# The first state


@BOOK.method
def start(setup: Setup) -> State:
    """Return the first state of a match (TO-1.5, TO-6.1), or that of the set-up's position.

    Level score begins with a block on each marked space of the copy (TO-1.2), for the layout to report.
    """
    chosen, state = opening(
        "Torres",
        "TO-1.1",
        setup,
        position.read,
        seats=SEATS_AT_TABLE,
        options=OPTIONS,
        there=lambda state: options(state.variant),
        levels=LEVELS,
    )
    if ("master_cards", "yes") in setup.options and chosen["master_cards"] == "no":
        raise BadSetup("option {name} belongs to the master version (TO-6.3)", "master_cards")
    if state:
        return state
    state = blank(variant_of(setup.seats, chosen), setup.level, setup.start)
    if state.variant.master and setup.level is not Level.SCORE:
        return replace(state, frames=(Frame("found", open=False),))
    first = "final_phase" if setup.level is Level.SCORE else "enter"
    return replace(state, ground=mark_castles(facts.start_castles(setup)), frames=(Frame(first, open=False),))


def mark_castles(castles: Iterable[str]) -> Ground:
    """Return the ground with a block on each marked space (TO-1.2)."""
    ground = EMPTY
    for name in castles:
        ground = with_block(ground, NUMBERS[name])
    return ground


# Checks


@BOOK.check("found.distance", "TO-6.1", "found")
def check_found_distance(state: State, token: str) -> Objection | None:
    cell = read_cell(token)
    near = [other for other in cells(state.ground.above[0]) if distance(other, cell) < 3]
    if not near:
        return None
    nearest = min(near, key=lambda other: distance(other, cell))
    return Objection({"cell": token[1:], "castle": NAMES[nearest], "distance": distance(nearest, cell)})


@BOOK.check("enter.castle", "TO-1.5", "enter", "crown")
def check_enter_castle(state: State, token: str) -> Objection | None:
    return None if state.height_of(read_cell(token)) else Objection({"cell": token[1:]})


@BOOK.check("enter.empty", "TO-1.5", "enter", "crown")
def check_enter_empty(state: State, token: str) -> Objection | None:
    castle = castle_at(state.ground, read_cell(token))
    return Objection({"cell": token[1:]}) if castle & state.taken() else None


# Effects


@BOOK.effect("found")
def effect_found(state: State, token: str) -> State:
    """Place a castle; after the eighth, ask for the first knight."""
    state = replace(state, ground=with_block(state.ground, read_cell(token)))
    if state.ground.blocks < len(START):
        return replace(state, seat=state.clockwise())
    return replace(state, seat=state.start, frames=(Frame("enter", open=False),))


@BOOK.effect("enter")
def effect_enter(state: State, token: str) -> State:
    """Place a first knight; after the last player's, ask for the king."""
    knights = list(state.knights)
    knights[state.seat] |= 1 << read_cell(token)
    state = replace(state, knights=tuple(knights))
    if state.is_last():
        return replace(state, frames=(Frame("crown", open=False),))
    return replace(state, seat=state.clockwise())


@BOOK.effect("crown")
def effect_crown(state: State, token: str) -> State:
    return begin(replace(state, king=read_cell(token)), state.start)


# What the pieces allow

BOOK.possible("found")(not_too_tall)
BOOK.possible("enter", "crown")(is_free)
