"""Flaws of a picture that shows nothing (too dark, too bright, out of focus), and of pictures of pieces laid
out for learning.

Readers look for them if they do not find the markers; a picture with found markers is good enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from itertools import combinations
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lens import Picture

DARK: Final = 30
"""Nearly every pixel of a dark picture is below this grey level."""
BRIGHT: Final = 250
"""Most pixels of a bright picture are above this grey level."""
MOST: Final = 0.5
NEARLY_ALL: Final = 0.995
SOFT: Final = 0.10
"""In a picture in focus the steepest places rise from pixel to pixel by more than this share of its contrast.

Measured on every other sample, 30 rendered pictures of all kinds: 0.25 to 0.38 unchanged, 0.14 to 0.19 after
a Gaussian blur of 2.5 px, 0.09 to 0.14 of 4 px; boards and trays after 8 px: 0.04 to 0.07.
"""
MOVED: Final = 0.65
WAYS: Final = 12
"""A picture is taken in motion if its steepest places rise along one of so many ways by less than this share
of their rise along another: it is sharp only across the motion.

Measured on rendered pictures: 0.76 and more at rest, up to 0.57 with a motion of 21 px.
"""


class Flaw(StrEnum):
    """A flaw of a whole picture."""

    BLACK = "black"
    SATURATED = "saturated"
    BLURRED = "blurred"


def flaw(picture: Picture) -> Flaw | None:
    """Return the plainest flaw of a picture, None without one; a picture one pixel wide can only be black or
    white.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    if (grey < DARK).mean() > NEARLY_ALL:
        return Flaw.BLACK
    if (grey > BRIGHT).mean() > MOST:
        return Flaw.SATURATED
    if min(grey.shape) < 2:  # it has no two pixels side by side
        return None
    smooth = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32)
    low, high = np.percentile(smooth, (0.5, 99.5))
    across, down = np.diff(smooth, axis=1)[:-1], np.diff(smooth, axis=0)[:, :-1]
    far = np.hypot(across, down)
    there, turns = far >= np.percentile(far, 98), np.arange(WAYS) * np.pi / WAYS
    rises = np.outer(across[there], np.cos(turns)) + np.outer(down[there], np.sin(turns))
    steepest = np.sort(np.abs(rises), axis=0)[-max(1, far.size // 1000)]
    soft = steepest.max() < SOFT * max(float(high - low), 1.0)
    return Flaw.BLURRED if soft or steepest.min() < MOVED * steepest.max() else None


INNER: Final = 10
"""The width in px of the border of a piece's picture, without print."""
BLOWN: Final = 0.35
"""A larger share than this of nearly white pixels on a piece is glare."""
BARE: Final = 4.0
"""A piece whose grey varies less than this, of 255, is bare paper."""


def of_pieces(
    pieces: Mapping[str, Picture], soft: float, alike: Callable[[str, str], bool]
) -> list[tuple[str, tuple[str, ...]]]:
    """Return the flaws that make pieces hard to tell apart by their pictures, the worst first, each with its
    pieces.

    A flaw is ``bare``, ``glare``, ``blurred`` (most of them have steepest edges below ``soft``), or
    ``twins``, which are ``alike``.
    """
    grey = {name: cv2.cvtColor(piece, cv2.COLOR_BGR2GRAY) for name, piece in pieces.items()}
    blurred = tuple(name for name, one in grey.items() if _edges(one) < soft)
    found: list[tuple[str, tuple[str, ...]]] = [
        ("bare", tuple(name for name, one in grey.items() if one.std() < BARE)),
        ("glare", tuple(name for name, one in pieces.items() if (one.min(axis=2) >= 252).mean() > BLOWN)),
        ("blurred", blurred if 2 * len(blurred) > len(grey) else ()),
        ("twins", next((pair for pair in combinations(grey, 2) if alike(*pair)), ())),
    ]
    return [(flaw, names) for flaw, names in found if names]


def _edges(grey: NDArray[Any]) -> float:
    """Return the steepness of the sharpest edges inside a piece's border, in standard deviations of its grey
    per px.
    """
    inner = grey[INNER:, INNER:].astype(np.float32)
    steep = np.abs(cv2.Laplacian(inner, cv2.CV_32F))
    return float(np.percentile(steep, 98) / max(float(inner.std()), 1.0))
