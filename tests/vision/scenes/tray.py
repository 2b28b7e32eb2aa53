"""Marrakesh's cube-tower tray as a scene: walls on three sides, the tower, keshis."""

from random import Random

import numpy as np
from msgspec import Struct, structs

from engines.marrakesh.pieces import COLOURS
from tests.vision.scenes import mat
from tests.vision.scenes.drop import TOWER_FRONT, Piece, drop, octagon
from tests.vision.scenes.looks import (
    FLOORS,
    KESHIS,
    MAT,
    TABLES,
    WALLS,
    WHITE,
    Light,
    Look,
    light,
    tinted,
)
from tests.vision.scenes.povray import about_z, box, finish, mesh, placed, scene
from tests.vision.scenes.view import View, around
from vision import sheets

FIELD = (180.0, 140.0)
GAP = 12.0
EDGE = 46.0
SIZES = ((11.0, 7.0), (10.0, 8.0), (10.0, 10.0))
MOST = 25
SPREAD, NOISE_MG = 0.05, 20.0
TARGET = (FIELD[0] / 2, FIELD[1] / 2, 0.0)
PAPER_MM = 8.0
"""The distance by which the strip's paper reaches beyond its markers."""


class Copy(Struct, frozen=True):
    """One copy's pieces: size, the paint of each colour, how bright and how wide highlights are."""

    keshi: tuple[float, float]
    paint: dict[str, tuple[float, float, float]]
    gloss: tuple[float, float]

    def placed(self, rng: Random, look: Look, colours: list[str], pieces: list[Piece]) -> list[str]:
        """Pieces as solids, each a little off its colour's paint."""
        found = [f"#declare Keshi={_keshi(*self.keshi)}"]
        for name, piece in zip(colours, pieces, strict=True):
            paint = tinted(rng, self.paint[name], look.piece * 0.5, look.piece)
            found.append(placed("Keshi", finish(paint, *self.gloss), piece.matrix, piece.middle))
        return found


class Tray(Struct, frozen=True):
    """One tray on one table, ready to be rendered; ``things`` is all but its pieces."""

    copy: Copy
    colours: list[str]
    pieces: list[Piece]
    view: View
    light: Light
    markers: list[mat.Marker]
    things: list[str]
    text: str
    boxes: np.ndarray

    def scene(self, things: list[str]) -> str:
        """The tray with other things on its floor."""
        return scene(self.view, self.light.lamps, self.light.sky, TARGET, [*self.things, *things])

    def hidden(self) -> list[int]:
        """The ids of markers that stand behind walls or the tower."""
        return [m.id for m in self.markers if mat.hidden(m, self.view.position, self.boxes)]

    def counts(self) -> dict[str, int]:
        """Return how many of each colour there are."""
        return {colour: self.colours.count(colour) for colour in KESHIS if colour in self.colours}

    def described(self) -> list[dict]:
        """Every piece's colour, middle, axis and lie, and whether the tower or a wall hides it."""
        middles = np.array([piece.middle for piece in self.pieces]).reshape(-1, 3)
        behind = mat.crossed(middles, np.array(self.view.position), self.boxes)
        return [
            {
                "colour": colour,
                "middle_mm": [round(x, 2) for x in piece.middle],
                "axis": [round(row[2], 3) for row in piece.turn],
                "lie": piece.lie,
                "hidden": bool(unseen),
            }
            for colour, piece, unseen in zip(self.colours, self.pieces, behind, strict=True)
        ]


def weighed(rng: Random, number: int) -> dict[str, int]:
    """A calibrated piece and what a scale says of so many."""
    mean = rng.randint(460, 620)
    true = sum(mean * (1 + rng.gauss(0, SPREAD)) for _ in range(number))
    return {"piece_mg": mean, "weight_mg": round(true + rng.gauss(0, NOISE_MG))}


def tray(rng: Random, look: Look) -> Tray:
    """A tray with 0 to 25 pieces."""
    keshi = rng.choice(SIZES)
    number = rng.choice((0, rng.randint(1, 6), *[rng.randint(3, 16)] * 10, rng.randint(12, MOST)))
    return with_pieces(rng, look, keshi, [rng.choice(list(KESHIS)) for _ in range(number)])


def with_pieces(rng: Random, look: Look, keshi: tuple[float, float], colours: list[str]) -> Tray:
    """A tray with just these pieces."""
    pieces = drop(rng, len(colours), *keshi, FIELD)
    tilt = rng.uniform(2, 18.5)
    azimuth = rng.gauss(0, 16) if tilt > 10 else rng.choice((rng.gauss(0, 25), rng.uniform(-95, 95)))
    view = around(rng, FIELD, 16, tilt, azimuth, rng.uniform(332, 416))
    lit = light(rng, look, FIELD)
    laid = mat.markers(FIELD, 4, GAP, rng, 0.14)
    sheet = tinted(rng, MAT, 0.04, 0.08)
    top = tinted(rng, rng.choice(TABLES), look.hue, look.shade)
    things = mat.things(FIELD, EDGE, sheet, top, laid)
    floor = tinted(rng, rng.choice(FLOORS), look.hue * 0.6, look.shade * 0.6)
    things.append(box((-1, -1, 0), (181, 140, 0.03), finish(floor)))
    wood = finish(tinted(rng, rng.choice(WALLS), look.hue * 0.7, look.shade), 0.02, 0.1)
    built, boxes = _walls(rng.uniform(20.0, 25.0), wood)
    things += built
    if rng.random() < 0.68:
        tower = (np.array([52.0, TOWER_FRONT, 0]), np.array([128.0, TOWER_FRONT + 80, rng.uniform(110, 165)]))
        things.append(_rounded(*tower, wood))
        boxes.append(tower)
    copy = _copy(rng, look, keshi)
    made = Tray(copy, colours, pieces, view, lit, laid, things, "", np.array(boxes, float).reshape(-1, 2, 3))
    return structs.replace(made, text=made.scene(copy.placed(rng, look, colours, pieces)))


def strip(rng: Random, look: Look, made: Tray) -> str:
    """The scene of the same tray with the enrolling strip on its floor and a piece of each colour on that, in
    the same light."""
    sheet, height = sheets.STRIP, made.copy.keshi[1]
    west, south = (FIELD[0] - sheet.width_mm) / 2 + rng.gauss(0, 3), (FIELD[1] - sheet.height_mm) / 2
    edge = sheet.gap_mm + sheet.marker_mm + PAPER_MM
    low = (west - edge, south - edge, 0.03)
    things = [box(low, (west + sheet.width_mm + edge, south + sheet.height_mm + edge, 0.1), finish(WHITE))]
    for id_, corners in sheet.places().items():
        x, y, _ = corners.mean(0).tolist()
        things += mat.drawn(mat.Marker(id_, west + x, south + y, side=sheet.marker_mm, up=0.1))
    pieces = []
    for x, y in sheets.STRIP.slots:
        turn = about_z(rng.uniform(0, 360))
        middle = (west + x + rng.gauss(0, 1), south + y + rng.gauss(0, 1), 0.1 + height / 2)
        pieces.append(Piece(middle, tuple(map(tuple, turn))))
    return made.scene(things + made.copy.placed(rng, look, list(COLOURS), pieces))


def _walls(high: float, wood: str) -> tuple[list[str], list]:
    """West, east and south walls 3 mm thick, a dark peg in the two corners."""
    width, depth = FIELD
    boxes = [
        ((-3.0, -3.0, 0.0), (0.0, depth + 2, high)),
        ((width, -3.0, 0.0), (width + 3, depth + 2, high)),
        ((0.0, -3.0, 0.0), (width, 0.0, high)),
    ]
    found = [box(low, top, wood) for low, top in boxes]
    for x in (-1.5, width + 1.5):
        found.append(box((x - 0.8, -2.3, high - 1), (x + 0.8, -0.7, high + 0.03), finish((0.02, 0.02, 0.02))))
    return found, [tuple(map(np.array, b)) for b in boxes]


def _rounded(low: np.ndarray, high: np.ndarray, texture: str, edge: float = 1.5) -> str:
    """A box with round edges, cut off at the floor."""
    a, b = low + edge, high - edge
    a[2] = low[2]
    parts = [
        box((low[0], a[1], a[2]), (high[0], b[1], b[2]), ""),
        box((a[0], low[1], a[2]), (b[0], high[1], b[2]), ""),
        box((a[0], a[1], a[2]), (b[0], b[1], high[2]), ""),
    ]
    for x in (a[0], b[0]):
        for y in (a[1], b[1]):
            parts.append(f"cylinder{{<{x},{y},{a[2]}>,<{x},{y},{b[2]}>,{edge}}}")
            parts.append(f"sphere{{<{x},{y},{b[2]}>,{edge}}}")
    for y in (a[1], b[1]):
        parts.append(f"cylinder{{<{a[0]},{y},{b[2]}>,<{b[0]},{y},{b[2]}>,{edge}}}")
    for x in (a[0], b[0]):
        parts.append(f"cylinder{{<{x},{a[1]},{b[2]}>,<{x},{b[1]},{b[2]}>,{edge}}}")
    return f"union{{{' '.join(parts)} {texture}}}"


def _copy(rng: Random, look: Look, keshi: tuple[float, float]) -> Copy:
    paint = {name: tinted(rng, colour, look.hue * 0.8, look.shade * 0.7) for name, colour in KESHIS.items()}
    return Copy(keshi, paint, (rng.uniform(0.08, 0.3), rng.uniform(0.05, 0.16)))


def _keshi(across: float, height: float, edge: float = 0.3) -> str:
    """An octagonal prism with its two rims cut."""
    rings = (
        (across - 2 * edge, -height / 2),
        (across, -height / 2 + edge),
        (across, height / 2 - edge),
        (across - 2 * edge, height / 2),
    )
    corners = [octagon(wide, 2 * z)[0][8:] for wide, z in rings]
    faces: list[list[int]] = [list(range(8)), list(range(24, 32))]
    for ring in range(3):
        for n in range(8):
            faces.append([8 * ring + n, 8 * ring + (n + 1) % 8, 8 * ring + 8 + (n + 1) % 8, 8 * ring + 8 + n])
    return mesh(np.concatenate(corners), faces)
