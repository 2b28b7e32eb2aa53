"""How many pieces lie on a tray: what a scale or somebody's guess says of their number.

A :data:`Total` has a place for every count, 0 first: how well it agrees with what was measured, in any unit.
Two independent sources are combined by :func:`both`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

Total = tuple[float, ...]

MOST = 100
"""The greatest count that is thought of: more than ever lie on a tray."""
SPREAD = 0.05
"""How much one piece's mass varies, as a share of the mean (one standard deviation)."""
NOISE_MG = 20.0
"""The scale's own error (one standard deviation)."""
NONSENSE = 1e-3
"""How likely a weight says nothing of the pieces: something else lies on the scale, or a hand does."""


def weighed(
    weight_mg: float, piece_mg: float, spread: float = SPREAD, noise_mg: float = NOISE_MG, most: int = MOST
) -> Total:
    """The chance of each count from 0 to ``most``, were all as likely before, from the weight of the tray.

    ``n`` pieces of mean mass ``piece_mg`` weigh ``n`` × ``piece_mg`` with a variance of ``n`` × (``spread`` ×
    ``piece_mg``)² + ``noise_mg``². With the chance :data:`NONSENSE` the weight is anything: one that fits no
    count leaves all of them possible instead of proving the least absurd one. Raises ValueError for a weight
    or a mass that is no such number, a spread below 0, and a noise that is not above 0.
    """
    if not (math.isfinite(weight_mg) and 0 < piece_mg < math.inf):
        raise ValueError(f"a weight of {weight_mg} mg at {piece_mg} mg a piece")
    if not (0 <= spread < math.inf and 0 < noise_mg < math.inf):
        raise ValueError(f"a spread of {spread} and a noise of {noise_mg} mg; the noise is above 0")
    chances = []
    for count in range(most + 1):
        deviation = math.sqrt(count * (spread * piece_mg) ** 2 + noise_mg**2) / piece_mg
        fits = _bell((weight_mg / piece_mg - count) / deviation) / (deviation * math.sqrt(2 * math.pi))
        chances.append((1 - NONSENSE) * fits + NONSENSE / (most + 1))
    return _scaled(chances)


def about(mean: float, spread: float, most: int = MOST) -> Total:
    """The chance of each count from 0 to ``most`` where it is ``mean`` give or take ``spread`` (one standard
    deviation). A spread of 0 is one count and no other. Raises ValueError for what are no such numbers, and
    for a mean that lies so far outside that no count is near.
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
    """The chance of each count from 0 to ``most`` where somebody says how likely some are, 0 to 1.

    What they leave is shared by all alike, :data:`NONSENSE` at least: no word proves the least absurd count.
    """
    whole = max(math.fsum(numbers.values()), 1.0)
    rest = max(1 - math.fsum(numbers.values()) / whole, NONSENSE) / (most + 1)
    return _scaled([numbers.get(count, 0.0) / whole + rest for count in range(most + 1)])


def both(one: Total, other: Total) -> Total:
    """What two independent sources say together; raises ValueError where they leave no count at all."""
    chances = [a * b for a, b in zip(one, other, strict=False)]
    if not any(chances):
        raise ValueError("two sources that agree on no count")
    return _scaled(chances)


def _bell(deviations: float) -> float:
    return math.exp(-0.5 * deviations * deviations)


def _scaled(chances: list[float]) -> Total:
    all_of_it = math.fsum(chances)
    return tuple(chance / all_of_it for chance in chances)
