"""Which blocks and which card can have made the difference between two boards, in no order yet.

What a camera saw and what stood there before differ by a few blocks. Without a card every one of them came
from an own stack. A card accounts for one of them: slid under a knight (TO-4.2), from the supply (TO-4.3), or
moved (TO-4.7); then it is missing elsewhere, unless one was placed there in the same turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from engines.torres import cards as c
from engines.torres import ground as g
from engines.torres.cells import CELLS, NOWHERE, cells
from engines.torres.ground import TALLEST, Ground, survey, with_block, without_block

NO_CARD = -1


class Plan(msgspec.Struct, frozen=True):
    """Blocks from own stacks by space, with repeats and in order of spaces, and what a card did to them.

    ``card`` is a card's number or :data:`NO_CARD`; ``source`` and ``target`` are spaces where it moves
    or adds a block, and :data:`NOWHERE` for cards that move no block.
    """

    blocks: tuple[int, ...]
    card: int = NO_CARD
    source: int = NOWHERE
    target: int = NOWHERE


def plans(before: Ground, wanted: bytes, card: int, pieces: int, most: int) -> Iterator[Plan]:
    """Every plan with ``card`` that turns ``before`` into the heights ``wanted`` in some legal order.

    ``pieces`` are the spaces of pieces that nobody moves this turn: no block goes there or comes from there.
    ``most`` is how many blocks may come from own stacks.
    """
    change = [wanted[cell] - before.heights[cell] for cell in range(CELLS)]
    added = 1 if card in (c.UNDER, c.BLOCK) else 0
    if sum(change) > max(most, 0) + added or any(change[cell] for cell in cells(pieces)):
        return
    if _too_high(before) < _too_high(survey(wanted)):
        return
    for plan in _made(change, before, card, pieces):
        if _fits(before, plan, plan.blocks, plan.target != NOWHERE):
            yield plan


def _too_high(ground: Ground) -> int:
    """How many castles have a column higher than their area (TO-3.7): none, but where that was overruled."""
    return sum(g.tallest(ground, castle) > castle.bit_count() for castle in ground.castles)


def _made(change: list[int], before: Ground, card: int, pieces: int) -> Iterator[Plan]:
    """The plans by number of blocks alone."""
    lower = [cell for cell in range(CELLS) if change[cell] < 0]
    higher = [cell for cell in range(CELLS) if change[cell] > 0]
    if card != c.MOVE:
        if lower:
            return
        blocks = _blocks(change)
        if card not in (c.UNDER, c.BLOCK):
            yield Plan(blocks, card)
            return
        for target in higher:
            yield Plan(_without(blocks, target), card, target=target)
        return
    if len(lower) > 1 or any(change[cell] < -1 for cell in lower):
        return
    for source in lower or range(CELLS):
        if pieces >> source & 1:
            continue
        for target in higher:
            if target != source:
                change[source] += 1
                change[target] -= 1
                yield Plan(_blocks(change), c.MOVE, source, target)
                change[source] -= 1
                change[target] += 1


def _blocks(change: list[int]) -> tuple[int, ...]:
    return tuple(cell for cell in range(CELLS) for _ in range(change[cell]))


def _without(blocks: tuple[int, ...], cell: int) -> tuple[int, ...]:
    at = blocks.index(cell)
    return blocks[:at] + blocks[at + 1 :]


def left_after(blocks: tuple[int, ...], cell: int) -> tuple[int, ...]:
    """The blocks still to be placed after the one on ``cell``."""
    return _without(blocks, cell)


def with_card(ground: Ground, plan: Plan) -> Ground | None:
    """The ground after the plan's card was played on ``ground``, None where the blocks forbid that."""
    target = plan.target
    if plan.card == c.UNDER:
        return with_block(ground, target) if ground.under_room >> target & 1 else None
    if plan.card == c.BLOCK:
        return with_block(ground, target) if ground.room >> target & 1 else None
    if plan.card == c.MOVE:
        if not ground.heights[plan.source] or not g.targets(ground, plan.source) >> target & 1:
            return None
        return with_block(without_block(ground, plan.source), target)
    return ground


@lru_cache(8192)
def _fits(ground: Ground, plan: Plan, blocks: tuple[int, ...], carded: bool) -> bool:
    """Whether some order keeps TO-3.5 to TO-3.7 and the card's clause, wherever knights stand.

    ``carded`` says whether the card is still to come.
    """
    if not blocks and not carded:
        return True
    for cell in dict.fromkeys(blocks):
        if (ground.room >> cell & 1) and _fits(
            with_block(ground, cell), plan, _without(blocks, cell), carded
        ):
            return True
    if carded:
        after = with_card(ground, plan)
        return after is not None and _fits(after, plan, blocks, False)
    return False


def bounds(before: bytes, wanted: bytes, plan: Plan) -> tuple[bytes, bytes]:
    """The least and the greatest height that each space can have while the plan is carried out."""
    low, high = bytearray(map(min, before, wanted)), bytearray(map(max, before, wanted))
    if plan.card == c.MOVE and plan.source in plan.blocks:
        low[plan.source] = max(before[plan.source] - 1, 0)
        high[plan.source] = min(before[plan.source] + plan.blocks.count(plan.source), TALLEST)
    return bytes(low), bytes(high)
