"""Cards before a seat as scenes: ``python -m tests.vision.scenes.cards --decks 24 --out FOLDER``.

They lie flat, so nothing is traced: every pixel's ray meets the table, where the artwork is looked up and lit
by the lamps; a sleeve adds what it mirrors of them, each card a little tilted. Nothing is shared with the
product's painter. A deck follows from its look and number: one picture that teaches it, one of towers.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from random import Random

import cv2
import numpy as np
from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont

from tests.vision.scenes import mat
from tests.vision.scenes.finish import expose, faults, jpeg
from tests.vision.scenes.looks import INK, LOOKS, MAT, TABLES, WHITE, Light, Look, light, tinted
from tests.vision.scenes.make import write
from tests.vision.scenes.view import View, around, bend, pinhole_size

FIELD, FIRST, GAP = (300.0, 225.0), 24, 4.0
CARD = (57.0, 87.0)
SLOTS = ("5", "6", "7", "8", "9", "10", "back", "pietra")
ROMAN = {"5": "V", "6": "VI", "7": "VII", "8": "VIII", "9": "IX", "10": "X", "pietra": "P"}
PX = 6.0
"""Px a mm of the table's plane."""
BEYOND = 170.0
"""So much of the table around the field is drawn."""
SLEEVE = 1.2
"""How far a sleeve reaches over its card, mm."""
NO_TOWER = 40.0
"""South of a column's last card there must be so much of the field."""


class Style(Struct, frozen=True):
    """A deck's artwork by chance: ``seed``, and whether 6 and 9 are the same but for the index, which is
    small, and the one the other upside down.
    """

    seed: int
    twins: bool = False


class Card(Struct, frozen=True):
    """A card on the table: what it shows, its middle in mm, its turn, how it is tilted (radians)."""

    face: str
    x: float
    y: float
    turn_deg: float
    tilt: tuple[float, float]


class Scene(Struct, frozen=True):
    """What a picture is made of; ``gloss`` is how strongly sleeves shine, 0 without them."""

    view: View
    light: Light
    table: tuple[float, float, float]
    sheet: tuple[float, float, float]
    style: Style
    gloss: float
    cards: tuple[Card, ...]
    seed: int


# The artwork


def faces(style: Style) -> dict[str, np.ndarray]:
    """A deck's cards as linear albedo, red green blue."""
    deck = Random(f"deck {style.seed}")
    plan = {
        "edge": deck.choice((0.0, 1.5, 2.5, 3.5)),
        "paper": tuple(deck.uniform(0.75, 0.9) for _ in range(3)),
        "roman": deck.random() < 0.25 and not style.twins,
        "boxed": deck.random() < 0.4,
        "high": 4.6 if style.twins else deck.uniform(5.0, 8.5),
        "slant": deck.choice((0.0, 0.0, 0.22)),
        "wide": deck.uniform(0.8, 1.25),
        "bold": deck.choice((0, 1, 2)),
        "at": (deck.uniform(3.2, 6.0), deck.uniform(2.8, 4.5)),
        "both": deck.random() < 0.6,
        "ink": deck.choice(((0.02, 0.02, 0.02), (0.35, 0.02, 0.02), (0.02, 0.04, 0.25))),
        "ground": tuple(deck.uniform(0.15, 0.75) for _ in range(3)),
        "one_ground": deck.random() < 0.3 or style.twins,
    }
    return {face: _face(style, plan, face) for face in SLOTS}


def _face(style: Style, plan: dict, face: str) -> np.ndarray:
    alike = "6" if style.twins and face == "9" else face
    own = Random(f"card {style.seed} {alike}")
    wide, high = (round(mm * PX) for mm in CARD)
    ground = plan["ground"] if plan["one_ground"] else tuple(own.uniform(0.12, 0.8) for _ in range(3))
    card = np.empty((high, wide, 3), np.float32)
    card[:] = plan["paper"]
    edge = round(plan["edge"] * PX)
    inner = card[edge : high - edge, edge : wide - edge]
    inner[:] = ground
    inner *= _paint(own.getrandbits(32), inner.shape[:2], 0.18)[..., None]
    if face == "back":
        return _back(card, own)
    _scenery(inner, own)
    index = _index(plan, "6" if style.twins and face == "9" else face, turned=style.twins and face == "9")
    ink = plan["ink"] if sum(ground) > 0.9 or plan["boxed"] else (0.85, 0.83, 0.8)
    for number in range(2 if plan["both"] else 1):
        card = np.ascontiguousarray(card[::-1, ::-1]) if number else card
        x, y = (round(mm * PX) for mm in plan["at"])
        there = card[y : y + index.shape[0], x : x + index.shape[1]]
        if plan["boxed"]:
            there[:] = plan["paper"]
        mask = index[: there.shape[0], : there.shape[1], None]
        there[:] = there * (1 - mask) + np.array(ink, np.float32) * mask
    return np.ascontiguousarray(card[::-1, ::-1]) if plan["both"] else card


def _index(plan: dict, face: str, *, turned: bool) -> np.ndarray:
    """A rank as it stands in a corner, 0 to 1."""
    text = ROMAN[face] if plan["roman"] or face == "pietra" else face
    size = round(plan["high"] * PX / 0.72)
    font = ImageFont.load_default(size)
    left, top, right, bottom = font.getbbox(text, stroke_width=plan["bold"])
    image = Image.new("L", (round(right - left) + 2, round(bottom - top) + 2))
    ImageDraw.Draw(image).text((1 - left, 1 - top), text, fill=255, font=font, stroke_width=plan["bold"])
    if turned:
        image = image.rotate(180)
    lean = plan["slant"] * image.height
    across = round(image.width * plan["wide"] + lean)
    shear = (1 / plan["wide"], plan["slant"], -lean / plan["wide"], 0, 1, 0)
    return np.asarray(image.transform((across, image.height), Image.Transform.AFFINE, shear)) / np.float32(
        255
    )


def _paint(seed: int, shape: tuple[int, int], deep: float) -> np.ndarray:
    """Uneven paint: mean 1."""
    source, found = np.random.default_rng(seed), np.ones(shape, np.float32)
    for cells in (3, 9, 40):
        coarse = source.normal(0, deep / 3, (cells, cells)).astype(np.float32)
        found += cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.clip(found, 0.4, 1.6)


def _scenery(inner: np.ndarray, own: Random) -> None:
    """Hills and a tower or two below the corner."""
    high, wide = inner.shape[:2]
    for _ in range(own.randint(2, 4)):
        colour = [own.uniform(0.05, 0.7) for _ in range(3)]
        far = own.randint(round(0.3 * high), round(0.8 * high))
        hill = [(x, far + own.gauss(0, 0.05 * high)) for x in np.linspace(0, wide, 6)]
        cv2.fillPoly(inner, [np.array([*hill, (wide, high), (0, high)], np.int32)], colour, cv2.LINE_AA)
    for _ in range(own.randint(1, 3)):
        left, thick = own.randint(0, wide * 3 // 4), own.randint(wide // 8, wide // 4)
        top, colour = own.randint(high // 4, high // 2), [own.uniform(0.1, 0.6) for _ in range(3)]
        cv2.rectangle(inner, (left, top), (left + thick, high), colour, -1)
        for y in range(top + 18, high - 20, 34):
            cv2.circle(inner, (left + thick // 2, y), 5, (0.03, 0.03, 0.04), -1, cv2.LINE_AA)


def _back(card: np.ndarray, own: Random) -> np.ndarray:
    step, colour = own.randint(18, 44), [own.uniform(0.03, 0.6) for _ in range(3)]
    kind, (high, wide) = own.choice(("rings", "squares", "waves")), card.shape[:2]
    for y in range(-step, high + step, step):
        for x in range(-step, wide + step, step):
            match kind:
                case "rings":
                    cv2.circle(card, (x, y), step // 2, colour, 3, cv2.LINE_AA)
                case "squares":
                    cv2.rectangle(card, (x, y), (x + step // 2, y + step // 2), colour, -1)
                case _:
                    cv2.ellipse(card, (x, y), (step // 2, step // 4), 0, 0, 180, colour, 4, cv2.LINE_AA)
    return card


# The picture


def picture(scene: Scene, rng: Random, look: Look) -> bytes:
    """The JPEG's bytes."""
    albedo, normal, gloss = _plane(scene)
    points, rays = _met(scene.view)
    at = ((points + BEYOND) * PX).astype(np.float32)
    x, y = at[..., 0], (FIELD[1] + 2 * BEYOND) * PX - at[..., 1]
    albedo, normal, gloss = (
        cv2.remap(plane, x, y, cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        for plane in (albedo, normal, gloss)
    )
    lit = _lit(scene, points, rays, albedo, normal, gloss)
    fault = faults(rng, look, scene.light)
    corners = np.array([marker.corners()[0] for marker in mat.markers(FIELD, FIRST, GAP)])
    bright = float(_arriving(scene.light, corners, np.array([0, 0, 1.0]))[:, 1].mean() * WHITE[1])
    return jpeg(expose(bend(scene.view, lit)[..., ::-1].copy(), bright, fault), fault)


def _plane(scene: Scene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The table from above: albedo, where surfaces lean to, how strongly they shine."""
    wide, high = (round((mm + 2 * BEYOND) * PX) for mm in FIELD)
    albedo = np.empty((high, wide, 3), np.float32)
    albedo[:] = scene.table
    off = round((BEYOND - 45) * PX)
    albedo[off:-off, off:-off] = scene.sheet
    albedo *= _paint(scene.seed, (high, wide), 0.06)[..., None]
    normal, gloss = np.zeros((high, wide, 2), np.float32), np.zeros((high, wide), np.float32)
    for marker in mat.markers(FIELD, FIRST, GAP):
        _marker(albedo, marker)
    art = faces(scene.style)
    for card in scene.cards:
        _lay(scene, card, art[card.face], albedo, normal, gloss)
    return albedo, normal, gloss


def _px(x: float, y: float) -> tuple[float, float]:
    return (x + BEYOND) * PX, (FIELD[1] + BEYOND - y) * PX


def _marker(albedo: np.ndarray, marker: mat.Marker) -> None:
    bits = cv2.aruco.generateImageMarker(mat._DICTIONARY, marker.id, 6, borderBits=1)
    side, pad = round(mat.MARKER * PX), round(mat.PAD * PX)
    shown = cv2.copyMakeBorder(cv2.resize(bits, (side, side), interpolation=cv2.INTER_NEAREST), *(pad,) * 4,
                               cv2.BORDER_CONSTANT, value=255)  # fmt: skip
    x, y = (round(px) for px in _px(marker.x, marker.y))
    half = shown.shape[0] // 2
    there = albedo[y - half : y - half + shown.shape[0], x - half : x - half + shown.shape[1]]
    there[:] = np.where(shown[..., None] > 127, np.float32(WHITE), np.float32(INK))


def _lay(
    scene: Scene, card: Card, art: np.ndarray, albedo: np.ndarray, normal: np.ndarray, gloss: np.ndarray
) -> None:
    high, wide = art.shape[:2]
    turn = cv2.getRotationMatrix2D((wide / 2, high / 2), card.turn_deg, 1.0)
    x, y = _px(card.x, card.y)
    reach = round(0.6 * (high + wide))
    left, top = round(x) - reach, round(y) - reach
    turn[:, 2] += (x - left - wide / 2, y - top - high / 2)
    there = slice(top, top + 2 * reach), slice(left, left + 2 * reach)
    size = (2 * reach, 2 * reach)
    over = cv2.warpAffine(art, turn, size, flags=cv2.INTER_CUBIC)
    mask = cv2.warpAffine(np.ones((high, wide), np.float32), turn, size)
    lamp = np.array(scene.light.lamps[0].position[:2]) - (card.x, card.y)
    lamp *= 0.7 / max(float(np.linalg.norm(lamp)), 1.0)
    away = np.array([[1, 0, -lamp[0] * PX], [0, 1, lamp[1] * PX]])
    shade = cv2.GaussianBlur(cv2.warpAffine(mask, away, size), (0, 0), 0.8 * PX)
    under = albedo[there] * (1 - 0.45 * shade[..., None])
    albedo[there] = under * (1 - mask[..., None]) + np.maximum(over, 0) * mask[..., None]
    if scene.gloss:
        grown = round(SLEEVE * PX)
        sleeve = cv2.dilate(mask, np.ones((2 * grown + 1, 2 * grown + 1)))
        # Plastic does not lie flat: it bulges a little along the card.
        rows, columns = np.mgrid[-1 : 1 : 2j * reach, -1 : 1 : 2j * reach].astype(np.float32)
        lean = np.stack([card.tilt[0] + 0.02 * columns, card.tilt[1] - 0.03 * rows], axis=-1)
        covered = sleeve[..., None] > 0.5
        normal[there] = np.where(covered, lean, normal[there])
        gloss[there] = np.where(covered[..., 0], scene.gloss, gloss[there])


def _met(view: View) -> tuple[np.ndarray, np.ndarray]:
    """For each px of the pinhole's picture where its ray meets the table, (rows, columns, 2), and the ray."""
    width, height = pinhole_size()
    across, along = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
    axes = np.array([view.right, view.down, view.ahead])
    rays = np.stack([across / view.focal, along / view.focal, np.ones_like(across)], axis=-1) @ axes
    far = -view.position[2] / rays[..., 2]
    points = np.array(view.position[:2]) + rays[..., :2] * far[..., None]
    return points, rays / np.linalg.norm(rays, axis=-1, keepdims=True)


def _arriving(lights: Light, points: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """The light that arrives at points (…, 3)."""
    found = np.zeros((*points.shape[:-1], 3)) + lights.sky
    middle = np.array([FIELD[0] / 2, FIELD[1] / 2, 0.0])
    for lamp in lights.lamps:
        way = np.array(lamp.position) - points
        far = np.linalg.norm(way, axis=-1, keepdims=True)
        usual = float(np.linalg.norm(np.array(lamp.position) - middle))
        falls = np.clip((way * normal).sum(-1, keepdims=True) / far, 0, 1)
        found = found + np.array(lamp.colour) * falls * 2 / (1 + (far / usual) ** 2)
    return found


def _lit(
    scene: Scene,
    points: np.ndarray,
    rays: np.ndarray,
    albedo: np.ndarray,
    normal: np.ndarray,
    gloss: np.ndarray,
) -> np.ndarray:
    """The light that each px sends to the camera, linear red green blue."""
    places = np.concatenate([points, np.zeros((*points.shape[:-1], 1))], axis=-1)
    up = np.concatenate([normal, np.ones((*normal.shape[:-1], 1), np.float32)], axis=-1)
    up /= np.linalg.norm(up, axis=-1, keepdims=True)
    found = albedo * _arriving(scene.light, places, up)
    if not scene.gloss:
        return found.astype(np.float32)
    mirrored = rays - 2 * (rays * up).sum(-1, keepdims=True) * up
    for lamp in scene.light.lamps:
        way = np.array(lamp.position) - places
        far = np.linalg.norm(way, axis=-1)
        apart = np.arccos(np.clip((mirrored * way).sum(-1) / far, -1, 1))
        reach = np.arctan(lamp.radius / far) + 0.05
        shine = gloss * np.exp(-((apart / reach) ** 2))
        found += shine[..., None] * np.array(lamp.colour)
    return (found + gloss[..., None] * 0.04 * np.array(scene.light.sky)).astype(np.float32)


# What lies there


def enrolled(rng: Random) -> tuple[Card, ...]:
    """The cards that teach a deck, in their slots."""
    return tuple(
        _card(
            rng, face, 12 + 72 * (at % 4) + CARD[0] / 2 + rng.uniform(-3, 3),
            FIELD[1] - 14 - 106 * (at // 4) - CARD[1] / 2 + rng.uniform(-3, 3), rng.uniform(-2, 2),
        )
        for at, face in enumerate(SLOTS)
    )  # fmt: skip


def _card(rng: Random, face: str, x: float, y: float, turn_deg: float) -> Card:
    return Card(face, x, y, turn_deg, (rng.gauss(0, 0.015), rng.gauss(0, 0.02)))


def towers(rng: Random) -> list[dict]:
    """Columns as a truth has them, of cards that there can be."""
    left = {str(rank): rank for rank in range(5, 11)} | {"pietra": 2}
    found: list[dict] = []
    while len(found) < rng.choice((3, 4, 4)):
        kind = rng.choice(("plain", "plain", "colourful", "complete"))
        number = rng.randint(3, 6)
        if kind == "complete":
            found.append({"kind": kind, "storeys": number})
            continue
        low = rng.randint(5, 11 - number) if kind == "colourful" else rng.randint(5, 10)
        storeys = [str(low + at) for at in range(number)] if kind == "colourful" else [str(low)] * number
        if rng.random() < 0.25:
            storeys[rng.randrange(number)] = "pietra"
        if any(storeys.count(name) > left[name] for name in set(storeys)):
            continue
        for name in storeys:
            left[name] -= 1
        found.append({"kind": kind, "storeys": storeys})
    return found


def laid(rng: Random, columns: list[dict]) -> tuple[Card, ...]:
    """The cards of columns, fanned southwards from the far end."""
    found = []
    room = FIELD[0] / len(columns)
    for at, column in enumerate(columns):
        storeys = column["storeys"]
        names = ["back"] * storeys if isinstance(storeys, int) else storeys
        x = room * (at + 0.5) + rng.uniform(-1, 1) * max(0.0, (room - CARD[0] - 9) / 2)
        apart = min(rng.uniform(13.0, 18.0), (FIELD[1] - CARD[1] - 24) / max(len(names) - 1, 1))
        y = FIELD[1] - rng.uniform(8, 16) - CARD[1] / 2
        turn = rng.uniform(-2.5, 2.5)
        for number, name in enumerate(names):
            along = number * apart + rng.uniform(-1.2, 1.2) * (number > 0)
            found.append(
                _card(rng, name, x + along * math.tan(math.radians(turn)) + rng.uniform(-1.2, 1.2),
                      y - along, turn + rng.uniform(-1.5, 1.5))
            )  # fmt: skip
    return tuple(found)


def pair(number: int, look: Look, *, twins: bool = False) -> list[tuple[str, bytes, dict]]:
    """The two pictures of a deck: by the end of its name the JPEG's bytes and the truth."""
    kind = "twins" if twins else "cards"
    rng = Random(f"{kind} {look.name} {number}")
    style = Style(rng.getrandbits(32), twins)
    table, sheet = (tinted(rng, colour, look.hue, look.shade) for colour in (rng.choice(TABLES), MAT))
    sheet = tinted(rng, rng.choice((*TABLES, MAT)), look.hue, look.shade) if rng.random() < 0.6 else sheet
    gloss = rng.uniform(0.05, 0.6) if rng.random() < 0.5 else 0.0
    lamps = light(rng, look, FIELD)
    view = around(rng, FIELD, 12, rng.uniform(8, 24), rng.uniform(-18, 18), rng.uniform(400, 440))
    columns = towers(rng)
    about = {
        "game": "san_gimignano", "field_mm": list(FIELD), "first_marker": FIRST, "marker_gap_mm": GAP,
        "card_mm": list(CARD), "camera": view.truth(), "light": {"warm": lamps.warm},
        "scene": {"gloss": round(gloss, 2), "twins": twins},
    }  # fmt: skip
    name = f"{kind}_{look.name}_{number:03d}"
    made = []
    for end, cards, truth in (
        ("enrol", enrolled(rng), {"slots": list(SLOTS)}),
        ("play", laid(rng, columns), {"columns": columns, "enrolment": f"{name}_enrol.jpg"}),
    ):
        scene = Scene(view, lamps, table, sheet, style, gloss, cards, rng.getrandbits(32))
        made.append((f"{name}_{end}", picture(scene, rng, look), {**about, **truth}))
    return made


def main() -> None:
    """The command."""
    ask = argparse.ArgumentParser(description="Make pictures of cards with their truth.")
    ask.add_argument("--look", choices=LOOKS, default="tune")
    ask.add_argument("--decks", type=int, default=10)
    ask.add_argument("--first", type=int, default=0, help="the first number")
    ask.add_argument("--twins", action="store_true", help="6 and 9 alike but for a small index")
    ask.add_argument("--out", type=Path, required=True)
    asked = ask.parse_args()
    cv2.setNumThreads(1)
    asked.out.mkdir(parents=True, exist_ok=True)
    for number in range(asked.first, asked.first + asked.decks):
        for name, data, truth in pair(number, LOOKS[asked.look], twins=asked.twins):
            write(asked.out / f"{name}.jpg", data)
            write(asked.out / f"{name}.json", json.dumps({**truth, "picture": f"{name}.jpg"}).encode())


if __name__ == "__main__":
    main()
