"""A trial of something that somebody built: a node, a sensor, a display, a game."""

from __future__ import annotations

from typing import Literal

import msgspec


class Trial(msgspec.Struct, frozen=True):
    """One trial: what was ``seen`` and, if it failed, the ``remedy``."""

    verdict: Literal["ok", "fail", "not tried"]
    name: str
    seen: str
    remedy: str = ""


def judged(fine: bool, name: str, seen: str, remedy: str) -> Trial:
    """Return a trial that passed if ``fine``, else one that failed, with its remedy."""
    return Trial("ok", name, seen) if fine else Trial("fail", name, seen, remedy)
