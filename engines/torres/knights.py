"""Knights (TO-3.1 to TO-3.3): placed, on foot, and through castles.

``Mc4`` moves the own knight on c4, then where to: ``c6``. ``N`` is a new knight, then its space.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import lru_cache

from msgspec.structs import replace

from engines.contract import Choice
from engines.kit import Objection
from engines.torres import ways
from engines.torres.book import BOOK, GRID, at_cell, occupied, read_cell, squares
from engines.torres.cells import CELLS, NEXT, NUMBERS, cells, grown, mask_of, names, spread
from engines.torres.ground import Ground
from engines.torres.state import KNIGHTS, State

TOKENS = squares("M")
NEW = "N"
BOOK.asks(GRID, "to", "place", figures=at_cell)


@BOOK.fits("to")
def fits_to(state: State) -> bool:
    return state.frames[-1].cell in state.knights_of()


@BOOK.fits("place")
def fits_place(state: State) -> bool:
    return len(state.knights_of()) < KNIGHTS


# The fast lists

_MOVES = [Choice("action", token) for token in TOKENS]


def listed(state: State, free: int) -> tuple[list[Choice], bool]:
    """Return the knights that may move, and if there may be a new one; ``free`` spaces have no piece."""
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
    """Return the level of the knight that the begun question is about."""
    return state.ground.heights[state.frames[-1].cell]


def _step_on_foot(state: State, cell: int, target: int) -> bool:
    return bool(NEXT[cell] >> target & 1) and state.height_of(target) <= state.height_of(cell) + 1


@lru_cache(64)
def _doors(ground: Ground) -> tuple[tuple[int, frozenset[int]], ...]:
    """Return by castle the spaces next to a taller column of it: there one gets in and out (TO-3.3)."""
    return tuple(
        (castle, frozenset(space for space in cells(spread(castle)) if _is_door(ground, space, castle)))
        for castle in ground.castles
    )


def _is_door(ground: Ground, space: int, castle: int) -> bool:
    level = ground.heights[space]
    return any(ground.heights[column] > level for column in cells(NEXT[space] & castle))


def by_doors(state: State, cell: int, target: int, card: bool) -> bool:
    """Return True if a knight may go through a castle by TO-3.3, with a card by TO-4.4."""
    if target == cell or (not card and state.height_of(target) > state.height_of(cell)):
        return False
    return any(
        cell in spaces
        and target in spaces
        and (not state.variant.descend or _never_climbs(state, cell, target, castle))
        for castle, spaces in _doors(state.ground)
    )


def has_door(state: State, cell: int) -> bool:
    """Return True if one gets into some castle from a space."""
    return any(cell in spaces for _, spaces in _doors(state.ground))


def _never_climbs(state: State, cell: int, target: int, castle: int) -> bool:
    """Return True if columns taller than ``target`` lead from a door of ``cell`` to one of ``target``."""
    level = state.height_of(cell)
    return any(
        part & NEXT[target] and any(state.height_of(column) > level for column in cells(part & NEXT[cell]))
        for part in _inside(state.ground, castle, state.height_of(target))
    )


@lru_cache(256)
def _inside(ground: Ground, castle: int, level: int) -> tuple[int, ...]:
    """Return the parts that a castle has above a level."""
    parts, tall = [], mask_of(column for column in cells(castle) if ground.heights[column] > level)
    while tall:
        parts.append(grown(tall & -tall, tall))
        tall &= ~parts[-1]
    return tuple(parts)


def _one_point(state: State, cell: int) -> Iterator[int]:
    """Yield every free space that a single action point takes a knight on ``cell`` to."""
    near = set(cells(NEXT[cell])).union(*(spaces for _, spaces in _doors(state.ground) if cell in spaces))
    pieces = state.taken()
    for space in near:
        if not pieces >> space & 1 and (
            _step_on_foot(state, cell, space) or by_doors(state, cell, space, card=False)
        ):
            yield space


@lru_cache(64)
def _distances(state: State, cell: int, points: int) -> dict[int, int]:
    """Return the fewest action points to every space that a knight on ``cell`` can get to with so many."""
    found, todo = {cell: 0}, deque([cell])
    while todo:
        here = todo.popleft()
        for space in _one_point(state, here) if found[here] < points else ():
            if space not in found:
                found[space] = found[here] + 1
                todo.append(space)
    return found


def _points_to(state: State, cell: int, target: int) -> int:
    """Return the fewest action points from ``cell`` to ``target``, even if fewer are left; 0 for no way."""
    near = _distances(state, cell, state.left).get(target, 0)
    return near or _distances(state, cell, CELLS).get(target, 0)


def not_own(state: State, name: str) -> Objection | None:
    """Refuse a space without a knight of the seat to move."""
    own = state.knights_of()
    return None if NUMBERS[name] in own else Objection({"cell": name, "own": names(mask_of(own))})


# Checks: a move (TO-3.2, TO-3.3)


@BOOK.check("move.knight", "TO-3.2", "action")
def check_move_knight(state: State, token: str) -> Objection | None:
    return not_own(state, token[1:]) if token[0] == "M" else None


@BOOK.check("move.points", "TO-3.2", "action", whole=True)
def check_move_points(state: State, token: str) -> Objection | None:
    return Objection(state.more_points(1)) if token[0] == "M" and not state.left else None


@BOOK.check("move.stuck", "TO-3.2", "action")
def check_move_stuck(state: State, token: str) -> Objection | None:
    if token[0] != "M" or next(_one_point(state, read_cell(token)), None) is not None:
        return None
    return Objection({"cell": token[1:]}, names=("cell",))


@BOOK.check("to.free", "TO-3.2", "to", pieces=True)
def check_to_free(state: State, token: str) -> Objection | None:
    return occupied(state, token)


def _behind_doors(state: State, token: str) -> tuple[int, int] | None:
    """Return where doors lead out, and no step on foot could: its level, and the highest to go in from.

    None where a way leads there; out to the ground every door leads.
    """
    cell, target = state.frames[-1].cell, NUMBERS[token]
    if not state.height_of(target) or _points_to(state, cell, target):
        return None
    near = _distances(state, cell, CELLS)
    entered = [
        space for _, spaces in _doors(state.ground) if target in spaces for space in spaces & near.keys()
    ]
    if not entered or any(NEXT[target] >> space & 1 for space in near):
        return None
    return state.height_of(target), max(state.height_of(space) for space in entered)


@BOOK.check("to.doors", "TO-3.3", "to")
def check_to_doors(state: State, token: str) -> Objection | None:
    level, highest = _behind_doors(state, token) or (0, 0)
    return Objection({"cell": token, "level": level, "from": highest}) if level > highest else None


@BOOK.check("to.climbs", "TO-3.3", "to")
def check_to_climbs(state: State, token: str) -> Objection | None:
    found = _behind_doors(state, token)
    return Objection({"cell": token, "level": found[0]}) if found else None


@BOOK.check("to.way", "TO-3.2", "to")
def check_to_way(state: State, token: str) -> Objection | None:
    if _points_to(state, state.frames[-1].cell, NUMBERS[token]):
        return None
    return Objection({"cell": token, "level": state.height_of(NUMBERS[token]), "from": level_of(state)})


@BOOK.check("to.points", "TO-3.2", "to")
def check_to_points(state: State, token: str) -> Objection | None:
    cell, target = state.frames[-1].cell, NUMBERS[token]
    points = _points_to(state, cell, target)
    if points <= state.left:
        return None
    up = state.height_of(target) - level_of(state)
    if up > 1 and NEXT[cell] >> target & 1:
        beside: dict[str, int | str] = {"variant": "to.steep", "remedy": "to.steep", "up": up}
        return Objection({"cell": token, "points": points, "left": state.left, **beside})
    return Objection({"cell": token, "points": points, **state.more_points(points)})


# Checks: a new knight (TO-3.1)


def may_stand_beside(state: State, cell: int, knights: list[int]) -> bool:
    """Return True if ``cell`` is beside one of ``knights`` and no higher than that one (TO-3.1)."""
    return any(
        NEXT[knight] >> cell & 1 and state.height_of(cell) <= state.height_of(knight) for knight in knights
    )


@BOOK.check("place.points", "TO-3.1", "action")
def check_place_points(state: State, token: str) -> Objection | None:
    return Objection(state.more_points(2)) if token == NEW and state.left < 2 else None


@BOOK.check("place.knights", "TO-3.1", "action")
def check_place_knights(state: State, token: str) -> Objection | None:
    return Objection({"knights": KNIGHTS}) if token == NEW and len(state.knights_of()) >= KNIGHTS else None


@BOOK.check("place.room", "TO-3.1", "action")
def check_place_room(state: State, token: str) -> Objection | None:
    if token != NEW:
        return None
    free = (cell for cell in range(CELLS) if not state.piece_on(cell))
    own = state.knights_of()
    return None if any(may_stand_beside(state, cell, own) for cell in free) else Objection()


def placing_checks(question: str, clause: str, others: Callable[[State], list[int]]) -> None:
    """Register the checks by TO-3.1 of a new knight and of one taken up by a card (TO-4.8)."""

    @BOOK.check(f"{question}.free", clause, question, pieces=True)
    def check_free(state: State, token: str) -> Objection | None:
        return occupied(state, token)

    @BOOK.check(f"{question}.next", clause, question)
    def check_next_to_own(state: State, token: str) -> Objection | None:
        near = any(NEXT[knight] >> NUMBERS[token] & 1 for knight in others(state))
        return None if near else Objection({"cell": token})

    @BOOK.check(f"{question}.level", clause, question)
    def check_level(state: State, token: str) -> Objection | None:
        cell = NUMBERS[token]
        if may_stand_beside(state, cell, others(state)):
            return None
        highest = max(state.height_of(k) for k in others(state) if NEXT[k] >> cell & 1)
        return Objection({"cell": token, "level": state.height_of(cell), "highest": highest})


placing_checks("place", "TO-3.1", State.knights_of)


# Effects


def spent(state: State, points: int) -> int:
    """Return the action points left after so many; what is overruled takes those that there are."""
    return max(state.left - points, 0)


def moved(state: State, cell: int, target: int) -> tuple[int, ...]:
    """Return all seats' knights after one of the seat to move went from ``cell`` to ``target``."""
    own = state.knights[state.seat] & ~(1 << cell) | 1 << target
    return (*state.knights[: state.seat], own, *state.knights[state.seat + 1 :])


@BOOK.effect("to")
def effect_to(state: State, token: str) -> State:
    cell, target = state.frames[-1].cell, NUMBERS[token]
    ground, pieces, descend = state.ground, state.taken(), state.variant.descend
    points = ways.cost(ground, pieces, cell, target, state.left, descend)
    if not points:  # overruled: all that is left, or one where no way leads there at all
        points = ways.cost(ground, pieces, cell, target, descend=descend) or 1
    return replace(state, knights=moved(state, cell, target), left=spent(state, points), frames=())


@BOOK.effect("place")
def effect_place(state: State, token: str) -> State:
    knights = list(state.knights)
    knights[state.seat] |= 1 << NUMBERS[token]
    return replace(state, knights=tuple(knights), left=spent(state, 2), frames=())
