"""More exchange offices (MK-17.3): which one lies out, what its lines give, and those of the base game."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from device.texts import Texts
from engines.contract import Choice, Label
from engines.marrakesh import GAME, souk
from engines.marrakesh.book import BOOK
from engines.marrakesh.expanding import kept
from engines.marrakesh.overlays import BASE, Offices
from engines.marrakesh.state import Frame
from engines.marrakesh.tiles import OFFICE_LINES, OFFICES
from engines.words import Words
from tests.engines.marrakesh.lines import turn
from tests.engines.marrakesh.sitting import (
    COPY,
    agreed,
    asked,
    fits,
    gains,
    keshis,
    play,
    playing,
    resources,
    seated,
    tokens,
    told,
    unknown,
)

PICTURED = ("1d1r", "1n1v", "1w1s")
"""The lines that the rulebook shows: a date and a river step, a dinar and a VP, water and a stair step."""


def at_souk(copy=COPY, board="2l2u2o", **side):
    return playing(seated(copy=copy, board=board, **side), "more_offices")


def sold(colour, copy=COPY, **side):
    """The state after a keshi was returned to the season's office."""
    return BOOK.settled(souk.sell(at_souk(copy, **side), colour))


@pytest.mark.parametrize("number", OFFICES)
def test_mk_17_3_each_office_is_told_once_and_gives_by_colour(number):
    state = sold("u", unknown())
    assert (asked(state), tokens(state), agreed(state)) == ("office", [*OFFICES, BASE], True)
    state = play(state, number)
    assert (asked(state), state.frames[-1].what) == ("print", f"office.{number}")
    state = play(state, "1w1v,1d1v,1n1v")
    assert (resources(state), gains(state), keshis(state)) == ("1d", [("offices", 1, "purple")], "2l1u2o")
    assert state == play(sold("u", told(unknown(), office={number: ("1w1v", "1d1v", "1n1v")})), number)
    for colour in "lo":
        state = BOOK.settled(souk.sell(state, colour))
    assert (asked(state), resources(state), len(gains(state))) == ("", "1w1d1n", 3)


@pytest.mark.parametrize("line", OFFICE_LINES)
def test_mk_17_3_a_line_gives_a_resource_and_a_bonus(line):
    state = play(sold("o", told(office={"4": ("1w1v", "1w1v", line)})), "4")
    assert resources(state) == line[:2]
    bonus = {
        "v": gains(state) == [("offices", 1, "orange")],
        "r": state.own.fisherman == 1 or asked(state) == "sail",
        "s": asked(state) == "stair",
    }
    assert [letter for letter, got in bonus.items() if got] == [line[3]]


def test_mk_9_2_of_an_office_of_the_base_game_each_line_is_asked_when_it_matters():
    state = play(sold("u"), BASE)
    assert (asked(state), state.frames[-1].what) == ("line", "u")
    state = play(state, "2d")
    assert (resources(state), state.lines) == ("2d", ("", "2d", ""))
    state = BOOK.settled(souk.sell(state, "l"))
    assert (asked(state), state.frames[-1].what) == ("line", "l")
    assert resources(BOOK.settled(souk.sell(play(state, "1w"), "u"))) == "1w4d"


def test_offices_are_written_in_a_position():
    text = turn(more_offices="yes", offices="2,5", season=2)
    state = GAME.position.read(text)
    assert kept(state, Offices).offices == ("2", "5")
    assert GAME.position.read(GAME.position.write(state)) == state
    more = turn(more_offices="yes", offices="2,5", season=1, waived="MK-17.3")
    assert [one.check for one in GAME.position.status(more)] == ["position.offices"]


@pytest.mark.parametrize(("what", "there"), [("u", True), ("", False), ("t", False)])
def test_an_office_is_asked_for_a_colour_of_goods_while_no_line_is_known(what, there):
    assert fits(at_souk(), Frame("office", what)) == there
    assert not fits(replace(at_souk(), lines=PICTURED), Frame("office", what))


def test_an_office_that_was_told_is_known_after_going_back_in_its_season():
    first, later = sold("u"), replace(sold("u"), season=2)
    assert BOOK.seen(first) == BOOK.seen(sold("l")) != BOOK.seen(later)


TEXTS = Texts.load("en", "marrakesh", strict=True)
WORDS = Words(TEXTS, GAME, ("Amira", "Basim"))


def test_a_known_office_is_offered_with_what_it_gives():
    asks = BOOK.pending(sold("l", told(unknown(), office={"2": PICTURED})))
    called = {token: WORDS.answer(Choice("office", token), asks.figures) for token in asks.domain.tokens}
    assert called["2"] == "office 2: date + river, dinar + VP, water + stair"
    assert (called["3"], called[BASE]) == ("office 3", "of the base game")


def test_hands_look_at_the_office():
    before = at_souk()
    assert Label("hands.office_look", (("seat", 0), ("n", 0), ("colour", "u"))) in GAME.telling.hands(
        before, (), sold("u")
    )
    assert [label.key for label in GAME.telling.about(sold("u"))] == ["about.office"]
