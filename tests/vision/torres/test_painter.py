from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.torres.cells import CELLS, NUMBERS
from tests.vision.torres.tables import COPY, LENS, POSE
from vision.lens import Lens
from vision.pose import Pose
from vision.torres import DOOR, LEVELS, Coloured, CopySizes, block_corners, centre_mm, door_corners, rings
from vision.torres import painter as p
from vision.torres.held import KING, KNIGHT
from vision.torres.painter import Canvas, PaintedStand


@pytest.fixture(scope="module")
def canvas():
    return p.canvas(LENS, POSE, COPY)


def painted(canvas, layout):
    labels = np.zeros(canvas.shape[0] * canvas.shape[1], np.int16)
    canvas.paint(list(layout.heights), p.stands(layout), labels)
    return labels


def test_a_copy_whose_blocks_do_not_fit_is_refused():
    with pytest.raises(ValueError, match="do not fit"):
        CopySizes(20.0, (22.0, 19.0, 15.0))
    with pytest.raises(ValueError, match="do not fit"):
        CopySizes(20.0, (19.0, 19.0, 0.0))
    assert CopySizes(20.0, (20.0, 20.0, 15.0))


@pytest.mark.parametrize(("off_mm", "label"), [(p.AROUND_MM - 2, p.AROUND), (p.AROUND_MM + 2, p.BEYOND)])
def test_what_lies_around_the_field_has_a_label_of_its_own(canvas, off_mm, label):
    side = COPY.cell_mm * 8
    beside = np.array([(-off_mm, side / 2, 0), (side / 2, side + off_mm, 0), (side + off_mm, side / 2, 0)])
    at = np.round(canvas._shrink_points(beside) - canvas.origin).astype(int)
    assert [canvas.empty[y, x] for x, y in at] == [label] * 3


@pytest.mark.parametrize(
    ("heights", "pieces"),
    [
        (bytes(63), ()),
        (bytes([13, *bytes(63)]), ()),
        (bytes(64), ((5, "red"), (4, "blue"))),
        (bytes(64), ((64, "red"),)),
    ],
)
def test_a_layout_no_board_can_show_is_refused(heights, pieces):
    with pytest.raises(ValueError, match=r"heights|rising"):
        Coloured(heights, pieces)


@given(st.lists(st.integers(0, 8), min_size=64, max_size=64))
def test_every_layout_labels_the_same_pixels(heights):
    """Whatever stands there, each pixel that counts shows one thing: no layout can leave pixels out."""
    canvas = p.canvas(LENS, POSE, COPY)
    labels = painted(canvas, Coloured(bytes(heights)))
    assert labels.min() >= 0
    assert labels.max() < p.LABELS
    assert np.array_equal(p.canvas(LENS, POSE, COPY).seen, canvas.seen)


def test_sides_that_face_away_are_not_painted(canvas):
    """The camera stands in the south-east: no block shows its north side, none west of it its west side."""
    labels = painted(canvas, Coloured(bytes([3] * 64)))
    sides = p.KIND[labels[labels >= p.FACES]] - p.SIDE
    assert not np.isin(sides, [2]).any()
    east = POSE.camera_mm[0]
    for cell in range(CELLS):
        west = p.side_of(cell, 2, 3)
        if centre_mm(COPY, cell)[0] < east:
            assert not np.any(labels == west)


def test_the_plainest_pieces_are_a_knight_and_the_king():
    assert [p.COLOURS[stand.colour] == "king" for stand in (KNIGHT, KING)] == [False, True]


def test_each_block_shows_its_southern_door(canvas):
    cell, south = NUMBERS["e4"], 0
    stack = canvas.column(cell, 3)
    shown = dict(zip(stack.pixels.tolist(), stack.labels.tolist(), strict=True))
    middles = door_corners(block_corners(COPY))[cell, :3].mean(axis=2)[:, south]
    places = (POSE.project(LENS, middles) + 0.5) / canvas.shrink - 0.5 - canvas.origin
    labels = [shown[y * canvas.shape[1] + x] for x, y in places.round().astype(int).tolist()]
    assert labels == [p.DOOR] * 3


def test_a_door_stands_in_the_middle_of_each_of_the_four_sides():
    corners = block_corners(COPY)[5, 2]
    half = DOOR[0]
    for side, door in enumerate(door_corners(block_corners(COPY))[5, 2]):
        wall = corners[(side + 1) % 4] - corners[side]
        along = (door - corners[side]) @ wall / (wall @ wall)
        assert along == pytest.approx([0.5 - half, 0.5 + half, 0.5 + half, 0.5 - half])


@pytest.mark.parametrize("colour", [0, 4])
def test_a_piece_shows_from_ring_to_ring(canvas, colour):
    foot = (*centre_mm(COPY, NUMBERS["e4"]), 0.0)
    ring = rings(p.COLOURS[colour], foot)
    places = (POSE.project(LENS, ring.reshape(-1, 3)) + 0.5) / canvas.shrink - 0.5 - canvas.origin
    shown = np.zeros(canvas.shape, np.uint8)
    fixed = np.round(places * 16).astype(np.int32).reshape(*ring.shape[:2], 2)
    for lower, upper in pairwise(fixed):
        cv2.fillConvexPoly(shown, cv2.convexHull(np.concatenate([lower, upper])), 1, cv2.LINE_8, 4)
    mine = canvas.piece(NUMBERS["e4"], 0, PaintedStand(colour)).pixels
    assert len(np.setxor1d(mine, np.flatnonzero(shown))) < 0.01 * len(mine)


@pytest.mark.parametrize("height", [0, 4])
def test_a_space_reaches_wherever_its_stack_or_a_piece_on_it_shows(canvas, height):
    """And little farther."""
    for cell in range(CELLS):
        stamps = [canvas.column(cell, height).pixels] if height else []
        pieces = [canvas.places(cell, height, PaintedStand(colour)).ravel() for colour in (0, 4)]
        reach, shown = set(canvas.reach(cell, height).pixels.tolist()), {*np.concatenate(stamps + pieces)}
        assert reach.issuperset(shown)
        assert len(reach) < (1.5 if height else 2.5) * len(shown)


def test_the_highest_stack_reaches_as_far_as_a_try_of_one_more(canvas):
    assert canvas.reach(NUMBERS["e4"], LEVELS + 1) is canvas.reach(NUMBERS["e4"], LEVELS)


def test_a_piece_aside_is_the_one_in_the_middle_moved(canvas):
    middle, *others = canvas.places(NUMBERS["e4"], 2, PaintedStand(0))
    assert middle.tolist() == canvas.piece(NUMBERS["e4"], 2, PaintedStand(0)).pixels.tolist()
    for place, pixels in enumerate(others, 1):
        stamp = canvas.piece(NUMBERS["e4"], 2, PaintedStand(0, place))
        y, x = np.divmod(pixels, canvas.shape[1])
        assert np.ptp(pixels - middle) == 0
        assert pixels.tolist() == stamp.pixels.tolist()
        assert (np.abs(np.subtract(stamp.box, (x.min(), y.min(), x.max(), y.max()))) <= 3).all()


@pytest.mark.parametrize("middle", [(1180.0, 900.0), (100.0, 60.0)])
def test_what_lies_beyond_the_picture_is_left_out(middle):
    """A stack shows as in a larger picture, as far as it is within; of a piece no more."""
    cx, cy = middle
    part = Canvas(Lens((1280, 960), 1065.0, 1065.0, cx, cy), POSE, COPY)
    whole = Canvas(Lens((3000, 3000), 1065.0, 1065.0, cx + 1000, cy + 1000), POSE, COPY)
    shift = np.array(part.origin) + 1000 // part.shrink - whole.origin

    def places(canvas, pixels):
        return np.column_stack([pixels % canvas.shape[1], pixels // canvas.shape[1]])

    for cell in range(CELLS):
        there = places(whole, whole.column(cell, 3).pixels) - shift
        there = there[((there >= 0) & (there < part.shape[::-1])).all(axis=1)]
        assert np.array_equal(places(part, part.column(cell, 3).pixels), there)
        pieces = [one.places(cell, 3, PaintedStand(0)) for one in (part, whole)]
        for mine, others in zip(*pieces, strict=True):
            free = {*map(tuple, (places(whole, others) - shift).tolist())}
            assert free.issuperset(map(tuple, places(part, mine).tolist()))


def test_larger_pictures_are_made_smaller():
    fine = LENS.__class__((2560, 1920), *(2 * x for x in (LENS.fx, LENS.fy, LENS.cx, LENS.cy)), LENS.dist)
    one, two = Canvas(LENS, POSE, COPY), Canvas(fine, POSE, COPY)
    assert two.shrink == 2 * one.shrink
    assert np.abs(np.subtract(one.shape, two.shape)).max() <= 2


def test_a_canvas_serves_until_the_camera_has_moved():
    def shifted(px):
        """The pose from which all shows so many px further right, at the middle's distance."""
        x, y, z = POSE.translation
        return Pose(POSE.rotation, (x + px * z / LENS.fx, y, z))

    canvas = p.canvas(LENS, POSE, COPY)
    assert p.canvas(LENS, shifted(0.3), COPY) is canvas
    assert p.canvas(LENS, shifted(1.0), COPY) is not canvas
    assert p.canvas(LENS, POSE, CopySizes(28.0, (26.0, 26.5, 15.0))) is not canvas
    assert p.canvas(LENS, POSE, COPY) is canvas


def test_a_twin_is_another_stack_whose_top_shows_at_nearly_the_same_place(canvas):
    tops = POSE.project(LENS, block_corners(COPY).reshape(-1, 3)).reshape(64, -1, 4, 2)
    pairs = 0
    for cell in range(64):
        for height in (1, 3):
            wide = np.linalg.norm(tops[cell, height, 1] - tops[cell, height, 0])
            for other, high in canvas.twins(cell, height):
                away = np.linalg.norm(tops[other, high].mean(0) - tops[cell, height].mean(0))
                assert other != cell
                assert 1 <= high <= p.TALL
                assert away < (p.TWIN + 0.02) * wide
                pairs += 1
    assert pairs > 64
