"""A person's actions at the box, as values: the one language between keys, panel, terminal and menus."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Key(StrEnum):
    """The four keys of the box; OK is the encoder's own press."""

    OK = "ok"
    BACK = "back"
    UNDO = "undo"
    CALL = "call"


class Turn(msgspec.Struct, frozen=True, tag=True):
    """A turn of the encoder by ``steps`` detents; clockwise is positive."""

    steps: int


class Press(msgspec.Struct, frozen=True, tag=True):
    """A short press of a key.

    OK and Undo have no long form, so theirs comes with the press itself; those of Back and Call come with the
    release.
    """

    key: Key


class Holding(msgspec.Struct, frozen=True, tag=True):
    """The progress of a hold: ``fraction`` (0 to 1) of the hold time has passed."""

    key: Key
    fraction: float


class Hold(msgspec.Struct, frozen=True, tag=True):
    """A hold for the whole hold time; no :class:`Press` follows its release."""

    key: Key


KeyEvent = Turn | Press | Holding | Hold
