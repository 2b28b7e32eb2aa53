"""Putting a step together, question by question, whether it is played now or corrected later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from device.match import Question
from device.menus import grid, pickers, ring, why_not
from device.menus.ring import Made, Ring, Stop
from device.menus.ui import Ui, around
from device.menus.views import Item, Menu, TextReader, left
from device.screen import ListPage, NoticePage, Page, PageHeader, WheelPage
from engines.contract import Choice, Label, Over, Pending, Picker, Refusal
from engines.words import Words


class StepView(why_not.RefusedAt):
    """The question a match asks; each OK adds a choice to the step, and the last makes it whole."""

    def __init__(self, box: Ui, words: Words) -> None:
        """Prepare the view; a subclass calls :meth:`begin` once its match is set."""
        super().__init__(box)
        self.words = words
        self.revealed: Any = None

    def whole(self, step: Question) -> None:
        """Take the complete step."""
        raise NotImplementedError

    def leave(self) -> None:
        """Take Back before the first choice."""
        self.box.pop()

    def begin(self) -> None:
        """Start with an empty draft."""
        self.drafts = [Question.of(self.match)]
        self.ask()

    def ask(self) -> None:
        """Put the cursor where the answer most likely is."""
        self._stands: tuple[Ring, int] | None = None
        self.around: list[tuple[Ring, int]] = []
        self.picker: pickers.AnswerPicker | None = None
        question = self.question
        if isinstance(question.pending, Over):
            return
        self.picker = pickers.picker(self.box, self.words, question.pending)
        last = question.choices[-1:]
        if last and not question.board and not self.picker:
            self._stand_on(last)
            if self.around and len(self.ring.grey) == len(self.ring.stops):
                self._stands = self.around.pop()
            self.index = self.ring.near(self.index)

    def _standing(self) -> tuple[Ring, int]:
        """Return the ring and the stop that the cursor is on, found once somebody looks at the question."""
        if not self._stands:
            found = self._ring()
            self._stands = found, found.start
        return self._stands

    @property
    def ring(self) -> Ring:
        """The stops among which the cursor is."""
        return self._standing()[0]

    @property
    def index(self) -> int:
        """The stop that the cursor is on."""
        return self._standing()[1]

    @index.setter
    def index(self, at: int) -> None:
        self._stands = self.ring, at

    def _ring(self) -> Ring:
        question = self.question
        if isinstance(question.pending, Over):
            return Ring(((),))
        if not question.board or question.sealed:
            return ring.listed(question)
        return ring.on_board(question, grid.last_cell(self.match, question))

    def _stand_on(self, made: Sequence[Choice]) -> None:
        """Put the cursor on the stop that makes these choices, if there is one; a picker shows the first."""
        if self.picker and made and made[0].question == self.question.asked.question:
            self.picker.show(made[0].token)
        for at in self.ring.way(made) if made else ():
            stop, self.index = self.ring.stops[at], at
            if isinstance(stop, Ring):
                self._open(stop)

    def return_to(self, choice: Choice | None = None) -> None:
        """Come back to the question, the cursor on ``choice`` if given."""
        for _ in self.box.stack[self.box.stack.index(self) + 1 :]:
            self.box.pop()
        if choice:
            self.ask()
            self._stand_on((choice,))

    def _open(self, inner: Ring) -> None:
        self.around.append(self._standing())
        self._stands = inner, inner.start

    @property
    def question(self) -> Question:
        """Return what is asked at the point that the draft has reached."""
        return self.drafts[-1]

    # What is shown

    def page(self) -> Page:
        """Show the question."""
        question, pending = self.question, self.question.asked
        header = replace(self._header(pending), private=question.sealed)
        prompt = self.prompt(pending)
        if self.covered:
            return NoticePage(header, self.words("play.reveal"))
        if self.picker:
            return self.picker.page(header, prompt)
        found, index = self._standing()
        board, stops, verbs = question.board, found.stops, len(found.verbs)
        spoken = index < verbs or not stops[index]
        shown = [at for at, stop in enumerate(stops) if not verbs or (at < verbs or not stop) == spoken]
        labels = tuple([self.label(found, at) for at in shown])
        grey = tuple([place for place, at in enumerate(shown) if at in found.grey])
        here = shown.index(index)
        if board and not (verbs and spoken):
            return grid.page(
                self.words, header, prompt, board, labels, [stops[at] for at in shown], here, grey
            )
        if pending.domain.picker is Picker.WHEEL:
            return WheelPage(header, prompt, labels, here)
        return ListPage(header, prompt, labels, here, grey, spoken=bool(question.verbs))

    def prompt(self, pending: Pending) -> str:
        """Say the question in words."""
        return self.words.prompt(pending)

    def label(self, of: Ring, at: int) -> str:
        """Return the label of a stop: its verb, or its choices; of a ring of cells its column."""
        stop, figures, board = of.stops[at], self.question.asked.figures, self.question.board
        if at < len(of.verbs):
            return self.words(f"verb.{of.verbs[at]}", figures)
        if stop == ring.LEGEND:
            return self.words("grid.legend")
        if isinstance(stop, Ring) and board and (column := grid.column(board, stop)):
            choice = next(iter(ring.made_in(stop)))[0]
            what = self.words.choice(choice).replace(board.name(board.place(choice.token) or 0), "").strip()
            return self.words("grid.column", what=what, column=column).strip()
        if not stop or isinstance(stop, Ring):
            return self.words("play.not_listed")
        alike = len({choice.question for choice in stop}) < len(stop)
        names = [self.question.label(self.words, one) for one in stop]
        return self.words.texts.row(names) if alike else " → ".join(names)

    def _header(self, pending: Pending) -> PageHeader:
        """Make the header: whose turn it is, and what is chosen of the step, as far as there is room."""
        words, question = self.words, self.question
        actor = words.name(question.seat) if question.sealed and not self.covered else words.actor(pending)
        said = words.said(question.before, question.choices) if question.choices else ""
        return self.box.header(f"{actor}: {said}" if said else actor, beside=not said)

    @property
    def covered(self) -> bool:
        """Return True if they have yet to show what they chose: all read this box, so it asks only then."""
        return self.question.sealed and self.revealed is not self.question.state

    # The keys

    def turn(self, steps: int) -> None:
        """Move the cursor."""
        if self.covered:
            return
        if self.picker:
            self.picker.turn(steps)
        else:
            self.index = (self.index + steps) % len(self.ring.stops)

    def ok(self) -> None:
        """Choose what the cursor is on."""
        if self.covered:
            self.revealed = self.question.state
        elif self.picker:
            if token := self.picker.ok():
                self._made(Choice(self.question.asked.question, token))
        else:
            self._enter(self.ring.stops[self.index])

    def _enter(self, stop: Stop) -> None:
        grey, question = self.index in self.ring.grey, self.question
        if not stop:
            self._wider()
        elif stop == ring.LEGEND and question.board:
            self.box.push(
                TextReader(self.box, self.words("grid.legend"), grid.legend(self.words, question.board))
            )
        elif isinstance(stop, Ring):
            if grey and self.ring.verbs:
                self._refuse_verb(stop)
            else:
                self._open(stop)
        elif not grey:
            self._surely(stop)
        else:
            if len(stop) > 1:
                self.choose(stop[0], forced=False)
            self._made(stop[-1])

    def back(self) -> None:
        """Take one choice back."""
        if self.picker and self.picker.back():
            return
        if self.question.sealed and not self.covered:
            self.revealed = None
        elif self.around:
            self._stands = self.around.pop()
        elif len(self.drafts) > 1:
            left = self.drafts.pop().choices[len(self.drafts[-1].choices) :]
            self.ask()
            self._stand_on(left)
        else:
            self.leave()

    # Putting it together

    def take(self, choices: tuple[Choice, ...]) -> None:
        """Take the choices of one stop; one Back steps out of them all."""
        depth, begun = len(self.drafts), len(self.drafts[-1].choices)
        for number, choice in enumerate(choices):
            if self.drafts[-1].choices[begun:] == choices[:number]:
                self.choose(choice)
        if self.drafts[-1].choices[begun:][: len(choices)] == choices:
            del self.drafts[depth:-1]

    def toward(self, choices: Sequence[Choice]) -> int:
        """Count the detents to where OK makes the first of ``choices`` or leads to it, the shortest way.

        Raises :class:`ValueError` if nothing does.
        """
        if self.picker:
            return self.picker.toward(choices[0].token)
        way = self.ring.way(choices)
        if not way:
            raise ValueError(f"no stop makes {choices[0].token}")
        return around(way[0] - self.index, len(self.ring.stops))

    def _surely(self, stop: Made) -> None:
        """Take the choices of a stop; what ends or gives something up is asked first."""
        question = self.question
        label = question.game.rules.gives_up(question.state, stop[0])
        if label and len(question.legal) > 1:
            self.box.push(Sure(self.box, self.words, label, lambda: self.take(stop)))
        else:
            self.take(stop)

    def _made(self, choice: Choice) -> None:
        """Take what a picker put together, or say why not."""
        if refusal := self.question.why_not(choice):
            self.refused(choice, refusal)
        else:
            self.choose(choice)

    def choose(self, choice: Choice, overruled: str = "", *, forced: bool = True) -> None:
        """Take a choice, then every forced one after it unless ``forced`` is False.

        ``overruled`` is the clause that forbids the choice, where it is to stand all the same.
        """
        found = self.question.after(choice, overruled, forced=forced)
        if found.whole:
            self.whole(found)
        else:
            self.drafts.append(found)
            self.ask()

    # Refusals

    def _wider(self) -> None:
        """Open what is not listed, so that people can ask why not."""
        question = self.question
        shown = {made[0] for made in ring.made_in(self.ring)}
        items = [
            Item(self.words.choice(one), partial(self.refused, one, why))
            for one in question.every
            if one not in shown and (why := question.why_not(one))
        ]
        prompt = self.words.prompt(question.pending)
        self.box.push(RefusedMenu(self.box, self.words("play.unlisted"), prompt, items))

    def _refuse_verb(self, stop: Ring) -> None:
        """Say why nothing of a verb is possible."""
        verb = self.ring.verbs[self.index]
        if found := self.question.why_none(verb):
            name = self.label(self.ring, self.index)
            why_not.say(self, *found, (name, lambda: self._open(stop)))

    def refused(self, choice: Choice, refusal: Refusal) -> None:
        """Say why, and let people ask further or overrule."""
        why_not.say(self, choice, refusal)


class RefusedMenu(Menu):
    """A list of what is refused, all of it grey; OK says why."""

    @property
    def grey(self) -> tuple[int, ...]:
        """All lines."""
        return tuple(range(len(self.items)))


class Sure(Menu):
    """Asks before what ends or gives something up; the cursor stands on going on."""

    def __init__(self, box: Ui, words: Words, label: Label, act: Callable[[], None]) -> None:
        """Ask once more: ``label`` says what would be given up; ``act`` does it."""

        items = [Item(words("play.sure_yes"), left(box, act)), Item(words("play.sure_no"), box.pop)]
        super().__init__(box, words("play.sure"), words(label.key, label.figures), items, 1)
