"""The words that the checks are written in: space by space, where ``moves.py`` works on sets of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import lru_cache

from engines.contract import SEATS
from engines.kit.checks import Checks, Objection
from engines.torres import questions as q
from engines.torres.cells import CELLS, NAMES, NEXT, NUMBERS, cells, grown, mask_of, spread
from engines.torres.ground import TALLEST, Ground, castle_at
from engines.torres.state import State, taken

CHECKS: Checks[State] = Checks()
"""All checks of the game; they are registered by the modules that :mod:`engines.torres.checks` names."""
check = CHECKS.check


def height_of(state: State, cell: int) -> int:
    """How many blocks lie on a space."""
    return state.ground.heights[cell]


def level_of(state: State) -> int:
    """The level of the knight that the begun question is about."""
    return state.ground.heights[state.frames[-1].cell]


def knights_of(state: State) -> list[int]:
    """The spaces of the knights of the seat to move."""
    return list(cells(state.knights[state.seat]))


def piece_on(state: State, cell: int) -> str:
    """What stands on a space: a seat's letter, ``K`` for the king, empty for nothing."""
    if state.king == cell:
        return "K"
    return next((SEATS[seat] for seat, own in enumerate(state.knights) if own >> cell & 1), "")


def occupied(state: State, token: str) -> Objection | None:
    """TO-1.8 for a space that a piece is to go to, or a block."""
    piece = piece_on(state, q.read_cell(token))
    return Objection({"cell": token[-2:], "piece": piece}) if piece else None


def castles_beside(ground: Ground, cell: int) -> list[int]:
    """The castles beside a space."""
    return [castle for castle in ground.castles if castle & NEXT[cell] and not castle >> cell & 1]


def _step_on_foot(state: State, cell: int, target: int) -> bool:
    return bool(NEXT[cell] >> target & 1) and height_of(state, target) <= height_of(state, cell) + 1


@lru_cache(64)
def doors(ground: Ground) -> tuple[tuple[int, frozenset[int]], ...]:
    """By castle, the spaces next to a column of it that is taller: there one gets in and out (TO-3.3)."""
    return tuple(
        (castle, frozenset(space for space in cells(spread(castle)) if _has_door(ground, space, castle)))
        for castle in ground.castles
    )


def _has_door(ground: Ground, space: int, castle: int) -> bool:
    level = ground.heights[space]
    return any(ground.heights[column] > level for column in cells(NEXT[space] & castle))


def by_doors(state: State, cell: int, target: int, card: bool) -> bool:
    """TO-3.3; TO-4.4 for a card."""
    if target == cell or (not card and height_of(state, target) > height_of(state, cell)):
        return False
    return any(
        cell in spaces
        and target in spaces
        and (not state.variant.descend or _never_climbs(state, cell, target, castle))
        for castle, spaces in doors(state.ground)
    )


def _never_climbs(state: State, cell: int, target: int, castle: int) -> bool:
    """Whether columns taller than ``target`` lead from a door of ``cell`` to one of ``target``."""
    level = height_of(state, cell)
    return any(
        part & NEXT[target] and any(height_of(state, column) > level for column in cells(part & NEXT[cell]))
        for part in _inside(state.ground, castle, height_of(state, target))
    )


@lru_cache(256)
def _inside(ground: Ground, castle: int, level: int) -> tuple[int, ...]:
    """The parts that a castle has above a level."""
    parts, tall = [], mask_of(column for column in cells(castle) if ground.heights[column] > level)
    while tall:
        parts.append(grown(tall & -tall, tall))
        tall &= ~parts[-1]
    return tuple(parts)


def _one_point(state: State, cell: int) -> Iterator[int]:
    """Every free space that a single action point takes a knight on ``cell`` to."""
    near = set(cells(NEXT[cell])).union(*(spaces for _, spaces in doors(state.ground) if cell in spaces))
    pieces = taken(state)
    for space in near:
        if not pieces >> space & 1 and (
            _step_on_foot(state, cell, space) or by_doors(state, cell, space, card=False)
        ):
            yield space


@lru_cache(64)
def distances(state: State, cell: int, points: int) -> dict[int, int]:
    """The fewest action points to every space that a knight on ``cell`` can get to with so many."""
    found, todo = {cell: 0}, deque([cell])
    while todo:
        here = todo.popleft()
        for space in _one_point(state, here) if found[here] < points else ():
            if space not in found:
                found[space] = found[here] + 1
                todo.append(space)
    return found


def points_to(state: State, cell: int, target: int) -> int:
    """The fewest action points from ``cell`` to ``target``, whether they are left or not; 0 for no way."""
    near = distances(state, cell, state.left).get(target, 0)
    return near or distances(state, cell, CELLS).get(target, 0)


def may_step(state: State, cell: int) -> bool:
    """Whether a single action point takes the knight on ``cell`` anywhere."""
    return next(_one_point(state, cell), None) is not None


def may_stand_beside(state: State, cell: int, knights: list[int]) -> bool:
    """TO-3.1: ``cell`` is beside one of ``knights`` and no higher than that one."""
    return any(
        NEXT[knight] >> cell & 1 and height_of(state, cell) <= height_of(state, knight) for knight in knights
    )


def lets_pass(state: State, question: str, token: str) -> bool:
    """Whether every check of a question lets a token pass."""
    return all(rule.test(state, token) is None for rule in CHECKS if question in rule.questions)


# Rules that several questions share


def block_checks(prefix: str, question: str, letter: str) -> None:
    """The rules for where a block goes, for the action and for the card (TO-4.3)."""

    def block(test: Callable[[State, str], Objection | None]) -> Callable[[State, str], Objection | None]:
        def only_blocks(state: State, token: str) -> Objection | None:
            return test(state, token) if not letter or token[0] == letter else None

        return only_blocks

    check(f"{prefix}.free", "TO-3.5", question)(block(occupied))

    @check(f"{prefix}.castle", "TO-3.5", question)
    @block
    def _(state: State, token: str) -> Objection | None:
        cell = q.read_cell(token)
        if height_of(state, cell) or castles_beside(state.ground, cell):
            return None
        return Objection({"cell": NAMES[cell]})

    @check(f"{prefix}.joins", "TO-3.6", question)
    @block
    def _(state: State, token: str) -> Objection | None:
        cell = q.read_cell(token)
        beside = castles_beside(state.ground, cell) if not height_of(state, cell) else []
        return Objection({"cell": NAMES[cell], "castles": len(beside)}) if len(beside) > 1 else None

    @check(f"{prefix}.height", "TO-3.7", question)
    @block
    def _(state: State, token: str) -> Objection | None:
        return too_high(state, q.read_cell(token))


def too_high(state: State, cell: int) -> Objection | None:
    """TO-3.7 for one more block on top of a column."""
    height, area = height_of(state, cell) + 1, castle_at(state.ground, cell).bit_count()
    if height == 1 or (height <= area and height <= TALLEST):
        return None
    return Objection({"cell": NAMES[cell], "height": height, "area": area})


def placing_checks(question: str, prefix: str, clause: str, others: Callable[[State], list[int]]) -> None:
    """TO-3.1 for a new knight and for one taken up by a card (TO-4.8)."""

    @check(f"{prefix}.free", clause, question)
    def _(state: State, token: str) -> Objection | None:
        return occupied(state, token)

    @check(f"{prefix}.next", clause, question)
    def _(state: State, token: str) -> Objection | None:
        near = any(NEXT[knight] >> NUMBERS[token] & 1 for knight in others(state))
        return None if near else Objection({"cell": token})

    @check(f"{prefix}.level", clause, question)
    def _(state: State, token: str) -> Objection | None:
        cell = NUMBERS[token]
        if may_stand_beside(state, cell, others(state)):
            return None
        highest = max(height_of(state, k) for k in others(state) if NEXT[k] >> cell & 1)
        return Objection({"cell": token, "level": height_of(state, cell), "highest": highest})
