"""Nothing is ruled unless everybody asked said yes, knowingly, to the match as it stood."""

import pytest

from device.keys.cues import Cue
from device.keys.events import Key, Press, Turn
from device.match.history import RulingError
from device.menus import consent
from device.menus.consent import Consent
from device.menus.play import Play
from device.menus.ui import MOMENT_MS
from device.menus.views import attempt
from device.screen.pages import ListPage, TextPage, WheelPage
from engines.errors import EngineError
from tests.device.games import enter, game_steps
from tests.device.menus.people import PIN

STEPS = game_steps(1)
WHAT = "Adso's pass stands."
LONG = " ".join(f"word{number}" for number in range(60))


@pytest.fixture
def agreed(person, match):
    """Ask, and keep who agreed."""
    return asking(person, match)


def asking(person, referee, what=WHAT, **how):
    agreed = []
    consent.ask(person.box, referee, person.box.words_of(referee.replay), what, agreed.append, **how)
    return agreed


def gone(person):
    return isinstance(person.box.stack[-1], Play)


class TestSeatBySeat:
    def test_a_long_text_is_read_to_its_end_before_anybody_is_asked(self, person, match):
        asking(person, match, LONG)
        pages = person.box.pages(person.page)
        assert pages > 2
        for number in range(pages):
            assert person.page.page == number
            person.ok()
        assert isinstance(person.page, ListPage)

    def test_each_is_asked_by_name_in_their_order_with_the_cursor_on_no(self, person, agreed):
        assert (person.page.header.left, person.page.text) == ("Agree?", WHAT)
        person.ok()
        for name in ("Adso", "William"):
            assert (person.page.prompt, person.page.index) == (f"{name}: agree?", 0)
            assert person.items == ["no", "yes", "read it again"]
            assert agreed == []
            person.choose("yes")
        assert agreed == ["ab"]
        assert gone(person)

    def test_a_no_ends_it_and_says_whose(self, person, agreed):
        person.ok()
        person.ok()
        assert person.notice == "Adso did not agree"
        assert gone(person)
        assert agreed == []

    @pytest.mark.parametrize("pages", range(3))
    def test_back_goes_back_to_the_text_and_then_away_and_says_nobody_disagreed(self, person, agreed, pages):
        if pages:
            person.ok()
        if pages == 2:
            person.choose("yes")
        if pages:
            person.back()
            assert person.page.text == WHAT
        person.back()
        assert person.notice is None
        assert agreed == []
        assert gone(person)

    def test_back_turns_a_page_back(self, person, match):
        asking(person, match, LONG)
        person.ok()
        person.back()
        assert person.page.page == 0
        person.back()
        assert gone(person)

    def test_it_can_be_read_again_in_between(self, person, agreed):
        person.ok()
        person.choose("yes", "read it again")
        assert person.page.text == WHAT
        person.ok()
        assert (person.page.prompt, person.page.index) == ("William: agree?", 0)
        person.choose("yes")
        assert agreed == ["ab"]


class TestAllAtOnce:
    def test_one_yes_is_everybodys(self, person, match):
        agreed = asking(person, match, joint=True)
        person.ok()
        assert (person.page.prompt, person.page.index) == ("Everybody agrees?", 0)
        person.choose("yes")
        assert agreed == ["ab"]
        assert gone(person)

    def test_one_no_is_too(self, person, match):
        agreed = asking(person, match, joint=True)
        person.ok()
        person.choose("no")
        assert person.notice == "Not all agreed"
        assert agreed == []


class TestTheJudge:
    @pytest.fixture
    def match(self, person):
        person.box.judge.set(PIN)
        return person.open(refereed=True)

    def test_the_pin_comes_first_then_one_question(self, person, match):
        agreed = asking(person, match)
        assert isinstance(person.page, WheelPage)
        person.unlock()
        assert person.page.text == WHAT
        person.ok()
        assert (person.page.prompt, person.page.index) == ("Judge: so ruled?", 0)
        assert agreed == []
        person.choose("yes")
        assert agreed == ["judge"]
        assert gone(person)

    def test_what_was_to_be_ruled_may_be_overtaken_while_the_pin_is_entered(self, person, match):
        agreed = asking(person, match)
        enter(match, STEPS[:1])
        person.unlock()
        assert person.notice == "The match has moved on: ask again"
        assert (agreed, gone(person)) == ([], True)


class TestNoDoubleClick:
    def click(self, person):
        """OK at once, as the second half of a double click."""
        person.box.key(Press(Key.OK))

    def test_ok_counts_once_the_page_has_been_seen_for_a_moment(self, person, agreed):
        person.page  # noqa: B018 – it is looked at
        person.ticks.now += MOMENT_MS - 1
        self.click(person)
        assert isinstance(person.page, TextPage)
        person.ticks.now += 1
        self.click(person)
        assert isinstance(person.page, ListPage)

    def test_a_turn_and_a_click_are_no_yes_within_the_moment(self, person, agreed):
        person.ok()
        person.choose("yes")
        person.box.key(Turn(1))
        self.click(person)
        assert person.page.items[person.page.index] == "yes"
        assert agreed == []
        person.ok()
        assert agreed == ["ab"]


class TestAMatchThatMovesOn:
    def fallen(self, person, agreed):
        said = person.notice == "The match has moved on: ask again"
        return said and agreed == [] and not any(isinstance(view, Consent) for view in person.box.stack)

    def test_by_a_step(self, person, match, agreed):
        person.ok()
        enter(match, STEPS[5:6])
        assert self.fallen(person, agreed)
        assert gone(person)

    def test_but_not_by_what_is_only_noted_or_written(self, person, match, disk, agreed):
        match.note("a remark", channel="keys")
        assert match.wait(30)
        person.agree()
        assert agreed == ["ab"]


class TestWhatTheRefereeRefuses:
    @pytest.mark.parametrize("error", [EngineError("no"), RulingError(1, "no")])
    def test_is_said(self, person, match, error):
        def act():
            raise error

        heard = []
        person.box.on_cue = heard.append
        assert not attempt(person.box, act)
        assert (person.notice, person.page.urgent) == (str(error), True)
        assert heard == [Cue.REFUSED]
