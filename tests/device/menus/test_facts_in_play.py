"""A fact asked for when it first matters, and one that no match begins without: the toy with a tower."""

from functools import partial

import pytest

from device.bench.presses import Pilot
from device.copy_file import CopyFile
from device.line.door import following
from device.match.door import KEYS, Source
from device.match.replay import Header
from device.match.rulings import Amend
from device.menus.copies import open_asked
from device.menus.play import Play
from device.panel.asking import next_question
from device.settings import Confirm, Entries
from engines.contract import Printed, Setup
from engines.facts import Known, Standing, playable, sample, schema
from engines.match import Step
from tests.device.conftest import NAMES, a_box
from tests.device.menus.test_facts_pages import Asked
from tests.engines import tower_toy
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
        while "Unknown yet" in getattr(self.page, "items", ()):
            self.choose("Unknown yet")

    def enter(self, *texts):
        for text in texts:
            self.box.door.step(text, source=Source("line:x#1"))
        assert self.referee.wait(30)


@pytest.fixture
def sitting(tower, table, ticks):
    return Sitting(a_box(table, ticks), ticks)


class TestBefore:
    def test_what_no_match_begins_without_is_asked_without_starting(self, sitting):
        open_asked(sitting.box, Header(sitting.game, NAMES, Setup()))
        sitting.ok()
        assert sitting.page.header.left == "Turns 1/3"
        assert "Unknown yet" not in sitting.items
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
        assert Pilot(supposing.box).enter(Step(None, "4")) == (1, 0)
        assert supposing.referee.replay.match.state.worth == (4, None)
        assert supposing.known["worth.r"] == Known(4, Standing.CONFIRMED)

    def test_it_is_changed_from_there(self, supposing):
        assert Pilot(supposing.box).enter(Step(None, "7")) == (3, 4)  # the other line, three on the wheel
        assert supposing.referee.replay.match.state.worth == (7, None)

    def test_the_page_and_the_line_begin_with_it(self, supposing):
        replay = supposing.referee.replay
        assert next_question(replay, supposing.box.words_of(replay)).entry.value == "4 points"
        assert following(replay.game, replay.match.state, "") == ["4"]
