"""A board of the copy painted hex by hex: how many presses, what is shown, what is kept."""

import pytest

from device.menus.copies import make_facts_menu
from device.screen import ListPage
from device.texts import Texts
from tests.device.conftest import a_box
from tests.device.menus.test_facts_pages import Asked

BOARD = "icmvvimrrv"
TEXTS = Texts.load("en", "castles_of_tuscany")
NAMED = dict(zip("ctifqvmr", map(TEXTS, TEXTS.under("ground")), strict=True))


class Painter(Asked):
    """Somebody with a copy of The Castles of Tuscany who counts the presses."""

    game = "castles_of_tuscany"
    presses = 0

    def press(self):
        self.presses += 1
        return self.ok()

    def paint(self, signs):
        for sign in signs:
            self.turn(self.page.items.index(NAMED[sign]) - self.page.index)
            self.press()

    @property
    def ground(self):
        return "".join(cell.ground or "." for cell in self.page.board.cells if cell)


@pytest.fixture
def painter(table, ticks):
    player = Painter(a_box(table, ticks), ticks)
    player.box.game_texts[player.game] = Texts.load("en", player.game, strict=True)
    return player


@pytest.fixture
def board(painter):
    """The page of board A2 among the table facts."""
    painter.box.push(make_facts_menu(painter.box, painter.game))
    painter.choose("Boards 0/12", "Board A2: ?")
    return painter


def test_a_board_takes_twelve_presses(board):
    assert board.items[0] == "Enter it"
    board.press()
    board.paint(BOARD)
    assert board.page.items == ("done",)
    assert board.ground == BOARD
    assert board.file.load().facts.confirmed == {}
    board.press()
    assert board.presses == 12
    assert board.file.load().facts.confirmed == {"board.A2": BOARD}
    assert board.notice == "Kept"


def test_back_goes_a_hex_back_and_then_away(board):
    board.press()
    board.paint(BOARD)
    board.back()
    assert (board.page.prompt, board.ground) == ("Board A2 10/10", BOARD)
    for _ in range(9):
        board.back()
    assert board.ground == "i........."
    board.back()
    assert isinstance(board.page, ListPage)
    assert not board.file.path.exists()


def test_what_was_there_is_gone_through_to_be_changed(painter):
    painter.file.put({"board.A2": BOARD})
    painter.box.push(make_facts_menu(painter.box, painter.game))
    painter.choose("Boards 1/12", "Board A2: ok", "Change it")
    for _ in range(9):
        painter.ok()
    painter.paint("f")
    painter.ok()
    assert painter.file.load().facts["board.A2"] == BOARD[:9] + "f"


def test_rows_stand_as_the_copy_says(painter):
    painter.file.put({"outline": [3, 4, 3]})
    painter.box.push(make_facts_menu(painter.box, painter.game))
    painter.choose("Boards 0/12", "Board A2: ?", "Enter it")
    assert [cell is not None for cell in painter.page.board.cells] == [*[True] * 3, False, *[True] * 7, False]
    assert painter.page.board.shape == "hexes_odd"


@pytest.mark.parametrize(
    ("text", "why"), [("ICMVV imrrv", ""), ("icmvvimrr", "there are 9"), ("icmvvimrrx", "x, number 10")]
)
def test_it_can_be_typed_whole(board, text, why):
    board.press()
    board.box.stack[-1].type(text)
    assert board.file.load().facts.confirmed == ({} if why else {"board.A2": BOARD})
    assert why in board.said()
