"""A lens is found again from pictures of the board; what is missing or wrong is said."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision import boards
from tests.vision.pictures import Sheet, pose, rays_of
from vision import calibrate as lens
from vision.calibrate import (
    BoardView,
    CalibrationRefused,
    Collection,
    FartherSide,
    PictureFault,
    Reason,
    calibrate,
    look,
    tilts,
)
from vision.field import Field


@pytest.fixture(scope="module")
def views():
    """Enough to calibrate by, as the pictures of :func:`tests.vision.boards.pictures` show them."""
    return projected(boards.SMALL, boards.poses())


def spoilt(views, change, *numbers):
    """A collection some views of which are changed: ``change(pixels, random)``."""
    random = np.random.default_rng(2)
    other = Collection()
    other.size = views.size
    for number, view in enumerate(views.views):
        pixels = change(view.pixels, random) if number in numbers else view.pixels
        other.views.append(replace(view, pixels=pixels))
    return other


def projected(of, poses):
    """A collection of views as they must be seen, without pictures, with a little noise."""
    corners = np.asarray(lens.board().getChessboardCorners(), float).reshape(-1, 3)
    where = np.column_stack([23.5 + corners[:, 0], 185 - corners[:, 1], np.zeros(len(corners))])
    random = np.random.default_rng(3)
    views = Collection()
    views.size = width, height = of.size
    for number, at in enumerate(poses):
        seen = at.project(of, where) + random.normal(0, 0.05, (54, 2))
        ids = np.nonzero(((seen > 5) & (seen < [width - 5, height - 5])).all(axis=1))[0]
        views.views.append(BoardView(str(number), corners[ids], seen[ids], tuple(ids.tolist())))
    return views


@pytest.mark.parametrize("k3", [0.0, 0.25])
def test_third_term_of_distortion_only_where_it_is_needed(k3):
    bent = replace(boards.SMALL, dist=(-0.2, 0.05, 0.0006, -0.0004, k3))
    found = calibrate(projected(bent, boards.poses()))
    assert found.rms_px < 0.1
    assert (found.lens.dist[4] == 0) == (k3 == 0)
    assert found.lens.fx == pytest.approx(bent.fx, rel=0.002)


@pytest.mark.pictures
def test_lens_is_found_again():
    views = Collection()
    assert {views.add(picture, str(number)) for number, picture in enumerate(boards.pictures())} == {None}
    assert not views.missing
    found = calibrate(views)
    assert found.rms_px < 0.1
    assert len(found.views) == 24
    assert not found.left_out
    x, y = np.meshgrid(np.linspace(0, 799, 9), np.linspace(0, 599, 7))
    pixels = np.stack([x.ravel(), y.ravel()], axis=1)
    rays = rays_of(boards.SMALL, pixels).reshape(-1, 1, 3)
    seen, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), found.lens.matrix, found.lens.coefficients)
    off = np.linalg.norm(seen.reshape(-1, 2) - pixels, axis=1)
    assert off.max() < 0.6
    assert np.median(off) < 0.3
    assert found.lens.fx == pytest.approx(boards.SMALL.fx, rel=0.002)


@pytest.mark.parametrize(
    "missing",
    [lens.Missing(1, (), ()), lens.Missing(0, ((2, 1),), ()), lens.Missing(0, (), (lens.FartherSide.TOP,))],
)
def test_any_view_part_or_side_may_be_missing(missing):
    assert missing
    assert not lens.Missing(0, (), ())


def test_nothing_yet_everything_missing():
    views = Collection()
    assert views.missing.views == lens.LEAST_VIEWS
    assert len(views.missing.parts) == 9
    assert set(views.missing.sides) == set(FartherSide)
    with pytest.raises(CalibrationRefused) as refused:
        calibrate(views)
    assert refused.value.reason is Reason.MISSING


def test_pictures_without_the_board_of_another_size_or_of_the_same_place_are_not_taken():
    views = Collection()
    assert views.add(np.full((600, 800, 3), 128, np.uint8)) is PictureFault.UNSEEN
    field = Field(150.0, 110.0, 0, 4.0)
    markers = Sheet.of(field).seen(pose(60, 10, 400, field.middle), boards.SMALL)
    assert views.add(markers) is PictureFault.UNSEEN
    assert views.add(boards.picture(0)) is None
    assert views.add(cv2.resize(boards.picture(1), (1280, 960))) is PictureFault.SIZE
    for px, found in ((13, PictureFault.SAME), (19, None)):
        assert views.add(np.roll(boards.picture(0), px, axis=1)) is found
    assert len(views.views) == 2


WHOLE = 4
"""Of the pictures one that shows the whole board."""


@pytest.mark.parametrize(
    ("kept", "fault"), [((9, 3), None), ((3, 3), PictureFault.UNSEEN), ((9, 2), PictureFault.UNSEEN)]
)
def test_enough_of_the_board_must_be_in_view(kept, fault):
    """Of one view so many columns and rows of corners are left, the rest is covered."""
    view = look(boards.picture(WHOLE))
    grid = view.pixels.reshape(6, 9, 2)
    columns, rows = kept
    hull = grid[:rows, :columns].reshape(-1, 2)
    middle, square = hull.mean(axis=0), np.linalg.norm(grid[0, 1] - grid[0, 0])
    outward = (hull - middle) / np.linalg.norm(hull - middle, axis=1, keepdims=True).clip(1)
    mask = np.zeros(boards.picture(WHOLE).shape[:2], np.uint8)
    reach = cv2.convexHull(np.round(hull + outward * 1.2 * square).astype(np.int32))
    cv2.fillConvexPoly(mask, reach, 255)
    picture = boards.picture(WHOLE).copy()
    picture[mask == 0] = 130
    assert Collection().add(picture) is fault


@pytest.mark.parametrize(
    ("azimuth", "side"),
    [(0, FartherSide.TOP), (180, FartherSide.BOTTOM), (90, FartherSide.LEFT), (-90, FartherSide.RIGHT)],
)
def test_tilts(azimuth, side):
    """The board lies flat, the camera comes from the side that is then nearer: the other is farther away."""
    middle = boards.A4[0] / 2, boards.A4[1] / 2
    # The picture stays upright to the board.
    tilted, straight = (pose(elevation, azimuth, 420, middle, -azimuth) for elevation in (60, 85))
    seen = [tilts(view, boards.SMALL) for view in projected(boards.SMALL, [tilted, straight]).views]
    assert seen == [(side,), ()]


def test_a_wide_lens_does_not_tilt_a_board_held_nearly_straight():
    """As it was with photographs: of eight views that counted as tilted to the left three were."""
    wide = replace(boards.SMALL, fx=380.0, fy=380.0)
    across = (90.0, 40.0, -40.0, -90.0, 0.0)
    others = [pose(60, turn, 260, (148 + 40 * n, 105), -turn) for n in (-1, 1) for turn in (0, 180, -90)]
    nearly = [pose(80, 90, 260, (148 + x, 105 + y), -90) for x in across for y in (-60.0, 60.0)]
    seen = projected(wide, [*others, *nearly])
    guessed = replace(wide, fx=720.0, fy=720.0)
    assert sum(FartherSide.LEFT in tilts(view, guessed) for view in seen.views) >= lens.LEAST_TILTED
    assert seen.missing.sides == (FartherSide.LEFT,)


def test_one_bad_view_is_left_out(views):
    worse = spoilt(views, lambda pixels, random: pixels + random.normal(0, 2, pixels.shape), 7)
    found = calibrate(worse)
    assert found.left_out == ("7",)
    assert found.rms_px < 0.1


@pytest.mark.parametrize(("bad", "left_out"), [(9, 9), (10, 0)])
def test_so_many_bad_views_that_too_few_would_be_left_stay(views, monkeypatch, bad, left_out):
    def solved(kept, *_):
        errors = np.where(np.arange(len(kept)) < (bad if len(kept) == len(views.views) else 0), 1.0, 0.1)
        return lens._Solved(boards.SMALL, 0.1, errors)

    monkeypatch.setattr(lens, "_solve", solved)
    monkeypatch.setattr(lens, "_calibrate_once", solved)
    assert len(views.views) == 24
    assert len(calibrate(views).left_out) == left_out


def test_too_large_an_error_is_refused(views):
    worse = spoilt(views, lambda pixels, random: pixels + random.normal(0, 0.6, pixels.shape), *range(24))
    with pytest.raises(CalibrationRefused) as refused:
        calibrate(worse)
    assert refused.value.reason is Reason.ERROR
    assert refused.value.rms_px > lens.MOST_RMS_PX
    assert len(refused.value.worst) == 3
    good = spoilt(views, lambda pixels, random: pixels + random.normal(0, 0.15, pixels.shape), *range(24))
    assert calibrate(good).rms_px < lens.MOST_RMS_PX


def test_cropped_pictures_are_refused(views):
    """As if the right and lower part of a larger picture had been cut off."""
    odd = Collection()
    odd.size = views.size
    odd.views = [replace(view, pixels=view.pixels + np.array([85.0, 0.0])) for view in views.views]
    assert not odd.missing
    with pytest.raises(CalibrationRefused) as refused:
        calibrate(odd)
    assert refused.value.reason is Reason.ODD


def test_boards_seen_straight_are_refused(views, monkeypatch):
    """What is missing is asked for first; without that the doubt about the focal length stops it."""
    monkeypatch.setattr(lens, "LEAST_TILTED", 0)
    flat = projected(
        boards.SMALL,
        [
            pose(81.0, 0, 340.0, (boards.A4[0] / 2 - across, boards.A4[1] / 2 - up))
            for across in (-110.0, -55.0, 0.0, 55.0, 110.0)
            for up in (-75.0, -25.0, 25.0, 75.0)
        ],
    )
    assert not flat.missing
    with pytest.raises(CalibrationRefused) as refused:
        calibrate(flat)
    assert refused.value.reason is Reason.LOOSE


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        ({"fy": 630.0}, Reason.ODD),
        ({"cy": 230.0}, Reason.ODD),
        ({"cx": 470.0, "cy": 250.0, "fy": 650.0}, None),
    ],
)
def test_a_lens_that_this_model_does_not_describe_is_refused(views, monkeypatch, odd, reason):
    """Proportions more than a twentieth off, a middle more than a tenth."""
    found = lens._Solved(replace(boards.SMALL, **odd), 0.1, np.full(len(views.views), 0.1))
    monkeypatch.setattr(lens, "_solve", lambda *_: found)
    monkeypatch.setattr(lens, "_calibrate_once", lambda *_: found)
    if reason is None:
        assert calibrate(views).lens == found.lens
    else:
        with pytest.raises(CalibrationRefused) as refused:
            calibrate(views)
        assert refused.value.reason is reason
