"""Blocks (TO-3.4 to TO-3.7): ``Bd3`` is one from an own stack on d3."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from engines.contract import Choice
from engines.kit import Objection
from engines.torres import stacks as piles
from engines.torres.book import BOOK, occupied, read_cell, spaces, squares
from engines.torres.cells import NAMES, NEXT
from engines.torres.ground import TALLEST, Ground, castle_at, with_block
from engines.torres.state import State

TOKENS = squares("B")


# The fast list


def listed(state: State, free: int) -> list[Choice]:
    """Return the spaces where a block may go, ``free`` being those without a piece."""
    ground = state.ground
    return spaces("action", (ground.widening | ground.roofs) & free, "B")


# Checks


def castles_beside(ground: Ground, cell: int) -> list[int]:
    """Return the castles beside a space."""
    return [castle for castle in ground.castles if castle & NEXT[cell] and not castle >> cell & 1]


def too_high(state: State, cell: int) -> Objection | None:
    """Refuse one more block on top of a column by TO-3.7."""
    height, area = state.height_of(cell) + 1, castle_at(state.ground, cell).bit_count()
    if height == 1 or (height <= area and height <= TALLEST):
        return None
    figures: dict[str, int | str] = {"cell": NAMES[cell], "height": height, "area": area}
    return Objection(figures, names=tuple(figures))


def block_checks(prefix: str, question: str, letter: str) -> None:
    """Register the rules for where a block goes, for the action and for the card (TO-4.3)."""

    def block(test: Callable[[State, str], Objection | None]) -> Callable[[State, str], Objection | None]:
        def only_blocks(state: State, token: str) -> Objection | None:
            return test(state, token) if not letter or token[0] == letter else None

        return only_blocks

    BOOK.check(f"{prefix}.free", "TO-3.5", question)(block(occupied))

    @BOOK.check(f"{prefix}.castle", "TO-3.5", question)
    @block
    def check_castle(state: State, token: str) -> Objection | None:
        cell = read_cell(token)
        if state.height_of(cell) or castles_beside(state.ground, cell):
            return None
        return Objection({"cell": NAMES[cell]}, names=("cell",))

    @BOOK.check(f"{prefix}.joins", "TO-3.6", question)
    @block
    def check_joins(state: State, token: str) -> Objection | None:
        cell = read_cell(token)
        beside = castles_beside(state.ground, cell) if not state.height_of(cell) else []
        if len(beside) < 2:
            return None
        return Objection({"cell": NAMES[cell], "castles": len(beside)}, names=("cell", "castles"))

    @BOOK.check(f"{prefix}.height", "TO-3.7", question)
    @block
    def check_height(state: State, token: str) -> Objection | None:
        return too_high(state, read_cell(token))


@BOOK.check("block.points", "TO-3.4", "action")
def check_block_points(state: State, token: str) -> Objection | None:
    return Objection(state.more_points(1)) if token[0] == "B" and not state.left else None


@BOOK.check("block.stack", "TO-3.4", "action")
def check_block_stack(state: State, token: str) -> Objection | None:
    if token[0] != "B" or state.may_place_block():
        return None
    return Objection({"placed": state.placed, "stacks": piles.text(state.stacks[state.seat])})


block_checks("block", "action", "B")


# The effect


def lay(state: State, cell: int) -> State:
    """Lay a block from an own stack; one that was overruled may come from nowhere."""
    own = not state.waived or state.own_blocks() > 0
    ground, left = with_block(state.ground, cell), state.left - 1 if state.left else 0
    return replace(state, ground=ground, placed=state.placed + own, left=left)


# What the pieces allow


def any_left(state: State) -> bool:
    """Return True if a block could come from anywhere."""
    return state.own_blocks() > 0 or state.supply() > 0


def not_too_tall(state: State, token: str) -> bool:
    """Return True if one more block can be counted there."""
    return state.ground.heights[read_cell(token)] < TALLEST
