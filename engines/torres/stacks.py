"""The blocks in front of a player: stacks by phase, and what a turn leaves of them (TO-1.3, TO-3.4, TO-3.13).

Which stack a turn used is not asked while it goes on: any that suffices may have been it. Only what is left
when the turn ends counts, and where that is a real choice it is asked for.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement

Stacks = tuple[int, ...]
"""How many blocks each stack holds, the fullest first."""
MOST_BLOCKS = 3  # TO-3.13
PHASES = 3
DEALT: dict[int, tuple[Stacks, Stacks, Stacks]] = {
    2: ((3, 3, 3, 3), (3, 3, 3, 3), (3, 3, 3, 3)),
    3: ((3, 3, 2, 2), (3, 3, 2), (3, 3, 2)),
    4: ((2, 2, 2, 2), (2, 2, 2), (2, 2, 2)),
}
"""What each player receives, by players and phase (TO-1.3)."""


def rounds(seats: int, phase: int) -> int:
    """Return how many rounds a phase has: a turn for each stack (TO-2.1)."""
    return len(DEALT[seats][phase - 1])


@lru_cache(4096)
def more(stacks: Stacks, placed: int, under: int) -> int:
    """Return how many more blocks may be placed in a turn that placed ``placed`` and slid ``under`` under a
    knight: some stack holds so many, with ``under`` from it or from another (TO-3.4, TO-4.2).
    """
    return max(0, min(max(stacks, default=0), sum(stacks) - under) - placed)


def can_place(stacks: Stacks, placed: int, under: int) -> bool:
    """Return True if one block more can be placed."""
    return more(stacks, placed, under) > 0


@lru_cache(4096)
def open_to(stacks: Stacks, placed: int, under: int) -> tuple[bool, bool]:
    """Return if one more block may be placed, and if there is a choice of what the turn leaves."""
    return can_place(stacks, placed, under), len(results(stacks, placed, under)) > 1


@lru_cache(4096)
def results(stacks: Stacks, placed: int, under: int) -> tuple[Stacks, ...]:
    """Return what the stacks may hold when the turn ends, the likeliest first (TO-3.13).

    One stack is used up; what the turn left of it may go onto the others, none above 3. Likeliest is that the
    smallest stack that suffices was used and everything was kept, in the fullest stacks. Where no stack can
    have held so many (an overruled turn), any spread of what is left.
    """
    found: list[Stacks] = []
    for at in sorted(range(len(stacks)), key=stacks.__getitem__):
        ends = _ends(stacks[at], stacks[:at] + stacks[at + 1 :], placed, under)
        found += sorted(ends, key=_most, reverse=True)
    if not found:
        left = max(sum(stacks) - placed - under, 0)
        found = sorted((s for s in spreads(len(stacks) - 1) if sum(s) <= left), key=_most, reverse=True)
    return tuple(dict.fromkeys(found))


def _most(stacks: Stacks) -> tuple[int, Stacks]:
    return sum(stacks), stacks


def _ends(used: int, others: Stacks, placed: int, under: int) -> set[Stacks]:
    """Yield what the others may hold once ``used`` is used up, ``under`` blocks taken from it or them."""
    ends: set[Stacks] = set()
    if used >= placed + under:
        ends |= _spread(others, used - placed - under)
    if under and used >= placed:
        for at, other in enumerate(others):
            if other >= under:
                ends |= _spread((*others[:at], other - under, *others[at + 1 :]), used - placed)
    return ends


def _spread(others: Stacks, more: int) -> set[Stacks]:
    """Return the others after up to ``more`` blocks were put onto them."""
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
    """Return everything that so many stacks may hold, the most first."""
    return tuple(combinations_with_replacement(range(MOST_BLOCKS, -1, -1), max(number, 0)))


def text(stacks: Stacks) -> str:
    """Write stacks as a step and a position do: ``3-2-2``; ``-`` for none."""
    return "-".join(map(str, stacks)) or "-"
