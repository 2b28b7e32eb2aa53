"""Columns of cards are read with a deck that one picture taught; what is hidden is not made up."""

from functools import lru_cache

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from vision import painter
from vision.cards import reading
from vision.cards.deck import BACK, Deck, NotTaught, flaws, taught
from vision.cards.painter import CardsScene, FannedColumn, painted, slots
from vision.field import Field, find
from vision.lens import Lens
from vision.painter import Light
from vision.plane import find_heaps

FIELD = Field(300.0, 225.0, 24, 4.0)
LENS = Lens((1280, 960), 1065.1, 1065.1, 640.0, 480.0, (-0.045, 0.012, 0.0004, -0.0003, 0.0))
VIEW = painter.PaintedView(LENS, painter.looking(FIELD, 76.0, 0.0, 410.0), FIELD)
SLOTS = ("5", "6", "7", "8", "9", "10", BACK, "pietra")
CARD_MM = (57.0, 87.0)
ARTWORKS = [pytest.param(n, marks=[pytest.mark.pictures] * (n > 0)) for n in range(4)]


def laid_out(picture):
    sight = find(picture, LENS, FIELD)
    assert sight.pose is not None
    return find_heaps(picture, LENS, sight.pose, FIELD)


@lru_cache
def deck(artwork):
    return taught(laid_out(slots(VIEW, SLOTS, CardsScene(artwork, 5))), SLOTS, CARD_MM)


def columns(laid, scene):
    return [reading.read(heap, deck(scene.artwork)) for heap in laid_out(painted(VIEW, laid, scene))]


def best(found):
    return tuple(max(card, key=card.get) for card in found.alike)


@pytest.mark.parametrize("artwork", ARTWORKS)
def test_every_card_of_a_column_in_a_light_of_its_own(artwork):
    plain, run = ("8", "8", "8", "pietra", "8"), ("6", "7", "8", "9", "10")
    scene = CardsScene(artwork, 100 + artwork, Light(0.1, 0.85), sleeve=0.4)
    found = columns(
        [
            FannedColumn(plain, 10, 10, 1.5),
            FannedColumn(run, 90, 15, -1.5),
            FannedColumn((BACK,) * 4, 170, 12),
        ],
        scene,
    )
    assert [column.face_down > 0 for column in found] == [False, False, True]
    assert (best(found[0].faces), best(found[1].faces)) == (plain, run)
    assert len(found[2].backs.alike) == 4
    for one in (found[0].faces, found[1].faces, found[2].backs):
        assert one.rival > 0.12


def test_a_covered_card_looks_like_none():
    picture = painted(VIEW, [FannedColumn(("8",) * 4, 100, 20)], CardsScene(0, 4))
    clear = reading.read(laid_out(picture)[0], deck(0)).faces
    painter.patch(picture, VIEW, 95.0, 225.0 - 20 - 15.5 - 16, 30.0, (60, 60, 60))
    painter.patch(picture, VIEW, 95.0, 225.0 - 20 - 15.5 - 8, 18.0, (200, 190, 210))
    hidden = reading.read(laid_out(picture)[0], deck(0)).faces
    assert min(max(card.values()) for card in clear.alike) > 0.7
    assert hidden is None or min(max(card.values()) for card in hidden.alike) < 0.45 or hidden.rival < 0.12


@pytest.mark.parametrize(("side", "heaps"), [(36.0, 0), (44.0, 1)])
def test_what_is_much_smaller_than_a_card_is_no_heap(side, heaps):
    picture = painter.empty(VIEW, painter.TABLE)
    painter.patch(picture, VIEW, 100.0, 80.0, side, (40, 60, 200))
    assert len(laid_out(picture)) == heaps


@pytest.mark.parametrize("artwork", ARTWORKS)
def test_cards_upside_down_are_told_by_what_else_is_on_them(artwork):
    """Their index is hidden: it is a 6 or a 9 by its picture."""
    (found,) = columns([FannedColumn(("6", "9", "8"), 100, 10, over=True)], CardsScene(artwork, 40 + artwork))
    assert best(found.faces) == ("6", "9", "8")


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (SLOTS[:7], "count.*7.*8"),
        pytest.param((*SLOTS, "9"), "count.*9.*8", marks=pytest.mark.pictures),
    ],
)
def test_a_deck_needs_every_card_once(names, why):
    field = Field(300.0, 340.0, 24, 4.0)
    view = painter.PaintedView(LENS, painter.looking(field, 80.0, 0.0, 520.0), field)
    picture = slots(view, names, CardsScene(0, 5))
    found = find_heaps(picture, LENS, view.pose, field)
    with pytest.raises(NotTaught, match=why):
        taught(found, SLOTS, CARD_MM)


def test_a_deck_out_of_focus_is_told():
    """A little blur is none."""
    for blur_px, told in ((1.0, []), (1.7, ["blurred"])):
        corners = {name: cv2.GaussianBlur(one, (0, 0), blur_px) for name, one in deck(0).corners.items()}
        assert [flaw for flaw, _ in flaws(replace(deck(0), corners=corners))] == told


def test_a_deck_whose_back_nobody_taught_has_no_column_face_down():
    known = deck(0)
    faces = Deck(
        known.card_mm,
        {name: corner for name, corner in known.corners.items() if name != BACK},
        {name: corner for name, corner in known.turned.items() if name != BACK},
    )
    (heap,) = laid_out(painted(VIEW, [FannedColumn(("9",) * 3, 100, 8)], CardsScene(0, 3)))
    read = reading.read(heap, faces)
    assert (read.backs, best(read.faces)) == (None, ("9",) * 3)
    assert read.face_down < 0


def test_rows_of_a_column_follow_one_another_as_cards_do():
    """By the number of cards: the first lies at the start, the last at the end, each in reach of the last."""
    rows = np.random.default_rng(1).uniform(-1, 1, 120)
    rows[-6:] = 9.0  # the last ones are before no first one
    px_mm = reading.PX_MM / reading.COARSE
    last_mm = 70.0
    found = reading._place_cards(rows.astype(np.float32), last_mm)
    assert len(found) > 2
    for number, (worth, placed) in found.items():
        mm = np.array(placed) / px_mm - reading.PAD_MM
        assert len(placed) == number
        assert abs(mm[0]) <= reading.END_MM
        assert abs(mm[-1] - last_mm) <= reading.END_MM
        apart = np.diff(mm)
        assert (apart >= reading.NEAR_MM - 1 / px_mm).all()
        assert (apart <= reading.FAR_MM + 1 / px_mm).all()
        cost = reading.UNUSUAL * ((apart - reading.USUAL_MM) / reading.VARIED_MM) ** 2
        assert worth == pytest.approx(rows[list(placed)].sum() - cost.sum(), abs=1e-4)
