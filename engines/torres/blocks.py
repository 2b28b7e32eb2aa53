"""Blocks (TO-3.4 to TO-3.7): ``Bd3`` places one from an own stack on d3."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from engines.contract import Choice
from engines.kit import Objection
from engines.torres import stacks as piles
from engines.torres.book import BOOK, check_occupied, read_cell, spaces, squares
from engines.torres.cells import NAMES, NEXT
from engines.torres.ground import TALLEST, Ground, castle_at, with_block
from engines.torres.state import State

TOKENS = squares("B")


# The fast list


def list_blocks(state: State, free: int) -> list[Choice]:
    """Return the choices of spaces for a block; ``free`` are those without a piece."""
    ground = state.ground
    return spaces("action", (ground.widening | ground.roofs) & free, "B")


# Checks


def castles_beside(ground: Ground, cell: int) -> list[int]:
    """Return the castles beside a space."""
    return [castle for castle in ground.castles if castle & NEXT[cell] and not castle >> cell & 1]


def check_castle(state: State, token: str) -> Objection | None:
    """Refuse a block that touches no castle (TO-3.5)."""
    cell = read_cell(token)
    if state.height_of(cell) or castles_beside(state.ground, cell):
        return None
    return Objection({"cell": NAMES[cell]}, names=("cell",))


def check_joins(state: State, token: str) -> Objection | None:
    """Refuse a block that joins castles (TO-3.6)."""
    cell = read_cell(token)
    beside = castles_beside(state.ground, cell) if not state.height_of(cell) else []
    if len(beside) < 2:
        return None
    return Objection({"cell": NAMES[cell], "castles": len(beside)}, names=("cell", "castles"))


def check_height(state: State, token: str) -> Objection | None:
    """Refuse a block that makes a column too high (TO-3.7)."""
    cell = read_cell(token)
    height, area = state.height_of(cell) + 1, castle_at(state.ground, cell).bit_count()
    if height == 1 or (height <= area and height <= TALLEST):
        return None
    figures: dict[str, int | str] = {"cell": NAMES[cell], "height": height, "area": area}
    return Objection(figures, names=tuple(figures))


def register_block_checks(prefix: str, question: str, letter: str) -> None:
    """Register the checks of a block's space, for the action or the card (TO-4.3); a block's tokens begin
    with ``letter``.
    """

    def register(name: str, clause: str, test: Callable[[State, str], Objection | None]) -> None:
        @BOOK.check(f"{prefix}.{name}", clause, question)
        def check_block(state: State, token: str) -> Objection | None:
            return test(state, token) if token.startswith(letter) else None

    register("free", "TO-3.5", check_occupied)
    register("castle", "TO-3.5", check_castle)
    register("joins", "TO-3.6", check_joins)
    register("height", "TO-3.7", check_height)


@BOOK.check("block.points", "TO-3.4", "action")
def check_block_points(state: State, token: str) -> Objection | None:
    return Objection(state.more_points(1)) if token[0] == "B" and not state.left else None


@BOOK.check("block.stack", "TO-3.4", "action")
def check_block_stack(state: State, token: str) -> Objection | None:
    stacks = state.stacks[state.seat]
    if token[0] != "B" or piles.can_place(stacks, state.placed, state.under):
        return None
    return Objection({"placed": state.placed, "stacks": piles.text(stacks)})


register_block_checks("block", "action", "B")


# The effect


def lay(state: State, cell: int) -> State:
    """Place a block from an own stack; an overruled one may come from elsewhere."""
    own = not state.waived or state.own_blocks() > 0
    ground, left = with_block(state.ground, cell), state.left - 1 if state.left else 0
    return replace(state, ground=ground, placed=state.placed + own, left=left)


# What the pieces allow


def any_left(state: State) -> bool:
    """Return True if a block is left, own or in the supply."""
    return state.own_blocks() > 0 or state.supply() > 0


def not_too_tall(state: State, token: str) -> bool:
    """Return True if the column is lower than the tallest possible one."""
    return state.ground.heights[read_cell(token)] < TALLEST
