"""The bench over painted regions with truth, some of it wrong on purpose."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.device.sensors.readers.bench.pictures import measured, put_picture
from tests.vision.tuscany.test_hexes import CORNER_MM, MIDDLES, printed
from tests.vision.tuscany.test_hexes import VIEW as REGION
from vision.plane import Light
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


def test_regions_are_read_after_an_earlier_picture(tmp_path):
    before = {1: "tile", 20: "wild"}
    after = before | {4: "tile", 11: "wild"}
    put_region(tmp_path, "r_a", 3, before)
    put_region(tmp_path, "r_b", 3, after, "r_a.jpg")
    put_region(tmp_path, "r_c", 3, after, "r_a.jpg", h4=None)
    found = measured(tmp_path)
    told = found.figures["tuscany"]
    assert (told.n, told.exact, told.doubted, told.silent_wrong) == (2, 1, 0, 1)
    assert told.hexes_right == pytest.approx(59 / 60)
    assert any(line.startswith("r_b: 30 of 30 hexes right, ") for line in found.pictures)
    assert any(line.startswith("r_c: 29 of 30 hexes right, SILENT") for line in found.pictures)


def test_one_picture_alone_has_nobody_to_teach_it(tmp_path):
    put_region(tmp_path, "r_a", 3, {})
    put_region(tmp_path, "r_b", 3, {4: "tile"}, "gone.jpg")
    found = measured(tmp_path)
    failed = "\n".join(found.wrong)
    assert "there is no other picture to teach what hexes look like" in failed
    assert "earlier: there is no truth of gone.jpg" in failed


def test_regions_are_read_by_what_others_teach(tmp_path):
    """The fourth picture's truth is wrong in one hex of which the others are sure."""
    for seed, name in enumerate("abc"):
        put_region(tmp_path, name, seed, dict.fromkeys(range(seed, 30, 4), "tile") | {seed + 1: "wild"})
    put_region(tmp_path, "d", 5, {2: "tile", 9: "wild"})
    good = measured(tmp_path).figures["tuscany_taught"]
    put_region(tmp_path, "d", 5, {2: "tile", 9: "wild"}, h9=None)
    bad = measured(tmp_path).figures["tuscany_taught"]
    assert (good.n, bad.n) == (4, 4)
    assert good.hexes_right > 0.95
    assert good.silent_share < 0.05
    assert bad.hexes_right < good.hexes_right
    assert bad.printed_right < good.printed_right
    assert 0 <= good.doubted_share <= 1


def test_a_picture_without_the_markers_says_so(tmp_path):
    put_region(tmp_path, "r_a", 3, {})
    put_region(tmp_path, "r_b", 3, {4: "tile"}, "r_a.jpg")
    picture = cv2.imread(str(tmp_path / "r_b.jpg"))
    cv2.imwrite(str(tmp_path / "r_b.jpg"), np.full_like(picture, 90))
    assert any("r_b.jpg: the field is not found" in line for line in measured(tmp_path).wrong)
