"""The fast list of what is legal: certain by what is known, or possible. No check is run here.

``checks.py`` says the same thing slowly and with reasons; a property test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable

from engines.contract import Choice
from engines.torres import cards as c
from engines.torres import ground as g
from engines.torres import questions as q
from engines.torres import stacks as piles
from engines.torres import ways
from engines.torres.cells import FULL, NAMES, NEAR, NEXT, cells, mask_of
from engines.torres.ground import BLOCKS, TALLEST
from engines.torres.state import (
    KNIGHTS,
    TAKES,
    State,
    own_blocks,
    possible_cards,
    supply,
    taken,
    totals,
)


def legal(state: State, cards: int | None = None) -> list[Choice]:
    """Every choice that the rules allow, in the domain's order.

    ``cards`` are those the seat to move may play, by default what the referee knows of them.
    """
    if state.termination:
        return []
    if not state.frames:
        return _actions(state, cards)
    asked = state.frames[-1].question
    if asked == "card":
        return _named(state, possible_cards(state) if cards is None else cards)
    grid = _GRID.get(asked)
    if grid:
        return _cells(asked, grid(state))
    return _LIST[asked](state)


def _cells(question: str, mask: int, prefix: str = "") -> list[Choice]:
    """The choices of all spaces in ``mask``."""
    one, two, three, four, five, six, seven, eight = mask.to_bytes(8, "little")
    rows = q.by_row(question, prefix)
    return [
        *rows[0][one],
        *rows[1][two],
        *rows[2][three],
        *rows[3][four],
        *rows[4][five],
        *rows[5][six],
        *rows[6][seven],
        *rows[7][eight],
    ]


# A turn


def _actions(state: State, cards: int | None) -> list[Choice]:
    seat, left = state.seat, state.left
    may_place, may_choose = piles.open_to(state.stacks[seat], state.placed, state.under)
    found: list[Choice] = []
    near = 0
    if left:
        free = FULL ^ taken(state)
        ground, own = state.ground, state.knights[seat]
        heights, above, knights = ground.heights, ground.above, own
        while knights:
            bit = knights & -knights
            knights ^= bit
            cell = bit.bit_length() - 1
            level, beside = heights[cell], NEXT[cell] & free
            near |= beside & ~above[level]
            if beside & ~above[level + 1] or ways.through(ground, cell, state.variant.descend) & free:
                found.append(_MOVES[cell])
        if may_place:
            found += _cells("action", (ground.widening | ground.roofs) & free, "B")
        found += _SCORES[-left:]
    if may_choose:
        found.append(_STACKS)
    if left and state.fresh < TAKES and not state.variant.master:
        found += _TAKES[min(state.decks[seat], 2)]
    if not state.carded:
        if cards is None:
            cards = possible_cards(state)
        if cards and (cards & _MORE_POINTS or any_card(state, cards)):
            found.append(_CARD)
    if near and left > 1 and own.bit_count() < KNIGHTS:
        found.append(_NEW)
    found.append(_END)
    return found


_MORE_POINTS = sum(1 << kind for kind in c.MORE_POINTS)
_MOVES = [q.CHOICES["action", f"M{name}"] for name in NAMES]
_SCORES = [q.CHOICES["action", token] for token in q.SCORES]
_NEW, _CARD, _STACKS, _END = (q.CHOICES["action", token] for token in (q.NEW, q.CARD, q.STACKS, q.END))
_TAKES: tuple[list[Choice], ...] = (
    [],
    [q.CHOICES["action", q.TOP]],
    [q.CHOICES["action", token] for token in (q.TOP, q.BOTTOM)],
)
"""By how many cards the deck still holds, up to two."""


def may_end_itself(state: State) -> bool:
    """Whether nothing is left to decide in this turn: no action point, no card, no choice of stacks."""
    if state.left or piles.open_to(state.stacks[state.seat], state.placed, state.under)[1]:
        return False
    cards = 0 if state.carded else possible_cards(state)
    return not cards or not any_card(state, cards)


def _to(state: State) -> int:
    return ways.reachable(
        state.ground, taken(state), state.frames[-1].cell, state.left, state.variant.descend
    )


def _place(state: State) -> int:
    return ways.beside_own(state.ground, taken(state), state.knights[state.seat])


def _leave(state: State) -> list[Choice]:
    found = piles.results(state.stacks[state.seat], state.placed, state.under)
    return [
        Choice("leave", piles.text(left))
        for left in piles.spreads(len(state.stacks[state.seat]) - 1)
        if left in found
    ]


# Action cards


def any_card(state: State, cards: int) -> bool:
    """Whether one of ``cards`` would have an effect."""
    if cards & _MORE_POINTS:
        return True
    return any(cards >> kind & 1 and _has_effect(state, kind) for kind in range(len(c.CARDS)))


def _named(state: State, cards: int) -> list[Choice]:
    return [
        q.CHOICES["card", name]
        for kind, name in enumerate(c.CARDS)
        if cards >> kind & 1 and _has_effect(state, kind)
    ]


def _has_effect(state: State, kind: int) -> bool:
    if kind in c.MORE_POINTS:
        return True
    pieces = taken(state)
    if kind == c.MOVE:
        return next(g.sources(state.ground, pieces), None) is not None
    way = _WAYS.get(kind)
    if way is None:
        return bool(_under(state) if kind == c.UNDER else _block(state))
    return any(way(state, pieces, cell) for cell in cells(state.knights[state.seat]))


Way = Callable[[State, int, int], int]
"""Where a card takes a knight: (state, spaces taken, the knight's space) to a set of spaces."""


def _who(way: Way) -> Callable[[State], int]:
    """The own knights that a card can take somewhere."""

    def knights(state: State) -> int:
        pieces = taken(state)
        return mask_of(cell for cell in cells(state.knights[state.seat]) if way(state, pieces, cell))

    return knights


def _where(way: Way) -> Callable[[State], int]:
    return lambda state: way(state, taken(state), state.frames[-1].cell)


def _jump(state: State, pieces: int, cell: int) -> int:
    return ways.jump(state.ground, pieces, cell)


def _doors(state: State, pieces: int, cell: int) -> int:
    return ways.door_to_door(state.ground, pieces, cell, state.variant.descend)


def _diagonal(state: State, pieces: int, cell: int) -> int:
    return ways.diagonal(state.ground, pieces, cell)


def _reposition(state: State, pieces: int, cell: int) -> int:
    return ways.reposition(state.ground, pieces, cell, state.knights[state.seat])


def _leap(state: State, pieces: int, cell: int) -> int:
    return ways.leap(state.ground, pieces, cell)


def _under(state: State) -> int:
    if own_blocks(state) < 1:
        return 0
    return state.ground.under_room & state.knights[state.seat]


def _block(state: State) -> int:
    return state.ground.room & ~taken(state) if supply(state) > 0 else 0


def _move(state: State) -> int:
    return mask_of(g.sources(state.ground, taken(state)))


def _move_to(state: State) -> int:
    return g.targets(state.ground, state.frames[-1].cell) & ~taken(state)


_WAYS: dict[int, Way] = {
    c.JUMP: _jump,
    c.DOORS: _doors,
    c.DIAGONAL: _diagonal,
    c.REPOSITION: _reposition,
    c.LEAP: _leap,
}


# Set-up and between phases


def _found(state: State) -> int:
    """Three steps from every other castle; no seven blocks can take up all such room (TO-6.1)."""
    free = FULL
    for cell in cells(state.ground.above[0]):
        free &= ~NEAR[cell]
    return free


def _empty_castles(state: State) -> int:
    """The spaces of castles that hold no piece (TO-1.5)."""
    pieces, found = taken(state), 0
    for castle in state.ground.castles:
        if not castle & pieces:
            found |= castle
    return found


def _king(state: State) -> list[Choice]:
    free = state.ground.above[0] & ~taken(state)
    return [*_cells("king", free), q.CHOICES["king", q.STAY]]


def _starter(state: State) -> list[Choice]:
    return [Choice("starter", token) for token in q.domain(state).tokens]


# Reports: a final layout and points entered by hand


def _final(_: State) -> list[Choice]:
    return [q.CHOICES["final", q.ENOUGH], *_cells("final", FULL)]


def _final_height(state: State) -> list[Choice]:
    there = state.ground.heights[state.frames[-1].cell]
    most = min(TALLEST, BLOCKS - state.ground.blocks + there)
    return [q.CHOICES["final_height", f"+{n}"] for n in range(most + 1)]


def _final_king(state: State) -> int:
    return state.ground.above[0] or FULL


def _final_knight(state: State) -> list[Choice]:
    placed = state.knights[state.frames[-1].cell]
    found = [q.CHOICES["final_knight", q.ENOUGH]] * bool(placed)
    if placed.bit_count() < KNIGHTS:
        found += _cells("final_knight", FULL & ~taken(state))
    return found


def _ones(state: State) -> list[Choice]:
    """Points may not be those of a seat that has been entered, but for 0 (TO-3.11)."""
    frame = state.frames[-1]
    others = set(totals(state)[: frame.cell]) if frame.question == "track_ones" else set()
    return [q.CHOICES[frame.question, f"_{n}"] for n in range(10) if 10 * frame.n + n not in others - {0}]


def _all(state: State) -> list[Choice]:
    asked = state.frames[-1].question
    return [q.CHOICES[asked, token] for token in q.domain(state).tokens]


_GRID: dict[str, Callable[[State], int]] = {
    "to": _to,
    "place": _place,
    "jump": _who(_jump),
    "jump_to": _where(_jump),
    "under": _under,
    "block": _block,
    "doors": _who(_doors),
    "doors_to": _where(_doors),
    "diagonal": _who(_diagonal),
    "diagonal_to": _where(_diagonal),
    "move": _move,
    "move_to": _move_to,
    "reposition": _who(_reposition),
    "reposition_to": _where(_reposition),
    "leap": _who(_leap),
    "leap_to": _where(_leap),
    "found": _found,
    "enter": _empty_castles,
    "crown": _empty_castles,
    "final_king": _final_king,
}
_LIST: dict[str, Callable[[State], list[Choice]]] = {
    "leave": _leave,
    "king": _king,
    "starter": _starter,
    "final": _final,
    "final_height": _final_height,
    "final_knight": _final_knight,
    "final_phase": _all,
    "track": _all,
    "track_ones": _ones,
    "master": _all,
    "master_ones": _ones,
}
