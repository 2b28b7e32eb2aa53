"""The meaning of a board that a camera saw: a turn of the seat to move, or else the rule in the way.

A turn changes little: it adds a few blocks and moves a few knights. Few plans make such a difference. A
search finds the cheapest order in which the rules allow each (:mod:`.reading_search`), with the walks in
between (:mod:`.reading_walks`). The engine then plays it (:mod:`.reading_turns`), so no explanation is
illegal.

Most boards that no turn leads to show a step against the rules, or a space was misread. So the reader first
gives up the change of each single space in turn (a column keeps its height, or has one block more or less; a
knight did not come, or did not leave), then a walk or two spaces. In the end it takes change by change as
long as a turn leads there. It then tries the rest as a step; the refusal of that step is the rule in the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import msgspec
from msgspec.structs import replace

from engines.contract import SEATS, Choice, Exact, Interpretation, Misread, OutOfStep, Refusal, Several
from engines.torres.action_cards import CARD
from engines.torres.book import BOOK
from engines.torres.cells import CELLS, NAMES, NOWHERE, cells, spread
from engines.torres.ground import TALLEST, survey, with_block
from engines.torres.knights import NEW
from engines.torres.layouts import Layout, differences
from engines.torres.reading_turns import MOST_TURNS, ExplainedTurn, TurnReader
from engines.torres.state import Frame, State

DOUBTS = 20_000
"""The most situations that a search for the nearest explained board looks at."""
MOST_PAIRS = 60
"""The most pairs of changes that are tried; more differences are no misreading."""


def explain(state: State, seen: Layout) -> Interpretation | None:
    """Return the ways of the seat to move from ``state`` to ``seen`` in the rest of its turn.

    Return None outside of a turn: the common search of few steps then suffices.
    """
    if state.frames or state.termination:
        return None
    turns = TurnReader(state).turns(seen)
    if len(turns) == 1:
        return Exact(turns[0].choices)
    if turns:
        return Several(tuple(turn.choices for turn in turns))
    return out_of_step(TurnReader(state, DOUBTS), seen)


class _Near(msgspec.Struct, frozen=True):
    """A board that a turn leads to, and that turn."""

    layout: Layout
    turn: ExplainedTurn


def out_of_step(reader: TurnReader, seen: Layout) -> OutOfStep:
    """Return the nearest explained board, and the refusal of the rest, for a board without a turn."""
    base = _keep_own_changes(reader, seen)
    near = _find_nearest(reader, seen, base)
    told = [Misread(one.turn.choices, differences(seen, one.layout)) for one in near]
    misread = tuple(one for one in told if one.choices and _is_in_one_place(one.differences))
    refusal = _find_refusal(reader, seen, _find_plainest(reader, base, near))
    return OutOfStep(told[0].choices, told[0].differences, refusal, misread[:MOST_TURNS])


def _is_in_one_place(words: Iterable[str]) -> bool:
    """Return True if all differences are in one space; each ends with its name."""
    return len({word[-2:] for word in words}) == 1


def _keep_own_changes(reader: TurnReader, seen: Layout) -> Layout:
    """Return the board seen, without the changes that no turn of the seat to move can make."""
    before, pieces, seat = reader.before, reader.pieces, reader.state.seat
    heights = bytes((before if pieces >> cell & 1 else seen).heights[cell] for cell in range(CELLS))
    return _set_knights(replace(before, heights=heights), seat, seen.knights[seat])


# The nearest boards


def _find_nearest(reader: TurnReader, seen: Layout, base: Layout) -> list[_Near]:
    """Return the boards nearest to ``base`` that a turn leads to, the plainest first; at least one."""
    if base != seen and (turn := reader.plainest(base)):
        return [_Near(base, turn)]
    for others, cards in (
        (_give_up_one, False),
        (_add_one, False),
        (_give_up_one, True),
        (_leave_out_walk, False),
        (_leave_out_two, False),
    ):
        if found := _find_explained(reader, base, others(reader, base), cards):
            return found
    return [_go_step_by_step(reader, base)]


def _find_explained(
    reader: TurnReader, base: Layout, layouts: Iterable[Layout], cards: bool = False
) -> list[_Near]:
    """Return the explained layouts, the nearest to ``base`` first, of equally near ones the plainest turn."""
    turns = ((layout, reader.plainest(layout, cards)) for layout in dict.fromkeys(layouts))
    found = [_Near(layout, turn) for layout, turn in turns if turn]
    return sorted(found, key=lambda near: (_count_apart(near.layout, base), near.turn.rank))


def _count_apart(one: Layout, other: Layout) -> int:
    """Return the number of blocks and knights in which two layouts differ."""
    blocks = sum(abs(a - b) for a, b in zip(one.heights, other.heights, strict=True))
    return blocks + sum((a ^ b).bit_count() for a, b in zip(one.knights, other.knights, strict=True))


def _give_up_one(reader: TurnReader, base: Layout) -> Iterator[Layout]:
    """Yield ``base`` with another change of one space, or without it."""
    before, seat = reader.before, reader.state.seat
    for cell in _find_columns(reader, base):
        for height in dict.fromkeys((before.heights[cell], base.heights[cell] - 1, base.heights[cell] + 1)):
            if 0 <= height <= TALLEST:
                yield _set_column(base, cell, height)
    for cell in cells(_find_gone(reader, base) | _find_come(reader, base)):
        yield _set_knights(base, seat, base.knights[seat] ^ 1 << cell)


def _add_one(reader: TurnReader, base: Layout) -> Iterator[Layout]:
    """Yield ``base`` with one more block on a changed space or beside it."""
    changed = _find_gone(reader, base) | _find_come(reader, base)
    for cell in _find_columns(reader, base):
        changed |= 1 << cell
    for cell in cells((changed | spread(changed)) & ~reader.pieces):
        if base.heights[cell] < TALLEST:
            yield _set_column(base, cell, base.heights[cell] + 1)


def _leave_out_walk(reader: TurnReader, base: Layout) -> Iterator[Layout]:
    """Yield ``base`` without the walk of one knight."""
    seat = reader.state.seat
    for source in cells(_find_gone(reader, base)):
        for target in cells(_find_come(reader, base)):
            yield _set_knights(base, seat, base.knights[seat] ^ (1 << source | 1 << target))


def _leave_out_two(reader: TurnReader, base: Layout) -> Iterator[Layout]:
    """Yield ``base`` without the changes of two spaces; numbers below 64 are columns, others own knights."""
    before, seat = reader.before, reader.state.seat
    spaces = _find_columns(reader, base)
    spaces += [CELLS + cell for cell in cells(_find_gone(reader, base) | _find_come(reader, base))]
    for pair in list(combinations(spaces, 2))[:MOST_PAIRS]:
        layout = base
        for space in pair:
            if space < CELLS:
                layout = _set_column(layout, space, before.heights[space])
            else:
                layout = _set_knights(layout, seat, layout.knights[seat] ^ 1 << space - CELLS)
        yield layout


def _go_step_by_step(reader: TurnReader, base: Layout) -> _Near:
    """Return the board before the turn, with one change after another as long as a turn leads there."""
    before, seat = reader.before, reader.state.seat
    near = _Near(before, ExplainedTurn((), 0, reader.state))
    for cell in _find_columns(reader, base):
        for height in range(before.heights[cell] + 1, base.heights[cell] + 1):
            near = _go_further(reader, near, _set_column(near.layout, cell, height))
    gone = list(cells(_find_gone(reader, base)))
    for target in cells(_find_come(reader, base)):
        own = near.layout.knights[seat]
        for source in (*(1 << cell for cell in gone if own >> cell & 1), 0):
            moved = _go_further(reader, near, _set_knights(near.layout, seat, (own | 1 << target) & ~source))
            if moved is not near:
                near = moved
                break
    return near


def _go_further(reader: TurnReader, near: _Near, layout: Layout) -> _Near:
    turn = reader.plainest(layout, cards=False)
    return _Near(layout, turn) if turn else near


def _find_columns(reader: TurnReader, base: Layout) -> list[int]:
    """Return the columns that changed."""
    return [cell for cell in range(CELLS) if base.heights[cell] != reader.before.heights[cell]]


def _find_gone(reader: TurnReader, base: Layout) -> int:
    """Return the spaces that own knights have left."""
    return reader.before.knights[reader.state.seat] & ~base.knights[reader.state.seat]


def _find_come(reader: TurnReader, base: Layout) -> int:
    """Return the spaces that own knights have come to."""
    return base.knights[reader.state.seat] & ~reader.before.knights[reader.state.seat]


def _set_column(layout: Layout, cell: int, height: int) -> Layout:
    heights = bytearray(layout.heights)
    heights[cell] = height
    return replace(layout, heights=bytes(heights))


def _set_knights(layout: Layout, seat: int, own: int) -> Layout:
    a, b, c, d = (own if at == seat else there for at, there in enumerate(layout.knights))
    return replace(layout, knights=(a, b, c, d))


# The rule in the way


def _find_plainest(reader: TurnReader, base: Layout, near: list[_Near]) -> _Near:
    """Return the nearest board that lacks something of ``base``: a rule forbade it."""
    for one in near:
        if all(there <= here for there, here in zip(one.layout.heights, base.heights, strict=True)):
            return one
    return next(iter(_find_explained(reader, base, _leave_out_walk(reader, base))), near[0])


def _find_refusal(reader: TurnReader, seen: Layout, near: _Near) -> Refusal | None:
    """Return the refusal of the plainest step from the nearest board towards ``seen``."""
    state = _carry_out(reader.state, near)
    there, here = seen.knights[state.seat], near.layout.knights[state.seat]
    for cell in range(CELLS):
        found = _refuse_block(state, cell, seen.heights[cell] - near.layout.heights[cell])
        if found:
            return found
    if refusal := _refuse_other_pieces(reader, seen):
        return refusal
    gone, come = list(cells(here & ~there)), list(cells(there & ~here))
    for target in come:
        for source in gone or [NOWHERE]:
            found = _refuse_knight(state, source, target)
            if found:
                return found
    return Refusal("seen.gone", "TO-3.2", (("cell", NAMES[gone[0]]),)) if len(gone) > len(come) else None


def _refuse_other_pieces(reader: TurnReader, seen: Layout) -> Refusal | None:
    """Refuse a move of another seat's knight (TO-3.2), or of the king (TO-5.4)."""
    before, seat = reader.before, reader.state.seat
    for at, (there, here) in enumerate(zip(seen.knights, before.knights, strict=True)):
        for cell in cells(here & ~there) if at != seat else ():
            return Refusal("seen.knight", "TO-3.2", (("cell", NAMES[cell]), ("piece", SEATS[at])))
    if seen.king != before.king >= 0:
        return Refusal("seen.king", "TO-5.4", (("cell", NAMES[before.king]),))
    return None


def _carry_out(state: State, near: _Near) -> State:
    """Return the state after the nearest turn, with the same seat to move."""
    ground = survey(near.layout.heights)
    knights = tuple(near.layout.knights[: state.variant.seats])
    placed = state.placed + sum(choice.token[0] == "B" for choice in near.turn.choices)
    left = max(state.left - near.turn.points, 0)
    return replace(state, ground=ground, knights=knights, placed=placed, left=left)


def _refuse_block(state: State, cell: int, more: int) -> Refusal | None:
    """Return the refusal of ``more`` blocks on a space; a card takes fewer ones away (TO-4.7)."""
    if more < 0:
        moving = replace(state, frames=(Frame("move"),))
        refusal = BOOK.why_not(state, Choice("action", CARD))
        return refusal or BOOK.why_not(moving, Choice("move", NAMES[cell]))
    for _ in range(more):
        refusal = BOOK.why_not(state, Choice("action", f"B{NAMES[cell]}"))
        if refusal:
            return refusal
        left = max(state.left - 1, 0)
        state = replace(state, ground=with_block(state.ground, cell), placed=state.placed + 1, left=left)
    return None


def _refuse_knight(state: State, source: int, target: int) -> Refusal | None:
    """Return the refusal of the way from ``source`` to ``target``, or of a new knight there."""
    if source == NOWHERE:
        first, then, frame = Choice("action", NEW), Choice("place", NAMES[target]), Frame("place")
    else:
        first = Choice("action", f"M{NAMES[source]}")
        then, frame = Choice("to", NAMES[target]), Frame("to", source)
    return BOOK.why_not(state, first) or BOOK.why_not(replace(state, frames=(frame,)), then)
