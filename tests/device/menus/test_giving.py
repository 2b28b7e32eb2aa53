"""Goods by hand: whose, which, how many and why; only if all agree; undone, shown, verified."""

from pathlib import Path

import pytest

from device.commands import verify
from device.exports import FORMATS, rows
from device.exports.account import of_log
from device.match.journal import read
from device.match.replay import Replay
from device.menus import adjustment
from device.menus.match_menu import match_menu
from device.menus.play import Play
from engines import matchfile
from engines.errors import EngineError
from tests.device.conftest import a_box
from tests.device.menus.people import Person, payloads
from tests.engines.tables import TABLES

TABLE = TABLES["castles_of_tuscany full 2"]


@pytest.fixture
def person(table, ticks):
    return Person(a_box(table, ticks), ticks)


@pytest.fixture
def match(person):
    """A turn begins; Adso has a worker."""
    turns = (one.after for one in TABLE.steps(1) if one.after.display and not one.after.frames)
    state = next(turns)
    state = state.with_side(0, workers=1)
    position = TABLE.game.position.write(state)
    return person.open("castles_of_tuscany", position=position, facts=TABLE.setup.facts)


def reach(person, match, seat="Adso", good="workers", number="+2", reason="a card says so"):
    words = person.box.words_of(match.replay)
    person.box.push(match_menu(person.box, match, words))
    person.choose("Take or return goods")
    assert person.page.prompt == "Whose goods?"
    person.choose(seat)
    person.choose(good)
    page = person.page
    person.turn(page.items.index(number) - page.index)
    person.ok()
    person.choose(reason)


def workers(match):
    return match.replay.match.state.sides[0].workers


def test_goods_are_given_when_all_agree(person, match):
    reach(person, match)
    assert person.agree().splitlines() == ["Adso: workers +2 by hand", "Why: a card says so", "1 → 3"]
    assert payloads(match) == ["by ab", "give a +2 worker a card says so"]
    assert workers(match) == 3
    assert isinstance(person.box.stack[-1], Play)


def test_goods_are_returned_no_more_than_there_are(person, match):
    reach(person, match, number="-1")
    person.agree()
    assert workers(match) == 0
    words = person.box.words_of(match.replay)
    person.box.push(match_menu(person.box, match, words))
    person.choose("Take or return goods")
    person.choose("Adso")
    person.choose("workers")
    assert person.page.items[0] == "+1"


def test_they_are_replayed_shown_and_verified(person, match):
    reach(person, match)
    person.agree()
    match.wait(30)
    reading = read(match.path)
    assert Replay(reading.header, reading.records).match.state.sides[0].workers == 3
    account = of_log(reading.header, reading.records)
    assert [(row.kind, row.text, row.reason) for row in account.rows] == [
        ("adjustment", "+2 worker", "a card says so")
    ]
    assert "worker" in rows.write_rows(account)
    texts = {name: FORMATS[name][1](account) for name in ("match", "csv", "json", "sheet")}
    assert all("a card says so" in text for text in texts.values())
    again = matchfile.play(matchfile.read(texts["match"]))
    assert again.state.sides[0].workers == 3
    words = person.box.words_of(match.replay)
    assert words.made(match.replay.match, 0) == "Adso: workers +2 by hand (a card says so)"
    assert not verify.verify(Path(match.path)).failure


def test_what_cannot_be_given_now_is_said(person, match, monkeypatch):
    def summary(*_):
        raise EngineError("no")

    monkeypatch.setattr(adjustment, "summary", summary)
    reach(person, match)
    assert person.notice == "Not now: answer the question first, or take fewer."
    assert payloads(match) == []
