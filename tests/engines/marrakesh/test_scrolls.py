"""Scrolls that nobody told of, and those with nothing to act on (MK-12.4); what each does: truth.py."""

import pytest
from msgspec.structs import replace

from engines.marrakesh import tiles
from engines.marrakesh.book import BOOK, effect_of
from engines.marrakesh.facts import SCHEMA, known
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    agreed,
    asked,
    gains,
    play,
    resources,
    seated,
    told,
    unknown,
)

EVERY = range(1, 73)


def bought(number, **own):
    """The state after a scroll was bought by a seat with these things before it."""
    return after(seated(scrolls=(number,), **own), f"scroll_{number}")


# Facts, and who owns what


@pytest.mark.parametrize("number", EVERY)
def test_a_scroll_that_nobody_told_of_is_asked_for_and_begins_with_what_is_likely(number):
    name = tiles.scroll_fact(number)
    state = bought(number, copy=unknown(COPY, name))
    domain = BOOK.pending(state).domain
    assert (asked(state), domain.name) == ("print", name)
    assert domain.begun == (SCHEMA.fact(name).default.value or "")
    word = known(COPY, name)
    told_of = play(state, word)
    assert known(told_of.copy, name) == word
    assert replace(told_of, copy=COPY) == bought(number)


@pytest.mark.parametrize("number", EVERY)
def test_a_permanent_scroll_is_owned_and_nothing_else(number):
    word = known(COPY, tiles.scroll_fact(number))
    state = seated(scrolls=(number,), fisherman=6, board="2t2g2k2w2y2b2p", resources="3w3d3n", oases=(5,))
    assert state.owns(word)
    assert not replace(state, seat=1).owns(word)
    if word in tiles.AT_ONCE:
        assert effect_of(word)
    else:
        assert after(state, f"scroll_{number}") == state


def test_the_copy_says_which_number_has_what():
    copy = told(scroll={"13": "double_square", "65": "water2"})
    assert seated(scrolls=(13,), copy=copy).owns("double_square")
    assert not seated(scrolls=(65,), copy=copy).owns("double_square")
    assert resources(bought(65, copy=copy)) == "2w"


def test_what_has_nothing_to_act_on_is_void():
    assert bought(71) == seated(scrolls=(71,))
    assert bought(72) == seated(scrolls=(72,))
    assert asked(bought(71, oases=(19,))) == ""  # one oasis, nothing to return
    assert gains(bought(71, oases=(19,))) == [("scrolls", 3, "oasis 19")]


@pytest.mark.parametrize(
    "state",
    [
        bought(71, oases=(21, 5, 30)),
        play(bought(71, oases=(21, 5), resources="2d"), "21"),
        play(bought(71, oases=(21, 5), resources="14d"), "21"),
    ],
)
def test_lists_and_checks_agree(state):
    assert agreed(state)


def test_an_oasis_that_scores_and_is_unknown_is_asked_for():
    state = bought(71, oases=(7,), copy=unknown(COPY, "keshi_oasis.07"), board="2t")
    assert (asked(state), BOOK.pending(state).domain.begun) == ("print", "t")
    assert gains(play(state, "t")) == [("scrolls", 5, "oasis 07")]
