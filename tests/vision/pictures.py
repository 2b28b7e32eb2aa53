"""Flat sheets seen through a lens from a pose, distortion and all: pictures whose truth is known exactly."""

from functools import lru_cache

import cv2
import numpy as np

from vision.lens import Lens
from vision.markers import CELLS, DICTIONARY
from vision.pose import Pose

LENS = Lens((1280, 960), 1065.0, 1068.0, 645.0, 476.0, (-0.045, 0.012, 0.0004, -0.0003, 0.0))
PX_PER_MM = 8.0
TABLE = (96, 130, 150)


def pose(elevation, azimuth, distance, middle, roll=0.0):
    """A camera that looks at ``middle``, (x, y) mm, from so far; ``roll`` turns it about its axis."""
    el, az = np.radians([elevation, azimuth])
    back = np.array([np.sin(az) * np.cos(el), -np.cos(az) * np.cos(el), np.sin(el)])
    right = np.array([np.cos(az), np.sin(az), 0.0])
    turn = np.stack([right, np.cross(-back, right), -back])
    c, s = np.cos(np.radians(roll)), np.sin(np.radians(roll))
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ turn
    shift = -turn @ (np.array([*middle, 0.0]) + distance * back)
    return Pose(tuple(cv2.Rodrigues(turn)[0].ravel().tolist()), tuple(shift.tolist()))


def rays_of(lens, pixels):
    """The directions, (N, 3) in camera axes with z = 1, that are seen at (N, 2) px."""
    flat = cv2.undistortPoints(pixels.reshape(-1, 1, 2), lens.matrix, lens.coefficients).reshape(-1, 2)
    return np.column_stack([flat, np.ones(len(flat))])


def on_table(at, lens, pixels):
    """Return the places on the table, (N, 2) mm, of pixels (N, 2)."""
    x, y, z = (rays_of(lens, pixels) @ at.matrix).T
    east, north, up = at.camera_mm
    return np.column_stack([east - x * up / z, north - y * up / z])


@lru_cache(maxsize=4)
def _rays(lens):
    """Return what each quarter of a pixel sees: (2 rows, 2 columns, 3)."""
    width, height = lens.size
    columns, rows = np.meshgrid(np.arange(2 * width), np.arange(2 * height))
    pixels = (np.stack([columns, rows], axis=-1).reshape(-1, 2) + 0.5) / 2 - 0.5
    return rays_of(lens, pixels).reshape(2 * height, 2 * width, 3).astype(np.float32)


@lru_cache(maxsize=2)
def _ground(lens, at):
    """Return where on the table, x and y mm, each quarter of a pixel looks."""
    x, y, z = cv2.split(cv2.transform(_rays(lens), at.matrix.T))
    east, north, up = map(float, at.camera_mm)
    return east - x * (up / z), north - y * (up / z)


@lru_cache(maxsize=4)
def _noise(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


def marker(id_, side_mm, dictionary=DICTIONARY, cells=CELLS):
    """A marker, (rows, columns) gray, ``side_mm`` wide."""
    plan = cv2.aruco.getPredefinedDictionary(dictionary)
    small = cv2.aruco.generateImageMarker(plan, id_, cells)
    side = round(side_mm * PX_PER_MM)
    return cv2.resize(small, (side, side), interpolation=cv2.INTER_NEAREST)


class Sheet:
    """A table top from (west, south) to (east, north) mm, painted at :data:`PX_PER_MM`; north is up."""

    def __init__(self, west, south, east, north, colour=TABLE):
        self.west, self.north = west, north
        size = round((north - south) * PX_PER_MM), round((east - west) * PX_PER_MM)
        self.paint = np.full((*size, 3), colour, np.uint8)

    @classmethod
    def of(cls, field, colour=TABLE, slips=None, without=()):
        """A field with its markers, but those ``without``; ``slips`` moves some, (x, y) mm by id."""
        rim = 3 * field.marker_mm
        sheet = cls(-rim, -rim, field.width_mm + rim, field.height_mm + rim, colour)
        for id_, corners in field.places().items():
            if id_ not in without:
                east, north = (slips or {}).get(id_, (0.0, 0.0))
                sheet.put(id_, corners[3, 0] + east, corners[3, 1] + north, field.marker_mm)
        return sheet

    def put(self, id_, x, y, side=24.0):
        """A marker on its white paper, its south-west corner at (x, y) mm."""
        rim = side / CELLS
        self.fill(x - rim, y - rim, side + 2 * rim, side + 2 * rim, (255, 255, 255))
        black = marker(id_, side)
        top, left = self._at(x, y + side)
        self.paint[top : top + len(black), left : left + len(black)] = (25 + black * 0.9)[:, :, None]

    def fill(self, x, y, width, height, colour):
        top, left = self._at(x, y + height)
        bottom, right = self._at(x + width, y)
        self.paint[top:bottom, left:right] = colour

    def _at(self, x, y):
        return round((self.north - y) * PX_PER_MM), round((x - self.west) * PX_PER_MM)

    def seen(self, at, lens=LENS, noise=2.0, blur=0.7, seed=1):
        """The picture: what the sheet does not cover is its colour at the edge."""
        east, north = _ground(lens, at)
        x, y = (east - self.west) * PX_PER_MM - 0.5, (self.north - north) * PX_PER_MM - 0.5
        # The sheet is painted finer than it is seen: smooth it first, or edges jump.
        paint = cv2.GaussianBlur(self.paint, (0, 0), 0.4 * PX_PER_MM / 2.5)
        large = cv2.remap(paint, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        picture = cv2.resize(large, lens.size, interpolation=cv2.INTER_AREA).astype(np.float32)
        if blur:
            picture = cv2.GaussianBlur(picture, (0, 0), blur)
        return np.clip(np.round(picture + noise * _noise(picture.shape, seed)), 0, 255).astype(np.uint8)


def moved(picture, right=0.0, down=0.0):
    """A picture shifted by so many px."""
    shift = np.array([[1.0, 0.0, right], [0.0, 1.0, down]])
    return cv2.warpAffine(picture, shift, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
