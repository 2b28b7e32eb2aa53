"""A question on a board: where its choices stand, what the page says of the cell under the cursor.

The order in which turning comes to the choices is :mod:`device.menus.ring`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from device.match import Words
from device.menus.ring import Ring, Stop
from device.menus.ui import Ui
from device.menus.views import Item, Menu
from device.screen import GridPage, Header, Sign
from device.texts import apart
from engines.board import Board, around
from engines.contract import AnyDomain, Choice, Domain, Game, Picker
from engines.match import Match, Step


def board_for(game: Game[Any, Any], state: Any, domain: AnyDomain) -> Board | None:
    """The board that a question's cells stand on; None where it is not about cells.

    A game that shows no board has a blank one, of squares.
    """
    if not isinstance(domain, Domain) or domain.picker is not Picker.GRID:
        return None
    blank = around(domain.tokens)
    if not blank:
        return None
    sight = game.in_sight(state)[domain.sight] if domain.sight else game.sight
    return sight.board(sight.of(state)) or blank


def in_reading_order(board: Board, choices: Sequence[Choice]) -> list[Choice]:
    """Cells left to right and top to bottom, then words in the game's order."""
    return sorted(choices, key=lambda choice: _rank(board, choice.token))


def _rank(board: Board, token: str) -> int:
    place = board.place(token)
    return len(board.cells) if place is None else place


def places(board: Board, stops: Sequence[Stop]) -> tuple[int, ...]:
    """The place of each stop's last choice on the board; -1 for a word, an empty stop and a ring."""
    found = (board.place(stop[-1].token) if stop and not isinstance(stop, Ring) else None for stop in stops)
    return tuple(-1 if place is None else place for place in found)


def last_cell(board: Board, match: Match, begun: Sequence[Choice], seat: int | None) -> int | None:
    """The cell chosen last, in the step begun or else by this seat in the match; None if there is none."""
    for choice in reversed(begun):
        if (place := board.place(choice.token)) is not None:
            return place
    for made in reversed(match.steps):
        if isinstance(made, Step) and made.seat == seat:
            for token in reversed(match.game.notation.tokens(made.text)):
                if (place := board.place(token)) is not None:
                    return place
    return None


def further(board: Board, stops: Sequence[Stop]) -> tuple[int, ...]:
    """The places that rings among the stops lead to."""
    rings = [stop for stop in stops if isinstance(stop, Ring)]
    return tuple(place for one in rings for place in places(board, one.stops) if place >= 0)


def nearest(board: Board, places: Sequence[int], to: int) -> int | None:
    """The index of the place nearest to ``to``, the first of equally near ones; None where all are words."""
    away = [(board.apart(place, to), index) for index, place in enumerate(places) if place >= 0]
    return min(away)[1] if away else None


def about(words: Words, board: Board, place: int) -> tuple[str, ...]:
    """A cell's height and piece in words, of a player's name what tells it apart; empty for a word."""
    cell = board.cells[place] if place >= 0 else None
    if not cell:
        return ()
    height = words("grid.height", height=cell.height) if any(c and c.height for c in board.cells) else ""
    piece = words.piece(cell.piece) if cell.piece else ""
    piece = dict(zip(words.names, apart(words.names, 4), strict=True)).get(piece, piece)
    return tuple(text for text in (height, piece) if text)


def stands(words: Words, board: Board, cell: str) -> str:
    """A named cell's height and piece in words, "empty" where nothing stands there."""
    place = board.place(cell)
    return " ".join(about(words, board, -1 if place is None else place)) or words("grid.empty")


def page(
    words: Words,
    header: Header,
    prompt: str,
    board: Board,
    items: Sequence[str],
    places: Sequence[int],
    index: int,
    further: Sequence[int] = (),
) -> GridPage:
    """The board beside what the cursor is on."""
    told = about(words, board, places[index])
    return GridPage(header, prompt, board, tuple(items), tuple(places), index, told, further=tuple(further))


class GridMenu(Menu):
    """A menu beside a board, on which the items that are cells stand."""

    def __init__(
        self,
        box: Ui,
        words: Words,
        title: str,
        prompt: str,
        items: Sequence[Item],
        board: Board,
        places: Sequence[int],
        index: int = 0,
        signs: tuple[tuple[int, Sign], ...] = (),
    ) -> None:
        """``places`` as in :class:`device.screen.GridPage`; ``index`` is where the cursor starts."""
        super().__init__(box, title, prompt, items, index)
        self._words = words
        self._board = board
        self._places = tuple(places)
        self._signs = signs

    def page(self) -> GridPage:
        """The board with the cursor."""
        labels = [item.label for item in self.items]
        header = self.box.header(self.title)
        shown = page(self._words, header, self.prompt, self._board, labels, self._places, self.index)
        return replace(shown, signs=self._signs, grey=self.grey)
