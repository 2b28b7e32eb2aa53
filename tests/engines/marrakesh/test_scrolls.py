"""Tiles as public lists have them, and scrolls that nobody told of (MK-12.4); what each does: truth.py."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from engines.fact_kinds import write
from engines.marrakesh import pieces
from engines.marrakesh.book import BOOK
from engines.marrakesh.facts import SCHEMA, look_up
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    asked,
    gains,
    play,
    seated,
    unknown,
)

LISTED = Path(__file__).with_name("tiles.txt")
"""What public lists say of a copy: fact, value, how sure, clause."""
EVERY = range(1, 73)


def test_every_value_of_a_tile_is_listed_with_its_mark():
    """Whoever changes a value or a mark on purpose writes it there too."""
    lines = []
    for fact in SCHEMA:
        likely = fact.default
        value = "?" if likely.value is None else write(fact.kind, likely.value)
        lines.append(f"{fact.name} {value} {likely.standing.value} {fact.clause}\n")
    assert "".join(lines) == LISTED.read_text()


def bought(number, **own):
    """The state after a scroll was bought by a seat with these things before it."""
    return after(seated(scrolls=(number,), **own), f"scroll_{number}")


# Facts, and who owns what


@pytest.mark.parametrize("number", EVERY)
def test_a_scroll_that_nobody_told_of_is_asked_for_and_begins_with_what_is_likely(number):
    name = pieces.name_scroll_fact(number)
    state = bought(number, copy=unknown(COPY, name))
    domain = BOOK.pending(state).domain
    assert (asked(state), domain.name) == ("print", name)
    assert domain.begun == (SCHEMA.fact(name).default.value or "")
    word = look_up(COPY, name)
    told_of = play(state, word)
    assert look_up(told_of.copy, name) == word
    assert replace(told_of, copy=COPY) == bought(number)


def test_an_oasis_that_scores_and_is_unknown_is_asked_for():
    state = bought(71, oases=(7,), copy=unknown(COPY, "keshi_oasis.07"), board="2t")
    assert (asked(state), BOOK.pending(state).domain.begun) == ("print", "t")
    assert gains(play(state, "t")) == [("scrolls", 5, "oasis 07")]
