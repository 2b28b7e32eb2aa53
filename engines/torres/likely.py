"""The answer that a cursor comes to first: by what lies near the own knights and by habit."""

from __future__ import annotations

from engines.contract import Choice
from engines.torres import ways
from engines.torres.action_cards import CARD
from engines.torres.book import BOOK, read_cell
from engines.torres.cards import TWO_PLACES
from engines.torres.cells import NEXT, NOWHERE, NUMBERS, cells
from engines.torres.ground import TALLEST
from engines.torres.phases import END, STACKS, STAY
from engines.torres.state import State

_TO = frozenset({"to", "place", *(f"{name}_to" for name in TWO_PLACES if name != "move")})
"""Questions where a knight goes."""


@BOOK.method
def likely(state: State, choice: Choice) -> int:
    """Rank an answer as the contract has it; 0 for all choices of a question that has no habits."""
    asked, token = choice.question, choice.token
    if asked in _TO:
        return _to(state, NUMBERS[token])
    if asked == "block" or (asked == "action" and token[0] == "B"):
        return _block(state, read_cell(token))
    if asked == "final_height":
        return abs(int(token[1:]) - state.ground.heights[state.frames[-1].cell])
    if asked == "king" and token != STAY:
        return int(not _home(state) >> read_cell(token) & 1)
    if asked == "action" and token[0] == "M":
        return _knight(state, read_cell(token))
    if asked == "action" and token == CARD:
        return int(not state.left)
    return int(token in (END, STACKS) and state.left > 0)


def _to(state: State, cell: int) -> int:
    """Rank going up first, wherever that is; else as little down as can be, on one level to other castles."""
    heights, knight = state.ground.heights, state.frames[-1].cell
    level = TALLEST if knight == NOWHERE else heights[knight]
    if heights[cell] > level:
        return 0
    return 1 + 2 * (level - heights[cell]) + (_home(state) >> cell & 1)


def _knight(state: State, cell: int) -> int:
    """Prefer knights that can go up."""
    ground = state.ground
    there = ways.reachable(ground, state.taken(), cell, state.left, state.variant.descend)
    return int(not there & ground.above[ground.heights[cell]])


def _block(state: State, cell: int) -> int:
    """Rank the next step up for a knight, then what widens an own castle, makes it higher, and the rest."""
    heights, own = state.ground.heights, state.knights[state.seat]
    if any(heights[knight] == heights[cell] for knight in cells(NEXT[cell] & own)):
        return 0
    if not _home(state) >> cell & 1:
        return 3
    return 1 + (heights[cell] > 0)


def _home(state: State) -> int:
    """Return the castles that own knights stand on, and the spaces beside them."""
    ground, own, home = state.ground, state.knights[state.seat], 0
    for castle, border in zip(ground.castles, ground.borders, strict=True):
        if castle & own:
            home |= castle | border
    return home
