"""The square (MK-10): the disc, what spectators are worth and the scrolls that change it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.marrakesh import square
from engines.marrakesh.book import BOOK
from engines.marrakesh.facts import SQUARE
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    agreed,
    asked,
    gains,
    keshis,
    play,
    refused,
    resources,
    seated,
    tokens,
    told,
    unknown,
)

FACED = (1, 1, 3, 1, 1, 3, 1, 3)
"""The made-up disc clockwise from its first section.

The places are water, mosque, river, dinar, 2 VP, palace, date and goods.
"""


def on(*places):
    """The set of these places."""
    return sum(1 << SQUARE.index(place) for place in places)


def shown(disc, **fields):
    """The copy whose disc and places are these."""
    return told(disc=disc, **fields)


def performing(*places, disc=0, copy=COPY, **fields):
    """Entertainers on these places; the disc's section of this number faces the first place."""
    return seated(square=on(*places), board=f"{len(places)}p", disc=disc, copy=copy, **fields)


def acted(*places, **fields):
    """The square's action with entertainers on these places."""
    return BOOK.settled(square.act(performing(*places, **fields)))


# The action


def test_mk_10_1_the_example_of_three_spectators_and_goods_of_one_colour():
    """The disc is turned, then the topmost place is faced by three."""
    state = acted("goods", "water", disc=6)
    assert (asked(state), tokens(state)) == ("spectators", ["water", "goods"])
    assert square.spectators(state, "goods") == 1
    state = acted("goods", "water", disc=3)
    assert square.spectators(state, "goods") == 1
    state = acted("goods", "water", disc=7)
    assert (state.own.disc, square.spectators(state, "goods")) == (6, 3)
    state = play(state, "goods")
    assert asked(state) == "goods"
    assert keshis(play(state, "u")) == "2p3u"


def test_mk_10_1_the_disc_turns_a_section_clockwise():
    """What faced a place faces the next one after it, and the last the first."""
    before = performing("date")
    then = BOOK.settled(square.act(before))
    for at, place in enumerate(SQUARE):
        assert square.spectators(then, SQUARE[(at + 1) % 8]) == square.spectators(before, place)
    assert tuple(square.spectators(before, place) for place in SQUARE) == FACED
    assert then.own.disc == 7
    assert BOOK.settled(square.act(then)).own.disc == 6


def test_mk_10_1_a_new_entertainer_goes_to_any_free_place_and_gives_its_bonus_once():
    copy = told(square=SQUARE[::-1])
    state = after(performing("dinar", copy=copy), "deploy_p")
    assert (asked(state), tokens(state)) == ("spot", [place for place in SQUARE if place != "dinar"])
    state = play(state, "date")
    assert (resources(state), state.own.square, asked(after(state, "square"))) == (
        "1d",
        on("dinar", "date"),
        "spectators",
    )


def test_mk_10_1_a_place_with_an_own_entertainer_is_chosen():
    state = acted("mosque", "dinar")
    assert tokens(state) == ["mosque", "dinar"]
    assert refused(state, "water") == ("spectators.own", "MK-10.1", {"reward": "water"})
    assert agreed(state)
    words = "more.water 3w more.mosque 1s more.river 1r more.dinar 3n more.vp2 2v more.palace 1s more.date 3d"
    assert [word for figure in BOOK.pending(state).figures for word in figure] == words.split()


def test_mk_10_1_a_place_that_nobody_faces_may_be_chosen_and_gives_nothing():
    copy = shown((0, 1, 1, 1, 4, 1, 1, 1))
    state = acted("water", "dinar", copy=copy, disc=1)
    assert square.spectators(state, "water") == 0
    state = play(state, "water")
    assert (asked(state), resources(state), gains(state)) == ("", "", [])


def test_mk_10_1_how_the_disc_lies_is_asked_when_it_first_matters_once_it_is_turned():
    state = acted("dinar", disc=-1)
    assert (asked(state), "disc" in BOOK.reports) == ("disc", True)
    assert tokens(state) == [square.facing(COPY.disc, section) for section in range(8)]
    assert agreed(state)
    state = play(state, square.facing(COPY.disc, 2))
    assert (state.own.disc, resources(state)) == (2, "3n")
    state = after(state, "square")
    assert (state.own.disc, asked(state)) == (1, "")
    state = play(acted("dinar", disc=-1, scrolls=(65,)), square.facing(COPY.disc, 2))
    assert (state.own.disc, asked(state)) == (1, "")
    state = acted(disc=-1)
    assert (state.own.disc, asked(state)) == (-1, "")


def test_mk_10_2_points_steps_and_goods():
    copy = shown((3,) * 8)
    assert gains(acted("vp2", copy=copy)) == [("square", 6, "")]
    assert acted("mosque", copy=replace(copy, mosque_lines=(4, 6, 9, 12))).own.mosque == 3
    assert acted("palace", copy=replace(copy, palace_lines=(4, 6, 9, 12))).own.palace == 3
    assert keshis(play(acted("goods", copy=copy), "o")) == "1p3o"
    assert acted("river", copy=copy).own.fisherman == 3


# Scrolls


def test_scroll_29_comes_at_the_end_of_each_action():
    copy = shown((1, 1, 1, 3, 1, 1, 1, 1))
    state = acted("goods", copy=copy, disc=0, scrolls=(29, 65))
    assert gains(state) == []
    state = play(state, "l")
    assert gains(state) == [("scrolls", 6, "29")]
    assert gains(play(state, "l")) == [("scrolls", 6, "29"), ("scrolls", 2, "29")]


@pytest.mark.parametrize(("counts", "gained"), [("no", "3w"), ("yes", "3n")])
def test_scroll_31_changes_what_three_is_where_the_copy_says_so(counts, gained):
    """Three face the water, two the dinars."""
    copy = told(more_counts=counts, disc=(3, 1, 1, 2, 1, 1, 1, 1))
    assert resources(after(seated(disc=0, copy=copy, scrolls=(31,)), "threes")) == gained


def test_mk_1_8_what_scroll_31_changes_is_asked_for_where_it_matters():
    copy = unknown(COPY, "more_counts")
    assert asked(after(seated(disc=0, copy=copy, scrolls=(31,)), "threes")) == "print"
    assert asked(after(seated(disc=0, copy=copy), "threes")) == "goods"
    state = acted("dinar", disc=0, copy=copy, scrolls=(31, 51))
    assert (asked(state), state.frames[-1].what, resources(state)) == ("print", "more_counts", "4n")
    assert asked(acted("dinar", disc=0, copy=copy, scrolls=(31,))) == ""
