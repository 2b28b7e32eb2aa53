"""A game's colours and pictograms by name, from ``drawing.toml`` beside its module::

    [light]
    pink = "#ffb4da"

    [dark]
    pink = "#ffb4da"

    [icons]
    boat = "M2 14h20l-3 6H5z"    # one path in a box of 24 × 24

A colour that ``dark`` lacks is that of ``light``.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

import msgspec

from engines import folder


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Colours as ``#rrggbb`` by name, and pictograms as SVG paths in a box of 24 × 24."""

    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    icons: dict[str, str] = {}


@cache
def load(game_id: str) -> Drawing:
    """Return the drawing of a game, empty if it has none.

    Raises :class:`msgspec.ValidationError` or ``tomllib.TOMLDecodeError`` for a wrong file, and
    :class:`engines.errors.UnknownGame`.
    """
    file = folder(game_id) / "drawing.toml"
    told: dict[str, Any] = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    return msgspec.convert(told, Drawing)
