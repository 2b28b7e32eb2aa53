"""A field is found to a fraction of a pixel, and whatever is wrong with its markers has a name."""

import json
import os
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.pictures import LENS, Sheet, moved, pose
from vision.field import Extra, Field, TroubleKind, _keeps_shape, find, whites
from vision.lens import Lens
from vision.markers import Marker, detect
from vision.pose import fit

BOARD = Field(224.0, 224.0, 0, 4.0)
TRAY = Field(180.0, 140.0, 4, 12.0)
AT = pose(60, 22, 560, BOARD.middle, roll=1.5)
NW, NE, SE, SW = 0, 1, 2, 3


@pytest.fixture(scope="module")
def picture():
    return Sheet.of(BOARD).seen(AT)


@pytest.fixture(scope="module")
def remembered(picture):
    return find(picture, LENS, BOARD).pose


def far(one, other, field=BOARD):
    """Return how far apart two poses see the field and what stands on it, px, at worst."""
    x, y, z = np.meshgrid([0, field.width_mm / 2, field.width_mm], [0, field.height_mm], [0, 45])
    points = np.stack([x, y, z], axis=-1).reshape(-1, 3).astype(float)
    return np.linalg.norm(one.project(LENS, points) - other.project(LENS, points), axis=1).max()


def kinds(sight):
    return {trouble.kind for trouble in sight.troubles}


def trouble(sight, kind):
    (found,) = [each for each in sight.troubles if each.kind is kind]
    return found


def covered(picture, *ids, share=1.0, colour=(90, 120, 60)):
    """Return the same picture with these markers covered, from their west side on or all over."""
    picture = picture.copy()
    places = BOARD.places()
    for id_ in ids:
        corners = AT.project(LENS, places[id_] + (places[id_] - places[id_].mean(axis=0)) * 0.5)
        along = (corners[[1, 2]] - corners[[0, 3]]) * share
        patch = np.array([corners[0], corners[0] + along[0], corners[3] + along[1], corners[3]])
        cv2.fillPoly(picture, [np.round(patch).astype(np.int32)], colour)
    return picture


# How well


POSES = [(56, 20, 0), (62, -25, 3), (50, 28, -2), (75, 10, 0), (88, 5, 1)]


def seen_from():
    """Each field from everywhere; in `make test` each once."""
    for at, (seen, (name, field)) in enumerate(product(POSES, (("board", BOARD), ("tray", TRAY)))):
        marks = () if at == 0 else pytest.mark.pictures
        yield pytest.param(*seen, field, id=f"{name}-{seen[0]}", marks=marks)


@pytest.mark.parametrize(("elevation", "azimuth", "roll", "field"), [*seen_from()])
def test_pose_is_right_to_a_quarter_of_a_pixel(field, elevation, azimuth, roll):
    at = pose(elevation, azimuth, 540, field.middle, roll)
    sight = find(Sheet.of(field).seen(at), LENS, field)
    assert not sight.troubles
    assert [marker.id for marker in sight.markers] == sorted(field.places())
    assert far(sight.pose, at, field) < 0.25
    assert sight.pose.elevation_deg == pytest.approx(elevation, abs=0.1)
    assert sight.pose.azimuth_deg == pytest.approx(azimuth, abs=0.1 if elevation < 80 else 1)


def test_one_hidden_marker_costs_little_when_the_others_were_learnt():
    slips = {NW: (0.5, -0.4), NE: (-0.4, 0.3), SE: (0.3, 0.5), SW: (-0.2, -0.5)}
    picture = Sheet.of(BOARD, slips=slips).seen(AT)
    whole = find(picture, LENS, BOARD).pose
    known, fresh = (find(covered(picture, NE), LENS, BOARD, memory) for memory in (whole, None))
    assert not known.troubles
    assert not fresh.troubles
    assert far(known.pose, whole) < 0.25 < far(fresh.pose, whole)
    assert known.pose.slips == whole.slips
    # Also after a bump, when nothing else of the memory holds.
    truth = find(moved(picture, 3.0, 0.0), LENS, BOARD).pose
    bumped, fresh = (
        find(moved(covered(picture, NE), 3.0, 0.0), LENS, BOARD, memory) for memory in (whole, None)
    )
    assert kinds(bumped) == {TroubleKind.BUMPED}
    assert far(bumped.pose, truth) < 0.8 * far(fresh.pose, truth)


def test_markers_are_looked_for_where_they_were(picture, remembered, monkeypatch):
    """The whole picture only where one of them is missing or was moved."""
    whole = []
    monkeypatch.setattr("vision.field.detect", lambda shown: whole.append(1) or detect(shown))
    again = find(picture, LENS, BOARD, remembered)
    assert (len(again.markers), again.troubles, whole) == (4, (), [])
    for other in (covered(picture, NE), moved(picture, 2.0, 0.0), np.roll(picture, 40, axis=1)):
        assert find(other, LENS, BOARD, remembered).pose is not None
    assert len(whole) == 3


# What is in view


def test_where_the_camera_stood_counts_for_markers_out_of_view_alone(picture, remembered):
    markers, moved_on = find(picture, LENS, BOARD).markers, remembered.beside(3.0, 0.0)
    assert len(markers) == 4
    found = fit(LENS, BOARD.places(), markers, stay=moved_on).pose
    assert far(found, fit(LENS, BOARD.places(), markers).pose) < 0.001
    fewer = fit(LENS, BOARD.places(), markers[:3], stay=moved_on).pose
    assert far(fewer, fit(LENS, BOARD.places(), markers[:3]).pose) > 0.01


@pytest.mark.parametrize(("grown_px", "agree"), [(-2.0, False), (-0.5, True), (0.5, True), (2.0, False)])
def test_markers_much_larger_or_smaller_than_they_should_be_agree_on_nothing(picture, grown_px, agree):
    def grown(marker):
        arms = marker.array - marker.array.mean(axis=0)
        corners = marker.array + grown_px * arms / np.linalg.norm(arms, axis=1)[:, None]
        return replace(marker, corners=tuple(map(tuple, corners.tolist())))

    markers = [grown(marker) for marker in find(picture, LENS, BOARD).markers]
    assert fit(LENS, BOARD.places(), markers).agree is agree


@pytest.mark.parametrize("hidden", [NE, SW])
def test_three_markers_do(picture, hidden):
    sight = find(covered(picture, hidden), LENS, BOARD)
    assert not sight.troubles
    assert far(sight.pose, AT) < 0.5


@pytest.mark.parametrize("hidden", [(NW, SE), (SE, SW)])
def test_two_markers_are_a_guess_unless_there_is_a_memory(picture, remembered, hidden):
    dark = covered(picture, *hidden)
    guess = find(dark, LENS, BOARD)
    assert kinds(guess) == {TroubleKind.FEW}
    assert set(trouble(guess, TroubleKind.FEW).ids) == {NW, NE, SE, SW} - set(hidden)
    sight = find(dark, LENS, BOARD, remembered)
    assert not sight.troubles
    assert far(sight.pose, AT) < 0.5


def test_partly_covered_markers_count(picture):
    sight = find(covered(picture, NW, NE, share=0.5), LENS, BOARD)
    assert not sight.troubles
    assert sight.parts == (NW, NE)
    assert far(sight.pose, AT) < 0.4


@pytest.mark.parametrize("doubt", [{"agree": False}, {"cost": 99.0}])
def test_parts_that_agree_with_nothing_or_cost_too_much_are_left_out(picture, monkeypatch, doubt):
    monkeypatch.setattr("vision.field.fit", lambda *of: replace(fit(*of), **doubt))
    sight = find(covered(picture, NW, NE, share=0.5), LENS, BOARD)
    assert sight.pose is not None
    assert sight.parts == ()


def test_a_single_side_is_no_part_of_a_marker(picture):
    sight = find(covered(picture, NW, NE, share=0.74), LENS, BOARD)
    assert not sight.parts
    assert kinds(sight) == {TroubleKind.FEW}


@pytest.mark.parametrize("colour", [(0, 0, 0), (160, 200, 220)])
def test_what_covers_a_marker_is_not_taken_for_its_side(picture, colour):
    sight = find(covered(picture, NW, NE, share=0.6, colour=colour), LENS, BOARD)
    assert far(sight.pose, AT) < 0.8
    sight = find(covered(picture, NW, NE, colour=colour), LENS, BOARD)
    assert not sight.parts
    assert kinds(sight) == {TroubleKind.FEW}


def test_more_markers_than_four_are_used_too():
    extra = Extra(44, 100.0, 228.0)
    field = replace(BOARD, more=(extra,))
    picture = Sheet.of(field).seen(AT)
    sight = find(covered(picture, NE, SE, SW), LENS, field)
    assert [marker.id for marker in sight.markers] == [NW, 44]
    sight = find(covered(picture, SE, SW), LENS, field)
    assert not sight.troubles
    assert far(sight.pose, AT) < 1
    whole = find(picture, LENS, field)
    assert len(whole.markers) == 5
    assert not whole.troubles


def test_markers_of_another_game():
    sight = find(Sheet.of(replace(BOARD, first_marker=24)).seen(AT), LENS, BOARD)
    assert sight.pose is None
    assert kinds(sight) == {TroubleKind.OTHER}
    assert trouble(sight, TroubleKind.OTHER).ids == (24, 25, 26, 27)


def test_mirrored_picture(picture):
    sight = find(np.ascontiguousarray(picture[:, ::-1]), LENS, BOARD)
    assert sight.pose is None
    assert kinds(sight) == {TroubleKind.MIRRORED}


def test_picture_upside_down_is_said_and_seen_all_the_same(picture):
    lens = replace(LENS, cx=1279 - LENS.cx, cy=959 - LENS.cy, dist=(-0.045, 0.012, -0.0004, 0.0003, 0.0))
    sight = find(np.ascontiguousarray(picture[::-1, ::-1]), lens, BOARD)
    assert kinds(sight) == {TroubleKind.TURNED}
    assert abs(trouble(sight, TroubleKind.TURNED).degrees) == pytest.approx(180, abs=30)
    assert np.linalg.norm(sight.pose.camera_mm - AT.camera_mm) < 1


def test_picture_of_another_size_than_the_lens(picture):
    with pytest.raises(ValueError, match="640 by 480 px, the lens is known for 1280 by 960"):
        find(picture[::2, ::2], LENS, BOARD)


# What does not fit


@pytest.mark.parametrize(("width", "height"), [(192.0, 192.0), (224.0, 232.0)])
def test_board_of_another_size(width, height):
    sight = find(Sheet.of(Field(width, height, 0, 4.0)).seen(AT), LENS, BOARD)
    assert TroubleKind.SIZE in kinds(sight)
    assert trouble(sight, TroubleKind.SIZE).mm == pytest.approx((width, height), abs=2.5)


@pytest.mark.parametrize("off", [-1.0, 1.0])
def test_board_measured_a_little_wrong_is_no_other(off):
    sight = find(Sheet.of(Field(224.0 + off, 224.0 + off, 0, 4.0)).seen(AT), LENS, BOARD)
    assert not sight.troubles


@pytest.mark.parametrize("others", [{NW: (20.0, 5.0), SE: (10.0, 25.0)}, {}])
def test_markers_that_fit_no_field(others):
    """Two of four that agree are no majority."""
    slips = {NE: (-8.0, 30.0), SW: (0.0, -30.0), **others}
    sight = find(Sheet.of(BOARD, slips=slips).seen(AT), LENS, BOARD)
    assert sight.pose is None
    assert kinds(sight) == {TroubleKind.APART}


@pytest.mark.parametrize(("id_", "off"), [(NE, (3.0, 0.0)), (SW, (0.0, -8.0)), (NE, (30.0, 40.0))])
def test_one_moved_marker_does_not_win(off, id_):
    sight = find(Sheet.of(BOARD, slips={id_: off}).seen(AT), LENS, BOARD)
    assert kinds(sight) == {TroubleKind.MOVED}
    assert trouble(sight, TroubleKind.MOVED).ids == (id_,)
    assert far(sight.pose, AT) < 0.5


def test_moved_marker_is_told_by_memory_where_two_are_hidden(remembered):
    sheet = Sheet.of(BOARD, slips={SW: (1.0, 1.0)})
    sight = find(covered(sheet.seen(AT), NE), LENS, BOARD, remembered)
    assert kinds(sight) == {TroubleKind.MOVED}
    assert trouble(sight, TroubleKind.MOVED).ids == (SW,)
    assert trouble(sight, TroubleKind.MOVED).px > 2
    assert far(sight.pose, AT) < 0.5


def test_second_marker_of_the_same_number_does_not_win():
    sheet = Sheet.of(BOARD)
    sheet.put(NE, 90, 100)
    sight = find(sheet.seen(AT), LENS, BOARD)
    assert kinds(sight) == {TroubleKind.DOUBLE}
    assert trouble(sight, TroubleKind.DOUBLE).ids == (NE,)
    assert far(sight.pose, AT) < 0.25


def test_false_marker_in_place_of_a_hidden_one_does_not_win(picture, remembered):
    sheet = Sheet.of(BOARD, without=(NE,))
    sheet.put(NE, 90, 100)
    sight = find(sheet.seen(AT), LENS, BOARD)
    assert kinds(sight) == {TroubleKind.MOVED}
    assert far(sight.pose, AT) < 0.5
    # With one more hidden a pair must not outvote another; memory decides.
    dark = covered(sheet.seen(AT), NW)
    assert kinds(find(dark, LENS, BOARD)) == {TroubleKind.MOVED, TroubleKind.FEW}
    sight = find(dark, LENS, BOARD, remembered)
    assert kinds(sight) == {TroubleKind.MOVED}
    assert far(sight.pose, AT) < 0.5


def test_second_board_in_view_is_not_taken_for_the_first():
    """Two boards, or a board and a picture of it: nobody knows which is meant."""
    sheet = Sheet(-50.0, -50.0, 560.0, 280.0)
    for id_, corners in BOARD.places().items():
        sheet.put(id_, *corners[3, :2])
        sheet.put(id_, corners[3, 0] + 300.0, corners[3, 1])
    sight = find(sheet.seen(pose(65, 5, 700, (255, 112))), LENS, BOARD)
    assert sight.pose is None
    assert {TroubleKind.DOUBLE, TroubleKind.APART} == kinds(sight)
    assert trouble(sight, TroubleKind.DOUBLE).ids == (NW, NE, SE, SW)


def test_marker_that_is_covered_a_little_is_measured_by_what_is_in_view(remembered):
    """It is still recognised, but one of its sides is somebody's thumb."""
    sheet = Sheet.of(BOARD)
    west, south = BOARD.places()[NE][3, :2]
    sheet.fill(west - 6.0, south - 6.0, 7.5, 36.0, (120, 150, 190))
    for memory in (None, remembered):
        sight = find(sheet.seen(AT), LENS, BOARD, memory)
        assert not sight.troubles
        assert sight.parts == (NE,)
        assert far(sight.pose, AT) < 0.4


@pytest.mark.parametrize(("off", "keeps"), [(0.03, True), (0.05, False)])
def test_a_marker_keeps_its_shape_if_no_corner_is_far_off(off, keeps):
    places = BOARD.places()
    corners = AT.project(LENS, places[NW])
    corners[0] += off * (corners[1] - corners[0])
    marker = Marker(NW, tuple(map(tuple, corners.tolist())))
    assert _keeps_shape(LENS, places, marker, AT) == keeps


# A bump


@pytest.mark.parametrize(("right", "down"), [(0.0, -1.5), (6.0, 9.0)])
def test_bump_is_noticed_and_the_new_pose_is_right(picture, remembered, right, down):
    sight = find(moved(picture, right, down), LENS, BOARD, remembered)
    assert kinds(sight) == {TroubleKind.BUMPED}
    assert trouble(sight, TroubleKind.BUMPED).px == pytest.approx(np.hypot(right, down), abs=0.2)
    there = AT.project(LENS, np.array([[112.0, 112.0, 0.0]])) + np.array([right, down])
    assert sight.pose.project(LENS, np.array([[112.0, 112.0, 0.0]])) == pytest.approx(there, abs=0.3)


# Paper and ink


def test_whites_are_those_of_the_paper(picture):
    sight = find(picture, LENS, BOARD)
    found = whites(picture, sight.markers)
    assert found.white.shape == found.black.shape == (16, 3)
    sides = [(one.array + np.roll(one.array, -1, axis=0)) / 2 for one in sight.markers]
    assert found.pixels == pytest.approx(np.concatenate(sides))
    assert np.abs(found.white - 254).max() < 4
    assert np.abs(found.black - 25).max() < 6
    blue = (picture * [0.9, 0.6, 0.4]).astype(np.uint8)
    assert found.white * [0.9, 0.6, 0.4] == pytest.approx(whites(blue, sight.markers).white, abs=2)


def test_whites_outside_the_picture_are_left_out(picture):
    (west, *_) = find(picture, LENS, BOARD).markers
    begin = int(west.array[:, 0].min()) + 3
    inside = Marker(west.id, tuple((x - begin, y) for x, y in west.corners))
    found = whites(np.ascontiguousarray(picture[:, begin:]), (inside,))
    assert 0 < len(found.white) < 4
    assert np.abs(found.white - 254).max() < 4
    assert whites(picture, ()).white.shape == (0, 3)


# Pictures of a table


SAMPLES = os.environ.get("PODESTA_VISION_SAMPLES")


@pytest.mark.pictures
@pytest.mark.skipif(not SAMPLES, reason="PODESTA_VISION_SAMPLES names no folder of sample pictures")
def test_samples():
    """Markers there are laid down some tenths of a mm off; ``tilt_deg`` is true to 0.05°."""
    off = []
    for file in sorted(Path(SAMPLES or "").glob("*.json")):
        truth = json.loads(file.read_text())
        picture = cv2.imread(str(file.with_name(truth["picture"])))
        camera = truth["camera"]
        size = picture.shape[1], picture.shape[0]
        lens = Lens(size, *(camera[name] for name in ("fx", "fy", "cx", "cy")), tuple(camera["dist"]))
        field = Field(*truth["field_mm"], truth["first_marker"], truth["marker_gap_mm"])
        sight = find(picture, lens, field)
        assert kinds(sight) <= {TroubleKind.FEW, TroubleKind.TURNED}, file.name
        off.append(sight.pose.elevation_deg - (90 - camera["tilt_deg"]))
    assert len(off) >= 28
    assert np.abs(off).max() < 0.25
    assert np.sqrt(np.mean(np.square(off))) < 0.1
