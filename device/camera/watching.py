"""When to read, and when to believe it: pictures in, readings out that two of three pictures agree on.

Nothing is read while the table is not still. What was read once is not read again until something moved or
other things are expected there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from device.camera.frames import Frame
from vision.gate import Calm, Gate, Mask, Region

APART_MS: Final = 150.0
"""How far apart the pictures are that must agree."""
READS: Final = 3
"""How many pictures are read; two must agree."""
HELD_MS: Final = 10_000.0
"""After a hand has rested for so long people are told that it is in the way."""


class Finding(Protocol):
    """What a reader found in one picture."""

    @property
    def gist(self) -> Any:
        """What two findings must have in common to agree; hashable."""

    @property
    def as_believed(self) -> bool:
        """Whether the table stands as the match has it."""


F = TypeVar("F", bound=Finding)


class Seen(msgspec.Struct, Generic[F], frozen=True, eq=False):
    """A finding that counts, with the picture it was made from; ``agreed`` of three pictures at least two."""

    finding: F
    frame: Frame
    agreed: bool


class Watcher(Generic[F]):
    """The watch over one field."""

    def __init__(self, read: Callable[[Frame, Mask | None], F]) -> None:
        """``read(frame, touched)`` reads a picture; ``touched`` are the pixels of its small one that may
        show something new, None while nobody knows.
        """
        self._read = read
        self._gate: Gate | None = None
        self._found: list[tuple[float, F]] = []
        self._told = False
        self._hand_since: float | None = None
        self.calm = Calm.SETTLING
        self.hand_rests = False

    def watch(self, region: Region) -> None:
        """Watch this region from now on, and know nothing of what it showed before."""
        self._gate = Gate(region)
        self.expect_anew()

    def expect_anew(self) -> None:
        """What is believed of the table has changed: what was read already must be read again."""
        self._found, self._told = [], False

    def see(self, frame: Frame) -> Seen[F] | None:
        """Take a picture in; what is seen, once that counts."""
        if self._gate is None:
            raise RuntimeError("nothing to watch yet")
        look = self._gate.see(frame.ms, frame.small)
        self.calm = look.calm
        self._hands(look.calm, frame.ms)
        if look.calm is not Calm.STILL:
            self.expect_anew()
            return None
        if self._told or (self._found and frame.ms - self._found[-1][0] < APART_MS):
            return None
        finding = self._read(frame, look.touched)
        before = [one.gist for _, one in self._found]
        self._found.append((frame.ms, finding))
        agreed = finding.gist in before
        if not agreed and len(self._found) < READS:
            return None
        self._told = True
        if agreed and finding.as_believed:
            self._gate.accept()
        return Seen(finding, frame, agreed)

    def _hands(self, calm: Calm, ms: float) -> None:
        if calm is not Calm.HAND:
            self._hand_since, self.hand_rests = None, False
            return
        if self._hand_since is None:
            self._hand_since = ms
        self.hand_rests = ms - self._hand_since >= HELD_MS
