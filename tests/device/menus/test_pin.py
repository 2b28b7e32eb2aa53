"""The PIN at the wheel: the right one opens, guesses run out, and no page ever says it."""

import logging

import pytest

from device.keys import Cue, Key, Press
from device.menus.consent import unlock
from device.menus.home import Home
from device.screen import NoticePage, TextPage, WheelPage, text_lines
from tests.device.menus.people import PIN, Person

pytestmark = pytest.mark.usefixtures("cheap_pins")


@pytest.fixture
def person(box, ticks):
    person = Person(box, ticks)
    box.judge.set(PIN)
    return person


@pytest.fixture
def opened(person):
    """Ask for the PIN; what was opened with it."""
    return ask(person)


def ask(person):
    opened = []
    unlock(person.box, lambda: opened.append(True))
    return opened


def left(person):
    return isinstance(person.box.stack[-1], Home)


def pass_time(person, clock, ms):
    clock.advance(ms)
    person.ticks.now += ms


def test_the_wheel_shows_the_digit_under_the_cursor_and_no_other(person, opened):
    for digit in range(10):
        page = person.page
        assert isinstance(page, WheelPage)
        assert page.items == ("·",) * digit + (str(digit),) + ("·",) * (9 - digit) + ("done",)
        assert page.index == digit
        person.turn(1)
    assert person.page.items == (*"··········", "done")
    assert person.turn(1).index == 0


def test_no_page_ever_has_a_digit_that_was_taken(person, opened):
    """Not even the last: the cursor does not stay on it."""
    for number, digit in enumerate(PIN, 1):
        person.turn(int(digit))
        person.ok()
        assert person.page.prompt == "PIN " + "●" * number
        assert (person.page.index, person.page.items[0]) == (0, "0")
        shown = "\n".join(text_lines(person.page))
        assert not set("123456789") & set(shown)


def test_nothing_of_it_is_kept_or_logged_once_it_was_looked_at(person, opened, caplog):
    caplog.set_level(logging.DEBUG)
    view = person.box.stack[-1]
    person.unlock("9513")
    assert opened == []
    assert "9513" not in str(vars(view))
    assert person.page.items[0] == "0"
    person.unlock()
    assert opened == [True]
    assert not [word for word in ("9513", PIN) if word in caplog.text]


def test_back_takes_the_last_digit_away_and_then_leaves(person, opened):
    person.enter_pin("472")
    person.back()
    assert person.page.prompt == "PIN ●●"
    person.unlock("11")
    assert opened == [True]
    opened = ask(person)
    person.enter_pin("4")
    person.back()
    assert person.page.prompt == "The judge's PIN?"
    person.back()
    assert (opened, left(person)) == ([], True)


def test_too_few_digits_are_no_try(person, opened):
    person.unlock("471")
    assert person.notice == "A PIN has 4 to 8 digits"
    person.later()
    assert person.page.prompt == "PIN ●●●"
    person.unlock("1")
    assert opened == [True]


def test_after_wrong_ones_it_is_locked_and_the_seconds_are_counted_down(person, opened, clock):
    heard, shown, view = [], [], person.box.stack[-1]
    person.box.on_cue = heard.append
    assert view.due_ms() is None
    for tries in (2, 1):
        person.unlock("0000")
        assert person.page.prompt == f"Wrong. Tries left: {tries}"
    person.unlock("0000")
    assert heard == [Cue.REFUSED] * 3
    person.turn(1)
    assert isinstance(person.key(Press(Key.OK)), NoticePage)
    while (due := view.due_ms()) is not None:
        shown.append(person.page.text)
        assert 0 < due <= 1000
        pass_time(person, clock, due)
    assert shown == [f"Locked for {seconds} s" for seconds in range(60, 0, -1)]
    assert person.page.prompt == "The judge's PIN?"
    person.unlock()
    assert opened == [True]


def test_a_box_that_is_locked_says_so_before_anything_is_entered(person, clock):
    for _ in range(3):
        person.box.judge.unlock("0000")
    clock.advance(20_000)
    opened = ask(person)
    assert person.page.text == "Locked for 40 s"
    person.back()
    assert (opened, left(person)) == ([], True)


def test_without_a_pin_it_is_said_how_to_set_one(person):
    person.box.judge.clear()
    opened = ask(person)
    assert person.page.text.startswith("A judge rules in this match, but the box has no PIN yet.")
    person.read_all()
    assert (opened, left(person)) == ([], True)


def test_a_file_that_cannot_be_understood_is_said_and_opens_nothing(person):
    (person.box.library.state_dir / "judge").write_text("{}")
    opened = ask(person)
    assert isinstance(person.page, TextPage)
    assert "not as it was written" in person.page.text
    person.read_all()
    assert (opened, left(person)) == ([], True)


class TestWhileItIsLookedAt:
    @pytest.fixture
    def waiting(self, person):
        """Work that waits until it is told to be done."""
        waiting = []
        person.box.aside = lambda work, done: waiting.append(lambda: done(work()))
        return waiting

    def test_keys_do_nothing(self, person, waiting):
        opened = ask(person)
        assert person.page.text == "One moment…"
        person.turn(1)
        person.ok()
        waiting.pop()()
        assert (person.page.prompt, person.page.index) == ("The judge's PIN?", 0)
        person.unlock()
        assert (person.page.text, opened) == ("One moment…", [])
        waiting.pop()()
        assert (opened, left(person)) == ([True], True)

    def test_whoever_leaves_has_opened_nothing(self, person, waiting):
        opened = ask(person)
        waiting.pop()()
        person.unlock()
        person.back()
        assert left(person)
        waiting.pop()()
        assert (opened, left(person)) == ([], True)
