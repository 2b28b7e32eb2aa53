"""Tiles laid, full areas and colour bonuses (CT-4)."""

from __future__ import annotations

from msgspec.structs import replace

from engines.castles_of_tuscany.book import BOOK, printed
from engines.castles_of_tuscany.facts import Bonus
from engines.castles_of_tuscany.kinds import FARM, KINDS, NUMBERS, WILD
from engines.castles_of_tuscany.state import EFFECT, Frame, State
from engines.fact_kinds import read_word
from engines.kit import of_frame

SIDES = 2
"""Of a colour bonus tile (CT-4.2)."""
BOOK.asks(printed("bonus"), "bonus", report=True, figures=of_frame("seat", colour="tile"))


def laid(state: State, space: int, tile: str) -> State:
    """Return the state with a tile on a space, scored nowhere yet."""
    side = state.own
    shown = side.shown
    if tile[0] == FARM:
        shown = tuple(sorted((*shown, (space, tile[1:]))))
    wild = side.wild | (tile == WILD) << space
    return state.with_side(state.seat, filled=side.filled | 1 << space, wild=wild, shown=shown)


def scored(state: State, space: int, tile: str, *between: Frame) -> State:
    """Score the area and the colour bonus of a tile just placed, then do its effect (CT-4.3).

    ``between`` is what comes before the effect and after the bonus.
    """
    ground, filled = state.land, state.own.filled
    area, kind = ground.area(space), ground.kinds[space]
    if not area & ~filled:
        state = state.gained("areas", area_points(area.bit_count()), ground.names[space])
    state = state.asking(Frame(EFFECT, space=space, tile=tile, open=False), *between)
    number = NUMBERS[kind]
    if ground.of_kind[number] & ~filled or state.taken[number] >= SIDES:
        return state
    if state.copy.bonus[number] is None:
        return state.asking(Frame("bonus", tile=kind, open=False))
    return bonus(state, kind)


def area_points(spaces: int) -> int:
    """Return the VP of a full area of so many spaces (CT-4.1).

    >>> [area_points(spaces) for spaces in (1, 2, 3, 4, 5)]
    [1, 3, 6, 10, 15]
    """
    return spaces * (spaces + 1) // 2


def bonus(state: State, kind: str) -> State:
    """Give the seat to move the value on the side that lies up, which is turned or leaves (CT-4.2)."""
    number = NUMBERS[kind]
    values, side = state.copy.bonus[number], state.taken[number]
    assert values
    taken = tuple(times + (each == number) for each, times in enumerate(state.taken))
    return replace(state, taken=taken).gained("bonus", values[side], kind)


@BOOK.effect("bonus")
def effect_bonus(state: State, token: str) -> State:
    """Enter the values on a colour bonus tile, told when they first matter."""
    kind = state.frames[-1].tile
    first, second = read_word(Bonus, token)
    known = tuple(
        (first, second) if each == NUMBERS[kind] else pair for each, pair in enumerate(state.copy.bonus)
    )
    return bonus(replace(state.answered(), copy=replace(state.copy, bonus=known)), kind)


@BOOK.fits("bonus")
def fits_bonus(state: State) -> bool:
    kind = state.frames[-1].tile
    return kind in KINDS and state.copy.bonus[NUMBERS[kind]] is None
