"""Key events from contacts: debounce, hold, and the quiet time around a turn, as pure functions of time.

A mechanical contact chatters for some milliseconds when it closes and when it opens. A turning knob wobbles
on its push switch. A hold is a press during which time passes. This module decides all three from ``(time,
key, level)`` alone: no clock, no thread, no pin. The owner of a clock feeds the edges, and calls :func:`tick`
at the time of :func:`next_deadline`::

    state = start()
    state, events = feed(state, timing, ContactEdge(1000, Key.UNDO, down=True))   # (Press(key=Key.UNDO),)
    state, events = feed(state, timing, ContactEdge(1003, Key.UNDO, down=False))  # (): chatter, or a release?
    state, events = tick(state, timing, next_deadline(state))              # (): still up, so it was a release

Late ticks are harmless: the events depend only on the edges, never on the times of the calls.

The encoder's contacts go through a cycle of four positions: both open, A closed, both closed, B closed;
backwards in the reverse order. From one click of the knob to the next most encoders go through all four
(Bourns PEC11), some through two (the Alps EC11 with 30 clicks and 15 pulses) or one. gpiozero's
``RotaryEncoder`` decodes only the first kind. A detent counts when the knob comes to rest a whole click from
its last rest. A chattering contact goes to and fro between two positions. With several steps a click it never
completes one; with one step it makes many, which the debounce cancels. gpiozero's ``bounce_time`` is not
used: every pin driver gives it another meaning, and the mock pins ignore it, so no test could vouch for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from math import inf

import msgspec
from msgspec.structs import replace

from device.settings import Keys


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
"""A person's action at the box: the one language between keys, panel, terminal and menus."""


_CLOCKWISE = (0, 2, 3, 1)
"""The levels in the order of a clockwise turn: 2 if A is closed, plus 1 if B is."""


class Knob(msgspec.Struct, frozen=True):
    """The encoder: ``levels`` is 2 if contact A is closed, plus 1 if B is; ``moved`` counts positions since a
    rest.
    """

    levels: int = 0
    moved: int = 0


def turn_knob(knob: Knob, levels: int, steps_per_detent: int) -> tuple[Knob, int]:
    """Take the contacts' new ``levels``; return the new knob, and the detent that it has made: 1 clockwise,
    -1, or 0.

    ``steps_per_detent`` is 1, 2 or 4. If both contacts changed at once, an edge was lost: the knob keeps its
    direction; if it stood still, its direction is unknown.
    """
    place = _CLOCKWISE.index(levels)
    way = (knob.moved > 0) - (knob.moved < 0)
    moved = knob.moved + (0, 1, 2 * way, -1)[(place - _CLOCKWISE.index(knob.levels)) % 4]
    if place % steps_per_detent:
        return Knob(levels, moved), 0
    return Knob(levels), (moved >= steps_per_detent) - (moved <= -steps_per_detent)


KEYS = tuple(Key)

LONG_FORM = frozenset({Key.BACK, Key.CALL})
"""The keys with a long form: they press on release, because only then it is clear that it was no hold."""

HOLD_PARTS = 10
"""The number of reports of a hold's progress: nine :class:`Holding`, then :class:`Hold`."""


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """Times of keys and encoder, in milliseconds.

    ``debounce_ms``: the longest chatter after an edge. Encoders such as the Bourns PEC11 are specified for 5
    ms, cheap push buttons stay below 10 (their data sheets, *contact bounce*). The first edge counts at once,
    so a generous value costs no response time, and presses this far apart are all kept.

    ``hold_ms``: from the press to the long form.

    ``quiet_after_turn_ms``: a click of the encoder this soon after a detent is the shaft's wobble, and is
    dropped.

    ``quiet_after_click_ms``: a detent this soon after an OK press is dropped, for the other half of the same
    wobble: the press has just opened another list, and its cursor must not move before anybody has seen it.
    It is half the time above, so that a person who presses and turns in one gesture loses nothing.

    ``chatter_ms``: a reverse detent this soon after a detent is the contact's chatter, unless it lasts; no
    hand turns a knob to and fro so quickly. It matters if one step of the encoder is a detent.
    """

    debounce_ms: float = 20.0
    hold_ms: float = 1000.0
    quiet_after_turn_ms: float = 100.0
    quiet_after_click_ms: float = 50.0
    chatter_ms: float = 5.0

    @classmethod
    def of(cls, keys: Keys) -> Timing:
        """Read the times from the settings."""
        return cls(debounce_ms=keys.debounce_ms, hold_ms=keys.hold_ms)


class ContactEdge(msgspec.Struct, frozen=True):
    """A level of the contact of ``key`` seen at ``time_ms``: closed (``down``) or open."""

    time_ms: float
    key: Key
    down: bool


class Detent(msgspec.Struct, frozen=True):
    """A turn of the encoder by ``steps`` detents until ``time_ms``, clockwise if positive."""

    time_ms: float
    steps: int


class Contact(msgspec.Struct, frozen=True):
    """The state of one key.

    ``down`` is the level that counts, ``seen`` the last level seen, chatter included, since ``seen_ms``.
    Until ``settles_ms`` changes are only noted; then the level seen counts. ``stuck`` means down since the
    start, so nobody pressed it; it counts again once it has been up. ``part`` parts of a hold have been
    reported, the next is due at ``part_ms``.
    """

    down: bool = False
    seen: bool = False
    seen_ms: float = -inf
    pressed_ms: float = -inf
    settles_ms: float | None = None
    stuck: bool = False
    part: int = 0
    part_ms: float | None = None

    @property
    def due_ms(self) -> float:
        """The time of this contact's next change by itself; infinity if it waits for an edge."""
        settles = inf if self.settles_ms is None else self.settles_ms
        return settles if self.part_ms is None else min(settles, self.part_ms)


class KeyState(msgspec.Struct, frozen=True):
    """The decoder's memory: one :class:`Contact` for each key in the order of :data:`KEYS`."""

    contacts: tuple[Contact, ...]
    turned_ms: float = -inf  # the last detent that counted
    clicked_ms: float = -inf  # the last OK press that counted
    detent: Detent = Detent(-inf, 0)  # the last one seen; its direction is that of the last one not held back
    held_back: int = 0  # the sum of the detents that may be chatter
    quiet_ms: float | None = None  # the time when the held back detents count

    @property
    def stuck(self) -> frozenset[Key]:
        """The keys held since the start, for a line such as "OK key is held down"."""
        return frozenset(key for key, contact in zip(KEYS, self.contacts, strict=True) if contact.stuck)

    def contact(self, key: Key) -> Contact:
        """Return the contact of ``key``."""
        return self.contacts[KEYS.index(key)]


Step = tuple[KeyState, tuple[KeyEvent, ...]]


def start(down: Iterable[Key] = ()) -> KeyState:
    """Begin with the keys in ``down`` held: whatever holds them, it is not a player's answer."""
    held = frozenset(down)
    contacts = (Contact(down=key in held, seen=key in held, stuck=key in held) for key in KEYS)
    return KeyState(contacts=tuple(contacts))


def next_deadline(state: KeyState) -> float | None:
    """Return the time of the next :func:`tick`, in ms; None: not before the next edge or detent."""
    due = min(contact.due_ms for contact in state.contacts)
    due = due if state.quiet_ms is None else min(due, state.quiet_ms)
    return None if due == inf else due


def tick(state: KeyState, timing: Timing, time_ms: float) -> Step:
    """Let time pass up to and including ``time_ms``: contacts settle, holds make progress."""
    events: list[KeyEvent] = []
    while (due := next_deadline(state)) is not None and due <= time_ms:
        if state.quiet_ms == due:
            held_back = Detent(state.detent.time_ms, state.held_back)
            state, more = _count(replace(state, held_back=0, quiet_ms=None), timing, held_back)
            events += more
            continue
        key = next(key for key in KEYS if state.contact(key).due_ms == due)
        contact = state.contact(key)
        if contact.settles_ms == due:
            state, more = _settle(state, timing, key)
        else:
            state, more = _report_progress(state, timing, key)
        events += more
    return state, tuple(events)


def feed(state: KeyState, timing: Timing, seen: ContactEdge | Detent) -> Step:
    """Take an edge or a detent, after everything due before it.

    An edge may be older than the last tick (a thread was late): it counts with its own time. An edge to the
    level already seen changes nothing.
    """
    state, events = tick(state, timing, seen.time_ms)
    if isinstance(seen, Detent):
        state, more = _turn(state, timing, seen)
    else:
        state, more = _take_edge(state, timing, seen)
    return state, events + more


def _turn(state: KeyState, timing: Timing, detent: Detent) -> Step:
    last = state.detent
    back = detent.steps * last.steps < 0 and detent.time_ms - last.time_ms < timing.chatter_ms
    if not back and not state.held_back:
        return _count(state, timing, detent)
    held_back = state.held_back + detent.steps
    quiet_ms = detent.time_ms + timing.chatter_ms if held_back else None
    last = Detent(detent.time_ms, last.steps)
    return replace(state, detent=last, held_back=held_back, quiet_ms=quiet_ms), ()


def _count(state: KeyState, timing: Timing, detent: Detent) -> Step:
    state = replace(state, detent=detent)
    if detent.time_ms - state.clicked_ms < timing.quiet_after_click_ms:
        # It is no turn, so it must not silence the next click either.
        return state, ()
    return replace(state, turned_ms=detent.time_ms), (Turn(detent.steps),)


def _take_edge(state: KeyState, timing: Timing, edge: ContactEdge) -> Step:
    contact = state.contact(edge.key)
    if edge.down == contact.seen:
        return state, ()
    contact = replace(contact, seen=edge.down, seen_ms=edge.time_ms)
    if contact.stuck:
        # Nobody waits for this release, so let it settle first: chatter must not pass for a press.
        return _put(state, edge.key, replace(contact, settles_ms=edge.time_ms + timing.debounce_ms)), ()
    state = _put(state, edge.key, contact)
    return (state, ()) if contact.settles_ms is not None else _change(state, timing, edge.key)


def _settle(state: KeyState, timing: Timing, key: Key) -> Step:
    contact = replace(state.contact(key), settles_ms=None)
    state = _put(state, key, contact)
    return (state, ()) if contact.seen == contact.down else _change(state, timing, key)


def _change(state: KeyState, timing: Timing, key: Key) -> Step:
    """Let the seen level count from the time it was first seen, and expect chatter after that."""
    contact = state.contact(key)
    time_ms = contact.seen_ms
    contact = replace(contact, down=contact.seen, settles_ms=time_ms + timing.debounce_ms)
    if contact.down:
        return _press(state, timing, key, replace(contact, pressed_ms=time_ms))
    short = key in LONG_FORM and contact.part < HOLD_PARTS and not contact.stuck
    state = _put(state, key, replace(contact, stuck=False, part=0, part_ms=None))
    return state, (Press(key),) if short else ()


def _press(state: KeyState, timing: Timing, key: Key, contact: Contact) -> Step:
    if key in LONG_FORM:
        due = contact.pressed_ms + timing.hold_ms / HOLD_PARTS
        return _put(state, key, replace(contact, part=0, part_ms=due)), ()
    state = _put(state, key, contact)
    if key is Key.OK:
        if contact.pressed_ms - state.turned_ms < timing.quiet_after_turn_ms:
            return state, ()
        state = replace(state, clicked_ms=contact.pressed_ms)
    return state, (Press(key),)


def _report_progress(state: KeyState, timing: Timing, key: Key) -> Step:
    contact = state.contact(key)
    part = contact.part + 1
    if part == HOLD_PARTS:
        return _put(state, key, replace(contact, part=part, part_ms=None)), (Hold(key),)
    due = contact.pressed_ms + timing.hold_ms * (part + 1) / HOLD_PARTS
    return _put(state, key, replace(contact, part=part, part_ms=due)), (Holding(key, part / HOLD_PARTS),)


def _put(state: KeyState, key: Key, contact: Contact) -> KeyState:
    index = KEYS.index(key)
    return replace(state, contacts=(*state.contacts[:index], contact, *state.contacts[index + 1 :]))
