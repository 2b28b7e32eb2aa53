"""The camera of a scene: where it stands, what its lens does, and where a point of the field is seen.

Field coordinates are millimetres, x east, y north, z up, the origin at the field's south-west corner. The
picture is rendered through a pinhole a little wider than the lens, and bent to the lens afterwards.
"""

import math
from random import Random

import cv2
import numpy as np
from msgspec import Struct

SIZE = (1280, 960)
MARGIN = 1.03
"""How much wider than the picture the pinhole's picture is on every side, so that bending finds something."""


class View(Struct, frozen=True):
    """Camera position and axes in the field's frame, focal length and principal point in px, distortion
    in OpenCV's order.
    """

    position: tuple[float, float, float]
    right: tuple[float, float, float]
    down: tuple[float, float, float]
    ahead: tuple[float, float, float]
    focal: float
    centre: tuple[float, float] = (SIZE[0] / 2, SIZE[1] / 2)
    dist: tuple[float, float, float, float, float] = (-0.045, 0.012, 0.0004, -0.0003, 0.0)

    @property
    def matrix(self) -> np.ndarray:
        """The camera matrix."""
        (cx, cy), f = self.centre, self.focal
        return np.array([[f, 0, cx], [0, f, cy], [0, 0, 1.0]])

    @property
    def tilt_deg(self) -> float:
        """How far the camera looks away from straight down."""
        return math.degrees(math.acos(-self.ahead[2]))

    def project(self, points) -> np.ndarray:
        """Return where points (N, 3) of the field are seen in the finished picture: (N, 2) px."""
        axes = np.array([self.right, self.down, self.ahead])
        turned = (np.asarray(points, float).reshape(-1, 3) - self.position) @ axes.T
        seen, _ = cv2.projectPoints(turned, np.zeros(3), np.zeros(3), self.matrix, np.array(self.dist))
        return seen.reshape(-1, 2)

    def truth(self) -> dict:
        """The ``camera`` of a picture's truth."""
        return {
            "fx": self.focal,
            "fy": self.focal,
            "cx": self.centre[0],
            "cy": self.centre[1],
            "tilt_deg": round(self.tilt_deg, 1),
            "height_mm": round(self.position[2]),
            "dist": list(self.dist),
        }


def look(position, target, roll_deg: float, focal: float, **lens) -> View:
    """A camera at ``position`` that looks at ``target``, its picture's top towards the north."""
    ahead = np.asarray(target, float) - position
    ahead /= np.linalg.norm(ahead)
    roll = math.radians(roll_deg)
    north = np.array([math.sin(roll), math.cos(roll), 0.0])
    right = np.cross(ahead, north)
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    return View(*(tuple(map(float, v)) for v in (position, right, down, ahead)), focal, **lens)


def around(
    rng: Random, field, aim, tilt_deg: float, azimuth_deg: float, distance: float, lens: bool = True
) -> View:
    """A camera ``distance`` mm from the field's middle, ``azimuth_deg`` east of south, roughly aimed."""
    width, height = field
    middle = np.array([width / 2 + rng.uniform(-aim, aim), height / 2 + rng.uniform(-aim, aim), 0.0])
    tilt, azimuth = math.radians(tilt_deg), math.radians(azimuth_deg)
    offset = np.array(
        [
            math.sin(tilt) * math.sin(azimuth),
            -math.sin(tilt) * math.cos(azimuth),
            math.cos(tilt),
        ]
    )
    chosen = {"dist": _dist(rng), "centre": (640 + rng.gauss(0, 3), 480 + rng.gauss(0, 3))} if lens else {}
    focal = 1065.1388687043316 * (rng.uniform(0.985, 1.015) if lens else 1.0)
    return look(middle + distance * offset, middle, rng.gauss(0, 1.2), focal, **chosen)


def _dist(rng: Random) -> tuple[float, float, float, float, float]:
    return (
        round(rng.uniform(-0.06, -0.03), 4),
        round(rng.uniform(0.006, 0.018), 4),
        round(rng.gauss(0.0003, 0.0002), 5),
        round(rng.gauss(-0.0002, 0.0002), 5),
        0.0,
    )


def pinhole_size() -> tuple[int, int]:
    """Width and height of the pinhole's picture in px."""
    return round(SIZE[0] * MARGIN), round(SIZE[1] * MARGIN)


def bend(view: View, pinhole: np.ndarray) -> np.ndarray:
    """The pinhole's picture as the lens shows it; the pinhole has the same focal length."""
    across, along = np.meshgrid(np.arange(SIZE[0], dtype=float), np.arange(SIZE[1], dtype=float))
    pixels = np.stack([across, along], -1).reshape(-1, 1, 2)
    finely = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 60, 1e-10)
    straight = cv2.undistortPointsIter(pixels, view.matrix, np.array(view.dist), None, None, finely)
    width, height = pinhole_size()
    there = straight.reshape(SIZE[1], SIZE[0], 2) * view.focal + ((width - 1) / 2, (height - 1) / 2)
    where = there.astype(np.float32)
    return cv2.remap(pinhole, where[..., 0], where[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
