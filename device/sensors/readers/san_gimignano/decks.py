"""What the cards of a copy look like, as one camera sees them: one small file for each camera.

They are written by `podesta camera enrol san_gimignano`, under the state directory.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from device.config import CameraSettings
from device.sensors import lenses
from device.sensors.readers import ENROLMENTS, FIELDS, seeing
from device.sensors.readers.san_gimignano.towers import STONE
from device.sensors.readers.shelf import Pictures, Shelf, TeachingSeen, coded, decoded, first_shown
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
        return Deck(self.card_mm, decoded("corners", self.corners), decoded("corners", self.turned))


FOLDER: Final = ENROLMENTS["san_gimignano"].folder
SHELF: Final = Shelf(FOLDER, Taught, DeckError, "cards.unreadable", lambda taught: taught.deck)


def field_of(name: str, area_mm: tuple[float, float]) -> Field:
    """Return the field before a seat."""
    return Field(*area_mm, *FIELDS[name])


def sheet(words: sheets.SheetWords, paper: sheets.Paper) -> sheets.DrawnSheet:
    """The sheet to print."""
    return sheets.cards(SLOTS, words, paper)


def enrol_copy(
    state_dir: Path,
    camera: CameraSettings,
    lens: Lens,
    pictures: Pictures,
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

    def learnt(picture: Picture) -> tuple[Taught, str]:
        laid = LaidOut.of(picture, lens, area, card)
        if before and len(laid.cards) == 1:
            try:
                name = known(before.deck, laid.cards[0])
            except NotTaught:
                raise DeckError("cards.anew") from None
            return replace(before, taken=laid.taken, made=made), Texts.load()("cards.again", card=name)
        deck = laid.deck
        upright, turned = (coded(some, str) for some in (deck.corners, deck.turned))
        return Taught(camera.source, area, card, upright, turned, made, laid.taken), f"{len(SLOTS)} cards"

    found, what = first_shown(pictures, learnt, DeckError("cards.no_field"))
    return SHELF.save(state_dir, camera, found), what, ""


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
