"""The medina (MK-13): workshops, gates and their keshis; the made-up copy's gate places are ntygkwbp."""

import pytest

from engines.errors import Impossible
from engines.marrakesh import medina, river, square  # noqa: F401, an entertainer's place may give steps
from engines.marrakesh.book import BOOK
from tests.engines.marrakesh.sitting import (
    COPY,
    asked,
    fits,
    gains,
    keshis,
    overruled,
    play,
    resources,
    seated,
    tokens,
    under_1,
)


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
