"""The players' clock as a page: whose runs, what each has taken, and never a second behind."""

import pytest
from msgspec.structs import replace

from device.match.clock import ClockState, ClockTimes
from device.match.rulings import Pause
from device.menus.standstill import ClockPage
from device.screen.pages import TablePage
from tests.device.games import enter, game_steps

TIMES = ClockTimes(
    seats=(754_000, 601_000, 0, 0),
    table=65_900,
    admin=30_400,
    present={0: 12_300},
    stand=ClockState.RUNS,
)


class Told(ClockPage):
    """The page about times that are told; it counts the looks at them."""

    told, looks = TIMES, 0

    @property
    def times(self):
        self.looks += 1
        return self.told


@pytest.fixture
def match(person):
    return person.open()


@pytest.fixture
def view(person, match):
    """The page about times that are told."""
    view = Told(person.box, person.box.words_of(match.replay), match)
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
    ("stand", "says"),
    [
        (ClockState.PAUSED, "Paused"),
        (ClockState.CALLED, "Called"),
        (ClockState.OVER, "The end"),
        (ClockState.ABANDONED, "Abandoned"),
    ],
)
def test_a_clock_that_stands_still_says_so_and_marks_nobody(person, view, stand, says):
    for present in ({0: 12_300}, {}):
        view.told = replace(TIMES, stand=stand, present=present)
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
        ({"table": 400, "admin": 900, "stand": ClockState.PAUSED}, 100),
        ({"table": 400, "admin": 1000, "stand": ClockState.CALLED}, 1000),
        ({"stand": ClockState.OVER}, None),
        ({"stand": ClockState.ABANDONED}, None),
    ],
)
def test_the_page_changes_when_the_next_figure_does(view, times, due):
    view.told = replace(TIMES, **times)
    assert view.due_ms() == due


def test_it_stands_still_in_a_pause(person, match, clock):
    for step in game_steps(1)[:3]:
        clock.advance(10_000)
        enter(match, [step])
    person.later()
    person.menu()
    person.choose("Clock")
    clock.advance(7_000)
    match.rule(Pause(), channel="line:pad#1")
    view = next(view for view in person.box.stack if isinstance(view, ClockPage))
    before = view.page()
    clock.advance(60_000)
    after = view.page()
    assert after.header.left == "Paused"
    assert before.rows[:3] == after.rows[:3]
    assert (before.rows[3][-1], after.rows[3][-1]) == ("0:00", "1:00")
