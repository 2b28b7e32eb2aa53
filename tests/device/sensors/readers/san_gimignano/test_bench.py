"""The bench over painted towers with truth, some of it wrong on purpose."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from tests.device.sensors.readers.bench.pictures import measured, put_picture
from tests.vision.cards.test_cards import CARD_MM, SLOTS
from tests.vision.cards.test_cards import VIEW as AREA
from vision import painter
from vision.cards import painter as cards
from vision.cards.painter import FannedColumn


def column(*storeys):
    """The truth of a column of cards face up."""
    return {"kind": "plain", "storeys": list(storeys)}


@cache
def slotted():
    return cards.slots(AREA, SLOTS, cards.CardsScene(1, 5))


@cache
def shown(laid):
    return cards.painted(AREA, laid, cards.CardsScene(1, 100))


def put_slots(folder):
    put_picture(
        folder, "slots", AREA, slotted(),
        game="san_gimignano", card_mm=CARD_MM, slots=SLOTS,
    )  # fmt: skip


def put_columns(folder, name, laid, columns, enrolment="slots.jpg", covered=False):
    picture = shown(tuple(laid)).copy()
    if covered:
        painter.patch(picture, AREA, 95.0, 225.0 - 20 - 15.5 - 16, 30.0, (60, 60, 60))
        painter.patch(picture, AREA, 95.0, 225.0 - 20 - 15.5 - 8, 18.0, (200, 190, 210))
    put_picture(
        folder, name, AREA, picture,
        game="san_gimignano", card_mm=CARD_MM, columns=columns, enrolment=enrolment,
    )  # fmt: skip


LAID = [
    FannedColumn(("8",) * 4, 10, 10),
    FannedColumn(("6", "7", "8"), 90, 15),
    FannedColumn(("back",) * 4, 170, 12),
]
TRUE = [column("8", "8", "8", "8"), column("6", "7", "8"), {"kind": "complete", "storeys": 4}]


def test_columns_are_right_or_silent(tmp_path):
    put_slots(tmp_path)
    put_columns(tmp_path, "right", LAID, TRUE)
    put_columns(tmp_path, "wrong", LAID, [TRUE[0], column("5", "7", "8"), TRUE[2]])
    found = measured(tmp_path)
    told = found.figures["cards"]
    assert (told.n, told.exact, told.doubted, told.silent_wrong) == (6, 5, 0, 1)
    assert told.cards_right == pytest.approx(13 / 14)
    assert any(line.startswith("right: 3 of 3 columns right, ") for line in found.pictures)
    assert "wrong: 2 of 3 columns right, SILENT" in "\n".join(found.pictures)
    assert "6 7 8 for 5 7 8" in "\n".join(found.pictures)


def test_a_column_too_many_or_missing_is_none_right(tmp_path):
    put_slots(tmp_path)
    put_columns(tmp_path, "many", LAID, TRUE[:2])
    put_columns(tmp_path, "few", LAID[:2], TRUE)
    found = measured(tmp_path)
    told = found.figures["cards"]
    assert (told.n, told.exact) == (6, 4)
    assert "4 face down for none" in "\n".join(found.pictures)
    assert "none for 4 face down" in "\n".join(found.pictures)


def test_what_is_covered_is_doubted_and_told(tmp_path):
    put_slots(tmp_path)
    put_columns(tmp_path, "hidden", [FannedColumn(("8",) * 4, 100, 20)], TRUE[:1], covered=True)
    found = measured(tmp_path)
    told = found.figures["cards"]
    assert (told.n, told.doubted, told.silent_wrong) == (1, 1, 0)
    assert "1 doubted" in found.pictures[0]


def test_a_deck_nobody_taught_is_named(tmp_path):
    put_columns(tmp_path, "alone", LAID[:1], TRUE[:1])
    found = measured(tmp_path)
    assert found.figures["cards"].n == 0
    assert "enrolment: there is no truth of slots.jpg" in "\n".join(found.wrong)


def test_where_no_field_is_found_every_column_is_a_doubt(tmp_path):
    put_slots(tmp_path)
    put_columns(tmp_path, "gray", LAID, TRUE)
    cv2.imwrite(str(tmp_path / "gray.jpg"), np.full((960, 1280, 3), 90, np.uint8))
    told = measured(tmp_path).figures["cards"]
    assert (told.n, told.exact, told.doubted, told.silent_wrong, told.cards_right) == (3, 0, 3, 0, 0.0)


def test_a_picture_that_teaches_nothing_is_named(tmp_path):
    put_slots(tmp_path)
    cv2.imwrite(str(tmp_path / "slots.jpg"), np.full((960, 1280, 3), 90, np.uint8))
    put_columns(tmp_path, "play", LAID, TRUE)
    assert "slots.jpg: the field is not found" in "\n".join(measured(tmp_path).wrong)
