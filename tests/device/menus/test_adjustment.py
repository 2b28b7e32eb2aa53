"""Points by hand: whose, how many, why; the score before and after; and only if all agree."""

import pytest

from device.keys.cues import Cue
from device.match.standings import scores
from device.menus.adjustment import POINTS, adjusting
from device.menus.play import Play
from device.screen.pages import WheelPage
from engines.errors import EngineError
from tests.device.conftest import a_box
from tests.device.menus.people import Person, payloads


@pytest.fixture
def person(toy, table, ticks):
    return Person(a_box(table, ticks), ticks)


@pytest.fixture
def match(person):
    """Adso has one point."""
    return person.open("toy", position="1 2r3g - 1,0 -")


@pytest.fixture
def asked(person, match):
    adjusting(person.box, match, person.box.words_of(match.replay))
    return match


def at_the_match(person):
    return isinstance(person.box.stack[-1], Play)


def reach(person, seat="William", points=-3, reason="slow play"):
    """Up to what people are asked."""
    person.choose(seat)
    person.turn(POINTS.index(points) - person.page.index)
    person.ok()
    person.choose(reason)


def test_then_how_many_from_near_nothing_and_never_none(person, asked):
    person.choose("William")
    page = person.page
    assert isinstance(page, WheelPage)
    assert page.prompt == "William: how many?"
    assert page.items[page.index] == "+1"
    assert (page.items[0], page.items[-1], len(page.items)) == ("-50", "+50", 100)
    assert person.turn(-1).items[person.page.index] == "-1"
    assert person.turn(-999).index == 0
    assert person.turn(999).index == 99


def test_both_scores_are_said_and_all_must_agree(person, asked):
    reach(person)
    text = person.read_on()
    assert text.splitlines() == ["William: -3 by hand", "Why: slow play", "William 0 → -3"]
    person.choose("yes")
    assert payloads(asked) == []
    person.choose("yes")
    assert payloads(asked) == ["by ab", "adjust b -3 slow play"]
    assert scores(asked.replay) == [1, -3]
    assert at_the_match(person)


def test_a_reason_is_not_needed(person, asked):
    reach(person, "Adso", 50, "no reason")
    assert person.agree().splitlines() == ["Adso: +50 by hand", "Adso 1 → 51"]
    assert payloads(asked) == ["by ab", "adjust a +50"]


def test_a_no_leads_back_to_the_wheel(person, asked):
    reach(person)
    person.read_on()
    person.choose("no")
    assert person.notice == "Adso did not agree"
    person.later()
    assert person.page.items[person.page.index] == "-3"
    person.back()
    assert person.page.prompt == "Whose points?"
    person.back()
    assert at_the_match(person)
    assert payloads(asked) == []


def test_points_that_a_game_does_not_take_are_said(person, asked, monkeypatch):
    def adjust(*_):
        raise EngineError("no points here")

    heard = []
    person.box.on_cue = heard.append
    monkeypatch.setattr(asked.replay.game.rules, "adjust", adjust)
    reach(person)
    assert (person.notice, heard) == ("no points here", [Cue.REFUSED])
    person.later()
    assert isinstance(person.page, WheelPage)
    assert payloads(asked) == []
