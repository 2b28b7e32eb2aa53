"""A match that stands still says so and for how long, and goes on only when people say so."""

import pytest

from device.keys.cues import Cue
from device.match.door import MatchDoor
from device.match.journal import JournalFull
from device.match.rulings import Call, Pause
from device.menus import Box
from device.menus.play import Play
from device.menus.standstill import CallPage, PausePage, Standstill
from device.screen.pages import ListPage, WheelPage
from device.screen.pixels import pages_of
from tests.device.menus.people import PIN, Person, payloads


def on_top(person, kind):
    return isinstance(person.box.stack[-1], kind)


def pages_of_kind(person, kind):
    return [view for view in person.box.stack if isinstance(view, kind)]


class TestAPause:
    def test_it_is_shown_with_when_it_began_and_how_long_it_has_lasted(self, person, match, clock):
        match.rule(Pause(), channel="keys")
        clock.advance(723_400)
        page = person.page
        assert isinstance(page, WheelPage)
        began = person.box.time(match.replay.log[-1].utc_ms // 1000)[11:16]
        assert (page.header.left, page.prompt, page.items) == (f"Paused {began}", "OK: go on", ("12:03",))

    def test_ok_goes_on(self, person, match):
        match.rule(Pause(), channel="keys")
        person.ok()
        assert payloads(match)[-2:] == ["pause", "resume"]
        assert match.replay.log[-1].channel == "keys"
        assert on_top(person, Play)

    def test_turning_and_back_do_not(self, person, match):
        match.rule(Pause(), channel="keys")
        before = person.page
        person.turn(3)
        assert person.page == before
        person.back()
        assert person.notice == "Hold Back for the menu"
        assert on_top(person, PausePage)

    def test_over_a_restart_it_is_timed_by_the_wall_clock(self, person, match, clock, table):
        match.rule(Pause(), channel="keys")
        assert match.wait(30)
        clock.advance(50_000)
        clock.reboot()
        clock.advance(15_000)
        person = Person(Box(MatchDoor(table), pages=pages_of, strict=True, now_ms=person.ticks), person.ticks)
        assert on_top(person, PausePage)
        assert person.page.items == ("1:05",)

    def test_a_wall_clock_that_was_set_back_takes_no_time_away(self, person, match, clock):
        match.rule(Pause(), channel="keys")
        clock.reboot()
        clock.set_utc(0)
        assert person.page.items == ("0:00",)

    def test_the_page_changes_when_it_says_it_will(self, person, match, clock):
        match.rule(Pause(), channel="keys")
        clock.advance(12_345)
        view = person.box.stack[-1]
        assert view.due_ms() == 655
        before = view.page()
        clock.advance(654)
        assert view.page() == before
        clock.advance(1)
        assert view.page() != before
        assert view.due_ms() == 1000

    def test_what_the_disk_did_not_take_is_no_pause(self, person, match, disk):
        disk.fail(JournalFull("/x: no room"))
        match.rule(Pause(), channel="keys")
        match.wait(30)
        assert not pages_of_kind(person, Standstill)
        disk.mend()
        person.choose("try again")
        assert on_top(person, PausePage)


class TestACall:
    def test_one_whose_answer_was_lost_waits_until_people_have_decided_on_that(self, person, match, disk):
        person.call()
        assert match.wait(30)
        disk.fail(JournalFull("/x: no room"))
        person.ok()
        person.choose("it is settled")
        match.wait(30)
        person.later()
        assert person.page.header.left == "NOT SAVED"
        disk.mend()
        person.choose("leave it out")
        assert on_top(person, CallPage)
        person.ok()
        person.choose("it is settled")
        assert on_top(person, Play)

    def test_it_counts_from_the_hold_and_asks_nothing(self, person, match, clock):
        heard = []
        person.box.on_cue = heard.append
        person.call()
        assert payloads(match)[-1] == "call"
        assert Cue.CALL in heard
        clock.advance(83_000)
        page = person.page
        assert page.header.left.startswith("Called ")
        assert (page.prompt, page.items) == ("OK: why, or settled", ("1:23",))

    def test_nothing_is_played_until_it_is_answered(self, person, match):
        person.call()
        person.back()
        person.later()
        assert on_top(person, CallPage)
        person.ok()
        assert isinstance(person.page, ListPage)
        assert person.page.items[person.page.index] == "still open"
        person.ok()
        assert on_top(person, CallPage)
        assert match.replay.affairs.call

    def test_a_reason_can_follow_and_does_not_move_its_beginning(self, person, match, clock):
        person.call()
        began = person.page.header.left
        clock.advance(60_000)
        person.ok()
        assert person.page.prompt == "no reason given"
        person.choose("a wrong entry")
        assert payloads(match)[-2:] == ["call", "call a wrong entry"]
        clock.advance(5_000)
        page = person.page
        assert (page.header.left, page.prompt, page.items) == (began, "a wrong entry", ("1:05",))
        person.ok()
        assert person.page.prompt == "a wrong entry"

    def test_the_last_reason_stands_and_none_takes_it_away(self, person, match):
        for reason in ("slow play", "a rule is unclear"):
            match.rule(Call(reason), channel="keys")
        match.rule(Call(), channel="keys")
        assert person.page.prompt == "a rule is unclear"
        assert len(pages_of_kind(person, CallPage)) == 1

    def test_every_reason_fits_its_line(self, person, match):
        person.call()
        person.ok()
        reasons = person.items[2:]
        assert len(reasons) == len(set(reasons)) >= 4
        assert all(len(reason) <= 18 for reason in reasons)

    def test_holding_again_records_no_second_call(self, person, match):
        person.call()
        number = match.head
        person.call()
        assert match.head == number
        assert len(pages_of_kind(person, CallPage)) == 1

    def test_one_during_a_pause_comes_first(self, person, match):
        match.rule(Pause(), channel="keys")
        person.call()
        assert on_top(person, CallPage)
        assert not pages_of_kind(person, PausePage)
        person.ok()
        person.choose("it is settled")
        assert on_top(person, PausePage)


class TestARefereedMatch:
    @pytest.fixture
    def match(self, person):
        person.box.judge.set(PIN)
        referee = person.open(refereed=True)
        person.call()
        person.ok()
        person.choose("it is settled")
        return referee

    def test_only_the_judge_answers(self, person, match):
        assert match.replay.affairs.call
        person.unlock()
        assert person.read_on() == "The call is settled: no reason given"
        person.choose("yes")
        assert payloads(match) == ["call", "by judge", "answered"]
        assert on_top(person, Play)

    def test_a_judge_may_find_it_is_not_settled(self, person, match):
        person.unlock()
        person.read_on()
        person.choose("no")
        assert payloads(match) == ["call"]
        person.later()
        assert on_top(person, CallPage)

    def test_only_the_judge_abandons(self, person, match):
        person.unlock()
        person.read_on()
        person.choose("yes")
        person.menu()
        person.choose("Abandon", "Abandon")
        assert not match.replay.abandoned
        person.unlock()
        assert person.read_on() == "Abandon match"
        person.choose("yes")
        assert match.replay.abandoned
