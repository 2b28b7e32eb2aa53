"""A yield card that the copy's list lacks: told reward by reward, and kept after a question."""

import pytest

from device.copy_file import CopyFile
from device.match.door import KEYS
from device.match.replay import Replay
from device.match.rulings import Rollback
from device.texts import Texts
from engines.castles_of_tuscany.facts import SCHEMA
from tests.device.conftest import a_box
from tests.device.menus.people import Person
from tests.engines.castles_of_tuscany import table as tuscany

GAME = "castles_of_tuscany"


@pytest.fixture
def copy(table):
    """A copy on which people found but two kinds of yield cards."""
    file = CopyFile.of(table.state_dir, GAME, Texts.load("en", GAME))
    file.put({**SCHEMA.made_up, "yields": ("g2", "m1")})
    return file


@pytest.fixture
def person(table, ticks, copy):
    """A cart's yield card is turned up."""
    person = Person(a_box(table, ticks), ticks)
    position = tuscany.turn("b1,a1", copy="cards=- yields=g2,m1", doing="yield:n1:new")
    position = position.replace("C1-1", "C1+0").replace("rules=1", "rules=2")
    person.open(GAME, position=position)
    return person


def match(person):
    return person.box.library.referee


def kept(copy):
    return copy.load().facts["yields"]


def tell(person, *rewards):
    person.choose("another card")
    for reward in rewards:
        person.choose(reward)
    person.go("that is all")
    person.ok()


def test_two_rewards_are_entered_and_the_card_is_kept_after_a_question(person, copy):
    tell(person, "1 worker", "2 VP on orange")
    assert person.page.prompt == "Your copy's list lacks 2 VP on orange, 1 worker. Keep it there?"
    assert kept(copy) == ("g2", "m1")
    person.choose("yes")
    side = match(person).replay.match.state.sides[0]
    assert (side.workers, side.gains[-1].points) == (1, 2)
    assert match(person).replay.match.state.copy.yields == ("g2", "m1", "o2+w1")
    assert match(person).replay.log[-1].payload == "yield + w1 o2"
    assert kept(copy) == ("g2", "m1", "o2+w1")
    again = Replay(match(person).replay.header.fields(), match(person).replay.log)
    assert again.match.state == match(person).replay.match.state


def test_something_else_can_be_told_and_is_not_kept(person, copy):
    person.choose("something else")
    assert match(person).replay.log[-1].payload == "yield x"
    assert kept(copy) == ("g2", "m1")
    made = match(person).replay.match
    hands = made.game.telling.hands(made.points[0].state, made.chosen(0), made.state)
    words = person.box.words_of(match(person).replay)
    assert words.labels(hands)[0] == "Do what the card says; goods: menu, Take or return goods."


def test_a_card_stays_seen_where_people_go_back(person, copy):
    tell(person, "1 worker", "2 VP on orange")
    person.choose("yes")
    person.box.door.rule(Rollback(1), source=KEYS, by="ab")
    assert match(person).replay.log[-1].payload == "yield + w1 o2"
    assert match(person).replay.match.state.copy.yields == kept(copy) == ("g2", "m1", "o2+w1")
