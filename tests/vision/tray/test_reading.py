"""Reading painted trays: what must not change a reading does not, and what changes it does."""

from itertools import product

import cv2
import numpy as np
import pytest
from msgspec import structs

from device.sensors.readers.tray import judge
from engines.marrakesh.pieces import COLOURS
from tests.vision.tray.painted import FIELD, FLOOR, KESHI, LENS, PAINTS, read, shown, tray, view
from tests.vision.tray.test_search import looked
from vision.field import FieldSight, find
from vision.tray import reading
from vision.tray.paint import Paint
from vision.tray.plan import PrismPlace
from vision.tray.reading import SeenPiece, TrayDoubt, TrayReading
from vision.tray.table import FoundPlace

PIECES = [
    ("turquoise", 40, 100, True, 10),
    ("red", 80, 110, False, 35),
    ("yellow", 91, 104, True, 0),
    ("purple", 120, 40, False, 80),
    ("green", 60, 50, False, 120),
    ("orange", 150, 95, True, 20),
    ("pink", 30, 30, False, 5),
    ("black", 105, 70, True, 40),
    ("gray", 140, 120, False, 60),
]
COUNTS = {name: 1 for name in COLOURS if name in {piece[0] for piece in PIECES}}
LIGHT_FLOOR, DARK_FLOOR = (0.72, 0.78, 0.8), (0.07, 0.064, 0.062)


@pytest.fixture(scope="module")
def plain():
    seen = view()
    return read(seen, tray(seen, PIECES))


def test_all_pieces_are_read(plain):
    assert plain.counts == COUNTS
    assert plain.doubts == ()


@pytest.mark.pictures
@pytest.mark.parametrize(("elevation", "azimuth"), [(72, 0), (86, 90)])
def test_from_where_it_is_looked_at_does_not_change_it(elevation, azimuth):
    seen = view(elevation, azimuth)
    assert read(seen, tray(seen, PIECES)).counts == COUNTS


@pytest.mark.pictures
def test_a_coloured_light_does_not_change_it():
    seen = view()
    picture = tray(seen, PIECES, light=0.7)
    linear = (picture / 255.0) ** 2.2 * [0.75, 1.0, 1.15]
    warm = (np.clip(linear, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
    assert read(seen, warm).counts == COUNTS


def test_a_piece_in_a_walls_shadow_is_judged_by_that():
    seen = view(86)
    pieces = [("gray", 60, 8, True, 0), ("white", 120, 8, True, 0), *PIECES[:6]]

    def shaded(picture):
        band = np.array([(0, 0, 0), (180, 0, 0), (180, 17, 0), (0, 17, 0)], float)
        mask = np.zeros(picture.shape[:2], np.float32)
        cv2.fillConvexPoly(mask, np.round(seen.pose.project(seen.lens, band)).astype(np.int32), (1.0,))
        shade = 1 - 0.45 * cv2.GaussianBlur(mask, (0, 0), 4)
        picture[:] = np.round(picture * shade[..., None])

    found = read(seen, tray(seen, pieces, extra=shaded))
    sure = {one.colour: max(one.colours) for one in found.pieces}
    assert found.counts == {name: 1 for name in COLOURS if name in {piece[0] for piece in pieces}}
    assert sure["white"] < 0.999 < sure["yellow"]


@pytest.mark.pictures
@pytest.mark.parametrize("floor", [LIGHT_FLOOR, DARK_FLOOR], ids=["light", "dark"])
def test_the_floors_colour_is_found_out(floor):
    seen = view()
    pieces = [piece for piece in PIECES if piece[0] not in {"black", "white"}]
    found = read(seen, tray(seen, pieces, floor=floor))
    assert found.counts == {name: 1 for name in COUNTS if name != "black"}
    assert (found.hidden[COLOURS.index("white")] > 0.5) == (floor == LIGHT_FLOOR)


@pytest.mark.parametrize(
    ("floor", "red", "found"),
    [(FLOOR, 0.1, 2), (LIGHT_FLOOR, 0.11, 2), (LIGHT_FLOOR, 0.08, 1)],
)
def test_a_piece_is_looked_for_until_it_hardly_differs_from_the_floor(monkeypatch, floor, red, found):
    mixed = (1 - red) * np.array(floor) + red * np.array(PAINTS["red"])
    monkeypatch.setitem(PAINTS, "mixed", tuple(mixed))
    seen = view()
    picture = tray(seen, [("mixed", 60, 60, True, 0), ("green", 140, 90, True, 0)], floor=floor)
    sight = find(picture, LENS, FIELD)
    assert len(reading.look(picture, LENS, FIELD, sight, sight.pose, KESHI).finding.found) == found


@pytest.mark.pictures
def test_pieces_in_the_towers_shadow_have_the_colours_of_the_others():
    seen = view()
    west = [("white", 40, 40, True, 0), ("gray", 40, 70, True, 0), ("beige", 40, 100, False, 20)]
    east = [(colour, 180 - x, y, flat, turn) for colour, x, y, flat, turn in west]

    def shade(picture):
        dark = 255 * ((picture[:, :640] / 255.0) ** 2.2 * 0.3) ** (1 / 2.2)
        picture[220:760, 340:640] = dark[220:760, 340:640].astype(np.uint8)

    found = read(seen, tray(seen, west + east, extra=shade))
    assert found.counts == {"white": 2, "gray": 2, "beige": 2}


def test_two_of_one_colour_that_touch_are_two():
    seen = view()
    pieces = [
        ("red", 60, 60, True, 0),
        ("red", 71.2, 60, True, 0),
        ("green", 100, 60, False, 0),
        ("green", 100, 71.2, False, 0),
    ]
    assert read(seen, tray(seen, pieces)).counts == {"green": 2, "red": 2}


@pytest.mark.parametrize("floor", [FLOOR, DARK_FLOOR], ids=["wood", "dark"])
def test_an_empty_tray_is_nothing_and_sure(floor):
    seen = view()
    found = read(seen, tray(seen, [], floor=floor))
    assert (found.counts, found.pieces, found.doubts, found.unseen) == ({}, (), (), 0.004)


@pytest.mark.parametrize(
    ("floor", "mixed", "unseen"), [(LIGHT_FLOOR, 0.5, 0.02), (FLOOR, 0.0, 0.004)], ids=["light", "wood"]
)
def test_what_hardly_stands_out_from_a_light_floor_may_be_white(monkeypatch, floor, mixed, unseen):
    monkeypatch.setattr(reading, "PIECE", (0.0, 0.0, 0.0))
    seen = view()
    found = read(seen, tray(seen, [("red", 60, 60, True, 0)], floor=floor))
    (red,) = [one for one in found.pieces if np.hypot(one.x_mm - 60, one.y_mm - 60) < 2]
    assert red.colours[COLOURS.index("white")] == pytest.approx(0.8 * mixed, abs=0.01)
    assert found.unseen == unseen


def cloth(reach):
    """A green cloth over the west of the tray, as far east as ``reach`` px."""

    def lay(picture):
        picture[250:720, 330:reach] = (60, 110, 60)

    return lay


def on_floor(**changes):
    """A change of the empty tray's floor, by the pixels where it happens."""

    def change(got, there):
        changed = {name: how(getattr(got.seen, name), there) for name, how in changes.items()}
        return structs.replace(got, seen=structs.replace(got.seen, **changed))

    return change


@pytest.mark.parametrize(
    ("doubt", "share", "change"),
    [
        (TrayDoubt.NO_FLOOR, 0.5, on_floor(floor=lambda floor, there: floor & ~there)),
        (TrayDoubt.NO_FLOOR, 0.6, on_floor(bare=lambda bare, there: bare & ~there)),
        (TrayDoubt.NO_FLOOR, 0.01, on_floor(sharp=lambda _, there: there.astype(np.float32))),
        (TrayDoubt.FOREIGN, 300 / (180 * 140), on_floor(strange=lambda _, there: there)),
        (
            TrayDoubt.GLARE,
            0.3,
            lambda got, there: structs.replace(got, flat=got.flat | np.uint8(255) * there[..., None]),
        ),
    ],
    ids=["out of view", "covered", "patterned", "foreign", "glare"],
)
def test_a_floor_is_doubted_from_its_share_on(doubt, share, change):
    got = looked([])
    anywhere = np.random.default_rng(1).random(got.seen.plan.shape)
    anywhere[got.seen.plan.mask_floor() == 0] = 1.0
    found = [change(got, anywhere < share * part).find_troubles() for part in (0.9, 1.1)]
    assert found == [(), (doubt,)]


@pytest.mark.parametrize(("doubt", "first", "side"), [(TrayDoubt.LEFT, 100, 12), (TrayDoubt.EDGE, 17, 7)])
def test_what_is_left_is_doubted_from_its_area_on(doubt, first, side):
    got, found = looked([]), []
    for wide in (side, side + 1):
        left = np.full_like(got.finding.left, 0.85)
        left[first : first + wide, first : first + wide] = 1.0
        found.append(structs.replace(got, finding=structs.replace(got.finding, left=left)).find_troubles())
    assert found == [(), (doubt,)]


@pytest.mark.parametrize(
    ("x", "own", "doubts"),
    [(5.5, 1.06, (TrayDoubt.EDGE,)), (6.5, 1.06, ()), (5.5, 1.17, ()), (5.5, 0.65, ())],
)
def test_a_thing_at_the_edge_is_doubted_if_it_may_be_a_piece_or_nothing(x, own, doubts):
    """The chances are 0.84, 0.95 and 0.05."""
    got = looked([])
    found = (FoundPlace(PrismPlace(x, 70, True, 0.0), 0.0, own=own),)
    assert structs.replace(got, finding=structs.replace(got.finding, found=found)).find_troubles() == doubts


def test_a_cloth_on_half_the_tray_is_doubted():
    seen = view()
    found = read(seen, tray(seen, [], extra=cloth(560)))
    assert TrayDoubt.FOREIGN in found.doubts
    assert found.unseen == 0.2


@pytest.mark.parametrize("tones", [(0.2, 0.5), (0.12, 0.7)])
def test_a_chequered_floor_is_no_empty_tray(tones):
    """As it was with photographs of other things: gray tones were taken for a floor and its shadows."""
    seen, side = view(), 40

    def squares(picture):
        for x, y in product(range(0, 180, side), range(0, 140, side)):
            ends = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
            corners = np.array([(min(east, 180), min(north, 140), 0.0) for east, north in ends])
            pixels = np.round(seen.pose.project(seen.lens, corners)).astype(np.int32)
            cv2.fillConvexPoly(picture, pixels, shown((tones[(x + y) // side % 2],) * 3))

    found = read(seen, tray(seen, [], extra=squares))
    assert TrayDoubt.NO_FLOOR in found.doubts


@pytest.mark.parametrize(("mixed", "doubts"), [(0.54, ()), (0.56, (TrayDoubt.STACKED,))])
def test_a_piece_of_two_colours_is_doubted(monkeypatch, mixed, doubts):
    seen, red = view(), (0.04, 0.04, 0.54)
    monkeypatch.setattr(reading, "measure_paint", lambda *_: Paint(red, red, red, mixed=mixed))
    assert read(seen, tray(seen, PIECES[1:2])).doubts == doubts


def test_a_thing_counts_if_it_is_rather_a_piece_than_none():
    red = tuple(float(name == "red") for name in COLOURS)
    assert TrayReading(tuple(SeenPiece(0, 0, red, chance) for chance in (0.51, 0.49)), 0).counts == {"red": 1}


@pytest.mark.parametrize(
    ("off", "own", "slots"), [(6.9, 1.06, {"b"}), (7.1, 1.06, set()), (6.9, 1.02, set())]
)
def test_a_sure_piece_near_a_slot_is_in_it(monkeypatch, off, own, slots):
    found = (FoundPlace(PrismPlace(60 + off, 60, True, 0.0), 0.0, own=own),)
    got = looked([])
    monkeypatch.setattr(
        reading, "look", lambda *_: structs.replace(got, finding=structs.replace(got.finding, found=found))
    )
    sight, places = FieldSight(view().pose), np.array([[30.0, 60], [60, 60]])
    assert set(reading.read_strip(None, LENS, FIELD, sight, KESHI, places, "ab")) == slots


def test_without_a_pose_nothing_is_said():
    picture = np.zeros((960, 1280, 3), np.uint8)
    found = reading.read(picture, LENS, FIELD, FieldSight(None), KESHI)
    assert found.doubts == (TrayDoubt.NO_POSE,)
    assert (found.counts, found.unseen) == ({}, 1.0)


def test_a_white_piece_on_a_light_floor_is_read_by_its_rim_and_not_surely():
    seen = view(86)
    pieces = [("white", 60, 60, True, 10), ("red", 120, 80, True, 0)]

    def flattened(picture):
        # The light comes from all sides: the white piece differs from the floor by a rim only.
        ((x, y),) = seen.pose.project(seen.lens, np.array([[60.0, 60.0, 8.0]]))
        away = np.hypot(*np.meshgrid(np.arange(1280) - x, np.arange(960) - y))
        around = np.array([picture[round(y), round(x) + 40]], np.float64)
        picture[away < 21] = np.round(around)
        picture[(away >= 15) & (away < 17)] = np.round(around * 0.93)

    found = read(seen, tray(seen, pieces, floor=(0.78, 0.8, 0.81), extra=flattened))
    assert found.counts == {"white": 1, "red": 1}
    assert 0.75 < found.pieces[1].chance < 0.9
    assert judge(found).why


@pytest.mark.parametrize(
    ("radius", "found", "doubts"), [(5, 0, ()), (10, 0, (TrayDoubt.LEFT,)), (12, 1, (TrayDoubt.STACKED,))]
)
def test_a_speck_is_nothing_and_more_is_doubted(radius, found, doubts):
    seen = view()
    picture = tray(seen, [], extra=lambda at: cv2.circle(at, (500, 480), radius, (60, 60, 190), -1))
    got = read(seen, picture)
    assert (len(got.pieces), got.doubts) == (found, doubts)


def test_a_piece_on_a_piece_is_doubted():
    seen = view()
    pieces = [("green", 60, 60, True, 0), ("orange", 100, 90, True, 0)]
    assert read(seen, tray(seen, pieces)).doubts == ()

    def second(picture):
        ((x, y),) = seen.pose.project(seen.lens, np.array([[64.0, 60.0, 12.0]]))
        cv2.circle(picture, (round(x), round(y)), 15, (40, 60, 190), -1, cv2.LINE_AA)

    assert read(seen, tray(seen, pieces, extra=second)).doubts
