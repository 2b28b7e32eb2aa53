"""A match that stands still says so and for how long; the players' clock is never a second behind."""

import pytest
from msgspec.structs import replace

from device.keys import Cue
from device.match.clock import ClockState, ClockTimes
from device.match.door import MatchDoor
from device.match.journal import JournalFull
from device.match.rulings import Call, Pause
from device.menus import Box
from device.menus.play import Play
from device.menus.standstill import CallPage, ClockPage, PausePage, Standstill
from device.screen import ListPage, TablePage, WheelPage
from device.screen.pixels import pages_of
from tests.device.games import enter, game_steps
from tests.device.menus.people import PIN, Person, payloads


def on_top(person, kind):
    return isinstance(person.box.stack[-1], kind)


def pages_of_kind(person, kind):
    return [view for view in person.box.stack if isinstance(view, kind)]


class TestAPause:
    def test_it_is_shown_with_when_it_began_and_how_long_until_ok_goes_on(self, person, match, clock):
        match.rule(Pause(), channel="keys")
        clock.advance(723_400)
        page = person.page
        assert isinstance(page, WheelPage)
        began = person.box.write_time(match.replay.log[-1].utc_ms // 1000)[11:16]
        assert (page.header.left, page.prompt, page.items) == (f"Paused {began}", "OK: go on", ("12:03",))
        assert person.turn(3) == page
        person.back()
        assert person.notice == "Hold Back for the menu"
        assert on_top(person, PausePage)
        person.later()
        person.ok()
        assert payloads(match)[-2:] == ["pause", "resume"]
        assert match.replay.log[-1].channel == "keys"
        assert on_top(person, Play)

    def test_over_a_restart_it_is_timed_by_the_wall_clock(self, person, match, clock, table):
        match.rule(Pause(), channel="keys")
        assert match.wait(30)
        clock.advance(50_000)
        clock.reboot()
        clock.advance(15_000)
        person = Person(Box(MatchDoor(table), pages=pages_of, strict=True, now_ms=person.ticks), person.ticks)
        assert on_top(person, PausePage)
        assert person.page.items == ("1:05",)
        clock.set_utc(0)
        assert person.page.items == ("0:00",), "one that was set back takes no time away"

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

    def test_it_counts_from_the_hold_until_it_is_answered(self, person, match, clock):
        """A reason can follow and does not move its beginning; nothing is played meanwhile."""
        heard = []
        person.box.on_cue = heard.append
        for _ in range(2):  # held again it is no second call
            person.call()
        assert payloads(match)[-1] == "call"
        assert (payloads(match).count("call"), Cue.CALL in heard) == (1, True)
        clock.advance(60_000)
        page = person.page
        began = page.header.left
        assert began.startswith("Called ")
        assert (page.prompt, page.items) == ("OK: why, or settled", ("1:00",))
        person.back()
        person.later()
        assert on_top(person, CallPage)
        person.ok()
        assert isinstance(person.page, ListPage)
        assert person.page.prompt == "no reason given"
        assert person.page.items[person.page.index] == "still open"
        reasons = person.items[2:]
        assert len(reasons) == len(set(reasons)) >= 4
        assert all(len(reason) <= 18 for reason in reasons), "each fits its line"
        person.ok()
        assert on_top(person, CallPage)
        assert match.replay.affairs.call
        person.ok()
        person.choose("a wrong entry")
        assert payloads(match)[-2:] == ["call", "call a wrong entry"]
        match.rule(Call("a rule is unclear"), channel="keys")
        match.rule(Call(), channel="keys")
        clock.advance(5_000)
        page = person.page
        assert (page.header.left, page.prompt, page.items) == (began, "a rule is unclear", ("1:05",)), (
            "the last"
        )
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
        person.choose("no")
        assert payloads(match) == ["call"]
        person.later()
        assert on_top(person, CallPage)
        person.ok()
        person.choose("it is settled")
        person.unlock()
        person.agree(1)
        assert payloads(match) == ["call", "by judge", "answered"]
        assert on_top(person, Play)

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


TIMES = ClockTimes(
    seats=(754_000, 601_000, 0, 0),
    table=65_900,
    admin=30_400,
    present={0: 12_300},
    state=ClockState.RUNS,
)


class Told(ClockPage):
    """The page about times that are told; it counts the looks at them."""

    told, looks = TIMES, 0

    @property
    def times(self):
        self.looks += 1
        return self.told


@pytest.fixture
def opened(person):
    return person.open()


@pytest.fixture
def view(person, opened):
    """The page about times that are told."""
    view = Told(person.box)
    person.box.push(view)
    return view


def test_each_seat_has_its_turn_and_its_total(person, view):
    page = person.page
    assert isinstance(page, TablePage)
    assert page.columns == ("turn", "total")
    assert page.rows == (
        ("▶Adso", "0:12", "12:34"),
        ("William", "", "10:01"),
        ("Table", "", "1:05"),
        ("Breaks", "", "0:30"),
    )
    assert page.header.left == "▶Adso"
    view.told = replace(TIMES, present={0: 5000, 1: 6000})
    assert person.page.header.left == "▶Adso + William"
    assert [row[:2] for row in person.page.rows[:2]] == [("▶Adso", "0:05"), ("▶William", "0:06")]


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (ClockState.PAUSED, "Paused"),
        (ClockState.CALLED, "Called"),
        (ClockState.OVER, "The end"),
        (ClockState.ABANDONED, "Abandoned"),
    ],
)
def test_a_clock_that_stands_still_says_so_and_marks_nobody(person, view, state, says):
    for present in ({0: 12_300}, {}):
        view.told = replace(TIMES, state=state, present=present)
        assert person.page.header.left == says
        assert "▶" not in str(person.page.rows)
        assert person.page.rows[0][1] == ("0:12" if present else "")


@pytest.mark.parametrize(
    ("times", "due"),
    [
        ({"seats": (100, 0, 0, 0), "present": {0: 900}}, 100),
        ({"seats": (900, 0, 0, 0), "present": {0: 100}}, 100),
        ({"seats": (100, 900, 0, 0), "present": {0: 300, 1: 300}}, 100),
        ({"table": 400, "admin": 900, "present": {}}, 600),
        ({"table": 400, "admin": 900, "state": ClockState.PAUSED}, 100),
        ({"table": 400, "admin": 1000, "state": ClockState.CALLED}, 1000),
        ({"state": ClockState.OVER}, None),
        ({"state": ClockState.ABANDONED}, None),
    ],
)
def test_the_page_changes_when_the_next_figure_does(view, times, due):
    view.told = replace(TIMES, **times)
    assert view.due_ms() == due


def test_it_stands_still_in_a_pause(person, opened, clock):
    for step in game_steps(1)[:3]:
        clock.advance(10_000)
        enter(opened, [step])
    person.later()
    person.menu()
    person.choose("Clock")
    clock.advance(7_000)
    opened.rule(Pause(), channel="line:pad#1")
    view = next(view for view in person.box.stack if isinstance(view, ClockPage))
    before = view.page()
    clock.advance(60_000)
    after = view.page()
    assert after.header.left == "Paused"
    assert before.rows[:3] == after.rows[:3]
    assert (before.rows[3][-1], after.rows[3][-1]) == ("0:00", "1:00")
