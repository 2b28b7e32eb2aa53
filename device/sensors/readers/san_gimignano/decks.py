"""What the cards of a copy look like, as one camera sees them: one small file for each camera.

They are written by `podesta camera enrol san_gimignano`, under the state directory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from device.config import CameraSettings
from device.sensors import lenses
from device.sensors.readers import ENROLMENTS, FIELDS, seeing
from device.sensors.readers.san_gimignano.towers import STONE
from device.sensors.readers.shelf import Shelf, TeachingSeen
from device.texts import Texts
from engines.san_gimignano.cards import RANK_NAMES
from vision import sheets
from vision.cards.deck import BACK, Deck, NotTaught, bare, flaws, known, taught
from vision.cards.flat import Heap, flatten, heaps, single
from vision.field import Field, find
from vision.lens import Lens, Picture

SLOTS: Final = (*RANK_NAMES, BACK, STONE)
"""What lies on the sheet or a seat's field when a deck is taught: two rows of four from the north-west."""
LEAST_PX_MM: Final = 1.5
"""A field seen with fewer px a mm shows too little of its cards."""
AREAS: Final = ("area1", "area2")
"""The fields before the seats."""


class DeckError(lenses.LearntError):
    """No deck was taught, or what was is broken."""


class Taught(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A copy's deck: by which ``camera`` (its source in the settings), on a field of which size, the day it
    was ``made``, the corners of its cards as PNG files, ``turned`` those seen upside down, and how it was
    ``taken``.
    """

    camera: str
    area_mm: tuple[float, float]
    card_mm: tuple[float, float]
    corners: dict[str, bytes]
    turned: dict[str, bytes]
    made: str
    taken: TeachingSeen | None = None

    @property
    def sizes(self) -> dict[str, tuple[float, float]]:
        """The sizes that were told, by name."""
        return {"area": self.area_mm, "card": self.card_mm}

    @property
    def deck(self) -> Deck:
        """The deck; raises ValueError where a corner is missing or no picture."""
        if missing := set(SLOTS).difference(self.corners.keys() & self.turned.keys()):
            raise ValueError(f"corners: {', '.join(sorted(missing))} missing")
        upright, turned = (
            {name: seeing.decoded(f"corners: {name}", data) for name, data in some.items()}
            for some in (self.corners, self.turned)
        )
        return Deck(self.card_mm, upright, turned)

    def showing(self, deck: Deck) -> Taught:
        """Return this with the corners of ``deck``."""
        upright, turned = (
            {name: seeing.coded(corner, ".png") for name, corner in some.items()}
            for some in (deck.corners, deck.turned)
        )
        return replace(self, corners=upright, turned=turned)


SHELF: Final = Shelf(
    ENROLMENTS["san_gimignano"].folder, Taught, DeckError, "cards.unreadable", lambda taught: taught.deck
)
path, save = SHELF.path, SHELF.save


def load(state_dir: Path, camera: CameraSettings) -> Taught:
    """Return what was taught with a camera; raises :class:`DeckError`."""
    found = SHELF.load(state_dir, camera)
    if found is None:
        raise DeckError("cards.unknown")
    return found


def field_of(name: str, area_mm: tuple[float, float]) -> Field:
    """Return the field before a seat."""
    first, gap = FIELDS[name]
    return Field(*area_mm, first, gap)


def sheet(words: sheets.SheetWords, paper: sheets.Paper) -> sheets.DrawnSheet:
    """The sheet to print."""
    return sheets.cards(SLOTS, words, paper)


def enrol_copy(
    state_dir: Path,
    camera: CameraSettings,
    lens: Lens,
    pictures: Iterable[tuple[str, Picture]],
    sizes: Mapping[str, tuple[float, float]],
    made: str,
) -> tuple[Path, str, str]:
    """Keep the deck that the first picture shows in which all of it lies; return the file, what was learnt,
    and nothing that is missing. One card of a known deck will do where the light is another: if it is read,
    so are the others.

    ``sizes`` has the ``area``'s and the ``card``'s. Raises :class:`DeckError` where no picture shows it,
    ValueError for impossible sizes.
    """
    area, card = sizes["area"], sizes["card"]
    for name, (wide, high) in sizes.items():
        if not (20 <= wide <= 1000 and 20 <= high <= 1000):
            raise ValueError(f"{name}: {wide:g} by {high:g} mm")
    before = SHELF.before(state_dir, camera)
    wrong = DeckError("cards.no_field")
    for _, picture in pictures:
        try:
            laid = LaidOut.of(picture, lens, area, card)
            if before and len(laid.cards) == 1:
                name = known(before.deck, laid.cards[0])
                found = replace(before, taken=laid.taken, made=made)
                return save(state_dir, camera, found), Texts.load()("cards.again", card=name), ""
            empty = Taught(camera.source, area, card, {}, {}, made, laid.taken)
            return save(state_dir, camera, empty.showing(laid.deck)), f"{len(SLOTS)} cards", ""
        except DeckError as error:
            wrong = error
        except NotTaught:
            wrong = DeckError("cards.anew")
    raise wrong


def teach(picture: Picture, lens: Lens, area_mm: tuple[float, float], card_mm: tuple[float, float]) -> Deck:
    """Return the deck that lies on the printed sheet, or on a seat's field as :data:`SLOTS` says.

    Raises :class:`DeckError` where neither is seen, not every card lies there alone and whole, or one cannot
    be seen well.
    """
    return LaidOut.of(picture, lens, area_mm, card_mm).deck


class LaidOut(msgspec.Struct, frozen=True, eq=False):
    """Cards laid out to be learnt: what is in each slot of the printed sheet if ``slotted``, else the heaps
    on a field.
    """

    card_mm: tuple[float, float]
    heaps: list[Heap]
    slotted: bool
    taken: TeachingSeen

    @classmethod
    def of(
        cls, picture: Picture, lens: Lens, area_mm: tuple[float, float], card_mm: tuple[float, float]
    ) -> LaidOut:
        """Return what a picture shows; raises :class:`DeckError` where no field is seen well enough."""
        fields = (sheets.CARDS, *(field_of(name, area_mm) for name in AREAS))
        sights = ((field, find(picture, lens, field)) for field in fields)
        for field, sight in sights:
            if sight.pose is None:
                continue
            slotted = field is sheets.CARDS
            # The sheet's slots reach farther north and south than its markers.
            over = (sheets.CARD_ROWS * sheets.CARD_MM[1] - field.height_mm) / 2 if slotted else 0.0
            if wrong := seeing.too_far(lens, sight.pose, field, over, LEAST_PX_MM):
                raise DeckError(f"cards.{wrong[0]}", **wrong[1])
            if slotted:
                slots = ((x, y) for x, y in sheets.card_slots().tolist())
                found = [single(picture, lens, sight.pose, slot, card_mm) for slot in slots]
            else:
                found = heaps(flatten(picture, lens, sight.pose, field))
            return cls(card_mm, found, slotted, TeachingSeen.of(lens, picture, sight))
        raise DeckError("cards.no_field")

    @property
    def cards(self) -> list[Heap]:
        """All that lies there, without empty slots."""
        return [heap for heap in self.heaps if not (self.slotted and bare(heap, self.card_mm))]

    @property
    def deck(self) -> Deck:
        """The deck, if all of it lies there and is seen well; raises :class:`DeckError`."""
        try:
            deck = taught(self.heaps, SLOTS, self.card_mm)
        except NotTaught as error:
            raise DeckError("cards.not_taught", why=str(error)) from error
        for flaw, cards in flaws(deck):
            raise DeckError(f"cards.{flaw}", cards=", ".join(cards))
        return deck
