"""When to read, and when a reading counts: pictures in, readings out that two of three pictures agree on.

Nothing is read while the table is not still. What was read once is not read again until something moved or
other things are expected there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic

import numpy as np

from device.sensors.reader import F, Seen
from device.sensors.sources import PictureFrame
from vision.gate import Calm, Gate, Mask, WatchedRegion

APART_MS: Final = 150.0
"""How far apart the pictures are that must agree."""
READS: Final = 3
"""How many pictures are read; two must agree."""
HELD_MS: Final = 10_000.0
"""After a hand has rested for so long people are told that it is in the way; and so often it is looked at
whether it is one, and not a camera that was turned or blinded: that looks alike to the gate.
"""


class Watcher(Generic[F]):
    """The watch over one field."""

    def __init__(self, read: Callable[[PictureFrame, Mask | None], F]) -> None:
        """Start without a picture.

        ``read(frame, touched)`` reads a picture; ``touched`` are the pixels of its small one at which
        something was seen since the table was as the match has it, or since people said what the match has;
        None while that is unknown.
        """
        self._read = read
        self._gate: Gate | None = None
        self._nothing: Mask = np.zeros((0, 0), np.bool_)
        self._touched: Mask | None = None
        self._settled: Mask | None = None
        self._found: list[tuple[float, F]] = []
        self._told = False
        self._hand_since: float | None = None
        self.calm = Calm.SETTLING
        self.hand_rests = False

    def watch(self, region: WatchedRegion) -> None:
        """Watch this region from now on, and know nothing of what it showed before."""
        self._gate = Gate(region)
        self._nothing = np.zeros_like(region.around)
        self._touched = self._settled = None
        self._begin()

    def expect_anew(self) -> None:
        """Read again, as people have said what is on the table now.

        What was touched until now needs no more questions.
        """
        self._settled = self._nothing if self._touched is None else self._touched
        self._begin()

    def _begin(self) -> None:
        self._found, self._told = [], False

    def see(self, frame: PictureFrame) -> Seen[F] | None:
        """Take a picture in; return what is seen, once that counts."""
        if self._gate is None:
            raise RuntimeError("nothing to watch yet")
        look = self._gate.see(frame.ms, frame.small)
        self.calm, self._touched = look.calm, look.touched
        if self._hand_rested(look.calm, frame.ms):
            self._read(frame, self._news())  # says what is wrong with the view, and is not told
        if look.calm is not Calm.STILL:
            self._begin()
            return None
        if self._told or (self._found and frame.ms - self._found[-1][0] < APART_MS):
            return None
        finding = self._read(frame, self._news())
        before = [one.key for _, one in self._found]
        self._found.append((frame.ms, finding))
        agreed = finding.key in before
        if not agreed and len(self._found) < READS:
            return None
        self._told = True
        if agreed and finding.as_expected:
            self._gate.accept()
            self._settled = None
        return Seen(finding, frame, agreed)

    def _news(self) -> Mask | None:
        """Mark where something was seen since then."""
        if self._settled is None:
            return self._touched
        return (self._nothing if self._touched is None else self._touched) & ~self._settled

    def _hand_rested(self, calm: Calm, ms: float) -> bool:
        """Return True if a hand has rested for so long since it came or was looked at."""
        if calm is not Calm.HAND:
            self._hand_since, self.hand_rests = None, False
            return False
        if self._hand_since is None:
            self._hand_since = ms
        if ms - self._hand_since < HELD_MS:
            return False
        self._hand_since, self.hand_rests = ms, True
        return True
