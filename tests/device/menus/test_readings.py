"""What a sensor saw is put to people, and becomes part of the game only when they accept it."""

import base64

import pytest
from msgspec.structs import replace

from device.keys import Cue, Key, Press
from device.match import KEYS, Answered, Call, Source
from device.match.door import Proposal, Unclear
from device.match.records import Kind
from device.match.replay import Header
from device.screen import CropPage, GridPage, ListPage, Sign, TextPage
from device.settings import Confirm, ReadingsSettings
from device.texts import said
from engines.board import Board, Cell
from engines.contract import Choice, Exact, OutOfStep, Refusal, Setup, Several
from engines.facts import Facts, schema, with_facts
from engines.readings import Observation, interpret
from tests.device import stones
from tests.device.conftest import NAMES
from tests.device.menus.people import payloads
from tests.device.player import Player
from tests.engines.marrakesh.lines import setup, turn


@pytest.fixture
def match(player):
    position = "market=6,8 hand.a=?5 hand.b=?5 a=8x3 b=7x3 marker=a"
    return player.open(position=position)


def see(player, *candidates):
    """A reading of the towers, as the door would propose it; gives what it was taken for."""
    referee = player.box.library.referee
    game, state = referee.replay.game, referee.replay.match.state
    meaning = interpret(game, state, Observation(game.sight.NAME, candidates))
    player.box.propose(Proposal(meaning, candidates[0][1], "line:cam#1", what=game.sight.NAME))
    return meaning


def test_one_meaning_is_asked_and_recorded_when_accepted_and_several_are_listed(player, match):
    assert isinstance(see(player, ("a=8x3,5-7 b=7x3", 0.87)), Exact)
    assert (player.page.prompt, player.items) == ("Seen (87%):", ["B 5-7", "no, ignore it"])
    assert match.replay.log == []
    player.ok()
    assert payloads(match) == ["B 5-7"]
    assert player.page.header.left == "William"
    both = Several(((Choice("action", "B"), Choice("build", "8-10")), (Choice("action", "pass"),)))
    player.box.propose(Proposal(both, 0.5, "line:cam#1"))
    assert player.items == ["B 8-10", "Pass", "no, ignore it"]
    player.choose("Pass")
    assert payloads(match) == ["B 5-7", "pass"]


EXCHANGE = "a=8x4 b=7x3"
"""A card on a tower: from where, no camera sees."""
AS_IT_WAS = "a=8x3 b=7x3"


def test_what_it_could_not_see_is_asked_at_once(player, match, ticks):
    player.box.moment_ms = 300
    see(player, (EXCHANGE, 0.97))
    player.box.key(Press(Key.OK))  # meant for the page before
    assert (player.page.header.left[:4], player.page.prompt) == ("Adso", "Which card? 1 left")
    assert "8" in player.page.header.left
    assert match.replay.log == []
    player.choose("market 6")
    assert payloads(match) == ["E 8x3 +1 m6"]
    assert not player.told.startswith("Adso: ")  # who has just chosen it is not told it again


def test_what_it_has_begun_goes_with_back_and_with_the_card(player, match):
    see(player, (EXCHANGE, 0.97))
    player.back()
    assert player.page.prompt != "Which card? 1 left"
    see(player, (EXCHANGE, 0.97))
    see(player, (AS_IT_WAS, 0.9))
    assert (player.page.prompt, match.replay.log) == ("Your action?", [])
    see(player, (EXCHANGE, 0.97))
    see(player, ("a=8x3,5-7 b=7x3", 0.9))
    assert player.items[0] == "B 5-7"


@pytest.mark.parametrize("seen", [EXCHANGE, "a=8x3,5-7 b=7x3"])
def test_another_field_that_is_as_it_was_takes_back_nothing(player, match, seen):
    see(player, (seen, 0.97))
    page = player.page
    player.box.propose(Proposal(Exact(()), 1.0, "camera:market", what="market"))
    assert player.page == page
    player.box.propose(Proposal(Exact(()), 1.0, "camera:towers", what="towers"))
    assert player.page.prompt == "Your action?"


def test_two_meanings_are_listed_although_one_is_hardly_in_doubt(player, match):
    begun = see(player, (EXCHANGE, 0.5)).choices
    both = Several((begun, (Choice("action", "pass"),)), (0.96, 0.04))
    player.box.propose(Proposal(both, 0.96, "line:cam#1", what="towers"))
    assert player.items[:2] == ["E 8x3 +1 (96%)", "Pass (4%)"]


def test_what_another_player_must_accept_is_asked_before_anything_is_begun(player, match):
    player.box.door.confirm = Confirm(readings=ReadingsSettings(sure="other"))
    see(player, (EXCHANGE, 0.97))
    assert (player.page.header.left, player.items[0]) == ("William", "E 8x3 +1")


def test_a_second_look_keeps_what_was_answered_since(player):
    position = "market=6,8,9 hand.a=?5 hand.b=?5 a=8x3 b=7x3 marker=a"
    player.open(position=position)
    two = "a=8x5 b=7x3"
    see(player, (two, 0.97))
    first = player.page.prompt
    player.choose("market 6")
    asked = player.page.prompt
    assert asked != first
    see(player, (two, 0.97))
    assert player.page.prompt == asked


def test_a_doubt_is_asked_before_anything_is_begun(player, match):
    referee = player.box.library.referee
    game, state = referee.replay.game, referee.replay.match.state
    meaning = interpret(game, state, Observation(game.sight.NAME, ((EXCHANGE, 0.5),)))
    why = (said("camera.unsteady"),)
    player.box.propose(Proposal(meaning, 0.5, "camera:towers", what=game.sight.NAME, why=why))
    player.later()
    assert player.items[0] == "E 8x3 +1"


def test_a_turn_of_several_steps_is_recorded_as_one_group_whoever_is_asked_in_it(player):
    position = "market=6 hand.a=?6 hand.b=?5 b=8x3 marker=b"
    referee = player.open(position=position)
    see(player, ("a=10x3 b=-", 0.9))
    assert player.items[0] == "B 10x3, use, allow"
    player.ok()
    steps = [one for one in referee.replay.log if one.payload[0] != "o"]
    assert [(one.payload, one.seat) for one in steps] == [("B 10x3", 0), ("use", 0), ("allow", 1)]
    assert len({one.group for one in steps}) == 1


def test_the_rule_in_the_way_is_named(player, match):
    clause, figures = "SG-3.8", (("cards", 2), ("least", 3))
    meaning = OutOfStep((), ("+a5-7",), Refusal("build.three_cards", clause, figures))
    player.box.propose(Proposal(meaning, 0.9, "line:cam#1"))
    assert player.page.text.endswith("SG-3.8: A tower takes 3 cards; this hand holds 2.")


def test_a_match_that_moved_on_meanwhile_takes_no_part_of_it(player, match):
    see(player, ("a=8x3,5-7 b=7x3", 0.9))
    match.step("pass", seat=0, channel="line:pad#1")
    player.ok()
    assert payloads(match) == ["pass"]
    assert player.notice == "Entered elsewhere meanwhile"
    player.later()
    assert (player.page.header.left, player.page.prompt) == ("William", "Your action?")


def test_from_home_the_match_is_shown_with_it(player, match):
    player.menu()
    player.choose("Home")
    see(player, ("a=8x3,5-7 b=7x3", 0.87))
    assert isinstance(player.page, ListPage)
    assert player.items[0] == "B 5-7"
    player.ok()
    assert payloads(match) == ["B 5-7"]


# On a board


@pytest.fixture
def board(grid_toy, box, ticks):
    """The player at a match on a board."""
    box.open(Header(grid_toy, NAMES, stones.at("0123/0300/0001")))
    return Player(box, ticks)


def signs(page):
    return {page.board.name(place): sign for place, sign in page.signs}


def test_where_it_differs_is_shown_first_and_then_said(board):
    heard = []
    board.box.on_cue = heard.append
    meaning = see(board, ("0122/0301/0001 a=b3 b=d3", 0.9))
    assert isinstance(meaning, OutOfStep)
    page = board.page
    assert isinstance(page, GridPage)
    assert (page.header.left, page.prompt, page.items) == ("Sensor", "Does not fit:", ())
    assert page.about == ("-block d1", "+Adso b3", "-Adso a1")
    assert page.more == "{n} more"
    assert signs(page) == {"d1": Sign.MISSING, "b3": Sign.EXTRA, "a1": Sign.MISSING}
    assert heard == [Cue.REFUSED]
    board.ok()
    assert isinstance(board.page, TextPage)
    assert board.page.text.startswith("The table differs")
    assert "-block d1, +Adso b3, -Adso a1" in board.page.text
    board.read_all()
    assert board.page.prompt == "Your action?"


def test_the_picture_shows_the_nearest_that_could_be_meant(board):
    """One difference is a block that could have been laid: there it stands, and the other is pointed out."""
    meaning = see(board, ("0122/0301/0001 a=a1 b=d3", 0.9))
    assert meaning.nearest == (Choice("action", "Bd2"),)
    assert signs(board.page) == {"d1": Sign.MISSING}
    assert board.page.board.cells[7] == Cell(1)


PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAADklEQVR4nGNgYPj//z8ABgEC/nVO9xcAAAAASUVORK5CYII="
)
"""Two by two pixels, black, white, white and black."""


def with_blocks(count):
    """A row of six spaces, ``count`` blocks on the third."""
    return Board(6, 1, tuple(Cell(height=count if place == 2 else 0) for place in range(6)))


def asked(board, cell="c1", crop=b""):
    two, three = (Exact((Choice("action", f"B{cell}"),)) for cell in ("c1", "d2"))
    answers = ((with_blocks(2), two), (with_blocks(3), OutOfStep((), ("+Bd3",), None)))
    board.box.propose(Proposal(three, 0.5, "camera:board", Unclear(cell, answers), what="board", crop=crop))


@pytest.mark.parametrize(("crop", "kind"), [(b"", GridPage), (PNG, CropPage)])
def test_what_one_cell_holds_is_asked_beside_its_picture_or_the_board(board, crop, kind):
    asked(board, crop=crop)
    page = board.page
    assert isinstance(page, kind)
    assert (page.header.left, page.prompt) == ("Sensor", "c1: which?")
    assert page.items == ("▲2", "▲3", "neither")
    assert crop or signs(page) == {"c1": Sign.ASKED}


def test_the_answer_gives_the_meaning_and_people_still_accept_it(board):
    asked(board, crop=PNG)
    board.choose("▲2")
    assert board.page.prompt == "Seen (100%):"
    assert payloads(board.box.library.referee) == []
    board.ok()
    assert payloads(board.box.library.referee) == ["Bc1"]


def test_neither_and_back_do_nothing(board):
    for leave in (lambda: board.choose("neither"), board.back):
        asked(board)
        leave()
        assert board.page.prompt == "Your action?"
    assert payloads(board.box.library.referee) == []


def test_a_new_reading_takes_the_place_of_one_that_nobody_answered(board):
    see(board, ("0123/0300/0001 a=d3 b=a1", 0.9))
    asked(board, crop=PNG)
    asked(board, cell="e1")
    assert isinstance(board.page, ListPage)
    assert board.page.prompt == "e1: which?", "no board shows it: it is asked in words"
    asked(board)
    assert [view.of_sensor for view in board.box.stack].count(True) == 1
    board.back()
    assert board.page.prompt == "Your action?"
    asked(board)
    board.box.propose(Proposal(Exact(()), 0.9, "camera:board", what="board"))
    assert board.page.prompt == "Your action?", "the table was put right"


# What a scale under a tray counts


class Scale:
    """A scale that tells how many lie there, by the line; the seat asked steps."""

    def __init__(self, player, loop, position):
        self.player, self.loop, self.heard = player, loop, []
        player.box.open(Header("marrakesh", NAMES, replace(setup(), position=position)))
        player.box.on_cue = self.heard.append

    def counts(self, *totals, why=()):
        candidates = tuple((f"total {number}", chance) for number, chance in totals)
        seen = Observation("tray", candidates)
        reading = self.player.box.door.observe(seen, source=Source("line:scale#1"), why=why)
        self.loop.run_until_complete(reading)

    def sees(self, number):
        """It counts so many; gives the text of the page or what is asked."""
        self.counts((number, 0.97))
        return getattr(self.player.page, "text", None) or self.player.page.prompt

    def steps(self, text):
        self.player.box.door.step(text, source=KEYS)

    @property
    def steps_recorded(self):
        log = self.player.box.library.referee.replay.log
        return [one.payload for one in log if one.kind in (Kind.STEP, Kind.REPORT)]


@pytest.fixture
def scale(player, loop):
    return lambda **tray: Scale(player, loop, turn("claim", "claim", round=4, **tray))


ASKED = "Take? {} left"


def test_the_only_claim_that_leaves_the_number_is_proposed_in_words(scale):
    """And waits for people however sure the scale is."""
    told = scale(tray="2t1g")
    told.player.box.door.confirm = Confirm(readings=ReadingsSettings(sure="auto"))
    assert told.sees(1) == "Seen (97%):"
    assert told.player.items == ["2 turquoise", "no, ignore it"]
    assert told.steps_recorded == []
    told.player.ok()
    assert told.steps_recorded == ["claim 2t"]


def test_hands_may_follow_keys(scale):
    """Who enters a claim before taking it is told nothing, however often the scale tells what lies there."""
    told = scale(tray="2t2g1k")
    assert told.sees(5) == ASKED.format(5)
    told.steps("claim 2t")
    assert told.sees(5) == ASKED.format(3)
    assert told.sees(3) == ASKED.format(3)
    told.steps("claim 2g")
    assert told.sees(3) == ASKED.format(1)
    assert told.sees(2).startswith("2 left on the tray, the record says 1.")


@pytest.fixture
def thrown(player, loop):
    """Six were thrown: 2 brown, 2 pink, 2 red."""
    return Scale(player, loop, turn("tray", "throw", round=2, inside="1l"))


def test_counts_that_a_scale_contradicts_are_told_before_they_count(thrown):
    thrown.sees(5)
    thrown.player.back()
    thrown.player.turn(-1)
    assert thrown.player.ok().text == "The scale counts 5, not 6. OK records 6 anyway."
    assert (thrown.steps_recorded, thrown.heard[-1]) == ([], Cue.REFUSED)
    thrown.player.box.stack[-1].ok()
    assert thrown.steps_recorded == []
    thrown.player.ok()
    assert thrown.steps_recorded == ["tray 2n2p2r"]


@pytest.mark.parametrize("totals", [[(6, 0.97)], [(5, 0.9), (6, 0.1)]])
def test_counts_that_fit_or_that_the_scale_doubts_are_recorded_at_once(thrown, totals):
    thrown.counts((6, 0.6), (7, 0.35), why=[said("scale.doubt", number=6, other=7)])
    assert thrown.player.page.text == "The weight fits 6 or 7."
    thrown.counts(*totals)
    assert isinstance(thrown.player.page, ListPage), "a doubt goes when the tray is read again"
    thrown.player.back()
    thrown.player.turn(-1)
    thrown.player.ok()
    assert thrown.steps_recorded == ["tray 2n2p2r"]


def test_what_was_counted_before_the_last_ruling_counts_no_longer(thrown):
    door = thrown.player.box.door
    for left in ({5: 0.97}, {}):
        door.rule(Call(), source=KEYS)
        door.rule(Answered(), source=KEYS)
        if left:
            thrown.sees(5)
        assert door.counted == left


PRINTING = (
    "seats=2 draw=2 farms=4 outline=5.5 storage=2 boards=- bonus=- cards=- yields=- "
    "region.a=A1,B2'+0,C3+1 turn=a doing=print:tA1:new"
)


def test_what_is_printed_on_a_board_is_shown_painted_and_counts_once_confirmed(player):
    """However sure its reader is, and with a sign where it is not."""
    player.box.door.confirm = Confirm(readings=ReadingsSettings("auto", "auto"))
    told = {"cards_per_draw": 2, "farms": ("vines", "olives", "wheat", "cows"), "outline": (5, 5)}
    facts = Facts.of(schema("castles_of_tuscany")).confirm(told)
    player.box.open(Header("castles_of_tuscany", NAMES[:2], with_facts(facts, Setup(2, position=PRINTING))))
    referee = player.box.library.referee
    one, other = ((Choice("print", f"icmvv{sign}mrrv"),) for sign in "ir")
    player.box.propose(Proposal(Several((one, other), (0.8, 0.2)), 0.8, "camera:print", what="print"))
    assert isinstance(player.page, GridPage)
    assert "".join(cell.ground for cell in player.page.board.cells if cell) == "icmvvimrrv"
    asked = [place for place, cell in enumerate(player.page.board.cells) if cell][5]
    assert player.page.signs == ((asked, Sign.ASKED),)
    assert referee.replay.log == []
    player.ok()
    assert payloads(referee) == ["print icmvvimrrv"]
    assert dict(referee.replay.match.state.copy.boards) == {"A1": "icmvvimrrv"}
