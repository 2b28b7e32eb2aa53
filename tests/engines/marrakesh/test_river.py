"""The river (MK-7): what a longer move costs, and rapids that are not crossed (MK-15.1)."""

from msgspec.structs import replace

from engines.marrakesh.book import BOOK
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    agreed,
    asked,
    play,
    refused,
    resources,
    seated,
    tokens,
)

# Moves


def test_mk_7_1_every_move_may_be_lengthened_by_water_paid_a_step_each():
    state = after(seated(fisherman=4, resources="2w1d1n"), "river3")
    assert asked(state) == "sail"
    assert tokens(state) == ["7", "8", "9"]
    more = (("more.8", "1w"), ("more.9", "2w"))
    assert BOOK.pending(state).figures == (("n", 3), ("space", 4), ("water", 2), *more)
    assert resources(play(state, "7")) == "2w1d1n"
    state = play(state, "9")
    assert (state.sides[0].fisherman, resources(state)) == (9, "1d1n")


# Rapids


def test_mk_15_1_rapids_are_told_by_what_they_give_and_refused_where_not_crossed():
    copy = replace(COPY, rapid_bonus=("vp", "any", "vp", "goods"))
    state = after(seated(fisherman=10, copy=copy), "rapids_a")
    assert tokens(state) == ["vp", "any"]
    assert refused(state, "goods") == (
        "rapid.crossed",
        "MK-15.1",
        {"reward": "goods", "space": 10, "rapid": 12},
    )
    assert agreed(state)
