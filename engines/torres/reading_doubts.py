"""A board that no turn leads to: the nearest one that a turn does, and the rule in the way.

Most such boards are a step against the rules or a space that was misread. So first every single space is
given up in turn (a column is as it was, or one block more or less; a knight is not there, or still there),
then a walk or two spaces, and in the end whatever can be explained is taken step by step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import msgspec
from msgspec.structs import replace

from engines.contract import Choice, Misread, OutOfStep, Refusal
from engines.torres.action_cards import CARD
from engines.torres.book import BOOK
from engines.torres.cells import CELLS, NAMES, NOWHERE, cells, spread
from engines.torres.ground import TALLEST, survey, with_block
from engines.torres.knights import NEW
from engines.torres.layout import Layout, differences
from engines.torres.reading_turns import MOST, Reader, Turn
from engines.torres.state import Frame, State

MOST_PAIRS = 60
"""How many pairs of changes are tried; more differences than these leave are no misreading."""


class _Near(msgspec.Struct, frozen=True):
    """A board that a turn leads to, and that turn."""

    layout: Layout
    turn: Turn


def out_of_step(reader: Reader, seen: Layout) -> OutOfStep:
    """What to say of a board that ``reader`` finds no turn for."""
    base = _own_changes(reader, seen)
    near = (
        _as_it_is(reader, seen, base)
        or _one_place(reader, base)
        or _two_places(reader, base)
        or [_step_by_step(reader, base)]
    )
    best = near[0]
    told = [Misread(one.turn.choices, differences(seen, one.layout)) for one in near]
    misread = tuple(one for one in told if one.choices and _in_one_place(one.differences))
    return OutOfStep(
        best.turn.choices,
        told[0].differences,
        _refusal(reader, seen, _plainest(reader, base, near)),
        misread[:MOST],
    )


def _plainest(reader: Reader, base: Layout, near: list[_Near]) -> _Near:
    """The nearest board in which something of ``base`` is left undone, for that is what a rule forbade."""
    for one in near:
        if all(there <= here for there, here in zip(one.layout.heights, base.heights, strict=True)):
            return one
    return next(iter(_without_a_walk(reader, base)), near[0])


def _in_one_place(words: Iterable[str]) -> bool:
    """Whether all differences are in one space; each ends with its name."""
    return len({word[-2:] for word in words}) == 1


def _own_changes(reader: Reader, seen: Layout) -> Layout:
    """What was seen, with all put back that the seat to move cannot have changed by any turn."""
    before, pieces, seat = reader.before, reader.pieces, reader.state.seat
    a, b, c, d = (seen.knights[at] if at == seat else there for at, there in enumerate(before.knights))
    heights = bytes(
        before.heights[cell] if pieces >> cell & 1 else seen.heights[cell] for cell in range(CELLS)
    )
    return Layout(heights, (a, b, c, d), before.king)


def _as_it_is(reader: Reader, seen: Layout, base: Layout) -> list[_Near]:
    """The board without the others' changes, if that can be explained."""
    if base == seen:
        return []
    return [_Near(base, turn) for turn in reader.turns(base)[:1]]


def _found(reader: Reader, base: Layout, layouts: Iterable[Layout], cards: bool) -> list[_Near]:
    """The layouts that can be explained, those nearest to ``base`` and of them the plainest turn first."""
    found = [
        _Near(layout, turn) for layout in dict.fromkeys(layouts) for turn in reader.turns(layout, cards)[:1]
    ]
    return sorted(found, key=lambda near: (_apart(near.layout, base), near.turn.rank))


def _apart(one: Layout, other: Layout) -> int:
    """How many blocks and knights two layouts differ by."""
    blocks = sum(abs(a - b) for a, b in zip(one.heights, other.heights, strict=True))
    return blocks + sum((a ^ b).bit_count() for a, b in zip(one.knights, other.knights, strict=True))


def _one_place(reader: Reader, base: Layout) -> list[_Near]:
    """Boards that differ from ``base`` in one space and that a turn leads to."""
    changed = list(_given_up(reader, base))
    return (
        _found(reader, base, changed, cards=False)
        or _found(reader, base, _unseen(reader, base), cards=False)
        or _found(reader, base, changed, cards=True)
    )


def _given_up(reader: Reader, base: Layout) -> Iterator[Layout]:
    """``base`` with the change of one space given up or taken for another."""
    before, seat = reader.before, reader.state.seat
    for cell in range(CELLS):
        there, here = base.heights[cell], before.heights[cell]
        if there != here:
            for height in dict.fromkeys((here, there - 1, there + 1)):
                if 0 <= height <= TALLEST:
                    yield _column(base, cell, height)
    for cell in cells(base.knights[seat] ^ before.knights[seat]):
        yield _knights(base, seat, base.knights[seat] ^ 1 << cell)


def _unseen(reader: Reader, base: Layout) -> Iterator[Layout]:
    """``base`` with one block more where something changed or beside it."""
    before, seat = reader.before, reader.state.seat
    changed = base.knights[seat] ^ before.knights[seat]
    for cell in range(CELLS):
        if base.heights[cell] != before.heights[cell]:
            changed |= 1 << cell
    for cell in cells((changed | spread(changed)) & ~reader.pieces):
        if base.heights[cell] < TALLEST:
            yield _column(base, cell, base.heights[cell] + 1)


def _without_a_walk(reader: Reader, base: Layout) -> list[_Near]:
    """Boards in which one knight is still where it was, and that a turn leads to."""
    before, seat = reader.before, reader.state.seat
    gone = before.knights[seat] & ~base.knights[seat]
    come = base.knights[seat] & ~before.knights[seat]
    walks = [
        _knights(base, seat, base.knights[seat] ^ (1 << source | 1 << target))
        for source in cells(gone)
        for target in cells(come)
    ]
    return _found(reader, base, walks, cards=False)


def _two_places(reader: Reader, base: Layout) -> list[_Near]:
    """Boards without one walk, or without the changes of two spaces, that a turn leads to."""
    if found := _without_a_walk(reader, base):
        return found
    before, seat = reader.before, reader.state.seat
    changed = before.knights[seat] ^ base.knights[seat]
    spaces = [cell for cell in range(CELLS) if base.heights[cell] != before.heights[cell]]
    spaces += [CELLS + cell for cell in cells(changed)]
    pairs = list(combinations(spaces, 2))[:MOST_PAIRS]
    return _found(reader, base, (_back(reader, base, pair) for pair in pairs), cards=False)


def _back(reader: Reader, base: Layout, spaces: Iterable[int]) -> Layout:
    """``base`` with these spaces as they were: numbers below 64 are columns, those above the own knights."""
    before, seat = reader.before, reader.state.seat
    for space in spaces:
        if space < CELLS:
            base = _column(base, space, before.heights[space])
        else:
            base = _knights(base, seat, base.knights[seat] ^ 1 << space - CELLS)
    return base


def _step_by_step(reader: Reader, base: Layout) -> _Near:
    """The board as it was, with one change after the other for as long as a turn leads there."""
    before, seat = reader.before, reader.state.seat
    near = _Near(before, Turn((), 0))
    gone = list(cells(before.knights[seat] & ~base.knights[seat]))
    come = list(cells(base.knights[seat] & ~before.knights[seat]))
    for cell in range(CELLS):
        there = near.layout.heights[cell]
        while there < base.heights[cell]:
            there += 1
            near = _further(reader, near, _column(near.layout, cell, there))
    for target in come:
        own = near.layout.knights[seat] | 1 << target
        with_it = near
        for source in gone:
            if near.layout.knights[seat] >> source & 1:
                with_it = _further(reader, near, _knights(near.layout, seat, own & ~(1 << source)))
                if with_it is not near:
                    break
        if with_it is near and len(come) > len(gone):
            with_it = _further(reader, near, _knights(near.layout, seat, own))
        near = with_it
    return near


def _further(reader: Reader, near: _Near, layout: Layout) -> _Near:
    turns = reader.turns(layout, cards=False)
    return _Near(layout, turns[0]) if turns else near


def _column(layout: Layout, cell: int, height: int) -> Layout:
    heights = bytearray(layout.heights)
    heights[cell] = height
    return replace(layout, heights=bytes(heights))


def _knights(layout: Layout, seat: int, own: int) -> Layout:
    a, b, c, d = (own if at == seat else there for at, there in enumerate(layout.knights))
    return replace(layout, knights=(a, b, c, d))


# The rule in the way


def _refusal(reader: Reader, seen: Layout, near: _Near) -> Refusal | None:
    """What refuses the plainest step towards ``seen`` once the nearest board is reached."""
    state = _carried_out(reader.state, near)
    seat = state.seat
    there, here = seen.knights[seat], near.layout.knights[seat]
    for cell in range(CELLS):
        found = _block_refused(reader, state, cell, seen.heights[cell] - near.layout.heights[cell])
        if found:
            return found
    if refusal := _somebody_elses(reader, seen):
        return refusal
    gone, come = list(cells(here & ~there)), list(cells(there & ~here))
    for target in come:
        for source in gone or [NOWHERE]:
            found = _knight_refused(reader, state, source, target)
            if found:
                return found
    return None


def _somebody_elses(reader: Reader, seen: Layout) -> Refusal | None:
    """That a piece was moved which is not the seat's own (TO-3.2, TO-5.4), in the words that cards have."""
    before, seat = reader.before, reader.state.seat
    for at, (there, here) in enumerate(zip(seen.knights, before.knights, strict=True)):
        for cell in cells(here & ~there) if at != seat else ():
            return Refusal("reposition.knight", "TO-3.2", (("cell", NAMES[cell]),))
    if seen.king != before.king >= 0:
        return Refusal("reposition.knight", "TO-5.4", (("cell", NAMES[before.king]),))
    return None


def _carried_out(state: State, near: _Near) -> State:
    """The state after the nearest turn, still that seat's to move."""
    ground = survey(near.layout.heights)
    knights = tuple(near.layout.knights[: state.variant.seats])
    placed = state.placed + sum(choice.token[0] == "B" for choice in near.turn.choices)
    left = max(state.left - near.turn.points, 0)
    return replace(state, ground=ground, knights=knights, placed=placed, left=left)


def _block_refused(reader: Reader, state: State, cell: int, more: int) -> Refusal | None:
    """What refuses ``more`` blocks on a space; fewer than none can only go by a card (TO-4.7)."""
    if more < 0:
        refusal = BOOK.why_not(state, Choice("action", CARD))
        moving = replace(state, frames=(Frame("move"),))
        return refusal or BOOK.why_not(moving, Choice("move", NAMES[cell]))
    for _ in range(more):
        refusal = BOOK.why_not(state, Choice("action", f"B{NAMES[cell]}"))
        if refusal:
            return refusal
        left = max(state.left - 1, 0)
        state = replace(state, ground=with_block(state.ground, cell), placed=state.placed + 1, left=left)
    return None


def _knight_refused(reader: Reader, state: State, source: int, target: int) -> Refusal | None:
    """What refuses the way from ``source`` to ``target``, or a new knight there."""
    if source == NOWHERE:
        first, then, frame = Choice("action", NEW), Choice("place", NAMES[target]), Frame("place")
    else:
        first = Choice("action", f"M{NAMES[source]}")
        then, frame = Choice("to", NAMES[target]), Frame("to", source)
    return BOOK.why_not(state, first) or BOOK.why_not(replace(state, frames=(frame,)), then)
