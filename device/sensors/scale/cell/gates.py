"""The light gates at the tower's mouth: counts of pieces, and a beam that stays broken.

Two pieces that fall close together break a beam once: a gate counts at most the true number.
"""

LEAST_MS = 2
"""The shortest break of a beam that counts as a piece."""

BLOCKED_MS = 1500
"""The longest; after it the beam is blocked, and its blocker is not counted."""


class Gates:
    """Gates by number, from 1. Feed every change as it comes; the same level twice does no harm."""

    def __init__(self, count: int):
        self.passed = [0] * count
        self._broken_ms: list[int | None] = [None] * count

    def feed(self, number: int, broken: bool, ms: int) -> None:
        """Take the state of gate ``number`` at ``ms``."""
        index = number - 1
        since = self._broken_ms[index]
        if broken:
            if since is None:
                self._broken_ms[index] = ms
            return
        self._broken_ms[index] = None
        if since is not None and LEAST_MS <= ms - since <= BLOCKED_MS:
            self.passed[index] += 1

    def blocked(self, ms: int) -> int:
        """Return the first gate whose beam is blocked, 0 if none is."""
        for index, since in enumerate(self._broken_ms):
            if since is not None and ms - since > BLOCKED_MS:
                return index + 1
        return 0

    def rest(self) -> "list[int]":
        """Return the count of each gate since the last rest, and start again from 0."""
        passed = self.passed
        self.passed = [0] * len(passed)
        return passed
