"""The bench over painted regions with truth, some of it wrong on purpose."""

import cv2
import numpy as np
import pytest

from tests.device.sensors.readers.bench.pictures import measured, put_picture
from tests.vision.tuscany.test_hexes import CORNER_MM, MIDDLES, printed
from tests.vision.tuscany.test_hexes import VIEW as REGION
from vision.painter import Light
from vision.tuscany import painter as tuscany

TINTS = tuscany.TilesScene(2, 7, Light(seed=1))


def put_region(folder, name, seed, placed, earlier=None, **wrong):
    """A region as ``placed``; its truth has ``wrong`` instead."""
    kinds = printed(seed)
    hexes = [
        tuscany.PaintedHex(x, y, kind, placed.get(at, ""))
        for at, (kind, (x, y)) in enumerate(zip(kinds, MIDDLES, strict=True))
    ]
    told = placed | {int(at[1:]): what for at, what in wrong.items()}
    truth = [
        {"x_mm": x, "y_mm": REGION.field.height_mm - y, "printed": kind, "placed": told.get(at) or None}
        for at, (kind, (x, y)) in enumerate(zip(kinds, MIDDLES, strict=True))
    ]
    put_picture(
        folder, name, REGION, tuscany.painted(REGION, hexes, CORNER_MM, TINTS),
        game="castles_of_tuscany", hex_corner_mm=CORNER_MM, hexes=truth, earlier=earlier,
    )  # fmt: skip


@pytest.mark.pictures
def test_regions_are_read_after_an_earlier_picture_or_by_what_others_teach(tmp_path):
    """Of what is read after another one truth is wrong in a hex; so is one of four that teach each other."""
    before = {1: "tile", 20: "wild"}
    after = before | {4: "tile", 11: "wild"}
    put_region(tmp_path, "r_a", 3, before)
    put_region(tmp_path, "r_b", 3, after, "r_a.jpg")
    put_region(tmp_path, "r_c", 3, after, "r_a.jpg", h4=None)
    put_region(tmp_path, "r_d", 3, after, "gone.jpg")
    put_region(tmp_path, "r_e", 3, after, "r_a.jpg")
    cv2.imwrite(str(tmp_path / "r_e.jpg"), np.full((960, 1280, 3), 90, np.uint8))
    for seed, name in enumerate("st"):
        put_region(tmp_path, name, seed, dict.fromkeys(range(seed, 30, 4), "tile") | {seed + 1: "wild"})
    put_region(tmp_path, "u", 5, {2: "tile", 9: "wild"}, h9=None)
    found = measured(tmp_path)
    told, taught = found.figures["tuscany"], found.figures["tuscany_taught"]
    assert (told["n"], told["exact"], told["doubted"], told["silent_wrong"]) == (2, 1, 0, 1)
    assert told["hexes_right"] == pytest.approx(59 / 60)
    lines = {line.partition(": ")[0]: line for line in found.pictures}
    assert "30 of 30 hexes right, " in lines["r_b"]
    assert "29 of 30 hexes right, SILENT" in lines["r_c"]
    assert taught["n"] == 4
    assert 0.95 < taught["hexes_right"] < 1
    assert 0.9 < taught["printed_right"] < 1
    assert 0 < taught["silent_share"] < 0.05
    assert 0 <= taught["doubted_share"] <= 1
    wrong = "\n".join(found.wrong)
    assert "earlier: there is no truth of gone.jpg" in wrong
    assert "r_e.jpg: the field is not found" in wrong


def test_one_picture_alone_has_nobody_to_teach_it(tmp_path):
    put_region(tmp_path, "r_a", 3, {})
    failed = "\n".join(measured(tmp_path).wrong)
    assert "there is no other picture to teach what hexes look like" in failed
