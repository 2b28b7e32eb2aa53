"""Any keys in any order over the pages that people decide on: nothing raises, nothing gets stuck, and
nothing is ruled that nobody agreed to.
"""

from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from random import Random

import pytest
from msgspec.structs import replace

from device.keys.events import Hold, Key, Press, Turn
from device.match.journal import JournalFull, read
from device.match.records import Kind
from device.match.replay import Header, Replay
from device.match.rulings import (
    Adjust,
    Agree,
    Answered,
    By,
    Call,
    Dispute,
    Pause,
    Resume,
    Rollback,
    parse_ruling,
)
from device.menus import consent
from device.menus.adjustment import adjusting
from device.menus.consent import Unlocking
from device.menus.ending import ConfirmingScore, confirming
from device.menus.home import Home
from device.menus.play import Play
from device.menus.standstill import CallPage, ClockPage, Standstill
from device.menus.undoing import rolling_back
from device.screen.pages import WheelPage
from engines.contract import SEATS
from engines.errors import EngineError
from tests.device.conftest import NAMES
from tests.device.games import FULL, MARRAKESH, TORRES, enter, game_steps
from tests.device.menus.people import PIN
from tests.engines.walks import seed, soak

pytestmark = pytest.mark.usefixtures("cheap_pins")

EVENTS = [
    *[Press(Key.OK)] * 10,
    *[Turn(1)] * 4,
    *[Turn(-1)] * 2,
    *[Turn(3), Turn(-4)],
    Press(Key.BACK),
    Press(Key.UNDO),
    Hold(Key.BACK),
    Hold(Key.CALL),
]
PRESSES = 280
PLAYED = 25
HEADERS = [Header("san_gimignano", NAMES, FULL), TORRES["four"], TORRES["two"], MARRAKESH["two"]]
"""The matches of a night."""


def everybody(referee):
    """Whose yes is everybody's."""
    return "judge" if referee.replay.header.refereed else SEATS[: len(referee.replay.names)]


def begin(rng, person, referee):
    """Something that people decide on."""
    box = person.box

    def agreed(by):
        assert by == everybody(referee)

    begun = [
        lambda: consent.ask(box, "word " * rng.randrange(1, 99), agreed, joint=True),
        lambda: consent.ask(box, "something", agreed),
        lambda: consent.unlock(box, lambda: None),
        lambda: rolling_back(box),
        lambda: adjusting(box),
        lambda: box.push(ClockPage(box)),
    ]
    if referee.replay.match.state.termination:
        begun = [begun[0], begun[4], *[lambda: confirming(box)] * 6]
    elif not referee.replay.affairs.paused:
        begun.append(lambda: referee.rule(Pause(), channel="keys"))
    with suppress(EngineError):  # what was lost must be settled first
        rng.choice(begun)()


def something_else(rng, person, referee, disk, clock):
    """What happens beside the keys: time, the line, the card."""
    chance = rng.random()
    if chance < 0.5:
        passed = rng.randrange(2000)
        person.ticks.now += passed
        clock.advance(passed)
    elif chance < 0.53:
        acts = [
            lambda: referee.note("a remark", channel="line:pad#1"),
            lambda: referee.rule(Pause(), channel="line:pad#1"),
            lambda: referee.rule(Resume(), channel="line:pad#1"),
            lambda: referee.rule(Call("over here"), channel="line:pad#1"),
            lambda: referee.rule(Answered(), channel="line:pad#1"),
            lambda: referee.rule(Agree(0), channel="line:pad#1"),
        ]
        with suppress(EngineError):
            rng.choice(acts)()
    elif chance < 0.532:
        disk.fail(JournalFull("/x: no room"))
    elif chance < 0.56:
        disk.mend()


def press_about(rng, person, disk, clock, presses):
    """Press random keys; the kinds of views and the matches met on the way."""
    met, matches, box = set(), {}, person.box
    for _ in range(presses):
        referee = box.library.referee
        matches[referee.path] = referee
        something_else(rng, person, referee, disk, clock)
        referee.poll()
        top = box.stack[-1]
        met.add(type(top))
        if isinstance(top, Home):
            box.play(referee)
        elif isinstance(top, Play):
            begin(rng, person, referee)
        wheel = isinstance(box.stack[-1], Unlocking) and isinstance(box.page(), WheelPage)
        if wheel and rng.random() < 0.7:
            person.unlock()
        elif rng.random() < 0.4 and any(item.startswith("yes") for item in getattr(box.page(), "items", ())):
            person.choose("yes")
        else:
            box.key(rng.choice(EVENTS))
        assert person.page
        assert person.text
    disk.mend()
    return met, matches.values()


def leads_out(person, referee, clock):
    """From wherever it is, Back and then OK lead to the match, and the match goes on."""
    box = person.box
    referee.wait(30)
    for _ in range(30):
        if not referee.lost:
            break
        person.later()
        if "leave it out" in getattr(person.page, "items", ()):
            person.choose("leave it out")
        else:
            person.back()
    assert not referee.lost
    for _ in range(30):
        clock.advance(60_000)
        person.later(60_000)
        if isinstance(box.stack[-1], Play | Standstill | Home):
            break
        person.back()
    assert isinstance(box.stack[-1], Play | Standstill | Home)
    box.play(referee)
    while isinstance(top := box.stack[-1], Standstill):
        person.later()
        person.ok()
        if isinstance(top, CallPage):
            person.choose("it is settled")
            if referee.replay.header.refereed:
                person.unlock()
                person.agree(1)
    assert isinstance(box.stack[-1], Play)
    assert not (referee.replay.affairs.call or referee.replay.affairs.paused) or referee.replay.abandoned


def check(referee):
    """Whatever needs people's yes has it, in the same group; and it all replays."""
    who = everybody(referee)
    for _, group in groupby(referee.replay.log, attrgetter("group")):
        rulings = [parse_ruling(record.payload) for record in group if record.kind is Kind.RULING]
        needy = [one for one in rulings if isinstance(one, Rollback | Adjust)]
        if who == "judge":
            needy += [one for one in rulings if isinstance(one, Answered) and len(rulings) > 1]
        if needy:
            assert rulings[0] == By(who)
    reading = read(referee.path)
    assert reading.damage is None
    Replay(reading.header, reading.records)


def a_night(person, disk, clock, number, refereed, over, presses=PRESSES):
    """Some matches, begun or finished; the kinds of views and of rulings met in them."""
    rng = Random(f"{seed()} {number} {refereed} {over}")
    person.box.judge.set(PIN)
    met, ruled = set(), set()
    for game, header in enumerate(HEADERS):
        person.box.open(replace(header, refereed=refereed))
        referee = person.box.library.referee
        steps = game_steps(seed() + number * len(HEADERS) + game, header.setup, header.game)
        enter(referee, steps if over else steps[:PLAYED])
        person.later()
        views, matches = press_about(rng, person, disk, clock, presses // len(HEADERS))
        leads_out(person, person.box.library.referee, clock)
        assert person.box.library.referee.wait(30)
        met |= views
        for match in matches:
            check(match)
            ruled |= {type(parse_ruling(one.payload)) for one in match.replay.log if one.kind is Kind.RULING}
    return met, ruled


@pytest.mark.parametrize("refereed", [False, True])
def test_over_a_match(person, disk, clock, refereed):
    met, ruled = a_night(person, disk, clock, 0, refereed, over=False)
    assert met >= {consent.Consent, CallPage, Play}
    assert (Unlocking in met) or not refereed
    assert By in ruled


@pytest.mark.soak
def test_over_one_that_is_finished(person, disk, clock):
    met, ruled = a_night(person, disk, clock, 0, refereed=False, over=True)
    assert ConfirmingScore in met
    assert ruled & {Agree, Dispute}


@pytest.mark.soak
@pytest.mark.parametrize("number", range(20))
def test_for_a_long_night(person, disk, clock, number):
    a_night(person, disk, clock, number, bool(number % 2), bool(number % 3 == 0), soak(100 * PRESSES))
