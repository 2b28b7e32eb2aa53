"""Painted pictures of cards in front of a seat, for the simulated camera and for tests.

A deck's artwork is invented from a number: an index in the corner, an emblem, a tower with windows. Lamps,
shadows, sleeves and noise are painted, but only plausible: the quality of a reader is measured on other
pictures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats, Picture
from vision.painter import AROUND_MM, PX_MM, TABLE, Colour, Light, PaintedView, canvas_of, photograph

FACES: Final = ("5", "6", "7", "8", "9", "10", "pietra", "back")
"""The faces of cards: a rank, the Buona Pietra, the back."""
SLOT_MM: Final = (72.0, 106.0)
"""The distances of the single cards that teach a deck, and the place of the first one."""
FIRST_MM: Final = (12.0, 14.0)
ROUND_MM, EDGE_MM = 3.0, 2.0
"""The radius of a card's corners, and the width of its border."""
SHADOW_MM: Final = 1.5


class FannedColumn(msgspec.Struct, frozen=True):
    """A column fanned northwards: ``storeys`` are :data:`FACES` from the far end, each on the one before and
    ``apart_mm`` nearer, all upside down if ``over``. The first card's north-west corner lies ``east_mm`` and
    ``south_mm`` from the field's.
    """

    storeys: tuple[str, ...]
    east_mm: float
    south_mm: float
    turned_deg: float = 0.0
    apart_mm: float = 15.5
    over: bool = False


class CardsScene(msgspec.Struct, frozen=True):
    """A deck's ``artwork`` by its number, the ``seed`` of its cards' places, the light on them, and the shine
    of their ``sleeve``, 0 to 1.
    """

    artwork: int = 0
    seed: int = 0
    light: Light = Light()
    sleeve: float = 0.0
    table: Colour = TABLE
    card_mm: tuple[float, float] = (57.0, 87.0)


def painted(view: PaintedView, columns: Sequence[FannedColumn], scene: CardsScene) -> Picture:
    """Return the picture of columns in front of a seat."""
    canvas = _table(view, scene)
    rng = np.random.default_rng(scene.seed)
    for column in columns:
        east, south = column.east_mm, column.south_mm
        for face in column.storeys:
            beside, crooked = rng.uniform(-1.2, 1.2), rng.uniform(-1.5, 1.5)
            card = _card(face, scene.artwork)
            card = np.ascontiguousarray(card[::-1, ::-1]) if column.over else card
            _lay(canvas, card, (east + beside, south), column.turned_deg + crooked, scene, rng)
            south += column.apart_mm + rng.uniform(-1.5, 1.5)
    return photograph(canvas, view, scene.light)


def slots(view: PaintedView, names: Sequence[str], scene: CardsScene) -> Picture:
    """Return the picture of single cards in rows of four, row by row from the north-west."""
    canvas = _table(view, scene)
    rng = np.random.default_rng(scene.seed + 1)
    for number, face in enumerate(names):
        row, column = divmod(number, 4)
        east, south = (FIRST_MM[axis] + SLOT_MM[axis] * at for axis, at in enumerate((column, row)))
        place = (east + rng.uniform(-1.5, 1.5), south + rng.uniform(-1.5, 1.5))
        _lay(canvas, _card(face, scene.artwork), place, rng.uniform(-1.5, 1.5), scene, rng)
    return photograph(canvas, view, scene.light)


def _table(view: PaintedView, scene: CardsScene) -> Picture:
    """Return the bare table from above."""
    return _grained(*canvas_of(view), scene.table, scene.seed).copy()


@lru_cache(maxsize=1)
def _grained(wide: int, high: int, table: Colour, seed: int) -> Picture:
    grain = np.random.default_rng(seed).normal(0, 4, (high // 8 + 1, wide // 8 + 1, 1))
    texture = cv2.resize(grain, (wide, high), interpolation=cv2.INTER_LINEAR)[..., None]
    return np.asarray(np.clip(np.array(table) + texture, 0, 255), dtype=np.uint8)


def _lay(
    canvas: Picture,
    card: Picture,
    place_mm: tuple[float, float],
    turned_deg: float,
    scene: CardsScene,
    rng: np.random.Generator,
) -> None:
    """Lay a card with its north-west corner at a place, its shadow around it and its sleeve over it."""
    mask = _outline()
    scale = scene.card_mm[0] / 57.0
    turn = np.array(cv2.getRotationMatrix2D((0.0, 0.0), -turned_deg, scale), dtype=np.float64)
    turn[:, 2] += (np.array(place_mm) + AROUND_MM) * PX_MM
    size = (canvas.shape[1], canvas.shape[0])
    there = cv2.warpAffine(mask, turn, size, flags=cv2.INTER_AREA)
    rows, columns = (np.flatnonzero(there.max(axis=axis)) for axis in (1, 0))
    if not len(rows) or not len(columns):
        return
    reach = round(3 * SHADOW_MM * PX_MM)
    at = (
        slice(max(rows[0] - reach, 0), rows[-1] + reach),
        slice(max(columns[0] - reach, 0), columns[-1] + reach),
    )
    alpha = there[at].astype(np.float32)[..., None] / 255
    shade = cv2.GaussianBlur(there[at], (0, 0), SHADOW_MM * PX_MM).astype(np.float32)[..., None] / 255
    paper = cv2.warpAffine(card, turn, size, flags=cv2.INTER_LINEAR)[at].astype(np.float32)
    if scene.sleeve:
        paper += _sheen(paper.shape, rng) * scene.sleeve
    under = canvas[at] * (1 - 0.35 * shade)
    canvas[at] = np.clip(under * (1 - alpha) + paper * alpha, 0, 255).astype(np.uint8)


def _sheen(shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Return the light that a sleeve adds: a band across it."""
    rows, columns = np.mgrid[: shape[0], : shape[1]] / PX_MM
    angle, middle, width = rng.uniform(0, math.pi), rng.uniform(10, 80), rng.uniform(3, 10)
    along = columns * math.cos(angle) + rows * math.sin(angle)
    return np.asarray(120 * np.exp(-(((along - middle) / width) ** 2))[..., None], dtype=np.float64)


# The artwork


@lru_cache(maxsize=1)
def _outline() -> NDArray[np.uint8]:
    """Return the mask of a card, 0 to 255."""
    wide, high, round_px = (round(mm * PX_MM) for mm in (57.0, 87.0, ROUND_MM))
    mask = np.zeros((high, wide), np.uint8)
    cv2.rectangle(mask, (round_px, 0), (wide - round_px - 1, high - 1), 255, -1)
    cv2.rectangle(mask, (0, round_px), (wide - 1, high - round_px - 1), 255, -1)
    for x in (round_px, wide - round_px - 1):
        for y in (round_px, high - round_px - 1):
            cv2.circle(mask, (x, y), round_px, 255, -1, cv2.LINE_AA)
    return mask


@lru_cache(maxsize=64)
def _card(face: str, artwork: int) -> Picture:
    """Return a card as printed."""
    rng = np.random.default_rng([artwork, FACES.index(face)])
    deck = np.random.default_rng(artwork)
    wide, high, edge = (round(mm * PX_MM) for mm in (57.0, 87.0, EDGE_MM))
    border = int(deck.integers(200, 250))
    card = np.full((high, wide, 3), border, np.uint8)
    ground = _colour(deck if face == "back" else rng, 90, 200)
    cv2.rectangle(card, (edge, edge), (wide - edge, high - edge), ground, -1)
    if face == "back":
        _pattern(card, deck, edge)
        return card
    size = deck.uniform(6.5, 9.0) * PX_MM
    ink = (20, 20, 30) if sum(ground) > 330 else (240, 240, 235)
    _index(card, face, size, ink, deck)
    _emblem(card, rng, (18.0 + (face == "10") * 2, 7.0), ink)
    _tower(card, rng, face)
    return card


def _colour(rng: np.random.Generator, low: int, high: int) -> Colour:
    blue, green, red = (int(part) for part in rng.integers(low, high, 3))
    return blue, green, red


def _index(card: Picture, face: str, size_px: float, ink: Colour, deck: np.random.Generator) -> None:
    """Write the rank, or for a Buona Pietra a block of stone, in the upper left corner."""
    left, top = round(4 * PX_MM), round(3.5 * PX_MM)
    if face == "pietra":
        corners = (left, top), (left + round(size_px), top + round(size_px * 0.8))
        cv2.rectangle(card, *corners, (150, 160, 165), -1)
        cv2.rectangle(card, *corners, ink, 3)
        cv2.line(
            card, (left, top + round(size_px * 0.4)), (corners[1][0], top + round(size_px * 0.4)), ink, 2
        )
        return
    fonts = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SIMPLEX)
    font = fonts[int(deck.integers(len(fonts)))]
    thick = max(2, round(size_px / 9))
    scale = cv2.getFontScaleFromHeight(font, round(size_px), thick)
    cv2.putText(card, face, (left, top + round(size_px)), font, scale, ink, thick, cv2.LINE_AA)


def _emblem(card: Picture, rng: np.random.Generator, middle_mm: tuple[float, float], ink: Colour) -> None:
    """Paint a star of the card's own number of points beside the index."""
    points, reach = int(rng.integers(3, 9)), 2.6 * PX_MM
    angles = np.arange(2 * points) * math.pi / points + rng.uniform(0, math.pi)
    far = np.where(np.arange(2 * points) % 2, rng.uniform(0.4, 0.8), 1.0) * reach
    star = np.column_stack([np.cos(angles) * far, np.sin(angles) * far]) + np.array(middle_mm) * PX_MM
    cv2.fillPoly(card, [star.round().astype(np.int32)], _colour(rng, 30, 230), cv2.LINE_AA)
    cv2.polylines(card, [star.round().astype(np.int32)], True, ink, 1, cv2.LINE_AA)


def _tower(card: Picture, rng: np.random.Generator, face: str) -> None:
    """Paint a tower with windows below the corner."""
    left, right, top = (round(mm * PX_MM) for mm in (15.0, 42.0, rng.uniform(18.0, 30.0)))
    stone = _colour(rng, 120, 220)
    cv2.rectangle(card, (left, top), (right, card.shape[0] - round(6 * PX_MM)), stone, -1)
    rows = 4 if face == "pietra" else int(face) - 2
    for row in range(rows):
        y = top + round((4 + 7 * row) * PX_MM)
        for x in np.linspace(left, right, 5)[1:-1]:
            cv2.ellipse(card, (round(x), y), (8, 13), 0, 0, 360, (40, 45, 60), -1, cv2.LINE_AA)


def _pattern(card: Picture, deck: np.random.Generator, edge: int) -> None:
    """Paint a back's lozenges."""
    step, ink = round(deck.uniform(5.0, 8.0) * PX_MM), _colour(deck, 20, 110)
    for at in range(-card.shape[0], card.shape[1] + card.shape[0], step):
        cv2.line(card, (at, edge), (at + card.shape[0], card.shape[0]), ink, 5, cv2.LINE_AA)
        cv2.line(card, (at, edge), (at - card.shape[0], card.shape[0]), ink, 5, cv2.LINE_AA)
    cv2.rectangle(card, (edge * 2, edge * 2), (card.shape[1] - edge * 2, card.shape[0] - edge * 2), ink, 3)
