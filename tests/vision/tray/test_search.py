"""Finding pieces: on plans made by hand and on painted trays."""

import math
from functools import lru_cache
from itertools import combinations

import cv2
import numpy as np
import pytest
from msgspec import structs

from tests.vision.tray.painted import FIELD, KESHI, tray, view
from vision.field import find
from vision.tray.floor import weigh_evidence
from vision.tray.paint import find_brightest, measure_paint
from vision.tray.plan import Caster, PrismPlace
from vision.tray.reading import look
from vision.tray.search import _find_shadows, _Search, search
from vision.tray.table import FINE, NARROW, WIDE, EvidenceTable, FoundPlace


def looked(pieces, elevation=80.0):
    return _looked(tuple(pieces), elevation)


@lru_cache
def _looked(pieces, elevation):
    seen = view(elevation)
    picture = tray(seen, pieces)
    sight = find(picture, seen.lens, seen.field)
    return look(picture, seen.lens, FIELD, sight, sight.pose, KESHI)


def on_table(got):
    return EvidenceTable(got.seen, got.caster, weigh_evidence(got.seen), got.seen.edge)


@pytest.mark.parametrize("elevation", [72, 88])
def test_flat_and_side_are_told_apart(elevation):
    got = looked([("red", 40, 60, False, 30), ("green", 140, 90, True, 0)], elevation)
    flats = {one.place.flat: one for one in got.finding.found if one.score > 1}
    assert set(flats) == {True, False}
    assert [paint.flat for paint in got.measure_paints()] == [thing.place.flat for thing in got.things]
    assert flats[True].place.x_mm == pytest.approx(140, abs=1)
    assert flats[False].place.turn % math.pi == pytest.approx(math.radians(30), abs=0.15)


def test_a_place_off_the_floor_does_not_fit():
    got = looked([])
    table = on_table(got)
    for x, y in ((4.4, 70), (175.6, 70), (90, 4.4), (90, 139.9)):  # the north is open
        assert table.fits(PrismPlace(x, y, True, 0))
    for x, y in ((4.2, 70), (175.8, 70), (90, 4.2), (90, 140.1)):
        assert not table.fits(PrismPlace(x, y, True, 0))
        found = table.score(PrismPlace(x, y, True, 0))
        assert found.visible < 0.9
        parts = found.inside + 0.8 * found.outline - 0.5 * found.outside
        assert found.score == pytest.approx(parts * math.sqrt(found.visible))


def test_clear_pieces_on_a_light_floor_need_no_faint_edges():
    got = looked([("red", 60, 60, False, 30), ("green", 150, 100, True, 0)])
    seen = structs.replace(got.seen, light=0.8, faint=np.zeros_like(got.seen.faint))
    assert [one.score > 1 for one in search(seen, got.caster).found] == [True, True]


def test_what_lies_between_pieces_has_no_outline_of_its_own():
    pieces = [("red", 60, 60, True, 0), ("green", 82, 60, True, 0)]
    got = looked([*pieces, ("yellow", 120, 60, False, 20)])
    table = on_table(got)
    others = [one for one in got.finding.found if one.score > 1]
    assert len(others) == 3
    between = table.assess(PrismPlace(71, 60, True, 0), others)
    assert between.outline > between.own + 0.1
    assert between.own < 0.1
    assert min(one.own for one in others) > 0.3


def test_a_stamp_has_a_line_just_within_and_a_ring_a_pixel_away():
    table = on_table(looked([]))
    stamp = table._stamp(PrismPlace(90, 70, False, 0.3))
    within, away = (cv2.distanceTransform(part, cv2.DIST_C, 3) for part in (stamp.mask, 1 - stamp.mask))
    assert ((within == 1) == (stamp.line > 0)).all()
    assert ((away == 2) == (stamp.ring > 0)).all()


@pytest.mark.parametrize(("x", "y"), [(-3, 70), (183, 70), (90, -3), (90, 143)])
def test_a_stamp_that_the_plans_edge_cuts_is_not_moved(x, y):
    table = on_table(looked([]))
    cut, whole = (table._stamp(PrismPlace(*at, True, 0.3)) for at in ((x, y), (90, 70)))
    for east, north in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        assert table._move(cut, east, north) is None
        moved = table._move(whole, east, north)
        assert (moved.row, moved.column) == (whole.row - north, whole.column + east)


def test_the_foot_of_a_wall_is_a_pixel_wide_on_every_side():
    table = on_table(looked([]))
    inner = cv2.distanceTransform(table.seen_floor.astype(np.uint8), cv2.DIST_C, 3) > 1
    assert (inner == (table.floor > 0)).all()


def test_how_else_a_piece_may_lie_on_its_place():
    """Flat it has one way to lie, on its side as many as its eight corners let it turn."""
    ways = _Search._find_other_poses(PrismPlace(50, 60, True, 0.0))
    assert {(one.x_mm, one.y_mm, one.flat) for one in ways} == {(50, 60, False)}
    assert [one.turn for one in ways] == pytest.approx(np.arange(8) * math.pi / 8)
    flat, *turned = _Search._find_other_poses(PrismPlace(50, 60, False, 0.3))
    assert flat.flat
    assert [one.flat for one in turned] == [False] * 3
    assert [one.turn - 0.3 for one in turned] == pytest.approx([math.pi / 4, math.pi / 2, 3 * math.pi / 4])


def test_the_best_start_is_gone_into_and_none_that_cannot_come_to_the_least():
    got = looked([("red", 60, 60, False, 30)])
    search = _Search(on_table(got), ~got.seen.bare)
    right, beside, bare = (PrismPlace(x, 60, False, math.radians(30)) for x in (60, 62, 120))
    best = search._find_closest([bare, beside, right], 0.5)
    assert best.score > 1
    assert math.hypot(best.place.x_mm - 60, best.place.y_mm - 60) < 0.6
    assert search._find_closest([bare], 0.5) is None
    assert search._find_closest([], 0.5) is None
    assert search._find_closest([beside], 9.0) is None
    assert search._find_closest([PrismPlace(60, 60, True, 0.0), right], 0.5).place.flat is False
    assert search.take([right], 9.0)[0].score > 1


@pytest.mark.parametrize(
    ("apart", "score", "every", "laid"),
    [(18.5, 1.1, False, 2), (19, 1.1, False, 0), (19, 0.9, False, 2), (19, 1.1, True, 2)],
)
def test_pieces_that_touch_or_are_doubtful_are_laid_down_again(apart, score, every, laid):
    got, freed = looked([]), []
    search = _Search(on_table(got), ~got.seen.bare)
    search.table.free = lambda place, others: freed.append(place)
    search.table.look_near = search._find_closest = lambda *_: None
    found = [FoundPlace(PrismPlace(x, 60, True, 0.0), score) for x in (60, 60 + apart)]
    search.lay_again(found, every)
    assert len(freed) == laid


@pytest.mark.parametrize(
    ("east", "north", "turn"), [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
)
def test_a_close_look_goes_whichever_way_is_better(east, north, turn):
    """A picture of which one place alone is right, so that only the way straight to it helps."""
    table = on_table(looked([]))
    start = PrismPlace(60.0, 60.0, False, 0.5)
    wanted = PrismPlace(60.0 + 0.4 * east, 60.0 + 0.4 * north, False, 0.5 + math.radians(4) * turn)

    def scored(place, stamp=None):
        away = abs(place.x_mm - wanted.x_mm) + abs(place.y_mm - wanted.y_mm) + abs(place.turn - wanted.turn)
        return FoundPlace(place, float(away < 1e-6))

    table.score = table._rate = scored
    found = table.look_near(start, NARROW).place
    assert (found.x_mm, found.y_mm, found.turn) == pytest.approx((wanted.x_mm, wanted.y_mm, wanted.turn))


@pytest.mark.parametrize(("steps", "mm"), [(WIDE, 2.4), (NARROW, 0.8), (FINE, 0.4)])
def test_a_close_look_goes_two_steps_of_each_width(steps, mm):
    table = on_table(looked([]))
    table.score = table._rate = lambda place, stamp=None: FoundPlace(place, place.x_mm)
    found = table.look_near(PrismPlace(60.0, 60.0, False, 0.5), steps)
    assert found.place.x_mm == pytest.approx(60 + mm)


@pytest.mark.parametrize(
    ("rise", "depth", "tint"), [(-0.5, 0.5, [0.1, 0.1]), (-0.2, 0.25, None), (-2, 1.15, [0.1, 0.1])]
)
def test_only_deep_shadows_show_a_tint(rise, depth, tint):
    got = looked([])
    around = {"rise": np.full_like(got.seen.rise, rise), "off": np.full_like(got.seen.off, 0.1)}
    places = [PrismPlace(x, 60, True, 0.0) for x in (60, 120)]
    seen = structs.replace(got.seen, **around)
    found = _find_shadows(seen, got.caster, places)
    assert found == (pytest.approx(depth), tint if tint is None else pytest.approx(tint))
    assert _find_shadows(seen, got.caster, places[1:]) == (1.0, None)


@pytest.mark.parametrize(("close", "near"), [(None, 2), (FoundPlace(PrismPlace(60, 60, True, 0.0), 0.1), 1)])
def test_no_place_is_tried_twice(close, near):
    got = looked([("red", 60, 60, False, 30), ("green", 140, 90, True, 0)])
    search, tried = _Search(on_table(got), ~got.seen.bare), []
    search._look_at = lambda row, column, least: tried.append((row, column)) or close
    assert search._find_best(0.45) is None
    apart = [max(abs(a - c), abs(b - d)) for (a, b), (c, d) in combinations(tried, 2)]
    assert min(apart) == near + 1


def test_light_is_less_sure_at_a_piece_that_may_not_lie_where_it_was_found():
    got = looked([("red", 60, 60, False, 30)])
    (thing,), best = got.things, find_brightest(got.share, got.seen)
    sure, less = (
        measure_paint(got.share, got.seen, got.caster, structs.replace(thing, outline=edges), best)
        for edges in (0.9, 0.2)
    )
    assert less.unsure == pytest.approx(math.hypot(sure.unsure, 0.3))
    assert sum(sure.deep) < sum(sure.dull) < sum(sure.middle)


@pytest.mark.parametrize(
    ("near", "bare", "unsure", "middle"),
    [(0.2, True, 0.607, 0.8), (1.6, True, 0.0, 0.133), (0.01, True, 1.666, 2.0), (0.2, False, 0.3, 0.2)],
)
def test_a_piece_is_judged_in_the_light_of_the_floor_beside_it(near, bare, unsure, middle):
    got = looked([("red", 60, 60, True, 0)])
    floor, thing = structs.replace(got.seen, bare=np.full_like(got.seen.bare, bare)), got.things[0]
    rows, columns = np.indices(floor.plan.shape)
    x, y = floor.plan.find_mm(columns, rows)
    away = np.hypot(x - 60, y - 60)
    share = np.select([away < 6, away < 12], [np.float32(0.2), np.float32(near)], np.float32(0.8))
    found = measure_paint(np.dstack([share] * 3), floor, got.caster, thing, np.full(3, 0.8))
    assert found.middle == pytest.approx((middle,) * 3, rel=0.01)
    assert found.unsure == pytest.approx(unsure, abs=0.01)


def test_a_piece_whose_upper_faces_are_out_of_view_shows_the_paint_of_the_others():
    got = looked([("red", 60, 60, False, 30)])
    south, share = Caster(got.seen.plan, KESHI, np.array([60.0, -900.0, 100.0])), np.full_like(got.share, 0.3)
    hidden = FoundPlace(PrismPlace(60, 140, True, 0.0), 1.0)
    assert not south.draw_upper(hidden.place).mask.any()
    assert measure_paint(share, got.seen, south, hidden, np.ones(3)).middle == pytest.approx((1,) * 3)


def test_a_paint_is_told_by_the_dark_the_darker_half_and_the_middle():
    got = looked([("red", 60, 60, False, 30)])
    unlit = structs.replace(got.seen, bare=~got.seen.floor & got.seen.floor)
    share = np.random.default_rng(1).random(got.seen.plan.shape).astype(np.float32)
    found = measure_paint(np.dstack([share] * 3), unlit, got.caster, got.things[0], np.ones(3))
    assert (found.deep[0], found.dull[0], found.middle[0]) == pytest.approx((0.09, 0.25, 0.5), abs=0.03)


def test_no_more_is_tried_or_taken_than_a_tray_may_hold():
    search, tried = _Search(on_table(looked([])), np.ones(looked([]).seen.plan.shape, bool)), []
    search._look_at = lambda *at: tried.append(at)
    assert search._find_best(-99.0) is None
    assert len(tried) == 120
    search._find_best = lambda least: FoundPlace(PrismPlace(90, 70, True, 0.0), 1.0)
    assert len(search.take([], 0.0)) == 60


@pytest.mark.parametrize(("least", "asked"), [(1.29, [1.14]), (1.31, [])])
def test_only_a_promising_start_is_gone_into(least, asked):
    search, told = _Search(on_table(looked([])), looked([]).seen.bare), []
    search.table.score = lambda place: FoundPlace(place, 1.0)
    search.table.look_near = lambda start, least: told.append(least)
    assert search._find_closest([PrismPlace(90, 70, True, 0.0)], least) is None
    assert told == pytest.approx(asked)


def test_a_floor_without_any_light_makes_no_paint_of_it():
    got = looked([("red", 60, 60, False, 30)])
    dark = np.zeros_like(got.share), got.seen, got.caster, got.things[0], np.zeros(3)
    assert measure_paint(*dark).middle == (0, 0, 0)
