"""Multisets as integers: eight bits a kind, kind 0 in the lowest.

``+`` adds two bags and ``-`` takes a part away; equal bags are equal numbers. So hands, markets and trays are
cheap to carry in a state. A kind's count must stay between 0 and 255; no component of the four games comes
near it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Bag = int

LANE = 8
FULL = (1 << LANE) - 1
_BYTES = 16
_TOPS = int.from_bytes(bytes([1 << LANE - 1]) * _BYTES, "little")
"""The top bit of every lane."""


def one(kind: int, count: int = 1) -> Bag:
    """Return ``count`` copies of ``kind``.

    >>> one(2) + one(2) == one(2, 2)
    True
    """
    return count << LANE * kind


def bag(kinds: Iterable[int]) -> Bag:
    """Return the bag of these kinds; a kind named twice has two copies."""
    return sum(one(kind) for kind in kinds)


def count(held: Bag, kind: int) -> int:
    """Return the number of copies of ``kind`` in the bag."""
    return held >> LANE * kind & FULL


def total(held: Bag) -> int:
    """Return the number of things in the bag.

    >>> total(one(0, 3) + one(5, 2))
    5
    """
    return sum(held.to_bytes(_BYTES, "little")) if held else 0


def counts(held: Bag, kinds: int) -> tuple[int, ...]:
    """Return the counts of kinds 0 to ``kinds - 1``."""
    return tuple(held.to_bytes(_BYTES, "little")[:kinds])


def items(held: Bag) -> Iterator[tuple[int, int]]:
    """Yield (kind, count) for every kind in the bag, lowest kind first."""
    kind = 0
    while held:
        if copies := held & FULL:
            yield kind, copies
        held >>= LANE
        kind += 1


def elements(held: Bag) -> Iterator[int]:
    """Yield the kind of every thing in the bag, lowest first."""
    for kind, copies in items(held):
        for _ in range(copies):
            yield kind


def without(held: Bag, taken: Bag) -> Bag:
    """Return ``held`` less ``taken``, kind by kind and never below zero.

    >>> without(one(1, 3) + one(2), one(1) + one(2, 5)) == one(1, 2)
    True
    """
    if (held | taken) & _TOPS:
        pairs = ((kind, copies - count(taken, kind)) for kind, copies in items(held))
        return sum(one(kind, left) for kind, left in pairs if left > 0)
    # All lanes at once: each is lent its top bit, which is still set if the lane had enough.
    left = (held | _TOPS) - taken
    enough = left & _TOPS
    return left & (enough - (enough >> LANE - 1))


def excess(held: Bag, there: Bag) -> list[tuple[int, int, int]]:
    """Return each kind of which ``held`` has more than ``there``, with both numbers.

    >>> excess(one(1, 3) + one(2), one(1, 2) + one(2, 5))
    [(1, 3, 2)]
    """
    both = ((kind, copies, count(there, kind)) for kind, copies in items(held))
    return [(kind, copies, most) for kind, copies, most in both if copies > most]


def within(part: Bag, whole: Bag) -> bool:
    """Return True if ``whole`` holds at least the copies that ``part`` does, kind by kind."""
    return not without(part, whole)
