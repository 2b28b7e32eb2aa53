"""The bench over painted cards and regions with truth, some of it wrong on purpose."""

from __future__ import annotations

import json

import cv2
import pytest

from device.sensors.readers.bench import report as vision
from device.sensors.readers.bench.section import Options
from tests.device.sensors.readers.bench.pictures import CAMERA
from tests.vision.cards.test_cards import CARD_MM, SLOTS
from tests.vision.cards.test_cards import VIEW as AREA
from tests.vision.tuscany.test_hexes import CORNER_MM, MIDDLES, printed
from tests.vision.tuscany.test_hexes import VIEW as REGION
from vision import painter
from vision.cards import painter as cards
from vision.cards.painter import Laid
from vision.plane import Light
from vision.tuscany import painter as tuscany


def put(folder, name, view, picture, **truth):
    """A picture and its truth."""
    cv2.imwrite(str(folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    field = view.field
    truth |= {
        "field_mm": [field.width_mm, field.height_mm],
        "first_marker": field.first_marker,
        "marker_gap_mm": field.gap_mm,
        "camera": CAMERA,
        "picture": f"{name}.jpg",
    }
    (folder / f"{name}.json").write_text(json.dumps(truth))


def figures(folder):
    found = vision.measure(folder, Options(prior=False, scale=False))
    lines = dict(one.split(": ", 1) for one in found.pictures)
    return found, {name: line.rsplit(" ms", 1)[0].rsplit(", ", 1)[0] for name, line in lines.items()}


# Cards


def column(*storeys):
    """The truth of a column of cards face up."""
    return {"kind": "plain", "storeys": list(storeys)}


def put_slots(folder):
    put(
        folder, "slots", AREA, cards.slots(AREA, SLOTS, cards.Scene(1, 5)),
        game="san_gimignano", card_mm=CARD_MM, slots=SLOTS,
    )  # fmt: skip


def put_columns(folder, name, laid, columns, enrolment="slots.jpg", covered=False):
    picture = cards.painted(AREA, laid, cards.Scene(1, 100))
    if covered:
        painter.patch(picture, AREA, 95.0, 225.0 - 20 - 15.5 - 16, 30.0, (60, 60, 60))
        painter.patch(picture, AREA, 95.0, 225.0 - 20 - 15.5 - 8, 18.0, (200, 190, 210))
    put(
        folder, name, AREA, picture,
        game="san_gimignano", card_mm=CARD_MM, columns=columns, enrolment=enrolment,
    )  # fmt: skip


LAID = [Laid(("8",) * 4, 10, 10), Laid(("6", "7", "8"), 90, 15), Laid(("back",) * 4, 170, 12)]
TRUE = [column("8", "8", "8", "8"), column("6", "7", "8"), {"kind": "complete", "storeys": 4}]


def test_columns_are_right_or_silent(tmp_path):
    put_slots(tmp_path)
    put_columns(tmp_path, "right", LAID, TRUE)
    put_columns(tmp_path, "wrong", LAID, [TRUE[0], column("5", "7", "8"), TRUE[2]])
    found, lines = figures(tmp_path)
    told = found.figures["cards"]
    assert (told.n, told.exact, told.doubted, told.silent_wrong) == (6, 5, 0, 1)
    assert told.cards_right == pytest.approx(13 / 14)
    assert lines["right"] == "3 of 3 columns right"
    assert "wrong: 2 of 3 columns right, SILENT" in "\n".join(found.pictures)
    assert "6 7 8 for 5 7 8" in "\n".join(found.pictures)


def test_a_column_too_many_or_missing_is_none_right(tmp_path):
    put_slots(tmp_path)
    put_columns(tmp_path, "many", LAID, TRUE[:2])
    put_columns(tmp_path, "few", LAID[:2], TRUE)
    found, _ = figures(tmp_path)
    told = found.figures["cards"]
    assert (told.n, told.exact) == (6, 4)
    assert "4 face down for none" in "\n".join(found.pictures)
    assert "none for 4 face down" in "\n".join(found.pictures)


def test_what_is_covered_is_doubted_and_told(tmp_path):
    put_slots(tmp_path)
    put_columns(tmp_path, "hidden", [Laid(("8",) * 4, 100, 20)], TRUE[:1], covered=True)
    found, _ = figures(tmp_path)
    told = found.figures["cards"]
    assert (told.n, told.doubted, told.silent_wrong) == (1, 1, 0)
    assert "1 doubted" in found.pictures[0]


def test_a_deck_nobody_taught_is_named(tmp_path):
    put_columns(tmp_path, "alone", LAID[:1], TRUE[:1])
    found, _ = figures(tmp_path)
    assert found.figures["cards"].n == 0
    assert "enrolment: there is no truth of slots.jpg" in "\n".join(found.wrong)


# Regions

TINTS = tuscany.Scene(2, 7, Light(seed=1))


def put_region(folder, name, seed, placed, earlier=None, **wrong):
    """A region as ``placed``; its truth has ``wrong`` instead."""
    kinds = printed(seed)
    hexes = [
        tuscany.Hex(x, y, kind, placed.get(at, ""))
        for at, (kind, (x, y)) in enumerate(zip(kinds, MIDDLES, strict=True))
    ]
    told = placed | {int(at[1:]): what for at, what in wrong.items()}
    truth = [
        {"x_mm": x, "y_mm": REGION.field.height_mm - y, "printed": kind, "placed": told.get(at) or None}
        for at, (kind, (x, y)) in enumerate(zip(kinds, MIDDLES, strict=True))
    ]
    put(
        folder, name, REGION, tuscany.painted(REGION, hexes, CORNER_MM, TINTS),
        game="castles_of_tuscany", hex_corner_mm=CORNER_MM, hexes=truth, earlier=earlier,
    )  # fmt: skip


def test_regions_are_read_after_an_earlier_picture(tmp_path):
    before = {1: "tile", 20: "wild"}
    after = before | {4: "tile", 11: "wild"}
    put_region(tmp_path, "r_a", 3, before)
    put_region(tmp_path, "r_b", 3, after, "r_a.jpg")
    put_region(tmp_path, "r_c", 3, after, "r_a.jpg", h4=None)
    found, _ = figures(tmp_path)
    told = found.figures["tuscany"]
    assert (told.n, told.exact, told.doubted, told.silent_wrong) == (2, 1, 0, 1)
    assert told.hexes_right == pytest.approx(59 / 60)
    assert any(line.startswith("r_b: 30 of 30 hexes right, ") for line in found.pictures)
    assert any(line.startswith("r_c: 29 of 30 hexes right, SILENT") for line in found.pictures)


def test_one_picture_alone_has_nobody_to_teach_it(tmp_path):
    put_region(tmp_path, "r_a", 3, {})
    put_region(tmp_path, "r_b", 3, {4: "tile"}, "gone.jpg")
    found, _ = figures(tmp_path)
    failed = "\n".join(found.wrong)
    assert "there is no other picture to teach what hexes look like" in failed
    assert "earlier: there is no truth of gone.jpg" in failed


def test_regions_are_read_by_what_others_teach(tmp_path):
    """The fourth picture's truth is wrong in one hex of which the others are sure."""
    for seed, name in enumerate("abc"):
        put_region(tmp_path, name, seed, dict.fromkeys(range(seed, 30, 4), "tile") | {seed + 1: "wild"})
    put_region(tmp_path, "d", 5, {2: "tile", 9: "wild"})
    good = figures(tmp_path)[0].figures["tuscany_taught"]
    put_region(tmp_path, "d", 5, {2: "tile", 9: "wild"}, h9=None)
    bad = figures(tmp_path)[0].figures["tuscany_taught"]
    assert (good.n, bad.n) == (4, 4)
    assert good.hexes_right > 0.95
    assert good.silent_share < 0.05
    assert bad.hexes_right < good.hexes_right
    assert bad.printed_right < good.printed_right
    assert 0 <= good.doubted_share <= 1
