from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from engines.torres.cells import NUMBERS
from tests.vision.torres.tables import BEFORE, COPY, LENS, POSE, changed, picture
from vision.torres import block_corners, colours, search
from vision.torres import evidence as judged
from vision.torres import painter as p
from vision.torres.evidence import Evidence


@pytest.fixture(scope="module")
def evidence():
    return seen(picture(BEFORE), BEFORE)


def seen(shown, layout):
    """The evidence of a picture whose colours are learnt with a layout."""
    canvas = p.canvas(LENS, POSE, COPY)
    small = canvas.picture(shown)
    pixels = colours.to_lab(small)
    empty = canvas.empty.ravel()
    labels = np.zeros(len(pixels), np.int16)
    canvas.paint(list(layout.heights), p.stands(layout), labels)
    first = colours.guess_palette(pixels, empty, colours.measure_light(small, empty))
    return Evidence(canvas, pixels, labels, colours.learn_palette(pixels, labels, first))


def held(evidence, layout):
    return search.LayoutSearch(evidence, search.spots_of(layout), lambda cell, spot: 0.0)


def worth(evidence, layout):
    return worth_of(evidence, evidence.whole(held(evidence, layout).labels))


def worth_of(evidence, explained):
    return float(explained.density.sum(dtype=float)) / evidence.alike + explained.price.sum()


def test_a_kinds_colour_is_learnt_and_how_far_its_pixels_stray():
    random = np.random.default_rng(1)
    labels = np.repeat([p.DOOR] * 20 + [p.ground_of(cell) for cell in range(64)], 60).astype(np.int16)
    pixels = np.array([50.0, 2.0, 12.0]) + random.normal(0, (2.6, 1.3, 1.6), (len(labels), 3))
    pixels[labels == p.DOOR] += 4 * (pixels[labels == p.DOOR] - (50.0, 2.0, 12.0))
    first = colours.guess_palette(pixels.astype(np.float32), np.zeros_like(labels), np.ones(3))
    found = colours.learn_palette(pixels.astype(np.float32), labels, first)
    assert found.middle[p.GROUND] == pytest.approx([50.0, 2.0, 12.0], abs=0.3)
    assert found.grain[p.GROUND] == pytest.approx([2.63, 1.32, 1.62], abs=0.1)
    assert found.middle[p.DOOR] == pytest.approx([50.0, 2.0, 12.0], abs=1.5)
    assert found.grain[p.DOOR] == pytest.approx([13.1, 6.6, 8.1], rel=0.1)
    assert (found.spread[p.GROUND] < first.spread[p.GROUND]).all()
    assert found.spread[p.GROUND] == pytest.approx([3.0, 0.8, 1.0])  # faces of one colour, still


@pytest.mark.parametrize(("faces", "taught"), [(2, False), (3, True)])
def test_three_faces_teach_a_kinds_colour(faces, taught):
    labels = np.repeat([p.ground_of(cell) for cell in range(faces)], 60).astype(np.int16)
    pixels = np.full((len(labels), 3), (50.0, 2.0, 12.0), np.float32)
    first = colours.guess_palette(pixels + 9.0, np.full_like(labels, p.AROUND), np.ones(3))
    known = pixels[0] if taught else pixels[0] + 9.0
    assert colours.learn_palette(pixels, labels, first).middle[p.GROUND] == pytest.approx(known)


def test_a_kind_that_is_not_shown_keeps_its_first_looks():
    labels = np.full(60, p.AROUND, np.int16)
    pixels = np.full((60, 3), (50.0, 2.0, 12.0), np.float32)
    first = colours.guess_palette(pixels, labels, np.ones(3))
    assert first.middle[p.GROUND] == pytest.approx([50.0, 2.0, 12.0])
    assert first.grain[p.GROUND] == pytest.approx([3.0, 1.5, 1.5])
    assert (first.middle[[p.DOOR, p.EDGE, p.LINE], 0] < first.middle[[p.TOP, p.TOP, p.GROUND], 0]).all()
    found = colours.learn_palette(pixels, labels, first)
    assert np.array_equal(found.grain[p.GROUND : p.SIDE + 4], first.grain[p.GROUND : p.SIDE + 4])


@pytest.mark.parametrize("shade", colours.SHADES)
def test_a_piece_is_as_likely_in_each_of_its_shades(shade):
    base, blur = colours.PAINTS[0], np.array([5.0, 3.0, 3.5])
    seen = colours._lab_of(base[None] * shade).T.astype(np.float32)
    most = -np.log(blur).sum() - 1.5 * np.log(2 * np.pi) - np.log(len(colours.SHADES) / 2)
    assert colours.rate_paint(seen, base, blur) == pytest.approx([most], abs=1e-3)


@pytest.mark.parametrize(
    "layout",
    [
        changed(BEFORE, {"a1": 7}),
        changed(BEFORE, {"e5": 1}, {"e5": "green", "f3": None}),
        changed(BEFORE, dict.fromkeys(("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1"), 6)),
    ],
)
def test_every_layout_is_judged_by_the_same_pixels(evidence, layout):
    """However much a layout covers, the pixels that have a price are all those that a board could reach."""
    judged = evidence.whole(held(evidence, layout).labels)
    assert np.array_equal(judged.density < 0, evidence.canvas.seen.ravel())
    assert np.isfinite(worth_of(evidence, judged))
    assert worth_of(evidence, judged) < worth(evidence, BEFORE)


def test_what_is_put_is_painted_and_judged_as_if_all_were_painted_anew(evidence):
    """Only the pixels around a space are painted again; what lies before and behind it stays right."""
    search_ = held(evidence, BEFORE)
    there = changed(BEFORE, {"c3": 4, "d5": 2, "h8": 1, "a1": 3}, {"f3": None, "e5": "green"})
    search_.hold(search.spots_of(there))
    anew = held(evidence, there)
    assert np.array_equal(search_.labels, anew.labels)
    assert np.array_equal(search_.front, anew.front)
    found, whole = search_.explained(), anew.explained()
    assert np.allclose(found.density, whole.density, rtol=0, atol=1e-3)
    assert np.allclose(found.price, whole.price, rtol=0, atol=1e-3)


def test_lines_edges_and_pieces_are_no_faces():
    """Else what they show would be judged again wherever anything changes."""
    assert np.flatnonzero(judged.faces_of(np.arange(p.FACES + 2))).tolist() == [p.FACES, p.FACES + 1]


@pytest.mark.parametrize("name", ["c3", "d1", "e4"])
def test_a_try_is_painted_as_the_layout_with_it(evidence, name):
    cell, search_ = NUMBERS[name], held(evidence, BEFORE)
    spots = [(0, None), (1, p.PaintedStand(2, 3)), (4, None), (2, p.PaintedStand(4))]
    patch = search.SpotSpace(search_, cell, range(5)).patch(spots)
    for spot, labels in zip(spots, patch.tries[1:], strict=True):
        search_.put(cell, spot)
        assert np.array_equal(labels, search_.labels[patch.at])


def test_a_piece_shows_in_its_own_pixels_that_nothing_nearer_covers(evidence):
    knight = NUMBERS["h5"]
    free = held(evidence, BEFORE)
    whole = free.canvas.piece(knight, *free.spot(knight)).pixels
    assert free.shows(knight) == len(whole)
    covered = held(evidence, changed(BEFORE, {"h6": 3})).shows(knight)
    assert 0 <= covered < free.shows(knight)
    assert free.shows(NUMBERS["e4"]) == np.inf


def test_a_row_of_stacks_that_show_at_one_place_is_short():
    """A top that is another's, and so on by equal steps, as far as there are stacks."""
    twins = {(20, 2): [(21, 4), (28, 5)], (28, 3): [(29, 1), (36, 6)], (36, 4): [(44, 7)], (44, 1): [(52, 8)]}
    heights = [0] * 64
    board = SimpleNamespace(heights=heights, canvas=SimpleNamespace(twins=lambda *at: twins.get(at, [])))
    assert search.LayoutSearch._find_row(board, 20, 28, 5) == [(28, 5)]
    heights[28] = 3
    assert search.LayoutSearch._find_row(board, 20, 28, 5) == [(28, 5), (36, 6)]
    heights[36] = 4
    assert search.LayoutSearch._find_row(board, 20, 28, 5) == [(28, 5), (36, 6), (44, 7)]
    heights[44] = 1
    assert search.LayoutSearch._find_row(board, 20, 28, 5) == [(28, 5), (36, 6), (44, 7)]
    heights[36] = 2
    assert search.LayoutSearch._find_row(board, 20, 28, 5) == [(28, 5), (36, 6)]


def test_the_spaces_around_one_reach_two_rows_and_one_column():
    assert search.neighbours(NUMBERS["a1"]) == {NUMBERS[name] for name in ("b1", "a2", "b2", "a3", "b3")}


def test_a_change_outdates_what_was_judged_by_the_pixels_it_paints(evidence):
    search_, near, far = held(evidence, BEFORE), NUMBERS["c4"], NUMBERS["h8"]
    search_.options([near, far], lambda cell: range(3))
    search_.put(NUMBERS["c3"], (5, None))
    assert search_.aged([near, far]) == [near]


@pytest.mark.parametrize(
    ("lead", "found"), [(1, [p.PaintedStand(2, 0)]), (-48, [p.PaintedStand(2, 0)]), (-56, [])]
)
def test_what_a_piece_explains_better_counts_twice_since_it_frees_the_faces_behind_it(lead, found):
    """A stack that is too far behind needs no piece."""
    fixed = np.full((p.PIECE + 4, 4), -40.0)
    fixed[p.PIECE + 2] = (-20.0, -39.0, -27.0, -30.0)
    board = SimpleNamespace(
        kings=False,
        visible=lambda _, pixels: np.ones(pixels.shape, bool),
        evidence=SimpleNamespace(fixed=fixed, alike=1.0, least=-200.0),
        canvas=SimpleNamespace(
            piece=lambda *_: SimpleNamespace(pixels=np.arange(4)),
            places=lambda *_: np.array([[0, 1], [2, 3]]),
        ),
        _density=np.full(4, -30.0),
    )
    assert search.LayoutSearch._find_welcome(board, SimpleNamespace(cell=0), 0, lead) == found


def test_what_a_change_outdates_is_judged_again_though_it_seemed_to_gain_nothing():
    """The second space gains only once the first is put right; once is enough."""
    spots, asked = dict.fromkeys(range(3), (0, None)), []

    def options(cells, _heights):
        asked.extend(cells)
        first, second = spots[0][0], spots[1][0]
        gains = {0: -9.0 if first else 9.0, 1: 5.0 if first and not second else -5.0, 2: -20.0}
        return {cell: [search.SpotOption(cell, (1, None), gains[cell], gains[cell])] for cell in cells}

    board = SimpleNamespace(options=options, spot=spots.get, put=spots.__setitem__, gained=0.0, aged=list)
    search.LayoutSearch.climb(board, lambda _: (0, 1), [*spots])
    assert ([*spots.values()], board.gained) == ([(1, None), (1, None), (0, None)], 14.0)
    assert len(asked) < 10


def test_a_stack_taken_for_one_behind_it_is_swapped_for_that(evidence):
    """No change of a single space leads there; the spaces around are put right with it."""
    search_ = held(evidence.thinned(3), changed(BEFORE, {"c4": 6, "b2": 0, "b3": 1}))

    def nearly(cell):
        return range(max(0, search_.heights[cell] - 1), search_.heights[cell] + 3)

    search_.climb(nearly, [NUMBERS["c4"], NUMBERS["b2"]])
    assert search_.layout() != BEFORE
    search_.swap(nearly)
    assert search_.layout() == BEFORE


@pytest.mark.parametrize(
    ("off", "usual"), [(-24.0, colours.SHADE_DARK), (-36.0, colours.SHADE_DARK), (27.0, colours.SHADE_BRIGHT)]
)
@pytest.mark.parametrize("stray", [0.0, 1.5])
def test_a_pixel_in_shadow_is_as_likely_as_its_light_and_hue_are(off, usual, stray):
    """Of a face, and of what lies around: the less likely the more its light and its hue are others."""
    canvas = p.canvas(LENS, POSE, COPY)
    labels = canvas.empty.ravel()
    first = colours.guess_palette(
        np.full((1, 3), (60.0, 3.0, 14.0), np.float32), np.array([p.AROUND]), np.ones(3)
    )
    pixels = np.tile(first.middle[p.GROUND], (len(labels), 1)).astype(np.float32)
    face = np.flatnonzero((labels == p.ground_of(NUMBERS["e4"])) & canvas.seen.ravel())
    around = np.flatnonzero(labels == p.AROUND)
    shaded = np.array([face[len(face) // 2], around[len(around) // 2]])
    pixels[shaded, 0] += off
    pixels[shaded, 1:] *= pixels[shaded, :1] / first.middle[p.GROUND, 0]
    pixels[shaded, 1] += stray * colours.SHADE_GRAIN
    grounds = Evidence(canvas, pixels, labels, first)
    share = colours.SHADE_SHARE / (colours.SHADE_DARK + colours.SHADE_BRIGHT)
    for grain, found in (
        (first.grain[p.GROUND, 1:], grounds.whole(labels).density[shaded[0]]),
        (
            np.array([1.0, 1.2]),
            colours._rate_surface(pixels.T.copy(), labels == p.AROUND, canvas.shape)[shaded[1]],
        ),
    ):
        hue = np.exp(-0.5 * (stray / grain[0]) ** 2) / (2 * np.pi * colours.SHADE_GRAIN**2 * grain.prod())
        assert found == pytest.approx(np.log(share * hue) - abs(off) / usual, abs=0.05)


@pytest.mark.parametrize("share", [0.4, 0.5, 0.6])
def test_a_top_half_in_shadow_stays_a_top(share):
    """Neither half is like the mean of both: the lighter one is the face, the other its shadow."""
    layout = changed(BEFORE, {}, {"c3": None})
    shown = picture(layout).astype(np.float64)
    corners = block_corners(COPY)[NUMBERS["c3"], 3]
    west, east = corners[[0, 3]], corners[[1, 2]]
    for end, tint in ((1.0, (0.7, 0.92, 1.0)), (share, (0.55, 0.55, 0.55))):
        part = np.concatenate([west, (west + end * (east - west))[::-1]])
        mask = np.zeros(shown.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(POSE.project(LENS, part)).astype(np.int32), 1)
        shown[mask > 0] *= tint
    search_ = held(seen(shown.astype(np.uint8), layout), layout)
    best, other = search_.options([NUMBERS["c3"]], lambda _: range(6))[NUMBERS["c3"]][:2]
    assert best.spot == (3, None)
    assert other.gain < -250  # -206 and more where the mean of both halves is the face


def test_a_face_is_as_most_of_it_is_lit():
    """A shadow that is more like the kind's usual colour makes its own part of the face no more likely."""
    canvas = p.canvas(LENS, POSE, COPY)
    labels = canvas.empty.ravel()
    first = colours.guess_palette(
        np.full((1, 3), (60.0, 3.0, 14.0), np.float32), np.array([p.AROUND]), np.ones(3)
    )
    pixels = np.tile(first.middle[p.GROUND], (len(labels), 1)).astype(np.float32)
    face = np.flatnonzero((labels == p.ground_of(NUMBERS["e4"])) & canvas.seen.ravel())
    lit, shaded = np.split(face, [len(face) * 2 // 3])
    pixels[lit] *= 1.5
    density = Evidence(canvas, pixels, labels, first).whole(labels).density
    assert density[lit].mean() > density[shaded].mean() + 2


def test_half_of_a_face_leans_on_its_kind_as_the_whole_does(evidence):
    off, light = np.array([12.0, 4.0, -4.0]), np.arange(36) < 24
    middle, wide, grain = (one[0] for one in (evidence._middle, evidence._spread, evidence._grain))
    seen = np.where(light[:, None], middle + off, middle - off).T.astype(np.float32)
    found = evidence._find_likelier_half(np.zeros(36, np.intp), seen, light, np.zeros(1, np.int16))
    weight = 24 / judged.ALIKE * (wide / grain) ** 2
    assert found[:, 0] == pytest.approx(middle + weight / (weight + 1) * off, abs=0.01)


def test_an_even_shadow_on_what_lies_around_costs_only_how_rare_shadows_are():
    """A single dark pixel costs more: nothing around it says that a shadow falls there."""
    shape, usual, light = (120, 120), np.array([60.0, 3.0, 14.0], np.float32), 0.6
    planes = np.tile(usual[:, None, None], (1, *shape))
    planes[:, 40:80, 40:80] *= light
    planes[:, 10, 10] *= light
    found = colours._rate_surface(planes.reshape(3, -1), np.ones(shape[0] * shape[1], np.bool_), shape)
    lit, shaded, single = found.reshape(shape)[[100, 60, 10], [100, 60, 10]]
    hue = 2 * np.log(colours.SHADE_GRAIN)
    assert shaded == pytest.approx(lit + np.log(colours.SHADE_SHARE) - hue, abs=0.05)
    assert single < shaded - 2


def test_what_lies_around_may_show_far_from_the_rest_of_it():
    shape = (40, 200)
    planes = np.tile(np.array([60.0, 3.0, 14.0], np.float32)[:, None], (1, shape[0] * shape[1]))
    own = np.tile(np.arange(shape[1]) < 40, shape[0])
    assert np.ptp(colours._rate_surface(planes, own, shape)) < 0.01


def test_light_that_falls_across_a_face_costs_as_it_is_rare():
    falls = judged.SLOPE * np.arange(3)
    x, y = (np.tile(one.ravel(), 3).astype(np.float32) for one in np.mgrid[:40, :40])
    which = np.repeat(np.arange(3), 1600)
    seen = np.stack([60 + falls[which] * x, np.zeros_like(x), np.zeros_like(x)])
    sums = judged._sum_by_face(which, 3, judged._list_terms(seen, x, y))
    usual, wide, grain = (np.tile(one, (3, 1)) for one in ((65.0, 0, 0), (10.0, 6, 8), (3.0, 1.5, 1.5)))
    colour, slope, price = judged._fit_planes(sums, usual, wide, grain, judged.ALIKE)
    assert slope == pytest.approx(np.column_stack([falls, np.zeros(3)]), abs=0.01)
    assert colour[:, 0] == pytest.approx(60.0, abs=0.5)
    assert price - price[0] == pytest.approx(-0.5 * np.arange(3) ** 2, abs=0.05)


def test_a_face_is_the_dearer_the_stranger_its_colour_but_only_so_far():
    canvas = p.canvas(LENS, POSE, COPY)
    labels, face = canvas.empty.ravel(), p.ground_of(NUMBERS["a1"])
    first = colours.guess_palette(
        np.full((1, 3), (60.0, 3.0, 14.0), np.float32), np.array([p.AROUND]), np.ones(3)
    )
    prices = []
    for deviations in (0, 2, 4, 20):
        pixels = np.tile(first.middle[p.GROUND], (len(labels), 1)).astype(np.float32)
        pixels[labels == face, 1] += deviations * first.spread[p.GROUND, 1]
        grounds = Evidence(canvas, pixels, labels, first)
        explained = grounds.whole(labels)
        prices.append(explained.price[face])
        assert explained.density[(labels == face) & canvas.seen.ravel()].mean() > -5.0  # its own colour
        faces, _, strange = grounds.strangers(labels)
        assert strange[faces == face] == pytest.approx([deviations**2], abs=0.01)
    losses = prices[0] - np.array(prices)
    most = 3 * judged.STRANGE
    expected = most * np.log1p(0.5 * np.array([0, 2, 4, 20]) ** 2 / most)
    assert losses == pytest.approx(expected, rel=0.15)


def test_the_more_pixels_a_face_has_the_less_its_kind_says_of_its_colour():
    number = np.array([0.0, 1, 3, 12, 1200])
    sums = np.column_stack([number, number * 40, *[np.zeros(5)] * 9])
    usual, wide, grain = (np.tile(one, (5, 1)) for one in ((65.0, 0, 0), (10.0, 6, 8), (5.0, 3, 4)))
    light = judged._estimate_colours(sums, usual, wide, grain, judged.ALIKE)[:, 0]
    assert (np.diff(light) < 0).all()
    assert (light[0], light[3], light[-1]) == (65.0, pytest.approx(45.0), pytest.approx(40.0, abs=0.1))
    price = judged._price_colours(sums, np.zeros(5, np.int16), usual, wide, grain, judged.ALIKE)
    most, strange = 3 * judged.STRANGE, ((light - 65) / 10) ** 2
    assert price == pytest.approx(-most * np.log1p(0.5 * strange / most) - 1.5 * np.log1p(number / 3))
