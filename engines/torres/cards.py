"""The ten action cards of a player (TO-1.4), by number; sets of them are bitmasks."""

from __future__ import annotations

from collections.abc import Iterable

CARDS = ("jump", "under", "block", "doors", "diagonal", "ap6", "ap7", "move", "reposition", "leap")
"""Names in steps, in the order of :data:`CLAUSES`."""
JUMP, UNDER, BLOCK, DOORS, DIAGONAL, AP6, AP7, MOVE, REPOSITION, LEAP = range(10)
CLAUSES = tuple(f"TO-4.{number}" for number in (1, 2, 3, 4, 5, 6, 6, 7, 8, 9))
ALL = (1 << len(CARDS)) - 1
MORE_POINTS = {AP6: 1, AP7: 2}
"""The action points that a card adds to the usual five (TO-4.6)."""
TWO_PLACES = frozenset({"jump", "doors", "diagonal", "move", "reposition", "leap"})
"""Cards that move something from one space to another."""


def names(cards: int) -> str:
    """Write a set of cards: ``jump,ap7``; ``-`` for none."""
    return ",".join(name for kind, name in enumerate(CARDS) if cards >> kind & 1) or "-"


def cards_of(words: Iterable[str]) -> int:
    """Return the set of the cards with these names."""
    return sum(1 << CARDS.index(word) for word in set(words))
