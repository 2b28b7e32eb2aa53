"""What is floor and what is not, on plans made by hand."""

import numpy as np
import pytest
from msgspec import structs

from vision.tray.floor import _SQUARE5, _find_large, _find_things, find_floor, weigh_evidence
from vision.tray.plan import Plan

PLAN = Plan(180.0, 140.0)
FLOOR = np.array([0.25, 0.42, 0.58], np.float32)
PIECE_MM2 = 100.0


def plain(seed=1):
    """A floor with a little noise, shares of white on the plan."""
    share = np.ones((*PLAN.shape, 3), np.float32) * FLOOR
    return share * np.random.default_rng(seed).normal(1, 0.01, share.shape).astype(np.float32)


def part(x, y, width, height):
    """The pixels of a rectangle of the floor by its south-west corner, mm."""
    (left, low), (right, high) = PLAN.find_pixels(np.array([[x, y], [x + width, y + height]]))
    return slice(round(high), round(low)), slice(round(left), round(right))


def share_of(mask):
    return mask[part(0, 0, 180, 140)].mean()


@pytest.mark.parametrize(("side_mm", "bare"), [(16, 0.0), (19, 1.0)])
def test_a_patch_like_the_floor_is_floor_where_two_pieces_have_room(side_mm, bare):
    """Smaller ones among other things are parts of these."""
    share = plain()
    share[part(60, 50, 50, 50)] = [0.04, 0.04, 0.5]
    inside = part(85 - side_mm / 2, 75 - side_mm / 2, side_mm, side_mm)
    share[inside] = plain()[inside]
    seen = find_floor(share, PLAN, PIECE_MM2)
    assert seen.bare[part(83, 73, 4, 4)].mean() == bare


def test_a_narrow_bridge_makes_nothing_large():
    mask = np.zeros((40, 80), bool)
    mask[8:32, 8:32] = mask[8:28, 40:60] = mask[18:21, 32:40] = True
    large = np.zeros_like(mask)
    large[8:32, 8:32] = True
    assert np.array_equal(_find_large(mask, _SQUARE5, 300), large)
    assert not _find_large(mask, _SQUARE5, 400).any()


def test_noise_is_that_of_the_floor_alone():
    share, noisy, clean = plain(), part(0, 0, 80, 140), part(100, 10, 70, 120)
    alone = find_floor(share, PLAN, PIECE_MM2).faint[clean].mean()
    share[noisy] = [0.1, 0.4, 0.1] * np.random.default_rng(2).normal(1, 0.3, share[noisy].shape)
    assert find_floor(share, PLAN, PIECE_MM2).faint[clean].mean() == pytest.approx(alone, rel=0.1)


def test_a_soft_shadow_is_floor_and_a_sharp_edge_is_an_edge():
    share = plain()
    across = np.linspace(0, 1, PLAN.shape[1])
    soft = 1 - 0.6 / (1 + np.exp(-(across - 0.5) * 60))
    share *= soft[None, :, None].astype(np.float32)
    seen = find_floor(share, PLAN, PIECE_MM2)
    assert share_of(seen.bare) > 0.9
    assert seen.faint[part(20, 20, 140, 100)].mean() < 0.05
    assert np.abs(seen.rise[part(100, 20, 60, 100)]).mean() < 0.1


@pytest.mark.parametrize(
    ("step", "bare", "edge"), [(1.1, True, 0.17), (1.15, False, 0.28), (2.0, False, 1.0)]
)
def test_a_step_of_brightness_is_an_edge_by_its_sharpness(step, bare, edge):
    share = plain()
    share[part(60, 60, 30, 30)] *= np.float32(step)
    seen, border = find_floor(share, PLAN, PIECE_MM2), part(59.6, 65, 0.9, 20)
    assert seen.bare[border].all() == bare
    assert seen.edge[border].max(axis=1).mean() == pytest.approx(edge, abs=0.02)


@pytest.mark.parametrize(
    ("rise", "off", "spread", "tint", "told"),
    [
        (0.0, 0.0, 0.01, None, 0.4),
        (-0.3, 0.0, 0.01, None, 0.05),
        (-0.6, 0.0, 0.01, None, -0.5),
        (-1.0, 0.0, 0.01, None, 0.3),
        (0.1, 0.0, 0.01, None, 0.596),
        (0.0, 0.2, 0.01, None, 1.0),
        (-0.5, 0.1, 0.01, None, 1.0),
        (-0.5, 0.1, 0.05, None, -0.076),
        (-0.3, 0.1, 0.01, 0.1, 0.058),
    ],
)
def test_a_pixel_speaks_by_its_light_and_its_colour(rise, off, spread, tint, told):
    """It is no bare floor; shadows are 0.6 deep, the floor's light varies by 0.02."""
    seen = find_floor(plain(), PLAN, PIECE_MM2)
    here = {"rise": np.full_like(seen.rise, rise), "off": np.full_like(seen.off, off)}
    seen = structs.replace(seen, **here, bare=~seen.floor, spread=np.full(2, spread), rise_spread=0.02)
    found = weigh_evidence(seen, 0.6, tint and np.full(2, tint))
    assert (found[9, 9], found[200, 200]) == pytest.approx((-0.6, told), abs=1e-3)


def test_something_large_and_smooth_is_strange_but_nothing_to_look_for_pieces_on():
    share = plain()
    cloth = part(0, 0, 50, 140)
    share[cloth] = [0.1, 0.4, 0.1]
    seen = find_floor(share, PLAN, PIECE_MM2)
    assert seen.strange[cloth].mean() > 0.8
    assert seen.bare[seen.strange].all()
    assert seen.strange[part(60, 10, 110, 120)].mean() == 0


def test_a_walls_deep_shadow_is_floor():
    share = plain()
    x = np.array([PLAN.find_mm(column, 0)[0] for column in range(PLAN.shape[1])])
    share *= np.interp(x, [163, 171], [1, 0.32])[None, :, None].astype(np.float32)
    seen = find_floor(share, PLAN, PIECE_MM2)
    band = part(172, 1, 7, 138)
    assert seen.floor[band].all()
    assert seen.bare[band].mean() > 0.6


@pytest.mark.parametrize(("soft", "strange"), [(True, False), (False, True)])
def test_another_colour_is_light_where_it_fades_and_a_thing_where_it_ends(soft, strange):
    share = plain()
    across = np.arange(PLAN.shape[1]) / PLAN.shape[1]
    there = 1 / (1 + np.exp(-(across - 0.7) * 40)) if soft else (across > 0.7).astype(float)
    share *= (1 + there[:, None] * ([-0.12, 0.0, 0.12] if soft else [-0.2, -0.2, 0.1])).astype(np.float32)
    seen = find_floor(share, PLAN, PIECE_MM2)
    assert share_of(seen.bare) > 0.9
    assert seen.strange.any() == strange


@pytest.mark.parametrize(
    ("outlined", "off", "thing"), [(41, 0.24, False), (56, 0.24, True), (0, 0.24, False), (0, 0.26, True)]
)
def test_a_smooth_part_is_a_thing_by_its_outline_or_its_colour(outlined, off, thing):
    """Of a border of 300 pixels 55 % or 65 % are an edge."""
    mask, edge = np.zeros(PLAN.shape, bool), np.zeros(PLAN.shape, np.float32)
    mask[100:175, 100:175] = True
    edge[:, 100 : 100 + outlined] = outlined > 0
    found = _find_things(mask, edge, np.full((*PLAN.shape, 2), off), PLAN.mask_floor() > 0)
    assert found.any() == thing


def test_what_sharp_edges_close_off_is_no_shadow_if_it_is_as_bright_as_the_floor():
    found = {}
    for shade in (1.0, 0.75, 0.6):
        share = plain()
        share[part(60, 60, 12, 12)] *= np.float32(0.3)
        share[part(61, 61, 10, 10)] = plain()[part(61, 61, 10, 10)] * np.float32(shade)
        seen = find_floor(share, PLAN, PIECE_MM2)
        found[shade] = np.median(weigh_evidence(seen)[part(63, 63, 6, 6)])
    assert found == pytest.approx({1.0: 0.4, 0.75: 0.15, 0.6: -0.5}, abs=0.06)


@pytest.mark.parametrize(
    ("wide", "long", "colour", "floor"),
    [(12, 140, 0.3, 0), (12, 140, 1.5 * FLOOR, 0), (12, 100, 0.3, 0), (12, 70, 0.3, 1), (16, 140, 0.3, 1)],
)
def test_a_wall_that_leans_over_the_floor_is_no_floor(wide, long, colour, floor):
    share = plain()
    share[part(0, 0, wide, long)] = colour
    seen = find_floor(share, PLAN, PIECE_MM2)
    assert (seen.floor[part(1, 1, 11, 138)] == floor).all()
    assert seen.floor[part(13, 1, 166, 138)].all()


def test_a_floors_colours_are_known_to_vary_as_they_do():
    share = plain() * np.random.default_rng(2).normal(1, 0.2, (*PLAN.shape, 3)).astype(np.float32)
    seen = find_floor(share, PLAN, PIECE_MM2)
    inner = part(5, 5, 170, 130)
    assert seen.spread == pytest.approx(seen.off[inner].std(axis=(0, 1)), rel=0.1)
    assert seen.rise_spread == pytest.approx(seen.rise[inner].std(), rel=0.1)
