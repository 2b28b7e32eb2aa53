"""Hexes are found by their rims, and read by their looks, in any light, and by what changed since."""

import math
from functools import lru_cache
from random import Random

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from vision import painter, sheets
from vision.field import Field, find
from vision.lens import Lens
from vision.painter import Light
from vision.tuscany import album, lying, reading, tiles
from vision.tuscany.album import (
    BLANK,
    EMPTY,
    SIDE,
    STRENGTH,
    TILE,
    TINT,
    WILD,
    Album,
    AlbumHex,
    HexLook,
    HexShown,
    cut,
    look_of,
    looks,
    strength,
)
from vision.tuscany.painter import PaintedHex, TilesScene, painted
from vision.tuscany.reading import SAME_TINT, odd, read, read_after
from vision.tuscany.tiles import LEAST, LOOSE_MM

FIELD = Field(251.4, 187.5, 8, 4.0)
LENS = Lens((1280, 960), 1065.1, 1065.1, 640.0, 480.0, (-0.045, 0.012, 0.0004, -0.0003, 0.0))
VIEW = painter.PaintedView(LENS, painter.looking(FIELD, 78.0, 0.0, 430.0), FIELD)
CORNER_MM = 17.0
PITCH_MM = CORNER_MM * math.sqrt(3)
KINDS = "ctifqvmr"
MIDDLES = np.array(
    [(45.0 + PITCH_MM * (at % 5 + at // 5 % 2 / 2), 157.5 - 25.5 * (at // 5)) for at in range(30)]
)
LIGHTS = (Light(seed=1), Light(0.08, 0.88, 0.3, 2), Light(-0.08, 1.1, 0.2, 3))


def printed(seed):
    """Thirty kinds, each three times and more."""
    kinds = [*KINDS * 3, *"ctifqv"]
    Random(seed).shuffle(kinds)
    return kinds


def region(kinds, placed, artwork, light):
    """Return what the hexes of a painted region look like."""
    return [*_region(tuple(kinds), tuple(placed.items()), artwork, light)]


@lru_cache
def _region(kinds, placed, artwork, light):
    placed = dict(placed)
    hexes = [
        PaintedHex(x, y, kind, placed.get(at, ""))
        for at, (kind, (x, y)) in enumerate(zip(kinds, MIDDLES, strict=True))
    ]
    picture = painted(VIEW, hexes, CORNER_MM, TilesScene(artwork, 7, light))
    sight = find(picture, LENS, FIELD)
    assert sight.pose is not None
    return looks(picture, LENS, sight.pose, MIDDLES, CORNER_MM)


def test_a_tile_laid_by_hand_may_be_three_pixels_aside():
    printed_grey = cv2.GaussianBlur(
        np.random.default_rng(1).random((SIDE, SIDE)).astype(np.float32), (5, 5), 0
    )
    aside = HexLook(np.roll(printed_grey, (3, -3), (0, 1)), 0.5, np.zeros(3))
    assert album.likeness(aside, printed_grey) == pytest.approx(1.0, abs=1e-4)


def shown(kinds, placed):
    return [
        HexShown("", WILD) if placed.get(at) == WILD else HexShown(kind, placed.get(at, EMPTY))
        for at, kind in enumerate(kinds)
    ]


def pairs(kinds, placed, artwork, light):
    return list(zip(region(kinds, placed, artwork, light), shown(kinds, placed), strict=True))


@pytest.mark.parametrize("artwork", [0, *(pytest.param(n, marks=pytest.mark.pictures) for n in (1, 2, 3))])
def test_what_was_placed_since_an_earlier_picture_in_another_light(artwork):
    kinds, before = printed(artwork), {0: TILE, 9: WILD, 20: TILE}
    after = before | {3: TILE, 14: WILD, 29: TILE}
    old = pairs(kinds, before, artwork, LIGHTS[0])
    hexes = read_after(old, region(kinds, after, artwork, LIGHTS[1 + artwork % 2]), Album.of([old]))
    assert [one.shown for one in hexes] == shown(kinds, after)
    assert sum(not one.sure for one in hexes) <= 1


@pytest.mark.parametrize("artwork", [0, *(pytest.param(n, marks=pytest.mark.pictures) for n in (1, 2))])
def test_hexes_of_other_pictures_teach_what_is_seen(artwork):
    taught = [
        pairs(printed(seed), dict.fromkeys(range(seed, 30, 4), TILE) | {seed + 1: WILD}, artwork, light)
        for seed, light in enumerate(LIGHTS)
    ]
    kinds, placed = printed(9), {2: TILE, 5: WILD, 17: TILE, 25: TILE}
    hexes = read(region(kinds, placed, artwork, Light(0.05, 0.95, 0.3, 8)), Album.of(taught))
    truth = shown(kinds, placed)
    assert all(one.shown == true for one, true in zip(hexes, truth, strict=True) if one.sure)
    assert sum(one.shown == true for one, true in zip(hexes, truth, strict=True)) >= 29
    # These pictograms are blots, and in print as pale as each other: most of them may be doubted.
    assert any(one.sure for one in hexes)


def test_a_tile_taken_away_is_a_doubt():
    kinds = printed(1)
    old = pairs(kinds, {4: TILE}, 1, LIGHTS[0])
    hexes = read_after(old, region(kinds, {}, 1, LIGHTS[0]), Album.of([old]))
    assert (hexes[4].shown.lies, hexes[4].sure) == (TILE, False)
    assert all(one.sure for at, one in enumerate(hexes) if at != 4)


def between(old, look, part):
    """Neither quite as it was nor as it is."""
    part = np.float32(part)
    mixed = {
        name: (1 - part) * getattr(old, name) + part * getattr(look, name) for name in ("grey", "colour")
    }
    return replace(look, **mixed, contrast=(1 - part) * old.contrast + part * look.contrast)


@pytest.mark.pictures
def test_a_hex_that_may_have_changed_goes_by_its_looks_and_is_a_doubt():
    kinds = printed(2)
    old = pairs(kinds, {8: TILE}, 2, LIGHTS[0])
    seen = region(kinds, {8: TILE, 12: TILE}, 2, LIGHTS[0])
    album = Album.of([old])
    lies = []
    for part in np.linspace(0, 1, 21):
        now = [*seen[:12], between(old[12][0], seen[12], part), *seen[13:]]
        hexes = read_after(old, now, album)
        lies.append((hexes[12].shown.lies, hexes[12].sure))
        assert all(one.sure for at, one in enumerate(hexes) if at != 12)
    assert (lies[0], lies[-1]) == ((EMPTY, True), (TILE, True))
    doubts = [at for at, (_, sure) in enumerate(lies) if not sure]
    assert doubts == list(range(doubts[0], doubts[-1] + 1))
    assert [one for one, _ in lies] == sorted(one for one, _ in lies)
    assert any(lies[at][0] == TILE for at in doubts)
    assert any(lies[at][0] == EMPTY for at in doubts)


def test_a_hex_that_changed_its_colour_alone_is_a_doubt():
    kinds = printed(2)
    old = pairs(kinds, {8: TILE}, 2, LIGHTS[0])
    seen = region(kinds, {8: TILE}, 2, LIGHTS[0])
    for more, sure in ((0.0, True), (SAME_TINT - 0.03, True), (SAME_TINT + 0.02, False)):
        seen[12] = replace(seen[12], colour=np.add(old[12][0].colour, (0.0, 0.0, more)))
        hexes = read_after(old, seen, Album.of([old]))
        assert (hexes[12].shown.lies, hexes[12].sure) == (EMPTY, sure)


@pytest.mark.parametrize(
    ("stronger", "tint", "changed"),
    [(0.1, 0.1, False), (0.1, 0.15, None), (0.3, 0.1, None), (0.5, 0.1, True), (0.1, 0.2, True)],
)
def test_a_hex_has_changed_by_its_strength_or_by_its_tint(stronger, tint, changed):
    old = look(5, 0.0)
    now = replace(old, contrast=(old.contrast + album.FAINT) * np.exp(stronger) - album.FAINT)
    assert reading._has_changed(old, now, tint) is changed


def test_one_that_is_not_like_the_others_is_odd():
    kinds = printed(3)
    seen = region(kinds, {6: TILE, 21: WILD}, 3, LIGHTS[0])
    assert odd(list(zip(seen, shown(kinds, {6: TILE, 21: WILD}), strict=True))) == []
    assert odd(list(zip(seen, shown(kinds, {21: WILD}), strict=True))) == [6]
    assert set(odd(list(zip(seen, shown(kinds, {6: TILE}), strict=True)))) == {21}


def test_the_light_is_told_by_what_hexes_surely_show():
    """Two kinds are alike but for their colour: a hex of one of them says nothing about the light."""
    chance = np.random.default_rng(5)
    blot, star = (chance.normal(120, 40, (SIDE, SIDE)).astype(np.float32) for _ in range(2))

    def taught(grey, blue):
        return AlbumHex(grey, strength(HexLook(grey, 0.5, np.zeros(3))), np.array([blue, 0.0, 0.0]))

    album = Album(
        {HexShown("a"): taught(blot, 0.0), HexShown("b"): taught(blot, 1.0), HexShown("c"): taught(star, 2.0)}
    )
    either, sure = (HexLook(grey, 0.5, np.array([3.0, 0.5, -0.5])) for grey in (blot, star))
    assert album.light([either, sure, either]) == pytest.approx(np.array([1.0, 0.5, -0.5]))
    assert album.light([either]) == pytest.approx(np.zeros(3))


def look(seed, *colour):
    return HexLook(
        np.random.default_rng(seed).normal(120, 40, (SIDE, SIDE)).astype(np.float32), 0.5, np.array(colour)
    )


def test_a_printed_greythat_looks_like_nothing_taught_is_a_doubt():
    taught = {kind: look(seed, 0.0, 0.0, 0.0) for kind, seed in (("a", 5), ("b", 6))}
    known = {HexShown(kind): AlbumHex(of.grey, strength(of), of.colour) for kind, of in taught.items()}
    known[HexShown("", WILD)] = AlbumHex(np.zeros((0, 0), np.float32), BLANK, None)
    for colour, kinds in ((0.0, ("a",)), (1.0, ("a", "b"))):
        seen = look(5, colour, 0.0, 0.0)
        assert reading._find_kinds(Album(known), seen, np.zeros(3), reading.CLEAR) == kinds


def test_of_two_alike_the_one_whose_colour_is_known_is_meant():
    seen = look(5, TINT, 0.0, 0.0)
    known = {
        HexShown(kind): AlbumHex(seen.grey, strength(seen), colour)
        for kind, colour in (("a", None), ("b", 0.0))
    }
    costs = Album(known).costs(seen, np.zeros(3))
    assert costs[HexShown("b")] < costs[HexShown("a")]


def test_a_printed_greythat_was_not_seen_is_weaker_than_its_tile_as_others_are():
    strengths = {HexShown("a"): 1.0, HexShown("a", TILE): 1.5, HexShown("b", TILE): 2.0, HexShown("c"): 0.5}
    known = {one: AlbumHex(look(5, 0.0).grey, strong, None) for one, strong in strengths.items()}
    found = album._complete(known)
    assert (found[HexShown("b")].strength, found[HexShown("c", TILE)].strength) == (1.5, 1.0)


def test_a_cut_out_has_north_up_and_east_to_the_right():
    picture = painter.empty(VIEW)
    painter.patch(picture, VIEW, 100.0, 100.0, CORNER_MM, painter.WHITE)
    (found,) = cut(picture, LENS, VIEW.pose, np.array([[100.0, 100.0]]), CORNER_MM)
    light = found.mean(axis=2).reshape(2, SIDE // 2, 2, SIDE // 2).mean(axis=(1, 3))
    assert light.argmax() == 1
    assert light[0, 1] > 1.2 * np.median(light)


def test_a_black_hex_has_a_look():
    dark = look_of(np.zeros((SIDE, SIDE, 3)))
    assert (dark.contrast, dark.colour.tolist()) == (1.0, [0.0, 0.0, 0.0])


def test_tiles_are_twins_by_pictogram_and_colour():
    one = look(5, 0.0, 0.0, 0.0)
    assert tiles._are_twins(one, look(5, 0.1, -0.1, 0.1))
    assert not tiles._are_twins(one, look(5, 0.3, 0.3, 0.3))
    assert not tiles._are_twins(one, look(5, -0.3, -0.3, -0.3))
    assert not tiles._are_twins(one, look(6, 0.0, 0.0, 0.0))


def test_a_tile_is_named_if_it_is_surely_one():
    def tile(*looks):
        return tiles.Tile(np.zeros((1, 1, 3), np.uint8), looks)

    red, blue, star = look(5, 0.0, 0.0, 1.0), look(5, 1.0, 0.0, 0.0), look(6, 0.0, 0.0, 1.0)
    known, dark = [tiles.taught(tile(one), np.zeros(3)) for one in (red, blue)], np.zeros(3)
    turned = tile(look(7, 0.0, 0.0, 1.0), red)
    assert tiles.named(turned, known, dark) == 0
    assert tiles.named(tile(blue), known, dark) == 1
    assert tiles.named(tile(star), known, dark) == tiles.named(turned, [], dark) == -1
    assert tiles.named(turned, [*known, known[0]], dark) is None  # two the same
    stronger = replace(red, contrast=0.5 * np.exp(2.5 * STRENGTH))  # more than one of them usually is
    assert tiles.named(tile(stronger), known, dark) is None


SOUTH = [np.array([[x, sheets.TILES.height_mm - y]]) for x, y in sheets.TILES.slots]


@pytest.fixture(scope="module")
def bare():
    """The printed sheet from above, as :func:`vision.plane.flatten` has it."""
    page = sheets.tiles(list("ctifqvmrw"), sheets.SheetWords("", ""), dpi=200)
    west = (page.size_mm[0] - sheets.TILES.width_mm) / 2 - lying.AROUND_MM
    wide = page.dot(sheets.TILES.width_mm + 2 * lying.AROUND_MM)
    north, left = page.dot(60.0 - lying.AROUND_MM), page.dot(west)
    dots = page.dots[north : north + wide, left : left + wide]
    side = round((sheets.TILES.width_mm + 2 * lying.AROUND_MM) * lying.PX_MM)
    grey = cv2.resize(dots, (side, side), interpolation=cv2.INTER_AREA) * 0.85
    noise = np.random.default_rng(1).normal(0, 2, grey.shape)
    return cv2.cvtColor(np.clip(grey + noise, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)


@pytest.mark.parametrize("corner_mm", [14.0, 17.0, 20.0, 23.0, 26.0])
def test_a_bare_slot_holds_no_hex_of_any_size(bare, corner_mm):
    lie = lying.find(bare, SOUTH, corner_mm, (0.0, 0.0), (LOOSE_MM, LOOSE_MM))
    assert (lie.seen < LEAST).all()


def test_an_even_sheet_holds_no_hex(bare):
    """As it is where light washes everything out."""
    lie = lying.find(np.full_like(bare, 255), SOUTH, 17.0, (0.0, 0.0), (LOOSE_MM, LOOSE_MM))
    assert (lie.seen < LEAST).all()


@pytest.mark.parametrize("colour", [(195, 202, 206), (90, 60, 40)])
def test_a_hex_is_found_where_it_lies_though_it_is_nearly_white(bare, colour):
    flat, angles = bare.copy(), np.radians(30 + 60 * np.arange(6))
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * 17.0
    for middle in SOUTH:
        outline = (ring + middle + (3.0, -5.0) + lying.AROUND_MM) * lying.PX_MM
        cv2.fillPoly(flat, [outline.round().astype(np.int32)], colour)
    lie = lying.find(flat, SOUTH, 17.0, (0.0, 0.0), (LOOSE_MM, LOOSE_MM))
    assert ((lie.seen > LEAST) & (lie.seen <= 1)).all()
    assert np.abs(lie.moved - (3.0, 5.0)).max() <= 1.0


@pytest.mark.parametrize(
    ("east_mm", "seen", "covered"),
    [(0.0, 0.3, []), (0.0, 0.15, [1]), (9.0, 0.3, [1]), (9.0, 0.5, [])],
)
def test_a_board_that_seems_to_have_slipped_must_be_as_visible_as_the_others(east_mm, seen, covered):
    """A covered one is found anywhere."""
    lie = lying.Lie(np.array([[0.0, 0.0], [east_mm, 0.0], [0.0, 0.0]]), np.array([0.6, seen, 0.6]))
    assert lie.covered == covered


def test_a_thing_beside_the_hexes_may_be_large_beside_a_picture_without_it():
    """Alone such a picture may show another mat."""
    mat, middles = np.full((400, 400, 3), 90, np.uint8), np.array([[40.0, 40.0]])
    small, large = mat.copy(), mat.copy()
    small[100:160, 300:360] = large[:, 240:] = (120, 150, 205)
    assert lying.thing(mat, mat, middles, 10.0) is None
    for before in (mat, None):
        assert lying.thing(small, before, middles, 10.0) == pytest.approx([163.0, 63.0], abs=1.0)
    assert lying.thing(large, mat, middles, 10.0) == pytest.approx([158.0, 98.0], abs=1.0)
    assert lying.thing(large, None, middles, 10.0) is None
