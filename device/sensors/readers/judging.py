"""The referee's judgement of a reading: the turn that was made, a doubt, or a board that no turn leads to.

A reader knows no rules. It gives layouts, the likeliest first, and weighs any others on the same pixels. Here
the rules come in, softly: an illegal board costs :data:`ILLEGAL`, no more, and every change from the present
layout :data:`CHANGE`. So a clear picture of an illegal board stays that and is reported as out of step, and a
misread space is not bent into a legal board unless the picture supports it. If another layout comes too near
to the best, that is a doubt, and people are asked.

Nothing here knows a camera, a picture or OpenCV.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from engines.contract import Choice, Exact, Game, Interpretation, OutOfStep, Several, Sight
from engines.search import changes, explain

ILLEGAL = 4.0
"""The cost of a board that no turn leads to, as a logarithm of the odds: people do make mistakes, about one
turn in 50.
"""
CHANGE = 2.5
"""The cost of each change from the present layout, as a logarithm of the odds: of the hundred or so changes
that a step could make, a camera's noise feigns some. A piece that moves is one change.
"""
MARGIN = 4.0
"""The lead that the best layout needs over all others, as a logarithm of the odds; with less it
is a doubt.
"""
MOST = 6
"""The number of the reader's layouts that are considered."""

Layout = Any
"""A game's layout from :meth:`engines.contract.Sight.of`. Layouts are equal if they look equal; ``str`` of
one is its text.
"""

Weigh = Callable[[Sequence[Layout]], Sequence[float]]
"""The log evidence of layouts, all over the same pixels."""


class Candidate(msgspec.Struct, frozen=True):
    """A layout that the table may show, its meaning, and its chance among all that were considered."""

    layout: Layout
    meaning: Interpretation
    chance: float


class Proposed(msgspec.Struct, frozen=True):
    """The table shows ``layout``; ``meaning`` is the turn so far.

    ``margin`` is its least lead over all others, as a logarithm of the odds.
    """

    layout: Layout
    meaning: Exact | Several
    margin: float


class Doubted(msgspec.Struct, frozen=True):
    """The table shows one of ``candidates``, the likeliest first.

    ``places`` are the differences between the likeliest and the others, in words of the notation; empty if
    the reader itself cannot tell the ``unsure`` spaces.
    """

    candidates: tuple[Candidate, ...]
    places: tuple[str, ...]
    unsure: tuple[int, ...] = ()


class NoTurnLeads(msgspec.Struct, frozen=True):
    """The table shows ``layout``, or one near it, and no turn leads to any of these.

    ``meaning`` has the nearest board that a turn leads to, the differences and the rule in the way.
    ``margin`` is the least lead of ``layout`` over all legal ones, as a logarithm of the odds.
    """

    layout: Layout
    meaning: OutOfStep
    margin: float


Verdict = Proposed | Doubted | NoTurnLeads


T = TypeVar("T")


def select_worth_judging(best: T, others: Iterable[tuple[T, float]], margin: float = MARGIN) -> list[T]:
    """Return the layouts of a reading that can matter to :func:`judge`.

    They are the best, and those of the others, each with its log odds against it, that the rules could still
    make the best or a doubt.
    """
    return [best, *(layout for layout, odds in others if odds >= -(ILLEGAL + margin))]


def judge(
    game: Game[Any, Any],
    state: Any,
    read: Sequence[Layout],
    weigh: Weigh,
    *,
    also: Sequence[Layout] = (),
    unsure: Iterable[int] = (),
    margin: float = MARGIN,
    sight: Sight[Any] | None = None,
) -> Verdict:
    """Return the meaning of a reading in a state; ``read`` are its layouts, at least one, the likeliest
    first.

    The present layout and the legal boards near the reading are weighed as well, and ``also``: boards that
    look alike. ``unsure`` are spaces that the reader saw too badly to list all their possible contents; with
    any, nothing is proposed. A picture that tells less than usual needs a greater ``margin``. Layouts are
    those of ``sight``, or of the game's first one.

    Raises ValueError without a layout, and for evidence that is no finite number.
    """
    if not read:
        raise ValueError("a reading without a layout")
    sight = sight or game.sight
    now, first = sight.of(state), explain(game, sight, state, read[0])
    meanings: dict[Layout, Interpretation] = {now: Exact(()), read[0]: first}
    others = [*read[:MOST], now, *also]
    if isinstance(first, OutOfStep):
        ways = (first.nearest, *(misread.choices for misread in first.misread))
        others += [_apply(game, sight, state, choices) for choices in ways]
    layouts = list(dict.fromkeys(others))
    evidence = [float(found) for found in weigh(layouts)]
    if len(evidence) != len(layouts) or not all(map(math.isfinite, evidence)):
        raise ValueError(f"evidence {evidence} for {len(layouts)} layouts")
    scores = {
        layout: found - CHANGE * changes(sight.differences(layout, now))
        for layout, found in zip(layouts, evidence, strict=True)
    }
    # Only layouts near the best are explained, as that takes the most time.
    best = -math.inf
    for layout in sorted(scores, key=scores.__getitem__, reverse=True):
        if scores[layout] <= best - margin:
            break
        if layout not in meanings:
            meanings[layout] = explain(game, sight, state, layout)
        scores[layout] -= ILLEGAL * isinstance(meanings[layout], OutOfStep)
        best = max(best, scores[layout])
    return _decide(sight, meanings, scores, tuple(sorted(unsure)), margin)


def _decide(
    sight: Sight[Any],
    meanings: dict[Layout, Interpretation],
    scores: dict[Layout, float],
    unsure: tuple[int, ...],
    least: float,
) -> Verdict:
    best, *others = ranked = sorted(scores, key=scores.__getitem__, reverse=True)
    near = [layout for layout in ranked if scores[best] - scores[layout] < least]
    legal = [layout for layout in ranked if not isinstance(meanings.get(layout), OutOfStep)]
    meaning = meanings[best]
    if isinstance(meaning, OutOfStep) and not set(near).intersection(legal):
        # No turn leads to any of them, so people need not be asked first.
        return NoTurnLeads(best, meaning, scores[best] - scores[legal[0]] if legal else math.inf)
    if isinstance(meaning, OutOfStep) or len(near) > 1 or unsure:
        odds = {layout: math.exp(scores[layout] - scores[best]) for layout in ranked}
        whole = math.fsum(odds.values())
        candidates = tuple(Candidate(layout, meanings[layout], odds[layout] / whole) for layout in near)
        places = dict.fromkeys(word for layout in near[1:] for word in sight.differences(layout, best))
        return Doubted(candidates, tuple(places), unsure)
    return Proposed(best, meaning, scores[best] - scores[others[0]] if others else math.inf)


def _apply(game: Game[Any, Any], sight: Sight[Any], state: Any, choices: Sequence[Choice]) -> Layout:
    """Return the layout after ``choices`` that the engine gave."""
    for choice in choices:
        state = game.rules.apply(state, choice)
    return sight.of(state)
