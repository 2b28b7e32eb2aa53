"""What a sensor says it sees: the value that vision hands to the referee and engines interpret."""

from __future__ import annotations

import msgspec


class Observation(msgspec.Struct, frozen=True):
    """A reading of ``what`` (``towers``, ``tray`` …): candidate texts, the likeliest first.

    ``candidates`` pairs a layout text of the game with its confidence, 0 to 1; a reader that is sure gives
    one. The sum may stay below 1: the rest is "something else".
    """

    what: str
    candidates: tuple[tuple[str, float], ...]
