"""A USB camera, through OpenCV.

What such a camera can be told differs from one to the next, and drivers say yes to what they then ignore. So
everything that adapts by itself is switched off as far as the camera lets us, what it then reports is given
as the facts of each picture, and the readers estimate colours anew in each picture anyway.
"""

from __future__ import annotations

import time
from typing import Final

import cv2
import numpy as np

from device.sensors.sources.frames import EVERY_S, CameraError, PictureFrame, small_of

MANUAL_EXPOSURE: Final = 1.0
"""V4L2_EXPOSURE_MANUAL, as OpenCV's V4L2 backend hands it through."""


class Usb:
    """A camera under ``/dev/videoN``, or wherever its device file stands."""

    def __init__(self, device: str, size: tuple[int, int], *, every_s: float = EVERY_S) -> None:
        """``size`` is the width and height asked for; the pictures tell what came of it.

        :raises CameraError: where there is none, or another program has it.
        """
        self.name = device
        self._capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise CameraError(f"{device}: no camera, or another program uses it")
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # a picture of now, not of half a second ago
        self._locked = False
        self._every_s, self._next = every_s, 0.0

    def grab(self) -> PictureFrame:
        """The next picture. After the first, exposure, white balance and focus stay as they were then.

        :raises CameraError: when the camera was pulled out.
        """
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + self._every_s
        there, picture = self._capture.read()
        if not there or picture is None:
            raise CameraError(f"{self.name}: pulled out, or gone silent")
        if not self._locked:
            self._lock()
        found = np.asarray(picture, np.uint8)
        return PictureFrame(found, small_of(found), time.monotonic() * 1000, self._facts())

    def close(self) -> None:
        """Give it back."""
        self._capture.release()

    def _lock(self) -> None:
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE)
        self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        self._locked = True

    def _facts(self) -> dict[str, float]:
        asked = {
            "exposure": cv2.CAP_PROP_EXPOSURE,
            "white_balance": cv2.CAP_PROP_WB_TEMPERATURE,
            "focus": cv2.CAP_PROP_FOCUS,
        }
        return {name: float(self._capture.get(what)) for name, what in asked.items()}
