"""Why a picture can show nothing: too dark, too bright, out of focus.

These are looked for when the markers are not found; a picture in which they are is good enough.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from vision.lens import Picture

DARK: Final = 30
"""Nearly every pixel of a dark picture is below this grey level."""
BRIGHT: Final = 250
"""Most pixels of a bright picture are above this one."""
MOST: Final = 0.5
NEARLY_ALL: Final = 0.995
SOFT: Final = 0.10
"""In a picture in focus the steepest places rise from pixel to pixel by more than this share of its contrast.

Measured on rendered boards and trays: 0.31 to 0.43 in focus, 0.04 to 0.07 with a blur of 8 px.
"""


class Flaw(StrEnum):
    """A flaw of a whole picture."""

    BLACK = "black"
    SATURATED = "saturated"
    BLURRED = "blurred"


def flaw(picture: Picture) -> Flaw | None:
    """The plainest flaw of a picture, None where it has none: of one pixel wide only black or white."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    if (grey < DARK).mean() > NEARLY_ALL:
        return Flaw.BLACK
    if (grey > BRIGHT).mean() > MOST:
        return Flaw.SATURATED
    if min(grey.shape) < 2:  # nothing rises from pixel to pixel
        return None
    smooth = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32)
    rises = np.hypot(np.diff(smooth, axis=1)[:-1], np.diff(smooth, axis=0)[:, :-1])
    low, high = np.percentile(smooth, (0.5, 99.5))
    steepest = float(np.percentile(rises, 99.9))
    return Flaw.BLURRED if steepest < SOFT * max(float(high - low), 1.0) else None
