"""The Sahara (MK-14.3 to MK-14.6): claims, the track's places, and the exchange of keshis.

The made-up copy's track: a keshi, the exchange, a keshi, the scroll, a keshi for two players, the exchange.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.errors import Impossible
from engines.marrakesh import madrasa, river, sahara  # noqa: F401, what the track gives
from engines.marrakesh.book import BOOK
from engines.marrakesh.state import LEFT, OASES, RIGHT, Side, Variant
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    agreed,
    asked,
    fits,
    gains,
    keshis,
    overruled,
    play,
    refused,
    resources,
    seated,
    tokens,
    told,
    under_1,
    unknown,
)

PRINTED = told(price={"left3": (0, 0, 1), "right3": (1, 1, 0)})
"""The two costs that are seen in the rule book."""
UNPRICED = unknown(COPY, *(f"price.{place}" for place in OASES))


def there(left=0, right=0, claimed=""):
    """The fields of a side with so many caravans on its paths, and with these oases claimed."""
    bits = sum(1 << OASES.index(place) for place in claimed.split())
    return {"caravans": (0, left, right), "claimed": bits}


def claiming(*others, **fields):
    """The state that asks for an oasis."""
    return BOOK.settled(sahara.act(seated(*others, **fields)))


# Claims


def test_mk_14_3_sara_claims_two_oases():
    """Bottom left for a dinar: the green keshi that waits on the track; top right for a date and water."""
    fields = {**there(3, 3), "stock": "g-y---", "copy": PRINTED, "resources": "1w1d1n", "board": "6n"}
    state = play(claiming(**fields), "left3")
    assert (asked(state), resources(state)) == ("oasis_number", "1w1d")
    state = play(state, "03")
    assert (keshis(state), gains(state)) == ("1g6n", [("orchard", 1, "g")])
    assert (asked(state), state.sides[0].stock) == ("oasis", "--y---")
    state = play(state, "right3 05")
    assert resources(state) == ""
    assert asked(state) == "give_back"
    state = play(state, "none")
    assert asked(state) == ""  # nothing is left to pay with
    assert state.sides[0].oases == (3, 5)
    assert state.sides[0].claimed == sum(1 << OASES.index(place) for place in ("left3", "right3"))


@pytest.mark.parametrize(("place", "price", "left"), [
    ("left1", (0, 0, 1), "2w2d1n"), ("left1", (0, 0, 0), "2w2d2n"), ("right1", (2, 1, 0), "1d2n"),
])  # fmt: skip
def test_mk_14_3_a_claim_costs_what_is_printed(place, price, left):
    copy = told(price={"left1": (9, 9, 9), "right1": (9, 9, 9), place: price})
    state = claiming(**there(1, 1), resources="2w2d2n", copy=copy)
    assert tokens(state) == [place, "done"]  # the only one that can be paid for
    assert resources(play(state, place)) == left
    assert resources(sahara.act(under_1(seated(**there(1, 1), resources="2w2d2n", copy=copy)))) == left


def test_mk_14_3_only_discovered_oases():
    state = claiming(**there(2, 1, "left1"), resources="5w5d5n")
    assert tokens(state) == ["left2", "right1", "done"]
    assert refused(state, "right2") == ("oasis.discovered", "MK-14.3", {"oasis": "right2"})
    claimed = {"oasis": "left1", "variant": "oasis.claimed"}
    assert refused(state, "left1") == ("oasis.discovered", "MK-14.3", claimed)
    assert agreed(state)
    assert asked(play(state, "done")) == ""  # MK-6.5
    assert refused(under_1(state), "done") == ("oasis.done", "MK-14.3", {})
    assert agreed(under_1(state))


def test_mk_14_3_a_claim_that_is_too_dear():
    state = claiming(**there(3, 1), resources="1d1n")
    figures = {"oasis": "left3", "rewards": "1w,1d"}
    assert refused(state, "left3") == ("oasis.price", "MK-14.3", figures)
    assert agreed(state)


def test_mk_14_3_whether_there_is_anything_to_claim():
    assert not sahara.can(seated(resources="5w5d5n"))
    assert not sahara.can(seated(**there(1), resources="5w5d"))
    assert sahara.can(seated(**there(1), resources="1n"))
    assert sahara.can(seated(**there(1), copy=unknown(COPY, "price.left1")))
    assert not sahara.can(seated(**there(1, claimed="left1"), resources="1n"))


def test_mk_14_3_any_number_of_claims():
    state = play(claiming(**there(2, 1), resources="5w5d5n"), "left1 05")
    assert (asked(state), tokens(state)) == ("oasis", ["left2", "right1", "done"])
    assert agreed(state)
    assert asked(play(state, "done")) == ""


def test_mk_14_3_an_oasis_discovered_meanwhile_may_be_claimed_in_the_same_action():
    """A brown keshi from the exchange."""
    state = claiming(**there(1, 0), resources="5w5d5n", board="1n2t", oases=(5,))
    state = play(state, "left1 07 t n right")
    assert (asked(state), tokens(state)) == ("oasis", ["right1", "done"])


def test_mk_14_3_what_each_oasis_costs_is_said_with_it_as_far_as_it_is_known():
    lying = there(2)
    assert ("more.left1", "1n") in BOOK.pending(claiming(**lying, resources="5w5d5n")).figures
    assert ("more.left3", "1w,1d") in BOOK.pending(claiming(**lying, resources="5w5d5n")).figures
    blind = claiming(**lying, resources="5w5d5n", copy=unknown(COPY, "price.left1"))
    assert "more.left1" not in dict(BOOK.pending(blind).figures)


def test_mk_1_2_an_oasis_has_its_number_once():
    state = play(claiming(Side(oases=(7,)), **there(2), resources="5w5d5n", oases=(5,)), "left1")
    assert refused(state, "05") == ("oasis_number.claimed", "MK-1.2", {"number": "05", "seat": 0})
    assert refused(state, "07") == ("oasis_number.claimed", "MK-1.2", {"number": "07", "seat": 1})
    assert refused(state, "none") == ("oasis_number.none", "MK-14.3", {})
    assert BOOK.pending(state).figures == (("n", 2),)
    assert agreed(state)


def test_mk_1_8_what_a_claim_costs_is_told_when_it_is_made():
    state = play(claiming(**there(1, 1), resources="1w1n", copy=unknown(COPY, "price.left1")), "left1")
    assert (asked(state), BOOK.domain(state).name) == ("print", "price.left1")
    state = play(state, "1,0,1")
    assert (asked(state), resources(state)) == ("oasis_number", "")


def test_mk_1_8_an_oasis_that_turns_out_too_dear_is_not_claimed():
    state = play(claiming(**there(1, 1), resources="1w1n", copy=unknown(COPY, "price.left1")), "left1 0,1,0")
    assert (asked(state), tokens(state), state.sides[0].claimed) == ("oasis", ["right1", "done"], 0)
    assert agreed(state)
    assert asked(play(state, "done")) == ""


def test_scroll_33_water_and_dates_pay_for_claims():
    state = play(claiming(**there(1), resources="1w1d", scrolls=(33,)), "left1")
    assert (asked(state), tokens(state)) == ("instead", ["water", "date"])
    state = play(state, "water")
    assert (asked(state), resources(state)) == ("oasis_number", "1d")


def test_mk_14_4_an_oasis_whose_number_was_told_is_paid_before_it_lies_on_the_track():
    lying = {**there(1), "found": (11, 0, 0, 0, 0, 0), "stock": "g-y---"}
    state = play(claiming(**lying, resources="1w1d", scrolls=(33,)), "left1")
    assert (asked(state), state.sides[0].oases, state.sides[0].stock) == ("instead", (), "g-y---")
    state = play(state, "water")
    assert (state.sides[0].oases, state.sides[0].stock) == ((11,), "--y---")


def test_scroll_45_each_claim_costs_any_one_resource():
    state = play(claiming(**there(3, 3), resources="1w2d", scrolls=(45,), copy=UNPRICED), "left3")
    assert (asked(state), tokens(state)) == ("instead", ["water", "date"])
    assert BOOK.pending(state).figures == (("n", 1), ("variant", "any"))
    state = play(state, "date 05")
    assert resources(state) == "1w1d"
    assert not sahara.can(seated(**there(1), scrolls=(45,)))
    broke = state.with_own(resources=0)
    assert refused(broke, "left1") == ("oasis.price", "MK-14.3", {"oasis": "left1", "variant": "oasis.any"})
    assert agreed(broke)


@pytest.mark.parametrize("word", ["oases3", "oases2"])
def test_scroll_62_and_river_tile_15_claims_for_nothing(word):
    state = after(seated(**there(3, 1)), word)
    assert (asked(state), tokens(state)) == ("oasis", ["left1", "left2", "left3", "right1", "done"])
    assert BOOK.pending(state).figures == (("n", int(word[-1])), ("variant", "free"))
    assert agreed(state)
    for steps in ["left3 05", "left1 06", "right1 07"][: int(word[-1])]:
        state = play(state, steps)
    assert (asked(state), len(state.sides[0].oases)) == ("", int(word[-1]))


def test_free_claims_may_be_declined():
    state = after(seated(**there(2)), "oases3")
    assert asked(play(state, "done")) == ""
    assert asked(after(seated(), "oases3")) == ""


# The track


@pytest.mark.parametrize(("at", "stock", "question", "board"), [
    (0, "t-----", "", "1t2k"), (0, "------", "", "2k"), (1, "------", "give_back", "2k"),
    (2, "--p---", "spot", "2k"), (2, "--r---", "vendor", "2k"), (3, "------", "learn", "2k"),
    (4, "----w-", "", "2k1w"), (4, "------", "", "2k"), (5, "------", "give_back", "2k"),
])  # fmt: skip
def test_mk_14_4_what_the_places_of_the_track_give(at, stock, question, board):
    claimed = tuple(range(1, at + 1))
    state = play(claiming(**there(1), oases=claimed, stock=stock, resources="1n", board="2k"), "left1 30")
    assert (asked(state), keshis(state), state.sides[0].stock) == (question, board, "------")


def test_mk_14_4_a_keshi_without_room_goes_back():
    state = play(claiming(**there(1), stock="t-----", resources="1n", board="8t"), "left1 30")
    assert (asked(state), keshis(state), state.sides[0].stock) == ("", "8t", "------")


def test_mk_14_6_the_scroll_place_gives_a_scroll():
    state = play(claiming(**there(1), oases=(1, 2, 3), resources="1n"), "left1 30 35")
    assert (asked(state), state.sides[0].scrolls) == ("", (35,))


def test_river_tile_02_a_spare_oasis_goes_on_the_track():
    state = after(seated(Side(oases=(7,)), stock="t-----"), "spare_oasis")
    assert (asked(state), tokens(state)[-1]) == ("oasis_number", "none")
    assert BOOK.pending(state).figures == (("n", 1), ("variant", "spare"))
    assert agreed(state)
    state = play(state, "21")
    assert (asked(state), state.sides[0].oases, keshis(state)) == ("", (21,), "1t")
    assert state.sides[0].claimed == 0


def test_river_tile_02_a_seventh_oasis_lies_beside_the_board():
    state = play(after(seated(oases=(1, 2, 3, 4, 5, 6)), "spare_oasis"), "21")
    assert (asked(state), state.sides[0].oases) == ("", (1, 2, 3, 4, 5, 6, 21))


def test_river_tile_02_may_be_declined():
    assert play(after(seated(), "spare_oasis"), "none").sides[0].oases == ()


def test_scroll_68_a_discovered_oasis_scores_at_once_and_stays():
    """Oasis 05 gives 3 VP and 1 for each white keshi."""
    state = seated(**there(1), board="2n4w", scrolls=(68,))
    state = play(after(state, "deploy_n"), "left")
    assert asked(state) == "oasis_number"
    assert BOOK.pending(state).figures == (("n", 1), ("variant", "found"))
    state = play(state, "05")
    assert (asked(state), gains(state)) == ("", [("scrolls", 7, "oasis 05")])
    assert (state.sides[0].oases, state.sides[0].discovered) == ((), 0b11)


def test_what_scroll_68_had_told_of_an_oasis_is_its_number_when_it_is_claimed():
    copy = told(oasis={"27": "oases"})
    fields = {**there(0, 0), "resources": "9w9d9n", "board": "1n", "scrolls": (68,), "copy": copy}
    state = play(after(seated(**fields), "deploy_n"), "left 27")
    assert state.sides[0].found == (27, 0, 0, 0, 0, 0)
    elsewhere = play(after(state, "deploy_n"), "right")
    assert refused(elsewhere, "27") == (
        "oasis_number.claimed", "MK-1.2", {"number": "27", "seat": 0, "variant": "oasis_number.lies"}
    )  # fmt: skip
    assert "27" not in tokens(elsewhere)
    assert agreed(elsewhere)
    asks = replace(state, frames=(sahara.Frame("oasis_number", n=1),))
    assert tokens(asks) == ["27"]
    assert refused(asks, "12") == ("oasis_number.told", "MK-14.1", {"number": "27"})
    assert agreed(asks)
    claimed = play(BOOK.settled(sahara.act(state)), "left1")
    assert (asked(claimed), claimed.sides[0].oases, claimed.sides[0].found) == ("", (27,), (0,) * 6)


def test_without_scroll_68_a_discovered_oasis_does_not_score():
    state = play(after(seated(board="2n"), "deploy_n"), "right")
    assert (asked(state), gains(state), state.sides[0].caravans[RIGHT]) == ("", [], 1)


# The exchange


def exchanging(goods_apart=False, **fields):
    """The state that asks for the keshi that goes back."""
    state = seated(**fields)
    return after(replace(state, variant=Variant(2, False, goods_apart)), "exchange")


def test_mk_14_5_a_keshi_for_one_of_another_colour():
    state = exchanging(board="2t1k")
    assert (asked(state), tokens(state)) == ("give_back", ["t", "k", "none"])
    state = play(state, "t")
    assert (asked(state), keshis(state)) == ("keshi", "1t1k")
    assert tokens(state) == list("gkwybnprluo")
    assert refused(state, "t")[0] == "keshi.exchanged"
    assert keshis(play(state, "w")) == "1t1k1w"


def test_mk_14_5_it_may_be_declined():
    state = play(exchanging(board="2t"), "none")
    assert (asked(state), keshis(state)) == ("", "2t")


def test_mk_14_5_without_a_keshi_nobody_is_asked():
    assert asked(exchanging(board="3n")) == ""
    assert asked(exchanging(board="2b", gates="tt------")) == ""


@pytest.mark.parametrize(("fields", "token", "refusal"), [
    ({"board": "3n1t"}, "n", ("give_back.caravan", "MK-14.5", {})),
    ({"board": "1t2b", "gates": "tt------"}, "b", ("give_back.gate", "MK-14.5", {"n": 2})),
    ({"board": "1t"}, "b", ("give_back.deployed", "MK-14.5", {"colour": "b"})),
    ({"board": "1t"}, "r", ("give_back.deployed", "MK-14.5", {"colour": "r"})),
    ({"board": "1t"}, "l", ("give_back.deployed", "MK-14.5", {"colour": "l"})),
])  # fmt: skip
def test_mk_14_5_what_does_not_go_back(fields, token, refusal):
    state = exchanging(**fields)
    assert refused(state, token) == refusal
    assert agreed(state)


def test_mk_14_5_a_guard_on_the_watchtower_may_go():
    state = play(exchanging(board="3b", gates="tt------"), "b")
    assert keshis(state) == "2b"
    assert not refused(exchanging(board="3b", gates="tt------"), "b")


@pytest.mark.parametrize(("given", "taken"), [("l", "uo"), ("u", "lo"), ("o", "lu")])
def test_mk_14_5_goods_only_for_other_goods(given, taken):
    state = play(exchanging(board=f"1{given}"), given)
    assert tokens(state) == list(taken)


def test_mk_14_5_by_option_nothing_else_becomes_goods():
    state = play(exchanging(goods_apart=True, board="2t1l"), "t")
    assert tokens(state) == list("gkwybnpr")
    assert tokens(play(exchanging(goods_apart=True, board="2t1l"), "l")) == ["u", "o"]


def test_mk_14_5_the_vendor_that_goes_is_named_and_leaves_its_place():
    state = play(exchanging(board="2r", vendors=0b101, fresh=0b100), "r")
    assert (asked(state), tokens(state)) == ("back_from", ["t", "k"])
    assert BOOK.pending(state).open
    assert BOOK.pending(state).figures == (("colour", "r"),)
    assert refused(state, "g") == ("back_from.there", "MK-14.5", {"colour": "r", "place": "g"})
    assert refused(state, "water") == ("back_from.there", "MK-14.5", {"colour": "r", "place": "water"})
    assert agreed(state)
    state = play(state, "k")
    assert (asked(state), keshis(state)) == ("keshi", "1r")
    assert (state.sides[0].vendors, state.sides[0].fresh) == (0b001, 0)


def test_mk_14_5_the_entertainer_that_goes_is_named_and_leaves_its_place():
    places = COPY.square.index("river"), COPY.square.index("date")
    state = play(exchanging(board="2p", square=sum(1 << at for at in places)), "p")
    assert (asked(state), tokens(state)) == ("back_from", ["river", "date"])
    assert agreed(state)
    state = play(state, "date")
    assert (keshis(state), state.sides[0].square) == ("1p", 1 << places[0])


def test_mk_14_5_an_only_one_is_not_asked_for():
    state = play(exchanging(board="1r2t", vendors=0b1000), "r")
    assert (asked(state), state.sides[0].vendors) == ("keshi", 0)


def test_mk_14_5_the_vacated_place_counts_as_free():
    state = play(exchanging(board="8t8g"), "t k")
    assert keshis(state) == "7t8g1k"


def test_mk_14_5_the_new_one_s_bonus_comes_at_once():
    state = play(exchanging(board="2t"), "t g")
    assert gains(state) == [("orchard", 1, "g")]
    state = play(exchanging(board="2t", resources=""), "t n start")
    assert (asked(state), state.sides[0].caravans[LEFT]) == ("resource", 0)


# Overruled


def test_an_oasis_that_is_too_dear_is_claimed_for_what_is_there():
    state = play(overruled(claiming(**there(3, 1), resources="1w1n"), "left3"), "30")
    assert (resources(state), state.sides[0].oases, state.waived) == ("1n", (30,), ("MK-14.3",))


def test_an_oasis_that_nobody_discovered_is_claimed():
    state = overruled(claiming(**there(1, 1), resources="5w5d5n"), "left3")
    assert (asked(state), state.sides[0].claimed) == ("oasis_number", 0b100)


def test_scroll_45_a_claim_without_a_resource():
    state = play(claiming(**there(1, 1), resources="1w", scrolls=(45,)), "left1 30")
    assert asked(state) == ""
    state = overruled(claiming(**there(2), resources="2w", scrolls=(45,)).with_own(resources=0), "left1")
    assert (asked(state), state.sides[0].claimed) == ("oasis_number", 1)


@pytest.mark.parametrize("token", ["none", "07"])
def test_whatever_is_overruled_an_oasis_has_its_own_number(token):
    state = play(claiming(Side(oases=(7,)), **there(1), resources="1n"), "left1")
    with pytest.raises(Impossible):
        overruled(state, token)


def test_whatever_is_overruled_an_oasis_is_claimed_once():
    fields = {"copy": PRINTED, "resources": "9w9d9n"}
    with pytest.raises(Impossible):
        overruled(claiming(**there(3, 3, "left2"), **fields), "left2")
    state = overruled(under_1(claiming(**there(3), **fields)), "done")
    assert (asked(state), state.sides[0].claimed) == ("resource", 0)


def test_whatever_is_overruled_a_caravan_stays():
    with pytest.raises(Impossible):
        overruled(exchanging(board="2n1t"), "n")


# Positions


@pytest.mark.parametrize(("frame", "board", "possible"), [
    (("oasis", "", 0), "", True), (("oasis", "", 1), "", True), (("oasis", "", 2), "", False),
    (("oasis", "free", 2), "", True), (("oasis", "free", 0), "", False), (("oasis", "paid", 1), "", False),
    (("oasis_number", ""), "", True), (("oasis_number", "spare"), "", True),
    (("oasis_number", "x"), "", False),
    (("give_back",), "1t", True),
    (("back_from", "r"), "2r", True), (("back_from", "r"), "1r", False), (("back_from", "t"), "2t", False),
])  # fmt: skip
def test_what_a_position_may_ask(frame, board, possible):
    vendors = {"1r": 0b1, "2r": 0b11}
    assert fits(seated(board=board, vendors=vendors.get(board, 0)), sahara.Frame(*frame)) is possible
