"""An input device of the kernel's: what its events mean at the box, as a pure function of them."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from device import input_codes
from device.config import TURNS, Keypad
from device.keys.debounce import ContactEdge, Detent
from device.keys.events import Key, Turn

EVENT = struct.Struct("@llHHi")
"""``struct input_event`` of linux/input.h: seconds, microseconds, type, code, value; 24 bytes."""

SYN, KEY, REL = 0, 1, 2
DROPPED = 3
"""The code of a :data:`SYN` that says: events were lost, ask how things stand."""

RELEASED, PRESSED, REPEATED = 0, 1, 2


class InputEvent(msgspec.Struct, frozen=True):
    """One event: when, and the kernel's type, code and value."""

    time_ms: float
    kind: int
    code: int
    value: int


def events(data: bytes) -> Iterator[InputEvent]:
    """Read whole events: ``data`` is a multiple of :data:`EVENT`'s size."""
    for seconds, micros, kind, code, value in EVENT.iter_unpack(data):
        yield InputEvent(seconds * 1000 + micros / 1000, kind, code, value)


class Meanings(msgspec.Struct, frozen=True):
    """Meanings of the kernel's codes: keys of the box, keys that turn by a detent one way, axes that turn."""

    keys: Mapping[int, Key]
    turns: Mapping[int, int]
    axes: frozenset[int]

    @classmethod
    def of(cls, pad: Keypad) -> Meanings:
        """Read the meanings from the settings."""
        keys = {input_codes.KEYS[name]: key for key in Key for name in pad.names[key]}
        ways = zip(TURNS, (1, -1), strict=True)
        turns = {input_codes.KEYS[name]: way for setting, way in ways for name in pad.names[setting]}
        return cls(keys, turns, frozenset(input_codes.AXES[name] for name in pad.turn))

    def down(self, held: Iterable[int]) -> frozenset[Key]:
        """Return the keys of the box that are down when the kernel's keys ``held`` are."""
        return frozenset(self.keys[code] for code in held if code in self.keys)


def heard(
    held: frozenset[int], meanings: Meanings, event: InputEvent
) -> tuple[frozenset[int], tuple[ContactEdge | Detent | Turn, ...]]:
    """Take in an event; return the kernel's keys that are held then, and what happened at the box.

    Of two keys that mean the same, the first down and the last up count. A key that turns gives a
    :class:`Turn` at once, and more while it is held: unlike a knob it does not wobble.
    """
    if event.kind == REL and event.code in meanings.axes and event.value:
        return held, (Detent(event.time_ms, event.value),)
    if event.kind != KEY:
        return held, ()
    if event.code in meanings.turns and event.value != RELEASED:
        return held, (Turn(meanings.turns[event.code]),)
    if event.code not in meanings.keys or event.value == REPEATED:
        return held, ()
    now = held | {event.code} if event.value else held - {event.code}
    return now, changed(held, now, meanings, event.time_ms)


def changed(
    held: frozenset[int], now: frozenset[int], meanings: Meanings, time_ms: float
) -> tuple[ContactEdge, ...]:
    """Return the edges of the box's keys when the kernel's keys change from ``held`` to ``now``."""
    before, after = meanings.down(held), meanings.down(now)
    return tuple(ContactEdge(time_ms, key, key in after) for key in Key if (key in before) != (key in after))
