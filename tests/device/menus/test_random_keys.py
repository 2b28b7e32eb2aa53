"""Any keys in any order: nothing raises, every page is drawn, and what was recorded stays recorded."""

from contextlib import suppress
from random import Random

import pytest

from device.bench.presses import Pilot
from device.copy_file import CopyFile
from device.keys.events import Hold, Holding, Key, Press, Turn
from device.match.door import KEYS
from device.match.journal import JournalFull, read
from device.match.replay import Header, Replay
from device.menus.copies import ask_facts, facts_menu
from device.menus.home import Home
from device.menus.play import Play
from device.screen import text_lines
from device.screen.pages import CountsPage, GridPage, ListPage, NoticePage, TablePage, TextPage, WheelPage
from device.screen.pixels.layout import draw
from engines.contract import Level, Setup
from engines.errors import EngineError
from engines.facts import Facts, Use, schema, with_facts
from tests.device import stones
from tests.device.conftest import NAMES, a_box
from tests.device.copies import bazaar, bazaar_texts  # noqa: F401 – a fixture
from tests.device.games import MARRAKESH, TORRES, game_steps
from tests.device.menus.test_facts_pages import CARDS
from tests.engines.walks import seed, soak

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
PRESSES, FEWER = 800, 400
DAILY = [Header("san_gimignano", NAMES, Setup()), TORRES["three"], MARRAKESH["two"]]
HEADERS = [Header("san_gimignano", NAMES, Setup(level=level)) for level in Level]
HEADERS += [TORRES["three"], TORRES["score"], MARRAKESH["two"]]


class Recorded:
    """What was seen to be recorded, match by match."""

    def __init__(self):
        self.matches = {}

    def look(self, referee):
        known = self.matches.setdefault(referee.path, [])
        recorded = referee.replay.log[: referee.recorded]
        assert recorded[: len(known)] == known, "a recorded entry has changed or gone"
        self.matches[referee.path] = recorded

    def check(self):
        """Every file holds it, and replays."""
        for path, known in self.matches.items():
            reading = read(path)
            assert reading.damage is None
            assert list(reading.records)[: len(known)] == known
            Replay(reading.header, reading.records)


def something_else(rng, table, disk, ticks, box):
    """What happens beside the keys: time, the line, the card."""
    referee = table.referee
    chance = rng.random()
    if chance < 0.25:
        ticks.now += rng.randrange(3000)
    elif chance < 0.3 and referee and not referee.replay.over:
        pending = referee.replay.match.pending
        seat = rng.choice(getattr(pending, "seats", (None,)))
        if pending.domain.listed:
            token = rng.choice(referee.replay.game.rules.legal(referee.replay.match.state, seat)).token
        else:
            token = pending.domain.draw(rng)
        with suppress(EngineError):  # unfinished, refused, or something lost to settle first
            referee.step(token, seat=seat, channel="line:pad#1")
    elif chance < 0.32:
        disk.hold()
    elif chance < 0.36:
        disk.go_on()
    elif chance < 0.37:
        disk.fail(JournalFull("/x: no room"))
    elif chance < 0.41:
        disk.mend()
    elif chance < 0.42:
        box.toast("look here", urgent=rng.random() < 0.5)


def press_about(rng, box, table, disk, ticks, presses, again=lambda: None, events=EVENTS):
    """Press ``presses`` random keys; the kinds of pages met on the way. ``again`` begins anew at home."""
    recorded, met = Recorded(), set()
    for _ in range(presses):
        if isinstance(box.stack[-1], Home):
            again()
        something_else(rng, table, disk, ticks, box)
        if table.referee:
            # Else what is met would depend on how fast the machine writes today.
            table.referee.poll() if disk.held else table.referee.wait(30)
        event = rng.choice(events)
        page = box.page()
        # A disk that is held would make whoever closes a match wait for it.
        if not isinstance(box.stack[-1], Play) or isinstance(page, TablePage):
            disk.go_on()
        box.key(event)
        page = box.page()
        met.add(type(page))
        assert draw(page).getbbox()
        assert text_lines(page)
        if table.referee:
            recorded.look(table.referee)
    disk.mend()
    disk.go_on()
    if table.referee:
        table.referee.wait(30)
    table.leave()
    recorded.check()
    return met


@pytest.mark.parametrize("header", DAILY, ids=lambda header: f"{header.game}-{header.setup.level}")
def test_over_a_match(table, disk, ticks, header):
    rng = Random(f"{seed()} {header.setup.level}")
    box = a_box(table, ticks)
    box.open(header)
    pilot, steps = Pilot(box), game_steps(seed(), header.setup, header.game)
    for step in steps[: rng.randrange(len(steps))]:
        ticks.now += 5000
        pilot.enter(step)
    presses = PRESSES if header.game == "san_gimignano" else FEWER
    met = press_about(rng, box, table, disk, ticks, presses)
    assert met >= {ListPage, TextPage, TablePage, NoticePage}
    assert met & {WheelPage, GridPage}


@pytest.mark.parametrize("options", [(), (("stakes", "yes"),)], ids=["plain", "stakes"])
def test_over_sealed_choices_and_counts(table, disk, ticks, toy, options):
    rng = Random(seed())
    box = a_box(table, ticks)
    box.open(Header(toy, NAMES, Setup(options=options)))
    met = press_about(rng, box, table, disk, ticks, FEWER)
    assert met >= {ListPage, CountsPage, TextPage, NoticePage}


BOARDS = [stones.at("0123/0300/0001"), stones.at("0123/030./0001", pegs="000")]


@pytest.mark.parametrize("setup", BOARDS, ids=["squares", "hexes"])
def test_over_a_board(table, disk, ticks, grid_toy, setup):
    box = a_box(table, ticks)
    box.open(Header(grid_toy, NAMES, setup))
    met = press_about(Random(seed()), box, table, disk, ticks, FEWER)
    assert met >= {GridPage, ListPage, TextPage, NoticePage}


def test_over_a_fact_that_is_asked_for(table, disk, ticks, tower):
    """What is red worth? lies there to be answered, and what was answered stays so."""
    rng = Random(seed())
    box = a_box(table, ticks)
    box.open(Header(tower, NAMES, with_facts(Facts.of(schema(tower)).confirm({"turns": 9}), Setup())))
    for text in ("2r1g", "1r"):
        box.door.step(text, source=KEYS)
    met = press_about(rng, box, table, disk, ticks, PRESSES)
    assert met >= {ListPage, WheelPage, TextPage, NoticePage}


@pytest.mark.parametrize("game", ["torres", "bazaar"])
def test_over_facts_of_a_copy(table, disk, ticks, bazaar, game):  # noqa: F811
    """The file is right whatever wrote it."""
    rng, box = Random(f"{seed()} {game}"), a_box(table, ticks)
    box.game_texts["bazaar"] = bazaar_texts()

    def again():
        if rng.random() < 0.5:
            box.push(facts_menu(box, game))
        else:
            ask_facts(box, game, rng.choice((Setup(), CARDS)), lambda _facts: None, tuple(Use))

    met = press_about(rng, box, table, disk, ticks, 600, again, NO_MATCH)
    assert met >= {ListPage, WheelPage, TextPage, NoticePage}
    kept = CopyFile.of(table.state_dir, game, box.game_texts[game]).load()
    assert (kept.problems, bool(kept.facts.confirmed)) == ((), True)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(20))
def test_for_a_long_night(table, disk, ticks, number):
    rng = Random(f"{seed()} {number}")
    box = a_box(table, ticks)
    box.open(rng.choice(HEADERS))
    press_about(rng, box, table, disk, ticks, soak(50_000))
