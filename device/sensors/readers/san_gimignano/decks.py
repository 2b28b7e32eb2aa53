"""What the cards of a copy look like, as one camera sees them: one small file for each camera.

They are written by `podesta camera enrol san_gimignano`, under the state directory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np

from device.config import Camera
from device.sensors import lenses
from device.sensors.readers import FIELDS, seeing
from device.sensors.readers.san_gimignano.towers import STONE
from engines.san_gimignano.cards import RANK_NAMES
from vision import sheets
from vision.cards.deck import BACK, Deck, NotTaught, flaws, taught
from vision.cards.flat import flatten, heaps, single
from vision.field import Field, Pose, find
from vision.lens import Lens, Picture

FOLDER: Final = "decks"
"""Where they are, under the state directory."""
SLOTS: Final = (*RANK_NAMES, BACK, STONE)
"""What lies on the sheet or a seat's field when a deck is taught: two rows of four from the north-west."""
LEAST_PX_MM: Final = 1.5
"""A field seen with fewer px a mm shows too little of its cards."""
AREAS: Final = ("area1", "area2")
"""The fields before the seats."""


class DeckError(lenses.TextError):
    """No deck was taught, or what was is broken."""


class Taught(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A copy's deck: by which ``camera`` (its source in the settings), on a field of which size, the day it
    was ``made``, and the corners of its cards as PNG files, ``turned`` those seen upside down.
    """

    camera: str
    area_mm: tuple[float, float]
    card_mm: tuple[float, float]
    corners: dict[str, bytes]
    turned: dict[str, bytes]
    made: str

    @property
    def deck(self) -> Deck:
        """The deck; raises ValueError where a corner is no picture."""
        upright, turned = (
            {name: _picture(name, data) for name, data in some.items()}
            for some in (self.corners, self.turned)
        )
        return Deck(self.card_mm, upright, turned)


def _picture(name: str, data: bytes) -> Picture:
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if found is None:
        raise ValueError(f"corners: {name} is no picture")
    return np.asarray(found, dtype=np.uint8)


def path(state_dir: Path, camera: Camera) -> Path:
    """Return the file that belongs to a camera; its name is that of the lens's calibration."""
    return state_dir / FOLDER / lenses.path(state_dir, camera).name


def save(state_dir: Path, camera: Camera, found: Taught) -> Path:
    """Keep a deck in place of what was known; return its file. Raises OSError."""
    return lenses.put(path(state_dir, camera), found)


def load(state_dir: Path, camera: Camera) -> tuple[Deck, tuple[float, float]]:
    """Return the deck taught with a camera and its field's size in mm; raises :class:`DeckError`."""
    file = path(state_dir, camera)
    found = lenses.get(file, Taught, DeckError, "cards.unreadable")
    if found is None:
        raise DeckError("cards.unknown")
    missing = set(SLOTS).difference(found.corners.keys() & found.turned.keys())
    try:
        if missing:
            raise ValueError(f"corners: {', '.join(sorted(missing))} missing")
        return found.deck, found.area_mm
    except ValueError as error:
        raise DeckError("cards.unreadable", file=file.name, why=str(error)) from error


def field_of(name: str, area_mm: tuple[float, float]) -> Field:
    """Return the field before a seat."""
    first, gap = FIELDS[name]
    return Field(*area_mm, first, gap)


def sheet(words: sheets.Words, paper: sheets.Paper) -> sheets.Sheet:
    """The sheet to print."""
    return sheets.cards(SLOTS, words, paper)


def enrol_copy(
    state_dir: Path,
    camera: Camera,
    lens: Lens,
    pictures: Iterable[tuple[str, Picture]],
    sizes: Mapping[str, tuple[float, float]],
    made: str,
) -> tuple[Path, str, str]:
    """Keep the deck that the first picture shows in which all of it lies; return the file, what was learnt,
    and nothing that is missing.

    ``sizes`` has the ``area``'s and the ``card``'s. Raises :class:`DeckError` where no picture shows it,
    ValueError for impossible sizes.
    """
    area, card = sizes["area"], sizes["card"]
    for name, (wide, high) in sizes.items():
        if not (20 <= wide <= 1000 and 20 <= high <= 1000):
            raise ValueError(f"{name}: {wide:g} by {high:g} mm")
    wrong = DeckError("cards.no_field")
    for _, picture in pictures:
        try:
            deck = teach(picture, lens, area, card)
        except DeckError as error:
            wrong = error
            continue
        upright, turned = (
            {name: seeing.coded(corner, ".png") for name, corner in some.items()}
            for some in (deck.corners, deck.turned)
        )
        file = save(state_dir, camera, Taught(camera.source, area, card, upright, turned, made))
        return file, f"{len(upright)} cards", ""
    raise wrong


def teach(picture: Picture, lens: Lens, area_mm: tuple[float, float], card_mm: tuple[float, float]) -> Deck:
    """Return the deck that lies on the printed sheet, or on a seat's field as :data:`SLOTS` says.

    Raises :class:`DeckError` where neither is seen, not every card lies there alone and whole, or one cannot
    be seen well.
    """
    fields = (sheets.CARDS, *(field_of(name, area_mm) for name in AREAS))
    sights = ((field, find(picture, lens, field).pose) for field in fields)
    field, pose = next(((field, pose) for field, pose in sights if pose is not None), (None, None))
    if field is None or pose is None:
        raise DeckError("cards.no_field")
    # The sheet's slots reach farther north and south than its markers.
    over = (sheets.CARD_ROWS * sheets.CARD_MM[1] - field.height_mm) / 2 if field is sheets.CARDS else 0.0
    _near_enough(lens, pose, field, over)
    if field is sheets.CARDS:
        slots = [(x, y) for x, y in sheets.card_slots().tolist()]
        deck = taught([single(picture, lens, pose, slot, card_mm) for slot in slots], SLOTS, card_mm)
    else:
        deck = deck_of(picture, lens, field, card_mm)
    for flaw, cards in flaws(deck):
        raise DeckError(f"cards.{flaw}", cards=", ".join(cards))
    return deck


def _near_enough(lens: Lens, pose: Pose, field: Field, over_mm: float) -> None:
    """Raise :class:`DeckError` where a field is too small in the picture, or not all of it is seen, with so
    many mm ``over`` its north and south edges.
    """
    east, north = field.width_mm, field.height_mm + 2 * over_mm
    corners = np.array([[x, y - over_mm, 0.0] for x, y in ((0, 0), (east, 0), (east, north), (0, north))])
    seen = pose.project(lens, corners)
    if ((seen < 0) | (seen >= lens.size)).any():
        raise DeckError("cards.clipped")
    sides = np.linalg.norm(seen - np.roll(seen, 1, axis=0), axis=1) / (north, east, north, east)
    if sides.min() < LEAST_PX_MM:
        raise DeckError("cards.small", px=f"{sides.min():.1f}", least=f"{LEAST_PX_MM:.1f}")


def deck_of(picture: Picture, lens: Lens, field: Field, card_mm: tuple[float, float]) -> Deck:
    """Return the deck that lies on a field as :data:`SLOTS` says; raises :class:`DeckError`."""
    pose = find(picture, lens, field).pose
    if pose is None:
        raise DeckError("cards.no_field")
    try:
        return taught(heaps(flatten(picture, lens, pose, field)), SLOTS, card_mm)
    except NotTaught as error:
        raise DeckError("cards.not_taught", why=str(error)) from error
