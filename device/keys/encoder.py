"""The encoder's two contacts in, detents out, as a pure function of their levels.

The contacts go through a cycle of four positions: both open, A closed, both closed, B closed; backwards the
other way round. From one click of the knob to the next most encoders go through all four (Bourns PEC11),
some through two (the Alps EC11 with 30 clicks and 15 pulses) or one. gpiozero's ``RotaryEncoder`` decodes
the first kind only.

A detent counts where the knob comes to rest a whole click from where it last rested. A contact that chatters
goes to and fro between two positions, and of several steps a click it never makes one; of a click of one
step it makes many, and :mod:`device.keys.debounce` takes them back.
"""

from __future__ import annotations

import msgspec

_CLOCKWISE = (0, 2, 3, 1)
"""The levels in the order of a clockwise turn: 2 where A is closed, plus 1 where B is."""


class Knob(msgspec.Struct, frozen=True):
    """``levels``: 2 where contact A is closed, plus 1 where B is; ``moved``: positions gone since a rest."""

    levels: int = 0
    moved: int = 0


def turned(knob: Knob, levels: int, steps_per_detent: int) -> tuple[Knob, int]:
    """Take the contacts' new ``levels``; return the knob then, and the detent it has made: 1 clockwise, -1,
    or 0.

    ``steps_per_detent`` is 1, 2 or 4. If both contacts changed at once an edge was lost: the knob goes on the
    way it went; if it stood still, its direction is unknown.
    """
    place = _CLOCKWISE.index(levels)
    way = (knob.moved > 0) - (knob.moved < 0)
    moved = knob.moved + (0, 1, 2 * way, -1)[(place - _CLOCKWISE.index(knob.levels)) % 4]
    if place % steps_per_detent:
        return Knob(levels, moved), 0
    return Knob(levels), (moved >= steps_per_detent) - (moved <= -steps_per_detent)
