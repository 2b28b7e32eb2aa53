"""The referee's judgement of a reading: the turn that was made, a doubt, or a board that no turn leads to.

A reader knows no rules. It gives layouts, the likeliest first, and weighs any others on the same pixels. Here
the rules come in, softly: a board against them costs :data:`ILLEGAL`, no more, and every change from what
stands now :data:`CHANGE`. So a clear picture of an illegal board stays what it is and is told as out of step,
and a misread space is not bent into a legal board unless the picture shows that as well. Whatever comes too
near to the best is a doubt, and people are asked.

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
"""How much less likely a board that no turn leads to is than one that a turn does, as a logarithm: people do
make mistakes, about one turn in 50.
"""
CHANGE = 2.5
"""How much less likely a board is for each change from what stands now, as a logarithm: of the hundred or so
that a step could make, a camera's noise feigns some. A piece that is gone here and come there is one change.
"""
MARGIN = 4.0
"""How far the best must be ahead of everything else, as a logarithm of the odds; below that it is a doubt."""
MOST = 6
"""How many layouts of the reader are looked at."""

Layout = Any
"""A game's layout, as :meth:`engines.contract.Sight.of` has it: equal where it looks equal, ``str`` of it
is its text.
"""

Weigh = Callable[[Sequence[Layout]], Sequence[float]]
"""The log evidence of layouts, all over the same pixels."""


class Candidate(msgspec.Struct, frozen=True):
    """A layout that the table may show, what it means, and its chance among all that was thought of."""

    layout: Layout
    meaning: Interpretation
    chance: float


class Proposed(msgspec.Struct, frozen=True):
    """The table shows ``layout``, and the turn so far is what ``meaning`` says.

    ``margin`` is how far it is ahead of anything else at least, as a logarithm.
    """

    layout: Layout
    meaning: Exact | Several
    margin: float


class Doubted(msgspec.Struct, frozen=True):
    """The table shows one of ``candidates``, the likeliest first.

    ``places`` are the differences between the likeliest and the others, in words of the notation; they are
    empty where the reader itself says that it cannot tell, for ``unsure`` spaces.
    """

    candidates: tuple[Candidate, ...]
    places: tuple[str, ...]
    unsure: tuple[int, ...] = ()


class NoTurnLeads(msgspec.Struct, frozen=True):
    """The table shows ``layout``, or one near it, and no turn leads to any of these.

    ``meaning`` has the nearest board to which one leads, what differs and the rule in the way; ``margin`` is
    how far ``layout`` is ahead of anything legal at least, as a logarithm.
    """

    layout: Layout
    meaning: OutOfStep
    margin: float


Verdict = Proposed | Doubted | NoTurnLeads


T = TypeVar("T")


def worth_judging(best: T, others: Iterable[tuple[T, float]], margin: float = MARGIN) -> list[T]:
    """Return the layouts of a reading that can matter to :func:`judge`.

    They are the best, and of the others, each with its log odds against it, those that are not out of the
    question whatever the rules say.
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
    """Return what a reading means in a state: ``read`` are its layouts, the likeliest first, at least one.

    What stands now and the legal boards near the reading are weighed as well, and ``also``: boards that look
    alike. ``unsure`` are spaces that the reader could not see well enough to have all that they may hold
    among them; with any nothing is proposed. A picture that tells less than usual needs a greater
    ``margin``. Layouts are those of ``sight``, of the game's first where it is None. Raises ValueError for no
    layout, and for evidence that is no number.
    """
    if not read:
        raise ValueError("a reading without a layout")
    sight = sight or game.sight
    now, first = sight.of(state), explain(game, sight, state, read[0])
    meanings: dict[Layout, Interpretation] = {now: Exact(()), read[0]: first}
    others = [*read[:MOST], now, *also]
    if isinstance(first, OutOfStep):
        ways = (first.nearest, *(misread.choices for misread in first.misread))
        others += [_after(game, sight, state, choices) for choices in ways]
    layouts = list(dict.fromkeys(others))
    evidence = [float(found) for found in weigh(layouts)]
    if len(evidence) != len(layouts) or not all(map(math.isfinite, evidence)):
        raise ValueError(f"evidence {evidence} for {len(layouts)} layouts")
    scores = {
        layout: found - CHANGE * changes(sight.differences(layout, now))
        for layout, found in zip(layouts, evidence, strict=True)
    }
    # What is too far behind even if a turn leads there is not thought through: that takes the most time.
    best = -math.inf
    for layout in sorted(scores, key=scores.__getitem__, reverse=True):
        if scores[layout] <= best - margin:
            break
        if layout not in meanings:
            meanings[layout] = explain(game, sight, state, layout)
        scores[layout] -= ILLEGAL * isinstance(meanings[layout], OutOfStep)
        best = max(best, scores[layout])
    return _verdict(sight, meanings, scores, tuple(sorted(unsure)), margin)


def _verdict(
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
        # Whichever of them it is, no turn leads there: people need not be asked first.
        return NoTurnLeads(best, meaning, scores[best] - scores[legal[0]] if legal else math.inf)
    if isinstance(meaning, OutOfStep) or len(near) > 1 or unsure:
        odds = {layout: math.exp(scores[layout] - scores[best]) for layout in ranked}
        whole = math.fsum(odds.values())
        candidates = tuple(Candidate(layout, meanings[layout], odds[layout] / whole) for layout in near)
        places = dict.fromkeys(word for layout in near[1:] for word in sight.differences(layout, best))
        return Doubted(candidates, tuple(places), unsure)
    return Proposed(best, meaning, scores[best] - scores[others[0]] if others else math.inf)


def _after(game: Game[Any, Any], sight: Sight[Any], state: Any, choices: Sequence[Choice]) -> Layout:
    """Return the layout after choices that the engine gave."""
    for choice in choices:
        state = game.rules.apply(state, choice)
    return sight.of(state)
