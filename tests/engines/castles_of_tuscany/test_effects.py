"""What placed tiles do, one after the other: what happens (CT-5)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.castles_of_tuscany.kinds import SQUARES
from engines.castles_of_tuscany.state import (
    Variant,
    marble_left,
    squares_left,
    wilds_left,
    workers_left,
)
from tests.engines.castles_of_tuscany.sitting import (
    RULES,
    asked,
    gains,
    having,
    play,
    seated,
    shown,
    squares,
)
from tests.engines.castles_of_tuscany.table import tokens

PLACES = {
    "c": ("c4", "c3"),
    "t": ("a2", "a3"),
    "i": ("", "a1"),
    "f": ("e4", "e3"),
    "q": ("c4", "c5"),
    "v": ("c1", "d1"),
    "m": ("", "c1"),
    "r": ("c1", "c2"),
}
"""By kind what has to be filled besides the castle on b1, and a space beside it that does not end an area."""


def placing(kind, state=None, tile="", *, filled="", stored="", **fields):
    """The state after a tile of a kind was placed, paid with two cards of its colour."""
    before, space = PLACES[kind]
    tile = tile or kind + "a" * (kind == "f")
    fields = {"squares": 0, "hand": 5} | fields
    state = having(state or seated(), filled=f"{before} {filled}", stored=f"{tile} {stored}", **fields)
    return play(state, f"P{space} {kind} {kind}")


# Castles


def test_ct_5_1_a_castle_places_any_display_tile_without_cards():
    state = placing("c")
    assert asked(state) == "pick"
    assert "b3" in tokens(state)
    hand = state.sides[0].hand
    state = play(state, "d3")
    assert (asked(state), tokens(state)) == ("pick_tile", ["fa", "fb"])
    state = play(state, "fb")
    assert (asked(state), state.sides[0].hand) == ("refill", hand)
    assert state.display == ("t", "fa", "q", "v", "v", "m", "r")


def test_ct_5_1_declined_nothing_happens():
    state = play(placing("c"), "none")
    assert RULES.pending(state).seats == (1,)
    assert len(state.display) == 8


@pytest.mark.parametrize("display", ["", "i i i i"])
def test_ct_5_1_where_none_fits_it_is_void(display):
    """Both inns of the region are filled."""
    state = placing("c", shown(display, seated()), filled="a1 a2")
    assert RULES.pending(state).seats == (1,)


def test_ct_4_3_a_pick_scores_then_the_gap_is_filled_then_its_effect_comes():
    """The region's last quarry: area, bonus (asked for), refill, and only then marble."""
    state = placing("c", filled="c6")
    state = replace(state, copy=replace(state.copy, bonus=(None,) * 8))
    state = play(state, "c5")
    assert (asked(state), gains(state)) == ("bonus", [("areas", 1, "c3"), ("areas", 3, "c5")])
    state = play(state, "7,2")
    assert (asked(state), state.sides[0].marble) == ("refill", 0)
    assert gains(state)[2:] == [("bonus", 7, "q")]
    state = play(state, "i")
    assert state.sides[0].marble == 1


# Towns


def test_ct_5_2_a_town_gives_a_square_tile_of_choice_that_works_at_once():
    state = placing("t")
    assert (asked(state), tokens(state)) == ("square", list(SQUARES))
    state = play(state, "storage")
    assert ("storage", 2, "storage") in gains(state)
    assert squares_left(state, SQUARES.index("storage")) == 4


# Inns


def test_ct_5_3_an_inn_gives_a_wild_hex_into_storage():
    state = placing("i")
    assert state.sides[0].stored == ("w",)  # the place of the inn itself
    assert wilds_left(state) == 9


def brought(variant):
    """A cart's two cards show a wild hex each: the first takes the place that the cart has left."""
    state = replace(seated(), variant=variant)
    return play(placing("r", state, stored="v", squares=squares("storage yield")), "h1 h1")


@pytest.mark.parametrize(("variant", "orange"), [(Variant(), True), (Variant(all_green=True), False)])
def test_ct_5_3_with_a_full_storage_2_vp_on_the_orange_track(variant, orange):
    """Option ``all_green`` makes them green."""
    state = brought(variant)
    assert [(one.category, one.points, one.orange) for one in state.sides[0].gains] == [("inns", 2, orange)]
    assert state.sides[0].stored == ("v", "w")
    assert wilds_left(state) == 9


def test_ct_5_3_with_inn_may_discard_a_stored_tile_may_leave_for_it():
    state = brought(Variant(inn_discards=True))
    assert (asked(state), tokens(state)) == ("wild", ["points", "v", "w"])
    left = play(state, "v")
    assert (left.sides[0].stored, gains(left), wilds_left(left)) == (("w", "w"), [], 8)
    kept = play(state, "points")
    assert (kept.sides[0].stored, gains(kept)) == (("v", "w"), [("inns", 2, "points")])


@pytest.mark.parametrize(("kind", "question"), [("c", "pick"), ("t", "square"), ("r", "yield")])
def test_ct_5_3_a_wild_hex_acts_as_the_kind_of_its_space(kind, question):
    assert asked(placing(kind, tile="w")) == question


# Farms


def farming(tile, before="fab", state=None, **fields):
    """What a farm on e3 gains beside one on d3."""
    state = state or seated()
    shown_before = ((13, before[1:]),) * bool(before[1:])
    state = having(state, filled="d3", stored=tile, shown=shown_before, **fields)
    return [gain for gain in gains(play(state, "Pe3 f f")) if gain[0] == "farms"]


@pytest.mark.parametrize(("tile", "points"), [("fa", 0), ("fc", 1), ("fbc", 1), ("fcd", 2), ("fabcd", 2)])
def test_ct_5_4_each_kind_that_the_area_did_not_show_gives_1(tile, points):
    assert farming(tile) == [("farms", points, "e3")] * bool(points)


# Quarries and villages


@pytest.mark.parametrize(("kind", "name", "what"), [("q", "marble", "marble"), ("v", "worker", "workers")])
@pytest.mark.parametrize(("extra", "supply", "got"), [(0, 12, 1), (2, 12, 3), (2, 2, 2), (1, 0, 0)])
def test_ct_5_5_ct_5_6_one_and_one_more_for_each_extra_as_the_supply_holds(
    kind, name, what, extra, supply, got
):
    state = having(seated(), 1, **{what: 12 - supply})
    after = placing(kind, state, squares=squares(" ".join([name] * extra)))
    assert getattr(after.sides[0], what) == got
    assert (marble_left if kind == "q" else workers_left)(after) == supply - got


# Monasteries and carts


def test_ct_5_7_a_monastery_gives_three_cards_without_the_extra_card():
    after = placing("m", squares=squares("cards cards"))
    assert after.sides[0].hand == 5 - 2 + 3


@pytest.mark.parametrize("extra", [0, 2])
def test_ct_5_8_a_cart_turns_up_one_card_and_one_more_for_each_extra_each_resolved_first(extra):
    state = placing("r", squares=squares(" ".join(["yield"] * extra)))
    for number in range(1 + extra):
        assert (asked(state), state.frames[-1].n, state.yields) == ("yield", 1 + extra - number, 27 - number)
        state = play(state, "g2")
        assert gains(state) == [("yields", 2, "g2")] * (number + 1)
    assert RULES.pending(state).seats == (1,)


@pytest.mark.parametrize(("rules", "kept"), [(1, False), (2, True)])
def test_ct_5_8_an_empty_pile_is_reshuffled_which_version_1_does_not_keep(rules, kept):
    state = replace(placing("r", squares=squares("yield yield")), yields=1, rules=rules)
    after = play(state, "g2 g2")
    assert (after.yields, after.reshuffled) == (26, kept)


def rewarded(reward, variant=None, **fields):
    """What a cart's card brings."""
    state = replace(seated(), variant=variant or Variant())
    state = replace(state, copy=replace(state.copy, yields=()))
    return play(placing("r", state, **fields), reward)


@pytest.mark.parametrize(("reward", "what", "got"), [
    ("c3", "hand", 3 + 3), ("m2", "marble", 2), ("w2", "workers", 2), ("h1", "stored", ("w",)),
    ("x", "stored", ()),
])  # fmt: skip
def test_ct_5_8_a_card_gives_what_it_shows(reward, what, got):
    after = rewarded(reward)
    assert getattr(after.sides[0], what) == got
    assert gains(after) == []


@pytest.mark.parametrize(("reward", "variant", "orange"), [
    ("g3", Variant(), False), ("o3", Variant(), True), ("o3", Variant(all_green=True), False),
])  # fmt: skip
def test_ct_7_1_vp_go_on_the_track_that_the_card_shows(reward, variant, orange):
    (gain,) = rewarded(reward, variant).sides[0].gains
    assert (gain.points, gain.orange, gain.what) == (3, orange, reward)


@pytest.mark.parametrize(("plain", "got"), [(False, 2), (True, 1)])
@pytest.mark.parametrize(
    ("reward", "name", "what"), [("m1", "marble", "marble"), ("w1", "worker", "workers")]
)
def test_ct_5_5_extra_on_cards_says_whether_cards_count_for_extra_tiles(plain, got, reward, name, what):
    after = rewarded(reward, Variant(plain_cards=plain), squares=squares(name))
    assert getattr(after.sides[0], what) == got
