"""At an event: who is planned here is asked before a new match, and the round's time stands in two menus."""

import asyncio
from pathlib import Path

import pytest

from device.line.door import LineDoor
from device.line.messages import MessageError, Open
from device.line.nodes import Sender
from device.match.replay import Header
from device.menus import RoundHere
from device.menus.new_match import rematch
from engines.contract import Setup
from tests.device.conftest import NAMES
from tests.device.screen.golden import looks_like

GOLDEN = Path(__file__).parent / "golden"
HERE = RoundHere(2, "table-03", ("Nella", "Orso"))
MINUTE = 60_000


@pytest.fixture
def seated(player):
    """A round of which 34 and a half minutes are left."""
    player.box.note_round(HERE, player.ticks.now + 34.5 * MINUTE)
    return player


def test_a_new_match_has_table_round_and_names_in_the_order_of_seats(seated, table):
    seated.choose("New match")
    assert seated.page.header.left == "table-03, round 2"
    assert seated.page.prompt == "San Gimignano"
    assert seated.items[2:5] == ["A: Nella", "B: Orso", "First: Nella"]
    seated.ok()
    assert (seated.page.header.left, table.referee) == ("table-03, round 2", None)
    assert seated.page.prompt == "Is this your table? A Nella, B Orso", "for all to see and to agree to"
    seated.ok()
    assert table.referee.replay.names == HERE.names


def test_a_rematch_asks_who_is_planned_here_now(seated, table):
    table.open_match(Header("san_gimignano", NAMES, Setup(2, 1)))
    rematch(seated.box)
    assert seated.items[2:5] == ["A: Nella", "B: Orso", "First: Nella"]
    seated.ok()
    seated.ok()
    assert table.referee.replay.names == HERE.names
    rematch(seated.box)
    assert seated.items[2:5] == ["A: Nella", "B: Orso", "First: Nella"], "the plan says who is first, too"


def test_the_plan_goes_before_who_played_last_and_another_game_keeps_it(player, table):
    table.open_match(Header("san_gimignano", NAMES, Setup(2, 1)))
    player.box.go_home()
    player.choose("New match")
    assert player.items[2:5] == [f"A: {NAMES[0]}", f"B: {NAMES[1]}", f"First: {NAMES[1]}"]
    player.box.note_round(RoundHere(1, "table-03", ("Nella", "Orso", "Pia")), None)
    assert player.items[2:5] == ["A: Nella", "B: Orso", "First: Nella"], "two play this one"
    player.choose("another game")
    assert player.items[2:6] == ["3 players", "A: Nella", "B: Orso", "C: Pia"]
    player.box.note_round(RoundHere(2, "table-03"), None)
    assert player.page.header.left == "table-03, round 2"
    assert player.items[3] == f"A: {NAMES[0]}", "nobody is planned here: as it was last time"
    player.box.note_round(RoundHere(0, "table-03"), None)
    assert (player.page.header.left, player.box.tell_round()) == ("table-03", ""), "no desk has told a round"


def test_a_form_that_was_left_is_filled_in_anew_for_other_people_alone(seated):
    seated.choose("New match", "First")
    seated.back()
    seated.box.note_round(HERE, None)
    seated.choose("New match")
    assert "First: Orso" in seated.items
    seated.back()
    seated.box.note_round(RoundHere(3, "table-03", HERE.names), None)
    seated.choose("New match")
    assert "First: Nella" in seated.items


def test_the_time_left_changes_each_minute_and_nothing_is_drawn_between(seated):
    drawn = []
    seated.box.on_page = lambda: drawn.append(1)
    assert seated.page.prompt == "Round 2: 34 min left"
    assert seated.box.due_ms() == MINUTE / 2
    seated.box.note_round(HERE, seated.box.round_ends_ms - 2000)
    assert not drawn, "told again it changes nothing"
    seated.ticks.now += MINUTE
    assert seated.page.prompt == "Round 2: 33 min left"
    seated.box.note_round(HERE, seated.ticks.now + 5 * MINUTE)
    assert len(drawn) == 1
    seated.ticks.now += 5 * MINUTE + 1
    assert seated.page.prompt == "Round 2: time is up"
    assert seated.box.due_ms() is None
    seated.box.note_round(HERE, None)
    assert seated.page.prompt == "What shall it be?"
    assert seated.box.due_ms() is None


@pytest.mark.parametrize("language", ["en", "ja"])
def test_looks_like_its_golden_picture(seated, language):
    seated.box.voices.speak(language)
    seated.box.renew_pages()
    for name in ("home", "form", "sit"):
        page = seated.page
        said = page.prompt if name == "home" else page.header.left
        assert "2" in said
        looks_like(page, GOLDEN / f"round_{name}_{language}.png")
        seated.ok()


def opened_elsewhere(player):
    """Let a node open a match for two who sit down; return what it is told."""
    door = LineDoor(player.box.door, player.box.words_of)
    return asyncio.run(told_of(door))


async def told_of(door, number=3):
    try:
        return await door.enter(
            Open("san_gimignano", ("Pia", "Remo"), ()), Sender("pad", "line", None, number, b"open")
        )
    except MessageError as error:
        return error.code


def test_a_match_opened_over_the_line_waits_for_people_s_yes(seated, table):
    assert opened_elsewhere(seated) == "held"
    assert (seated.page.header.left, table.referee) == ("table-03, round 2", None)
    assert seated.page.prompt == "Is this your table? A Pia, B Remo"
    assert opened_elsewhere(seated) == "held"
    seated.choose("Yes: play")
    assert table.referee.replay.names == ("Pia", "Remo")
    (note,) = table.referee.replay.log
    assert (note.channel, note.payload) == ("line:pad#3", "opened")
    table.referee.waiting[-1].written.result()
    table.referee.poll()
    line = LineDoor(seated.box.door, seated.box.words_of)
    assert line.find_done(Sender("pad", "line", None, 3, b"open")) == 1, "the same line again is done already"
    assert opened_elsewhere(seated) == "busy", "one is played here: nobody is asked"
