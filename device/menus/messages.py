"""Short messages over the page: one at a time, each for its time, replaced only by a more urgent one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import msgspec

PLAIN_MS = 1800
URGENT_MS = 4000
LEAST_MS = 800
"""An urgent message stays this long whatever keys are pressed, so that it has been seen."""


class Message(msgspec.Struct, frozen=True):
    """What is said, and whether it interrupts."""

    text: str
    urgent: bool = False

    @property
    def stays_ms(self) -> int:
        """How long it is shown if no key is pressed."""
        return URGENT_MS if self.urgent else PLAIN_MS


class Messages:
    """The message being shown and those that wait for their turn."""

    def __init__(self, now_ms: Callable[[], float]) -> None:
        """``now_ms`` is a clock that never jumps."""
        self._now = now_ms
        self._queue: deque[Message] = deque()
        self._since = 0.0

    def say(self, text: str, *, urgent: bool = False) -> None:
        """Show a message once those before it have had their time; an urgent one waits for no plain one.

        What is being shown or waiting already is not said twice.
        """
        message = Message(text, urgent)
        if self.shown == message or message in self._queue:
            return
        if urgent and not self._queue_is_urgent():
            self._queue.clear()
        if not self._queue:
            self._since = self._now()
        self._queue.append(message)

    def _queue_is_urgent(self) -> bool:
        return bool(self._queue) and self._queue[0].urgent

    @property
    def shown(self) -> Message | None:
        """The message to show now."""
        while self._queue and self._now() >= self._since + self._queue[0].stays_ms:
            self._since += self._queue.popleft().stays_ms
        return self._queue[0] if self._queue else None

    def due_ms(self) -> float | None:
        """How long until the next change that comes by itself; None while nothing is shown."""
        shown = self.shown
        return self._since + shown.stays_ms - self._now() if shown else None

    def key_pressed(self) -> bool:
        """Take note of a key; True when the key was the answer to a message and does nothing else.

        A plain message goes at once and the key still does what it says. An urgent one hides the page, so a
        key must not act on what nobody sees: it takes the message away, once that has been seen.
        """
        shown = self.shown
        if shown and (not shown.urgent or self._now() >= self._since + LEAST_MS):
            self._queue.popleft()
            self._since = self._now()
        return bool(shown and shown.urgent)
