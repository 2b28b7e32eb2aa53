"""Scrolls that nobody told of, and those with nothing to act on (MK-12.4); what each does: truth.py."""

import pytest
from msgspec.structs import replace

from engines.marrakesh import tiles
from engines.marrakesh.book import BOOK
from engines.marrakesh.facts import SCHEMA, known
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    asked,
    gains,
    play,
    seated,
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


def test_an_oasis_that_scores_and_is_unknown_is_asked_for():
    state = bought(71, oases=(7,), copy=unknown(COPY, "keshi_oasis.07"), board="2t")
    assert (asked(state), BOOK.pending(state).domain.begun) == ("print", "t")
    assert gains(play(state, "t")) == [("scrolls", 5, "oasis 07")]
