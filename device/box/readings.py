"""What a sensor saw, put to people: accept it, choose what it means, or see what does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from device.box.grid import GridMenu
from device.box.play import Play
from device.box.views import Act, Item, Menu, Reader
from device.pages import GridPage, Page, Sign
from engines.board import Board
from engines.contract import Choice, Decide
from engines.match import Point
from engines.search import Exact, Interpretation, OutOfStep

if TYPE_CHECKING:
    from device.box.core import Box


class Proposal(msgspec.Struct, frozen=True):
    """What a reading would mean, how sure its sensor is (0 to 1), and the channel it came by."""

    meaning: Interpretation
    confidence: float
    channel: str


SURE = 0.95
"""From this confidence on a reading with one meaning is a sure one."""


def show(box: Box, play: Play, proposal: Proposal) -> None:
    """Ask people; a reading that shows the table unchanged needs no question."""
    words, meaning = play.words, proposal.meaning
    if isinstance(meaning, OutOfStep):
        box.refused()
        box.push(_out_of_step(box, play, meaning))
        return
    found = (meaning.choices,) if isinstance(meaning, Exact) else meaning.explanations
    if found == ((),):
        return
    at = play.match.points[-1]
    sure = len(found) == 1 and proposal.confidence >= SURE
    policy = box.confirm.readings.sure if sure else box.confirm.readings.unsure
    if policy == "auto":
        play.propose(found[0], at, proposal.channel)
        return
    title = words("reading.title")
    if policy == "other" and isinstance(play.pending, Decide):
        title = words.name((play.pending.seats[0] + 1) % len(words.names))
    items = [Item(play.match.game.text(choices), _accept(box, play, choices, at)) for choices in found]
    items.append(Item(words("reading.no"), box.pop))
    prompt = words("reading.prompt", percent=round(proposal.confidence * 100))
    box.push(Menu(box, title, prompt, items))


def ask(box: Box, play: Play, cell: str, answers: Sequence[Item]) -> None:
    """Ask which of two or three readings of one cell is right, with the board beside them.

    What each answer does comes with it, and closes the question first; "neither" only closes it. ``cell`` is
    named as on the board of the match, which the game must show.
    """
    words, board = play.words, play.match.game.board(play.match.state)
    place = board.place(cell) if board else None
    if board is None or place is None:
        raise ValueError(f"{play.match.game.id} shows no cell {cell!r}")

    def closing(act: Act) -> Act:
        def chosen() -> None:
            box.pop()
            act()

        return chosen

    items = [Item(item.label, closing(item.act)) for item in answers]
    items.append(Item(words("grid.neither"), box.pop))
    title, prompt = words("reading.title"), words("grid.which", cell=cell)
    signs = ((place, Sign.ASKED),)
    box.push(GridMenu(box, words, title, prompt, items, board, (-1,) * len(items), signs=signs))


def _out_of_step(box: Box, play: Play, meaning: OutOfStep) -> Reader:
    """What does not fit, in words; and before them on the board, where the game has one."""
    words, game = play.words, play.match.game
    parts = [words("reading.out_of_step"), " ".join(meaning.differences)]
    if meaning.refusal:
        parts.append(f"{meaning.refusal.clause}: {words.refusal(meaning.refusal)}")
    title, text = words("reading.title"), "\n".join(parts)
    state = play.match.state
    for choice in meaning.nearest:
        state = game.apply(state, choice)
    board = game.board(state)
    signs = _signs(board, meaning.differences) if board else ()
    if board is None or not signs:
        return Reader(box, title, text)
    picture = GridPage(
        box.header(title), words("grid.differs"), board, about=meaning.differences, signs=signs
    )
    return Pictured(box, title, text, picture)


def _signs(board: Board, differences: Sequence[str]) -> tuple[tuple[int, Sign], ...]:
    """What differs where: each difference begins with + or -, and names its cells."""
    found: dict[int, Sign] = {}
    for difference in differences:
        sign = Sign.MISSING if difference.startswith(Sign.MISSING) else Sign.EXTRA
        for place in board.named(difference):
            found[place] = sign if found.get(place, sign) is sign else Sign.BOTH
    return tuple(sorted(found.items()))


class Pictured(Reader):
    """A text of any length after a picture."""

    def __init__(self, box: Box, title: str, text: str, picture: GridPage) -> None:
        """The picture comes first."""
        super().__init__(box, title, text)
        self._picture = picture

    def page(self) -> Page:
        """The picture, or the text at the page reached."""
        text = super().page()
        header = text.header
        if self.at == 0:
            return msgspec.structs.replace(self._picture, header=header)
        return msgspec.structs.replace(text, page=self.at - 1)

    def _last(self) -> int:
        return self.box.pages(super().page())

    def turn(self, steps: int) -> None:
        """Turn pages."""
        self.at = max(0, min(self.at + steps, self._last()))

    def ok(self) -> None:
        """The next page, and away after the last."""
        if self.at < self._last():
            self.at += 1
        else:
            self.box.pop()


def _accept(box: Box, play: Play, choices: Sequence[Choice], at: Point) -> Act:
    def act() -> None:
        box.pop()
        play.propose(choices, at)

    return act
