"""A sensor's reading, put to people: accept it, choose what it means, or see what does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from device.match import Asked, Proposal
from device.menus.grid import GridMenu, stands
from device.menus.play import Play
from device.menus.ui import Host
from device.menus.views import Act, Item, Menu, Reader, close
from device.screen import CropPage, GridPage, Page, Sign
from engines.board import Board
from engines.contract import Choice, Decide, Exact, Interpretation, OutOfStep, Several
from engines.match import Point
from engines.search import steps_of


def show(box: Host, play: Play, proposal: Proposal) -> None:
    """Ask people; a reading that shows the table unchanged asks nothing.

    An unanswered question of an earlier reading is withdrawn: the table has been looked at again.
    """
    close(box, *[view for view in box.stack if view.of_sensor])
    depth = len(box.stack)
    _show(box, play, proposal)
    for view in box.stack[depth:]:
        view.of_sensor = True


def _show(box: Host, play: Play, proposal: Proposal) -> None:
    words, meaning = play.words, proposal.meaning
    if proposal.asked:
        box.push(_question(box, play, proposal, proposal.asked))
        return
    if isinstance(meaning, OutOfStep):
        box.refused()
        box.push(_out_of_step(box, play, meaning, proposal.what))
        return
    found = (meaning.choices,) if isinstance(meaning, Exact) else meaning.explanations
    if found == ((),):
        return
    at = play.match.points[-1]
    policy = box.desk.policy(proposal)
    if policy == "auto":
        play.propose(found[0], at, proposal.channel)
        return
    title = words("reading.title")
    if policy == "other" and isinstance(play.pending, Decide):
        title = words.name((play.pending.seats[0] + 1) % len(words.names))
    game, state = play.match.game, play.match.state
    labels = [", ".join(steps_of(game, state, choices)) for choices in found]
    if isinstance(meaning, Several) and len(set(meaning.chances)) > 1:
        labels = [f"{label} ({chance:.0%})" for label, chance in zip(labels, meaning.chances, strict=True)]
    items = [
        Item(label, _accept(box, play, choices, at)) for label, choices in zip(labels, found, strict=True)
    ]
    items.append(Item(words("reading.no"), box.pop))
    prompt = words("reading.prompt", percent=round(proposal.confidence * 100))
    prompt = " ".join([*(words.texts(key, **figures) for key, figures in proposal.why), prompt])
    box.push(Menu(box, title, prompt, items))


def _question(box: Host, play: Play, proposal: Proposal, asked: Asked) -> Menu:
    """The sensor's question, beside its picture or, without one, beside the board."""
    words = play.words

    def answered(meaning: Interpretation) -> Act:
        def act() -> None:
            # A person has said so: nothing about it is in doubt any more.
            box.desk.unchanged += meaning == Exact(())
            show(box, play, msgspec.structs.replace(proposal, meaning=meaning, confidence=1.0, asked=None))

        return act

    items = [Item(stands(words, board, asked.cell), answered(meaning)) for board, meaning in asked.answers]
    items.append(Item(words("grid.neither"), box.pop))
    title, prompt = words("reading.title"), words("grid.which", cell=asked.cell)
    if asked.crop:
        return CropMenu(box, title, prompt, items, asked.crop)
    board = _board(play, play.match.state, proposal.what)
    place = board.place(asked.cell) if board else None
    if board is None or place is None:
        return Menu(box, title, prompt, items)
    signs = ((place, Sign.ASKED),)
    return GridMenu(box, words, title, prompt, items, board, (-1,) * len(items), signs=signs)


class CropMenu(Menu):
    """A choice about a small picture."""

    def __init__(self, box: Host, title: str, prompt: str, items: Sequence[Item], crop: bytes) -> None:
        """``crop`` is a PNG."""
        super().__init__(box, title, prompt, items)
        self.crop = crop

    def page(self) -> CropPage:
        """The picture and the lines."""
        labels = tuple(item.label for item in self.items)
        return CropPage(self.box.header(self.title), self.prompt, self.crop, labels, self.index)


def _board(play: Play, state: Any, what: str) -> Board | None:
    """The board of the sight that was read; None where an answer was, or where the sight shows none."""
    game = play.match.game
    sight = game.in_sight(state).get(what) if what else game.sight
    return sight.board(sight.of(state)) if sight else None


def _out_of_step(box: Host, play: Play, meaning: OutOfStep, what: str) -> Reader:
    """What does not fit: on the board, where the sight shows one, then in words."""
    words, game = play.words, play.match.game
    parts = [words("reading.out_of_step"), " ".join(meaning.differences)]
    if meaning.refusal:
        parts.append(f"{meaning.refusal.clause}: {words.refusal(meaning.refusal)}")
    title, text = words("reading.title"), "\n".join(parts)
    state = play.match.state
    for choice in meaning.nearest:
        state = game.rules.apply(state, choice)
    board = _board(play, state, what)
    signs = _signs(board, meaning.differences) if board else ()
    if board is None or not signs:
        return Reader(box, title, text)
    picture = GridPage(
        box.header(title), words("grid.differs"), board, about=meaning.differences, signs=signs
    )
    return Pictured(box, title, text, picture)


def _signs(board: Board, differences: Sequence[str]) -> tuple[tuple[int, Sign], ...]:
    """The signs on the board: a difference begins with + or - and names its cells."""
    found: dict[int, Sign] = {}
    for difference in differences:
        sign = Sign.MISSING if difference.startswith(Sign.MISSING) else Sign.EXTRA
        for place in board.named(difference):
            found[place] = sign if found.get(place, sign) is sign else Sign.BOTH
    return tuple(sorted(found.items()))


class Pictured(Reader):
    """A picture, then a text of any length."""

    def __init__(self, box: Host, title: str, text: str, picture: GridPage) -> None:
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


def _accept(box: Host, play: Play, choices: Sequence[Choice], at: Point) -> Act:
    def act() -> None:
        box.pop()
        play.propose(choices, at)

    return act
