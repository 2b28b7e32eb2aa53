"""The look of a copy's cards, as one camera sees them: one small file for each camera.

They are written by `podesta camera enrol san_gimignano`, under the state directory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from device.sensors.learnt import LearntError
from device.sensors.readers import AREAS, FIELDS
from device.sensors.readers.san_gimignano.towers import STONE, name_card
from device.sensors.readers.shelf import (
    Learnt,
    Pictures,
    Sheet,
    Sizes,
    Teaching,
    TeachingSeen,
    check_near,
    decode_pictures,
    encode_pictures,
    find_first_shown,
    say_impossible,
)
from device.texts import said
from engines.san_gimignano.cards import RANK_NAMES
from vision import sheets
from vision.cards.deck import BACK, Deck, NotTaught, bare, flaws, known, taught
from vision.field import Field, find
from vision.lens import Lens, Picture
from vision.plane import Heap, cut_single, find_heaps

SLOTS: Final = (*RANK_NAMES, BACK, STONE)
"""The cards on the sheet or a seat's field when a deck is taught: two rows of four from the north-west."""
LEAST_PX_MM: Final = 1.5
"""The fewest px a mm that show enough of a field's cards."""


class Taught(Teaching, frozen=True, kw_only=True):
    """A copy's deck: the size of the field it was seen on, and the corners of its cards as PNG files, in
    ``turned`` those seen upside down.
    """

    game, broken = "san_gimignano", "cards.unreadable"
    area_mm: tuple[float, float]
    card_mm: tuple[float, float]
    corners: dict[str, bytes]
    turned: dict[str, bytes]

    def __post_init__(self) -> None:
        _ = self.deck

    @property
    def sizes(self) -> Sizes:
        """The given sizes, by name."""
        return {"area": self.area_mm, "card": self.card_mm}

    @property
    def deck(self) -> Deck:
        """The deck; raises ValueError if a corner is missing or is no picture."""
        if missing := set(SLOTS).difference(self.corners.keys() & self.turned.keys()):
            raise ValueError(f"corners: {', '.join(sorted(missing))} missing")
        return Deck(
            self.card_mm, decode_pictures("corners", self.corners), decode_pictures("corners", self.turned)
        )


SHEET: Final = Sheet(sheets.cards, tuple(map(name_card, SLOTS)))


def field_of(name: str, area_mm: tuple[float, float]) -> Field:
    """Return the field ``name`` with the size ``area_mm``."""
    return Field(*area_mm, *FIELDS[name])


def learn(lens: Lens, pictures: Pictures, sizes: Sizes, before: Taught | None) -> Learnt:
    """Learn the deck from the first picture that shows all of it.

    One card of a known deck is enough in another light: if it is read, so are the others. ``sizes`` has those
    of the ``area`` and the ``card``. Raises :class:`LearntError` if no picture shows the deck, ValueError for
    impossible sizes.
    """
    area, card = sizes["area"], sizes["card"]
    for name, (wide, high) in sizes.items():
        if not (20 <= wide <= 1000 and 20 <= high <= 1000):
            raise ValueError(say_impossible(name, wide, high))

    def learn_picture(picture: Picture) -> Learnt:
        laid = find_laid_out(picture, lens, area, card)
        if before and len(laid.cards) == 1:
            try:
                name = known(before.deck, laid.cards[0])
            except NotTaught:
                raise LearntError("cards.anew") from None
            return Learnt(replace(before, taken=laid.taken), said("cards.again", card=name_card(name)))
        deck = deck_of(laid.heaps, card)
        upright, turned = (encode_pictures(some, str) for some in (deck.corners, deck.turned))
        found = Taught(area_mm=area, card_mm=card, corners=upright, turned=turned, taken=laid.taken)
        return Learnt(found, said("teach.cards", n=len(SLOTS)))

    return find_first_shown(pictures, learn_picture, LearntError("cards.no_field"))


class LaidOut(NamedTuple):
    """Cards laid out to be learnt: the ``heaps`` in the slots of the printed sheet or on a field, those that
    are ``cards``, and how they are seen.
    """

    heaps: list[Heap]
    cards: list[Heap]
    taken: TeachingSeen


def find_laid_out(
    picture: Picture, lens: Lens, area_mm: tuple[float, float], card_mm: tuple[float, float]
) -> LaidOut:
    """Return the cards of a picture; raises :class:`.LearntError` if no field is seen well enough."""
    for field in (sheets.CARDS, *(field_of(name, area_mm) for name in AREAS)):
        sight = find(picture, lens, field)
        if sight.pose is None:
            continue
        slotted = field is sheets.CARDS
        # The sheet's slots reach farther north and south than its markers.
        over = (sheets.CARDS.rows * sheets.CARD_MM[1] - field.height_mm) / 2 if slotted else 0.0
        check_near("cards", lens, sight.pose, field, over, LEAST_PX_MM)
        if slotted:
            slots = ((x, y) for x, y in sheets.CARDS.slots.tolist())
            found = [cut_single(picture, lens, sight.pose, slot, card_mm) for slot in slots]
            cards = [heap for heap in found if not bare(heap, card_mm)]
        else:
            found = cards = find_heaps(picture, lens, sight.pose, field)
        return LaidOut(found, cards, TeachingSeen.of(lens, picture, sight))
    raise LearntError("cards.no_field")


def deck_of(laid: Sequence[Heap], card_mm: tuple[float, float]) -> Deck:
    """Return the deck; raises :class:`.LearntError` unless all of it lies there and is seen well."""
    try:
        deck = taught(laid, SLOTS, card_mm)
    except NotTaught as error:
        figures = {**error.figures, "card": name_card(str(error.figures.get("card", "")))}
        raise LearntError(f"cards.{error.flaw}", **figures) from error
    for flaw, cards in flaws(deck):
        raise LearntError(f"cards.{flaw}", cards=tuple(map(name_card, cards)))
    return deck
