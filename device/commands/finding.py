"""What a check of `podesta doctor` found."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Verdict(StrEnum):
    """``warn``: it works, but somebody should know. ``fail``: a part of the box will not work."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


class Finding(msgspec.Struct, frozen=True):
    """One check's outcome: ``ok``, ``warn`` or ``fail``, what was checked, what was found and what to do."""

    verdict: Verdict
    name: str
    detail: str
