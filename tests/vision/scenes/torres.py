"""A Torres board as a scene: blocks with doors, knights and king on a sheet with lines."""

from random import Random

import numpy as np
from msgspec import Struct

from engines.torres.cells import SIDE, cells
from engines.torres.layouts import Layout
from tests.vision.scenes import mat
from tests.vision.scenes.looks import (
    BOARDS,
    DOOR,
    KNIGHTS,
    LINE,
    TABLES,
    WOODS,
    Light,
    Look,
    light,
    tinted,
)
from tests.vision.scenes.povray import about_z, box, finish, mesh, placed, scene
from tests.vision.scenes.view import View, around

CELLS_MM = (24.0, 28.0, 30.0)
HEIGHTS_MM = (13.0, 15.0, 18.0)
GAP = 4.0
EDGE = 44.0
"""The sheet beyond the field."""
DOOR_WIDTH, DOOR_HEIGHT = 0.30, 0.63
KING_SIZE = 1.25


class Table(Struct, frozen=True):
    """One copy of the game on one table, ready to be rendered."""

    field: tuple[float, float]
    cell: float
    block: tuple[float, float, float]
    view: View
    light: Light
    markers: list[mat.Marker]
    text: str
    boxes: np.ndarray

    def hidden(self) -> list[int]:
        """The ids of markers that stand behind blocks."""
        return [m.id for m in self.markers if mat.hidden(m, self.view.position, self.boxes)]


def table(rng: Random, look: Look, seen: Layout, colours: tuple[str, ...]) -> Table:
    """A table that shows ``seen``; ``colours`` are the seats'."""
    cell, tall = rng.choice(CELLS_MM), rng.choice(HEIGHTS_MM)
    block = (cell - 1.5, cell - 1.5, tall)
    field = (SIDE * cell, SIDE * cell)
    steep = rng.random() < 0.12
    tilt = rng.uniform(5, 21) if steep else rng.uniform(22, 40)
    azimuth = rng.uniform(-32, 32)
    view = around(rng, field, 12, tilt, azimuth, field[0] * rng.uniform(1.98, 2.35) + 20)
    lit = light(rng, look, field)
    laid = mat.markers(field, 0, GAP, rng, 0.06)
    sheet = tinted(rng, rng.choice(BOARDS), look.hue, look.shade)
    top = tinted(rng, rng.choice(TABLES), look.hue, look.shade)
    things = mat.things(field, EDGE, sheet, top, laid)
    things += _lines(field, cell)
    stood, boxes = _blocks(rng, look, seen, cell, block)
    things += stood + _pieces(rng, look, seen, colours, cell, tall)
    target = (field[0] / 2, field[1] / 2, 0.0)
    return Table(field, cell, block, view, lit, laid, scene(view, lit.lamps, lit.sky, target, things), boxes)


def middle(cell: int, side: float) -> tuple[float, float]:
    """The middle of a space in the field, mm."""
    row, column = divmod(cell, SIDE)
    return (column + 0.5) * side, (SIDE - row - 0.5) * side


def _lines(field, cell: float, width: float = 0.85) -> list[str]:
    half, ink = width / 2, finish(LINE)
    found = []
    for n in range(SIDE + 1):
        at = n * cell
        found.append(box((at - half, -half, 0), (at + half, field[1] + half, 0.02), ink))
        found.append(box((-half, at - half, 0), (field[0] + half, at + half, 0.02), ink))
    return found


def _blocks(rng: Random, look: Look, seen: Layout, cell: float, block) -> tuple[list[str], np.ndarray]:
    """The blocks' text, and boxes that they fill."""
    width, _, tall = block
    woods = [tinted(rng, wood, 0.03, 0.05) for wood in rng.sample(WOODS, rng.choice((1, 2, 3, 3, 4)))]
    found = [f"#declare Block={_block(width, tall)}", f"#declare Doors={_doors(width, tall)}"]
    boxes = []
    for at, height in enumerate(seen.heights):
        x, y = middle(at, cell)
        lean_x, lean_y = rng.gauss(0, 0.15), rng.gauss(0, 0.15)
        for level in range(height):
            off_x = min(0.7, max(-0.7, lean_x + rng.gauss(0, 0.28)))
            off_y = min(0.7, max(-0.7, lean_y + rng.gauss(0, 0.28)))
            turn, where = about_z(rng.gauss(0, 0.9)), (x + off_x, y + off_y, level * tall)
            wood = tinted(rng, rng.choice(woods), 0.015, look.piece * 0.8)
            found.append(placed("Block", finish(wood, 0.03, 0.1), turn, where))
            found.append(placed("Doors", finish(DOOR), turn, where))
        if height:
            half = width / 2
            boxes.append([(x - half, y - half, 0), (x + half, y + half, height * tall)])
    return found, np.array(boxes).reshape(-1, 2, 3)


def _block(width: float, tall: float, edge: float = 0.55) -> str:
    """A box with cut edges, standing on the origin."""
    high = np.array([width / 2, width / 2, tall / 2])
    corners: list[tuple[float, ...]] = []
    index: dict[tuple[int, int, int, int], int] = {}
    signs = (-1, 1)
    for a in signs:
        for b in signs:
            for c in signs:
                for flat in range(3):  # the corner's point on the face across axis ``flat``
                    point = np.array([a, b, c]) * (high - edge)
                    point[flat] = (a, b, c)[flat] * high[flat]
                    index[a, b, c, flat] = len(corners)
                    corners.append((point[0], point[1], point[2] + tall / 2))
    faces = []
    for flat in range(3):
        one, other = (n for n in range(3) if n != flat)
        for s in signs:
            ring = []
            for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                key = [0, 0, 0]
                key[flat], key[one], key[other] = s, u, v
                ring.append(index[(*key, flat)])
            faces.append(ring)
            for t in signs:  # the cut between this face and that across ``other``
                ends = []
                for u in signs:
                    key = [0, 0, 0]
                    key[flat], key[one], key[other] = s, u, t
                    ends.append((index[(*key, flat)], index[(*key, other)]))
                faces.append([ends[0][0], ends[1][0], ends[1][1], ends[0][1]])
    for a in signs:
        for b in signs:
            for c in signs:
                faces.append([index[a, b, c, n] for n in range(3)])
    return mesh(np.array(corners), faces)


def _doors(width: float, tall: float) -> str:
    """A dark door in the middle of each side."""
    half, out = width * DOOR_WIDTH / 2, width / 2 + 0.03
    one = f"box{{<{-half:.3f},{-out:.3f},0.25>,<{half:.3f},{out:.3f},{tall * DOOR_HEIGHT:.3f}>}}"
    return f"union{{{one} object{{{one} rotate z*90}}}}"


def _pieces(rng: Random, look: Look, seen: Layout, colours, cell: float, tall: float) -> list[str]:
    found = [f"#declare Knight={_knight()}", f"#declare King={_king()}"]
    standing = [(at, colours[seat]) for seat, own in enumerate(seen.knights) for at in cells(own)]
    if seen.king >= 0:
        standing.append((seen.king, "king"))
    paint = {name: tinted(rng, colour, look.hue, look.shade * 0.8) for name, colour in KNIGHTS.items()}
    shine, rough = rng.uniform(0.15, 0.5), rng.uniform(0.012, 0.045)
    for at, name in standing:
        x, y = middle(at, cell)
        where = (x + rng.gauss(0, 0.8), y + rng.gauss(0, 0.8), seen.heights[at] * tall)
        shape = "King" if name == "king" else "Knight"
        colour = tuple(min(0.9, c) for c in paint[name])
        found.append(placed(shape, finish(colour, shine, rough), about_z(rng.uniform(0, 360)), where))
    return found


def _knight() -> str:
    """A pawn 21.6 mm tall: a disc, a cone, a ball."""
    return (
        "union{cylinder{<0,0,0>,<0,0,1.9>,6.5} cone{<0,0,1.9>,6.5,<0,0,2.6>,5.7} "
        "cone{<0,0,1.9>,5.2,<0,0,15.5>,3.05} sphere{<0,0,17.5>,4.1}}"
    )


def _king() -> str:
    """A knight a quarter larger, with a six-sided crown."""
    crown = "prism{linear_spline 25.6,29.6,7" + "".join(
        f",<{5.3 * np.cos(a):.4f},{5.3 * np.sin(a):.4f}>" for a in np.radians(range(0, 361, 60))
    )
    crown += " rotate x*90}"
    return f"union{{object{{{_knight()} scale {KING_SIZE}}} {crown}}}"
