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


def about(mean: float, spread: float, most: int = MOST) -> Total:
    """Return the chance of each count from 0 to ``most`` if it is ``mean`` give or take ``spread``.

    ``spread`` is one standard deviation; 0 allows one count only. Raises ValueError for invalid numbers, and
    for a mean so far outside that no count is near.
    """
    if not (math.isfinite(mean) and 0 <= spread < math.inf):
        raise ValueError(f"about {mean} pieces, give or take {spread}")
    if spread == 0:
        chances = [float(count == mean) for count in range(most + 1)]
    else:
        chances = [_bell((mean - count) / spread) for count in range(most + 1)]
    if not any(chances):
        raise ValueError(f"no count from 0 to {most} is {mean} give or take {spread}")
    return _scaled(chances)


def said(numbers: Mapping[int, float], most: int = MOST) -> Total:
    """Return the chance of each count from 0 to ``most`` from somebody's chances for some, 0 to 1.

    All counts share the rest alike, at least :data:`NONSENSE`: no word proves the least absurd count.
    """
    whole = max(math.fsum(numbers.values()), 1.0)
    rest = max(1 - math.fsum(numbers.values()) / whole, NONSENSE) / (most + 1)
    return _scaled([numbers.get(count, 0.0) / whole + rest for count in range(most + 1)])


def _bell(deviations: float) -> float:
    return math.exp(-0.5 * deviations * deviations)


def _scaled(chances: list[float]) -> Total:
    all_of_it = math.fsum(chances)
    return tuple(chance / all_of_it for chance in chances)
