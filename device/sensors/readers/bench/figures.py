"""Readings beside the truth: what was right, wrong, doubted, and wrong without a word."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median

import msgspec

from engines.bags import Bag
from engines.torres.cells import CELLS, cells
from engines.torres.layout import Layout

Stages = tuple[tuple[str, float], ...]
"""What took how many ms, in order."""

Z = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations."""


class BoardRead(msgspec.Struct, frozen=True):
    """What was made of one picture of a board: the best layout, None where no board was found.

    ``doubted`` are the spaces about which people would be asked, ``asks`` whether they would be asked at all;
    ``out_of_step`` says that they would be told that no turn leads there. ``note`` is for people.
    """

    layout: Layout | None
    elevation_deg: float = 0.0
    asks: bool = False
    doubted: frozenset[int] = frozenset()
    out_of_step: bool = False
    stages: Stages = ()
    note: str = ""


class TrayRead(msgspec.Struct, frozen=True):
    """What was made of one picture of a tray: the keshis, None where no tray was found, and whether people
    would be asked.
    """

    keshis: Bag | None
    asks: bool = False
    stages: Stages = ()
    note: str = ""


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


class BoardJudged(msgspec.Struct, frozen=True):
    """One board's reading beside the truth.

    ``wrong`` are the spaces that are not as read. ``silent`` says that something is wrong about which nobody
    would be asked: a wrong space that is not among the doubted ones. An ``illegal`` board is one to which no
    turn leads; ``reported`` where that would be said, with whatever layout.
    """

    exact: bool
    wrong: frozenset[int]
    pieces: Share
    asks: bool
    silent: bool
    illegal: bool = False
    reported: bool = False


def judge_board(read: BoardRead, truth: Layout, legal: bool) -> BoardJudged:
    """A reading beside the truth. Of a board that was not found everything is wrong, and people are told."""
    if read.layout is None:
        pieces = Share(0, sum(own.bit_count() for own in truth.knights) + (truth.king >= 0))
        return BoardJudged(False, frozenset(range(CELLS)), pieces, True, False, not legal)
    seen, there = _by_cell(read.layout), _by_cell(truth)
    wrong = frozenset(cell for cell in range(CELLS) if seen[cell] != there[cell])
    named = {(cell, piece) for cell, (_, piece) in enumerate(seen) if piece}
    true = {(cell, piece) for cell, (_, piece) in enumerate(there) if piece}
    # Out of step is never silent: people look at the board before anything is recorded.
    silent = bool(wrong - read.doubted) and not read.out_of_step
    return BoardJudged(
        exact=not wrong,
        wrong=wrong,
        pieces=Share(len(named & true), len(named | true)),
        asks=read.asks,
        silent=silent,
        illegal=not legal,
        reported=read.out_of_step,
    )


def _by_cell(layout: Layout) -> list[tuple[int, str]]:
    pieces = [""] * CELLS
    for seat, own in enumerate(layout.knights):
        for cell in cells(own):
            pieces[cell] = "abcd"[seat]
    if layout.king >= 0:
        pieces[layout.king] = "K"
    return list(zip(layout.heights, pieces, strict=True))


class TrayJudged(msgspec.Struct, frozen=True):
    """One tray's reading beside the truth; ``silent`` where it is wrong and nobody would be asked."""

    exact: bool
    asks: bool
    silent: bool


def judge_tray(read: TrayRead, truth: Bag) -> TrayJudged:
    """A reading beside the truth; of a tray that was not found people are told."""
    exact = read.keshis == truth
    asks = read.asks or read.keshis is None
    return TrayJudged(exact, asks, not exact and not asks)


class BoardFigures(msgspec.Struct, frozen=True):
    """``n`` boards, of which so many were ``exact``, asked about (``doubted``), and wrong in a space that
    nobody would be asked about (``silent_wrong``). ``cells_right`` and ``pieces_right`` are shares, 0 to 1:
    of all spaces, and of all pieces there or read. To ``illegal_n`` boards no turn leads, and people would be
    told so of ``illegal_reported``; ``false_alarms`` are others of which they would be told so. Times are in
    ms. Shares and times of nothing are null.
    """

    n: int
    exact: int
    cells_right: float | None
    pieces_right: float | None
    doubted: int
    silent_wrong: int
    illegal_n: int
    illegal_reported: int
    false_alarms: int
    ms_median: float | None
    ms_worst: float | None


class TrayFigures(msgspec.Struct, frozen=True):
    """``n`` trays, of which so many were ``exact``, asked about (``doubted``), and wrong without a question
    (``silent_wrong``). Times are in ms, null of nothing.
    """

    n: int
    exact: int
    doubted: int
    silent_wrong: int
    ms_median: float | None
    ms_worst: float | None


def board_figures(judged: Sequence[BoardJudged], stages: Sequence[Stages]) -> BoardFigures:
    """The sums over some boards and the times they took."""
    illegal = [one for one in judged if one.illegal]
    cells_right = Share(sum(CELLS - len(one.wrong) for one in judged), CELLS * len(judged))
    pieces = Share(sum(one.pieces.k for one in judged), sum(one.pieces.n for one in judged))
    middle, worst = times(stages)
    return BoardFigures(
        n=len(judged),
        exact=sum(one.exact for one in judged),
        cells_right=cells_right.value,
        pieces_right=pieces.value,
        doubted=sum(one.asks for one in judged),
        silent_wrong=sum(one.silent for one in judged),
        illegal_n=len(illegal),
        illegal_reported=sum(one.reported for one in illegal),
        false_alarms=sum(one.reported for one in judged if not one.illegal),
        ms_median=middle,
        ms_worst=worst,
    )


def tray_figures(judged: Sequence[TrayJudged], stages: Sequence[Stages]) -> TrayFigures:
    """The sums over some trays and the times they took."""
    middle, worst = times(stages)
    return TrayFigures(
        n=len(judged),
        exact=sum(one.exact for one in judged),
        doubted=sum(one.asks for one in judged),
        silent_wrong=sum(one.silent for one in judged),
        ms_median=middle,
        ms_worst=worst,
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
