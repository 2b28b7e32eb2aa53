"""A sensor's reading: the value that vision hands to the referee and engines interpret."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec


class Observation(msgspec.Struct, frozen=True):
    """A reading of ``what``, one of :func:`engines.readings.readings`: candidate texts, the likeliest first.

    ``candidates`` pairs a text with its confidence, 0 to 1; a reader that is sure gives one. The text is a
    layout of the game, or a step that answers a report. The sum may stay below 1: the rest is "something
    else".
    """

    what: str
    candidates: tuple[tuple[str, float], ...]

    @property
    def totals(self) -> Mapping[int, float]:
        """The chance of each number, where all candidates are only that: ``total 9``, from a scale or
        somebody's count. Empty for any other reading.
        """
        counted = [(TOTAL.fullmatch(text), confidence) for text, confidence in self.candidates]
        numbers = {int(found[1]): confidence for found, confidence in counted if found}
        return numbers if len(numbers) == len(counted) else {}


TOTAL = re.compile(r"total (0|[1-9]\d{0,2})")
"""A candidate that says how many things there are, not which."""


def written(seen: Observation) -> str:
    """Return an observation in one line, as a record keeps it: ``tray 0.82 2r1g | 0.11 3r``."""
    return f"{seen.what} " + " | ".join(f"{confidence:.2f} {text}" for text, confidence in seen.candidates)


def read(line: str) -> Observation:
    """Return the observation that :func:`written` wrote so, its confidences rounded; raises ValueError."""
    what, _, rest = line.partition(" ")
    candidates = []
    for one in rest.split(" | "):
        confidence, _, text = one.partition(" ")
        candidates.append((text, float(confidence)))
    return Observation(what, tuple(candidates))
