"""Knights (TO-3.1 to TO-3.3): new ones, moves on foot and through castles.

``Mc4`` moves the own knight on c4; its goal follows: ``c6``. ``N`` is a new knight; its space follows.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from engines.contract import Choice
from engines.kit import Objection
from engines.torres import ways
from engines.torres.book import BOOK, GRID, at_cell, check_occupied, read_cell, squares
from engines.torres.cells import CELLS, NEXT, NUMBERS, cells, names
from engines.torres.state import KNIGHTS, State

TOKENS = squares("M")
NEW = "N"
BOOK.asks(GRID, "to", figures=at_cell, fits=lambda state: state.frames[-1].cell in state.knights_of())
BOOK.asks(GRID, "place", figures=at_cell, fits=lambda state: len(state.knights_of()) < KNIGHTS)


# The fast lists

_MOVES = [Choice("action", token) for token in TOKENS]


def list_knights(state: State, free: int) -> tuple[list[Choice], bool]:
    """Return the choices of knights that may move, and True if a new one may come; ``free`` are the spaces
    without a piece.
    """
    ground, own = state.ground, state.knights[state.seat]
    heights, above, descend = ground.heights, ground.above, state.variant.descend
    found, near, knights = [], 0, own
    while knights:
        bit = knights & -knights
        knights ^= bit
        cell = bit.bit_length() - 1
        level, beside = heights[cell], NEXT[cell] & free
        near |= beside & ~above[level]
        if beside & ~above[level + 1] or ways.through(ground, cell, descend) & free:
            found.append(_MOVES[cell])
    return found, near > 0 and state.left > 1 and own.bit_count() < KNIGHTS


@BOOK.grid("to")
def grid_to(state: State) -> int:
    descend = state.variant.descend
    return ways.reachable(state.ground, state.taken(), state.frames[-1].cell, state.left, descend)


@BOOK.grid("place")
def grid_place(state: State) -> int:
    return ways.beside_own(state.ground, state.taken(), state.knights[state.seat])


# Checks: one step


def level_of(state: State) -> int:
    """Return the level of the knight in question."""
    return state.ground.heights[state.frames[-1].cell]


def _count_points(state: State, target: int) -> int:
    """Return the fewest action points to ``target``, even more than are left; 0 for no way."""
    way = (state.ground, state.taken(), state.frames[-1].cell, target)
    descend = state.variant.descend
    return ways.cost(*way, state.left, descend) or ways.cost(*way, descend=descend)


def check_own_knight(state: State, name: str) -> Objection | None:
    """Refuse a space without a knight of the seat to move."""
    own = state.knights[state.seat]
    return None if own >> NUMBERS[name] & 1 else Objection({"cell": name, "own": names(own)})


# Checks: a move (TO-3.2, TO-3.3)


@BOOK.check("move.knight", "TO-3.2", "action", pieces=True)
def check_move_knight(state: State, token: str) -> Objection | None:
    return check_own_knight(state, token[1:]) if token[0] == "M" else None


@BOOK.check("move.points", "TO-3.2", "action", whole=True)
def check_move_points(state: State, token: str) -> Objection | None:
    return Objection(state.more_points(1)) if token[0] == "M" and not state.left else None


@BOOK.check("move.stuck", "TO-3.2", "action")
def check_move_stuck(state: State, token: str) -> Objection | None:
    descend = state.variant.descend
    if token[0] != "M" or ways.steps(state.ground, state.taken(), read_cell(token), descend):
        return None
    return Objection({"cell": token[1:]}, names=("cell",))


BOOK.check("to.free", "TO-3.2", "to", pieces=True)(check_occupied)


def _find_behind_doors(state: State, token: str) -> tuple[int, int] | None:
    """Return the levels of a goal that only doors could lead to, and of the highest space to go in from.

    Return None if a way leads there, or for the ground: doors at any level lead out there.
    """
    ground, cell, target = state.ground, state.frames[-1].cell, NUMBERS[token]
    if not state.height_of(target) or _count_points(state, target):
        return None
    near = 1 << cell | ways.reachable(ground, state.taken(), cell, CELLS, state.variant.descend)
    entered = 0
    for doors in (ways.doors(ground, castle) for castle in ground.castles):
        entered |= doors & near if doors >> target & 1 else 0
    if not entered or NEXT[target] & near:
        return None
    return state.height_of(target), max(map(state.height_of, cells(entered)))


@BOOK.check("to.doors", "TO-3.3", "to")
def check_to_doors(state: State, token: str) -> Objection | None:
    level, highest = _find_behind_doors(state, token) or (0, 0)
    return Objection({"cell": token, "level": level, "from": highest}) if level > highest else None


@BOOK.check("to.climbs", "TO-3.3", "to")
def check_to_climbs(state: State, token: str) -> Objection | None:
    found = _find_behind_doors(state, token)
    return Objection({"cell": token, "level": found[0]}) if found else None


@BOOK.check("to.way", "TO-3.2", "to")
def check_to_way(state: State, token: str) -> Objection | None:
    if _count_points(state, NUMBERS[token]):
        return None
    return Objection({"cell": token, "level": state.height_of(NUMBERS[token]), "from": level_of(state)})


@BOOK.check("to.points", "TO-3.2", "to")
def check_to_points(state: State, token: str) -> Objection | None:
    cell, target = state.frames[-1].cell, NUMBERS[token]
    points = _count_points(state, target)
    if points <= state.left:
        return None
    up = state.height_of(target) - level_of(state)
    if up > 1 and NEXT[cell] >> target & 1:
        beside: dict[str, int | str] = {"variant": "to.steep", "remedy": "to.steep", "up": up}
        return Objection({"cell": token, "points": points, "left": state.left, **beside})
    return Objection({"cell": token, "points": points, **state.more_points(points)})


# Checks: a new knight (TO-3.1)


@BOOK.check("place.points", "TO-3.1", "action")
def check_place_points(state: State, token: str) -> Objection | None:
    return Objection(state.more_points(2)) if token == NEW and state.left < 2 else None


@BOOK.check("place.knights", "TO-3.1", "action", pieces=True)
def check_place_knights(state: State, token: str) -> Objection | None:
    return Objection({"knights": KNIGHTS}) if token == NEW and len(state.knights_of()) >= KNIGHTS else None


BOOK.needs("place.room", "TO-3.1", (NEW,), "action", grid_place)


def register_placing_checks(question: str, clause: str, others: Callable[[State], int]) -> None:
    """Register the checks of a knight's space beside ``others``: a new one (TO-3.1) or a card's (TO-4.8)."""
    BOOK.check(f"{question}.free", clause, question, pieces=True)(check_occupied)

    @BOOK.check(f"{question}.next", clause, question)
    def check_next_to_own(state: State, token: str) -> Objection | None:
        return None if NEXT[NUMBERS[token]] & others(state) else Objection({"cell": token})

    @BOOK.check(f"{question}.level", clause, question)
    def check_level(state: State, token: str) -> Objection | None:
        cell = NUMBERS[token]
        level, highest = state.height_of(cell), max(map(state.height_of, cells(NEXT[cell] & others(state))))
        return Objection({"cell": token, "level": level, "highest": highest}) if level > highest else None


register_placing_checks("place", "TO-3.1", lambda state: state.knights[state.seat])


# Effects


def spend(state: State, points: int) -> int:
    """Return the action points left after spending some; an overruled choice takes as many as there are."""
    return max(state.left - points, 0)


def move_knight(state: State, cell: int, target: int) -> tuple[int, ...]:
    """Return all seats' knights after an own one went from ``cell`` to ``target``."""
    own = state.knights[state.seat] & ~(1 << cell) | 1 << target
    return (*state.knights[: state.seat], own, *state.knights[state.seat + 1 :])


@BOOK.effect("to")
def effect_to(state: State, token: str) -> State:
    cell, target = state.frames[-1].cell, NUMBERS[token]
    points = _count_points(state, target) or 1  # if no way leads there, it was overruled
    return replace(state, knights=move_knight(state, cell, target), left=spend(state, points), frames=())


@BOOK.effect("place")
def effect_place(state: State, token: str) -> State:
    knights = list(state.knights)
    knights[state.seat] |= 1 << NUMBERS[token]
    return replace(state, knights=tuple(knights), left=spend(state, 2), frames=())
