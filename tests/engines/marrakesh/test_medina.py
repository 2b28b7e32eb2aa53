"""The medina (MK-13): workshops, gates and their keshis; the made-up copy's gate places are ntygkwbp."""

from __future__ import annotations

import pytest

from engines.errors import Impossible
from engines.marrakesh import medina, river, square  # noqa: F401, an entertainer's place may give steps
from engines.marrakesh.book import BOOK
from tests.engines.marrakesh.sitting import (
    COPY,
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


def test_a_step_names_workshop_colour_and_place():
    state = buying(board="2b", resources="1n")
    opened = []
    for token in ["1", "n", "1"]:
        opened.append(BOOK.pending(state).open)
        state = play(state, token)
    assert opened == [False, True, True]
    assert not BOOK.pending(state).open


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


# Scrolls


# Overruled


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
