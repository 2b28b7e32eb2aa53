"""Any keys in any order: nothing raises or gets stuck, every page is drawn, what was recorded stays recorded,
and nothing is ruled that nobody agreed to.
"""

from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from random import Random

import pytest
from msgspec.structs import replace

from device.copy_file import CopyFile
from device.keys import Hold, Holding, Key, Press, Turn
from device.match.door import KEYS
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
from device.menus.consent import Unlocking
from device.menus.copies import ask_facts, make_facts_menu
from device.menus.home import Home
from device.menus.play import Play
from device.menus.scores import ConfirmingScore, ask_confirmations
from device.menus.standstill import CallPage, ClockPage, Standstill
from device.menus.undoing import ask_adjustment, ask_rollback
from device.screen import (
    CountsPage,
    GridPage,
    ListPage,
    NoticePage,
    TablePage,
    TextPage,
    WheelPage,
    text_lines,
)
from device.screen.pixels.layout import draw
from engines.contract import SEATS, Level, Setup
from engines.errors import EngineError
from engines.facts import Facts, Use, schema, with_facts
from tests.device import stones
from tests.device.conftest import NAMES, a_box
from tests.device.copies import bazaar, bazaar_texts  # noqa: F401 – a fixture
from tests.device.games import MARRAKESH, TORRES, enter, game_steps
from tests.device.menus.people import PIN, Person
from tests.device.menus.test_facts_pages import CARDS
from tests.engines.walks import seed, soak

pytestmark = pytest.mark.usefixtures("cheap_pins")

EVENTS = [
    *[Press(Key.OK)] * 8,
    *[Turn(1)] * 4,
    *[Turn(-1)] * 2,
    *[Turn(3), Turn(-4)],
    *[Press(Key.BACK)] * 2,
    Press(Key.UNDO),
    Press(Key.CALL),
    Holding(Key.BACK, 0.3),
    Holding(Key.CALL, 0.9),
    Hold(Key.BACK),
    Hold(Key.CALL),
]
NO_MATCH = EVENTS[:18]
"""Where no match is played: neither Undo, Call nor the menu."""
PRESSES = 400
PLAYED = 25
DECIDING = 0.6
"""The share of turns in which people decide something rather than play."""
HEADERS = [Header("san_gimignano", NAMES, Setup(level=level)) for level in Level]
HEADERS += [TORRES[name] for name in ("two", "three", "four", "score")] + [MARRAKESH["two"]]
DAILY = [(HEADERS[0], False), (HEADERS[0], True), (TORRES["three"], True), (MARRAKESH["two"], False)]
"""The matches of every day, and whether a judge rules in them."""


def everybody(referee):
    """Whose yes is everybody's."""
    return "judge" if referee.replay.header.refereed else SEATS[: len(referee.replay.names)]


class AtRandom:
    """Somebody who presses any keys at a box, and what was met and recorded on the way."""

    def __init__(self, rng, person, disk, clock):
        self.rng, self.person, self.disk, self.clock = rng, person, disk, clock
        self.box, self.library = person.box, person.box.library
        self.met, self.ruled, self.matches = set(), set(), {}

    @property
    def referee(self):
        return self.library.referee

    def press(self, presses, again=lambda: None, events=EVENTS, deciding=0.0):
        """Press ``presses`` keys; at home begin ``again``, and in a match decide something so often."""
        for _ in range(presses):
            if isinstance(self.box.stack[-1], Home):
                again()
            elif isinstance(self.box.stack[-1], Play) and self.rng.random() < deciding:
                self.decide()
            self.something_else()
            if self.referee:
                # Else what is met would depend on how fast the machine writes today.
                self.referee.poll() if self.disk.held else self.referee.wait(30)
            # A disk that is held would make whoever closes a match wait for it.
            if not isinstance(self.box.stack[-1], Play) or isinstance(self.box.page(), TablePage):
                self.disk.go_on()
            self.key(events)
            page = self.box.page()
            self.met |= {type(page), type(self.box.stack[-1])}
            assert draw(page).getbbox()
            assert text_lines(page)
            self.look()
        self.disk.mend()
        self.disk.go_on()

    def key(self, events):
        """Press a key; more often than by chance say yes, and enter the judge's PIN."""
        unlocking = isinstance(self.box.stack[-1], Unlocking) and isinstance(self.box.page(), WheelPage)
        if unlocking and self.rng.random() < 0.7:
            self.person.unlock()
        elif self.rng.random() < 0.7 and any(
            item.startswith("yes") for item in getattr(self.box.page(), "items", ())
        ):
            self.person.choose("yes")
        else:
            self.box.key(self.rng.choice(events))

    def decide(self):
        """Begin something that people decide on."""
        box, referee = self.box, self.referee

        def agreed(by):
            assert by == everybody(referee)

        begun = [
            lambda: consent.ask(box, "word " * self.rng.randrange(1, 99), agreed, joint=True),
            lambda: consent.ask(box, "something", agreed),
            lambda: consent.unlock(box, lambda: None),
            lambda: ask_rollback(box),
            lambda: ask_adjustment(box),
            lambda: box.push(ClockPage(box)),
        ]
        if referee.replay.match.state.termination:
            begun = [begun[0], begun[4], *[lambda: ask_confirmations(box)] * 6]
        with suppress(EngineError):  # what was lost must be settled first
            self.rng.choice(begun)()

    def something_else(self):
        """Let happen what happens beside the keys: time, the line, the card."""
        chance = self.rng.random()
        if chance < 0.3:
            passed = self.rng.randrange(3000)
            self.person.ticks.now += passed
            self.clock.advance(passed)
        elif chance < 0.36 and self.referee and not self.referee.replay.over:
            with suppress(EngineError):  # unfinished, refused, or something lost to settle first
                self.say()
        elif chance < 0.38:
            self.disk.hold()
        elif chance < 0.42:
            self.disk.go_on()
        elif chance < 0.43:
            self.disk.fail(JournalFull("/x: no room"))
        elif chance < 0.47:
            self.disk.mend()
        elif chance < 0.48:
            self.box.toast("look here", urgent=self.rng.random() < 0.5)

    def say(self):
        """Enter a step or a ruling by the line."""
        referee, replay = self.referee, self.referee.replay
        pending = replay.match.pending
        seat = self.rng.choice(getattr(pending, "seats", (None,)))
        if self.rng.random() < 0.4:
            ruling = self.rng.choice([Pause(), Resume(), Call("over here"), Answered(), Agree(0)])
            referee.rule(ruling, channel="line:pad#1")
        elif pending.domain.listed:
            token = self.rng.choice(replay.game.rules.legal(replay.match.state, seat)).token
            referee.step(token, seat=seat, channel="line:pad#1")
        else:
            referee.step(pending.domain.draw(self.rng), seat=seat, channel="line:pad#1")

    def look(self):
        """See that what was recorded is as it was."""
        if referee := self.referee:
            who, known = self.matches.get(referee.path, (everybody(referee), []))
            recorded = referee.replay.log[: referee.recorded]
            assert recorded[: len(known)] == known, "a recorded entry has changed or gone"
            self.matches[referee.path] = who, recorded

    def check(self):
        """Close the match: every file holds what was recorded, with everybody's yes where it takes one."""
        if self.referee:
            self.referee.wait(30)
        self.library.leave()
        for path, (who, known) in self.matches.items():
            reading = read(path)
            assert reading.damage is None
            assert list(reading.records)[: len(known)] == known
            Replay(reading.header, reading.records)
            for _, group in groupby(known, attrgetter("group")):
                rulings = [parse_ruling(record.payload) for record in group if record.kind is Kind.RULING]
                self.ruled |= {type(one) for one in rulings}
                needy = [one for one in rulings if isinstance(one, Rollback | Adjust)]
                if who == "judge":
                    needy += [one for one in rulings if isinstance(one, Answered) and len(rulings) > 1]
                assert not needy or rulings[0] == By(who)

    def leave(self):
        """From wherever it is go to the match, which goes on, by Back and OK alone."""
        person, box, referee = self.person, self.box, self.referee
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
            self.clock.advance(60_000)
            person.later(60_000)
            if isinstance(box.stack[-1], Play | Standstill | Home):
                break
            person.back()
        assert isinstance(box.stack[-1], Play | Standstill | Home)
        box.play(referee)
        while isinstance(top := box.stack[-1], Standstill):
            person.later()
            person.ok()
            # Where a key was being held, that OK only ended it.
            if isinstance(top, CallPage) and isinstance(box.page(), ListPage):
                person.choose("it is settled")
                if referee.replay.header.refereed:
                    person.unlock()
                    person.agree(1)
        assert isinstance(box.stack[-1], Play)
        assert not (referee.replay.affairs.call or referee.replay.affairs.paused) or referee.replay.abandoned


@pytest.fixture
def pressing(table, ticks, disk, clock):
    """Gives somebody who presses keys by the night's seed and a word of the test's own."""

    def somebody(word=""):
        return AtRandom(Random(f"{seed()} {word}"), Person(a_box(table, ticks), ticks), disk, clock)

    return somebody


def a_night(one, header, refereed, *, over=False, presses=PRESSES):
    """A match that was begun or finished: keys at random, and a way out."""
    one.box.judge.set(PIN)

    def again():
        if one.referee is None:
            one.box.open(replace(header, refereed=refereed))
        elif one.rng.random() < 0.7:
            one.box.play(one.referee)

    again()
    steps = game_steps(seed(), header.setup, header.game)
    enter(one.referee, steps if over else steps[:PLAYED])
    one.person.later()
    one.press(presses, again, deciding=DECIDING)
    if one.referee:
        one.leave()
    one.check()


@pytest.mark.parametrize(("header", "refereed"), DAILY, ids=lambda one: getattr(one, "game", one))
def test_over_a_match(pressing, header, refereed):
    one = pressing(f"{header.game} {refereed}")
    a_night(one, header, refereed)
    assert one.met >= {ListPage, TextPage, NoticePage, consent.Consent, Play}
    assert Unlocking in one.met or not refereed
    assert By in one.ruled


@pytest.mark.soak
def test_over_one_that_is_finished(pressing):
    """In some nights the end is rolled back before anybody confirms it."""
    met, ruled = set(), set()
    for number in range(9):
        one = pressing(f"night {number}")
        a_night(one, HEADERS[0], refereed=False, over=True)
        met |= one.met
        ruled |= one.ruled
        if ConfirmingScore in met and ruled & {Agree, Dispute}:
            break
    assert ConfirmingScore in met
    assert ruled & {Agree, Dispute}


@pytest.mark.parametrize("options", [(), (("stakes", "yes"),)], ids=["plain", "stakes"])
def test_over_sealed_choices_and_counts(pressing, toy, options):
    one = pressing()
    one.box.open(Header(toy, NAMES, Setup(options=options)))
    one.press(2 * PRESSES)
    one.check()
    assert one.met >= {ListPage, CountsPage, TextPage, NoticePage}


BOARDS = [stones.at("0123/0300/0001"), stones.at("0123/030./0001", pegs="000")]


@pytest.mark.parametrize("setup", BOARDS, ids=["squares", "hexes"])
def test_over_a_board(pressing, grid_toy, setup):
    one = pressing()
    one.box.open(Header(grid_toy, NAMES, setup))
    one.press(PRESSES)
    one.check()
    assert one.met >= {GridPage, ListPage, TextPage, NoticePage}


def test_over_a_fact_that_is_asked_for(pressing, tower):
    """What is red worth? lies there to be answered, and what was answered stays so."""
    one = pressing()
    one.box.open(Header(tower, NAMES, with_facts(Facts.of(schema(tower)).confirm({"turns": 9}), Setup())))
    for text in ("2r1g", "1r"):
        one.box.door.step(text, source=KEYS)
    one.press(2 * PRESSES)
    one.check()
    assert one.met >= {ListPage, WheelPage, TextPage, NoticePage}


@pytest.mark.parametrize("game", ["torres", "bazaar"])
def test_over_facts_of_a_copy(pressing, bazaar, game):  # noqa: F811
    """The file is right whatever wrote it."""
    one = pressing(game)
    one.box.game_texts["bazaar"] = bazaar_texts()

    def again():
        if one.rng.random() < 0.5:
            one.box.push(make_facts_menu(one.box, game))
        else:
            ask_facts(one.box, game, one.rng.choice((Setup(), CARDS)), lambda _facts: None, tuple(Use))

    one.press(2 * PRESSES, again, NO_MATCH)
    one.check()
    assert one.met >= {ListPage, WheelPage, TextPage, NoticePage}
    kept = CopyFile.of(one.library.state_dir, game, one.box.game_texts[game]).load()
    assert (kept.problems, bool(kept.facts.confirmed)) == ((), True)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(20))
def test_for_a_long_night(pressing, number):
    one = pressing(number)
    a_night(one, one.rng.choice(HEADERS), bool(number % 2), over=bool(number % 3 == 0), presses=soak(50_000))
