"""Figures of readings beside the truth: shares, and times."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple, Self

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


class PictureOutcome(NamedTuple):
    """What became of one reading: whether it was ``exact``, whether people would be asked (``doubted``), and
    whether something was wrong that nobody would be asked about (``silent``).
    """

    exact: bool
    doubted: bool
    silent: bool

    @classmethod
    def of(cls, exact: bool, sure: bool) -> PictureOutcome:
        """Return that of a reading that is sure as a whole, or is not."""
        return cls(exact, not sure, sure and not exact)

    @property
    def word(self) -> str:
        """For people."""
        word = "right" if self.exact else "wrong"
        return f"{word}, doubted" if self.doubted else f"{word}, SILENT" if self.silent else word


class ReadingCounts(msgspec.Struct, frozen=True, kw_only=True):
    """``n`` readings, of which so many were ``exact``, asked about (``doubted``), wrong without a question
    (``silent_wrong``). A picture took so many ms; null of nothing.
    """

    n: int
    exact: int
    doubted: int
    silent_wrong: int
    ms_median: float | None
    ms_worst: float | None

    @classmethod
    def of(cls, outcomes: Sequence[PictureOutcome], stages: Iterable[Stages], **more: float | None) -> Self:
        """Return the sums, with what a kind has ``more`` of."""
        middle, worst = times(stages)
        return cls(
            n=len(outcomes),
            exact=sum(one.exact for one in outcomes),
            doubted=sum(one.doubted for one in outcomes),
            silent_wrong=sum(one.silent for one in outcomes),
            ms_median=middle,
            ms_worst=worst,
            **more,
        )


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
