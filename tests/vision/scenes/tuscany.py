"""Regions of The Castles of Tuscany as scenes: hexes of card on a mat, in pairs some placements apart.

    python -m tests.vision.scenes.tuscany --copies 4 --pairs 8 --out PICTURES

writes ``PICTURES/copy_0/tuscany_keep_000_a.jpg``, ``_b.jpg`` and their truth. A copy has artwork of its own;
lamps, table, boards and camera are those of a pair, white balance and exposure those of a picture. A picture
follows from look, copy and number alone.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from pathlib import Path
from random import Random

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tests.vision.scenes import make, mat
from tests.vision.scenes.finish import expose, faults, jpeg
from tests.vision.scenes.looks import INK, LOOKS, MAT, TABLES, WHITE, WOODS, Light, Look, light, tinted
from tests.vision.scenes.povray import FULL, about_z, box, finish, mesh, placed, render, scene
from tests.vision.scenes.view import View, around, bend
from vision import sheets

CORNER, GAP, MARGIN, EDGE = 17.0, 4.0, 30.0, 48.0
PITCH = CORNER * math.sqrt(3)
KINDS = ("castle", "town", "inn", "farm", "quarry", "village", "monastery", "cart")
TINTS = {
    "castle": (0.03, 0.12, 0.06),
    "town": (0.50, 0.04, 0.05),
    "inn": (0.04, 0.15, 0.42),
    "farm": (0.25, 0.47, 0.08),
    "quarry": (0.26, 0.27, 0.33),
    "village": (0.78, 0.26, 0.05),
    "monastery": (0.78, 0.60, 0.16),
    "cart": (0.68, 0.48, 0.28),
    "wild": (0.12, 0.50, 0.48),
}
"""Linear red, green, blue of a tile."""
PX = 240
WILD = 0.18
"""How many of the placed hexes are wild ones."""


class Copy(Struct, frozen=True):
    """A copy's artwork: by kind the colour of a tile, of its print, and the pictogram, 0 to 1; how dark that
    is on a tile and how pale in print.
    """

    tiles: dict[str, tuple[float, float, float]]
    prints: dict[str, tuple[float, float, float]]
    signs: dict[str, np.ndarray]
    ink: float
    pale: float
    grain: float


def copy(number: int, look: Look) -> Copy:
    """The artwork of a copy."""
    rng = Random(f"tuscany copy {look.name} {number}")
    tiles = {kind: tinted(rng, tint, 0.10, 0.12) for kind, tint in TINTS.items()}
    whiter = rng.uniform(0.30, 0.55)
    prints = {
        kind: tuple(whiter * 0.75 + (1 - whiter) * part for part in tint) for kind, tint in tiles.items()
    }
    signs = {kind: _sign(rng, kind) for kind in KINDS}
    signs["wild"] = _ring(rng) * (0.0 if number % 2 else 0.25)
    return Copy(
        tiles, prints, signs, rng.uniform(0.72, 0.9), rng.uniform(0.30, 0.42), rng.uniform(0.02, 0.06)
    )


def _sign(rng: Random, kind: str) -> np.ndarray:
    """A kind's pictogram in white on black, the middle half of a picture."""
    dots = np.zeros((PX, PX), np.uint8)
    size = PX * rng.uniform(0.20, 0.25)
    thick = round(PX * rng.uniform(0.03, 0.05))

    def at(x, y):
        return round(PX / 2 + x * size), round(PX / 2 + y * size)

    def solid(*points):
        cv2.fillPoly(dots, [np.array([at(*point) for point in points], np.int32)], 255, cv2.LINE_AA)

    def house(x, wide, high):
        solid(
            (x - wide, 0.9),
            (x - wide, 0.9 - high),
            (x, 0.5 - 1.6 * high),
            (x + wide, 0.9 - high),
            (x + wide, 0.9),
        )

    match kind:
        case "castle":
            solid(
                (-0.9, 0.9),
                (-0.9, -0.9),
                (-0.4, -0.9),
                (-0.4, -0.2),
                (0.4, -0.2),
                (0.4, -0.9),
                (0.9, -0.9),
                (0.9, 0.9),
            )
            cv2.circle(dots, at(0, 0.5), round(size * 0.25), 0, cv2.FILLED, cv2.LINE_AA)
        case "town":
            for x in (-0.75, 0.0, 0.75):
                house(x, 0.28, rng.uniform(0.6, 0.95))
        case "inn":
            cv2.ellipse(
                dots,
                at(-0.1, 0.2),
                (round(size * 0.6), round(size * 0.7)),
                0,
                0,
                360,
                255,
                cv2.FILLED,
                cv2.LINE_AA,
            )
            cv2.ellipse(
                dots,
                at(0.6, 0.2),
                (round(size * 0.35), round(size * 0.4)),
                0,
                0,
                360,
                255,
                thick // 2,
                cv2.LINE_AA,
            )
        case "farm":
            for x in np.linspace(-0.9, 0.9, rng.choice((3, 4, 5))):
                cv2.line(dots, at(x - 0.15, 0.9), at(x * 0.5, -0.9), 255, thick // 2 + 2, cv2.LINE_AA)
        case "quarry":
            solid((-0.9, 0.8), (-0.5, 0.0), (-0.1, 0.8))
            solid((0.0, 0.8), (0.45, -0.3), (0.95, 0.8))
            solid((-0.6, -0.1), (-0.15, -0.9), (0.3, -0.1))
        case "village":
            house(0.0, rng.uniform(0.6, 0.8), 0.9)
            cv2.rectangle(dots, at(-0.15, 0.4), at(0.2, 0.95), 0, cv2.FILLED)
        case "monastery":
            cv2.line(dots, at(0, -1), at(0, 1), 255, thick, cv2.LINE_AA)
            cv2.line(dots, at(-0.6, -0.4), at(0.6, -0.4), 255, thick, cv2.LINE_AA)
            cv2.circle(dots, at(0, -0.4), round(size * 0.4), 255, thick // 2, cv2.LINE_AA)
        case "cart":
            solid((-0.95, -0.5), (0.95, -0.5), (0.7, 0.2), (-0.7, 0.2))
            for x in (-0.5, 0.5):
                cv2.circle(dots, at(x, 0.5), round(size * 0.36), 255, thick // 2, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((PX / 2, PX / 2), rng.uniform(-12, 12), 1.0)
    return cv2.warpAffine(dots, turn, (PX, PX)).astype(np.float32) / 255


def _ring(rng: Random) -> np.ndarray:
    dots = np.zeros((PX, PX), np.uint8)
    cv2.circle(dots, (PX // 2, PX // 2), round(PX * rng.uniform(0.25, 0.32)), 255, 5, cv2.LINE_AA)
    return dots.astype(np.float32) / 255


def art(made: Copy, kind: str, tile: bool, rng: Random) -> np.ndarray:
    """The picture of a hex as it was printed: sRGB, BGR, uint8; the card's grain is its own."""
    source = np.random.default_rng(rng.getrandbits(32))
    ground = np.array((made.tiles if tile else made.prints)[kind][::-1], np.float32)
    ink = (made.ink if tile else made.pale) * made.signs[kind][..., None]
    coarse = cv2.resize(
        source.standard_normal((12, 12)).astype(np.float32), (PX, PX), interpolation=cv2.INTER_CUBIC
    )
    fine = cv2.GaussianBlur(source.standard_normal((PX, PX)).astype(np.float32), (0, 0), 2.0) * 3
    grain = np.exp(made.grain * (coarse + fine))[..., None]
    linear = np.clip(ground * (1 - ink) * grain, 0, 1)
    return (
        np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.power(linear, 1 / 2.4) - 0.055) * 255
    ).astype(np.uint8)


class Pair(Struct, frozen=True):
    """One region, its camera and its light; ``before`` and ``after`` is what was placed by number."""

    copy: Copy
    view: View
    light: Light
    markers: list[mat.Marker]
    field: tuple[float, float]
    spots: list[tuple[int, int, float, float]]
    printed: list[str]
    placed: tuple[dict[int, str], dict[int, str]]
    mat: tuple[float, float, float]
    table: tuple[float, float, float]
    seed: int


def pair(rng: Random, look: Look, made: Copy) -> Pair:
    """A region of three boards whose rows of five stand half a hex apart, and one to three placements."""
    begin, rows = 0, []
    for row in range(6):
        rows.append(begin)
        begin += rng.choice((-1, 1)) if row % 2 else 1
    spots, left = [], min(rows)
    for row, begin in enumerate(rows):
        for n in range(5):
            halves = begin - left + 2 * n
            q = (halves - row) // 2
            spots.append((q, row, MARGIN + halves * PITCH / 2, MARGIN + row * 1.5 * CORNER))
    field = (max(x for *_, x, _ in spots) + MARGIN, MARGIN * 2 + 7.5 * CORNER)
    printed = [*KINDS * 3, *rng.sample(KINDS, 6)]
    rng.shuffle(printed)
    order = rng.sample(range(30), 30)
    many, more = rng.randint(2, 17), rng.randint(1, 3)
    laid = {at: "wild" if rng.random() < WILD else "tile" for at in order[: many + more]}
    before = {at: laid[at] for at in order[:many]}
    view = around(rng, field, 10, rng.uniform(8, 33), rng.uniform(-28, 28), rng.uniform(395, 440))
    return Pair(
        made,
        view,
        light(rng, look, field),
        mat.markers(field, 8, GAP, rng, 0.12),
        field,
        spots,
        printed,
        (before, laid),
        tinted(rng, rng.choice((MAT, WOODS[0], (0.35, 0.30, 0.24))), 0.05, 0.1),
        tinted(rng, rng.choice(TABLES), look.hue, look.shade),
        rng.getrandbits(32),
    )


def _prism(reach: float, high: float) -> str:
    angles = np.radians(90 + 60 * np.arange(6))
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * reach
    corners = np.concatenate([np.column_stack([ring, np.full(6, z)]) for z in (0.0, high)])
    sides = [[n, (n + 1) % 6, 6 + (n + 1) % 6, 6 + n] for n in range(6)]
    return mesh(corners, [list(range(6)), list(range(6, 12)), *sides])


def text(made: Pair, placed_there: dict[int, str], folder: Path) -> str:
    """The scene of a region; its pictures are written into ``folder``."""
    rng = Random(made.seed)
    cards = _Cards(made.copy, rng, folder)
    things = [*mat.things(made.field, EDGE, made.mat, made.table, made.markers), *cards.declared()]
    for number, ((*_, x, y), kind) in enumerate(zip(made.spots, made.printed, strict=True)):
        where = (x, made.field[1] - y, 0.0)
        things.append(cards.laid(kind, False, where, 0.0))
        off, turned = (rng.gauss(0, 0.5), rng.gauss(0, 0.5)), rng.gauss(0, 2.0)
        if number in placed_there:
            lies = kind if placed_there[number] == "tile" else "wild"
            things.append(cards.laid(lies, True, (where[0] + off[0], where[1] + off[1], cards.thin), turned))
    target = (made.field[0] / 2, made.field[1] / 2, 0.0)
    return scene(made.view, made.light.lamps, made.light.sky, target, things)


class _Cards:
    """Spaces and tiles of one copy: how thick they are, and their pictures, numbered in ``folder``."""

    def __init__(self, made: Copy, rng: Random, folder: Path) -> None:
        self.copy, self.rng, self.folder, self.count = made, rng, folder, 0
        self.thin, self.thick, self.narrow = (
            rng.uniform(0.5, 1.2),
            rng.uniform(1.6, 2.2),
            rng.uniform(0.92, 0.97),
        )
        self.shine = rng.uniform(0.0, 0.05)

    def declared(self) -> list[str]:
        space, tile = _prism(CORNER * 0.995, self.thin), _prism(CORNER * self.narrow, self.thick)
        return [f"#declare Space={space}", f"#declare Tile={tile}"]

    def laid(self, kind: str, tile: bool, at, turned: float) -> str:
        self.count += 1
        name, reach = f"hex{self.count}.png", CORNER * (self.narrow if tile else 1.0)
        cv2.imwrite(str(self.folder / name), art(self.copy, kind, tile, self.rng))
        texture = (
            f'texture{{pigment{{image_map{{png "{name}" once interpolate 2}} translate <-0.5,-0.5,0> '
            f"scale <{2 * reach:.3f},{2 * reach:.3f},1>}} "
            f"finish{{diffuse 1 specular {self.shine:.3f} roughness 0.06}}}}"
        )
        return placed("Tile" if tile else "Space", texture, about_z(turned), at)


def sheet(rng: Random, look: Look, made: Copy) -> bytes:
    """The JPEG's bytes of the printed sheet with a tile of each kind and a wild hex in its slots."""
    size = (sheets.TILES.width_mm, sheets.TILES.height_mm)
    view = around(rng, size, 6, rng.uniform(4, 20), rng.uniform(-20, 20), rng.uniform(330, 380))
    lit, small = light(rng, look, size), sheets.TILES.marker_mm
    with tempfile.TemporaryDirectory() as name:
        cards = _Cards(made, rng, Path(name))
        things = mat.things(size, 30.0, WHITE, tinted(rng, rng.choice(TABLES), look.hue, look.shade), [])
        things += cards.declared()
        for id_, corners in sheets.TILES.places().items():
            (west, _, _), (_, south, _) = corners[0], corners[2]
            bits = cv2.aruco.generateImageMarker(
                cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), id_, 6
            )
            for row, column in np.argwhere(bits == 0):
                x, y = west + column * small / 6, south + (5 - row) * small / 6
                things.append(box((x, y, 0), (x + small / 6, y + small / 6, 0.03), finish(INK)))
        for (x, y), kind in zip(sheets.tile_slots().tolist(), (*KINDS, "wild"), strict=True):
            off = (x + rng.uniform(-4, 4), y + rng.uniform(-4, 4), 0.0)
            things.append(cards.laid(kind, True, off, rng.gauss(0, 2.0)))
        target = (size[0] / 2, size[1] / 2, 0.0)
        bent = bend(view, render(scene(view, lit.lamps, lit.sky, target, things), Path(name)))
    fault = faults(rng, look, lit)
    return jpeg(expose(bent, FULL, fault), fault)


def taught(look: Look, copy_number: int, many: int, folder: Path) -> None:
    """Write the sheet of a copy, and as many regions of it with nothing placed, as ``_e``."""
    made = copy(copy_number, look)
    folder.mkdir(parents=True, exist_ok=True)
    make.write(folder / "sheet.jpg", sheet(Random(f"tuscany sheet {look.name} {copy_number}"), look, made))
    for number in range(many):
        rng = Random(f"tuscany empty {look.name} {copy_number} {number}")
        bare = replace(pair(rng, look, made), placed=({}, {}))
        data, name = shown(bare, 0, rng, look), f"tuscany_{look.name}_{number:03d}"
        make.write(folder / f"{name}_e.jpg", data)
        told = truth(bare, 0, name) | {"picture": f"{name}_e.jpg"}
        make.write(folder / f"{name}_e.json", json.dumps(told, separators=(",", ":")).encode())


def shown(made: Pair, which: int, rng: Random, look: Look) -> bytes:
    """The JPEG's bytes of the picture before (0) or after (1) the placements."""
    with tempfile.TemporaryDirectory() as folder:
        bent = bend(made.view, render(text(made, made.placed[which], Path(folder)), Path(folder)))
    fault = faults(rng, look, made.light)
    drawn = tuple(gain * rng.uniform(0.9, 1.1) for gain in fault.gains)
    fault = replace(fault, gains=drawn, exposure=0.8 * rng.uniform(0.85, 1.12))
    pads = [made.view.project(marker.corners(mat.MARKER / 2 + 1.5)) for marker in made.markers]
    white = float(np.mean([bent[round(y), round(x), 1] for corners in pads for x, y in corners]))
    return jpeg(expose(bent, white, fault), fault)


def truth(made: Pair, which: int, name: str) -> dict:
    """What stands beside a picture."""
    hexes = [
        {
            "q": q,
            "r": r,
            "x_mm": round(x, 2),
            "y_mm": round(y, 2),
            "printed": kind,
            "placed": made.placed[which].get(n),
        }
        for n, ((q, r, x, y), kind) in enumerate(zip(made.spots, made.printed, strict=True))
    ]
    return {
        "game": "castles_of_tuscany",
        "field_mm": [round(mm, 1) for mm in made.field],
        "first_marker": 8,
        "marker_gap_mm": GAP,
        "hex_corner_mm": CORNER,
        "hexes": hexes,
        "earlier": f"{name}_a.jpg" if which else None,
        "camera": made.view.truth(),
        "picture": f"{name}_{'ab'[which]}.jpg",
    }


def write(look: Look, number: int, copy_number: int, folder: Path) -> None:
    """Write both pictures of a pair with their truth; what is there already is kept."""
    name = f"tuscany_{look.name}_{number:03d}"
    rng = Random(f"tuscany {look.name} {copy_number} {number}")
    made = pair(rng, look, copy(copy_number, look))
    folder.mkdir(parents=True, exist_ok=True)
    for which in (0, 1):
        file = folder / f"{name}_{'ab'[which]}.json"
        if not file.exists():
            own = Random(f"tuscany {look.name} {copy_number} {number} {which}")
            make.write(file.with_suffix(".jpg"), shown(made, which, own, look))
            make.write(file, json.dumps(truth(made, which, name), separators=(",", ":")).encode())


def main() -> None:
    """The command."""
    ask = argparse.ArgumentParser(description="Make rendered pairs of regions with their truth.")
    ask.add_argument("--look", choices=LOOKS, default="keep")
    ask.add_argument("--copies", type=int, default=4)
    ask.add_argument("--first", type=int, default=0, help="the first copy")
    ask.add_argument("--pairs", type=int, default=8, help="of each copy")
    ask.add_argument(
        "--taught", type=int, default=0, help="of each copy the sheet, and so many empty regions"
    )
    ask.add_argument("--out", type=Path, required=True)
    asked = ask.parse_args()
    cv2.setNumThreads(1)
    for copy_number in range(asked.first, asked.first + asked.copies):
        if asked.taught:
            taught(LOOKS[asked.look], copy_number, asked.taught, asked.out / f"taught_{copy_number}")
        for number in range(asked.pairs):
            write(LOOKS[asked.look], number, copy_number, asked.out / f"copy_{copy_number}")


if __name__ == "__main__":
    main()
