"""Table facts around a match: asked before it, looked up during it, marked where they are a sample."""

import pytest

from device.match.replay import Header
from device.menus.copies import open_asked
from device.menus.home import Home
from device.menus.new_match import rematch
from device.menus.play import Play
from device.screen import TextPage, text_lines
from engines.contract import Setup
from engines.facts import Use
from tests.device.conftest import a_box
from tests.device.copies import MARKED, OTHERS
from tests.device.games import enter, game_steps
from tests.device.menus.test_facts_pages import Asked

NAMES = ("Adso", "William")
SAMPLE = 'format = 1\ngame = "torres"\nsample = true\n'


def header(**setup):
    return Header("torres", NAMES, Setup(**setup))


class Sitting(Asked):
    """Somebody who opens matches of Torres; ``asked`` are the facts asked for on the way."""

    def open(self, answer, **setup):
        self.asked = []
        open_asked(self.box, header(**setup))
        while not self.playing:
            if isinstance(self.page, TextPage):
                self.ok()
                continue
            self.asked.append(self.page.header.left)
            answer()
        return self.box.library.referee

    @property
    def playing(self):
        return isinstance(self.box.stack[-1], Play)

    def put_off(self):
        self.choose("Not known yet" if "Not known yet" in self.items else "Not checked yet")

    def told(self, name):
        return dict(self.box.library.referee.replay.header.setup.facts)[f"fact.{name}"]


@pytest.fixture
def sitting(table, ticks):
    return Sitting(a_box(table, ticks), ticks)


class TestBefore:
    def test_the_form_asks_what_the_match_needs_and_then_begins(self, sitting):
        sitting.choose("New match")
        while sitting.page.prompt != "Torres":
            sitting.choose("another game")
        sitting.choose("START")
        assert sitting.page.header.left == "Start castles"
        assert sitting.box.library.referee is None
        sitting.read_on()
        sitting.choose("As on my copy")
        assert sitting.playing
        assert sitting.told("start_castles") == f"confirmed {MARKED}"
        assert sitting.told("cell_pitch") == "unknown"

    def test_sizes_are_asked_for_only_where_a_camera_needs_them(self, sitting):
        sitting.open(sitting.put_off)
        assert [title.partition(" ")[0] for title in sitting.asked] == ["Start"]
        sitting.box.uses = tuple(Use)
        sitting.box.stack[1:] = []
        sitting.open(sitting.put_off)
        assert sitting.asked[1:4] == ["Space size 2/5", "Block width 3/5", "Block height 4/5"]

    def test_a_match_that_cannot_be_is_refused_before_anybody_enters_a_thing(self, sitting):
        open_asked(sitting.box, header(options=(("master_cards", "yes"),)))
        assert "TO-6.3" in sitting.page.text
        sitting.back()
        assert isinstance(sitting.box.stack[-1], Home)

    def test_a_rematch_asks_what_is_still_open_and_goes_by_what_is_known_now(self, sitting):
        first = sitting.open(sitting.put_off)
        sitting.file.put({"cell_pitch": 22.5})
        rematch(sitting.box)
        assert sitting.page.header.left == "Start castles"
        sitting.read_on()
        sitting.choose("As on my copy")
        assert sitting.box.library.referee is not first
        assert sitting.told("start_castles") == f"confirmed {MARKED}"
        assert sitting.told("cell_pitch") == "confirmed 22.5 mm"
        assert sitting.box.library.referee.replay.header.setup.start == 1
        rematch(sitting.box)
        assert sitting.playing


class TestLookedUp:
    def test_in_a_match_what_it_goes_by_and_where_the_copy_here_is_otherwise(self, sitting):
        sitting.open(sitting.put_off)
        sitting.file.put({"cell_pitch": 22.5}, copy="Anna's")
        sitting.menu()
        sitting.choose("Table facts")
        assert sitting.page.text.split("\n") == [
            f"Start castles: {MARKED} (likely)",
            "Space size: 22.5 mm, learnt since",
            *(f"{label}: not known yet" for label in ("Block width", "Block height", "Board border")),
        ]
        sitting.file.put({"start_castles": OTHERS.split()})
        sitting.back()
        sitting.choose("Table facts")
        assert sitting.page.text.split("\n")[-2:] == [
            "Different on the copy here:",
            f"Start castles: in the match {MARKED} (likely); on the copy here {OTHERS}",
        ]

    def test_a_match_that_is_continued_says_first_where_it_differs(self, sitting, table):
        sitting.open(sitting.put_off)
        table.leave()
        sitting.box.go_home()
        sitting.file.put({"start_castles": OTHERS.split()})
        sitting.choose("Past matches")
        sitting.ok()
        assert "Table facts" in sitting.items
        sitting.choose("Continue it")
        assert sitting.page.header.left.startswith("Please note")
        assert "Start castles: in the match" in sitting.page.text
        sitting.back()
        assert sitting.playing


class TestSample:
    """A made-up copy is marked on every page of its match, and on no other."""

    @staticmethod
    def marked(sitting):
        page = sitting.page
        assert page.header.sample is ("[SAMPLE]" in text_lines(page)[0])
        return page.header.sample

    def test_all_pages_of_the_match(self, sitting):
        sitting.file.write(SAMPLE)
        referee = sitting.open(sitting.put_off)
        assert self.marked(sitting)
        enter(referee, game_steps(1, Setup(), "torres")[:3])
        for line in ("Scores", "Steps", "Table facts"):
            sitting.menu()
            assert self.marked(sitting)
            sitting.choose(line)
            assert self.marked(sitting)
            sitting.back()
            sitting.back()
        assert sitting.playing
        sitting.box.go_home()
        assert not self.marked(sitting)

    def test_and_of_one_that_is_over_or_left(self, sitting, table):
        sitting.file.write(SAMPLE)
        sitting.open(sitting.put_off)
        table.leave()
        sitting.file.write(SAMPLE.replace("true", "false"))
        sitting.box.go_home()
        sitting.choose("Past matches")
        assert not self.marked(sitting)
        sitting.ok()
        assert self.marked(sitting)
        sitting.choose("Scores")
        assert self.marked(sitting)
        sitting.back()
        sitting.choose("Table facts")
        assert sitting.page.text.startswith("SAMPLE: the facts of this copy are made up.")
