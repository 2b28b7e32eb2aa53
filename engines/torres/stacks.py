"""Stacks of blocks in front of a player, and the rest that a turn leaves (TO-1.3, TO-3.4, TO-3.13).

Nobody is asked during a turn which stack it uses: any that suffices may be the one. Only the rest at the end
counts; the player is asked for it if there is a choice.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement

Stacks = tuple[int, ...]
"""The number of blocks in each stack, the fullest first."""
MOST_BLOCKS = 3  # TO-3.13
PHASES = 3
DEALT: dict[int, tuple[Stacks, Stacks, Stacks]] = {
    2: ((3, 3, 3, 3), (3, 3, 3, 3), (3, 3, 3, 3)),
    3: ((3, 3, 2, 2), (3, 3, 2), (3, 3, 2)),
    4: ((2, 2, 2, 2), (2, 2, 2), (2, 2, 2)),
}
"""The stacks of each player, by number of players and phase (TO-1.3)."""


def rounds(seats: int, phase: int) -> int:
    """Return the number of rounds of a phase: a turn for each stack (TO-2.1)."""
    return len(DEALT[seats][phase - 1])


@lru_cache(4096)
def more(stacks: Stacks, placed: int, under: int) -> int:
    """Return the number of blocks that a turn may still place from one stack, after ``placed`` ones and
    ``under`` slid under a knight, from the same or another stack (TO-3.4, TO-4.2).
    """
    return max(0, min(max(stacks, default=0), sum(stacks) - under) - placed)


def can_place(stacks: Stacks, placed: int, under: int) -> bool:
    """Return True if one more block can be placed."""
    return more(stacks, placed, under) > 0


@lru_cache(4096)
def open_to(stacks: Stacks, placed: int, under: int) -> tuple[bool, bool]:
    """Return True if one more block may be placed, and True if there is a choice of the rest."""
    return can_place(stacks, placed, under), len(results(stacks, placed, under)) > 1


@lru_cache(4096)
def results(stacks: Stacks, placed: int, under: int) -> tuple[Stacks, ...]:
    """Return the possible contents of the stacks at the end of a turn, the likeliest first (TO-3.13).

    One stack is used up; its rest may go onto the others, none above 3. It is likeliest that the smallest
    stack that suffices was used and its rest was kept, in the fullest stacks. After an overruled turn, for
    which no stack sufficed, all spreads of the rest are possible.
    """
    found: list[Stacks] = []
    for at in sorted(range(len(stacks)), key=stacks.__getitem__):
        ends = _find_ends(stacks[at], stacks[:at] + stacks[at + 1 :], placed, under)
        found += sorted(ends, key=_rank_most, reverse=True)
    if not found:
        left = max(sum(stacks) - placed - under, 0)
        found = sorted((s for s in spreads(len(stacks) - 1) if sum(s) <= left), key=_rank_most, reverse=True)
    return tuple(dict.fromkeys(found))


def _rank_most(stacks: Stacks) -> tuple[int, Stacks]:
    return sum(stacks), stacks


def _find_ends(used: int, others: Stacks, placed: int, under: int) -> set[Stacks]:
    """Return the possible contents of the others after a stack is used up; ``under`` blocks came from it or
    from another.
    """
    ends: set[Stacks] = set()
    if used >= placed + under:
        ends |= _spread_rest(others, used - placed - under)
    if under and used >= placed:
        for at, other in enumerate(others):
            if other >= under:
                ends |= _spread_rest((*others[:at], other - under, *others[at + 1 :]), used - placed)
    return ends


def _spread_rest(others: Stacks, more: int) -> set[Stacks]:
    """Return the possible contents of stacks after up to ``more`` blocks are put onto them."""
    reached = {tuple(sorted(others, reverse=True))}
    edge = reached
    for _ in range(more):
        edge = {
            tuple(sorted((*s[:at], s[at] + 1, *s[at + 1 :]), reverse=True))
            for s in edge
            for at in range(len(s))
            if s[at] < MOST_BLOCKS
        }
        reached = reached | edge
    return reached


@lru_cache
def spreads(number: int) -> tuple[Stacks, ...]:
    """Return all possible contents of a number of stacks, the most blocks first."""
    return tuple(combinations_with_replacement(range(MOST_BLOCKS, -1, -1), max(number, 0)))


def text(stacks: Stacks) -> str:
    """Write stacks: ``3-2-2``; ``-`` for none."""
    return "-".join(map(str, stacks)) or "-"
