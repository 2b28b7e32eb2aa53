"""What readings beside the truth come to: shares, and how long they took."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import median

import msgspec

Stages = tuple[tuple[str, float], ...]
"""What took how many ms, in order."""

Z = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations."""


class Share(msgspec.Struct, frozen=True):
    """``k`` of ``n``, and between what lies the true share with 95 % (Wilson), 0 to 1."""

    k: int
    n: int

    @property
    def value(self) -> float | None:
        """The share; None of nothing."""
        return self.k / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval; of nothing everything."""
        if not self.n:
            return 0.0, 1.0
        share, z2 = self.k / self.n, Z * Z
        middle = share + z2 / (2 * self.n)
        half = Z * math.sqrt(share * (1 - share) / self.n + z2 / (4 * self.n * self.n))
        scale = 1 + z2 / self.n
        # Of none or all the end is 0 or 1, which the sums miss by a last digit.
        return min(max((middle - half) / scale, 0.0), share), max(min((middle + half) / scale, 1.0), share)

    def __str__(self) -> str:
        if not self.n:
            return "0 of 0"
        low, high = self.interval
        return f"{self.k} of {self.n} = {self.k / self.n:.1%} ({low:.1%} to {high:.1%})"


def times(all_stages: Iterable[Stages]) -> tuple[float | None, float | None]:
    """The median and the worst of all stages together."""
    spent = [math.fsum(ms for _, ms in stages) for stages in all_stages]
    return (round(median(spent), 1), round(max(spent), 1)) if spent else (None, None)


def by_stage(all_stages: Iterable[Stages]) -> list[str]:
    """A line for each stage: its median and its worst time."""
    spent: dict[str, list[float]] = {}
    for stages in all_stages:
        for name, ms in stages:
            spent.setdefault(name, []).append(ms)
    return [f"{name}: median {median(found):.1f}, worst {max(found):.1f}" for name, found in spent.items()]


def percent(share: float | None) -> str:
    """Return a share for people; a dash for that of nothing."""
    return "-" if share is None else f"{share:.2%}"
