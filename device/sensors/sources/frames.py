"""A picture with its time, and what a source of pictures is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from device.errors import DeviceError

if TYPE_CHECKING:
    from device.sensors.simulated_table import SimulatedTable
    from vision.field import Field
    from vision.painter import PaintedView

Picture = NDArray[np.uint8]
Work = Callable[[], AbstractContextManager[None]]
"""Entered while what takes long is done."""

SMALL: Final = (320, 240)
"""Width and height of the small grey picture by which movement is watched."""
EVERY_S: Final = 0.2
"""A camera gives a picture so often, in seconds: often enough to see when hands are gone."""


class CameraError(DeviceError):
    """A camera cannot be had, or is gone: the text names it and says what is wrong."""


class PicturesEnded(CameraError):
    """A folder or a video has no more pictures."""


class PictureFrame(msgspec.Struct, frozen=True, eq=False, dict=True):
    """One moment: ``full`` is its picture or makes it, ``small`` is grey in the size :data:`SMALL`.

    ``ms`` only ever grows. ``facts`` are what the camera says of the picture: exposure, gains, focus; empty
    where it says nothing. ``simulated`` pictures show no real table.
    """

    full: Picture | Callable[[], Picture]
    small: Picture
    ms: float
    facts: Mapping[str, float] = {}
    simulated: bool = False

    @cached_property
    def picture(self) -> Picture:
        """The picture, (rows, columns, 3) in BGR; raises :class:`CameraError` where it cannot be had.

        Ask before the source's next picture: until then most moments are only watched in the small one, and
        a camera need not hand over more.
        """
        return self.full() if callable(self.full) else self.full


class FieldPainting(NamedTuple):
    """Paints one field of a simulated table, or a sheet on it: which field that is, None if it is not on the
    table, and what stands or lies there, seen so.
    """

    field: Callable[[SimulatedTable], Field | None]
    painted: Callable[[SimulatedTable, PaintedView], Picture]


class PictureSource(Protocol):
    """Sources of pictures. Opening one is making it; it raises :class:`CameraError`."""

    name: str
    """What people call it, fit for a message."""

    def grab(self) -> PictureFrame:
        """Return the next picture; waits for it, a camera :data:`EVERY_S`.

        Raises :class:`CameraError` when the camera is gone.
        """

    def close(self) -> None:
        """Give the camera back. A closed source grabs no more."""


def small_of(picture: Picture) -> Picture:
    """Make the small grey picture of a large one, for cameras that deliver none."""
    grey = cv2.cvtColor(cv2.resize(picture, SMALL, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.uint8)
