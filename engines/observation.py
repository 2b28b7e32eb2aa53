"""What a sensor says it sees: the value that vision hands to the referee and engines interpret."""

from __future__ import annotations

import msgspec


class Observation(msgspec.Struct, frozen=True):
    """A reading of ``what``, one of :func:`engines.readings.readings`: candidate texts, the likeliest first.

    ``candidates`` pairs a text with its confidence, 0 to 1; a reader that is sure gives one. The text is a
    layout of the game, or a step that answers a report. The sum may stay below 1: the rest is "something
    else".
    """

    what: str
    candidates: tuple[tuple[str, float], ...]
