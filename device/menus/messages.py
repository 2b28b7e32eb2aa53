"""Short messages over the page: one at a time; only an urgent one replaces a plain one before its time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import msgspec

PLAIN_MS = 1800
URGENT_MS = 4000
LEAST_MS = 800
"""An urgent message stays this long whatever keys are pressed, so that it has been seen."""


class Message(msgspec.Struct, frozen=True):
    """A message: what it says, whether it interrupts, and which reading it is ``about``, if any."""

    text: str
    urgent: bool = False
    about: str = ""

    @property
    def stays_ms(self) -> int:
        """Time on the screen if no key is pressed."""
        return URGENT_MS if self.urgent else PLAIN_MS


class Messages:
    """The message being shown and those that wait for their turn."""

    def __init__(self, now_ms: Callable[[], float]) -> None:
        """Start without a message; ``now_ms`` is a clock that never jumps."""
        self._now = now_ms
        self._queue: deque[Message] = deque()
        self._since = 0.0

    def say(self, text: str, *, urgent: bool = False, about: str = "") -> None:
        """Queue a message; an urgent one drops the plain ones before it.

        A message that is shown or waiting already is not queued again.
        """
        message = Message(text, urgent, about)
        if self.shown == message or message in self._queue:
            return
        if urgent and not self._queue_is_urgent():
            self._queue.clear()
        if not self._queue:
            self._since = self._now()
        self._queue.append(message)

    def withdraw(self, about: str) -> None:
        """Dismiss messages about ``about``: it was read again."""
        shown = self.shown
        self._queue = deque(one for one in self._queue if one.about != about or not about)
        if self.shown != shown:
            self._since = self._now()

    def _queue_is_urgent(self) -> bool:
        return bool(self._queue) and self._queue[0].urgent

    @property
    def shown(self) -> Message | None:
        """The message to show now."""
        while self._queue and self._now() >= self._since + self._queue[0].stays_ms:
            self._since += self._queue.popleft().stays_ms
        return self._queue[0] if self._queue else None

    def due_ms(self) -> float | None:
        """Time until the message changes by itself; None while there is none."""
        shown = self.shown
        return self._since + shown.stays_ms - self._now() if shown else None

    def key_pressed(self) -> bool:
        """Take a key; True where it only answers an urgent message.

        A key takes a plain message away and acts as usual. An urgent message hides the page, so the key only
        takes the message away, and only once it has been shown for :data:`LEAST_MS`.
        """
        shown = self.shown
        if shown and (not shown.urgent or self._now() >= self._since + LEAST_MS):
            self._queue.popleft()
            self._since = self._now()
        return bool(shown and shown.urgent)
