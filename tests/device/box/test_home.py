"""Home and what is reached from there: a new match, past ones, set-up, rules, power off."""

from __future__ import annotations

import pytest

import engines
from device.box import Box
from device.box.home import LETTERS, NAME_LENGTH, Home, NewMatch
from device.box.play import Play
from device.events import Turn
from device.journal import Journal
from device.journal_errors import JournalFull
from device.pages import ListPage, TablePage, TextPage, WheelPage
from device.story import Header
from device.table import Table
from engines.contract import Level, Setup
from engines.rules import load
from tests.device.conftest import NAMES
from tests.device.games import FULL, enter, game_steps
from tests.device.player import Player

STEPS = game_steps(1)
HEADER = Header("san_gimignano", NAMES, FULL)


def spell(player, name):
    """Enter a name letter by letter, without the last OK."""
    for letter in name.upper():
        player.turn(LETTERS.index(letter) - player.page.index)
        player.ok()
    player.turn(len(LETTERS) - player.page.index)


class TestHome:
    def test_without_a_match(self, player):
        assert player.items == ["New match", "Past matches", "Set-up", "Power off"]
        assert player.page.header.left == "Podestà"

    def test_the_list_goes_round(self, player):
        player.turn(-1)
        assert player.page.items[player.page.index] == "Power off"
        player.turn(1)
        assert player.page.index == 0

    def test_there_is_nothing_above(self, player):
        player.back()
        player.menu()
        assert isinstance(player.box.stack[-1], Home)

    def test_an_open_match_can_be_continued(self, table, player):
        enter(table.open_match(HEADER), STEPS[:3])
        assert player.items[0] == "Continue Adso – William"
        player.ok()
        assert isinstance(player.box.stack[-1], Play)
        assert player.page.header.left == NAMES[STEPS[3].seat]

    def test_a_finished_one_cannot(self, table, player):
        enter(table.open_match(HEADER), STEPS)
        assert player.items[0] == "New match"

    def test_the_scores_stand_on_the_match_only(self, table, player):
        enter(table.open_match(HEADER), STEPS[:3])
        assert player.page.header.right == ""
        player.ok()
        assert player.page.header.right == "0:20"

    def test_a_box_that_starts_in_a_match_shows_it(self, table):
        enter(table.open_match(HEADER), STEPS[:2])
        assert isinstance(Box(table, strict=True).stack[-1], Play)

    def test_a_box_that_starts_after_a_match_does_not(self, table):
        enter(table.open_match(HEADER), STEPS)
        assert isinstance(Box(table, strict=True).stack[-1], Home)

    def test_what_went_wrong_at_the_start_is_said_first(self, table, ticks):
        (table.state_dir / "current").write_text("gone.podesta")
        table.resume()
        player = Player(Box(table, strict=True, now_ms=ticks), ticks)
        assert player.page.header.left == "Please note"
        assert "gone.podesta" in player.read_all()
        assert player.items[0] == "New match"

    def test_simulated_is_marked_on_every_page(self, tmp_path, ticks):
        player = Player(Box(Table(tmp_path, simulated=True), strict=True, now_ms=ticks), ticks)
        assert player.page.header.simulated
        player.choose("Set-up", "Status")
        assert player.page.text.startswith("SIMULATED")


OPTIONS = [
    *("Donazione: may", "Nobles: no", "Stone as guard: no"),
    *("Deals: 1", "Up to, in points: 120", "Closer's penalty: yes"),
]


class TestNewMatch:
    def test_ok_starts_with_everything_filled_in(self, player, table):
        player.choose("New match")
        assert player.page.prompt == "San Gimignano"
        assert player.items == [
            "START",
            "A: Player A",
            "B: Player B",
            "First: Player A",
            "Follow every step",
            *OPTIONS,
        ]
        player.ok()
        assert isinstance(player.box.stack[-1], Play)
        assert table.referee.header == Header("san_gimignano", ("Player A", "Player B"), FULL)

    def test_names_used_last_stand_there(self, player, table):
        table.open_match(HEADER)
        table.leave()
        player.choose("New match")
        assert player.items[1:4] == ["A: Adso", "B: William", "First: Adso"]

    def test_every_line_can_be_changed(self, player, table):
        player.choose("New match", "First", "Follow every step", "Donazione")
        changed = ["First: Player B", "Follow public steps", "Donazione: must"]
        assert player.items[3:] == [*changed, *OPTIONS[1:]]
        player.choose("START")
        setup = Setup(2, 1, (("donazione", "must"),), Level.TABLE)
        assert table.referee.header.setup == setup

    def test_every_line_goes_round(self, player):
        player.choose("New match")
        first = player.items
        for line, values in (("First", 2), ("Follow every step", 1), ("Follow public", 1), ("Only score", 1)):
            player.go(line)
            player.ok(values)
        player.go("Donazione")
        player.ok(2)
        assert player.items == first

    def test_a_new_name_letter_by_letter(self, player, table):
        player.choose("New match", "A:", "New name")
        assert isinstance(player.page, WheelPage)
        spell(player, "adso da-m")
        assert player.page.prompt == "Adso Da-m_"
        player.ok()
        assert player.items[1] == "A: Adso Da-m"
        player.choose("START")
        assert table.referee.names == ("Adso Da-m", "Player B")

    def test_back_takes_letters_and_then_leaves(self, player):
        player.choose("New match", "A:", "New name")
        spell(player, "ab")
        player.back()
        assert player.page.prompt == "A_"
        player.back()
        assert player.page.prompt == "_"
        player.back()
        assert player.page.prompt == "Who plays?"
        player.back()
        assert player.items[0] == "START"
        player.back()
        assert isinstance(player.box.stack[-1], Home)

    def test_no_name_is_no_name(self, player):
        player.choose("New match", "A:", "New name")
        player.turn(LETTERS.index(" "))
        player.ok()
        player.turn(len(LETTERS) - player.page.index)
        player.ok(3)
        assert isinstance(player.page, WheelPage)

    def test_a_name_ends_where_it_fits_no_more(self, player):
        player.choose("New match", "A:", "New name")
        player.ok(NAME_LENGTH + 3)
        assert player.page.prompt == "A" + "a" * (NAME_LENGTH - 1) + "_"

    def test_known_names_are_listed_and_two_can_swap(self, player, table):
        table.open_match(HEADER)
        table.open_match(Header("san_gimignano", ("Fina", "Guido"), FULL))
        table.leave()
        player.choose("New match", "A:")
        assert player.items == ["New name", "Fina", "Guido", "Adso", "William"]
        assert player.page.index == 1
        player.choose("Guido")
        assert player.items[1:3] == ["A: Guido", "B: Fina"]
        player.choose("B:", "William")
        assert player.items[1:3] == ["A: Guido", "B: William"]

    def test_a_disk_that_refuses_is_said_and_the_form_is_still_there(self, player, table, monkeypatch):
        def full(*_args, **_more):
            raise JournalFull("/x: no room")

        monkeypatch.setattr(Journal, "create", full)
        player.choose("New match", "First", "START")
        assert isinstance(player.page, TextPage)
        assert "could not be opened: /x: no room" in player.read_all()
        assert player.items[3] == "First: Player B"

    def test_other_games_have_their_own_form(self, table, ticks, toy):
        box = Box(table, strict=True, now_ms=ticks)
        player = Player(box, ticks)
        player.choose("New match", "Donazione", "San Gimignano")
        assert player.page.prompt == "Odds and beans"
        assert len(player.items) == 6
        player.choose("Odds and beans")
        assert player.items[-len(OPTIONS) :] == OPTIONS
        player.choose("San Gimignano", "START")
        assert table.referee.header.game == toy

    def test_a_form_can_be_opened_for_a_game(self, box, toy):
        box.game_texts[toy] = box.game_texts["san_gimignano"]
        form = NewMatch(box)
        form.choose(toy)
        assert (form.game, form.level, len(form.names)) == (toy, Level.FULL, 2)


class TestPastMatches:
    @pytest.fixture
    def past(self, table, clock):
        """A finished match, one broken off, and one being played."""
        enter(table.open_match(HEADER), STEPS)
        clock.advance(1000)
        enter(table.open_match(Header("san_gimignano", ("Fina", "Guido"), FULL)), STEPS[:9])
        clock.advance(1000)
        enter(table.open_match(Header("san_gimignano", ("Ida", "Leo"), FULL)), STEPS[:3])

    def test_with_none(self, player):
        player.choose("Past matches")
        assert "No match" in player.page.text
        player.back()
        assert isinstance(player.box.stack[-1], Home)

    def test_they_are_listed_latest_first(self, player, past):
        player.choose("Past matches")
        assert player.items == ["11-14 ida – leo", "11-14 fina – guido", "11-14 adso – william"]

    def test_scores_and_steps_of_a_finished_one(self, player, past):
        player.choose("Past matches", "11-14 adso")
        assert player.page.prompt == "Adso – William"
        assert player.items == ["Scores", "Steps", "Final score"]
        player.ok()
        assert isinstance(player.page, TablePage)
        assert "win" in player.page.header.left
        player.back()
        player.choose("Steps")
        assert len(player.items) == len(STEPS)
        player.ok()
        assert player.page.text.startswith(f"{NAMES[STEPS[-1].seat]}: pass")

    def test_one_broken_off_can_be_continued(self, player, past, table):
        player.choose("Past matches", "11-14 fina", "Go on")
        assert isinstance(player.box.stack[-1], Play)
        assert table.referee.names == ("Fina", "Guido")
        assert table.referee.head == 9
        enter(table.referee, STEPS[9:10])

    def test_the_one_being_played_can_be_looked_at(self, player, past, table):
        player.choose("Past matches", "11-14 ida")
        assert player.items == ["Scores", "Steps"]
        player.choose("Steps")
        assert len(player.items) == 3
        enter(table.referee, STEPS[3:5])

    def test_one_that_cannot_be_continued_is_said(self, player, past, table, monkeypatch):
        playing = table.referee

        def full(*_args, **_more):
            raise JournalFull("/x: no room")

        monkeypatch.setattr(Journal, "open", full)
        player.choose("Past matches", "11-14 fina", "Go on")
        assert "could not be opened: /x: no room" in player.read_all()
        assert table.referee is playing

    def test_one_of_which_nothing_is_left_is_said(self, player, table):
        (table.matches / "20261120-195541-san_gimignano-a-b.podesta").write_text("x")
        player.choose("Past matches", "11-20")
        assert "not a match file" in player.read_all()

    def test_an_abandoned_one_is_for_looking_only(self, player, past, table):
        table.referee.abandon(channel="keys")
        player.choose("Past matches", "11-14 ida")
        assert player.items == ["Scores", "Steps"]
        player.ok()
        assert player.page.header.left == "Abandoned"


class TestSetUp:
    def test_status_tells_what_is_wrong_and_how_each_part_is(self, table, ticks):
        table.problems.append("podesta.toml:3: no key brightnes; did you mean brightness?")
        box = Box(table, strict=True, now_ms=ticks, status=lambda: ["keys: ok", "display: away"])
        player = Player(box, ticks)
        player.read_all()
        player.choose("Set-up", "Status")
        assert player.page.text.splitlines() == [*table.problems, "keys: ok", "display: away"]

    def test_status_with_nothing_to_tell(self, player):
        player.choose("Set-up", "Status")
        assert player.page.text == "All is well."

    def test_every_clause_of_the_rules_can_be_read(self, player):
        player.choose("Set-up", "Rules: San Gimignano")
        clauses = list(load("san_gimignano"))
        assert len(player.items) == len(clauses)
        for at, clause in enumerate(clauses):
            player.turn(at - player.page.index)
            assert player.items[at].startswith(clause.id)
            player.ok()
            assert player.page.header.left == clause.id
            assert player.read_all() == clause.text

    def test_a_text_is_paged_by_turning_or_ok(self, player):
        player.choose("Set-up", "Rules: San Gimignano")
        player.ok()
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
    def test_it_asks_first(self, table, ticks):
        off = []
        box = Box(table, strict=True, now_ms=ticks, power_off=lambda: off.append(1) or "Switching off…")
        player = Player(box, ticks)
        player.choose("Power off")
        assert (player.page.prompt, player.page.index) == ("Sure?", 0)
        player.ok()
        assert off == []
        player.choose("Power off", "Power off")
        assert off == [1]
        assert player.notice == "Switching off…"
        assert player.page.urgent

    def test_a_box_that_cannot_says_so(self, player):
        player.choose("Power off", "Power off")
        assert player.notice == "Switch the box off by hand: it cannot do it itself."

    def test_only_ok_on_the_line_does_it(self, table, ticks):
        off = []
        player = Player(Box(table, strict=True, power_off=lambda: off.append(1) or "x"), ticks)
        player.choose("Power off")
        player.go("Power off")
        player.box.key(Turn(1))
        player.back()
        player.undo()
        player.menu()
        assert off == []


def test_all_games_of_the_house_have_a_title(box):
    for game in engines.GAMES:
        assert box.game_texts[game]("title")
