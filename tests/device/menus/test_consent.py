"""Nothing is ruled unless everybody asked said yes, knowingly, to the match as it stood."""

import pytest

from device.keys import Cue, Key, Press, Turn
from device.match.history import RulingError
from device.match.rulings import Pause
from device.menus import consent
from device.menus.consent import Consent
from device.menus.play import Play
from device.menus.standstill import PausePage
from device.menus.ui import MOMENT_MS
from device.menus.views import attempt
from device.screen import ListPage, TextPage
from engines.errors import EngineError
from tests.device.games import enter, game_steps
from tests.device.menus.people import PIN

STEPS = game_steps(1)
WHAT = "Adso's pass stands."
LONG = " ".join(f"word{number}" for number in range(60))


@pytest.fixture
def agreed(person, match):
    """Ask, and keep who agreed."""
    return asking(person)


def asking(person, what=WHAT, **how):
    agreed = []
    consent.ask(person.box, what, agreed.append, **how)
    return agreed


def gone(person):
    return isinstance(person.box.stack[-1], Play)


class TestSeatBySeat:
    def test_a_long_text_is_read_to_its_end_before_anybody_is_asked(self, person, match):
        asking(person, LONG)
        person.ok()
        person.back()  # a page back
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

    def test_it_can_be_read_again_in_between(self, person, agreed):
        person.ok()
        person.choose("yes", "read it again")
        assert person.page.text == WHAT
        person.ok()
        assert (person.page.prompt, person.page.index) == ("William: agree?", 0)
        person.choose("yes")
        assert agreed == ["ab"]


@pytest.mark.parametrize(("says", "notice"), [("yes", None), ("no", "Not all agreed")])
def test_asked_all_at_once_one_answer_is_everybodys(person, match, says, notice):
    agreed = asking(person, joint=True)
    person.ok()
    assert (person.page.prompt, person.page.index) == ("Everybody agrees?", 0)
    person.choose(says)
    assert (agreed, person.notice) == (["ab"] if says == "yes" else [], notice)
    assert gone(person)


def test_what_was_to_be_ruled_may_be_overtaken_while_the_pin_is_entered(person):
    person.box.judge.set(PIN)
    match = person.open(refereed=True)
    agreed = asking(person)
    enter(match, STEPS[:1])
    person.unlock()
    assert person.notice == "The match has moved on: ask again"
    assert (agreed, gone(person)) == ([], True)


def click(person):
    """OK at once, as the second half of a double click."""
    person.box.key(Press(Key.OK))


def test_ok_counts_once_the_page_has_been_seen_for_a_moment(person, agreed):
    person.page  # noqa: B018 – it is looked at
    person.ticks.now += MOMENT_MS - 1
    click(person)
    assert isinstance(person.page, TextPage)
    person.ticks.now += 1
    click(person)
    assert isinstance(person.page, ListPage)
    person.choose("yes")
    person.box.key(Turn(1))
    click(person)
    assert person.page.items[person.page.index] == "yes", "a turn and a click within the moment"
    assert agreed == []
    person.ok()
    assert agreed == ["ab"]


@pytest.mark.parametrize(
    "on", [lambda match: enter(match, STEPS[5:6]), lambda match: match.rule(Pause(), channel="line")]
)
def test_a_match_that_moves_on_or_stands_still_ends_it(person, match, agreed, on):
    person.ok()
    on(match)
    assert person.notice == "The match has moved on: ask again"
    assert agreed == []
    assert not any(isinstance(view, Consent) for view in person.box.stack)
    assert isinstance(person.box.stack[-1], Play | PausePage)


def test_but_not_what_is_only_noted_or_written(person, match, agreed):
    match.note("a remark", channel="keys")
    assert match.wait(30)
    person.agree()
    assert agreed == ["ab"]


@pytest.mark.parametrize("error", [EngineError("no"), RulingError(1, "no")])
def test_what_the_referee_refuses_is_said(person, match, error):
    def act():
        raise error

    heard = []
    person.box.on_cue = heard.append
    assert not attempt(person.box, act)
    assert (person.notice, person.page.urgent) == (str(error), True)
    assert heard == [Cue.REFUSED]


class TestOtherKeys:
    """No key drops a question that waits for people without saying which."""

    def test_undo_offers_to_drop_it_and_leaving_that_leads_back(self, person, agreed):
        person.ok()
        person.choose("yes")
        person.undo()
        assert (person.items[0], person.page.index) == (f"Stop asking – {WHAT}", 0)
        person.back()
        assert person.page.prompt == "William: agree?"
        person.undo()
        person.ok()
        assert gone(person)
        assert agreed == []

    @pytest.mark.parametrize("key", ["menu", "call"])
    def test_menu_and_call_say_what_they_dropped(self, person, agreed, key):
        getattr(person, key)()
        assert person.notice == f"Not done, as not all have answered: {WHAT}"
        assert not any(isinstance(view, Consent) for view in person.box.stack)
        assert agreed == []

    def test_a_pin_asked_for_is_dropped_alike(self, person):
        person.box.judge.set(PIN)
        person.open(refereed=True)
        asking(person, f"{WHAT}\nMore of it.")
        person.undo()
        assert person.items[0] == f"Stop asking – {WHAT}"
        person.back()
        person.menu()
        assert person.notice == f"Not done, as not all have answered: {WHAT}"
