"""Numbers of pieces on a tray: a scale's or somebody's chances for each count.

A :data:`Total` has a place for every count, 0 first: its agreement with a measurement, in any unit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

Total = tuple[float, ...]

MOST = 100
"""The greatest count to consider: more than ever lie on a tray."""
NONSENSE = 1e-3
"""The chance that a source tells nothing about the pieces: something else, or a hand, is on the scale."""


def said(numbers: Mapping[int, float], most: int = MOST) -> Total:
    """Return the chance of each count from 0 to ``most`` from somebody's chances for some, 0 to 1.

    All counts share the rest alike, at least :data:`NONSENSE`: no word proves the least absurd count.
    """
    whole = max(math.fsum(numbers.values()), 1.0)
    rest = max(1 - math.fsum(numbers.values()) / whole, NONSENSE) / (most + 1)
    chances = [numbers.get(count, 0.0) / whole + rest for count in range(most + 1)]
    total = math.fsum(chances)
    return tuple(chance / total for chance in chances)
