"""Waits between tries at what is away: each twice as long as the one before, up to the longest."""

from __future__ import annotations


class Backoff:
    """The waits of one thing that is tried again, in whatever unit ``first`` and ``longest`` are."""

    def __init__(self, first: float, longest: float) -> None:
        """Begin with the ``first`` one."""
        self._first, self._longest = first, longest
        self.reset()

    def reset(self) -> None:
        """Begin with the first wait again: it is there."""
        self._next = self._first

    def wait(self, lasted: float = 0.0) -> float:
        """Return the wait before the next try; what ``lasted`` for the longest one begins with the first."""
        if lasted >= self._longest:
            self.reset()
        wait, self._next = self._next, min(2 * self._next, self._longest)
        return wait
