"""Choosing on a board: the cursor goes through what is legal from the last cell outwards."""

import asyncio

import pytest

import engines
from device.match.asking import Question
from device.match.door import Source
from device.match.replay import Header
from device.menus import ring
from device.screen import GridPage, Sign
from device.voices import Voice
from engines.board import Board, Cell
from engines.contract import Decide, Domain, Multiset, Picker
from engines.match import Step
from engines.readings import Observation
from engines.words import Words
from tests.device import stones
from tests.device.conftest import NAMES
from tests.device.menus.people import Person
from tests.engines import grid_toy as stones_game


@pytest.fixture
def many(monkeypatch):
    """As where the legal cells are many."""
    monkeypatch.setattr("device.menus.ring.FEW_CELLS", 3)


@pytest.fixture
def begin(grid_toy, box, ticks):
    """Open a match that stands so, and give the one at the keys."""
    player = Person(box, ticks)

    def begin(*how, **where):
        player.box.open(Header(grid_toy, NAMES, stones.at(*how, **where)))
        return player

    return begin


STAND = "0123/0300/0001"


def under(page):
    """Return what the cursor is on."""
    return page.items[page.index]


def cells(page):
    return [page.board.name(place) for place in page.places if place >= 0]


def step(player, text):
    player.box.library.referee.step(text, channel="line:pad#1")


# What comes


def test_few_cells_in_reading_order_then_the_words(begin):
    page = begin(STAND).page
    assert isinstance(page, GridPage)
    assert page.items == (
        *("Block b1", "Piece a1 → b1", "Block c1", "Block a2", "Piece a1 → a2"),  # d1 and b2 are 3 high
        *("Block c2", "Block d2", "Block a3", "Block b3", "Block c3"),  # d3 is taken
        *("not listed…", "pass"),
    )
    assert page.index == 0
    assert page.places[-3:] == (10, -1, -1)
    assert page.prompt == "Your action?"
    assert page.board.cells[:4] == (Cell(0, "a"), Cell(1), Cell(2), Cell(3))


def test_a_step_of_two_cells_and_back_in_between(begin, monkeypatch):
    monkeypatch.setattr("device.menus.ring.MANY_PAIRS", 0)  # a piece has a stop of its own
    player = begin(STAND)
    player.choose("Piece a1")
    assert player.page.prompt == "Where to?"
    assert player.page.items == ("b1", "a2", "not listed…")
    player.back()
    assert under(player.page) == "Piece a1"
    player.ok()
    player.choose("b1")
    assert player.box.library.referee.replay.match.steps == [Step(0, "Ma1 b1")]


# Where the cursor starts


def test_then_near_the_own_last_cell(begin):
    player = begin(STAND)
    step(player, "Bc2")  # Adso
    assert under(player.page) == "Block b1"  # William has none yet
    step(player, "Ba3")
    assert under(player.page) == "Block c2"
    step(player, "-")
    assert under(player.page) == "Block a3"
    step(player, "Md3 d2")
    assert under(player.page) == "Block c2"  # the pass has no cell, so the one before
    step(player, "-")
    assert under(player.page) == "Block c2"  # of those beside d2, where the piece stands


def test_the_likeliest_come_before_the_nearest(begin, monkeypatch):
    low = {"Bc3": 0, "Ba2": 1, "Ba3": 1}
    monkeypatch.setattr(
        stones_game.Playing, "likely", lambda self, state, choice: low.get(choice.token, 2), raising=False
    )
    assert under(begin(STAND).page) == "Block c3"


# Why not


def test_after_the_cells_comes_the_way_to_all_others(begin):
    player = begin(STAND)
    player.go("not listed…")
    assert player.page.cursor == -1
    page = player.ok()
    assert page.items == tuple(f"Block column {letter}" for letter in "abcd")
    player.choose("Block d1")
    assert player.page.text.startswith("d1 is 3 high.")
    player.back()
    assert "Block d1" in player.page.items


# Games that show no board, and questions that are not about cells


@pytest.mark.parametrize(
    "domain",
    [
        Domain("cell", ("a1", "b2")),
        Domain("cell", ("a1", "b2"), Picker.WHEEL),
        Domain("word", ("end", "-"), Picker.GRID),
        Multiset("beans", ("a", "b"), 0, 3),
    ],
)
def test_other_questions_have_no_board(domain):
    game = stones_game.GAME
    assert Question.at(game, stones_game.Stones(), Decide((0,), "to", domain)).board is None
    asked = Question.at(game, stones_game.Stones(), Decide((0,), "to", stones_game.TO))
    assert asked.board == game.sight.board(stones_game.Stones())


# Hexes, and boards beside the first

ON_HEXES = "0123/030./0001"


def test_a_question_stands_on_the_board_of_its_sight(begin):
    player = begin(ON_HEXES, a="c3", pegs="010")
    player.choose("pass")
    page = player.page
    assert (page.prompt, page.board.columns, page.board.rows) == ("Which hole?", 3, 1)
    assert page.board.cells == (Cell(), Cell(1), Cell())
    assert player.items == ["a1", "c1", "not listed…"]
    player.choose("b1")
    assert "There is a peg in b1." in player.page.text
    player.read_on()
    player.choose("Drop it", "a1")
    assert player.box.library.referee.replay.match.steps == [Step(0, "- a1")]
    assert player.page.board.rows == 3


def test_what_a_sensor_reads_of_a_second_board_is_shown_on_it(begin):
    player = begin(ON_HEXES, a="c3", pegs="010")
    seen = Observation("pegs", (("111", 0.9),))
    asyncio.run(player.box.door.observe(seen, source=Source("line:cam#1")))
    page = player.page
    assert page.board.columns == 3
    assert {sign for _, sign in page.signs} == {Sign.EXTRA}


# What is printed on the cells


def test_ground_and_piece_are_said(begin):
    player = begin(ON_HEXES, a="c3", pegs="000")
    assert player.go("Block b1").about == ("▲1", "grass")
    assert ring.tell_cell(player.box.stack[-1].words, player.page.board, "c3") == "▲0 grass Adso"


def test_a_piece_that_is_the_like_of_its_ground_covers_it(begin):
    words = begin(STAND).box.stack[-1].words
    board = Board(3, 1, (Cell(0, "", "g"), Cell(0, "gx", "g"), Cell(0, "b", "s")))
    assert [ring.tell_place(words, board, place) for place in range(3)] == [
        *(("grass",), ("grass", "covered"), ("sand", "Will")),
    ]


@pytest.mark.parametrize(("language", "said"), [("en", "quarry"), ("ja", "採石場")])
def test_beside_the_board_a_ground_goes_without_its_colour(language, said):
    game = engines.game("castles_of_tuscany")
    words = Words(Voice(language).game(game.id), game, NAMES)
    assert ring.tell_place(words, Board(1, 1, (Cell(0, "", "q"),)), 0) == (said,)


def test_the_legend_is_one_press_from_the_cells(begin):
    player = begin(ON_HEXES, a="c3", pegs="000")
    player.go("legend")
    assert player.page.cursor == -1
    page = player.ok()
    assert page.text == (
        "G grass\nS sand\nWhite: a piece lies there.\nDots at the sides: Adso, William.\n"
        "Underlined: can be chosen."
    )
    player.back()
    player.choose("Block b1")
    assert player.box.library.referee.replay.match.steps == [Step(0, "Bb1")]


# Whole matches
