"""What readers tell of a verdict: one kind of finding, and the reading that it makes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec

from device.sensors.messages import Expected, Reading, Troubles
from device.sensors.reader import Seen
from device.sensors.readers import judging, seeing
from engines.contract import Exact

UNSURE: Final = 0.5
"""What a chance is worth where something could not be made out."""


class Finding(msgspec.Struct, frozen=True, eq=False):
    """What a picture was found to show: a verdict of the rules, or ``troubles`` why there is none."""

    verdict: judging.Verdict | None
    troubles: Troubles = ()

    @property
    def key(self) -> Any:
        """The kind of verdict and the likeliest layout, or why there is none."""
        match self.verdict:
            case None:
                return str(self.troubles)
            case judging.Doubted():
                return "doubted", str(self.verdict.candidates[0].layout)
            case _:
                return type(self.verdict).__name__, str(self.verdict.layout)

    @property
    def as_expected(self) -> bool:
        """Whether the table is as the match has it."""
        return isinstance(self.verdict, judging.Proposed) and self.verdict.meaning == Exact(())


F = TypeVar("F", bound=Finding)


def reading(
    what: str, seen: Seen[F], expected: Expected, written: Callable[[Any], str] = str
) -> Reading | None:
    """Return what the daemon is told of a sight; None for a finding that is only a trouble.

    A doubt is told as the layouts that it may be: the referee finds out what they mean. ``written`` gives the
    text of a layout.
    """
    verdict, picture = seen.finding.verdict, seeing.coded(seen.frame.picture, ".jpg")
    match verdict:
        case None:
            return None
        case judging.Doubted(candidates=candidates, unsure=unsure):
            share = UNSURE if unsure else 1.0
            texts = tuple((written(one.layout), share * one.chance) for one in candidates)
            why = seen.finding.troubles
            return Reading(what, expected.match, expected.steps, texts, (), None, picture, why)
        case _:
            chance = 1 / (1 + math.exp(-min(verdict.margin, 30.0)))
            texts, meanings = ((written(verdict.layout), chance),), (verdict.meaning,)
            return Reading(what, expected.match, expected.steps, texts, meanings, None, picture)
