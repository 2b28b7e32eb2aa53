"""The medina (MK-13): workshops, gates and their keshis; the made-up copy's gate places are ntygkwbp."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.errors import Impossible
from engines.marrakesh import medina, river, square  # noqa: F401, an entertainer's place may give steps
from engines.marrakesh.book import BOOK
from engines.marrakesh.keshis import LETTERS
from engines.marrakesh.state import Side
from tests.engines.marrakesh.lines import KNOWN, at, fields, turn
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

FULL = told(workshop={"1": (0, -3), "2": (1, 1), "3": (2, 2), "4": (5, 4)})


def buying(*others, copy=COPY, **fields):
    """The state that asks for a workshop."""
    return BOOK.settled(medina.act(seated(*others, copy=copy, **fields)))


def test_mk_13_1_two_guards_two_gates():
    """Jan's brown gate for 0 dinars and 3 VP lost, and 2 VP as it stands in the Sahara; a pink one beside the
    madrasa for 1 dinar and 1 VP. Then a caravan and an entertainer are deployed.
    """
    state = buying(board="2b", resources="1n")
    assert (asked(state), tokens(state)) == ("workshop", ["1", "2", "done"])
    terms = (("more.1", "0n,-3v"), ("more.2", "1n,1v"), ("more.3", "2n,2v"), ("more.4", "3n,4v"))
    assert BOOK.pending(state).figures == (("n", 2), *terms)
    state = play(state, "1 n 1")
    assert gains(state) == [("gates", -3, "workshop 1"), ("gates", 2, "brown gate")]
    assert (asked(state), state.sides[0].on_tower, keshis(state)) == ("workshop", 1, "2b")
    state = play(state, "2 p 3")
    assert gains(state)[2:] == [("gates", 1, "workshop 2")]
    assert (resources(state), state.sides[0].gates) == ("", "n-p-----")
    assert (asked(state), tokens(state)) == ("gate_keshi", ["n", "p"])
    assert BOOK.pending(state).figures == (("n", 2),)
    state = play(state, "p water")
    assert (asked(state), keshis(state), resources(state)) == ("caravan", "2b1p", "1w")
    assert keshis(play(state, "left")) == "2b1n1p"


def test_a_workshop_that_goes_by_itself_begins_no_step():
    state = medina.act(under_1(seated(board="2b")))
    assert (asked(state), BOOK.pending(state).open) == ("gate", False)
    assert BOOK.pending(play(state, "n")).open


def test_mk_6_5_a_gate_that_costs_vp_need_not_be_bought():
    state = buying(board="2b")
    assert (asked(state), tokens(state)) == ("workshop", ["1", "done"])
    state = play(state, "done")
    assert (asked(state), gains(state), state.sides[0].gates) == ("", [], "--------")


def test_mk_13_1_a_workshop_sells_eight_gates():
    state = replace(buying(board="2b", resources="9n"), bought=(8, 7, 0, 0))
    assert tokens(state) == ["2", "3", "4", "done"]
    assert refused(state, "1") == ("workshop.stock", "MK-13.1", {"workshop": "1", "n": 8})
    assert agreed(state)
    state = play(state, "2 t 1")
    assert state.bought == (8, 8, 0, 0)
    assert tokens(state) == ["3", "4", "done"]
    assert not medina.can(replace(seated(board="2b", resources="9n"), bought=(8, 8, 8, 8)))


def test_a_step_names_workshop_colour_and_place():
    state = buying(board="2b", resources="1n")
    opened = []
    for token in ["1", "n", "1"]:
        opened.append(BOOK.pending(state).open)
        state = play(state, token)
    assert opened == [False, True, True]
    assert not BOOK.pending(state).open


def test_mk_13_1_without_a_guard_on_the_watchtower_no_gate():
    assert not medina.can(seated(board="3t", resources="5n"))
    assert not medina.can(seated(board="2b", gates="tt------", resources="5n"))
    assert medina.can(seated(board="3b", gates="tt------"))
    dear = told(workshop={"1": (1, -3), "2": (2, 1), "3": (2, 2), "4": (3, 4)})
    assert not medina.can(seated(board="3b", copy=dear))
    assert medina.can(seated(board="3b", copy=unknown(dear, "workshop.4")))


def test_mk_13_1_what_a_gate_costs():
    state = buying(board="3b", resources="4n", copy=FULL)
    assert refused(state, "4") == ("workshop.price", "MK-13.1", {"workshop": "4", "dinars": 5})
    assert refused(under_1(state), "done") == ("workshop.done", "MK-13.1", {})
    assert agreed(state)
    assert agreed(under_1(state))
    state = play(state, "3 t 1")
    assert (resources(state), gains(state)) == ("2n", [("gates", 2, "workshop 3")])
    assert tokens(state) == ["1", "2", "3", "done"]
    assert agreed(state)


def test_mk_13_1_no_more_gates_than_guards():
    state = play(buying(board="1b", resources="5n"), "1 t 3")
    assert (asked(state), keshis(state)) == ("", "1t1b")
    frames = (medina.Frame("workshop", "t"),)
    state = buying(board="2b", gates="t-------", resources="5n").answered(*frames)
    assert refused(state, "1") == ("workshop.guards", "MK-13.1", {"n": 1})
    assert agreed(state)


def test_mk_13_1_a_gate_place_holds_one_gate():
    state = play(buying(board="4b", gates="t-g-----", resources="5n"), "1")
    assert BOOK.pending(state).figures == (("workshop", "1"),)
    state = play(state, "w")
    assert tokens(state) == ["2", "4", "5", "6", "7", "8"]
    assert refused(state, "3") == ("gate_place.free", "MK-13.1", {"place": "3", "colour": "g"})
    assert BOOK.pending(state).figures == (("workshop", 1), ("colour", "w"))
    assert agreed(state)


@pytest.mark.parametrize(
    ("letter", "all_"), [*((each, 2) for each in "uolb"), *((each, 3) for each in "gykwptnr")]
)
def test_mk_1_2_there_are_so_many_gates_of_a_colour(letter, all_):
    built = [Side(gates=letter + 7 * "-") for _ in range(all_)]
    state = play(buying(*built[1:], board="1b", resources="5n"), "1")
    assert letter in tokens(state)
    state = play(buying(*built, board="1b", resources="5n"), "1")
    assert refused(state, letter) == ("gate.left", "MK-1.2", {"colour": letter, "all": all_})
    assert agreed(state)


def test_mk_1_2_there_are_32_gates():
    assert sum(medina.GATES.values()) == 32
    assert set(medina.GATES) == set(LETTERS)


@pytest.mark.parametrize(("place", "points"), [("1", 0), ("2", 2), ("3", 0)])
def test_mk_13_2_two_vp_where_the_colours_match(place, points):
    state = play(buying(board="1b", resources="1n"), f"2 t {place}")
    assert gains(state) == [("gates", 1, "workshop 2"), *[("gates", 2, "turquoise gate")] * (points > 0)]


def test_mk_13_3_keshis_are_deployed_after_the_last_purchase_in_any_order():
    state = buying(board="3b", resources="5n")
    state = play(state, "1 g 1 1 k 2 1 g 5")
    assert (asked(state), tokens(state)) == ("gate_keshi", ["g", "k"])
    assert refused(state, "t") == ("gate_keshi.won", "MK-13.3", {"colour": "t"})
    assert agreed(state)
    state = play(state, "k")
    assert (asked(state), keshis(state)) == ("", "2g1k3b")
    assert gains(state)[-2:] == [("orchard", 1, "g"), ("orchard", 1, "g")]


def test_mk_13_3_red_goes_to_an_area_goods_to_the_souk_and_a_guard_to_the_watchtower():
    state = play(buying(board="3b", resources="5n"), "1 r 1 1 l 2 1 b 3")
    state = play(state, "b")
    assert (asked(state), tokens(state), state.sides[0].on_tower) == ("gate_keshi", ["r", "l"], 1)
    state = play(state, "r w")
    assert (asked(state), keshis(state), state.sides[0].vendors) == ("", "4b1r1l", 1 << LETTERS.index("w"))


def test_mk_13_3_with_no_room_a_keshi_goes_back():
    state = play(buying(board="1b8t", resources="1n"), "1 t 1")
    assert (asked(state), keshis(state)) == ("", "8t1b")


def test_mk_1_8_the_terms_of_a_workshop_are_told_when_somebody_buys_there():
    state = buying(board="1b", resources="2n", copy=unknown(COPY, "workshop.3"))
    state = play(state, "3")
    assert (asked(state), BOOK.domain(state).name) == ("print", "workshop.3")
    state = play(state, "2,5")
    assert (asked(state), BOOK.pending(state).open) == ("gate", False)
    state = play(state, "t 1")
    assert (resources(state), gains(state)) == ("", [("gates", 5, "workshop 3")])


def test_mk_1_8_a_workshop_that_turns_out_too_dear_sells_nothing():
    state = buying(board="2b", resources="1n", copy=unknown(COPY, "workshop.3"))
    state = play(state, "3 2,5")
    assert (asked(state), tokens(state), state.sides[0].gates) == ("workshop", ["1", "2", "done"], "--------")
    assert agreed(state)


def test_mk_1_8_where_nothing_else_can_be_paid_for_the_action_ends():
    dear = told(workshop={"1": (1, -3), "2": (2, 1), "3": (2, 2), "4": (3, 4)})
    state = buying(board="2b", copy=unknown(dear, "workshop.3", "workshop.4"))
    assert asked(play(state, "3 1,1 4 1,1")) == ""


# Scrolls


@pytest.mark.parametrize(("workshop", "points", "left"), [("1", -3, 0), ("1", 2, 2), ("2", -2, -2)])
def test_scroll_22_the_left_workshop_takes_no_vp(workshop, points, left):
    copy = told(workshop={workshop: (0, points)})
    state = play(buying(board="1b", resources="1n", scrolls=(22,), copy=copy), f"{workshop} t 1")
    assert gains(state) == [("gates", left, f"workshop {workshop}")] * bool(left)


def test_scroll_32_gates_cost_a_dinar_less_and_never_give_one():
    state = buying(board="2b", resources="2n", scrolls=(32,))
    assert tokens(state) == ["1", "2", "3", "4", "done"]
    assert resources(play(state, "4 t 1")) == ""
    assert resources(play(state, "1 t 1")) == "2n"


def test_scroll_33_water_and_dates_pay_for_gates():
    state = play(buying(board="1b", resources="1w1d", scrolls=(33,)), "2 t 1")
    assert (asked(state), tokens(state)) == ("instead", ["water", "date"])
    state = play(state, "date")
    assert (resources(state), keshis(state)) == ("1w", "1t1b")


def test_scroll_33_what_is_paid_counts_before_the_next_gate():
    state = play(buying(board="2b", resources="1w1d", scrolls=(33,), copy=FULL), "3 t 1")
    assert (asked(state), resources(state), tokens(state)) == ("workshop", "", ["1", "done"])


def test_scroll_36_the_keshi_of_a_gate_may_have_any_colour():
    state = play(buying(board="2b", resources="1n", scrolls=(36,)), "1 t 1 1 g 4")
    assert asked(state) == "keshi"
    state = play(state, "w")
    assert (asked(state), keshis(play(state, "o"))) == ("keshi", "1w2b1o")


def test_scroll_66_two_keshis_of_the_gate_s_colour():
    state = play(buying(board="2b", resources="1n", scrolls=(66,)), "1 t 1 1 k 2")
    assert tokens(state) == ["t", "k"]
    assert keshis(play(state, "t k t")) == "2t2k2b"
    assert keshis(play(buying(board="1b", resources="1n", scrolls=(66,)), "1 w 1")) == "2w1b"


def test_scrolls_36_and_66_two_keshis_of_any_colours():
    state = play(buying(board="1b", resources="1n", scrolls=(36, 66)), "1 t 1 w k")
    assert (asked(state), keshis(state)) == ("", "1k1w1b")


def test_a_gate_s_keshi_may_lead_to_more():
    """An entertainer on the river's place: the fisherman moves."""
    state = play(buying(board="1b", resources="1n"), "1 p 1 river")
    assert (asked(state), state.sides[0].fisherman) == ("", 1)
    assert asked(after(state, "water")) == ""


# Overruled


def test_a_gate_that_is_too_dear_is_bought_for_what_is_there():
    state = overruled(buying(board="2b", resources="1n", copy=FULL), "4")
    state = play(state, "t 1")
    assert (asked(state), resources(state), gains(state)) == ("workshop", "", [("gates", 4, "workshop 4")])


def test_an_action_without_a_gate():
    state = overruled(under_1(buying(board="2b", resources="1n")), "done")
    assert (asked(state), state.waived) == ("resource", ("MK-13.1",))


def test_a_gate_needs_a_guard_whatever_is_overruled():
    frames = (medina.Frame("workshop", "t"),)
    state = buying(board="2b", gates="t-------", resources="5n").answered(*frames)
    assert asked(overruled(state, "1")) == "gate"
    with pytest.raises(Impossible):
        overruled(state.with_own(gates="tt------"), "1")


# Positions

ACTION = ("workshop", "", 1)


@pytest.mark.parametrize(("frames", "possible"), [
    ([ACTION], True), ([("workshop", "tg", 0)], True), ([("workshop", "", 2)], False),
    ([("workshop", "x", 1)], False), ([("workshop", "", -1)], False),
    ([ACTION, ("gate", "4")], True), ([ACTION, ("gate", "5")], False), ([("gate", "4")], False),
    ([("oasis",), ("gate", "4")], False),
    ([ACTION, ("gate_place", "t", 1)], True), ([ACTION, ("gate_place", "t", 0)], False),
    ([ACTION, ("gate_place", "tg", 1)], False), ([("gate_place", "t", 1)], False),
    ([("gate_keshi", "tg")], True), ([("gate_keshi", "tt")], False), ([("gate_keshi", "tx")], False),
])  # fmt: skip
def test_what_a_position_may_ask(frames, possible):
    state = seated(board="2b", gates="t-------")
    assert fits(state, *(medina.Frame(*frame) for frame in frames)) is possible


def test_gates_whose_colours_spell_a_word_of_the_book_can_be_written():
    """White, orange and brown are ``won``, which is also what becomes of a river tile."""
    state = at(turn("workshop:won:1", gates_a="won-----", board_a="8b", resources_a="3n", known=KNOWN))
    assert fields(state)["doing"].endswith("workshop:won:1")
