"""The medina (MK-13): workshops, gates and their keshis; the made-up copy's gate places are ntygkwbp."""

import pytest

from engines.errors import Impossible
from engines.marrakesh import medina, river, square  # noqa: F401, an entertainer's place may give steps
from engines.marrakesh.book import BOOK
from tests.engines.marrakesh.sitting import (
    COPY,
    asked,
    fits,
    overruled,
    play,
    seated,
    under_1,
)


def buying(*others, copy=COPY, **fields):
    """The state that asks for a workshop."""
    return BOOK.settled(medina.act(seated(*others, copy=copy, **fields)))


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
