"""A fact asked for when it first matters, and one that no match begins without: the toy with a tower."""

from functools import partial

import pytest

from device.bench.presses import Pilot
from device.copy_file import CopyFile
from device.line.door import list_following
from device.match.door import KEYS, Source
from device.match.replay import Header, Replay
from device.match.rulings import Amend, Rollback
from device.menus.copies import open_asked
from device.menus.play import Play
from device.panel.asking import ask_next
from device.settings import Confirm, Entries
from device.texts import Texts
from engines.castles_of_tuscany.facts import SCHEMA as TUSCANY
from engines.contract import Printed, Setup
from engines.facts import Known, Standing, playable, sample, schema
from engines.match import Step
from tests.device.conftest import NAMES, a_box
from tests.device.menus.people import Person
from tests.device.menus.test_facts_pages import Asked
from tests.engines import tower_toy
from tests.engines.castles_of_tuscany import table as tuscany
from tests.engines.tower_toy import SCHEMA


class Sitting(Asked):
    """Somebody at the box, with a copy of the tower game."""

    game = "tower_toy"

    @property
    def referee(self):
        return self.box.library.referee

    @property
    def known(self):
        return self.file.load().facts.known

    def begin(self):
        """Open a match of four turns and throw until a red pebble lies there."""
        self.file.put({"turns": 4})
        open_asked(self.box, Header(self.game, NAMES, Setup()))
        self.put_off()
        self.enter("2r1g", "1r")
        return self.page

    def put_off(self):
        """What may wait is not looked at yet."""
        while "Not known yet" in getattr(self.page, "items", ()):
            self.choose("Not known yet")

    def enter(self, *texts):
        for text in texts:
            self.box.door.step(text, source=Source("line:x#1"))
        assert self.referee.wait(30)


@pytest.fixture
def sitting(tower, table, ticks):
    return Sitting(a_box(table, ticks), ticks)


def test_what_no_match_begins_without_is_asked_without_starting(sitting):
    open_asked(sitting.box, Header(sitting.game, NAMES, Setup()))
    sitting.ok()
    assert sitting.page.header.left == "Turns 1/3"
    assert "Not known yet" not in sitting.items
    assert sitting.referee is None
    sitting.choose("Enter it")
    sitting.wheel("3")
    sitting.put_off()
    assert isinstance(sitting.box.stack[-1], Play)
    assert sitting.referee.replay.match.state.turns == 3
    assert sitting.known["turns"].value == 3


class TestWhenItMatters:
    def test_it_is_entered_as_before_a_match(self, sitting):
        page = sitting.begin()
        assert page.prompt == "What is r worth?"
        assert page.items == ("Enter it", "What is it?")
        sitting.choose("Enter it")
        sitting.wheel("7")
        assert sitting.items[0] == "7 points"
        assert sitting.referee.replay.log[-1].payload == "1r"  # not before OK
        sitting.ok()
        sitting.written()
        assert sitting.referee.replay.log[-1].payload == "7"
        assert sitting.page.prompt == "What do you keep?"
        assert sitting.known["worth.r"].value == 7
        assert sitting.known["worth.r"].standing is Standing.CONFIRMED

    def test_what_the_copy_says_by_now_is_offered(self, sitting):
        sitting.begin()
        sitting.file.put({"worth.r": 5})
        sitting.box.show_match().begin()
        assert sitting.items[0] == "5 points"
        sitting.ok()
        assert sitting.referee.replay.match.state.worth == (5, None)

    def test_a_correction_is_kept_too_where_the_file_has_what_was_wrong(self, sitting):
        sitting.begin()
        sitting.enter("7")
        sitting.box.door.rule(Amend(3, "8"), source=KEYS, by="ab")
        assert sitting.referee.replay.match.state.worth == (8, None)
        assert sitting.known["worth.r"].value == 8
        sitting.file.put({"worth.r": 5})
        sitting.box.door.rule(Amend(3, "9"), source=KEYS, by="ab")
        assert sitting.known["worth.r"].value == 5

    def test_what_the_disk_does_not_take_holds_in_the_match(self, sitting, monkeypatch, caplog):
        def refuse(*_):
            raise OSError(28, "No space left on device")

        sitting.begin()
        monkeypatch.setattr(CopyFile, "put", refuse)
        sitting.enter("7")
        assert sitting.referee.replay.match.state.worth == (7, None)
        assert "kept in the match only" in caplog.text

    def test_a_sample_tells_nothing_to_a_real_copy(self, sitting):
        setup = playable(SCHEMA, Setup())
        facts = tuple((name, "unknown" if name == "fact.worth.r" else told) for name, told in setup.facts)
        sitting.box.open(Header(sitting.game, NAMES, Setup(facts=facts)))
        sitting.enter("2r1g", "1r", "7")
        assert sitting.known["worth.r"].value is None
        assert sample(schema(sitting.game)).sample

    def test_where_people_confirm_it_is_kept_once_they_have(self, sitting):
        sitting.begin()
        sitting.box.door.confirm = Confirm(keys=Entries(reports="ask"))
        sitting.choose("Enter it")
        sitting.wheel("7")
        sitting.ok()
        assert sitting.known["worth.r"].value is None
        sitting.later()
        sitting.choose("yes")
        assert sitting.known["worth.r"].value == 7


class TestSupposed:
    """A fact that the game supposes something about, and people only confirm."""

    @pytest.fixture
    def supposing(self, sitting, monkeypatch):
        monkeypatch.setattr(tower_toy, "Printed", partial(Printed, supposed=4))
        sitting.begin()
        return sitting

    def test_one_press_confirms(self, supposing):
        assert supposing.items == ["4 points", "Change it", "What is it?"]
        taken = Pilot(supposing.box).enter(Step(None, "4"))
        assert (taken.presses, taken.detents) == (1, 0)
        assert supposing.referee.replay.match.state.worth == (4, None)
        assert supposing.known["worth.r"] == Known(4, Standing.CONFIRMED)

    def test_the_page_and_the_line_begin_with_it(self, supposing):
        replay = supposing.referee.replay
        assert ask_next(replay, supposing.box.words_of(replay)).entry.value == "4 points"
        assert list_following(replay.game, replay.match.state, "") == ["4"]


GAME = "castles_of_tuscany"


@pytest.fixture
def copy(table):
    """A copy on which people found but two kinds of yield cards."""
    file = CopyFile.of(table.state_dir, GAME, Texts.load("en", GAME))
    file.put({**TUSCANY.made_up, "yields": ("g2", "m1")})
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
    again = Replay(match(person).replay.header.write(), match(person).replay.log)
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
