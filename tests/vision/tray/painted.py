"""Trays painted for tests: octagonal prisms in shaded colours on a plain floor, with noise and blur.

They show that geometry and bookkeeping hold; how well trays are read is measured on other pictures.
"""

import cv2
import numpy as np

from vision import painter
from vision.field import Field, find
from vision.lens import Lens
from vision.tray import reading
from vision.tray.plan import Keshi

FIELD = Field(180.0, 140.0, 4, 12.0)
LENS = Lens((1280, 960), 1065.0, 1065.0, 640.0, 480.0, (-0.045, 0.012, 0.0004, -0.0003, 0.0))
KESHI = Keshi(11.0, 8.0)
PAINTS = {
    "turquoise": (0.38, 0.44, 0.05),
    "green": (0.06, 0.25, 0.05),
    "black": (0.025, 0.025, 0.025),
    "white": (0.78, 0.82, 0.84),
    "gray": (0.26, 0.26, 0.26),
    "beige": (0.33, 0.58, 0.77),
    "brown": (0.05, 0.075, 0.165),
    "pink": (0.37, 0.23, 0.82),
    "red": (0.04, 0.04, 0.54),
    "yellow": (0.05, 0.58, 0.85),
    "purple": (0.21, 0.05, 0.16),
    "orange": (0.04, 0.22, 0.83),
}
"""Linear blue, green, red."""
FLOOR = (0.25, 0.42, 0.58)


def shown(linear, light=1.0):
    """A linear colour as a picture has it."""
    value = np.clip(np.array(linear) * light, 0, 1)
    curve = np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1 / 2.4) - 0.055)
    return tuple(float(255 * part) for part in curve)


def view(elevation=80.0, azimuth=0.0, distance=370.0, field=FIELD):
    return painter.PaintedView(LENS, painter.looking(field, elevation, azimuth, distance), field)


def tray(seen, pieces, floor=FLOOR, light=0.85, seed=1, extra=None):
    """A picture of a tray: ``pieces`` are (colour, x, y, flat, turn in degrees)."""
    picture = painter.empty(seen, tuple(round(part) for part in shown(floor, light)))
    # The painter's paper is as white as light makes it.
    picture[(picture == painter.WHITE).all(axis=2)] = [round(part) for part in shown((0.86,) * 3, light)]
    camera = seen.pose.camera_mm
    order = sorted(pieces, key=lambda piece: -np.hypot(piece[1] - camera[0], piece[2] - camera[1]))
    for colour, x, y, flat, turn in order:
        corners = solid(x, y, flat, np.radians(turn))
        for wanted, shade in ((corners, 0.55), (upper(corners, flat), 1.0)):
            pixels = seen.pose.project(seen.lens, wanted)
            hull = cv2.convexHull(np.round(pixels * 16).astype(np.int32))
            cv2.fillConvexPoly(picture, hull, shown(PAINTS[colour], light * shade), cv2.LINE_AA, 4)
    if extra is not None:
        extra(picture)
    blurred = cv2.GaussianBlur(picture, (0, 0), 0.8)
    return painter.noisy(blurred, seed, 1.5)


def solid(x, y, flat, turn):
    """The 16 corners of a keshi that lies there, (16, 3) mm."""
    eighths = np.pi / 8 + np.arange(8) * np.pi / 4
    radius, half = KESHI.across_mm / 2 / np.cos(np.pi / 8), KESHI.height_mm / 2
    octagon = np.column_stack([radius * np.cos(eighths), radius * np.sin(eighths)])
    if flat:
        corners = np.concatenate([np.insert(octagon, 2, z, axis=1) for z in (0.0, 2 * half)])
    else:
        standing = octagon + np.array([0.0, KESHI.across_mm / 2])
        corners = np.concatenate([np.insert(standing, 0, end, axis=1) for end in (-half, half)])
    cos, sin = np.cos(turn), np.sin(turn)
    return corners @ np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]]) + [x, y, 0.0]


def upper(corners, flat):
    return corners[corners[:, 2] > (0.5 * KESHI.height_mm if flat else 0.6 * KESHI.across_mm)]


def read(seen, picture, **how):
    sight = find(picture, seen.lens, seen.field)
    return reading.read(picture, seen.lens, seen.field, sight, KESHI, **how)
