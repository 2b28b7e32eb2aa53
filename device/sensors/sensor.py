"""What every kind of sensor tells of itself."""

from __future__ import annotations

from typing import Literal

import msgspec


class Checked(msgspec.Struct, frozen=True):
    """One thing that a sensor's self-check looked at: ``warn`` works, but somebody should know."""

    verdict: Literal["ok", "warn", "fail"]
    name: str
    detail: str
