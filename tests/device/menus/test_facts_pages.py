"""Table facts at the box: what is asked before a match, how each kind is entered, the menu of all."""

import errno
import os

import pytest

from device import files as small_files
from device.copy_file import CopyFile
from device.menus import fact_entries
from device.menus.copies import ask_facts, make_facts_menu
from device.menus.fact_entries import BLANK
from device.menus.home import Home
from device.screen import ListPage, TextPage, WheelPage
from device.screen.pixels import pages_of
from device.texts import Texts
from engines.contract import Setup
from engines.fact_words import FactWords
from engines.facts import Facts, Standing, Use, schema
from engines.marrakesh.facts import SQUARE
from engines.torres.facts import MasterCard
from tests.device.conftest import a_box
from tests.device.copies import MARKED, bazaar, bazaar_texts  # noqa: F401 – a fixture
from tests.device.player import Player
from tests.engines.fact_strategies import Oasis

USUAL = Setup()
CARDS = Setup(options=(("master", "yes"), ("master_cards", "yes")))


class Asked(Player):
    """A player who is asked for facts; ``got`` is what came of it."""

    game = "torres"

    def ask(self, setup=USUAL, uses=(Use.PLAY,)):
        self.got = []
        ask_facts(self.box, self.game, setup, self.got.append, uses)
        return self.page

    @property
    def file(self):
        return CopyFile.of(self.box.library.state_dir, self.game, self.box.game_texts[self.game])

    def type(self, text):
        for sign in text.upper().replace(" ", BLANK):
            self.turn(self.items.index(sign) - self.page.index)
            self.ok()
        self.turn(len(self.items) - 1 - self.page.index)
        assert self.items[-1] == "done"
        return self.ok()

    def wheel(self, *figures):
        for figure in figures:
            self.turn(self.items.index(figure) - self.page.index)
            self.ok()
        return self.page

    def said(self):
        """The message over the page, or where it is long the page that says it; then it is gone."""
        notice = self.notice or self.read_all()
        self.later()
        return notice

    def read_on(self):
        text = self.page.text
        while isinstance(self.page, TextPage):
            self.ok()
        return text


@pytest.fixture
def asked(table, ticks):
    return Asked(a_box(table, ticks), ticks)


@pytest.fixture
def trader(table, ticks, bazaar):  # noqa: F811
    player = Asked(a_box(table, ticks), ticks)
    player.game = bazaar
    player.box.game_texts[bazaar] = bazaar_texts()
    return player


@pytest.fixture
def full(monkeypatch):
    def refuse(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return lambda: monkeypatch.setattr(small_files.os, "fsync", refuse)


class TestAsking:
    def test_yes_confirms_it_for_good(self, asked):
        asked.ask()
        assert asked.page.header.left == "Start castles"
        assert asked.read_on() == f"Likely: {MARKED}. Does yours say so?"
        assert asked.items == ["As on my copy", "Change it", "Not checked yet", "What is it?"]
        asked.choose("As on my copy")
        (facts,) = asked.got
        assert facts.known["start_castles"].standing is Standing.CONFIRMED
        assert asked.file.load().facts == facts
        assert isinstance(asked.box.stack[-1], Home)
        asked.ask()
        assert len(asked.got) == 1

    def test_cells_are_changed_one_by_one(self, asked):
        """One that cannot come after those before is refused at once."""
        asked.ask()
        asked.read_on()
        asked.choose("Change it")
        assert asked.items == ["done", *(f"{n}: {cell}" for n, cell in enumerate(MARKED.split(), 1))]
        asked.choose("2: c3", "Change it")
        assert asked.page.header.left == "Start castles 2/8"
        assert asked.items[asked.page.index] == "c"
        asked.wheel(*"e1")
        assert asked.said() == "d1 and e1 touch, so they would not be eight castles"
        asked.back()
        asked.wheel("b")
        assert asked.items[asked.page.index] == "3"
        asked.wheel("4")
        assert asked.items[2] == "2: b4"
        asked.choose("done")
        (facts,) = asked.got
        assert "b4" in facts["start_castles"]
        assert "c3" not in facts["start_castles"]
        assert asked.file.load().facts == facts

    def test_lengths_for_a_camera(self, asked):
        asked.ask(Setup(position="x"), tuple(Use))
        assert asked.page.header.left == "Space size 1/4"
        assert asked.page.prompt == "10 to 60 mm"
        asked.choose("Enter it")
        asked.type("22.5")
        assert asked.page.header.left == "Block width 2/4"
        asked.choose("Enter it")
        asked.type("2.1")
        assert asked.notice == "5 to 60 mm, not 2.1"
        asked.later()
        assert asked.page.prompt == "2.1_"
        for _ in range(3):
            asked.back()
        assert asked.page.prompt == "5 to 60 mm"
        asked.type("23")
        assert asked.said() == "a block of 23 mm does not fit a space of 22.5 mm"
        assert asked.page.prompt == "23_"
        asked.back()
        asked.back()
        asked.type("21")
        asked.choose("Not known yet", "Not known yet")
        (facts,) = asked.got
        assert facts.confirmed == {"cell_pitch": 22.5, "block_width": 21.0}
        assert asked.file.load().facts == facts

    def test_a_master_card_by_letters(self, asked):
        asked.ask(CARDS)
        assert asked.page.header.left == "Master card 1 1/8"
        asked.choose("Enter it")
        assert asked.page.header.left == "Name"
        asked.type("fog")
        assert asked.page.header.left == "Says"
        asked.type("stay. do not move")
        assert asked.items == ["done", "Name: Fog", "Says: Stay. Do not move"]
        asked.choose("done")
        assert asked.page.header.left == "Master card 2 2/8"
        for _ in range(7):
            asked.choose("Not known yet")
        (facts,) = asked.got
        assert facts.confirmed == {"master_card.1": MasterCard("Fog", "Stay. Do not move")}

    def test_back_goes_to_the_question_before_and_then_away(self, asked):
        asked.ask(CARDS)
        asked.choose("Not known yet", "Not known yet")
        assert asked.page.header.left == "Master card 3 3/8"
        for number in (2, 1):
            asked.back()
            assert asked.page.header.left == f"Master card {number} {number}/8"
        asked.back()
        assert isinstance(asked.box.stack[-1], Home)
        assert not asked.got

    def test_what_it_is_is_told(self, asked):
        asked.ask(Setup(position="x"), tuple(Use))
        asked.choose("What is it?")
        text = asked.page.text
        assert text.split("\n") == [
            "From the left edge of a space to the left edge of the next. Measure all eight and divide.",
            "not known yet",
            "10 to 60 mm; only your copy tells; for the camera; TO-1.1",
        ]

    def test_a_disk_that_is_full_costs_no_evening(self, asked, full):
        full()
        asked.ask()
        asked.read_on()
        asked.choose("As on my copy")
        assert asked.notice == "In use, but not saved: No space left on device"
        (facts,) = asked.got
        assert facts.known["start_castles"].standing is Standing.CONFIRMED
        assert not asked.file.path.exists()

    @pytest.mark.parametrize("text", ["cell_pitch = = 3", 'format = 1\ngame = "torres"\ncell_pitch = 3'])
    def test_a_file_with_mistakes_is_said_first_and_play_goes_on(self, asked, text):
        asked.file.write(text)
        asked.ask()
        assert asked.page.header.left.startswith("Please note")
        assert f"{asked.file.path}:" in asked.read_on() or asked.items
        while isinstance(asked.page, TextPage):
            asked.ok()
        asked.choose("As on my copy")
        (facts,) = asked.got
        assert facts.known["start_castles"].standing is Standing.CONFIRMED
        if "= =" in text:
            assert "not saved" in asked.said()
            assert asked.file.path.read_text() == text
        else:
            assert "cell_pitch = 3\n" in asked.file.path.read_text()
            assert asked.file.load().facts.confirmed == facts.confirmed


class TestTables:
    """A game with dozens of facts."""

    def test_only_those_that_cannot_wait_must_be_answered(self, trader):
        trader.ask()
        assert trader.page.header.left == "On your copy"
        assert trader.page.text == (
            "33 printed things to enter once; they are kept. Sample set to try it: see README."
        )
        assert pages_of(trader.page) == 1
        trader.ok()
        assert trader.page.header.left == "River 1/33"
        assert trader.items == ["Enter it", "What is it?"]
        trader.choose("Enter it")
        assert isinstance(trader.page, WheelPage)
        assert trader.page.prompt == "5 to 40 steps"
        assert trader.items == [str(n) for n in range(5, 41)]
        trader.turn(-3)
        assert trader.page.index == 0
        trader.wheel("12")
        assert trader.page.header.left == "Rapids 2/33"
        trader.back()
        assert (trader.page.header.left, trader.page.prompt) == ("River 1/33", "12 steps")
        assert trader.items == ["Yes", "Change it", "What is it?"]
        trader.choose("Yes")
        assert trader.page.header.left == "Rapids 2/33"
        while not trader.got:
            if isinstance(trader.page, TextPage):
                trader.read_on()
            trader.choose(next(item for item in trader.items if item in ("Not known yet", "Not checked yet")))
        (facts,) = trader.got
        assert facts.confirmed == {"river": 12}

    def test_a_record_of_a_number_and_a_list_of_words(self, trader):
        trader.box.push(make_facts_menu(trader.box, trader.game))
        trader.choose("Oases 1/30", "Oasis 04", "Enter it")
        assert trader.page.header.left == "Points"
        trader.wheel("3")
        assert trader.page.header.left == "Colours 1/3"
        assert isinstance(trader.page, ListPage)
        trader.choose("pink")
        assert trader.items == ["done", "add…", "1: pink"]
        trader.choose("add…", "pink")
        trader.choose("2: pink", "Change it", "gray", "done")
        assert trader.items == ["done", "Points: 3", "Colours: pink gray"]
        trader.choose("done")
        assert trader.file.load().facts.confirmed == {"oasis.04": Oasis(3, ("pink", "gray"))}
        trader.later()
        assert "Oasis 04: ok" in trader.items
        trader.back()
        assert "Oases 2/30" in trader.items


class TestMenu:
    def test_all_facts_and_how_they_stand(self, asked):
        asked.file.put({"cell_pitch": 22.5, "block_width": 21.0})
        asked.box.push(make_facts_menu(asked.box, "torres"))
        assert asked.page.header.left == "Table facts"
        assert asked.items == [
            "Start castles: likely",
            "Space size: ok",
            "Block width: 21 mm",
            "Block height: ?",
            "Board border: ?",
            "Master cards 0/8",
        ]
        asked.file.write('format = 1\ngame = "torres"\ncell_pich = 22\n')
        asked.box.push(make_facts_menu(asked.box, "torres"))
        asked.choose("Please note")
        assert asked.page.text == f"{asked.file.path}:3: unknown key cell_pich; did you mean cell_pitch?"
        asked.box.push(make_facts_menu(asked.box, "san_gimignano"))
        assert "every copy is alike" in asked.page.text

    def test_entered_changed_and_forgotten(self, asked, full):
        asked.box.push(make_facts_menu(asked.box, "torres"))
        asked.choose("Block height", "Enter it")
        asked.type("14.7")
        assert asked.notice == "Kept"
        asked.later()
        assert "Block height: ok" in asked.items
        asked.choose("Block height")
        assert asked.page.prompt == "14.7 mm"
        assert asked.items == ["Change it", "Forget it", "What is it?"]
        asked.choose("Change it")
        asked.type("15")
        asked.later()
        asked.choose("Block height", "Forget it")
        asked.later()
        assert "Block height: ?" in asked.items
        assert asked.file.load().facts.confirmed == {}
        asked.file.put({"block_height": 15.0})
        full()
        asked.choose("Block height", "Forget it")
        assert asked.notice == "Not changed: No space left on device"
        assert asked.file.load().facts["block_height"] == 15.0


class TestWordsOfTheGame:
    """A fact whose words the game's texts call otherwise, and one in which each place means something."""

    words = FactWords(schema("marrakesh"), Texts.load("en", "marrakesh", strict=True))
    copy = Facts.of(schema("marrakesh")).confirm(
        {"river_length": 9, "rapids": (3, 6, 8), "mosque_steps": 12, "square": SQUARE}
    )

    def open(self, asked, name, value=None):
        asked.got = []
        fact, facts = schema("marrakesh").fact(name), self.copy
        fact_entries.enter(asked.box, self.words, fact, facts, value, asked.got.append)
        return asked.page

    def test_each_place_is_asked_for_by_what_it_means(self, asked):
        self.open(asked, "price.left1")
        for title, figure in (("Water", "1"), ("Dates", "0"), ("Dinars", "2")):
            assert asked.page.header.left == title
            asked.wheel(figure)
        assert asked.got == [[1, 0, 2]]
        self.open(asked, "price.left1", (1, 0, 2))
        assert asked.items == ["done", "Water: 1", "Dates: 0", "Dinars: 2"]
        asked.choose("Dates: 0")
        asked.wheel("3")
        asked.choose("done")
        assert asked.got == [[1, 3, 2]]

    def test_a_wrong_list_stays_as_it_is_at_what_is_wrong(self, asked):
        self.open(asked, "rapids", (3, 6, 8))
        asked.choose("1: 3", "Change it")
        asked.wheel("7")
        assert asked.items == ["done", "add…", "1: 7", "2: 6", "3: 8"]
        asked.choose("done")
        assert asked.said() == "rapids 7, 6, 8: each lies behind the one before, the last at 10 or before"
        assert asked.items[asked.page.index] == "2: 6"
        assert asked.got == []
        asked.choose("1: 7", "Change it")
        asked.wheel("2")
        asked.choose("done")
        assert asked.got == [[2, 6, 8]]

    def test_what_is_there_but_once_is_grey_when_it_is_named(self, asked):
        self.open(asked, "square")
        asked.choose("1 water")
        assert asked.page.grey == (0,)
        assert asked.items[asked.page.index] == "1 mosque step"
        asked.choose("1 water")
        assert "each of the eight is there once" in asked.page.text

    def test_what_it_may_be_is_said_without_codes(self):
        said = {
            name: self.words.range(schema("marrakesh").fact(name).kind, self.copy) for name in self.copy.known
        }
        assert said["rapids"] == "1 to 9, each 1 to 40"
        assert said["rapid_bonus"] == "3, one by one"
        assert said["disc"] == "8, each 0 to 4 spectators"
        assert said["gate_places"] == "8, one by one"
        assert said["more_counts"] == ""
        assert not any("_" in text or "vp" in text for text in said.values())
