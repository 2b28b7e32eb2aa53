"""One thing that was tried of what somebody built: a node, a sensor, a display, a game."""

from __future__ import annotations

from typing import Literal

import msgspec


class Trial(msgspec.Struct, frozen=True):
    """One thing that was tried: what was ``seen`` and, where it ``fail``ed, the ``remedy``."""

    verdict: Literal["ok", "fail", "not tried"]
    name: str
    seen: str
    remedy: str = ""


def judged(fine: bool, name: str, seen: str, remedy: str) -> Trial:
    """Return what was tried as well or, with its remedy, as failed."""
    return Trial("ok", name, seen) if fine else Trial("fail", name, seen, remedy)
