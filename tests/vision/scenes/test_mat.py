"""The markers lie where the table standard has them, and boxes hide what is behind them."""

from random import Random

import numpy as np
import pytest

from tests.vision.scenes import tray as trays
from tests.vision.scenes.boards import COLOURS, position
from tests.vision.scenes.looks import LOOKS
from tests.vision.scenes.mat import Marker, crossed, hidden, markers
from tests.vision.scenes.torres import table
from tests.vision.scenes.view import SIZE

pytestmark = pytest.mark.pictures

CAMERA = np.array([96.0, -150.0, 400.0])


def test_the_nearest_corner_is_the_gap_off_the_fields_corner():
    north_west, north_east, south_east, south_west = markers((192.0, 144.0), 4, 12.0)
    assert [m.id for m in (north_west, north_east, south_east, south_west)] == [4, 5, 6, 7]
    assert north_west.corners()[2, :2] == pytest.approx((-12, 156))
    assert north_east.corners()[3, :2] == pytest.approx((204, 156))
    assert south_east.corners()[0, :2] == pytest.approx((204, -12))
    assert south_west.corners()[1, :2] == pytest.approx((-12, -12))


def test_corners_go_round_from_the_north_west():
    corners = Marker(0, 0.0, 0.0).corners()
    assert corners[0, :2] == pytest.approx((-12, 12))
    assert corners[1, :2] == pytest.approx((12, 12))
    assert corners[2, :2] == pytest.approx((12, -12))


def test_a_tower_hides_the_marker_behind_it_and_not_the_one_before_it():
    tower = np.array([[(80, 150, 0), (112, 180, 130)]], float)
    assert hidden(Marker(0, 96.0, 210.0), CAMERA, tower)
    assert not hidden(Marker(0, 96.0, 120.0), CAMERA, tower)
    assert not hidden(Marker(0, 20.0, 210.0), CAMERA, tower)
    assert not hidden(Marker(0, 96.0, 210.0), CAMERA, np.zeros((0, 2, 3)))


def test_a_line_of_sight_is_crossed_between_its_ends_only():
    spots = np.array([(96.0, 100.0, 0.0), (96.0, 300.0, 0.0)])
    between = [(90, 140, 0), (102, 160, 250)]
    beneath = [(90, -400, -900), (102, 900, -1)]
    above = [(0, -900, 401), (200, 300, 900)]
    boxes = np.array([[between], [beneath], [above]], float)
    found = [crossed(spots, CAMERA, box.reshape(-1, 2, 3)).tolist() for box in boxes]
    assert found == [[False, True], [False, False], [False, False]]


@pytest.mark.parametrize("look", LOOKS.values(), ids=list(LOOKS))
def test_all_markers_lie_in_the_picture(look, monkeypatch):
    monkeypatch.setattr(trays, "drop", lambda *told: [])
    for number in range(40):
        rng = Random(f"{look.name} {number}")
        made = [table(rng, look, position(rng, False).seen, COLOURS)]
        made.append(trays.with_pieces(rng, look, (10.0, 8.0), []))
        for one in made:
            for marker in one.markers:
                seen = one.view.project(marker.corners(15.0))
                assert (seen > 4).all()
                assert (seen < np.array(SIZE) - 5).all()
