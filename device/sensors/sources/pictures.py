"""Pictures with their time, the protocol of a source, and the sources that OpenCV reads.

A folder of pictures or a video is played as a camera, for bug reports, tests and distant tables. The third
source is a USB camera.

USB cameras differ in their controls, and drivers accept controls that they then ignore. So every automatic
adjustment is switched off as far as the camera allows, the facts of each picture hold the camera's own
report, and the readers estimate colours again in each picture.
"""

from __future__ import annotations

import io
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from device.errors import DeviceError
from device.texts import said

if TYPE_CHECKING:
    from device.sensors.simulated_table import SimulatedTable
    from vision.field import Field
    from vision.painter import PaintedView

Picture = NDArray[np.uint8]
Work = Callable[[], AbstractContextManager[None]]
"""A context for slow work."""

SMALL: Final = (320, 240)
"""Width and height of the small grey picture in which movement is watched."""
EVERY_S: Final = 0.2
"""The time between a camera's pictures, in seconds: often enough to see when hands are gone."""


class CameraError(DeviceError):
    """Error raised when a camera cannot be opened, or is gone: the text names it and the fault."""


class PicturesEnded(CameraError):
    """Error raised when a folder or a video has no more pictures."""


class PictureFrame(msgspec.Struct, frozen=True, eq=False, dict=True):
    """One moment: ``full`` is its picture or makes it, ``small`` is grey in the size :data:`SMALL`.

    ``ms`` only ever grows. ``facts`` are the camera's report: exposure, gains, focus; empty without one.
    ``simulated`` pictures show no real table.
    """

    full: Picture | Callable[[], Picture]
    small: Picture
    ms: float
    facts: Mapping[str, float] = {}
    simulated: bool = False

    @cached_property
    def picture(self) -> Picture:
        """The picture, (rows, columns, 3) in BGR; raises :class:`CameraError` if it cannot be had.

        Ask before the source's next picture. Most moments are only watched in the small one, so a camera
        hands over its large picture only when asked.
        """
        return self.full() if callable(self.full) else self.full


class FieldPainting(NamedTuple):
    """A painting of one field of a simulated table, or of a sheet on it: ``field`` returns the field, None if
    it is not on the table; ``painted`` paints its content in a view.
    """

    field: Callable[[SimulatedTable], Field | None]
    painted: Callable[[SimulatedTable, PaintedView], Picture]


class PictureSource(Protocol):
    """A source of pictures. Making one opens it, or raises :class:`CameraError`."""

    name: str
    """Its name for people, fit for a message."""

    def grab(self) -> PictureFrame:
        """Return the next picture; waits for it, a camera :data:`EVERY_S`.

        Raises :class:`CameraError` if the camera is gone.
        """

    def close(self) -> None:
        """Give the camera back. A closed source grabs no more."""


def small_of(picture: Picture) -> Picture:
    """Make the small grey picture of a large one, for cameras that give none."""
    grey = cv2.cvtColor(cv2.resize(picture, SMALL, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.uint8)


# Folders, videos, USB cameras

PICTURES: Final = frozenset({".jpg", ".jpeg", ".png"})
JPEG: Final = 85
"""The quality of the pictures that the box writes."""
KINDS: Final = ("JPEG", "PNG")
MOST_PIXELS: Final = 64_000_000
"""The most pixels that a picture may declare to be decoded: no camera of the box comes near, and a file of a
few kilobytes may claim thousands of millions.
"""
MANUAL_EXPOSURE: Final = 1.0
"""V4L2_EXPOSURE_MANUAL, as OpenCV's V4L2 backend hands it through."""
EVERY_MS: Final = 100.0
"""The time between two pictures of a folder."""


class Folder:
    """The pictures of a folder, in the order of their names."""

    def __init__(self, path: Path) -> None:
        """List the folder; raises CameraError if it is missing, or has no picture."""
        self.name = str(path)
        try:
            found = sorted(one for one in path.iterdir() if one.suffix.lower() in PICTURES)
        except OSError as error:
            raise CameraError(f"{path}: {error.strerror}") from error
        if not found:
            raise CameraError(f"{path}: no picture in it")
        self._paths = found
        self._turn = 0

    def grab(self) -> PictureFrame:
        """Return the next picture.

        :raises PicturesEnded: after the last.

        :raises CameraError: for a file that is no picture; the next call continues after it.
        """
        if self._turn >= len(self._paths):
            raise PicturesEnded(f"{self.name}: no more pictures")
        path = self._paths[self._turn]
        ms = self._turn * EVERY_MS
        self._turn += 1
        return _make_frame(read_picture(path), ms)

    def close(self) -> None:
        """End at once; nothing is open between pictures."""
        self._turn = len(self._paths)


class Video:
    """A video file, at its own speed."""

    def __init__(self, path: Path) -> None:
        """Open the video; raises CameraError if it is none."""
        self.name = str(path)
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CameraError(f"{path}: no video that can be read")
        # If a file does not declare its speed, OpenCV gives 0.
        self._every_ms = 1000 / (self._capture.get(cv2.CAP_PROP_FPS) or 1000 / EVERY_MS)
        self._turn = 0

    def grab(self) -> PictureFrame:
        """Return the next picture; raises PicturesEnded after the last."""
        there, picture = self._capture.read()
        if not there:
            raise PicturesEnded(f"{self.name}: no more pictures")
        ms, self._turn = self._turn * self._every_ms, self._turn + 1
        return _make_frame(picture, ms)

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


class Usb:
    """A camera at ``/dev/videoN``, or wherever its device file is."""

    def __init__(self, device: str, size: tuple[int, int]) -> None:
        """Open the camera; ``size`` is the requested width and height; the pictures show the real one.

        :raises CameraError: if it is missing, or another program uses it.
        """
        self.name = device
        self._capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise CameraError(said("camera.absent", camera=device))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # a picture of now, not of half a second ago
        self._locked = False
        self._next = 0.0

    def grab(self) -> PictureFrame:
        """Return the next picture. After the first, exposure, white balance and focus stay fixed.

        :raises CameraError: if the camera was unplugged.
        """
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + EVERY_S
        there, picture = self._capture.read()
        if not there or picture is None:
            raise CameraError(said("camera.gone", camera=self.name))
        if not self._locked:
            self._lock()
        return _make_frame(picture, time.monotonic() * 1000, **self._read_facts())

    def close(self) -> None:
        """Give the camera back."""
        self._capture.release()

    def _lock(self) -> None:
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE)
        self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        self._locked = True

    def _read_facts(self) -> dict[str, float]:
        asked = {
            "exposure": cv2.CAP_PROP_EXPOSURE,
            "white_balance": cv2.CAP_PROP_WB_TEMPERATURE,
            "focus": cv2.CAP_PROP_FOCUS,
        }
        return {name: float(self._capture.get(what)) for name, what in asked.items()}


def _make_frame(picture: NDArray[Any], ms: float, **facts: float) -> PictureFrame:
    found = np.asarray(picture, np.uint8)
    return PictureFrame(found, small_of(found), ms, facts)


def read_picture(path: Path) -> Picture:
    """Read a JPEG or PNG picture from a file with any name.

    :raises CameraError: if it is missing, of another kind, or declares too many pixels.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CameraError(f"{path}: {error.strerror}") from error
    width, height = _read_declared_size(path, data)
    if width * height > MOST_PIXELS:
        most = MOST_PIXELS // 1_000_000
        raise CameraError(f"{path}: says it has {width} x {height} pixels, more than {most} million")
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise CameraError(f"{path}: no picture that can be read")
    return np.asarray(picture, np.uint8)


def encode_picture(picture: Picture, kind: str) -> bytes:
    """Encode a picture as a file of that ``kind``, ``.jpg`` or ``.png``."""
    done, data = cv2.imencode(kind, picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG] if kind == ".jpg" else [])
    return bytes(data) if done else b""


def decode_picture(name: str, data: bytes) -> Picture:
    """Decode the picture in a file's bytes; raises ValueError, with its ``name``, if they are none."""
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if found is None:
        raise ValueError(f"{name} is no picture")
    return np.asarray(found, dtype=np.uint8)


def _read_declared_size(path: Path, data: bytes) -> tuple[int, int]:
    """Return width and height that a picture's header declares; nothing is decoded."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=KINDS) as picture:
                return picture.size
    except Image.DecompressionBombError as error:
        raise CameraError(f"{path}: {error}") from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise CameraError(f"{path}: no picture that can be read") from error
