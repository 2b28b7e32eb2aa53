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
from vision.cards.deck import BACK, Deck, NotTaught, taught
from vision.cards.flat import flatten, heaps
from vision.field import Field, find
from vision.lens import Lens, Picture

FOLDER: Final = "decks"
"""Where they are, under the state directory."""
SLOTS: Final = (*RANK_NAMES, BACK, STONE)
"""What lies on a seat's field when a deck is taught, in two rows of four, row by row from the north-west."""
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
    """Return the deck that lies on a seat's field as :data:`SLOTS` says.

    Raises :class:`DeckError` where no such field is seen, or not every card lies there alone and whole.
    """
    fields = [field_of(name, area_mm) for name in AREAS]
    field = next((field for field in fields if find(picture, lens, field).pose is not None), None)
    if field is None:
        raise DeckError("cards.no_field")
    return deck_of(picture, lens, field, card_mm)


def deck_of(picture: Picture, lens: Lens, field: Field, card_mm: tuple[float, float]) -> Deck:
    """Return the deck that lies on a field as :data:`SLOTS` says; raises :class:`DeckError`."""
    pose = find(picture, lens, field).pose
    if pose is None:
        raise DeckError("cards.no_field")
    try:
        return taught(heaps(flatten(picture, lens, pose, field)), SLOTS, card_mm)
    except NotTaught as error:
        raise DeckError("cards.not_taught", why=str(error)) from error
