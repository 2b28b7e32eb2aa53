"""Choices made unseen: at the box all reveal first; what a node of one's own tells stays sealed till then."""

import pytest

from device.match.door import MatchDoor, Source
from device.match.journal import JournalFull
from device.match.replay import Header
from device.menus import Box
from device.screen import ListPage, NoticePage, text_lines
from device.screen.pixels import pages_of
from device.settings import Confirm, Entries
from engines.contract import Setup
from tests.device.conftest import NAMES, a_box
from tests.device.menus.test_correcting import agree
from tests.device.player import Player


@pytest.fixture
def player(table, ticks, toy):
    box = a_box(table, ticks)
    player = Player(box, ticks)
    box.open(Header(toy, NAMES, Setup()))
    return player


@pytest.fixture
def committed(player):
    """Both have shown what they guessed; Adso's odd is entered."""
    player.ok()
    player.choose("odd")
    return player.box.library.referee


@pytest.fixture
def told(player):
    """A node of Adso's own has told that odd is guessed; William has not guessed yet."""
    player.box.door.step("odd", seat=0, source=Source("line:a#1", seat=0))
    return player.box.library.referee


REVEAL = "All choose in secret, then reveal together. Done? OK"


def test_first_all_show_what_they_chose_then_ok_asks_seat_by_seat(player):
    for _ in range(2):
        assert isinstance(player.page, NoticePage)
        assert (player.page.header.left, player.page.text) == ("Adso + William", REVEAL)
        player.turn(1)
    player.ok()
    assert isinstance(player.page, ListPage)
    assert (player.page.header.left, player.page.index) == ("Adso", 0)
    assert player.items == ["odd", "even", "sit"]
    player.choose("odd")
    assert isinstance(player.page, ListPage)
    assert player.page.header.left == "William"
    player.choose("even")
    assert player.box.library.referee.replay.match.state.guesses == ("odd", "even")
    assert player.page.prompt == "Which beans?"


def test_what_a_node_of_its_own_has_sealed_the_box_asks_no_more(player):
    referee = player.box.library.referee
    player.box.door.step("even", seat=0, source=Source("line:a#1", seat=0))
    assert (player.page.header.left, player.page.text) == ("William", REVEAL)
    player.ok()
    assert player.page.header.left == "William"
    assert "even" not in [record.payload for record in referee.replay.log if record.visibility == "public"]
    player.choose("odd")
    assert referee.replay.match.state.guesses == ("even", "odd")


def test_at_the_box_a_choice_is_confirmed_like_any_other_and_a_nodes_own_is_not(table, ticks, toy):
    door = MatchDoor(table, Confirm(keys=Entries(steps="other")))
    player = Player(Box(door, pages=pages_of, strict=True, now_ms=ticks), ticks)
    player.open(toy)
    player.ok()
    player.choose("odd")
    assert (player.page.header.left, player.page.prompt) == ("William", "Adso: odd?")
    door.step("even", seat=1, source=Source("line:b#1", seat=1))
    assert table.referee.replay.match.pending.seats == (0,)


def every_page(player):
    """Yield what can be read anywhere while William has the box."""
    yield player.page
    player.ok()
    yield player.page
    player.undo()
    yield player.page
    player.back()
    player.menu()
    player.choose("Steps")
    yield player.page
    player.ok()
    yield player.page
    player.menu()
    player.menu()
    player.choose("Scores")
    for _ in range(3):
        yield player.page
        player.turn(1)
    player.menu()
    player.menu()
    player.choose("Home")
    yield player.page
    player.choose("Past matches")
    player.ok()
    player.choose("Steps")
    yield player.page


def test_nothing_that_the_next_can_read_tells(player, told):
    texts = [" ".join(text_lines(page)) for page in every_page(player)]
    assert len(texts) > 8
    asked = [text for text in texts if "Odd or even?" in text]
    assert len(asked) == 1
    assert not [text for text in texts if "odd" in text and text not in asked]
    assert [text for text in texts if "1 Adso: (sealed)" in text]
    assert [text for text in texts if "> Take back – Adso: (sealed)" in text]


def test_an_unseen_undo_and_redo_stay_unseen(player, told):
    player.undo()
    player.choose("Correct an entry", "1 Adso: (sealed)")
    assert player.notice == "Still sealed: only Undo takes it back"
    player.later()
    player.back()
    player.undo()
    player.choose("Take back – Adso: (sealed)")
    assert player.page.header.left == "Adso + William"
    player.undo()
    assert player.items[1] == "Put back – Adso: (sealed)"
    player.ok()
    assert (player.page.header.left, player.page.text) == ("William", REVEAL)
    assert [record.payload for record in told.replay.log] == ["odd", "undo 1", "undo 2"]


def test_a_lost_one_stays_unseen(player, disk):
    disk.fail(JournalFull("/x: no room"))
    player.ok()
    player.choose("odd")
    player.box.library.referee.wait(30)
    player.choose("what was lost?")
    assert player.page.text.splitlines() == [
        "Not recorded:",
        "(sealed)",
        "the match cannot be read or written (/x: no room)",
    ]


def test_when_all_are_open_they_can_be_read_and_not_taken_back(player, committed):
    player.choose("even")
    player.menu()
    player.choose("Steps")
    assert player.items == ["2 William: even", "1 Adso: odd"]
    player.undo()
    player.choose("Take back the last entry")
    assert "All choices are open" in player.page.text


def test_what_was_chosen_unseen_is_corrected_by_whom_it_is_of(player):
    """Whoever had not chosen yet was asked: of William, whose node was first, Adso."""
    box = player.box
    for seat, guess in ((1, "odd"), (0, "even")):
        box.door.step(guess, seat=seat, source=Source(f"line:{seat}#1", seat=seat))
    referee = box.library.referee
    player.undo()
    player.choose("Correct an entry", "1 William: odd", "replace it…")
    assert (player.page.header.left, player.items[player.page.index]) == ("William", "odd")
    player.choose("even")
    assert agree(player).splitlines()[0].endswith("William: odd → even")
    assert referee.replay.match.state.guesses == ("even", "even")
