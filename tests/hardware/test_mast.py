"""Heads look as the reader of pictures wants it, cameras on them see their fields, brackets hold markers."""

import math
import re

import cv2
import numpy as np
import pytest

from device.sensors.readers import torres
from device.sensors.readers.castles_of_tuscany import display_of
from device.sensors.readers.tray.reader import TRAY
from tests.hardware import stl
from tests.hardware.test_parts import HARDWARE, part, source
from vision import mast
from vision.field import Field
from vision.lens import Lens
from vision.pose import Pose

CAMERA = Lens((2304, 1296), 1774.0, 1774.0, 1152.0, 648.0)
"""A Camera Module 3: 66° wide and 41° high (Raspberry Pi, camera documentation)."""
OVER_TRAY = (70.0, 90.0)
"""The elevation above the tray that the reader of pictures expects (mast.scad)."""
SIZES = {
    name: float(said)
    for name, said in re.findall(r"(?m)^(\w+) = ([\d.]+);", source("mast").read_text("utf-8"))
}
PAGE = (HARDWARE / "mast" / "README.md").read_text("utf-8")
OVER = {
    "a board of Torres": ((torres.field_of(36.0), 90.0),),
    "an area or the market of San Gimignano": ((Field(300, 225, 24, 4.0), 0.0),),
    "a region or the display of The Castles of Tuscany": (
        (Field(251, 187, 8, 4.0), 0.0),
        (display_of(29.4), 0.0),
    ),
}
"""What a mast may stand beside, with how high things are on it."""
STANDS = {
    what: (int(high), int(far))
    for what, high, far in re.findall(r"\| (an? [^|]+) \| (\d+) mm \| (\d+) mm \|", PAGE)
}


def lens_at(tilt_deg):
    """Return how far before the tube the lens is, and how far above the block's lower edge, as the source has
    it.
    """
    tilt = math.radians(tilt_deg)
    along, out = SIZES["lens_at"], 10
    return (
        SIZES["block_front"] + along * math.sin(tilt) + out * math.cos(tilt),
        SIZES["plate_at"] + along * math.cos(tilt) - out * math.sin(tilt),
    )


def looking(field, high, far, turn_deg):
    """A camera's pose so high, so far from the field's middle and so far off its south, looking at it."""
    turn, tilt = math.radians(turn_deg), math.atan2(high, far)
    x, y = field.middle
    at = np.array([x + far * math.sin(turn), y - far * math.cos(turn), high])
    right = np.array([math.cos(turn), math.sin(turn), 0.0])
    away = np.array([-math.sin(turn) * math.cos(tilt), math.cos(turn) * math.cos(tilt), -math.sin(tilt)])
    axes = np.stack([right, np.cross(away, right), away])
    return Pose(tuple(cv2.Rodrigues(axes)[0].ravel().tolist()), tuple((-axes @ at).tolist()))


def seen(pose, field, high_mm):
    """True if all markers are in the picture, and the field's corners so high above the table too."""
    edges = [(x, y, high_mm) for x in (0, field.width_mm) for y in (0, field.height_mm)]
    markers = np.concatenate([one[:, :2] for one in field.places().values()])
    points = np.concatenate([np.c_[markers, np.zeros(len(markers))], edges])
    pixels = pose.project(CAMERA, points)
    return bool(((pixels > 10) & (pixels < np.array(CAMERA.size) - 10)).all())


def test_the_heads_are_within_the_standard_with_room_for_a_hand_s_error():
    assert mast.ELEVATION[0] + 4 <= SIZES["oblique"] <= mast.ELEVATION[1] - 4
    assert OVER_TRAY[0] + 4 <= SIZES["steep"] <= OVER_TRAY[1]


def test_the_page_says_where_the_block_is_tied():
    _, up = lens_at(SIZES["oblique"])
    assert int(re.search(r"lower edge (\d+) mm below", PAGE)[1]) == pytest.approx(up, abs=1)


@pytest.mark.parametrize("what", OVER)
def test_a_camera_on_the_oblique_head_sees_its_field(what):
    high, far = STANDS[what]
    forward, _ = lens_at(SIZES["oblique"])
    for field, high_mm in OVER[what]:
        pose = looking(field, high, far - forward, 22)
        assert mast.advice(pose, field) == ()
        assert seen(pose, field, high_mm)
        assert abs(pose.elevation_deg - SIZES["oblique"]) < 0.2
    assert not seen(looking(field, 200, 120, 22), field, high_mm), "not from anywhere"


def test_a_camera_on_the_steep_head_sees_the_tray():
    high, far = map(
        int, re.search(r"(\d+) mm above the tray's floor; the tube stands (\d+) mm", PAGE).groups()
    )
    forward, _ = lens_at(SIZES["steep"])
    pose = looking(TRAY, high, far - forward, 0)
    assert OVER_TRAY[0] <= mast.stands(pose, TRAY)[0] <= OVER_TRAY[1]
    assert seen(pose, TRAY, 22.0)
    assert abs(pose.elevation_deg - SIZES["steep"]) < 0.2
    assert far - SIZES["foot_side"] / 2 > TRAY.height_mm / 2 + 10, "its foot stands beside the tray"


def test_a_bracket_holds_its_marker_where_the_standard_has_it():
    """The paper is one cell wider all round; as cut it touches the board's corner, at the board's level."""
    field = torres.field_of(33.0)
    north_west = field.places()[0]
    paper = SIZES["marker"] + 2 * SIZES["quiet"]
    assert SIZES["marker"] == field.marker_mm
    assert SIZES["quiet"] == field.gap_mm
    assert np.allclose(
        [north_west[:, 0].min(), north_west[:, 1].max() - field.height_mm],
        [-paper + SIZES["quiet"], paper - SIZES["quiet"]],
    )
    triangles = part("mast", "bracket")
    levels = sorted(set(triangles[:, :, 2].round(3).ravel().tolist()))
    assert levels == [0.0, SIZES["board_thick"], SIZES["board_thick"] + 0.8]
    rim = triangles.reshape(-1, 3)[np.isclose(triangles.reshape(-1, 3)[:, 2], levels[2])]
    assert rim[:, 0].min() == pytest.approx(-paper - 2)
    assert rim[:, 1].max() == pytest.approx(paper + 2)
    assert stl.size(triangles)[2] == pytest.approx(levels[2])
