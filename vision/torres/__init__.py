"""A Torres board in a picture: its stacks and pieces, with confidence, and the spaces hidden from view.

Here are the shapes on a board: sizes of a copy, outlines of blocks, doors and pieces, and a coloured layout
as a camera sees it. Spaces are numbers: 8 × row + column, a1 (the north-west one) 0, h8 63.

The method is analysis by synthesis: paint a layout as the camera would see it, and judge how well that
explains the picture. This package knows no rules: :func:`vision.torres.reading.weigh` takes the legal
layouts.

Thresholds come from the twelve sample pictures and from rendered pictures of the same kind made for tuning,
with the earlier layout known unless stated: figures of a rendered table, not of a photographed one.

================ ==================================================================================
``painter``      layouts painted as labels: the face of a block at each pixel
``colours``      the possible looks of each kind of face, line and piece in this picture's light
``evidence``     log evidence of a painted layout, over the same pixels for every layout
``held``         one layout in the making: the contents of each space, and tries of others
``search``       alternatives for a space, and climbing to the best layout
``finding``      the best layout, from the layout before or from an empty board
``reading``      BoardScene, read, weigh, crop: for the device, with doubts and hidden spaces
================ ==================================================================================
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, get_args

import msgspec
import numpy as np

from vision.lens import Floats

SIDE = 8
CELLS = SIDE * SIDE

Colour = Literal["red", "blue", "green", "yellow", "king"]
"""A piece by its colour: four knights' colours and the white king."""

COLOURS: tuple[Colour, ...] = get_args(Colour)

LEVELS = 12
"""The most blocks of a stack that are told apart; hardly any stack is higher."""


class CopySizes(msgspec.Struct, frozen=True):
    """The owner's copy, in mm: a space's side, and a block's width (east-west), depth and height.

    Raises ValueError for sizes that make no board.
    """

    cell_mm: float
    block_mm: tuple[float, float, float]

    def __post_init__(self) -> None:
        width, depth, height = self.block_mm
        if not 0 < max(width, depth) <= self.cell_mm or min(width, depth, height) <= 0:
            raise ValueError(f"blocks of {self.block_mm} mm do not fit spaces of {self.cell_mm} mm")


class Coloured(msgspec.Struct, frozen=True):
    """A layout as a camera sees it: 64 heights, and the pieces as (space, colour) by rising space.

    Raises ValueError for an impossible layout: other than 64 heights, a stack over :data:`LEVELS`, two pieces
    on one space, or pieces out of order.
    """

    heights: bytes = bytes(CELLS)
    pieces: tuple[tuple[int, Colour], ...] = ()

    def __post_init__(self) -> None:
        if len(self.heights) != CELLS or max(self.heights) > LEVELS:
            raise ValueError(f"{list(self.heights)} are not {CELLS} heights from 0 to {LEVELS}")
        spaces = [cell for cell, _ in self.pieces]
        if spaces != sorted(set(spaces)) or any(not 0 <= cell < CELLS for cell in spaces):
            raise ValueError(f"{spaces}: each piece on a space of its own, by rising space")

    def differences(self, other: Coloured) -> frozenset[int]:
        """Return the spaces on which two layouts differ."""
        mine, theirs = dict(self.pieces), dict(other.pieces)
        return frozenset(
            cell
            for cell in range(CELLS)
            if self.heights[cell] != other.heights[cell] or mine.get(cell) != theirs.get(cell)
        )


KNIGHT: tuple[tuple[float, float], ...] = (
    (6.7, 0.0),
    (6.7, 1.5),
    (2.7, 12.0),
    *((4.2 * np.sin(a), 17.6 - 4.2 * np.cos(a)) for a in np.linspace(0.5, np.pi, 6)),
)
"""A knight as rings (radius, height) in mm from its foot up: a foot, a cone, a round head."""

KING: tuple[tuple[float, float], ...] = (
    (8.6, 0.0),
    (8.6, 2.0),
    (5.0, 9.0),
    (4.0, 21.0),
    (4.9, 23.0),
    (5.0, 28.5),
)
"""The king in the same form: a wider foot, a tall neck, a crown."""

BULGES = (slice(0, 3), slice(2, 4), slice(3, None))
"""The convex parts of a piece of either kind, as ranges of its rings: foot, neck, head."""

DOOR = (0.15, 0.05, 0.60)
"""A block's door on each of its sides: half its width as a share of the block's, its foot and its lintel as
shares of the block's height.
"""


def centre_mm(copy: CopySizes, cell: int) -> tuple[float, float]:
    """Return the middle of a space in the field's coordinates."""
    row, column = divmod(cell, SIDE)
    return (column + 0.5) * copy.cell_mm, (SIDE - 0.5 - row) * copy.cell_mm


def block_corners(copy: CopySizes) -> Floats:
    """Return the corners of every level's floor on every space, (64, LEVELS + 1, 4, 3) mm.

    The four go around from the south-west one to the east: side *d* lies between corner *d* and the next.
    """
    width, depth, height = copy.block_mm
    around = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, depth / 2)
    corners = np.empty((CELLS, LEVELS + 1, 4, 3))
    middles = np.array([centre_mm(copy, cell) for cell in range(CELLS)])
    corners[..., :2] = middles[:, None, None, :] + around[None, None]
    corners[..., 2] = (np.arange(LEVELS + 1) * height)[None, :, None]
    return corners


def door_corners(corners: Floats) -> Floats:
    """Return the corners of every block's doors, (64, LEVELS, 4, 4, 3) mm by space, level and side.

    ``corners`` are :func:`block_corners`.
    """
    half, foot, lintel = DOOR
    lower, upper = corners[:, :-1], corners[:, 1:]
    along = np.array([0.5 - half, 0.5 + half, 0.5 + half, 0.5 - half])
    up = np.array([foot, foot, lintel, lintel])
    doors = np.empty((CELLS, LEVELS, 4, 4, 3))
    for side in range(4):
        left, right = lower[:, :, side], lower[:, :, (side + 1) % 4]
        rise = (upper - lower)[:, :, side]
        doors[:, :, side] = (
            left[:, :, None]
            + (right - left)[:, :, None] * along[None, None, :, None]
            + rise[:, :, None] * up[None, None, :, None]
        )
    return doors


@lru_cache(maxsize=len(COLOURS))
def _outline(colour: Colour, points: int) -> Floats:
    around = np.linspace(0, 2 * np.pi, points, endpoint=False)
    shape = np.array(KING if colour == "king" else KNIGHT)
    ring = np.empty((len(shape), points, 3))
    ring[..., 0] = shape[:, :1] * np.cos(around)
    ring[..., 1] = shape[:, :1] * np.sin(around)
    ring[..., 2] = shape[:, 1:]
    return ring


def rings(colour: Colour, foot_mm: tuple[float, float, float], points: int = 14) -> Floats:
    """Return a piece's outline as rings from its foot up, (rings, points, 3) mm."""
    return _outline(colour, points) + foot_mm
