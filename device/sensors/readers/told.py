"""What readers tell of a verdict: one kind of finding, and the reading that it makes."""

from __future__ import annotations

import math
from typing import Any, Final, TypeVar

import msgspec

from device.sensors.messages import Expected, Reading, Troubles
from device.sensors.reader import Seen
from device.sensors.readers import judging, seeing
from device.sensors.sources import Picture
from engines.contract import Exact, Sight

UNSURE: Final = 0.5
"""What a chance is worth where something could not be made out."""


class ToldFinding(msgspec.Struct, frozen=True, eq=False):
    """What a picture was found to show: a verdict of the rules, or ``troubles`` why there is none; of a doubt
    ``part`` is what of the picture it is about.
    """

    verdict: judging.Verdict | None
    troubles: Troubles = ()
    part: Picture | None = None

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
        """Return True if the table is as the match has it."""
        return isinstance(self.verdict, judging.Proposed) and self.verdict.meaning == Exact(())


F = TypeVar("F", bound=ToldFinding)


def reading(sight: Sight[Any], seen: Seen[F], expected: Expected) -> Reading | None:
    """Return what the daemon is told of a sight; None for a finding that is only a trouble.

    A doubt is told as the layouts that it may be: the referee finds out what they mean.
    """
    verdict, picture = seen.finding.verdict, seeing.coded(seen.frame.picture, ".jpg")
    match verdict:
        case None:
            return None
        case judging.Doubted(candidates=candidates, unsure=unsure):
            share = UNSURE if unsure else 1.0
            texts = tuple((sight.written(one.layout), share * one.chance) for one in candidates)
            why = seen.finding.troubles
            part = seen.finding.part
            crop = b"" if part is None else seeing.crop(part)
            return Reading(sight.NAME, expected.match, expected.steps, texts, (), None, picture, why, crop)
        case _:
            chance = 1 / (1 + math.exp(-min(verdict.margin, 30.0)))
            texts, meanings = ((sight.written(verdict.layout), chance),), (verdict.meaning,)
            return Reading(sight.NAME, expected.match, expected.steps, texts, meanings, None, picture)
