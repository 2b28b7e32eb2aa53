"""The tray agrees with the camera's table standard, and what moves has room."""

import re
from pathlib import Path

import numpy as np
import pytest

from device.sensors.readers.tray.reader import TRAY
from tests.hardware import stl

FOLDER = Path(__file__).parents[3] / "hardware" / "tray" / "parts"
SOURCE = FOLDER / "tray.scad"


@pytest.fixture(scope="module")
def sizes():
    """The figures that the source begins with."""
    return {
        name: float(said) for name, said in re.findall(r"(?m)^(\w+) = ([\d.]+);", SOURCE.read_text("utf-8"))
    }


def part(name):
    return stl.read(FOLDER / f"{name}.stl")


def levels(name):
    """The heights at which a part has flat places or edges."""
    return set(part(name)[:, :, 2].round(3).ravel().tolist())


def test_the_tray_is_the_standard_s(sizes):
    """Its inside is the field the camera reads; open in the north."""
    assert (sizes["field_x"], sizes["field_y"]) == (TRAY.width_mm, TRAY.height_mm)
    corners = part("tray").reshape(-1, 3)
    floor = corners[np.isclose(corners[:, 2], sizes["floor_thick"])]
    assert np.allclose(floor[:, :2].min(axis=0), [-TRAY.width_mm / 2, -TRAY.height_mm / 2])
    assert np.allclose(floor[:, :2].max(axis=0), [TRAY.width_mm / 2, TRAY.height_mm / 2])


def test_the_markers_stand_where_the_standard_has_them_level_with_the_floor(sizes):
    assert (sizes["marker"], sizes["marker_gap"]) == (TRAY.marker_mm, TRAY.gap_mm)
    shelf = part("marker_post").reshape(-1, 3)
    top = shelf[np.isclose(shelf[:, 2], shelf[:, 2].max())]
    reach = TRAY.marker_mm / 2 + sizes["quiet"]
    assert np.allclose([top[:, :2].min(axis=0), top[:, :2].max(axis=0)], [[-reach] * 2, [reach] * 2])
    assert reach - TRAY.marker_mm / 2 >= TRAY.marker_mm / 6  # as wide as one of a marker's squares
    # Its middle is this far from the field's corner; what is around the tray must not touch it.
    north_east = TRAY.places()[TRAY.first_marker + 1].mean(axis=0)[:2]
    middle = sizes["marker_gap"] + sizes["marker"] / 2
    assert np.allclose(north_east - [TRAY.width_mm, TRAY.height_mm], middle)
    outside = stl.size(part("platform"))[0] / 2 - TRAY.width_mm / 2
    assert middle - reach - outside > 2
    stack = sizes["foot"] + max(part("base")[:, :, 2][part("base")[:, :, 2] <= 10])  # the pad's top
    stack += sizes["cell_side"] + stl.size(part("spacer"))[2] + sizes["plate"] + sizes["floor_thick"]
    assert shelf[:, 2].max() == pytest.approx(stack, abs=0.01)


def test_what_moves_has_room(sizes):
    """Between base and platform is the way of the stop screws' heads, and nothing else is higher."""
    platform_z = sizes["foot"] + sizes["plate"] + sizes["pad"] + sizes["cell_side"] + sizes["gap"]
    assert sizes["foot"] + stl.size(part("base"))[2] == pytest.approx(platform_z - sizes["stop_room"])
    assert {0.0, sizes["plate"], sizes["plate"] + sizes["lip_height"]} <= levels("platform")
