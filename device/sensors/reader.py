"""A reader of a game's pictures, as the camera's process knows it: every reader has this face."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from device.sensors.messages import Expected, Reading, Troubles
from device.sensors.sources import PictureFrame
from device.settings import CameraSettings
from vision.gate import Mask, WatchedRegion


class Mount(msgspec.Struct, frozen=True):
    """A camera where it stands: its settings, the state directory with its calibrations, the file of the
    simulated table where there is one, and the ``field`` that is read. ``second`` is another camera that
    looks at this field; a simulated one stands ``turned_deg`` round the table from where its file has the
    camera.
    """

    camera: CameraSettings
    state_dir: Path
    simulated: Path | None = None
    field: str = ""
    second: Any = None
    turned_deg: float = 0.0


class Finding(Protocol):
    """A reader's finding in one picture."""

    @property
    def key(self) -> Any:
        """Return what two findings must have in common to agree."""

    @property
    def as_expected(self) -> bool:
        """Return True if the table stands as the match has it."""


F = TypeVar("F", bound=Finding)


class Seen(msgspec.Struct, Generic[F], frozen=True, eq=False):
    """A finding that counts, with the picture it was made from; ``agreed`` of three pictures at least two."""

    finding: F
    frame: PictureFrame
    agreed: bool


class Reader(Protocol[F]):
    """Reads one field of one game through one camera. Whatever it raises is a reading that is not sure."""

    @property
    def bumps(self) -> int:
        """Return how often camera or field were bumped: then what is watched lies elsewhere."""

    @property
    def found(self) -> bool:
        """Return True if the field was found in the last picture, so that it can be read there."""

    @property
    def troubles(self) -> Troubles:
        """Return what is wrong with the view."""

    def expect(self, expected: Expected) -> None:
        """Take in what the match has on the table from now on."""

    def region(self, frame: PictureFrame) -> WatchedRegion | None:
        """Return what to watch in the small pictures; None while the field is not found."""

    def read(self, frame: PictureFrame, touched: Mask | None) -> F:
        """Read one picture; ``touched`` are the pixels of its small one where anything may have changed,
        None where nobody knows.
        """

    def tell(self, seen: Seen[F]) -> Reading | None:
        """Return a finding as the daemon is told; None for one that is only a trouble."""
