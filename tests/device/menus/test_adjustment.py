"""Points and goods by hand: whose, how many, why; before and after; only if all agree; replayed and shown."""

import pytest

from device.event import verify_journal
from device.exports import FORMATS, rows
from device.exports.account import read_log
from device.keys import Cue
from device.match.journal import read
from device.match.replay import Replay
from device.match.rulings import Give
from device.menus import undoing
from device.menus.match_menu import make_match_menu
from device.menus.play import Play
from device.menus.undoing import POINTS, ask_adjustment
from device.screen import WheelPage
from engines import matchfile
from engines.errors import EngineError
from tests.device.conftest import a_box
from tests.device.menus.people import Person, payloads
from tests.engines.tables import TABLES

TABLE = TABLES["castles_of_tuscany full 2"]


@pytest.fixture
def person(toy, table, ticks):
    return Person(a_box(table, ticks), ticks)


@pytest.fixture
def asked(person):
    """Adso has one point, and people are asked whose points shall change."""
    match = person.open("toy", position="1 2r3g - 1,0 -")
    ask_adjustment(person.box)
    return match


def at_the_match(person):
    return isinstance(person.box.stack[-1], Play)


def reach(person, seat="William", points=-3, reason="slow play"):
    """Up to what people are asked."""
    person.choose(seat)
    person.turn(POINTS.index(points) - person.page.index)
    person.ok()
    person.choose(reason)


def test_a_number_is_asked_for_from_near_nothing_and_is_never_none(person, asked):
    person.choose("William")
    page = person.page
    assert isinstance(page, WheelPage)
    assert page.prompt == "William: how many?"
    assert page.items[page.index] == "+1"
    assert (page.items[0], page.items[-1], len(page.items)) == ("-50", "+50", 100)
    assert person.turn(-1).items[person.page.index] == "-1"
    assert person.turn(-999).index == 0
    assert person.turn(999).index == 99


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


@pytest.fixture
def match(person):
    """A turn of The Castles of Tuscany begins; Adso has a worker."""
    turns = (one.after for one in TABLE.steps(1) if one.after.display and not one.after.frames)
    position = TABLE.game.position.write(next(turns).with_side(0, workers=1))
    return person.open("castles_of_tuscany", position=position, facts=TABLE.setup.facts)


def hand_over(person, match, number="+2"):
    """Workers to Adso, or from him, up to what people are asked."""
    person.box.push(make_match_menu(person.box))
    person.choose("Take or return goods")
    assert person.page.prompt == "Whose goods?"
    person.choose("Adso", "workers")
    person.turn(person.page.items.index(number) - person.page.index)
    person.ok()
    person.choose("a card says so")


def workers(match):
    return match.replay.match.state.sides[0].workers


def test_goods_are_given_when_all_agree_and_returned_no_more_than_there_are(person, match):
    hand_over(person, match)
    assert person.agree().splitlines() == ["Adso: workers +2 by hand", "Why: a card says so", "1 → 3"]
    assert payloads(match) == ["by ab", "give a +2 worker a card says so"]
    assert workers(match) == 3
    assert at_the_match(person)
    hand_over(person, match, number="-3")
    person.agree()
    assert workers(match) == 0
    person.box.push(make_match_menu(person.box))
    person.choose("Take or return goods", "Adso", "workers")
    assert person.page.items[0] == "+1"


def test_goods_by_hand_are_replayed_shown_and_verified(person, match):
    hand_over(person, match)
    person.agree()
    match.wait(30)
    reading = read(match.path)
    assert Replay(reading.header, reading.records).match.state.sides[0].workers == 3
    account = read_log(reading.header, reading.records)
    assert [(row.kind, row.text, row.reason) for row in account.rows] == [
        ("adjustment", "+2 worker", "a card says so")
    ]
    assert "worker" in rows.write_rows(account)
    texts = {name: FORMATS[name][1](account) for name in ("match", "csv", "json", "sheet")}
    assert all("a card says so" in text for text in texts.values())
    assert matchfile.play(matchfile.read(texts["match"])).state.sides[0].workers == 3
    words = person.box.words_of(match.replay)
    assert words.made(match.replay.match, 0) == "Adso: workers +2 by hand (a card says so)"
    assert not verify_journal("match", read(match.path)).failure


def test_goods_are_called_alike_in_a_game_that_asks_which_good(person):
    table = TABLES["marrakesh full 3"]
    person.open("marrakesh", facts=table.setup.facts)
    person.box.push(make_match_menu(person.box))
    person.choose("Take or return goods", "Adso", "water")
    assert person.page.prompt == "water: how many?"
    said = undoing.tell_effect(person.box, Give(0, 1, "water", ""))
    assert said.startswith("Adso: water +1 by hand")


def test_goods_that_cannot_be_given_now_are_said(person, match, monkeypatch):
    def summary(*_):
        raise EngineError("no")

    monkeypatch.setattr(undoing, "tell_effect", summary)
    hand_over(person, match)
    assert person.notice == "Not now: answer the question first, or take fewer."
    assert payloads(match) == []
