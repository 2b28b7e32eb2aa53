"""Home and what is reached from there: a new match, past ones, set-up, rules, power off."""

import re

import pytest

from device.match.door import MatchDoor
from device.match.library import Library
from device.match.replay import Header
from device.match.rulings import Abandon
from device.menus import Box
from device.menus.home import Home
from device.menus.play import Play
from device.menus.scores import ConfirmingScore
from device.menus.ui import MOMENT_MS
from device.screen import ListPage, TablePage
from device.screen.pixels import pages_of
from engines.words import scores_of
from tests.device.conftest import NAMES, a_box
from tests.device.games import FULL, enter, game_steps, replayed
from tests.device.player import Player

STEPS = game_steps(1)
HEADER = Header("san_gimignano", NAMES, FULL)


def final():
    """Return how the match ends."""
    match = replayed(STEPS)
    return scores_of(match.game, match.state, 2)


class TestHome:
    def test_an_open_match_can_be_continued(self, table, player):
        assert player.items == ["New match", "Past matches", "Set-up", "Power off"]
        assert player.page.header.left == "Podestà"
        enter(table.open_match(HEADER), STEPS[:3])
        assert player.items[0] == "Continue San Gimignano: Adso – William"
        player.ok()
        assert isinstance(player.box.stack[-1], Play)
        assert player.page.header.left == NAMES[STEPS[3].seat]

    @pytest.mark.parametrize("steps", [3, len(STEPS)], ids=["open", "over"])
    def test_undo_leads_back_to_the_match(self, table, player, steps):
        """There was nothing to undo, it said, of a match that was left a moment ago."""
        player.undo()
        assert player.page.text == "There is nothing to undo."
        player.later()
        enter(table.open_match(HEADER), STEPS[:steps])
        player.box.play(table.referee)
        player.box.go_home()
        player.undo()
        assert player.page.header.left == "Undo"
        player.choose("Correct an entry")
        assert len(player.items) == steps
        player.back()
        player.back()
        assert isinstance(player.box.stack[-1], Play)

    def test_a_box_that_starts_behind_a_match_s_last_step_shows_the_result_until_it_was_seen(self, table):
        enter(table.open_match(HEADER), STEPS)
        for _ in range(2):
            table.leave()
            table.resume()
            box = Box(MatchDoor(table), pages=pages_of, strict=True)
            assert isinstance(box.stack[-1], Play)
            assert isinstance(box.page(), TablePage)
        box.go_home()
        table.leave()
        assert table.resume() is None
        assert isinstance(Box(MatchDoor(table), pages=pages_of, strict=True).stack[-1], Home)

    def test_what_went_wrong_at_the_start_is_said_first(self, table, ticks):
        (table.state_dir / "current").write_text("gone.podesta")
        table.resume()
        player = Player(a_box(table, ticks), ticks)
        assert player.page.header.left == "Please note"
        assert "gone.podesta" in player.read_all()
        assert player.items[0] == "New match"

    def test_simulated_is_marked_on_every_page(self, tmp_path, ticks):
        player = Player(
            Box(MatchDoor(Library(tmp_path, simulated=True)), pages=pages_of, strict=True, now_ms=ticks),
            ticks,
        )
        assert player.page.header.simulated
        player.choose("Set-up", "Status")
        assert player.page.text.startswith("SIMULATED")


def pick(player, name):
    """Open the past match of whoever is called so."""
    player.choose("Past matches")
    player.choose(next(item for item in player.items if name in item))


class TestPastMatches:
    @pytest.fixture
    def past(self, table, clock):
        """A finished match, one broken off, and one being played."""
        enter(table.open_match(HEADER), STEPS)
        clock.advance(1000)
        enter(table.open_match(Header("san_gimignano", ("Fina", "Guido"), FULL)), STEPS[:9])
        clock.advance(1000)
        enter(table.open_match(Header("san_gimignano", ("Ida", "Leo"), FULL)), STEPS[:3])

    def test_they_are_listed_latest_first(self, player, past):
        player.choose("Past matches")
        rows, ended = player.items, final()
        assert len(set(rows)) == 3
        when = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ Nov \d\d:\d\d"
        assert re.fullmatch(rf"{when} San Gimignano Ida 0, Leo 20, not over", rows[0])
        assert re.fullmatch(rf"{when} San Gimignano Fina \d+, Guido \d+, not over", rows[1])
        assert re.fullmatch(rf"{when} San Gimignano William {ended[1]}, Adso {ended[0]}", rows[2])
        assert ended[1] > ended[0]

    def test_names_stand_as_they_were_written_before_the_matches_are_read(self, table, ticks):
        path = table.open_match(Header("san_gimignano", ("Zoë-May", "Leo O'N"), FULL)).path
        box = Box(MatchDoor(table), pages=pages_of, now_ms=ticks, aside=lambda *_: None)
        player = Player(box, ticks)
        box.go_home()
        player.choose("Past matches")
        assert player.items[0].endswith(" San Gimignano Zoë-May, Leo O'N")
        with open(path, "r+b") as file:
            file.write(b"what is this?")
        player.back()
        player.choose("Past matches")
        assert player.items[0].endswith(" San Gimignano Zoe_May Leo_O_N")

    def test_once_they_are_read_the_page_is_shown_again(self, table, ticks, past):
        waiting, shown = [], []
        box = a_box(table, ticks, aside=lambda work, done: waiting.append(lambda: done(work())))
        box.go_home()
        Player(box, ticks).choose("Past matches")
        box.on_page = lambda: shown.append(box.page().items[1])
        (read,) = waiting
        read()
        (row,) = shown
        assert row.endswith("not over")

    def test_a_finished_one_is_confirmed_from_there(self, player, table, clock, ticks):
        """Only while nobody plays another one here."""
        enter(table.open_match(HEADER), STEPS)
        clock.advance(1000)
        playing = table.open_match(Header("san_gimignano", ("Ida", "Leo"), FULL))
        enter(playing, STEPS[:3])
        pick(player, "Adso")
        assert player.items[-1] == "To confirm: Adso, William"
        assert player.page.grey == (3,)
        player.choose("To confirm")
        assert player.page.text.startswith("A match is being played here.")
        assert table.referee is playing
        playing.rule(Abandon(), channel="keys")
        player.box.go_home()
        pick(player, "Adso")
        player.choose("To confirm")
        assert isinstance(player.box.stack[-1], ConfirmingScore)
        for name in NAMES:
            assert player.page.header.left == name
            ticks.now += MOMENT_MS
            player.choose("yes")
        assert [str(view) for view in table.referee.replay.affairs.views] == ["agree a", "agree b"]
        assert table.referee.replay.names == NAMES

    def test_scores_and_steps_of_a_finished_one(self, player, past):
        pick(player, "Adso")
        assert player.page.header.left == "Tue 14 Nov 22:13"
        assert player.page.prompt == "San Gimignano: Adso – William"
        assert player.items == ["Scores", "Why these points?", "Steps", "To confirm: Adso, William"]
        player.ok()
        assert isinstance(player.page, TablePage)
        assert "win" in player.page.header.left
        player.back()
        player.choose("Steps")
        assert len(player.items) == len(STEPS)
        player.ok()
        assert player.page.text.startswith(f"{NAMES[STEPS[-1].seat]}: pass")

    def test_one_broken_off_can_be_continued(self, player, past, table):
        pick(player, "Fina")
        player.choose("Continue it")
        assert isinstance(player.box.stack[-1], Play)
        assert table.referee.replay.names == ("Fina", "Guido")
        assert table.referee.head == 9
        enter(table.referee, STEPS[9:10])

    def test_an_abandoned_one_is_for_looking_only(self, player, past, table):
        table.referee.rule(Abandon(), channel="keys")
        assert table.referee.wait(30)
        player.choose("Past matches")
        assert player.items[0].endswith("Leo 20, abandoned")
        player.ok()
        assert player.items == ["Scores", "Why these points?", "Steps"]
        player.ok()
        assert player.page.header.left == "Abandoned"


class TestSetUp:
    def test_status_tells_what_is_wrong_and_how_each_part_is(self, table, ticks):
        table.problems.append("podesta.toml:3: no key brightnes; did you mean brightness?")
        box = a_box(table, ticks, state=lambda: ["keys: ok", "display: away"])
        player = Player(box, ticks)
        player.read_all()
        player.choose("Set-up", "Status")
        assert player.page.text.splitlines() == [*table.problems, "keys: ok", "display: away"]

    def test_a_text_is_paged_by_turning_or_ok(self, player):
        player.choose("Set-up", "Rules: San Gimignano", "Set-up", "Two players")
        assert player.turn(1).page == 1
        assert player.turn(-5).page == 0
        assert player.turn(99).page == player.page.page
        last = player.page.page
        assert last > 1
        player.turn(-1)
        assert player.ok().page == last
        player.ok()
        assert isinstance(player.page, ListPage)


class TestPowerOff:
    def test_it_asks_first_and_the_box_goes_on_while_the_service_manager_takes_its_time(self, table, ticks):
        off, waiting = [], []
        box = a_box(
            table,
            ticks,
            power=lambda: off.append(1) or "Switching off…",
            aside=lambda work, done: waiting.append(lambda: done(work())),
        )
        player = Player(box, ticks)
        player.choose("Power off")
        assert (player.page.prompt, player.page.index) == ("Sure?", 0)
        player.ok()
        assert waiting == []
        player.choose("Power off", "Power off")
        assert not player.notice
        waiting.pop()()
        assert off == [1]
        assert (player.notice, player.page.urgent) == ("Switching off…", True)

    def test_a_box_that_cannot_says_so(self, player):
        player.choose("Power off", "Power off")
        assert player.notice == "The box cannot switch itself off: do it by hand."
