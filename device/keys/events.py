"""Acts of a person at the box, as values: the one language between keys, panel, terminal and menus."""

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
    """The encoder turned by ``steps`` detents; clockwise is positive."""

    steps: int


class Press(msgspec.Struct, frozen=True, tag=True):
    """A key pressed shortly.

    OK and Undo have no long form, so theirs comes with the press itself; Back's and Call's with the release.
    """

    key: Key


class Holding(msgspec.Struct, frozen=True, tag=True):
    """A key with a long form is being held: ``fraction`` (0 to 1) of the hold time has passed."""

    key: Key
    fraction: float


class Hold(msgspec.Struct, frozen=True, tag=True):
    """A key was held for the whole hold time; no :class:`Press` follows its release."""

    key: Key


KeyEvent = Turn | Press | Holding | Hold
