"""A lens: focal lengths, middle and distortion from one calibration."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""An array of figures; each use gives shape and unit."""

Picture = NDArray[np.uint8]
"""A picture: (rows, columns, 3), in OpenCV's order blue, green, red."""


class Lens(msgspec.Struct, frozen=True):
    """A camera in one mode at one focus: OpenCV's pinhole model with five distortion coefficients.

    ``size`` is width and height of its pictures in px, ``fx fy cx cy`` are px, ``dist`` is k1 k2 p1 p2 k3.
    """

    size: tuple[int, int]
    fx: float
    fy: float
    cx: float
    cy: float
    dist: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)

    @property
    def matrix(self) -> Floats:
        """The camera matrix, (3, 3)."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    @property
    def coefficients(self) -> Floats:
        """The distortion as OpenCV takes it, (5,)."""
        return np.array(self.dist)

    def fits(self, picture: Picture) -> bool:
        """Return True if a picture has the size that this lens was calibrated for."""
        return (picture.shape[1], picture.shape[0]) == self.size
