"""The bench over painted towers with truth, some of it wrong on purpose."""

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

pytestmark = pytest.mark.pictures


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


GRAY = np.full((960, 1280, 3), 90, np.uint8)
LAID = [
    FannedColumn(("8",) * 4, 10, 10),
    FannedColumn(("6", "7", "8"), 90, 15),
    FannedColumn(("back",) * 4, 170, 12),
]
TRUE = [column("8", "8", "8", "8"), column("6", "7", "8"), {"kind": "complete", "storeys": 4}]


LINES = {
    "right": ("3 of 3 columns right, ", ""),
    "wrong": ("2 of 3 columns right, SILENT, ", "6 7 8 for 5 7 8"),
    "many": ("2 of 3 columns right, SILENT, ", "4 face down for none"),
    "few": ("2 of 3 columns right, 1 doubted, ", "none for 4 face down"),
    "hidden": (", 1 doubted, ", ""),
    "gray": ("0 of 3 columns right, 3 doubted, ", ""),  # no field is found there
}


def test_columns_are_counted_one_by_one_and_each_picture_has_its_line(tmp_path):
    """A folder whose truth is right, or wrong in one way each."""
    put_slots(tmp_path)
    put_columns(tmp_path, "right", LAID, TRUE)
    put_columns(tmp_path, "wrong", LAID, [TRUE[0], column("5", "7", "8"), TRUE[2]])
    put_columns(tmp_path, "many", LAID, TRUE[:2])
    put_columns(tmp_path, "few", LAID[:2], TRUE)
    put_columns(tmp_path, "hidden", [FannedColumn(("8",) * 4, 100, 20)], TRUE[:1], covered=True)
    put_columns(tmp_path, "gray", LAID, TRUE)
    cv2.imwrite(str(tmp_path / "gray.jpg"), GRAY)
    put_columns(tmp_path, "alone", LAID[:1], TRUE[:1], enrolment="other.jpg")
    found = measured(tmp_path)
    told = found.figures["cards"]
    assert (told["n"], told["exact"], told["silent_wrong"]) == (16, 9, 2)  # one too many stands there unasked
    assert 27 <= 39 * told["cards_right"] <= 31  # those of the covered column may be right
    lines = dict(line.split(": ", 1) for line in found.pictures)
    assert all(word in lines[name] and note in lines[name] for name, (word, note) in LINES.items()), lines
    assert "enrolment: there is no truth of other.jpg" in "\n".join(found.wrong)


def test_a_picture_that_teaches_nothing_is_named(tmp_path):
    put_slots(tmp_path)
    cv2.imwrite(str(tmp_path / "slots.jpg"), GRAY)
    put_columns(tmp_path, "play", LAID, TRUE)
    assert "slots.jpg: the field is not found" in "\n".join(measured(tmp_path).wrong)
