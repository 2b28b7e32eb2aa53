"""A question on a board: the cells of its choices, and the words about the cell under the cursor.

:mod:`device.menus.ring` orders the choices for turning.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from device.match import Question
from device.menus.ring import Ring, Stop, list_choices
from device.menus.ui import Ui
from device.menus.views import Item, Menu
from device.screen import GridPage, PageHeader, Sign
from engines.board import Board
from engines.match import Match, Step
from engines.texts import apart
from engines.words import Words


def find_place(board: Board, stop: Stop) -> int:
    """Return the cell of a stop: its last choice, or the start of a column; -1 for a word."""
    if isinstance(stop, Ring):
        stop = stop.stops[stop.start] if name_column(board, stop) else ()
    if isinstance(stop, Ring):
        return -1
    place = board.place(stop[-1].token) if stop else None
    return -1 if place is None else place


def name_column(board: Board, stop: Ring) -> str:
    """Return the letter of a ring's column; empty for a ring of several."""
    found = {board.name(place)[0] for made in list_choices(stop) if (place := find_place(board, made)) >= 0}
    return found.pop() if len(found) == 1 else ""


def find_last_cell(match: Match, question: Question) -> int | None:
    """Return the cell chosen last, in the step begun or else by this seat in the match; None if there is
    none.
    """
    board = question.board
    assert board
    for choice in reversed(question.choices):
        if (place := board.place(choice.token)) is not None:
            return place
    for at in range(len(match.steps) - 1, -1, -1):
        made = match.steps[at]
        if isinstance(made, Step) and made.seat == question.seat:
            for choice in reversed(match.points[at + 1].made):
                if (place := board.place(choice.token)) is not None:
                    return place
    return None


def tell_place(words: Words, board: Board, place: int) -> tuple[str, ...]:
    """Tell a cell's height, ground and piece in words; empty for a word. Cut a ground's name before the
    language's comma, and a player's to what distinguishes it.
    """
    cell = board.cells[place] if place >= 0 else None
    if not cell:
        return ()
    height = words("grid.height", height=cell.height) if any(c and c.height for c in board.cells) else ""
    short = dict(zip(words.names, apart(words.names, 4), strict=True))
    comma = words("list.comma").rstrip()
    return (
        *filter(None, [height]),
        *(short.get(text, text).partition(comma)[0] for text in words.stands(cell)),
    )


def tell_cell(words: Words, board: Board, cell: str) -> str:
    """Tell a named cell's height, ground and piece in words, "empty" if there is none of them."""
    place = board.place(cell)
    return " ".join(tell_place(words, board, -1 if place is None else place)) or words("grid.empty")


def tell_legend(words: Words, board: Board) -> str:
    """Return the legend of a board with grounds."""
    cells = [cell for cell in board.cells if cell]
    others = dict.fromkeys(words.piece(cell.piece) for cell in cells if cell.piece and not cell.covered)
    lines = [
        *(f"{sign.upper()} {words(f'ground.{sign}')}" for sign in sorted(board.grounds)),
        words("grid.legend_signs"),
        words("grid.legend_other", pieces=words.texts.by_commas(others)) if others else "",
        words("grid.legend_can"),
    ]
    return "\n".join(filter(None, lines))


def make_page(
    words: Words,
    header: PageHeader,
    prompt: str,
    board: Board,
    items: Sequence[str],
    stops: Sequence[Stop],
    index: int,
    grey: Sequence[int] = (),
) -> GridPage:
    """Show the board with the stop under the cursor; for a column also its other legal cells."""
    places = tuple(find_place(board, stop) for stop in stops)
    at = stops[index]
    legal = [one for n, one in enumerate(at.stops) if n not in at.grey] if isinstance(at, Ring) else []
    shown = GridPage(header, prompt, board, tuple(items), places, index, grey=tuple(grey))
    further = tuple(place for one in legal if (place := find_place(board, one)) >= 0)
    return replace(shown, about=tell_place(words, board, places[index]), further=further)


class GridMenu(Menu):
    """A menu beside a board that shows the items with cells."""

    def __init__(
        self,
        box: Ui,
        words: Words,
        title: str,
        prompt: str,
        items: Sequence[Item],
        board: Board,
        places: Sequence[int],
        signs: tuple[tuple[int, Sign], ...] = (),
    ) -> None:
        """Show ``items`` on a board, ``places`` as in :class:`.screen.GridPage`."""
        super().__init__(box, title, prompt, items)
        self._words = words
        self._board = board
        self._places = tuple(places)
        self._signs = signs

    def page(self) -> GridPage:
        """Show the board with the cursor."""
        header = self.box.header(self.title)
        shown = GridPage(header, self.prompt, self._board, self.labels, self._places, self.index)
        told = tell_place(self._words, self._board, self._places[self.index])
        return replace(shown, about=told, signs=self._signs, grey=self.grey)
