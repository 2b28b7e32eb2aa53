"""Entering what is too much to list: counts from a start up to caps, and numbers digit by digit."""

from itertools import pairwise
from random import Random
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from device.bench.presses import Pilot
from device.keys import Cue, Key, Press, Turn
from device.match.replay import Header
from device.menus.pickers import CountsPicker, Wheels, label_span, make_spans
from device.screen import CountsPage, GridPage, ListPage, NoticePage, WheelPage
from engines import bags
from engines.contract import Multiset, Number, Setup
from tests.device import stones
from tests.device.conftest import NAMES, a_box
from tests.device.games import game_steps
from tests.device.menus.people import Person
from tests.engines import grid_toy as stones_game
from tests.engines import toy as beans
from tests.engines.marrakesh import lines as marrakesh
from tests.engines.newcomers import installed
from tests.engines.walks import seed

STAKES = Setup(options=(("stakes", "yes"),))
OWING = Setup(position="1 4r5g - 0,1 - 0,0 143,57 2r1g,2r1g 0")


@pytest.fixture
def begin(table, ticks, toy):
    """Open a match of beans that stands so, and give the one at the keys."""
    box = a_box(table, ticks)
    person = Person(box, ticks)
    person.cues = []
    box.on_cue = person.cues.append

    def begin(setup):
        box.open(Header(toy, NAMES, setup))
        return person

    return begin


def steps(person):
    return [step.text for step in person.box.library.referee.replay.match.steps]


def said(person):
    """The message over the page, which then goes."""
    text = person.notice
    person.later()
    return text


# Numbers


def figure(person):
    return person.page.items[person.page.index]


def test_a_number_is_entered_by_its_first_digit_then_the_next(begin):
    person = begin(STAKES)
    assert person.page.prompt == "Your stake?"
    assert person.items == ["_", *(f"{n}_" for n in range(1, 10)), "1__", "2__"]
    assert figure(person) == "_"
    person.choose("1__")
    assert person.items == [f"1{n}_" for n in range(10)]
    person.choose("14_")
    assert person.items == [f"14{n}" for n in range(10)]
    person.choose("143")
    assert steps(person) == ["143"]


def test_back_leads_to_the_wheel_before_where_it_was_left(begin):
    person = begin(STAKES)
    person.choose("1__", "14_")
    assert [figure(person), person.back() and figure(person), person.back() and figure(person)] == [
        "140",
        "14_",
        "1__",
    ]
    person.back()
    assert said(person) == "Hold Back for the menu"


@given(st.integers(-1200, 1200), st.integers(0, 1200), st.data())
def test_every_number_is_reached_and_no_wheel_is_long(least, more, data):
    number = data.draw(st.integers(least, least + more))
    wheels = Wheels(Number("n", least, least + more, start=data.draw(st.integers(least, least + more))))
    pressed, token = 0, None
    while token is None:
        wheels.turn(wheels.count_detents(str(number)))
        token = wheels.ok()
        pressed += 1
    assert token == str(number)
    assert pressed <= max(2, len(str(abs(number))))


@given(st.integers(-12000, 12000), st.integers(0, 12000))
def test_spans_hold_each_number_once_in_order(low, more):
    found = make_spans(low, low + more)
    assert [found[0][0], found[-1][1]] == [low, low + more]
    assert all(first[1] + 1 == second[0] for first, second in pairwise(found))
    digits = len(str(max(abs(low), abs(low + more))))
    assert len(found) <= 10 * digits * (2 if low < 0 < low + more else 1)


def test_negative_numbers_lie_to_the_left():
    assert [label_span(*span) for span in make_spans(-120, 30)] == [
        "-1__",
        *(f"-{n}_" for n in range(9, 0, -1)),
        *("-_", "_", "1_", "2_", "30"),
    ]


# Counts


def test_counts_begin_at_their_start_on_done(begin):
    """What is proposed first, then what more there can be."""
    person = begin(OWING)
    page = person.page
    assert (page.prompt, page.labels) == ("Which do you pay?", ("r", "+r", "g"))
    assert (page.counts, page.index, page.caps) == ((1, 0, 0), 4, (1, 1, 1))
    person.ok()
    assert steps(person) == ["1r"]


def test_a_reports_cursor_starts_on_its_first_count_with_done_one_detent_left(table, ticks):
    """Reading on with OK must not record what was thrown as what lies on the tray."""
    box = a_box(table, ticks)
    position = marrakesh.turn("tray", "throw", round=2, inside="1l")
    box.open(Header("marrakesh", NAMES, replace(marrakesh.setup(), position=position)))
    box.moment_ms = 0
    while box.is_for_news(Press(Key.OK)):
        box.key(Press(Key.OK))
    assert box.page().index == 0
    for _ in range(3):  # round and back to what was thrown
        box.key(Press(Key.OK))
        assert table.referee.replay.match.steps == []
    box.key(Turn(-1))
    box.key(Press(Key.OK))
    assert [step.text for step in table.referee.replay.match.steps] == ["tray 2n2p2r"]


def changed(person, at, times=1):
    """OK on a count from wherever the cursor is; what is said."""
    person.turn(at - person.page.index)
    for _ in range(times):
        person.ok()
    return said(person)


def test_ok_takes_one_away_of_what_is_proposed_and_adds_one_of_what_more_there_is(begin, monkeypatch):
    start, caps = bags.one(0, 2), bags.one(0, 3) + bags.one(1, 3)
    monkeypatch.setattr(beans, "payment", lambda _: Multiset("pay", ("r", "g"), 0, 9, start, caps))
    person = begin(OWING)
    assert person.page.labels == ("r", "+r", "g")
    seen = [changed(person, at) or person.page.counts[at] for at in (0, 0, 0, 1, 1, 2, 2, 2, 2)]
    assert seen == [1, 0, 2, 1, 0, 1, 2, 3, 0]


def turned(person, kind, by):
    """Turn a kind's count from wherever the cursor is, and let go of it."""
    person.turn(kind - person.page.index)
    person.ok()
    assert person.page.editing
    person.turn(by)
    message = said(person)
    person.ok()
    return message


@pytest.mark.parametrize(("most", "by", "why"), [(9, 6, "g: at most 5"), (4, 2, "at most 4 in all")])
def test_a_large_count_is_turned_and_stops_at_its_cap_and_says_so(begin, monkeypatch, most, by, why):
    caps = bags.one(0, 6) + bags.one(1, 5)
    monkeypatch.setattr(beans, "payment", lambda _: Multiset("pay", ("r", "g"), 1, most, 0, caps))
    person = begin(OWING)
    assert turned(person, 0, 3) is None
    assert turned(person, 1, by) == why
    assert person.page.counts == (3, min(5, most - 3))
    assert Cue.REFUSED in person.cues


def test_a_small_one_stays_there_and_fewer_than_the_least_are_not_done(begin):
    person = begin(OWING)
    assert changed(person, 2) is None
    assert changed(person, 1) == "at most 2 in all"
    assert person.page.counts == (1, 0, 1)
    changed(person, 0)
    changed(person, 2)
    person.cues.clear()
    person.turn(3 - person.page.index)
    person.turn(1)
    person.ok()
    assert said(person) == "at least 1 in all"
    assert steps(person) == []
    assert Cue.REFUSED in person.cues


def test_a_start_of_more_than_the_most_is_not_done(begin, monkeypatch):
    many = Multiset("pay", ("r", "g"), 1, 2, start=bags.one(0, 2) + bags.one(1))
    monkeypatch.setattr(beans, "payment", lambda _: many)
    person = begin(OWING)
    person.ok()
    assert said(person) == "at most 2 in all"
    assert turned(person, 1, -1) is None
    assert person.page.counts == (2, 0)


def test_the_last_line_lifts_the_caps_and_done_says_why_not(begin):
    person = begin(OWING)
    assert person.turn(-1).index == 3
    person.ok()
    assert said(person) == "You can go higher; done says why not"
    assert (person.page.labels, person.page.counts) == (("r", "g"), (1, 0))
    assert (person.page.caps, person.page.index) == ((), 0)
    turned(person, 0, -1)
    assert turned(person, 1, 2) is None
    person.turn(1)
    person.ok()
    assert person.page.header.left == "2g"
    assert person.page.text == "You hold 1 g."
    person.back()
    assert person.page.counts == (0, 2)


class Silent:
    """A box and words for a picker alone."""

    def play_refusal(self):
        raise AssertionError("refused")

    toast = play_refusal

    def choice(self, choice):
        return choice.token


def entered(domain, token):
    """The presses that a picker of counts takes to ``token``."""
    counts, pressed, made = CountsPicker(Silent(), Silent(), "tray", domain), 0, None
    while made is None:
        counts.turn(counts.count_detents(token))
        made, pressed = counts.ok(), pressed + 1
        assert pressed < 99
    assert made == token
    return pressed


KINDS = tuple("tgkwybnprluo")


def throw(rng):
    """Twelve keshis are thrown and nine lie on the tray, two of them from before."""
    thrown = [kind for _ in range(4) for kind in rng.sample(range(12), 3)]
    inside = [rng.randrange(12) for _ in range(rng.randint(4, 9))]
    start, caps = bags.bag(thrown), bags.bag([*thrown, *inside])
    tray = bags.bag([*rng.sample(thrown, 7), *rng.sample(inside, 2)])
    domain = Multiset("tray", KINDS, 0, 60, start, caps)
    return domain, domain.write(tray)


def test_a_throw_takes_six_presses():
    rng = Random(1)
    assert median(entered(*throw(rng)) for _ in range(300)) <= 6


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.data()), min_size=1, max_size=6))
def test_every_count_below_the_caps_is_reached(kinds):
    start = sum(bags.one(kind, begun) for kind, (begun, _, _) in enumerate(kinds))
    caps = start + sum(bags.one(kind, more) for kind, (_, more, _) in enumerate(kinds))
    most = bags.total(caps)
    domain = Multiset("tray", KINDS[: len(kinds)], 0, most, start, caps)
    wanted = [data.draw(st.integers(0, begun + more)) for begun, more, data in kinds]
    entered(domain, domain.write(sum(bags.one(kind, count) for kind, count in enumerate(wanted))))


# Whole matches


WHOLE = {"counts": (beans, STAKES), "squares": (stones_game, Setup()), "hexes": (stones_game, stones.HEXES)}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_matches_of_other_games_through_the_keys(table, ticks, name):
    """Every step of random matches can be entered, and the match comes to the same end."""
    game, setup = WHOLE[name]
    met = set()
    with installed(game) as game_id:
        for number in range(seed(), seed() + 5):
            made = game_steps(number, setup, game_id)
            box = a_box(table, ticks)
            box.open(Header(game_id, NAMES, setup))
            pilot = Pilot(box)
            for step in made:
                view = box.stack[-1]
                if isinstance(view.page(), NoticePage):
                    view.ok()  # the box has been passed on
                met.add(type(view.page()))
                pilot.enter(step)
            assert table.referee.wait(30)
            assert tuple(table.referee.replay.match.steps) == made
            assert table.referee.replay.match.state.termination == "counted"
    assert met >= ({CountsPage, WheelPage, ListPage} if name == "counts" else {GridPage})
