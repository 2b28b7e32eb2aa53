"""The Sahara (MK-14.3 to MK-14.6): claims, the track's places, and the exchange of keshis.

The made-up copy's track: a keshi, the exchange, a keshi, the scroll, a keshi for two players, the exchange.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.errors import Impossible
from engines.marrakesh import madrasa, river, sahara  # noqa: F401, what the track gives
from engines.marrakesh.book import BOOK
from engines.marrakesh.state import OASES, Variant
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


def test_mk_14_4_an_oasis_whose_number_was_told_is_paid_before_it_lies_on_the_track():
    lying = {**there(1), "found": (11, 0, 0, 0, 0, 0), "stock": "g-y---"}
    state = play(claiming(**lying, resources="1w1d", scrolls=(33,)), "left1")
    assert (asked(state), state.sides[0].oases, state.sides[0].stock) == ("instead", (), "g-y---")
    state = play(state, "water")
    assert (state.sides[0].oases, state.sides[0].stock) == ((11,), "--y---")


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


# Overruled


def test_whatever_is_overruled_an_oasis_is_claimed_once():
    fields = {"copy": PRINTED, "resources": "9w9d9n"}
    with pytest.raises(Impossible):
        overruled(claiming(**there(3, 3, "left2"), **fields), "left2")
    state = overruled(under_1(claiming(**there(3), **fields)), "done")
    assert (asked(state), state.sides[0].claimed) == ("resource", 0)


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
