import cv2
import numpy as np
import pytest

from engines.torres.cells import NUMBERS
from tests.vision.torres.tables import BEFORE, COPY, FIELD, LENS, POSE, changed, coloured, picture, scene
from vision import painter
from vision.lens import Lens
from vision.torres import Coloured
from vision.torres.reading import BoardScene, crop, read


def names(cells):
    return {f"{'abcdefgh'[cell % 8]}{cell // 8 + 1}" for cell in cells}


TURNS = {
    "a block on the ground": changed(BEFORE, {"e4": 1}),
    "a block on a stack": changed(BEFORE, {"d5": 1, "c6": 3}),
    "a block taken away": changed(BEFORE, {"c3": 2}),
    "a block moved": changed(BEFORE, {"h4": 0, "f4": 1}),
    "two blocks on one space": changed(BEFORE, {"e4": 2}),
    "a knight moved": changed(BEFORE, {}, {"h5": None, "h4": "blue"}),
    "a knight from the board onto a stack": changed(BEFORE, {}, {"d1": None, "d3": "red"}),
    "a knight entered": changed(BEFORE, {}, {"g8": "yellow"}),
    "a knight changed for another": changed(BEFORE, {}, {"h5": "green"}),
    "the king moved": changed(BEFORE, {}, {"f3": None, "g4": "king"}),
    "the king and a knight changed places": changed(BEFORE, {}, {"f3": "yellow", "f2": "king"}),
    "a block under a knight": changed(BEFORE, {"h5": 2}),
    "three blocks and a knight": changed(BEFORE, {"e4": 1, "b6": 2, "h4": 2}, {"h5": None, "h4": "blue"}),
}


QUICK = {"the king and a knight changed places", "three blocks and a knight"}


def turns():
    """All of them; in `make test` a few of each kind."""
    for name, after in TURNS.items():
        yield pytest.param(after, id=name, marks=() if name in QUICK else pytest.mark.pictures)


@pytest.mark.parametrize("after", [*turns()])
def test_a_turn_changes_what_it_changed(after):
    reading = read(scene(after, BEFORE))
    assert reading.best == after, reading.best.differences(after)
    assert names(reading.doubted) == set()


def test_a_space_is_tried_with_a_block_less_and_two_more():
    _, options = scene(BEFORE, BEFORE).searched()
    for name, heights in (("c3", {2, 3, 4, 5}), ("d1", {0, 1, 2, 3}), ("e4", {0, 1, 2})):
        assert {one.spot[0] for one in options[NUMBERS[name]]} == heights


def test_a_stack_that_grew_by_more_than_a_turn_adds_is_read_as_high_as_it_is():
    """Tried with fewer blocks alone, it leaves the others to the space behind it."""
    after = changed(BEFORE, {"e4": 5})
    assert read(scene(after, BEFORE)).best == after


@pytest.mark.pictures
def test_any_light_reads_the_same():
    after = TURNS["three blocks and a knight"]
    shown = picture(after)
    for light in ((1.3, 1.3, 1.3), (0.6, 0.6, 0.6), (0.7, 0.9, 1.0), (1.0, 0.95, 0.8)):
        lit = np.clip(shown * np.array(light), 0, 255).astype(np.uint8)
        assert read(BoardScene.of(lit, LENS, POSE, COPY, BEFORE)).best == after, light


@pytest.mark.pictures
@pytest.mark.parametrize("azimuth", [-160.0, 110.0])
@pytest.mark.parametrize("elevation", [52.0, 66.0])
def test_from_any_side_the_same(azimuth, elevation):
    after = changed(coloured("......1./........///...1....//.1....../...2.... a=g1 b=b7 king=d8"), {"d5": 2})
    pose = painter.looking(FIELD, elevation, azimuth, 520.0)
    assert read(scene(after, changed(after, {"d5": 1}), pose)).best == after


def covered(shown, cell, colour, across=70):
    """The picture with something over a space."""
    view = scene(BEFORE)
    spot = np.array([[(cell % 8 + 0.5) * COPY.cell_mm, (7.5 - cell // 8) * COPY.cell_mm, 10.0]])
    x, y = POSE.project(LENS, spot)[0].round().astype(int)
    noise = np.random.default_rng(5).normal(0, 12, (across, across, 3))
    patched = shown.copy()
    half = across // 2
    patched[y - half : y + half, x - half : x + half] = np.clip(np.array(colour) + noise, 0, 255)
    assert view.canvas.seen.any()
    return patched


@pytest.mark.parametrize(
    "colour",
    [
        (60, 60, 60),
        *(pytest.param(each, marks=pytest.mark.pictures) for each in ((140, 160, 200), (150, 60, 150))),
    ],
)
def test_a_covered_space_is_not_known(colour):
    """A hand, a sleeve or a cup over a space: unknown or doubted, never quietly the same or another."""
    cell = NUMBERS["e5"]
    shown = covered(picture(BEFORE), cell, colour)
    reading = read(BoardScene.of(shown, LENS, POSE, COPY, BEFORE))
    assert not reading.clear
    near = {cell, cell - 8, cell + 8, cell - 1, cell + 1, cell - 9, cell - 7}
    assert near & (reading.unknown | reading.doubted)


@pytest.mark.pictures
def test_a_photograph_behind_the_markers_is_no_board():
    """As it was with photographs: blocks up to nine high were invented. Painted here as patches of colour."""
    random, side = np.random.default_rng(1), 600
    photo = np.full((side, side, 3), random.integers(40, 220, 3), np.uint8)
    for _ in range(60):
        at, size = random.integers(0, side, 2).tolist(), random.integers(20, 160, 2).tolist()
        cv2.ellipse(photo, at, size, random.uniform(0, 180), 0, 360, random.integers(20, 235, 3).tolist(), -1)
    corners = np.array([(0, 1, 0), (1, 1, 0), (1, 0, 0), (0, 0, 0)]) * (8 * COPY.cell_mm)
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    to = cv2.getPerspectiveTransform(square, POSE.project(LENS, corners).astype(np.float32))
    shown = picture(BEFORE).copy()
    size = shown.shape[1], shown.shape[0]
    there = cv2.warpPerspective(np.ones((side, side), np.uint8), to, size) > 0
    shown[there] = cv2.warpPerspective(photo, to, size)[there]
    assert read(BoardScene.of(shown, LENS, POSE, COPY, BEFORE)).unknown == frozenset(range(64))


def test_what_stacks_hide_is_told():
    before = coloured("////.......1/...5..../...4..../ king=d6")
    reading = read(scene(before, before, painter.looking(FIELD, 52.0, 0.0, 520.0)))
    assert reading.best == before
    assert NUMBERS["d4"] in reading.hidden
    assert not {NUMBERS["a1"], NUMBERS["h8"]} & reading.hidden
    assert reading.clear
    with_block = changed(before, {"d4": 1})
    assert with_block in dict(reading.alternatives)


@pytest.mark.pictures
def test_without_a_layout_before():
    after = coloured("......1./..2...../..1...../....11../...1....//.1....../...2.... a=g1 b=b7 d=f4 king=d8")
    reading = read(scene(after))
    assert reading.best == after, reading.best.differences(after)
    assert not reading.unknown


@pytest.mark.pictures
@pytest.mark.parametrize(
    ("elevation", "azimuth", "text"),
    [
        (59.1, -29.1, "...21/.....1/....111/....1..1/12...1.1/..11.1/...1/....1 a=c5 b=d3 c=e7,f8 king=f6"),
        (
            63.9,
            -21.1,
            "...1.11/..2..12/.12..2.1/..1.2.31/12.22/1.21.111/..1.1/....11 a=e6 b=e4,f4 c=b7 king=f6",
        ),
    ],
    ids=["a pale king on a single block", "stacks that show where others would"],
)
def test_without_a_layout_before_all_changes_that_gain_are_found(elevation, azimuth, text):
    after = coloured(text)
    reading = read(scene(after, pose=painter.looking(FIELD, elevation, azimuth, 520.0)))
    assert reading.best == after, names(reading.best.differences(after))


def test_a_crop_shows_its_space():
    view = scene(BEFORE, BEFORE)
    for cell in (0, 18, 37, 63):
        part = crop(view, cell)
        middle = np.array([[(cell % 8 + 0.5) * COPY.cell_mm, (7.5 - cell // 8) * COPY.cell_mm, 0.0]])
        x, y = POSE.project(LENS, middle)[0].round().astype(int)
        whole = picture(BEFORE)
        assert min(part.shape[:2]) > 40
        assert part.shape[0] * part.shape[1] < whole.shape[0] * whole.shape[1] / 20
        assert (part == whole[y, x]).all(-1).any()


def test_a_picture_of_another_size_is_refused():
    with pytest.raises(ValueError, match="640 x 480"):
        BoardScene.of(np.zeros((480, 640, 3), np.uint8), LENS, POSE, COPY)


# Pictures of a table


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("before", [BEFORE, None])
def test_what_lies_beyond_the_picture_is_hidden_and_the_rest_is_read(before):
    lens = Lens((1280, 960), 1065.0, 1065.0, 1180.0, 480.0)
    stands = before or Coloured()
    shown = painter.noisy(painter.board(painter.PaintedView(lens, POSE, FIELD), stands, COPY), 1)
    reading = read(BoardScene.of(shown, lens, POSE, COPY, before))
    assert reading.best == stands
    assert NUMBERS["h1"] in reading.hidden
    assert NUMBERS["a8"] not in reading.hidden
